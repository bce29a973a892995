package study

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"golang.org/x/text/cases"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Role is what somebody may do with a Study. Members open it and ask; admins attach
// Audiences beside; all else is the owner's.
type Role string

// The roles. None sees nothing.
const (
	None   Role = ""
	Member Role = "member"
	Admin  Role = "admin"
	Owner  Role = "owner"
)

// Reaches tells whether a role may do what another one may.
func (r Role) Reaches(least Role) bool {
	rank := map[Role]int{None: 0, Member: 1, Admin: 2, Owner: 3}
	return rank[r] >= rank[least]
}

// roleOf is the caller's role: the owner's, what was given to the address that is the
// name of their account, or what the whole team has.
func (s *Service) roleOf(ctx context.Context, r studyRow) (Role, error) {
	p := account.From(ctx)
	if r.Owner == p.Account {
		return Owner, nil
	}
	if p.Name == "" {
		return r.Team, nil
	}
	it, err := s.d.Records.Get(ctx, invitedKey(p.Workspace, r.ID, Folded(p.Name)))
	if errors.Is(err, records.ErrNotFound) {
		return r.Team, nil
	}
	role := Role(it.Fields[fieldRole])
	if r.Team.Reaches(role) {
		role = r.Team
	}
	return role, err
}

// Folded is an address as addresses are compared: without blanks around it, its
// letters folded.
func Folded(address string) string { return cases.Fold().String(strings.TrimSpace(address)) }

// fetch reads a Study of the caller's workspace with its stored version.
func (s *Service) fetch(ctx context.Context, id string) (studyRow, error) {
	p := account.From(ctx)
	if p.Workspace == "" || !isUUID(canonical(id)) {
		return studyRow{}, noStudy()
	}
	it, err := s.d.Records.Get(ctx, studyKey(p.Workspace, canonical(id)))
	if errors.Is(err, records.ErrNotFound) {
		return studyRow{}, noStudy()
	}
	if err != nil {
		return studyRow{}, err
	}
	var r studyRow
	err = json.Unmarshal(it.Body, &r)
	r.version = it.Version
	return r, err
}

// owned reads a Study for what only its owner may do, and is the same NOT_FOUND for
// everybody else.
func (s *Service) owned(ctx context.Context, id string) (studyRow, error) {
	r, err := s.fetch(ctx, id)
	if err == nil && r.Owner != account.From(ctx).Account {
		return studyRow{}, noStudy()
	}
	return r, err
}

// asOwner is the context in which what belongs to the owner of a Study is read: its
// Audiences, for who may open it.
func asOwner(ctx context.Context, r studyRow) context.Context {
	p := account.From(ctx)
	if p.Account == r.Owner {
		return ctx
	}
	p.Account, p.Name, p.Method = r.Owner, "", "internal"
	return account.With(ctx, p)
}

// Invitee is somebody who is asked to a Study.
type Invitee struct {
	Address string
	Own     bool // the owner's: belongs to the Study already
	Again   bool // had this role before
}

// Admit gives addresses a role in a Study of the caller, all or nothing of each; who
// has another role gets this one. team gives it to the whole workspace beside.
// NOT_FOUND, also for who does not own it. Addresses are folded and each counts once.
func (s *Service) Admit(ctx context.Context, id string, addresses []string, role Role, team bool) ([]Invitee, Study, error) {
	r, err := s.owned(ctx, id)
	if err != nil {
		return nil, Study{}, err
	}
	ws := account.From(ctx).Workspace
	keys := make([]records.Key, len(addresses))
	for i, a := range addresses {
		keys[i] = invitedKey(ws, r.ID, a)
	}
	found, err := s.d.Records.BatchGet(ctx, keys)
	if err != nil {
		return nil, Study{}, err
	}
	had := map[string]Role{}
	for _, it := range found {
		had[strings.TrimPrefix(it.SK, prefixInvited)] = Role(it.Fields[fieldRole])
	}
	own := Folded(account.From(ctx).Name)
	out := make([]Invitee, 0, len(addresses))
	now := clock.Stamp(s.d.Clock.Now())
	var actions []records.Action
	for _, a := range addresses {
		out = append(out, Invitee{Address: a, Own: a == own, Again: had[a] == role})
		if had[a] != role && a != own {
			actions = append(actions, records.PutItem(records.Item{Key: invitedKey(ws, r.ID, a), Fields: map[string]string{fieldRole: string(role), fieldAt: now}}))
		}
	}
	for len(actions) > 0 {
		n := min(len(actions), records.MaxActions-1)
		err := s.d.Records.Transact(ctx, "", append(actions[:n:n], Stands(ws, r.ID))...)
		if errors.As(err, new(*records.CanceledError)) {
			return nil, Study{}, noStudy() // deleted meanwhile
		}
		if err != nil {
			return nil, Study{}, err
		}
		actions = actions[n:]
	}
	if team {
		if r, err = s.alter(ctx, r.ID, func(r *studyRow) error {
			if r.Team.Reaches(role) {
				return errUnchanged
			}
			r.Team = role
			return nil
		}, nil); err != nil {
			return nil, Study{}, err
		}
	}
	v, err := s.viewOf(ctx, r)
	return out, v, err
}

// alterTries bounds how often a Study may change under one call.
const alterTries = 20

// alter changes a Study of the caller and its row in the list in one transaction with
// more; an errUnchanged of fn leaves it as it is.
func (s *Service) alter(ctx context.Context, id string, fn func(*studyRow) error, more func(was, now studyRow) []records.Action) (studyRow, error) {
	ws := account.From(ctx).Workspace
	for range alterTries {
		was, err := s.fetch(ctx, id)
		if err != nil {
			return studyRow{}, err
		}
		next := was
		next.Audiences = append([]AudienceRef(nil), was.Audiences...)
		if err := fn(&next); err != nil {
			if errors.Is(err, errUnchanged) {
				return was, nil
			}
			return studyRow{}, err
		}
		actions := []records.Action{
			records.PutItem(records.Item{Key: studyKey(ws, next.ID), Body: next.body()}, records.VersionIs(was.version)),
			records.PutItem(records.Item{Key: listKey(ws, next.Owner, next.ID, next.CreatedAt), Body: next.body()}),
			touch(ws, next.ID, s.d.Clock.Now()),
		}
		if more != nil {
			actions = append(actions, more(was, next)...)
		}
		err = s.d.Records.Transact(ctx, "", actions...)
		var lost *records.CanceledError
		if errors.As(err, &lost) && lost.Failed(0) {
			continue // somebody was quicker, or it is gone
		}
		next.version++
		return next, err
	}
	return studyRow{}, records.ErrConflict
}

// forbidden refuses what the caller's role does not reach.
func forbidden(least Role) error {
	return fault.New(fault.Forbidden, "Your role in this Study does not allow this: it needs the role %s. Ask its owner.", least).With("role", string(least))
}
