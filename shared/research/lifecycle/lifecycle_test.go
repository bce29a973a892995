package lifecycle_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/research/lifecycle"
)

var start = time.Date(2026, 11, 30, 12, 0, 0, 100e6, time.UTC)

type world struct {
	clock *clock.Held
	store records.Store
	here  *lifecycle.Service
}

func open(t *testing.T) *world {
	t.Helper()
	w := &world{clock: clock.Hold(start)}
	rows, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "r.db"), sqlite.Options{Clock: w.clock, CursorKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rows.Close() })
	w.store, w.here = rows, nil
	w.here = w.process()
	return w
}

// process is another process on the same store.
func (w *world) process() *lifecycle.Service {
	return lifecycle.New(lifecycle.Deps{Records: w.store, Clock: w.clock, IDs: clock.RandomIDs{}})
}

// stream is a connection whose events a test takes one by one.
type stream struct {
	t      *testing.T
	w      *world
	events chan lifecycle.Event
	end    context.CancelFunc
	done   chan error
}

func (w *world) follow(t *testing.T, s *lifecycle.Service, workspace, account, after string) *stream {
	ctx, cancel := context.WithCancel(t.Context())
	st := &stream{t: t, w: w, events: make(chan lifecycle.Event, 100), end: cancel, done: make(chan error, 1)}
	go func() {
		st.done <- s.Follow(ctx, workspace, account, after, func(e lifecycle.Event) error { st.events <- e; return nil })
	}()
	t.Cleanup(cancel)
	return st
}

// next moves the clock until the next event.
func (s *stream) next() lifecycle.Event {
	s.t.Helper()
	for range 400 {
		select {
		case e := <-s.events:
			return e
		case <-time.After(2 * time.Millisecond):
			if s.w.clock.Waiting() > 0 {
				s.w.clock.Advance(100 * time.Millisecond)
			}
		}
	}
	s.t.Fatal("no event")
	return lifecycle.Event{}
}

func (s *stream) expect(name string, domains []string, ids ...string) lifecycle.Event {
	s.t.Helper()
	e := s.next()
	slices.Sort(e.IDs)
	if e.Name != name || !slices.Equal(e.Domains, domains) || !slices.Equal(e.IDs, ids) || e.Cursor == "" {
		s.t.Fatalf("%+v, not %s %v %v", e, name, domains, ids)
	}
	return e
}

func TestAChangeIsToldToEveryOpenWorkspaceOfItsOwnerOnly_M290_M291(t *testing.T) {
	w := open(t)
	other := w.process()
	mine, mineElsewhere := w.follow(t, w.here, "ws", "ada", ""), w.follow(t, other, "ws", "ada", "")
	fellow, foreign := w.follow(t, w.here, "ws", "bob", ""), w.follow(t, w.here, "elsewhere", "ada", "")
	for _, s := range []*stream{mine, mineElsewhere, fellow, foreign} {
		s.expect(lifecycle.Connected, nil)
	}
	began := w.clock.Now()
	w.here.Notify(t.Context(), "ws", "ada", lifecycle.Audiences, "a1")
	w.here.Notify(t.Context(), "ws", "ada", lifecycle.Audiences, "a2")
	w.here.Notify(t.Context(), "ws", "ada", lifecycle.Minds, "m1")
	mine.expect(lifecycle.Invalidate, []string{"audiences", "minds"}, "a1", "a2", "m1")
	if took := w.clock.Now().Sub(began); took > 1500*time.Millisecond {
		t.Errorf("told after %s in the same process", took)
	}
	mineElsewhere.expect(lifecycle.Invalidate, []string{"audiences", "minds"}, "a1", "a2", "m1")
	if took := w.clock.Now().Sub(began); took > 6*time.Second {
		t.Errorf("told after %s in another process", took)
	}
	fellow.expect(lifecycle.Heartbeat, nil)
	foreign.expect(lifecycle.Heartbeat, nil)
	mine.expect(lifecycle.Heartbeat, nil) // 15 s after the last frame
}

func TestManyChangesAreOneRow(t *testing.T) {
	w := open(t)
	s := w.follow(t, w.here, "ws", "ada", "")
	s.expect(lifecycle.Connected, nil)
	for range 500 {
		w.here.Notify(t.Context(), "ws", "ada", lifecycle.Minds, clock.RandomIDs{}.NewID())
	}
	s.expect(lifecycle.Invalidate, []string{"minds"}) // too many to name
	rows, err := w.store.Query(t.Context(), records.Query{PK: "w#ws#ada#lifecycle"})
	if err != nil || len(rows.Items) != 1 {
		t.Errorf("%d rows, %v", len(rows.Items), err)
	}
}

func TestAClientTakesUpWhereItWas_M290(t *testing.T) {
	w := open(t)
	s := w.follow(t, w.here, "ws", "ada", "")
	s.expect(lifecycle.Connected, nil)
	w.here.Notify(t.Context(), "ws", "ada", lifecycle.Audiences, "a1")
	last := s.expect(lifecycle.Invalidate, []string{"audiences"}, "a1").Cursor
	s.end()
	if err := <-s.done; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	w.clock.Advance(time.Second)
	w.here.Notify(t.Context(), "ws", "ada", lifecycle.Drafts, "o1")
	w.clock.Advance(4 * time.Minute)

	again := w.follow(t, w.here, "ws", "ada", last)
	again.expect(lifecycle.Connected, nil)
	again.expect(lifecycle.Invalidate, []string{"audience_drafts"}, "o1") // and a1 not once more
	again.end()

	w.clock.Advance(2 * time.Minute)
	for _, after := range []string{last, "t99999999999999-0", "nonsense", "t1-", "'; drop"} {
		old := w.follow(t, w.here, "ws", "ada", after)
		old.expect(lifecycle.Connected, nil)
		old.expect(lifecycle.Invalidate, lifecycle.All())
		old.expect(lifecycle.Heartbeat, nil)
		old.end()
	}
}

// A row of a process that was slow to write appears behind what was read: it is
// told all the same, to who stayed and to who takes up behind it.
func TestALateRowIsNotMissed(t *testing.T) {
	w := open(t)
	s := w.follow(t, w.here, "ws", "ada", "")
	cursor := s.expect(lifecycle.Connected, nil).Cursor
	late := func(id string) {
		end := (w.clock.Now().UnixMilli() - 700) / 500 * 500
		_, err := w.store.Put(t.Context(), records.Item{Key: records.Key{PK: "w#ws#ada#lifecycle", SK: itoa(end) + "#audiences#slow"},
			Body: []byte(`{"ids":["` + id + `"]}`), ExpiresAt: w.clock.Now().Add(time.Minute)})
		if err != nil {
			t.Fatal(err)
		}
	}
	late("a9")
	s.expect(lifecycle.Invalidate, []string{"audiences"}, "a9")
	s.end()
	again := w.follow(t, w.here, "ws", "ada", cursor)
	again.expect(lifecycle.Connected, nil)
	again.expect(lifecycle.Invalidate, []string{"audiences"}, "a9")
}

func itoa(n int64) string {
	out := make([]byte, 13)
	for i := len(out) - 1; i >= 0; i-- {
		out[i], n = byte('0'+n%10), n/10
	}
	return string(out)
}

func FuzzLastEventID(f *testing.F) {
	f.Add("t1796040000100-0")
	f.Add("-")
	f.Fuzz(func(t *testing.T, after string) {
		w := &world{clock: clock.Hold(start)}
		rows, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "r.db"), sqlite.Options{Clock: w.clock, CursorKey: make([]byte, 32)})
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		s := lifecycle.New(lifecycle.Deps{Records: rows, Clock: w.clock, IDs: clock.RandomIDs{}})
		stop := errors.New("stop")
		if err := s.Follow(t.Context(), "ws", "ada", after, func(e lifecycle.Event) error {
			if e.Name != lifecycle.Connected {
				t.Fatal(e)
			}
			return stop
		}); !errors.Is(err, stop) {
			t.Fatal(err)
		}
	})
}
