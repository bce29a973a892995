package upload_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/blobs/folder"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/research/upload"
)

const public = "https://gate.example"

type world struct {
	*upload.Service
	clock *clock.Held
	ctx   context.Context
	store *sqlite.Store
	dir   string // of the blobs
}

func open(t testing.TB, wrap func(blobs.Store) blobs.Store) *world {
	t.Helper()
	dir := t.TempDir()
	c := clock.Hold(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "r.db"), sqlite.Options{Clock: c, CursorKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	kept, err := folder.Open(filepath.Join(dir, "blobs"), folder.Options{Clock: c, LinkKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	var files blobs.Store = kept
	if wrap != nil {
		files = wrap(kept)
	}
	return &world{
		Service: upload.New(upload.Deps{Records: store, Blobs: files, Clock: c, IDs: clock.RandomIDs{}, Key: make([]byte, 32), PublicURL: public}),
		clock:   c, store: store, dir: filepath.Join(dir, "blobs"), ctx: as(t, "22222222-2222-4222-8222-222222222222"),
	}
}

func as(t testing.TB, workspace string) context.Context {
	return account.With(t.Context(), account.Principal{Workspace: workspace, Account: "33333333-3333-4333-8333-333333333333"})
}

func (w *world) create(t testing.TB, r upload.Request) upload.Created {
	t.Helper()
	c, err := w.Create(w.ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func parts(address string) (id, ticket string) {
	head, ticket, _ := strings.Cut(address, "?ticket=")
	return head[strings.LastIndexByte(head, '/')+1:], ticket
}

func TestAnUploadFromAddressToUse(t *testing.T) {
	w := open(t, nil)
	c := w.create(t, upload.Request{Name: "Report 2026 (é).pdf", Folder: "context", Type: "application/pdf", SizeBytes: 5})
	if !strings.HasPrefix(c.Path, "context/33333333-3333-4333-8333-333333333333/") || !strings.HasSuffix(c.Path, "/Report-2026-.pdf") ||
		!strings.HasPrefix(c.UploadURL, public+"/api/v1/uploads/") || c.ExpiresAt != "2026-11-30T12:15:00.000Z" {
		t.Errorf("%+v", c)
	}
	id, ticket := parts(c.UploadURL)
	_, reading := parts(c.ReadURL)
	if _, _, err := w.Open(w.ctx, c.Path); !fault.Is(err, fault.NotFound) {
		t.Errorf("before it came: %v", err)
	}
	for name, bad := range map[string]error{
		"another's ticket": w.Receive(t.Context(), "44444444-4444-4444-8444-444444444444", ticket, strings.NewReader("12345")),
		"a reading ticket": w.Receive(t.Context(), id, reading, strings.NewReader("12345")),
		"none":             w.Receive(t.Context(), id, "", strings.NewReader("12345")),
		"a changed one":    w.Receive(t.Context(), id, ticket+"A", strings.NewReader("12345")),
	} {
		if !fault.Is(bad, fault.NotFound) {
			t.Errorf("%s: %v", name, bad)
		}
	}
	for _, wrong := range []string{"1234", "123456"} {
		if err := w.Receive(t.Context(), id, ticket, strings.NewReader(wrong)); !fault.Is(err, fault.Validation) {
			t.Errorf("%d bytes of 5: %v", len(wrong), err)
		}
	}
	if err := w.Receive(t.Context(), strings.ToUpper(id), ticket, strings.NewReader("12345")); err != nil {
		t.Fatal(err)
	}
	if err := w.Receive(t.Context(), id, ticket, strings.NewReader("54321")); !fault.Is(err, fault.Validation) {
		t.Errorf("a second file: %v", err)
	}
	if err := w.Receive(t.Context(), id, ticket, strings.NewReader("12345")); err != nil {
		t.Errorf("the same file once more: %v", err)
	}
	w.clock.Advance(upload.Lifetime - time.Minute)
	in, f, err := w.Open(w.ctx, c.Path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(in)
	if err != nil || string(got) != "12345" || f.Name != "Report 2026 (é).pdf" || f.Size != 5 || f.Type != "application/pdf" {
		t.Errorf("%q %+v %v", got, f, err)
	}
	if _, _, err := w.Open(as(t, "99999999-9999-4999-8999-999999999999"), c.Path); !fault.Is(err, fault.NotFound) {
		t.Errorf("M-3: %v", err)
	}
	if _, _, err := w.Open(w.ctx, strings.Replace(c.Path, "context", "chat", 1)); !fault.Is(err, fault.NotFound) {
		t.Errorf("another path: %v", err)
	}
	if _, err := w.Link(t.Context(), id, reading); !fault.Is(err, fault.NotFound) {
		t.Errorf("a ticket of yesterday: %v", err)
	}
}

func TestReadingAndExpiry(t *testing.T) {
	w := open(t, nil)
	c := w.create(t, upload.Request{Name: "a.txt", Folder: "temp"})
	id, sending := parts(c.UploadURL)
	_, reading := parts(c.ReadURL)
	if err := w.Receive(t.Context(), id, sending, strings.NewReader("hello")); err != nil {
		t.Fatal(err)
	}
	if link, err := w.Link(t.Context(), id, reading); err != nil || !strings.Contains(link, folder.DownloadPath) {
		t.Errorf("%q, %v", link, err)
	}
	if _, err := w.Link(t.Context(), id, sending); !fault.Is(err, fault.NotFound) {
		t.Errorf("a sending ticket reads: %v", err)
	}
	late := w.create(t, upload.Request{Name: "a.txt", Folder: "temp"})
	id, sending = parts(late.UploadURL)
	w.clock.Advance(15 * time.Minute)
	if err := w.Receive(t.Context(), id, sending, strings.NewReader("hello")); !fault.Is(err, fault.NotFound) {
		t.Errorf("past its time: %v", err)
	}
}

func TestBounds(t *testing.T) {
	w := open(t, nil)
	for name, r := range map[string]upload.Request{
		"no name":     {Folder: "chat"},
		"a path":      {Name: "../a.txt", Folder: "chat"},
		"a backslash": {Name: `..\a.txt`, Folder: "chat"},
		"control":     {Name: "a\x00.txt", Folder: "chat"},
		"long":        {Name: strings.Repeat("a", 301), Folder: "chat"},
		"folder":      {Name: "a.txt", Folder: "etc"},
		"type":        {Name: "a.txt", Folder: "chat", Type: "text/plain\r\nx: y"},
		"negative":    {Name: "a.txt", Folder: "chat", SizeBytes: -1},
	} {
		if _, err := w.Create(w.ctx, r); !fault.Is(err, fault.Validation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.Create(w.ctx, upload.Request{Name: "a.txt", Folder: "chat", SizeBytes: upload.MaxBytes}); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	if _, err := w.Create(w.ctx, upload.Request{Name: "a.txt", Folder: "chat", SizeBytes: upload.MaxBytes + 1}); !fault.Is(err, fault.PayloadTooLarge) {
		t.Errorf("one over: %v", err)
	}
	c := w.create(t, upload.Request{Name: "a.txt", Folder: "chat"})
	id, ticket := parts(c.UploadURL)
	if err := w.Receive(t.Context(), id, ticket, io.LimitReader(endless{}, upload.MaxBytes+1)); !fault.Is(err, fault.PayloadTooLarge) {
		t.Errorf("one byte over: %v", err)
	}
	if err := w.Receive(t.Context(), id, ticket, io.LimitReader(endless{}, upload.MaxBytes)); err != nil {
		t.Errorf("at the limit: %v", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestPath(t *testing.T) {
	w := open(t, nil)
	for address, want := range map[string]string{
		"context/u1/id/a.txt":           "context/u1/id/a.txt",
		"/uploads/context/u1/id/a.txt":  "context/u1/id/a.txt",
		"uploads/chat/u1/id/a.txt":      "chat/u1/id/a.txt",
		public + "/api/v1/uploads/ab?x": "ab",
		"https://example.com/a.txt":     "", "etc/passwd": "", "file:///etc/passwd": "", "": "",
		public + "/uploads/context/a":                 "",
		"https://gate.example.evil/api/v1/uploads/ab": "",
	} {
		if got, ok := w.Path(address); got != want || ok != (want != "") {
			t.Errorf("Path(%q) = %q, %v", address, got, ok)
		}
	}
}

// staged is a store to which senders put files themselves.
type staged struct {
	blobs.Store
	files map[string]string
}

func (s *staged) SignedPut(_ context.Context, name string, size int64, _ time.Duration) (string, error) {
	return "https://bucket.example/" + name, nil
}

func (s *staged) OpenStaged(_ context.Context, name string) (io.ReadCloser, error) {
	body, ok := s.files[name]
	if !ok {
		return nil, blobs.ErrNotFound
	}
	return io.NopCloser(strings.NewReader(body)), nil
}

func (s *staged) DeleteStaged(_ context.Context, name string) error {
	delete(s.files, name)
	return nil
}

func TestFilesThatComeStraightIntoTheBucket(t *testing.T) {
	var bucket *staged
	w := open(t, func(b blobs.Store) blobs.Store { bucket = &staged{b, map[string]string{}}; return bucket })
	c := w.create(t, upload.Request{Name: "a.txt", Folder: "context", SizeBytes: 5})
	name, ok := strings.CutPrefix(c.UploadURL, "https://bucket.example/")
	if !ok {
		t.Fatalf("%+v", c)
	}
	if _, _, err := w.Open(w.ctx, c.Path); !fault.Is(err, fault.NotFound) {
		t.Errorf("before it came: %v", err)
	}
	bucket.files[name] = "hello"
	for range 2 {
		in, f, err := w.Open(w.ctx, c.Path)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := io.ReadAll(in); string(got) != "hello" || f.Size != 5 {
			t.Errorf("%q %+v", got, f)
		}
	}
	if len(bucket.files) != 0 {
		t.Error("what was taken in still waits")
	}
	if _, err := w.Create(w.ctx, upload.Request{Name: "a.txt", Folder: "context"}); !fault.Is(err, fault.Validation) || !strings.Contains(err.Error(), "sizeBytes is required") {
		t.Errorf("of a size that nobody says: %v", err)
	}
	big := w.create(t, upload.Request{Name: "a.txt", Folder: "context", SizeBytes: 5})
	name, _ = strings.CutPrefix(big.UploadURL, "https://bucket.example/")
	bucket.files[name] = strings.Repeat("x", upload.MaxBytes+1)
	if _, _, err := w.Open(w.ctx, big.Path); !fault.Is(err, fault.PayloadTooLarge) || len(bucket.files) != 0 {
		t.Errorf("one byte over: %v, %d wait", err, len(bucket.files))
	}
}

func FuzzTickets(f *testing.F) {
	w := open(f, nil)
	c := w.create(f, upload.Request{Name: "a.txt", Folder: "chat"})
	id, ticket := parts(c.UploadURL)
	f.Add(id, ticket[:len(ticket)-1])
	f.Add(id, ".")
	f.Add("x/y", "YQ.YQ")
	f.Fuzz(func(t *testing.T, at, proof string) {
		if proof == ticket {
			return
		}
		err := w.Receive(t.Context(), at, proof, strings.NewReader("x"))
		var refused *fault.Error
		if !errors.As(err, &refused) || refused.Code != fault.NotFound {
			t.Errorf("%q %q: %v", at, proof, err)
		}
		_, _ = w.Path(at)
	})
}
