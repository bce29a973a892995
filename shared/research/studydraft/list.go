package studydraft

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/snapshot"
)

// maxListed is how many drafts a list has at most: the newest.
const maxListed = 1000

// List gives the caller's drafts that are not consumed, changed last first, without
// their payloads; at most 1,000.
func (s *Service) List(ctx context.Context) ([]Draft, error) {
	rows, err := s.active(ctx)
	out := make([]Draft, len(rows))
	for i, r := range rows {
		out[i] = r.view(s.now(), nil)
	}
	return out, err
}

// ListWhole is List with payloads: as many of the newest as fit into one answer.
// whole is false when more are left.
func (s *Service) ListWhole(ctx context.Context) (drafts []Draft, whole bool, err error) {
	rows, err := s.active(ctx)
	if err != nil {
		return nil, false, err
	}
	out, room := []Draft{}, s.d.ReplyBytes
	for _, r := range rows {
		if room -= int(r.Payload.Size) + 1024; room < 0 {
			return out, false, nil
		}
		payload, err := s.d.Snapshots.Read(ctx, r.Payload)
		if errors.Is(err, snapshot.ErrGone) { // saved anew, or closed, since it was listed
			now, err := s.Get(ctx, r.ID)
			if err == nil && now.Status != Consumed {
				out = append(out, now)
			}
			continue
		}
		if err != nil {
			return nil, false, err
		}
		out = append(out, r.view(s.now(), payload))
	}
	return out, true, nil
}

func (s *Service) active(ctx context.Context) ([]row, error) {
	p := account.From(ctx)
	var all []row
	q := records.Query{PK: listPK(p.Workspace, p.Account), Prefix: prefixActive}
	for {
		page, err := s.d.Records.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			r, err := decode(it)
			if err != nil {
				return nil, err
			}
			all = append(all, r)
		}
		slices.SortFunc(all, func(a, b row) int { return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(b.ID, a.ID)) })
		all = all[:min(len(all), maxListed)]
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return all, nil
		}
	}
}
