package folder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/blobs/blobtest"
	"github.com/mindgate-dev/mindgate/shared/clock"
)

var testKey = bytes.Repeat([]byte{7}, 32)

func TestContract(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blobtest.Store {
		dir := t.TempDir()
		held := clock.Hold(time.Now())
		opt := Options{Clock: held, LinkKey: testKey, BaseURL: "http://gate.example"}
		s := open(t, dir, opt)
		return blobtest.Store{
			Store:   s,
			Fetch:   func(t *testing.T, url string, h map[string]string) blobtest.Download { return fetch(s, "GET", url, h) },
			Advance: func(sec int) { held.Advance(time.Duration(sec) * time.Second) },
			Objects: func(t *testing.T) int { return len(files(t, dir)) },
			Damage: func(t *testing.T, ref blobs.Ref) {
				if err := os.Truncate(s.path(ref), ref.Size/2); err != nil {
					t.Fatal(err)
				}
			},
			Crash: func(t *testing.T) blobs.Store {
				for name, age := range map[string]time.Duration{"put-old": 2 * time.Hour, "put-running": time.Minute} {
					p := filepath.Join(dir, incoming, name)
					if err := os.WriteFile(p, []byte("half"), 0o600); err != nil {
						t.Fatal(err)
					}
					when := held.Now().Add(-age)
					if err := os.Chtimes(p, when, when); err != nil {
						t.Fatal(err)
					}
				}
				return open(t, dir, opt)
			},
		}
	})
}

// A full disk, at whatever step it shows, is ErrNoSpace and leaves nothing.
func TestFullDisk(t *testing.T) {
	for name, breakAt := range map[string]fullFile{
		"create": {failCreate: true}, "write": {failWrite: true}, "sync": {failSync: true}, "close": {failClose: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir, Options{})
			s.newTemp = func(d string) (tempFile, error) {
				if breakAt.failCreate {
					return nil, &fs.PathError{Op: "open", Path: d, Err: syscall.ENOSPC}
				}
				f, err := createTemp(d)
				broken := breakAt
				broken.tempFile = f
				return &broken, err
			}
			_, err := s.Put(t.Context(), "w/a", "text/plain", strings.NewReader("content"), 100)
			if !errors.Is(err, blobs.ErrNoSpace) || !strings.Contains(err.Error(), "free some disk space") {
				t.Fatalf("got %v", err)
			}
			if left := files(t, dir); len(left) != 0 {
				t.Fatalf("left %v", left)
			}
		})
	}
}

type fullFile struct {
	tempFile
	failCreate, failWrite, failSync, failClose bool
}

func (f *fullFile) Write(p []byte) (int, error) {
	if f.failWrite {
		n, _ := f.tempFile.Write(p[:len(p)/2])
		return n, syscall.ENOSPC
	}
	return f.tempFile.Write(p)
}

func (f *fullFile) Sync() error {
	if f.failSync {
		return syscall.ENOSPC
	}
	return f.tempFile.Sync()
}

func (f *fullFile) Close() error {
	err := f.tempFile.Close()
	if f.failClose {
		return syscall.ENOSPC
	}
	return err
}

func TestVerifyFindsChangedBytes(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	ref, err := s.Put(t.Context(), "w/a", "text/plain", strings.NewReader("content"), 100)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Verify(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.path(ref), []byte("CONTENT"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Verify(t.Context(), ref); !errors.Is(err, blobs.ErrCorrupt) {
		t.Fatalf("got %v, want ErrCorrupt", err)
	}
}

// Two processes share a folder: each sees the other's blobs and honours its links.
func TestTwoStoresOneFolder(t *testing.T) {
	dir := t.TempDir()
	a, b := open(t, dir, Options{LinkKey: testKey}), open(t, dir, Options{LinkKey: testKey})
	ref, err := a.Put(t.Context(), "w/a", "text/plain", strings.NewReader("content"), 100)
	if err != nil {
		t.Fatal(err)
	}
	link, err := a.SignedURL(t.Context(), ref, blobs.Link{})
	if err != nil || !strings.HasPrefix(link, DownloadPath) {
		t.Fatalf("%q, %v", link, err)
	}
	if d := fetch(b, "GET", link, nil); d.Status != 200 || string(d.Body) != "content" {
		t.Fatalf("%d %q", d.Status, d.Body)
	}
	if d := fetch(open(t, dir, Options{LinkKey: bytes.Repeat([]byte{8}, 32)}), "GET", link, nil); d.Status != 404 {
		t.Fatalf("another key's store answered %d", d.Status)
	}
	if d := fetch(open(t, dir, Options{}), "GET", link, nil); d.Status != 404 {
		t.Fatalf("a store without a key answered %d", d.Status)
	}
}

func TestShortLinkKeyIsRefused(t *testing.T) {
	if _, err := Open(t.TempDir(), Options{LinkKey: []byte("short")}); err == nil {
		t.Fatal("a link key of 5 bytes was taken")
	}
	s := open(t, t.TempDir(), Options{})
	if _, err := s.SignedURL(t.Context(), blobs.Ref{Prefix: "w", SHA256: blobs.EmptySHA256}, blobs.Link{}); err == nil {
		t.Fatal("a link was signed without a key")
	}
}

// M-10: refusals are JSON in the REST envelope and say nothing of the blob.
func TestDownloadRefusals(t *testing.T) {
	s := open(t, t.TempDir(), Options{LinkKey: testKey})
	ref, err := s.Put(t.Context(), "w/a", "text/html", strings.NewReader("<script>"), 100)
	if err != nil {
		t.Fatal(err)
	}
	link, err := s.SignedURL(t.Context(), ref, blobs.Link{Filename: "x.html"})
	if err != nil {
		t.Fatal(err)
	}
	ok := fetch(s, "GET", link, nil)
	if ok.Header["X-Content-Type-Options"] != "nosniff" || !strings.HasPrefix(ok.Header["Content-Disposition"], "attachment") || !strings.Contains(ok.Header["Content-Security-Policy"], "sandbox") {
		t.Fatalf("headers of an upload: %v", ok.Header)
	}
	if d := fetch(s, "HEAD", link, nil); d.Status != 200 || len(d.Body) != 0 || d.Header["Content-Length"] != "8" {
		t.Fatalf("HEAD: %d %v", d.Status, d.Header)
	}
	for _, c := range []struct {
		method, link string
		status       int
	}{
		{"GET", DownloadPath, 404}, {"GET", DownloadPath + "x", 404}, {"GET", DownloadPath + ".", 404},
		{"GET", DownloadPath + "../../etc/passwd", 404}, {"GET", link + "x", 404}, {"GET", link + "=", 404},
		{"GET", DownloadPath + strings.Repeat("A", 10_000) + ".A", 404},
		{"POST", link, 405}, {"DELETE", link, 405},
	} {
		d := fetch(s, c.method, c.link, nil)
		var body struct {
			StatusCode int
			Error      bool
			Message    string
			Data       struct{ Code string }
		}
		if err := json.Unmarshal(d.Body, &body); err != nil || body.StatusCode != c.status || d.Status != c.status || !body.Error || body.Message == "" || body.Data.Code == "" {
			t.Errorf("%s %s: %d %s (%v)", c.method, c.link, d.Status, d.Body, err)
		}
		if strings.Contains(string(d.Body), ref.SHA256) {
			t.Errorf("%s: the refusal names the blob", c.method)
		}
	}
}

// What a link grants cannot be joined to another link's signature.
func TestLinksCannotBeSpliced(t *testing.T) {
	s := open(t, t.TempDir(), Options{LinkKey: testKey})
	var heads, tails []string
	for _, prefix := range []string{"w/a", "w/b"} {
		ref, err := s.Put(t.Context(), prefix, "text/plain", strings.NewReader("of "+prefix), 100)
		if err != nil {
			t.Fatal(err)
		}
		link, err := s.SignedURL(t.Context(), ref, blobs.Link{})
		if err != nil {
			t.Fatal(err)
		}
		head, tail, _ := strings.Cut(link, ".")
		heads, tails = append(heads, head), append(tails, tail)
	}
	for i := range 2 {
		if d := fetch(s, "GET", heads[i]+"."+tails[1-i], nil); d.Status != 404 {
			t.Errorf("spliced link: status %d", d.Status)
		}
	}
}

func FuzzLinkToken(f *testing.F) {
	dir := f.TempDir()
	held := clock.Hold(time.Unix(1_800_000_000, 0))
	s, err := Open(dir, Options{Clock: held, LinkKey: testKey})
	if err != nil {
		f.Fatal(err)
	}
	link, err := s.SignedURL(f.Context(), blobs.Ref{Prefix: "w", SHA256: blobs.EmptySHA256}, blobs.Link{Filename: "a"})
	if err != nil {
		f.Fatal(err)
	}
	token := strings.TrimPrefix(link, DownloadPath)
	f.Add(token)
	f.Add("a.b")
	f.Add(".")
	f.Fuzz(func(t *testing.T, s2 string) {
		if _, _, err := s.admit(s2); (err == nil) != (s2 == token) {
			t.Fatalf("token %q: %v", s2, err)
		}
	})
}

func BenchmarkPut5MB(b *testing.B) {
	s, err := Open(b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	content := bytes.Repeat([]byte("0123456789abcdef"), 5<<20/16)
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		copy(content, fmt.Sprintf("%016d", i))
		if _, err := s.Put(b.Context(), "w/a", "text/plain", bytes.NewReader(content), 5<<20); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPut4KB(b *testing.B) {
	s, err := Open(b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	content := make([]byte, 4096)
	for i := 0; b.Loop(); i++ {
		copy(content, fmt.Sprintf("%016d", i))
		if _, err := s.Put(b.Context(), "w/a", "text/plain", bytes.NewReader(content), 4096); err != nil {
			b.Fatal(err)
		}
	}
}

func open(t *testing.T, dir string, opt Options) *Store {
	t.Helper()
	s, err := Open(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fetch(s *Store, method, url string, header map[string]string) blobtest.Download {
	r := httptest.NewRequest(method, url, nil)
	for k, v := range header {
		r.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	s.Download().ServeHTTP(w, r)
	res := w.Result()
	body, _ := io.ReadAll(res.Body)
	d := blobtest.Download{Status: res.StatusCode, Body: body, Header: map[string]string{}}
	for k := range res.Header {
		d.Header[k] = res.Header.Get(k)
	}
	return d
}

func files(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			list = append(list, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
