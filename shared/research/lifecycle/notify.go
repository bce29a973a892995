package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package.
//
//	w#<ws>#<account>#lifecycle   <end of its step, ms>#<domain>#<process>   what changed in one step, for 6 minutes
//
// The end of a step is never before the change, so whoever has read up to a time
// knows all that was changed before it.

func eventsPK(o owner) string {
	return account.WorkspacePrefix(o.workspace) + o.account + "#lifecycle"
}

// endOf is when the step of a time is over.
func endOf(now time.Time) int64 {
	return (now.UnixMilli()/step.Milliseconds() + 1) * step.Milliseconds()
}

// stored is the body of a row; no IDs: anything of the domain.
type stored struct {
	IDs []string `json:"ids,omitempty"`
}

// Notify says that records of a domain have changed: call it after the commit.
// Without ids it is anything of the domain. It waits for the store, costs one row
// for each domain and half second, whatever the number of changes, and what it
// could not store is logged: the change itself stands.
func (s *Service) Notify(ctx context.Context, workspace, accountID, domain string, ids ...string) {
	if s == nil || workspace == "" || accountID == "" {
		return
	}
	o := owner{workspace, accountID}
	now := s.d.Clock.Now()
	end := endOf(now)
	row, changed := s.add(o, end, domain, ids)
	if changed {
		body, err := json.Marshal(stored{IDs: row})
		if err == nil {
			_, err = s.d.Records.Put(context.WithoutCancel(ctx), records.Item{
				Key: records.Key{PK: eventsPK(o), SK: fmt.Sprintf("%013d#%s#%s", end, domain, s.name)}, Body: body, ExpiresAt: now.Add(kept),
			})
		}
		if err != nil {
			s.d.Log.WarnContext(ctx, "lifecycle event not stored", "workspace", workspace, "domain", domain, "error", err)
			return
		}
	}
	s.wake(o)
}

// add takes ids down for the step that ends at end, and gives the row as it is to
// be written; changed is false when it stands so already.
func (s *Service) add(o owner, end int64, domain string, ids []string) (row []string, changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at != end {
		s.at = end
		clear(s.open)
	}
	domains := s.open[o]
	if domains == nil {
		domains = map[string][]string{}
		s.open[o] = domains
	}
	had, open := domains[domain]
	if open && had == nil {
		return nil, false
	}
	row = slices.Clone(had)
	for _, id := range ids {
		if !slices.Contains(row, id) {
			row = append(row, id)
		}
	}
	if len(ids) == 0 || len(row) > maxIDs {
		row = nil
	}
	domains[domain] = row
	return row, !open || row == nil || len(row) != len(had)
}

// wake lets the connections of an account look now.
func (s *Service) wake(o owner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, look := range s.waiting[o] {
		look()
	}
}

// change is a row as it was read. A row that was written once more is another.
type change struct {
	key    string
	end    int64
	domain string
	ids    []string
}

// since reads what ended after a time, up to and with another, both in
// milliseconds.
func (s *Service) since(ctx context.Context, o owner, after, until int64) ([]change, error) {
	var out []change
	q := records.Query{PK: eventsPK(o), From: fmt.Sprintf("%013d", after+1), To: fmt.Sprintf("%013d#~", until)}
	for {
		page, err := s.d.Records.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			parts := strings.Split(it.SK, "#")
			end, err := strconv.ParseInt(parts[0], 10, 64)
			var body stored
			if err != nil || len(parts) < 3 || json.Unmarshal(it.Body, &body) != nil {
				continue // a hint that cannot be read is worth no broken stream
			}
			out = append(out, change{it.SK + "#" + strconv.FormatInt(it.Version, 10), end, parts[1], body.IDs})
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return out, nil
		}
	}
}
