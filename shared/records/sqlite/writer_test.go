package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/records"
)

func openInside(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "records.db"), Options{CursorKey: []byte("sixteen bytes at least")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// hold keeps the writer busy until release, so that jobs pile up behind it.
func hold(t *testing.T, s *Store) (release func()) {
	t.Helper()
	started, gate := make(chan struct{}), make(chan struct{})
	var once sync.Once
	go s.writer.do(context.Background(), func(*tx) error {
		once.Do(func() { close(started) })
		<-gate
		return nil
	})
	<-started
	return func() { close(gate) }
}

func waitQueued(t *testing.T, s *Store, n int) {
	t.Helper()
	for len(s.writer.queue) < n {
		if t.Context().Err() != nil {
			t.Fatal("the jobs did not queue")
		}
	}
}

// A refused transaction and one that SQLite cannot carry out leave the others of
// their commit alone.
func TestDiskFullSpoilsOnlyItsOwn(t *testing.T) {
	s := openInside(t)
	var pages int
	if err := s.read.QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if err := s.writer.exec(fmt.Sprintf("PRAGMA max_page_count=%d", pages+20)); err != nil {
		t.Fatal(err)
	}
	release := hold(t, s)
	const n = 30
	errs := make([]error, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() {
			it := records.Item{Key: records.Key{PK: "p", SK: fmt.Sprintf("%02d", i)}, Body: []byte(`"small"`)}
			switch i % 10 {
			case 3:
				it.Body = []byte(`"` + strings.Repeat("x", 300<<10) + `"`)
				_, errs[i] = s.Put(context.Background(), it)
			case 4: // the big one is not the first action
				big := it
				big.SK += "big"
				big.Body = []byte(`"` + strings.Repeat("x", 300<<10) + `"`)
				errs[i] = s.Transact(context.Background(), "", records.PutItem(it), records.PutItem(big))
			case 5:
				_, errs[i] = s.Put(context.Background(), it, records.Exists())
			default:
				_, errs[i] = s.Put(context.Background(), it)
			}
		})
	}
	waitQueued(t, s, n)
	release()
	wait.Wait()
	for i, err := range errs {
		_, missing := s.Get(t.Context(), records.Key{PK: "p", SK: fmt.Sprintf("%02d", i)})
		var refused *records.ConditionError
		switch i % 10 {
		case 3, 4:
			if !errors.Is(err, ErrDiskFull) || !errors.Is(err, records.ErrUnavailable) {
				t.Errorf("big one %d: %v", i, err)
			}
		case 5:
			if !errors.As(err, &refused) {
				t.Errorf("refused one %d: %v", i, err)
			}
		default:
			if err != nil {
				t.Errorf("small one %d: %v", i, err)
			}
		}
		if (missing == nil) != (err == nil) {
			t.Errorf("%d: answered %v, stored %v", i, err, missing)
		}
	}
	// Space again: it goes on.
	if err := s.writer.exec("PRAGMA max_page_count=100000"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(t.Context(), records.Item{Key: records.Key{PK: "p", SK: "after"}}); err != nil {
		t.Fatal(err)
	}
}

// A caller who leaves while waiting has written nothing; one whose write is
// already in a commit gets its outcome.
func TestLeavingTheQueue(t *testing.T) {
	s := openInside(t)
	release := hold(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := s.Put(ctx, records.Item{Key: records.Key{PK: "p", SK: "left"}})
		left <- err
	}()
	waitQueued(t, s, 1)
	cancel()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	release()
	if _, err := s.Put(t.Context(), records.Item{Key: records.Key{PK: "p", SK: "next"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), records.Key{PK: "p", SK: "left"}); !errors.Is(err, records.ErrNotFound) {
		t.Fatalf("what was given up was written: %v", err)
	}
}

// What was queued before Close is done; what comes after is refused.
func TestCloseFinishesTheQueue(t *testing.T) {
	s := openInside(t)
	path := s.path
	release := hold(t, s)
	const n = 20
	errs := make([]error, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() {
			_, errs[i] = s.Put(context.Background(), records.Item{Key: records.Key{PK: "p", SK: fmt.Sprint(i)}})
		})
	}
	waitQueued(t, s, n)
	release()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wait.Wait()
	again, err := Open(t.Context(), path, Options{CursorKey: []byte("sixteen bytes at least")})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	for i, err := range errs {
		_, missing := again.Get(t.Context(), records.Key{PK: "p", SK: fmt.Sprint(i)})
		if (err == nil) != (missing == nil) {
			t.Errorf("%d: answered %v, stored %v", i, err, missing)
		}
	}
}

// Another connection's lock is waited for.
func TestWaitsForTheLock(t *testing.T) {
	s := openInside(t)
	other, err := sql.Open("sqlite", "file:"+s.path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	conn, err := other.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := s.Put(context.Background(), records.Item{Key: records.Key{PK: "p", SK: "s"}})
		done <- err
	}()
	for range 1000 {
		select {
		case err := <-done:
			t.Fatalf("written beside the lock: %v", err)
		default:
		}
	}
	if _, err := conn.ExecContext(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
