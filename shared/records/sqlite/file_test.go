package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/records/storetest"
)

var cursorKey = []byte("a key that signs cursors in tests")

func openPath(t testing.TB, path string) (*sqlite.Store, error) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{CursorKey: cursorKey})
	if err == nil {
		t.Cleanup(func() { s.Close() })
	}
	return s, err
}

// wantFault checks for a typed error whose text gives advice.
func wantFault(t *testing.T, err, kind error, unavailable bool) {
	t.Helper()
	var f *sqlite.FileError
	if !errors.As(err, &f) || !errors.Is(err, kind) {
		t.Fatalf("error %v, want %v", err, kind)
	}
	if f.Advice == "" || !strings.Contains(err.Error(), f.Advice) {
		t.Fatalf("no advice in %q", err)
	}
	if errors.Is(err, records.ErrUnavailable) != unavailable {
		t.Fatalf("ErrUnavailable: %v, want %v", !unavailable, unavailable)
	}
}

func sqlExec(t *testing.T, path, text string) {
	t.Helper()
	w, r, err := sqlite.OpenFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	if _, err := w.ExecContext(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}

func TestNewerFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	s, err := openPath(t, path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "kept")
	s.Close()
	sqlExec(t, path, "PRAGMA user_version=99")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = openPath(t, path)
	wantFault(t, err, sqlite.ErrNewer, false)
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Fatal("a refused file was changed")
	}
}

func TestForeignFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	sqlExec(t, path, "CREATE TABLE diary (day TEXT)")
	_, err := openPath(t, path)
	wantFault(t, err, sqlite.ErrForeign, false)
}

func TestDamagedFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	if err := os.WriteFile(path, bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := openPath(t, path)
	wantFault(t, err, sqlite.ErrCorrupt, true)
}

func TestDamagedPagesAreTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	s, err := openPath(t, path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		put(t, s, fmt.Sprintf("%04d", i))
	}
	s.Close()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 2 * 4096; i < len(raw); i++ { // all pages but those of the schema
		raw[i] = 0xa5
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err = openPath(t, path)
	if err == nil {
		_, err = s.Get(t.Context(), records.Key{PK: "p", SK: "0150"})
	}
	wantFault(t, err, sqlite.ErrCorrupt, true)
}

func TestFolderInTheWay(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := openPath(t, filepath.Join(file, "records.db"))
	wantFault(t, err, sqlite.ErrNotWritable, true)
	_, err = openPath(t, dir) // the path is a folder
	wantFault(t, err, sqlite.ErrNotWritable, true)
}

func TestReadOnlyFile(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everything")
	}
	path := filepath.Join(t.TempDir(), "records.db")
	s, err := openPath(t, path)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	s, err = openPath(t, path)
	if err == nil {
		_, err = s.Put(t.Context(), records.Item{Key: records.Key{PK: "p", SK: "s"}})
	}
	wantFault(t, err, sqlite.ErrNotWritable, true)
}

func TestNamesWithOddCharacters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?c#d%20e", "récords&=.db")
	s, err := openPath(t, path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "here")
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
}

func TestCloseLeavesOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	s, err := openPath(t, path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "kept")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Fatalf("left: %v, %v", entries, err)
	}
	_, err = s.Put(t.Context(), records.Item{Key: records.Key{PK: "p", SK: "s"}})
	wantFault(t, err, sqlite.ErrClosed, true)
}

func TestShortCursorKey(t *testing.T) {
	_, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), sqlite.Options{CursorKey: []byte("short")})
	if !errors.Is(err, records.ErrInvalid) {
		t.Fatalf("error %v", err)
	}
}

func TestMoreTables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.db")
	for range 2 { // made, and found again
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{CursorKey: cursorKey, Tables: []records.Table{"memory"}})
		if err != nil {
			t.Fatal(err)
		}
		k := records.Key{Table: "memory", PK: "p", SK: "s"}
		if _, err := s.Put(t.Context(), records.Item{Key: k}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Get(t.Context(), records.Key{PK: "p", SK: "s"}); !errors.Is(err, records.ErrNotFound) {
			t.Fatalf("the row shows in another table: %v", err)
		}
		s.Close()
	}
	for _, name := range []records.Table{"records", "tokens", "a-b", "sqlite_x", "x; DROP TABLE records"} {
		_, err := sqlite.Open(t.Context(), path, sqlite.Options{CursorKey: cursorKey, Tables: []records.Table{name}})
		if !errors.Is(err, records.ErrInvalid) {
			t.Errorf("table %q: %v", name, err)
		}
	}
}

// The indexes of a late store show the state before a change until its time has
// come, also while paging.
func TestIndexDelay(t *testing.T) {
	c := clock.Hold(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	s := open(t, storetest.Env{Dir: t.TempDir(), Clock: c, CursorKey: cursorKey, IndexDelay: time.Second})
	ctx := t.Context()
	set := func(sk, at string) {
		t.Helper()
		if _, err := s.Put(ctx, records.Item{Key: records.Key{PK: "p", SK: sk}, G1PK: "g", G1SK: at}); err != nil {
			t.Fatal(err)
		}
	}
	shows := func(want ...string) {
		t.Helper()
		for _, q := range []records.Query{{Limit: 0}, {Limit: 1}, {Limit: 2}, {Desc: true, Limit: 1}} {
			q.Index, q.PK = records.G1, "g"
			var got []string
			for {
				p, err := s.Query(ctx, q)
				if err != nil {
					t.Fatal(err)
				}
				for _, it := range p.Items {
					got = append(got, it.SK+"@"+it.G1SK)
				}
				if q.Cursor = p.Cursor; q.Cursor == "" {
					break
				}
			}
			if q.Desc {
				for i, j := 0, len(got)-1; i < j; i, j = i+1, j-1 {
					got[i], got[j] = got[j], got[i]
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("limit %d: index shows %v, want %v", q.Limit, got, want)
			}
		}
	}
	set("a", "1")
	set("b", "2")
	set("c", "3")
	shows()
	c.Advance(time.Second)
	shows("a@1", "b@2", "c@3")
	set("a", "9")
	if err := s.Delete(ctx, records.Key{PK: "p", SK: "b"}); err != nil {
		t.Fatal(err)
	}
	c.Advance(500 * time.Millisecond)
	if err := s.Transact(ctx, "", records.PutItem(records.Item{Key: records.Key{PK: "p", SK: "d"}, G1PK: "g", G1SK: "0"}),
		records.PutItem(records.Item{Key: records.Key{PK: "p", SK: "a"}, G1PK: "g", G1SK: "8"})); err != nil {
		t.Fatal(err)
	}
	shows("a@1", "b@2", "c@3")
	c.Advance(500 * time.Millisecond)
	shows("c@3", "a@9") // the first change of a is there, the second is not
	c.Advance(500 * time.Millisecond)
	shows("d@0", "c@3", "a@8")
}

func TestSweep(t *testing.T) {
	c := clock.Hold(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), sqlite.Options{Clock: c, CursorKey: cursorKey, SweepBatch: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx := t.Context()
	for i := range 25 {
		k := records.Key{PK: "p", SK: fmt.Sprint(i)}
		if _, err := s.Put(ctx, records.Item{Key: k, ExpiresAt: c.Now().Add(time.Minute)}); err != nil {
			t.Fatal(err)
		}
	}
	stays := records.Key{Table: records.Idempotency, PK: "p", SK: "stays"}
	if err := s.Transact(ctx, "token", records.PutItem(records.Item{Key: stays, ExpiresAt: c.Now().Add(time.Hour)})); err != nil {
		t.Fatal(err)
	}
	sweep := func(want ...int) {
		t.Helper()
		for _, n := range want {
			if got, err := s.Sweep(ctx, c.Now()); err != nil || got != n {
				t.Fatalf("swept %d, %v; want %d", got, err, n)
			}
		}
	}
	sweep(0)
	c.Advance(time.Minute)
	sweep(10, 10, 5, 0)
	c.Advance(9 * time.Minute)
	sweep(1, 0) // the token
	if _, err := s.Get(ctx, stays); err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, s *sqlite.Store, sk string) {
	t.Helper()
	_, err := s.Put(context.WithoutCancel(t.Context()), records.Item{Key: records.Key{PK: "p", SK: sk}, Body: []byte(`{"name":"x"}`)})
	if err != nil {
		t.Fatal(err)
	}
}

// A data folder may be read by its user alone: the file, its companions, and
// what an older version left open to others.
func TestFilesArePrivate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := t.TempDir()
	path := filepath.Join(dir, "records.db")
	check := func() {
		t.Helper()
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != 3 {
			t.Errorf("%d files, want the file, -wal and -shm", len(list))
		}
		for _, e := range list {
			if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v, %v", e.Name(), info.Mode(), err)
			}
		}
	}
	s, err := openPath(t, path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "kept")
	check()
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Chmod(name, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	again, err := openPath(t, path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, again, "too")
	check()
}
