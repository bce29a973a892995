// Package blobtest is the one contract suite of blob stores: what holds for
// one adapter holds for the other.
package blobtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

// Store is one store under test and what the suite needs around it.
type Store struct {
	blobs.Store
	// Fetch follows a link; extra headers may be empty.
	Fetch func(t *testing.T, url string, header map[string]string) Download
	// Advance moves the clock that links live by; nil when that is real time.
	Advance func(seconds int)
	// Forgeable is set for a double that does not check signatures.
	Forgeable bool
	// Objects counts everything that the store keeps, unfinished writes included.
	Objects func(t *testing.T) int
	// Damage cuts the stored blob short behind the store's back; nil when that
	// cannot happen.
	Damage func(t *testing.T, ref blobs.Ref)
	// Crash leaves what an old crashed writer leaves, and what a running one
	// has, and opens the store anew; nil when writes leave nothing.
	Crash func(t *testing.T) blobs.Store
}

// Download is an answer to a link.
type Download struct {
	Status int
	Header map[string]string // canonical names
	Body   []byte
}

// Run runs the suite; open gives a store whose content is the test's alone.
func Run(t *testing.T, open func(t *testing.T) Store) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Store)
	}{
		{"a blob reads back whole", whole},
		{"the same bytes are one blob", dedupe},
		{"the limit is exact", limit},
		{"a reader that fails leaves nothing", brokenReader},
		{"a cancelled write leaves nothing", cancelled},
		{"ranges", ranges},
		{"50 writers of the same bytes", sameAtOnce},
		{"many writers of different bytes", differentAtOnce},
		{"what is not there", missing},
		{"delete", remove},
		{"clearing a prefix leaves its neighbours", clearing},
		{"bad references", badReferences},
		{"tenants stay apart", tenants},
		{"a wrong size is corrupt", wrongSize},
		{"damage is seen", damage},
		{"crash leftovers", crash},
		{"links carry name, type and ranges", links},
		{"links refuse what they do not name", forgedLinks},
		{"links expire", expiry},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

func whole(t *testing.T, s Store) {
	for _, size := range []int{0, 1, 1<<20 - 1, 1 << 20, 1<<20 + 1, 3 << 20} {
		content := random(size)
		ref := put(t, s, "w/a", content)
		want := blobs.Ref{Prefix: "w/a", SHA256: sum(content), Size: int64(size), MediaType: "text/plain"}
		if ref != want {
			t.Fatalf("put gave %+v, want %+v", ref, want)
		}
		if got := read(t, s, ref, 0, -1); !bytes.Equal(got, content) {
			t.Fatalf("%d bytes read back as %d others", size, len(got))
		}
		there, err := s.Stat(t.Context(), blobs.Ref{Prefix: "w/a", SHA256: ref.SHA256, Size: blobs.Unknown})
		if err != nil || there.Size != int64(size) {
			t.Fatalf("stat: %+v, %v", there, err)
		}
	}
	ref, err := s.Put(t.Context(), "w/a", "", bytes.NewReader([]byte("x")), 1)
	if err != nil || ref.MediaType != blobs.DefaultMediaType {
		t.Fatalf("without a type: %+v, %v", ref, err)
	}
}

func clearing(t *testing.T, s Store) {
	c, ok := s.Store.(blobs.Clearer)
	if !ok {
		t.Skip("this store clears nothing")
	}
	content := random(100)
	gone := []blobs.Ref{put(t, s, "w/a/k", content), put(t, s, "w/a/k", random(200)), put(t, s, "w/a/k/deep", content)}
	stay := []blobs.Ref{put(t, s, "w/a", content), put(t, s, "w/a/kk", content), put(t, s, "w/b/k", content)}
	for range 2 { // again is no error
		if err := c.Clear(t.Context(), "w/a/k"); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Clear(t.Context(), "../a"); !errors.Is(err, blobs.ErrInvalid) {
		t.Errorf("climbing out: %v", err)
	}
	for _, ref := range gone {
		if _, err := s.Stat(t.Context(), ref); !errors.Is(err, blobs.ErrNotFound) {
			t.Errorf("%s is still there: %v", ref.Prefix, err)
		}
	}
	for _, ref := range stay {
		if _, err := s.Stat(t.Context(), ref); err != nil {
			t.Errorf("%s is gone: %v", ref.Prefix, err)
		}
	}
}

func dedupe(t *testing.T, s Store) {
	content := random(5000)
	first := put(t, s, "w/a", content)
	for range 3 {
		if again := put(t, s, "w/a", content); again != first {
			t.Fatalf("again: %+v, first %+v", again, first)
		}
	}
	if n := s.Objects(t); n != 1 {
		t.Fatalf("%d objects, want 1", n)
	}
}

func limit(t *testing.T, s Store) {
	for _, size := range []int{0, 1, 4096, 1 << 20, 1<<20 + 4096} {
		content := random(size)
		if _, err := s.Put(t.Context(), "w/exact", "text/plain", bytes.NewReader(content), int64(size)); err != nil {
			t.Fatalf("%d of %d bytes: %v", size, size, err)
		}
		before := s.Objects(t)
		_, err := s.Put(t.Context(), "w/over", "text/plain", bytes.NewReader(append(content, 'x')), int64(size))
		if !errors.Is(err, blobs.ErrTooLarge) {
			t.Fatalf("%d of %d bytes: %v, want ErrTooLarge", size+1, size, err)
		}
		if n := s.Objects(t); n != before {
			t.Fatalf("a refused blob left %d objects", n-before)
		}
	}
}

func brokenReader(t *testing.T, s Store) {
	broken := errors.New("the other side hung up")
	r := io.MultiReader(bytes.NewReader(random(2<<20)), failing{broken})
	if _, err := s.Put(t.Context(), "w/a", "text/plain", r, 4<<20); !errors.Is(err, broken) {
		t.Fatalf("got %v, want the reader's error", err)
	}
	if n := s.Objects(t); n != 0 {
		t.Fatalf("%d objects left", n)
	}
}

func cancelled(t *testing.T, s Store) {
	ctx, cancel := context.WithCancel(t.Context())
	r := io.MultiReader(bytes.NewReader(random(2<<20)), calling{cancel}, bytes.NewReader(random(1<<20)))
	if _, err := s.Put(ctx, "w/a", "text/plain", r, 8<<20); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want context.Canceled", err)
	}
	if n := s.Objects(t); n != 0 {
		t.Fatalf("%d objects left", n)
	}
}

func ranges(t *testing.T, s Store) {
	content := random(1000)
	ref := put(t, s, "w/a", content)
	empty := put(t, s, "w/a", nil)
	for _, c := range []struct {
		ref            blobs.Ref
		offset, length int64
		want           []byte
	}{
		{ref, 0, 1, content[:1]},
		{ref, 0, 1000, content},
		{ref, 0, 5000, content},
		{ref, 0, 1<<63 - 1, content},
		{ref, 1, 1<<63 - 1, content[1:]},
		{ref, 10, 20, content[10:30]},
		{ref, 999, 1, content[999:]},
		{ref, 999, -1, content[999:]},
		{ref, 990, 50, content[990:]},
		{ref, 1000, -1, nil},
		{ref, 1000, 5, nil},
		{ref, 5, 0, nil},
		{ref, 1000, 0, nil},
		{empty, 0, -1, nil},
		{empty, 0, 10, nil},
		{empty, 0, 0, nil},
	} {
		if got := read(t, s, c.ref, c.offset, c.length); !bytes.Equal(got, c.want) {
			t.Errorf("%d+%d of %d: %d bytes, want %d", c.offset, c.length, c.ref.Size, len(got), len(c.want))
		}
	}
	for _, c := range [][2]int64{{1001, -1}, {1001, 0}, {1001, 1}, {-1, 1}, {0, -2}} {
		if _, err := s.Open(t.Context(), ref, c[0], c[1]); !errors.Is(err, blobs.ErrInvalid) {
			t.Errorf("%d+%d: %v, want ErrInvalid", c[0], c[1], err)
		}
	}
}

func sameAtOnce(t *testing.T, s Store) {
	content := random(100_000)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			ref, err := s.Put(t.Context(), "w/a", "text/plain", bytes.NewReader(content), 100_000)
			if err != nil {
				t.Errorf("put: %v", err)
				return
			}
			// What Put has returned is there, whole, whoever wrote it.
			if got := read(t, s, ref, 0, -1); !bytes.Equal(got, content) {
				t.Errorf("read %d bytes", len(got))
			}
		})
	}
	wg.Wait()
	if n := s.Objects(t); n != 1 {
		t.Fatalf("%d objects, want 1", n)
	}
}

func differentAtOnce(t *testing.T, s Store) {
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			content := fmt.Appendf(nil, "blob %d", i)
			ref, err := s.Put(t.Context(), fmt.Sprintf("w/%d", i%3), "text/plain", bytes.NewReader(content), 100)
			if err != nil {
				t.Errorf("put: %v", err)
				return
			}
			if got := read(t, s, ref, 0, -1); !bytes.Equal(got, content) {
				t.Errorf("%q reads back as %q", content, got)
			}
		})
	}
	wg.Wait()
	if n := s.Objects(t); n != 20 {
		t.Fatalf("%d objects, want 20", n)
	}
}

func missing(t *testing.T, s Store) {
	ref := blobs.Ref{Prefix: "w/a", SHA256: sum([]byte("never stored")), Size: 12, MediaType: "text/plain"}
	if _, err := s.Stat(t.Context(), ref); !errors.Is(err, blobs.ErrNotFound) {
		t.Errorf("stat: %v", err)
	}
	for _, r := range [][2]int64{{0, -1}, {0, 5}, {3, -1}, {0, 0}, {12, -1}, {50, -1}} {
		if _, err := s.Open(t.Context(), ref, r[0], r[1]); !errors.Is(err, blobs.ErrNotFound) {
			t.Errorf("open %v: %v", r, err)
		}
	}
	if err := s.Delete(t.Context(), ref); err != nil {
		t.Errorf("delete: %v", err)
	}
}

func remove(t *testing.T, s Store) {
	ref, other := put(t, s, "w/a", []byte("one")), put(t, s, "w/a", []byte("two"))
	for range 2 {
		if err := s.Delete(t.Context(), ref); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Stat(t.Context(), ref); !errors.Is(err, blobs.ErrNotFound) {
		t.Fatalf("stat after delete: %v", err)
	}
	if got := read(t, s, other, 0, -1); string(got) != "two" {
		t.Fatalf("the other blob reads %q", got)
	}
	if again := put(t, s, "w/a", []byte("one")); again != ref {
		t.Fatalf("written again: %+v", again)
	}
	if got := read(t, s, ref, 0, -1); string(got) != "one" {
		t.Fatalf("reads %q", got)
	}
}

func badReferences(t *testing.T, s Store) {
	good := put(t, s, "w/a", []byte("x"))
	for _, change := range []func(*blobs.Ref){
		func(r *blobs.Ref) { r.Prefix = "" },
		func(r *blobs.Ref) { r.Prefix = "../w/a" },
		func(r *blobs.Ref) { r.Prefix = "/w/a" },
		func(r *blobs.Ref) { r.Prefix = "w/a/" },
		func(r *blobs.Ref) { r.Prefix = "W/A" },
		func(r *blobs.Ref) { r.SHA256 = "" },
		func(r *blobs.Ref) { r.SHA256 = "../" + r.SHA256[3:] },
		func(r *blobs.Ref) { r.SHA256 = r.SHA256[:63] },
		func(r *blobs.Ref) { r.MediaType = "text/html\r\nSet-Cookie: a=b" },
	} {
		r := good
		change(&r)
		_, e1 := s.Stat(t.Context(), r)
		_, e2 := s.Open(t.Context(), r, 0, -1)
		_, e3 := s.SignedURL(t.Context(), r, blobs.Link{})
		e4 := s.Delete(t.Context(), r)
		for i, err := range []error{e1, e2, e3, e4} {
			if !errors.Is(err, blobs.ErrInvalid) {
				t.Errorf("%+v, call %d: %v, want ErrInvalid", r, i, err)
			}
		}
	}
	for _, bad := range [][2]string{{"", "text/plain"}, {"..", "text/plain"}, {"w/a", "no type"}, {"w/a", "a/b\r\nc: d"}} {
		if _, err := s.Put(t.Context(), bad[0], bad[1], bytes.NewReader(nil), 1); !errors.Is(err, blobs.ErrInvalid) {
			t.Errorf("put %q: %v, want ErrInvalid", bad, err)
		}
	}
	if got := read(t, s, good, 0, -1); string(got) != "x" {
		t.Errorf("the blob reads %q", got)
	}
}

func tenants(t *testing.T, s Store) {
	content := []byte("the same upload of two tenants")
	a := put(t, s, "w/a", content)
	b := a
	b.Prefix = "w/b"
	if _, err := s.Open(t.Context(), b, 0, -1); !errors.Is(err, blobs.ErrNotFound) {
		t.Fatalf("a tenant that never stored it: %v, want ErrNotFound", err)
	}
	put(t, s, "w/b", content)
	if n := s.Objects(t); n != 2 {
		t.Fatalf("%d objects, want one a tenant", n)
	}
	if err := s.Delete(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if got := read(t, s, b, 0, -1); !bytes.Equal(got, content) {
		t.Fatal("one tenant's delete took the other's blob")
	}
}

func wrongSize(t *testing.T, s Store) {
	ref := put(t, s, "w/a", random(1000))
	ref.Size = 999
	if _, err := s.Stat(t.Context(), ref); !errors.Is(err, blobs.ErrCorrupt) {
		t.Errorf("stat: %v, want ErrCorrupt", err)
	}
	for _, r := range [][2]int64{{0, -1}, {10, 10}} {
		if _, err := s.Open(t.Context(), ref, r[0], r[1]); !errors.Is(err, blobs.ErrCorrupt) {
			t.Errorf("open %v: %v, want ErrCorrupt", r, err)
		}
	}
}

func damage(t *testing.T, s Store) {
	if s.Damage == nil {
		t.Skip("this store cannot be damaged from here")
	}
	content := random(1000)
	ref := put(t, s, "w/a", content)
	s.Damage(t, ref)
	if _, err := s.Open(t.Context(), ref, 0, -1); !errors.Is(err, blobs.ErrCorrupt) {
		t.Fatalf("open: %v, want ErrCorrupt", err)
	}
	if again := put(t, s, "w/a", content); again != ref {
		t.Fatalf("written again: %+v", again)
	}
	if got := read(t, s, ref, 0, -1); !bytes.Equal(got, content) {
		t.Fatal("writing it again does not heal it")
	}
}

func crash(t *testing.T, s Store) {
	if s.Crash == nil {
		t.Skip("a crashed writer leaves nothing in this store")
	}
	ref := put(t, s, "w/a", []byte("kept"))
	again := s.Crash(t)
	// The old leftover is gone; the file of a writer that still runs is not.
	if n := s.Objects(t); n != 2 {
		t.Fatalf("%d files, want the blob and the running writer's", n)
	}
	if _, err := again.Stat(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

type calling struct{ call func() }

func (c calling) Read([]byte) (int, error) { c.call(); return 0, io.EOF }

func put(t *testing.T, s Store, prefix string, content []byte) blobs.Ref {
	t.Helper()
	ref, err := s.Put(t.Context(), prefix, "text/plain", bytes.NewReader(content), 64<<20)
	if err != nil {
		t.Fatalf("put: %v", err)
	}
	return ref
}

// read may run beside the test's goroutine, so it reports and goes on.
func read(t *testing.T, s Store, ref blobs.Ref, offset, length int64) []byte {
	t.Helper()
	r, err := s.Open(t.Context(), ref, offset, length)
	if err != nil {
		t.Errorf("open %d+%d: %v", offset, length, err)
		return nil
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Errorf("read: %v", err)
	}
	return b
}

func random(n int) []byte {
	b := make([]byte, n)
	src := rand.NewChaCha8([32]byte{1, byte(n), byte(n >> 8), byte(n >> 16)})
	_, _ = src.Read(b)
	return b
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}
