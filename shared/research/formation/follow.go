package formation

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
)

// Formations follow what becomes of their Audience. The principal of these calls is
// the Audience's owner; each may be cut off and repeated.

// Joined sorts the members of an Audience anew in every Formation that is ready,
// behind whoever reads them, because members have joined.
func (s *Service) Joined(ctx context.Context, a audience.Audience) error {
	all, err := s.all(ctx, a)
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.Status != Ready {
			continue // what builds takes the members that there are when it is settled
		}
		as := account.From(ctx)
		as.Account = r.CreatedBy // a private one is its maker's to change
		_, err := s.Recompute(account.With(ctx, as), a.ID, r.ID)
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.FormationCap) || fault.Is(err, fault.Validation) {
			continue // deleted meanwhile, not seen any more, or too many to sort
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Left takes Minds out of every bucket of an Audience's Formations (M-1).
func (s *Service) Left(ctx context.Context, a audience.Audience, mindIDs []string) error {
	all, err := s.all(ctx, a)
	if err != nil {
		return err
	}
	for _, r := range all {
		if err := s.left(ctx, a.Workspace, r.ID, mindIDs); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) left(ctx context.Context, workspace, id string, mindIDs []string) error {
	for range attempts {
		r, b, err := s.set(ctx, workspace, id)
		if errors.Is(err, records.ErrNotFound) || err == nil && (!r.DeletedAt.IsZero() || b == nil) {
			return nil
		}
		if err != nil {
			return err
		}
		had := false
		for i := range b.Subgroups {
			kept := slices.DeleteFunc(slices.Clone(b.Subgroups[i].Memberships), func(m Membership) bool { return slices.Contains(mindIDs, m.MindID) })
			had = had || len(kept) != len(b.Subgroups[i].Memberships)
			b.Subgroups[i].Memberships = kept
		}
		if !had {
			return nil
		}
		was := r
		r.Counts, r.UpdatedAt = counts(b.Subgroups), s.d.Clock.Now()
		actions, err := s.saved(r, was)
		if err != nil {
			return err
		}
		body, err := json.Marshal(b)
		if err != nil {
			return err
		}
		err = s.d.Records.Transact(ctx, "", append(actions, records.PutItem(records.Item{Key: bucketsKey(workspace, id), Body: body}))...)
		if !lost(err) {
			return err
		}
	}
	return records.ErrConflict
}

// set reads a Formation with the result of its last completed build; nil when it has
// none.
func (s *Service) set(ctx context.Context, workspace, id string) (record, *buckets, error) {
	r, err := s.get(ctx, workspace, id)
	if err != nil {
		return r, nil, err
	}
	it, err := s.d.Records.Get(ctx, bucketsKey(workspace, id))
	if errors.Is(err, records.ErrNotFound) {
		return r, nil, nil
	}
	if err != nil {
		return r, nil, err
	}
	b := &buckets{}
	return r, b, json.Unmarshal(it.Body, b)
}

func counts(set []Subgroup) []CountedSubgroup {
	out := make([]CountedSubgroup, len(set))
	for i, b := range set {
		out[i] = CountedSubgroup{b.ID, b.Label, b.IsAuxiliary, b.Position, Count{len(b.Memberships)}}
	}
	return out
}

// all are the Formations of an Audience, whoever made them.
func (s *Service) all(ctx context.Context, a audience.Audience) ([]row, error) {
	return s.rows(ctx, seen{Audience: a, role: audience.Owner, account: a.Owner})
}

// DeleteOf removes everything of the Formations of an Audience that is gone.
func (s *Service) DeleteOf(ctx context.Context, workspace, audienceID string) error {
	gone := audience.Audience{ID: audienceID, Workspace: workspace}
	all, err := s.all(ctx, gone)
	if err != nil {
		return err
	}
	for _, line := range all {
		r, err := s.get(ctx, workspace, line.ID)
		if err != nil && !errors.Is(err, records.ErrNotFound) {
			return err
		}
		actions := []records.Action{
			records.DeleteItem(recordKey(workspace, line.ID)), records.DeleteItem(bucketsKey(workspace, line.ID)), records.DeleteItem(workKey(workspace, line.ID)),
		}
		if r.Job != nil {
			actions = append(actions, s.d.Jobs.Discard(*r.Job))
		}
		if r.Build != "" {
			actions = append(actions, records.DeleteItem(buildingKey(r)))
		}
		// The row goes with the rest, so that what was cut off is found again.
		r.Workspace, r.AudienceID, r.ID, r.CreatedAt = workspace, audienceID, line.ID, line.CreatedAt
		if err := s.d.Records.Transact(ctx, "", append(actions, records.DeleteItem(listKey(r)))...); err != nil {
			return err
		}
	}
	for _, of := range []string{"dimensions", "building"} {
		page := records.Query{PK: audiencePK(workspace, audienceID, of), KeysOnly: true, Limit: records.MaxActions}
		for {
			rows, err := s.d.Records.Query(ctx, page)
			if err != nil {
				return err
			}
			if len(rows.Items) == 0 {
				break
			}
			actions := make([]records.Action, len(rows.Items))
			for i, it := range rows.Items {
				actions[i] = records.DeleteItem(it.Key)
			}
			if err := s.d.Records.Transact(ctx, "", actions...); err != nil {
				return err
			}
		}
	}
	return nil
}

// Copy gives a copy of an Audience the Formations of its original that are ready and
// that the caller sees, with the same buckets of the copied Minds (M-321). minds
// gives the copy of each Mind, newID a new id for each of the original that is the
// same each time.
func (s *Service) Copy(ctx context.Context, from, to audience.Audience, minds map[string]string, newID func(string) string) error {
	all, err := s.all(ctx, from)
	if err != nil {
		return err
	}
	slices.Reverse(all) // the oldest first, as they were made
	me := account.From(ctx).Account
	for i, line := range all {
		if line.Status != Ready || line.Visibility != Shared && line.CreatedBy != me {
			continue
		}
		r, b, err := s.set(ctx, from.Workspace, line.ID)
		if errors.Is(err, records.ErrNotFound) || err == nil && (b == nil || !r.DeletedAt.IsZero()) {
			continue
		}
		if err != nil {
			return err
		}
		r.ID, r.AudienceID, r.Workspace, r.Owner, r.CreatedBy, r.version = newID(r.ID), to.ID, to.Workspace, to.Owner, me, 0
		at := to.CreatedAt.Add(time.Duration(i) * time.Millisecond) // so that they keep their order
		r.CreatedAt, r.UpdatedAt, r.Build, r.Job, r.Progress, r.Status = at, at, "", nil, nil, Ready
		ids := map[string]string{}
		r.BucketIDs = slices.Clone(r.BucketIDs)
		for k, id := range r.BucketIDs {
			ids[id] = newID(id)
			r.BucketIDs[k] = ids[id]
		}
		for k := range b.Subgroups {
			g := &b.Subgroups[k]
			g.ID = ids[g.ID]
			kept := []Membership{}
			for _, m := range g.Memberships {
				if id, ok := minds[m.MindID]; ok {
					kept = append(kept, Membership{MindID: id, Confidence: m.Confidence})
				}
			}
			g.Memberships = kept
		}
		r.Counts = counts(b.Subgroups)
		body, err := json.Marshal(b)
		if err != nil {
			return err
		}
		actions, err := s.saved(r, record{})
		if err != nil {
			return err
		}
		actions = append(actions, records.PutItem(records.Item{Key: bucketsKey(r.Workspace, r.ID), Body: body}))
		if r.Source == Auto && r.DimensionKey != "" {
			mark, err := json.Marshal(map[string]string{"formation": r.ID})
			if err != nil {
				return err
			}
			actions = append(actions, records.PutItem(records.Item{Key: dimensionKey(r.Workspace, r.AudienceID, r.DimensionKey), Body: mark}))
		}
		if err := s.d.Records.Transact(ctx, "", actions...); err != nil && !lost(err) { // lost: copied already
			return err
		}
	}
	return nil
}
