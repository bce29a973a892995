package sqlite

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// late remembers, for IndexDelay, how items stood before their recent changes.
// It knows the writes of this process only, which is enough for tests.
type late struct {
	delay   time.Duration
	mu      sync.Mutex
	changes map[records.Key][]change // oldest first
}

type change struct {
	before  *records.Item // nil if there was none
	visible time.Time
}

func newLate(delay time.Duration) *late {
	return &late{delay: delay, changes: map[records.Key][]change{}}
}

// note is called before an item is changed.
func (l *late) note(k records.Key, before *records.Item, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changes[k] = append(l.changes[k], change{before, now.Add(l.delay)})
}

// hidden gives the state that the indexes still show, for each item whose newest
// changes are not visible there yet.
func (l *late) hidden(t records.Table, now time.Time) map[records.Key]*records.Item {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := map[records.Key]*records.Item{}
	for k, list := range l.changes {
		list = slices.DeleteFunc(list, func(c change) bool { return !c.visible.After(now) })
		if len(list) == 0 {
			delete(l.changes, k)
			continue
		}
		l.changes[k] = list
		if k.Table == t {
			out[k] = list[0].before
		}
	}
	return out
}

// mix adds the old states that answer the query to the rows, in order, and cuts
// to the page; full tells that more follows.
func mix(items []records.Item, stale map[records.Key]*records.Item, q records.Query, after *records.Position, now time.Time) (page []records.Item, full bool) {
	order := func(a, b records.Position) int {
		c := cmp.Or(strings.Compare(a.IndexSK, b.IndexSK), strings.Compare(a.PK, b.PK), strings.Compare(a.SK, b.SK))
		if q.Desc {
			return -c
		}
		return c
	}
	for _, it := range stale {
		if it == nil || it.Expired(now) || !answers(q, *it) {
			continue
		}
		if after != nil && order(position(q.Index, *it), *after) <= 0 {
			continue
		}
		old := *it
		if q.KeysOnly {
			old.Body, old.Fields = nil, nil
		}
		items = append(items, old)
	}
	slices.SortFunc(items, func(a, b records.Item) int { return order(position(q.Index, a), position(q.Index, b)) })
	if len(items) > q.Limit {
		return items[:q.Limit], true
	}
	return items, false
}

// answers tells whether an item is in the partition and range of an index query.
func answers(q records.Query, it records.Item) bool {
	pk, sk := it.G1PK, it.G1SK
	if q.Index == records.G2 {
		pk, sk = it.G2PK, it.G2SK
	}
	switch {
	case pk != q.PK || sk == "":
		return false
	case q.Prefix != "":
		return strings.HasPrefix(sk, q.Prefix)
	}
	return (q.From == "" || sk >= q.From) && (q.To == "" || sk <= q.To)
}
