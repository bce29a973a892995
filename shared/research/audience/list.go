package audience

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

func lookupID(id string) (string, error) { return lookup.ID("audienceId", id) }

func isGone(err error) bool { return errors.Is(err, records.ErrNotFound) }

// entry is one row of what a caller sees, with its place among them.
type entry struct {
	at string
	reachRow
}

// List pages through the Audiences that the caller sees (owned, shared with it or
// its team, public), most recently updated first (M-312), with the number of all.
// limit is 1..100, offset 0 or more; outside is VALIDATION.
func (s *Service) List(ctx context.Context, limit, offset int, includeMinds bool) ([]Summary, int, error) {
	if err := mind.CheckPage(limit, offset); err != nil {
		return nil, 0, err
	}
	total, err := s.d.Accounts.Owned(ctx, account.Audiences)
	if err != nil {
		return nil, 0, err
	}
	others, err := s.others(ctx)
	if err != nil {
		return nil, 0, err
	}
	var page []entry
	if len(others) == 0 {
		page, err = s.mine(ctx, limit, offset)
	} else if page, err = s.mine(ctx, limit+offset, 0); err == nil {
		page = append(page, others...)
		newestFirst(page)
		page = page[min(offset, len(page)):min(offset+limit, len(page))]
	}
	if err != nil {
		return nil, 0, err
	}
	all, err := s.ofEntries(ctx, page)
	if err != nil {
		return nil, 0, err
	}
	out, err := s.summaries(ctx, all, includeMinds)
	return out, int(total) + len(others), err
}

func newestFirst(rows []entry) {
	slices.SortFunc(rows, func(a, b entry) int { return strings.Compare(a.at, b.at) })
}

// mine reads the caller's own list.
func (s *Service) mine(ctx context.Context, limit, offset int) ([]entry, error) {
	p := account.From(ctx)
	items, err := mind.PageAt(ctx, s.d.Records, listPK(p.Workspace, p.Account), limit, offset)
	if err != nil {
		return nil, err
	}
	out := make([]entry, len(items))
	for i, it := range items {
		if err := json.Unmarshal(it.Body, &out[i].listRow); err != nil || out[i].ID == "" {
			return nil, unreadable(err)
		}
		out[i].at, out[i].Workspace, out[i].Owner = it.SK, p.Workspace, p.Account
	}
	return out, nil
}

func unreadable(err error) error {
	return fault.New(fault.MalformedResponse, "The list of Audiences could not be read whole, so nothing can be said about what is in it. Try again, or use the exact id.").Because(err)
}

// mostPublic is how many of the newest public Audiences a list shows: what others
// publish must not slow it down.
const mostPublic = lookup.Window

// others are the Audiences of other accounts that the caller sees, newest first.
func (s *Service) others(ctx context.Context) ([]entry, error) {
	p := account.From(ctx)
	var out []entry
	take := func(it records.Item) error {
		e := entry{at: it.SK}
		if err := json.Unmarshal(it.Body, &e.reachRow); err != nil || e.ID == "" {
			return unreadable(err)
		}
		if e.Owner != p.Account || e.Workspace != p.Workspace {
			out = append(out, e)
		}
		return nil
	}
	for _, pk := range []string{teamPK(p.Workspace), directPK(p.Workspace, p.Account)} {
		if err := s.each(ctx, pk, take); err != nil {
			return nil, err
		}
	}
	public, err := s.d.Records.Query(ctx, records.Query{PK: publicPK, Limit: mostPublic})
	if err != nil {
		return nil, err
	}
	for _, it := range public.Items {
		if err := take(it); err != nil {
			return nil, err
		}
	}
	newestFirst(out)
	return out, nil
}

// each reads every row of a partition.
func (s *Service) each(ctx context.Context, pk string, do func(records.Item) error) error {
	q := records.Query{PK: pk}
	for {
		page, err := s.d.Records.Query(ctx, q)
		if err != nil {
			return err
		}
		for _, it := range page.Items {
			if err := do(it); err != nil {
				return err
			}
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return nil
		}
	}
}

// ofEntries reads the Audiences behind rows, in their order; what the caller sees
// no longer is left out.
func (s *Service) ofEntries(ctx context.Context, rows []entry) ([]Audience, error) {
	out := make([]Audience, 0, len(rows))
	for chunk := range slices.Chunk(rows, records.MaxBatchGet) {
		keys := make([]records.Key, len(chunk))
		for i, r := range chunk {
			keys[i] = recordKey(r.Workspace, r.ID)
		}
		items, err := s.d.Records.BatchGet(ctx, keys)
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			a, err := decode(it)
			if err != nil {
				return nil, err
			}
			if RoleOf(ctx, a) != "" {
				out = append(out, a)
			}
		}
	}
	return out, nil
}

// Find gives the Audience whose name fits best among the newest 1,000 that the
// caller sees (M-310); NOT_FOUND when none fits.
func (s *Service) Find(ctx context.Context, name string) (Audience, error) {
	rows, err := s.mine(ctx, lookup.Window, 0)
	if err != nil {
		return Audience{}, err
	}
	others, err := s.others(ctx)
	if err != nil {
		return Audience{}, err
	}
	rows = append(rows, others...)
	newestFirst(rows)
	rows = rows[:min(len(rows), lookup.Window)]
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.Name
	}
	i, ok := lookup.Best(name, names)
	if !ok {
		return Audience{}, fault.New(fault.NotFound, "No Audience among the newest %d has a name like this. Use list_audiences to browse, or the exact id.", lookup.Window)
	}
	return s.Access(ctx, rows[i].ID, PublicViewer)
}

// mindsOf reads the members of all these Audiences, by id, once for each owner.
func (s *Service) mindsOf(ctx context.Context, all []Audience) (map[string]mind.Mind, error) {
	type owner struct{ workspace, account string }
	of := map[owner][]string{}
	for _, a := range all {
		o := owner{a.Workspace, a.Owner}
		of[o] = append(of[o], a.MemberIDs...)
	}
	members := map[string]mind.Mind{}
	for o, ids := range of {
		slices.Sort(ids)
		minds, err := s.d.Minds.GetMany(asOwner(ctx, Audience{Workspace: o.workspace, Owner: o.account}), slices.Compact(ids))
		if err != nil {
			return nil, err
		}
		for _, m := range minds {
			members[m.ID] = m
		}
	}
	return members, nil
}
