package template

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/snapshot"
)

// maxListed is how many templates of one kind, own or shared, a list looks at.
const maxListed = 1000

// List gives the caller's templates and those that teammates share, most used
// first, then changed last; as many as fit into one answer. total counts all.
func (s *Service) List(ctx context.Context) (list []Template, total int, err error) {
	sharing, err := s.sharing(ctx)
	if err != nil {
		return nil, 0, err
	}
	p := account.From(ctx)
	rows, err := s.seen(ctx, p)
	if err != nil {
		return nil, 0, err
	}
	out, room := []Template{}, s.d.ReplyBytes
	for _, r := range rows {
		if room -= int(r.Configuration.Size) + 1024; room < 0 {
			break
		}
		raw, err := s.d.Snapshots.Read(ctx, r.Configuration)
		if errors.Is(err, snapshot.ErrGone) { // saved anew or deleted since it was listed
			if t, err := s.Get(ctx, r.ID); err == nil {
				out = append(out, t)
			}
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		out = append(out, r.view(p.Account, sharing, raw))
	}
	return out, len(rows), nil
}

func (s *Service) seen(ctx context.Context, p account.Principal) ([]row, error) {
	ids := map[string]bool{}
	for _, pk := range []string{ownPK(p.Workspace, p.Account), teamPK(p.Workspace)} {
		page, err := s.d.Records.Query(ctx, records.Query{PK: pk, KeysOnly: true, Limit: maxListed})
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			ids[it.SK] = true
		}
	}
	keys := make([]records.Key, 0, 2*len(ids))
	for id := range ids {
		keys = append(keys, templateKey(p.Workspace, id), usedKey(p.Workspace, id))
	}
	var rows []row
	used := map[string]int64{}
	for len(keys) > 0 {
		n := min(len(keys), records.MaxBatchGet)
		got, err := s.d.Records.BatchGet(ctx, keys[:n])
		if err != nil {
			return nil, err
		}
		for _, it := range got {
			if it.SK == skUsed {
				used[it.PK] = it.N
				continue
			}
			var r row
			if err := json.Unmarshal(it.Body, &r); err != nil {
				return nil, err
			}
			if r.Owner == p.Account || r.Shared { // taken back since it was found
				rows = append(rows, r)
			}
		}
		keys = keys[n:]
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(used[templatePK(b.Workspace, b.ID)], used[templatePK(a.Workspace, a.ID)]),
			b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(b.ID, a.ID))
	})
	return rows, nil
}
