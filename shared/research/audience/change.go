package audience

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// changeAttempts bounds how often Change meets a faster writer.
const changeAttempts = 64

// Change applies change to the stored Audience and commits the record, its list
// row and the extra actions (nil: none) in one transaction. It moves the Audience
// to the front of the list. Somebody quicker makes it start again from the stored
// record, so both functions may run more than once; an error of theirs ends it
// with nothing written. When an extra action is refused, the
// *records.CanceledError comes back as it is; the record is its first position,
// and the extra actions are the last.
func (s *Service) Change(ctx context.Context, id string, change func(*Audience) error, extra func(Audience) ([]records.Action, error)) (Audience, error) {
	return s.change(ctx, id, true, change, extra)
}

// Note is Change for what nobody edited, as when a job settles: the Audience
// keeps its place in the list and its updatedAt.
func (s *Service) Note(ctx context.Context, id string, change func(*Audience) error, extra func(Audience) ([]records.Action, error)) (Audience, error) {
	return s.change(ctx, id, false, change, extra)
}

func (s *Service) change(ctx context.Context, id string, edited bool, change func(*Audience) error, extra func(Audience) ([]records.Action, error)) (Audience, error) {
	for range changeAttempts {
		a, err := s.Get(ctx, id)
		if err != nil {
			return Audience{}, err
		}
		was := a
		a = a.clone()
		if err := change(&a); err != nil {
			return Audience{}, err
		}
		a.ID, a.Owner, a.Workspace, a.CreatedAt, a.UpdatedAt = was.ID, was.Owner, was.Workspace, was.CreatedAt, was.UpdatedAt
		if edited {
			a.UpdatedAt = s.d.Clock.Now()
		}
		actions, err := rewritten(was, a)
		if err != nil {
			return Audience{}, err
		}
		if extra != nil {
			more, err := extra(a)
			if err != nil {
				return Audience{}, err
			}
			actions = append(actions, more...)
		}
		err = s.d.Records.Transact(ctx, "", actions...)
		var lost *records.CanceledError
		switch {
		case errors.As(err, &lost) && lost.Failed(0):
			continue
		case errors.Is(err, records.ErrTooLarge):
			return Audience{}, fault.New(fault.Validation, "With this the Audience would take more than the 400 KB that one may: its members and its sources. Take some out first.").Because(err)
		}
		a.version = was.version + 1
		if err == nil {
			s.changed(ctx, a)
		}
		return a, err
	}
	return Audience{}, records.ErrConflict
}

// rewritten are the actions that replace an Audience: the record, where it was
// in the list, and where it is now.
func rewritten(was, a Audience) ([]records.Action, error) {
	actions, err := rows(a, records.VersionIs(was.version))
	if err != nil {
		return nil, err
	}
	before := listKey(was.Workspace, was.Owner, was.ID, was.UpdatedAt)
	if before != listKey(a.Workspace, a.Owner, a.ID, a.UpdatedAt) {
		actions = append(actions, records.DeleteItem(before))
	}
	more, err := reach(was, a)
	return append(actions, more...), err
}

// clone parts a copy from what it was read from, so that a change that is tried
// again starts from what is stored.
func (a Audience) clone() Audience {
	body, err := json.Marshal(a)
	if err != nil {
		return a
	}
	out := Audience{version: a.version}
	if json.Unmarshal(body, &out) != nil {
		return a
	}
	return out
}
