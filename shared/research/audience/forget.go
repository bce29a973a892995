package audience

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Forget takes deleted Minds out of every Audience of the caller, so that none
// counts them any more (M-1); the other members keep their order. It looks
// through the caller's Audiences once, however many Minds there are, and may be
// repeated.
func (s *Service) Forget(ctx context.Context, mindIDs []string) error {
	gone := make(map[string]bool, len(mindIDs))
	for _, id := range mindIDs {
		gone[id] = true
	}
	p := account.From(ctx)
	const page = 100
	for offset := 0; ; offset += page {
		items, err := mind.PageAt(ctx, s.d.Records, listPK(p.Workspace, p.Account), page, offset)
		if err != nil {
			return err
		}
		ids := make([]string, 0, len(items))
		for _, it := range items {
			var r listRow
			if err := json.Unmarshal(it.Body, &r); err != nil {
				return err
			}
			ids = append(ids, r.ID)
		}
		all, err := s.GetMany(ctx, ids)
		if err != nil {
			return err
		}
		for _, a := range all {
			if slices.ContainsFunc(a.MemberIDs, func(id string) bool { return gone[id] }) {
				// The Formations first: cut off between both, the Audience still names who goes.
				if f := s.formations(); f != nil {
					if err := f.Left(ctx, a, mindIDs); err != nil {
						return err
					}
				}
				if err := s.drop(ctx, a, gone); err != nil {
					return err
				}
			}
		}
		if len(items) < page {
			return nil
		}
	}
}

// drop writes an Audience without the Minds that are gone. Its place in the list
// stays: nobody edited it.
func (s *Service) drop(ctx context.Context, a Audience, gone map[string]bool) error {
	it, err := s.d.Records.Update(ctx, recordKey(a.Workspace, a.ID), 0, func(it *records.Item) error {
		now, err := decode(*it)
		if err != nil {
			return err
		}
		now.MemberIDs = slices.DeleteFunc(now.MemberIDs, func(id string) bool { return gone[id] })
		it.Body, err = json.Marshal(now)
		return err
	})
	if errors.Is(err, records.ErrNotFound) {
		return nil // deleted meanwhile
	}
	if err != nil {
		return err
	}
	if a, err = decode(it); err != nil {
		return err
	}
	s.changed(ctx, a)
	return nil
}
