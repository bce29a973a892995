package studydraft_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/research/snapshot"
	"github.com/mindgate-dev/mindgate/shared/research/studydraft"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

type world struct {
	*researchtest.World
	*studydraft.Service
	snaps *snapshot.Store
	cut   *researchtest.Cutting
	kept  *counted
}

// counted knows which blobs are there.
type counted struct {
	blobs.Store
	mu   sync.Mutex
	have map[blobs.Ref]bool
}

func (c *counted) Put(ctx context.Context, prefix, media string, r io.Reader, limit int64) (blobs.Ref, error) {
	ref, err := c.Store.Put(ctx, prefix, media, r, limit)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.have[ref] = true
	}
	return ref, err
}

func (c *counted) Delete(ctx context.Context, ref blobs.Ref) error {
	c.mu.Lock()
	delete(c.have, ref)
	c.mu.Unlock()
	return c.Store.Delete(ctx, ref)
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{cut: &researchtest.Cutting{}, kept: &counted{have: map[blobs.Ref]bool{}}}
	w.World = researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(),
		Wrap:      func(s records.Store) records.Store { w.cut.Store = s; return w.cut },
		WrapBlobs: func(b blobs.Store) blobs.Store { w.kept.Store = b; return w.kept }})
	w.snaps = snapshot.New(snapshot.Deps{Records: w.Store, Blobs: w.Blobs, Clock: w.Clock, IDs: clock.RandomIDs{}})
	w.Service = studydraft.New(studydraft.Deps{Records: w.Store, Clock: w.Clock, IDs: clock.RandomIDs{}, Snapshots: w.snaps})
	return w
}

func text(s string) *string { return &s }

func planned(objective string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"version":1,"state":{"objective":%q}}`, objective))
}

func (w *world) made(t testing.TB, ctx context.Context, objective string) studydraft.Draft {
	t.Helper()
	s, err := w.Create(ctx, studydraft.CreateRequest{Content: studydraft.Content{Name: text("Tea"), Payload: planned(objective)}})
	if err != nil {
		t.Fatal(err)
	}
	return s.Draft
}

func want(t testing.TB, err error, code fault.Code) {
	t.Helper()
	if !fault.Is(err, code) {
		t.Errorf("%v, want %s", err, code)
	}
}

// M-260: an equal snapshot keeps revision and time, however its JSON is written.
func TestEqualSnapshot_M260(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	d, err := w.Create(ctx, studydraft.CreateRequest{Content: studydraft.Content{Payload: json.RawMessage(`{"version":1,"state":{"a":9007199254740993,"b":"<x>"}}`)}})
	if err != nil || d.Draft.Revision != 1 || d.Draft.Name != "Untitled study" || d.Draft.Mode != studydraft.Custom || d.Draft.CurrentStep != "context" {
		t.Fatalf("%+v, %v", d, err)
	}
	w.Clock.Advance(time.Minute)
	id := d.Draft.ID
	same, err := w.Update(ctx, studydraft.UpdateRequest{ID: id, Revision: 1, Content: studydraft.Content{Payload: json.RawMessage(`{ "state":{"b":"\u003cx>","a":9007199254740993},"version":1}`)}})
	if err != nil || !same.Unchanged || same.Draft.Revision != 1 || same.Draft.UpdatedAt != d.Draft.UpdatedAt || string(same.Draft.Payload) != string(d.Draft.Payload) {
		t.Errorf("%+v, %v", same, err)
	}
	// One digit past what a double tells apart is another snapshot.
	other, err := w.Update(ctx, studydraft.UpdateRequest{ID: id, Revision: 1, Content: studydraft.Content{Payload: json.RawMessage(`{"version":1,"state":{"a":9007199254740992,"b":"<x>"}}`)}})
	if err != nil || other.Unchanged || other.Draft.Revision != 2 || other.Draft.UpdatedAt == d.Draft.UpdatedAt {
		t.Errorf("%+v, %v", other, err)
	}
	_, err = w.Update(ctx, studydraft.UpdateRequest{ID: id, Revision: 1, Content: studydraft.Content{Name: text("Late")}})
	want(t, err, fault.StaleRevision)
	var f *fault.Error
	if errors.As(err, &f); f.Data["currentRevision"] != 2 {
		t.Errorf("%v", f.Data)
	}
	if len(w.kept.have) != 1 {
		t.Errorf("%d blobs, want the one that is pointed to", len(w.kept.have))
	}
}

// M-260: a launch holds the draft for ten minutes; then it is a draft again. A
// consumed one is closed, and comes back as it is.
func TestLaunchAndTombstone_M260(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	d := w.made(t, ctx, "Find the best tea")
	const request, study = "0b2c1e34-5a6d-4f80-9b1c-2d3e4f506172", "550e8400-e29b-41d4-a716-446655440000"
	begun, err := w.Begin(ctx, d.ID, 1, request)
	if err != nil || begun.Status != studydraft.Starting || begun.StartLeaseExpiresAt == nil || *begun.StartRequestID != request || begun.Revision != 1 {
		t.Fatalf("%+v, %v", begun, err)
	}
	update := func() error {
		_, err := w.Update(ctx, studydraft.UpdateRequest{ID: d.ID, Revision: 1, Content: studydraft.Content{Name: text("Other")}})
		return err
	}
	want(t, update(), fault.DraftStarting)
	_, err = w.Begin(ctx, d.ID, 1, study)
	want(t, err, fault.DraftStarting)
	if rows, err := w.List(ctx); err != nil || len(rows) != 1 || rows[0].Status != studydraft.Starting || rows[0].Payload != nil {
		t.Errorf("%+v, %v", rows, err)
	}
	w.Clock.Advance(studydraft.LaunchLease - time.Millisecond)
	want(t, update(), fault.DraftStarting)
	w.Clock.Advance(time.Millisecond)
	if now, err := w.Get(ctx, d.ID); err != nil || now.Status != studydraft.Open || now.StartRequestID != nil {
		t.Errorf("%+v, %v", now, err)
	}
	if err := update(); err != nil {
		t.Error(err)
	}
	_, _, err = w.Consume(ctx, d.ID, 1, study)
	want(t, err, fault.StaleRevision)
	gone, already, err := w.Consume(ctx, d.ID, 2, study)
	if err != nil || already || gone.Status != studydraft.Consumed || *gone.StudyID != study {
		t.Fatalf("%+v, %v", gone, err)
	}
	again, already, err := w.Consume(ctx, d.ID, 77, request)
	if err != nil || !already || *again.StudyID != study || again.Revision != gone.Revision {
		t.Errorf("%+v, %v", again, err)
	}
	want(t, update(), fault.DraftConsumed)
	_, err = w.Begin(ctx, d.ID, 3, request)
	want(t, err, fault.DraftConsumed)
	if rows, err := w.List(ctx); err != nil || len(rows) != 0 {
		t.Errorf("%+v, %v", rows, err)
	}
	if seen, err := w.Get(ctx, d.ID); err != nil || seen.Status != studydraft.Consumed || string(seen.Payload) != string(planned("Find the best tea")) && !strings.Contains(string(seen.Payload), "best tea") {
		t.Errorf("%+v, %v", seen, err)
	}
}

// A released launch frees the draft at once; one that holds nothing frees nothing.
func TestRelease(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	d := w.made(t, ctx, "x")
	const request, other = "0b2c1e34-5a6d-4f80-9b1c-2d3e4f506172", "1b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"
	for range 2 { // the same launch may take its lease again
		if _, err := w.Begin(ctx, d.ID, 1, request); err != nil {
			t.Fatal(err)
		}
	}
	for i, by := range []string{other, request} {
		if err := w.Release(ctx, d.ID, by); err != nil {
			t.Fatal(err)
		}
		now, err := w.Get(ctx, d.ID)
		if held := now.Status == studydraft.Starting; err != nil || held != (i == 0) {
			t.Errorf("released by %s: %+v, %v", by, now, err)
		}
	}
}

// A creation key gives back the draft that it made, whatever is sent now, for the
// life of the draft and its tombstone (section 6).
func TestCreationKey(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	create := func(ctx context.Context, key, name string) studydraft.Saved {
		t.Helper()
		s, err := w.Create(ctx, studydraft.CreateRequest{Key: key, Content: studydraft.Content{Name: text(name)}})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := create(ctx, "  k-1 ", "One")
	w.Clock.Advance(1000 * time.Hour)
	second := create(ctx, "k-1", "Two")
	if !second.Replayed || second.Draft.ID != first.Draft.ID || second.Draft.Name != "One" || second.Key != "k-1" || first.Key != "k-1" {
		t.Errorf("%+v", second)
	}
	if theirs := create(w.As(t, "other", account.Team), "k-1", "Theirs"); theirs.Replayed || theirs.Draft.ID == first.Draft.ID {
		t.Errorf("a key reached another account: %+v", theirs)
	}
	if _, _, err := w.Consume(ctx, first.Draft.ID, 1, ""); err != nil {
		t.Fatal(err)
	}
	if third := create(ctx, "k-1", "Three"); !third.Replayed || third.Draft.Status != studydraft.Consumed {
		t.Errorf("%+v", third)
	}
	if err := w.Delete(ctx, first.Draft.ID); err != nil {
		t.Fatal(err)
	}
	if fourth := create(ctx, "k-1", "Four"); fourth.Replayed || fourth.Draft.ID == first.Draft.ID {
		t.Errorf("%+v", fourth)
	}
	_, err := w.Create(ctx, studydraft.CreateRequest{Key: strings.Repeat("k", 201)})
	want(t, err, fault.Validation)
}

// Many creations with one key at once make one draft.
func TestCreationKeyAtOnce(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	var all sync.WaitGroup
	ids := make([]string, 20)
	for i := range ids {
		all.Go(func() {
			s, err := w.Create(ctx, studydraft.CreateRequest{Key: "k", Content: studydraft.Content{Name: text(fmt.Sprint(i))}})
			if err != nil {
				t.Error(err)
			}
			ids[i] = s.Draft.ID
		})
	}
	all.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("%s and %s", id, ids[0])
		}
	}
	if len(w.kept.have) != 1 {
		t.Errorf("%d blobs", len(w.kept.have))
	}
}

// Saves of one revision at once: one wins, the others are told.
func TestSavesAtOnce(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	d := w.made(t, ctx, "x")
	var all sync.WaitGroup
	var mu sync.Mutex
	saved := 0
	for i := range 10 {
		all.Go(func() {
			_, err := w.Update(ctx, studydraft.UpdateRequest{ID: d.ID, Revision: 1, Content: studydraft.Content{Payload: planned(fmt.Sprint(i))}})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				saved++
			case !fault.Is(err, fault.StaleRevision):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if saved != 1 || len(w.kept.have) != 1 {
		t.Errorf("%d saves, %d blobs", saved, len(w.kept.have))
	}
}

func TestContentIsChecked(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	filled := func(n int) json.RawMessage {
		const frame = `{"state":{"a":""},"version":1}`
		return json.RawMessage(`{"state":{"a":"` + strings.Repeat("x", n-len(frame)) + `"},"version":1}`)
	}
	for _, c := range []struct {
		name    string
		content studydraft.Content
		code    fault.Code
	}{
		{"a name of 201", studydraft.Content{Name: text(strings.Repeat("ä", 201))}, fault.Validation},
		{"a name of two lines", studydraft.Content{Name: text("a\nb")}, fault.Validation},
		{"a step of 101", studydraft.Content{CurrentStep: text(strings.Repeat("s", 101))}, fault.Validation},
		{"a mode", studydraft.Content{Mode: text("slow")}, fault.Validation},
		{"version 2", studydraft.Content{Payload: json.RawMessage(`{"version":2,"state":{}}`)}, fault.Validation},
		{"no state", studydraft.Content{Payload: json.RawMessage(`{"version":1}`)}, fault.Validation},
		{"a state that is a list", studydraft.Content{Payload: json.RawMessage(`{"version":1,"state":[]}`)}, fault.Validation},
		{"another member", studydraft.Content{Payload: json.RawMessage(`{"version":1,"state":{},"x":1}`)}, fault.Validation},
		{"no JSON", studydraft.Content{Payload: json.RawMessage(`{"version":1,"state":{}} {`)}, fault.Validation},
		{"512 KiB and one byte", studydraft.Content{Payload: filled(studydraft.MaxPayload + 1)}, fault.PayloadTooLarge},
		{"512 KiB", studydraft.Content{Payload: filled(studydraft.MaxPayload)}, ""},
		{"a name of 200", studydraft.Content{Name: text(strings.Repeat("ä", 200))}, ""},
	} {
		_, err := w.Create(ctx, studydraft.CreateRequest{Content: c.content})
		if c.code == "" && err != nil || c.code != "" && !fault.Is(err, c.code) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	d := w.made(t, ctx, "x")
	_, err := w.Create(ctx, studydraft.CreateRequest{ID: d.ID})
	want(t, err, fault.IdempotencyConflict)
	if _, _, err := w.Consume(ctx, d.ID, 1, ""); err != nil {
		t.Fatal(err)
	}
	_, err = w.Create(ctx, studydraft.CreateRequest{ID: strings.ToUpper(d.ID)})
	want(t, err, fault.IdempotencyConflict)
}

// Other accounts' drafts do not exist, in the workspace as outside of it (M-3).
func TestTenants_M3(t *testing.T) {
	w := newWorld(t)
	mine, theirs := w.As(t, "lab", account.Team), w.As(t, "other", account.Team)
	d := w.made(t, mine, "x")
	const nobody = "0b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"
	for _, id := range []string{d.ID, nobody} {
		_, err := w.Get(theirs, id)
		_, update := w.Update(theirs, studydraft.UpdateRequest{ID: id, Revision: 1})
		_, _, consume := w.Consume(theirs, id, 1, "")
		_, begin := w.Begin(theirs, id, 1, nobody)
		for _, err := range []error{err, update, consume, begin, w.Delete(theirs, id)} {
			if !fault.Is(err, fault.NotFound) || err.Error() != "NOT_FOUND: No Study draft with this id." && !strings.Contains(err.Error(), "No Study draft with this id.") {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
	if rows, err := w.List(theirs); err != nil || len(rows) != 0 {
		t.Errorf("%+v, %v", rows, err)
	}
}

// A list of whole drafts ends where an answer ends, and says so.
func TestWholeListFitsAnAnswer(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	small := studydraft.New(studydraft.Deps{Records: w.Store, Clock: w.Clock, IDs: clock.RandomIDs{}, Snapshots: w.snaps, ReplyBytes: 4 << 10})
	for i := range 5 {
		w.made(t, ctx, fmt.Sprint(i))
		w.Clock.Advance(time.Second)
	}
	rows, whole, err := small.ListWhole(ctx)
	if err != nil || whole || len(rows) != 3 || !strings.Contains(string(rows[0].Payload), `"4"`) {
		t.Errorf("%d, %v, %v", len(rows), whole, err)
	}
	if rows, whole, err := w.ListWhole(ctx); err != nil || !whole || len(rows) != 5 {
		t.Errorf("%d, %v, %v", len(rows), whole, err)
	}
}

// Whatever access to the store a process ends at, before or after it: the call made
// again ends as if nothing had been, and nothing is left that nobody points to.
func TestCutOffAnywhere_M260(t *testing.T) {
	const request = "0b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"
	for _, after := range []bool{false, true} {
		for at := 1; ; at++ {
			if at > 100 {
				t.Fatal("more accesses than were tried")
			}
			when := fmt.Sprintf("cut off at access %d, after it: %v", at, after)
			w := newWorld(t)
			ctx := w.As(t, "lab", account.Team)
			w.cut.Begin(at, after)
			var d studydraft.Draft
			w.cut.Repeat(t, func() error {
				s, err := w.Create(ctx, studydraft.CreateRequest{Key: "k", Content: studydraft.Content{Payload: planned("one")}})
				d = s.Draft
				return err
			})
			w.cut.Repeat(t, func() error {
				_, err := w.Update(ctx, studydraft.UpdateRequest{ID: d.ID, Revision: 1, Content: studydraft.Content{Payload: planned("two")}})
				if fault.Is(err, fault.StaleRevision) { // it was saved, and the answer lost
					return nil
				}
				return err
			})
			w.cut.Repeat(t, func() error { _, err := w.Begin(ctx, d.ID, 2, request); return err })
			w.cut.Repeat(t, func() error { _, _, err := w.Consume(ctx, d.ID, 2, request); return err })
			seen, err := w.Get(ctx, d.ID)
			if err != nil && !errors.Is(err, records.ErrUnavailable) || err == nil && (seen.Status != studydraft.Consumed || seen.Revision != 3 || !strings.Contains(string(seen.Payload), "two")) {
				t.Fatalf("%s: %+v, %v", when, seen, err)
			}
			w.Clock.Advance(2 * time.Hour)
			w.cut.Repeat(t, func() error { _, err := w.snaps.Sweep(ctx); return err })
			if len(w.kept.have) != 1 {
				t.Fatalf("%s: %d blobs beside one tombstone", when, len(w.kept.have))
			}
			w.cut.Repeat(t, func() error {
				if err := w.Delete(ctx, d.ID); !fault.Is(err, fault.NotFound) {
					return err
				}
				return nil
			})
			w.Clock.Advance(2 * time.Hour)
			w.cut.Repeat(t, func() error { _, err := w.snaps.Sweep(ctx); return err })
			if len(w.kept.have) != 0 {
				t.Fatalf("%s: %d blobs of a deleted draft", when, len(w.kept.have))
			}
			if s, err := w.Create(ctx, studydraft.CreateRequest{Key: "k"}); err == nil && s.Replayed {
				t.Fatalf("%s: the key outlived its draft", when)
			}
			if w.cut.Done() {
				break
			}
		}
	}
}

func FuzzPayload(f *testing.F) {
	for _, seed := range []string{`{"version":1,"state":{}}`, `{"version":1,"state":{"a":[1,2.50,1e400]}}`, `{"version":1.0,"state":{}}`, `[]`, `{"state":{"a":"\ud800"},"version":1}`} {
		f.Add([]byte(seed))
	}
	w := newWorld(f)
	ctx := w.As(f, "lab", account.Team)
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := w.Create(ctx, studydraft.CreateRequest{Content: studydraft.Content{Payload: raw}})
		var refused *fault.Error
		if err != nil && !errors.As(err, &refused) {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		again, err := w.Update(ctx, studydraft.UpdateRequest{ID: s.Draft.ID, Revision: 1, Content: studydraft.Content{Payload: s.Draft.Payload}})
		if err != nil || !again.Unchanged {
			t.Errorf("%+v, %v", again, err)
		}
		if err := w.Delete(ctx, s.Draft.ID); err != nil {
			t.Error(err)
		}
	})
}
