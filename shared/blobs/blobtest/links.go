package blobtest

import (
	"bytes"
	"mime"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

func links(t *testing.T, s Store) {
	content := random(1000)
	ref := put(t, s, "w/a", content)
	ref.MediaType = "text/csv; charset=utf-8"
	for _, name := range []string{"answers.csv", "Übersicht – 你好 😀.csv", `a "quoted" 100%.csv`, "", "é.csv"} {
		d := s.Fetch(t, sign(t, s, ref, blobs.Link{Filename: name}), nil)
		if d.Status != 200 || !bytes.Equal(d.Body, content) {
			t.Fatalf("%q: status %d, %d bytes", name, d.Status, len(d.Body))
		}
		if got := d.Header["Content-Type"]; got != ref.MediaType {
			t.Errorf("type %q, want %q", got, ref.MediaType)
		}
		kind, p, err := mime.ParseMediaType(d.Header["Content-Disposition"])
		if err != nil || kind != "attachment" || p["filename"] != blobs.Filename(name) {
			t.Errorf("%q: Content-Disposition %q (%v)", name, d.Header["Content-Disposition"], err)
		}
		if got := d.Header["Cache-Control"]; got != "private, no-store" {
			t.Errorf("Cache-Control %q", got)
		}
	}

	link := sign(t, s, ref, blobs.Link{Filename: "a.csv", TTL: time.Minute})
	for value, want := range map[string][]byte{
		"bytes=0-9": content[:10], "bytes=990-": content[990:], "bytes=-5": content[995:], "bytes=999-5000": content[999:],
	} {
		d := s.Fetch(t, link, map[string]string{"Range": value})
		if d.Status != 206 || !bytes.Equal(d.Body, want) {
			t.Errorf("%s: status %d, %d bytes, want %d", value, d.Status, len(d.Body), len(want))
		}
	}
	if d := s.Fetch(t, link, map[string]string{"Range": "bytes=1000-"}); d.Status != 416 {
		t.Errorf("a range past the end: status %d, want 416", d.Status)
	}

	if _, err := s.SignedURL(t.Context(), ref, blobs.Link{TTL: 8 * 24 * time.Hour}); err == nil {
		t.Error("a link of eight days was signed")
	}
	if err := s.Delete(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	if d := s.Fetch(t, link, nil); d.Status != 404 || bytes.Contains(d.Body, content[:20]) {
		t.Errorf("a link to a deleted blob: status %d, want 404", d.Status)
	}
}

func forgedLinks(t *testing.T, s Store) {
	if s.Forgeable {
		t.Skip("this double checks no signatures")
	}
	secret := put(t, s, "w/a", []byte("the secret of one tenant"))
	mine := put(t, s, "w/b", []byte("something of another"))
	link := sign(t, s, mine, blobs.Link{Filename: "mine.txt"})

	refused := func(what, link string) {
		t.Helper()
		d := s.Fetch(t, link, nil)
		if d.Status < 400 || d.Status >= 500 {
			t.Errorf("%s: status %d", what, d.Status)
		}
		if bytes.Contains(d.Body, []byte("secret")) || bytes.Contains(d.Body, []byte("something")) {
			t.Errorf("%s: gave content", what)
		}
	}
	refused("moved to another blob", strings.NewReplacer(mine.Key(), secret.Key(), url.PathEscape(mine.Key()), url.PathEscape(secret.Key())).Replace(link)+tail(link, mine, secret))
	for i := len(link) - 1; i > len(link)-60 && i > 0; i -= 7 {
		refused("one character changed", flip(link, i))
	}
	refused("cut short", link[:len(link)-4])
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	u.RawQuery = ""
	u.Path = u.Path[:strings.LastIndexByte(u.Path, '/')+1]
	refused("without its proof", u.String())
	if d := s.Fetch(t, link, nil); d.Status != 200 {
		t.Errorf("the link itself: status %d", d.Status)
	}
}

// tail breaks a link in which the blob's key does not stand readable, so that
// the "moved" case is never the untouched link.
func tail(link string, from, to blobs.Ref) string {
	if strings.Contains(link, from.Key()) {
		return ""
	}
	return to.SHA256[:2]
}

func flip(s string, i int) string {
	b := []byte(s)
	switch b[i] {
	case 'a':
		b[i] = 'b'
	default:
		b[i] = 'a'
	}
	return string(b)
}

func expiry(t *testing.T, s Store) {
	if s.Advance == nil {
		t.Skip("links of this store live by real time")
	}
	ref := put(t, s, "w/a", []byte("x"))
	short := sign(t, s, ref, blobs.Link{TTL: 10 * time.Second})
	usual := sign(t, s, ref, blobs.Link{}) // M-222: five minutes
	check := func(link string, want int) {
		t.Helper()
		if d := s.Fetch(t, link, nil); d.Status != want {
			t.Errorf("status %d, want %d", d.Status, want)
		}
	}
	s.Advance(9)
	check(short, 200)
	s.Advance(1)
	check(short, 404)
	check(usual, 200)
	s.Advance(289)
	check(usual, 200)
	s.Advance(1)
	check(usual, 404)
}

func sign(t *testing.T, s Store, ref blobs.Ref, l blobs.Link) string {
	t.Helper()
	u, err := s.SignedURL(t.Context(), ref, l)
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	return u
}
