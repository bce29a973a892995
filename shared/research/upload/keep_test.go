package upload_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/upload"
)

const workspace = "22222222-2222-4222-8222-222222222222"

// files counts the blobs that are there.
func (w *world) files(t testing.TB) (n int) {
	t.Helper()
	err := filepath.WalkDir(w.dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// held is how much of the workspace's room is taken.
func (w *world) held(t testing.TB) int64 {
	t.Helper()
	it, err := w.store.Get(t.Context(), records.Key{PK: "w#" + workspace + "#uploads", SK: "held"})
	if err != nil && !errors.Is(err, records.ErrNotFound) {
		t.Fatal(err)
	}
	return it.N
}

func (w *world) sweep(t testing.TB, want int) {
	t.Helper()
	if n, err := w.Sweep(t.Context()); n != want || err != nil {
		t.Errorf("%d removed instead of %d: %v", n, want, err)
	}
}

// A file is kept for a day after it came; then it is not there, and the sweep
// takes away all of it and the room it took.
func TestNothingIsKeptForEver(t *testing.T) {
	w := open(t, nil)
	c := w.create(t, upload.Request{Name: "a.txt", Folder: "context", SizeBytes: 5})
	id, ticket := parts(c.UploadURL)
	w.create(t, upload.Request{Name: "b.txt", Folder: "context", SizeBytes: 7}) // and nothing comes
	w.clock.Advance(10 * time.Minute)
	if err := w.Receive(t.Context(), id, ticket, strings.NewReader("12345")); err != nil {
		t.Fatal(err)
	}
	if n := w.held(t); n != 12 {
		t.Errorf("%d bytes held of 5 that came and 7 that are announced", n)
	}
	w.sweep(t, 0)
	w.clock.Advance(4 * time.Hour)
	w.sweep(t, 1)
	if n := w.held(t); n != 5 {
		t.Errorf("%d bytes held", n)
	}
	w.clock.Advance(upload.Lifetime - 4*time.Hour)
	if _, _, err := w.Open(w.ctx, c.Path); !fault.Is(err, fault.NotFound) {
		t.Errorf("after a day: %v", err)
	}
	w.clock.Advance(3 * time.Hour)
	w.sweep(t, 1)
	w.sweep(t, 0)
	if n, held := w.files(t), w.held(t); n != 0 || held != 0 {
		t.Errorf("%d files and %d bytes left", n, held)
	}
}

// broken is a store that stores, and then breaks.
type broken struct{ blobs.Clearer }

func (b broken) Put(ctx context.Context, prefix, media string, r io.Reader, limit int64) (blobs.Ref, error) {
	if _, err := b.Clearer.Put(ctx, prefix, media, r, limit); err != nil {
		return blobs.Ref{}, err
	}
	return blobs.Ref{}, blobs.ErrUnavailable
}

// A file that was stored and never noted goes as well.
func TestAFileThatACutOffCallLeft(t *testing.T) {
	w := open(t, func(b blobs.Store) blobs.Store { return broken{b.(blobs.Clearer)} })
	c := w.create(t, upload.Request{Name: "a.txt", Folder: "context"})
	id, ticket := parts(c.UploadURL)
	if err := w.Receive(t.Context(), id, ticket, strings.NewReader("12345")); !errors.Is(err, blobs.ErrUnavailable) || w.files(t) != 1 {
		t.Fatal(err, w.files(t))
	}
	w.clock.Advance(3 * time.Hour)
	w.sweep(t, 1)
	if n, held := w.files(t), w.held(t); n != 0 || held != 0 {
		t.Errorf("%d files and %d bytes left", n, held)
	}
}

// What the uploads of a workspace take is bounded, whether their size is said or
// not, and another workspace has room of its own.
func TestTheRoomOfAWorkspace(t *testing.T) {
	w := open(t, nil)
	const whole = upload.MaxHeld / upload.MaxBytes
	first := w.create(t, upload.Request{Name: "a.txt", Folder: "context"}) // of unknown size
	for range whole {
		w.create(t, upload.Request{Name: "a.txt", Folder: "context", SizeBytes: upload.MaxBytes})
	}
	_, err := w.Create(w.ctx, upload.Request{Name: "a.txt", Folder: "context", SizeBytes: upload.MaxBytes})
	if !fault.Is(err, fault.PlanLimit) || !strings.Contains(err.Error(), "1024 MiB") {
		t.Errorf("one more: %v", err)
	}
	id, ticket := parts(first.UploadURL)
	if err := w.Receive(t.Context(), id, ticket, strings.NewReader("12345")); !fault.Is(err, fault.PlanLimit) || w.files(t) != 0 {
		t.Errorf("a file of unknown size: %v", err)
	}
	if _, err := w.Create(as(t, "99999999-9999-4999-8999-999999999999"), upload.Request{Name: "a.txt", Folder: "context", SizeBytes: upload.MaxBytes}); err != nil {
		t.Errorf("another workspace: %v", err)
	}
	w.clock.Advance(3 * time.Hour)
	w.sweep(t, whole+2)
	if held := w.held(t); held != 0 {
		t.Errorf("%d bytes left", held)
	}
}

// meeting is a store in which two puts wait for each other.
type meeting struct {
	blobs.Clearer
	both *sync.WaitGroup
}

func (m meeting) Put(ctx context.Context, prefix, media string, r io.Reader, limit int64) (blobs.Ref, error) {
	ref, err := m.Clearer.Put(ctx, prefix, media, r, limit)
	m.both.Done()
	m.both.Wait()
	return ref, err
}

// Of two files that are sent to one address at once, one is taken and the sender
// of the other is told; two that are the same are both fine.
func TestTwoFilesToOneAddressAtOnce(t *testing.T) {
	for _, bodies := range [][2]string{{"12345", "54321"}, {"12345", "12345"}} {
		var both sync.WaitGroup
		both.Add(2)
		w := open(t, func(b blobs.Store) blobs.Store { return meeting{b.(blobs.Clearer), &both} })
		c := w.create(t, upload.Request{Name: "a.txt", Folder: "context"})
		id, ticket := parts(c.UploadURL)
		var errs [2]error
		var g sync.WaitGroup
		for i, body := range bodies {
			g.Go(func() { errs[i] = w.Receive(t.Context(), id, ticket, strings.NewReader(body)) })
		}
		g.Wait()
		refused := 0
		for _, err := range errs {
			if err != nil {
				refused++
				if !fault.Is(err, fault.Validation) || !strings.Contains(err.Error(), "Another file") {
					t.Error(err)
				}
			}
		}
		if want := map[bool]int{true: 0, false: 1}[bodies[0] == bodies[1]]; refused != want || w.files(t) != 1 || w.held(t) != 5 {
			t.Errorf("%q: %d refused, %d files, %d bytes", bodies, refused, w.files(t), w.held(t))
		}
	}
}
