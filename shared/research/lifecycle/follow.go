package lifecycle

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Names of events.
const (
	Connected  = "connected"
	Invalidate = "invalidate"
	Heartbeat  = "heartbeat"
)

// Event is one frame of a stream. Cursor is what a client sends as Last-Event-ID
// to take up behind it. IDs is set when the event is about these records alone.
type Event struct {
	Name    string   `json:"-"`
	Domains []string `json:"domains,omitempty"`
	IDs     []string `json:"ids,omitempty"`
	Cursor  string   `json:"cursor"`
}

// Follow tells an account what changes of its own, from after (a cursor; empty:
// from now) on, until ctx ends or send gives an error, which comes back. It begins
// with connected; what was missed for up to five minutes comes next, after longer,
// or behind a cursor that is none of ours, one invalidate of everything. Nothing of
// another account is ever read.
func (s *Service) Follow(ctx context.Context, workspace, accountID, after string, send func(Event) error) error {
	o := owner{workspace, accountID}
	now := s.d.Clock.Now()
	from, seen, everything := resume(after, now)
	t := teller{read: from, told: map[string]int64{}}
	earlier, err := s.since(ctx, o, from-overlap.Milliseconds(), from)
	if err != nil {
		return err
	}
	if !t.knows(earlier, from, seen) {
		seen = "0" // no digest: whoever takes up here is told the last seconds again
	}
	if err := send(Event{Name: Connected, Cursor: at(from, cmp.Or(seen, digest(t.told, from)))}); err != nil {
		return err
	}
	if everything {
		if err := send(Event{Name: Invalidate, Domains: All(), Cursor: t.cursor()}); err != nil {
			return err
		}
	}
	beat := now
	for {
		woken, leave := s.enter(ctx, o) // before the look, so that nothing falls between
		now = s.d.Clock.Now()
		found, err := s.since(ctx, o, t.read-overlap.Milliseconds(), now.UnixMilli())
		if err == nil {
			if fresh := t.news(found, now.UnixMilli()); len(fresh) > 0 {
				beat = now
				err = send(merged(fresh, t.cursor()))
			} else if now.Sub(beat) >= heartbeat {
				beat = now
				err = send(Event{Name: Heartbeat, Cursor: t.cursor()})
			}
		}
		if err != nil {
			leave()
			return err
		}
		// Until somebody of this process has news, or it is time to look for those
		// of others, or to show that the stream is alive.
		err = s.d.Clock.Sleep(woken, min(s.d.Poll, max(heartbeat-now.Sub(beat), time.Millisecond)))
		leave()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil { // woken: the step that the change is in ends first
			if err := s.d.Clock.Sleep(ctx, time.Duration(endOf(s.d.Clock.Now())-s.d.Clock.Now().UnixMilli())*time.Millisecond); err != nil {
				return err
			}
		}
	}
}

// teller knows what of the newest rows was told.
type teller struct {
	read int64            // everything that ended up to here was looked at
	told map[string]int64 // rows of the last while, with their ends
}

// knows takes over what the holder of a cursor was told; without seen, whoever
// begins here. Rows up to its time are new after all, and the answer is false, when
// they are not the ones that the cursor was made over: another process was late.
func (t *teller) knows(rows []change, from int64, seen string) bool {
	earlier := map[string]int64{}
	for _, c := range rows {
		earlier[c.key] = c.end
	}
	if seen != "" && digest(earlier, from) != seen {
		return false
	}
	t.told = earlier
	return true
}

// news are the rows that were not told before; from now on they are.
func (t *teller) news(found []change, until int64) []change {
	var fresh []change
	for _, c := range found {
		if _, known := t.told[c.key]; !known {
			fresh = append(fresh, c)
			t.told[c.key] = c.end
		}
	}
	t.read = max(t.read, until)
	for key, end := range t.told {
		if end <= t.read-2*overlap.Milliseconds() {
			delete(t.told, key)
		}
	}
	return fresh
}

func (t *teller) cursor() string { return at(t.read, digest(t.told, t.read)) }

// digest names the rows that ended in the overlap before a time.
func digest(told map[string]int64, read int64) string {
	keys := make([]string, 0, len(told))
	for key, end := range told {
		if end > read-overlap.Milliseconds() && end <= read {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	h := fnv.New64a()
	for _, k := range keys {
		_, _ = h.Write([]byte(k + "\n"))
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// enter makes a context that ends when the account has news.
func (s *Service) enter(ctx context.Context, o owner) (context.Context, func()) {
	woken, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	mine := s.next
	if s.waiting[o] == nil {
		s.waiting[o] = map[int]context.CancelFunc{}
	}
	s.waiting[o][mine] = cancel
	return woken, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.waiting[o], mine)
		if len(s.waiting[o]) == 0 {
			delete(s.waiting, o)
		}
	}
}

// merged is one event for several rows. Ids are told only when every row has them.
func merged(rows []change, at string) Event {
	e := Event{Name: Invalidate, Cursor: at}
	named := true
	for _, c := range rows {
		if !slices.Contains(e.Domains, c.domain) {
			e.Domains = append(e.Domains, c.domain)
		}
		named = named && len(c.ids) > 0
		for _, id := range c.ids {
			if !slices.Contains(e.IDs, id) {
				e.IDs = append(e.IDs, id)
			}
		}
	}
	slices.Sort(e.Domains)
	if !named || len(e.IDs) > maxIDs {
		e.IDs = nil
	}
	return e
}

// at writes a cursor: the time up to which its holder was told everything, and
// which rows of the last seconds that were.
func at(read int64, seen string) string { return "t" + strconv.FormatInt(read, 10) + "-" + seen }

// resume reads a cursor; everything says that too much was missed, or that it is
// none of ours.
func resume(after string, now time.Time) (from int64, seen string, everything bool) {
	fresh := now.UnixMilli()
	if after == "" {
		return fresh, "", false
	}
	time, seen, parted := strings.Cut(after, "-")
	digits, ours := strings.CutPrefix(time, "t")
	from, err := strconv.ParseInt(digits, 10, 64)
	if age := fresh - from; !parted || !ours || err != nil || len(seen) > 16 || age < 0 || age > remember.Milliseconds() {
		return fresh, "", true
	}
	return from, seen, false
}
