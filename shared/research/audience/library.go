package audience

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/cases"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// LibraryQuery asks for a page of the caller's library: what it owns, what is
// shared with it or its team, and what it saved.
type LibraryQuery struct {
	Search    string   // words that the name must hold
	IDs       []string // only these, at most 100; empty: all
	Sort      string   // name | createdAt | updatedAt (default)
	Ascending bool
	Limit     int    // 1..100
	After     string // cursor of an earlier page of the same query
}

const maxLibraryIDs = 100

// Library pages through the library in any order, by a cursor that stands between
// two Audiences: what is made or deleted meanwhile shifts no page. next is empty at
// the end. VALIDATION for a cursor of another query.
func (s *Service) Library(ctx context.Context, q LibraryQuery) (page []Summary, next string, err error) {
	if err := mind.CheckPage(q.Limit, 0); err != nil {
		return nil, "", err
	}
	if len(q.IDs) > maxLibraryIDs {
		return nil, "", fault.New(fault.Validation, "ids has %d entries; at most %d are taken.", len(q.IDs), maxLibraryIDs).With("field", "ids")
	}
	for i, id := range q.IDs {
		if q.IDs[i], err = lookup.ID("ids", id); err != nil {
			return nil, "", err
		}
	}
	after, err := q.cursor()
	if err != nil {
		return nil, "", err
	}
	rows, err := s.shelf(ctx)
	if err != nil {
		return nil, "", err
	}
	words := cases.Fold().String(strings.TrimSpace(q.Search))
	kept := rows[:0]
	for _, r := range rows {
		if (len(q.IDs) == 0 || slices.Contains(q.IDs, r.ID)) && (words == "" || strings.Contains(cases.Fold().String(r.Name), words)) {
			r.at = q.key(r.listRow)
			kept = append(kept, r)
		}
	}
	order := func(a, b entry) int {
		c := cmp.Or(strings.Compare(a.at, b.at), strings.Compare(a.ID, b.ID))
		if q.Ascending {
			return c
		}
		return -c
	}
	slices.SortFunc(kept, order)
	from := 0
	if after != nil {
		last := entry{at: after[1], reachRow: reachRow{listRow: listRow{ID: after[2]}}}
		from, _ = slices.BinarySearchFunc(kept, last, order)
		if from < len(kept) && kept[from].ID == last.ID && kept[from].at == last.at {
			from++
		}
	}
	end := min(from+q.Limit, len(kept))
	all, err := s.ofEntries(ctx, kept[from:end])
	if err != nil {
		return nil, "", err
	}
	if end < len(kept) {
		raw, _ := json.Marshal([]string{q.name(), kept[end-1].at, kept[end-1].ID})
		next = base64.RawURLEncoding.EncodeToString(raw)
	}
	page, err = s.summaries(ctx, all, false)
	return page, next, err
}

// shelf is everything that a library may show, each once. What everybody sees is
// there when it was saved.
func (s *Service) shelf(ctx context.Context) ([]entry, error) {
	p := account.From(ctx)
	var out []entry
	seen := map[string]bool{}
	for _, pk := range []string{listPK(p.Workspace, p.Account), teamPK(p.Workspace), directPK(p.Workspace, p.Account)} {
		err := s.each(ctx, pk, func(it records.Item) error {
			e := entry{reachRow: reachRow{Workspace: p.Workspace, Owner: p.Account}}
			if err := json.Unmarshal(it.Body, &e.reachRow); err != nil || e.ID == "" {
				return unreadable(err)
			}
			if !seen[e.ID] {
				seen[e.ID] = true
				out = append(out, e)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var saved []entry
	err := s.each(ctx, followsPK(p.Workspace, p.Account), func(it records.Item) error {
		var at place
		if err := json.Unmarshal(it.Body, &at); err != nil {
			return unreadable(err)
		}
		if !seen[at.Audience] {
			saved = append(saved, entry{reachRow: reachRow{listRow: listRow{ID: at.Audience}, Workspace: at.Workspace}})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, e := range out {
		if e.CreatedAt.IsZero() { // a row of an earlier release
			saved = append(saved, e)
			out[i].ID = ""
		}
	}
	out = slices.DeleteFunc(out, func(e entry) bool { return e.ID == "" })
	all, err := s.ofEntries(ctx, saved)
	for _, a := range all {
		out = append(out, entry{reachRow: reachRow{listRow: a.listRow(), Workspace: a.Workspace, Owner: a.Owner}})
	}
	return out, err
}

// key sorts a row as text.
func (q LibraryQuery) key(r listRow) string {
	of := r.UpdatedAt
	switch q.Sort {
	case "name":
		return cases.Fold().String(r.Name)
	case "createdAt":
		of = r.CreatedAt
	}
	return fmt.Sprintf("%013d", max(of.UnixMilli(), 0))
}

// name names a query, so that its cursors are not used with another.
func (q LibraryQuery) name() string {
	raw, _ := json.Marshal([]any{q.Search, q.IDs, q.Sort, q.Ascending})
	return string(raw)
}

func (q LibraryQuery) cursor() ([]string, error) {
	if q.After == "" {
		return nil, nil
	}
	var parts []string
	raw, err := base64.RawURLEncoding.DecodeString(q.After)
	if err == nil {
		err = json.Unmarshal(raw, &parts)
	}
	if err != nil || len(parts) != 3 || parts[0] != q.name() {
		return nil, fault.New(fault.Validation, "after is no cursor of this query; take it from pageInfo.nextCursor and leave the other parameters as they were.").With("field", "after")
	}
	return parts, nil
}

// Building is an Audience that is still being built.
type Building struct {
	AudienceID string `json:"audienceId"`
	Name       string `json:"name"`
	Progress
}

// activeFor is how long after its last change the members of an Audience may still
// be in training.
const activeFor = mind.CohortTrainingTime

// drafted notes that a creation is under way, until its Audience is there.
func (o operation) drafted() records.Action {
	return records.PutItem(records.Item{Key: records.Key{PK: draftingPK(o.Workspace, o.Owner), SK: o.ID}, ExpiresAt: o.ExpiresAt})
}

// drafts are the creations of the caller that have no Audience yet (M-40). Notes of
// those that have come further are taken away here.
func (s *Service) drafts(ctx context.Context) ([]Building, error) {
	p := account.From(ctx)
	var out []Building
	err := s.each(ctx, draftingPK(p.Workspace, p.Account), func(it records.Item) error {
		o, err := s.operation(ctx, "operation", it.SK)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		if err != nil || o.HasRow || o.settled() {
			err := s.d.Records.Delete(ctx, it.Key, records.VersionIs(it.Version))
			if again := new(records.ConditionError); errors.As(err, &again) {
				return nil // taken up anew at this moment
			}
			return err
		}
		b := Building{AudienceID: o.AudienceID, Name: o.Name, Progress: Progress{State: Drafting, Research: researchOf(Audience{})}}
		b.Total = max(o.Planned, o.Stated)
		b.Training = b.Total
		out = append(out, b)
		return nil
	})
	return out, err
}

// ActiveProgress gives the progress of the caller's Audiences that are still being
// built, without their members: drafts, then the most recently updated first.
func (s *Service) ActiveProgress(ctx context.Context) ([]Building, error) {
	out, err := s.drafts(ctx)
	if err != nil {
		return nil, err
	}
	if out == nil {
		out = []Building{}
	}
	since := s.d.Clock.Now().Add(-activeFor)
	const step = 100
	for offset := 0; ; offset += step {
		rows, err := s.mine(ctx, step, offset)
		if err != nil {
			return nil, err
		}
		all, err := s.ofEntries(ctx, rows)
		if err != nil {
			return nil, err
		}
		for _, a := range all {
			busy := a.State == Creating || a.Calibration != nil || a.Research.Phase == Researching || a.Research.Phase == Applying
			if !busy && latest(a.UpdatedAt, a.Research.CompletedAt).Before(since) {
				continue
			}
			p, err := s.ProgressOf(ctx, a)
			if err != nil {
				return nil, err
			}
			if p.Settled {
				continue
			}
			p.Members = nil
			out = append(out, Building{AudienceID: a.ID, Name: a.Name, Progress: p})
		}
		if len(rows) < step {
			return out, nil
		}
	}
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
