package blobs

import (
	"errors"
	"mime"
	"path"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPrefixesCannotClimb(t *testing.T) {
	for _, ok := range []string{"w", "w/abc", "w/0f9a-1/x_y"} {
		if err := CheckPrefix(ok); err != nil {
			t.Errorf("%q: %v", ok, err)
		}
	}
	for _, bad := range []string{"", "/", "/w", "w/", "w//x", "..", "w/../x", ".", "w/.", "W", "w\\x", "w x", "w\x00", "ü", "%2e", strings.Repeat("a", 201)} {
		if err := CheckPrefix(bad); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: got %v, want ErrInvalid", bad, err)
		}
	}
}

func FuzzPrefix(f *testing.F) {
	for _, s := range []string{"w/abc", "../x", "w/..", "//", "a\x00b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if CheckPrefix(s) != nil {
			return
		}
		// What passes is already clean, relative and below the root.
		if path.Clean("/root/"+s) != "/root/"+s {
			t.Fatalf("%q passes but is not clean", s)
		}
	})
}

func TestReferences(t *testing.T) {
	good := Ref{Prefix: "w/a", SHA256: EmptySHA256}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]Ref{
		"short":      {Prefix: "w", SHA256: EmptySHA256[:63]},
		"upper":      {Prefix: "w", SHA256: strings.ToUpper(EmptySHA256)},
		"size":       {Prefix: "w", SHA256: EmptySHA256, Size: -2},
		"type":       {Prefix: "w", SHA256: EmptySHA256, MediaType: "text/plain\r\nX: y"},
		"typeless":   {Prefix: "w", SHA256: EmptySHA256, MediaType: "text"},
		"no prefix":  {SHA256: EmptySHA256},
		"slash name": {Prefix: "w", SHA256: "../" + EmptySHA256[3:]},
	} {
		if err := r.Check(); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestRanges(t *testing.T) {
	for _, c := range []struct{ size, off, n, from, want int64 }{
		{10, 0, -1, 0, 10}, {10, 3, 4, 3, 4}, {10, 3, 99, 3, 7}, {10, 10, -1, 10, 0}, {10, 4, 0, 4, 0}, {0, 0, -1, 0, 0},
	} {
		from, n, err := Range(c.size, c.off, c.n)
		if err != nil || from != c.from || n != c.want {
			t.Errorf("%+v: %d %d %v", c, from, n, err)
		}
	}
	for _, c := range [][3]int64{{10, 11, -1}, {10, -1, 1}, {10, 0, -2}} {
		if _, _, err := Range(c[0], c[1], c[2]); !errors.Is(err, ErrInvalid) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

func TestDisposition(t *testing.T) {
	for in, want := range map[string]string{
		"report.md":        `attachment; filename="report.md"`,
		"":                 `attachment; filename="download"`,
		"..":               `attachment; filename="download"`,
		"../../etc/passwd": `attachment; filename="passwd"`,
		"a\r\nX: y.csv":    `attachment; filename="aX: y.csv"`,
		"gnp\u202Eslx.exe": `attachment; filename="gnpslx.exe"`,
		"Übersicht 你好.csv": `attachment; filename="_bersicht __.csv"; filename*=UTF-8''%C3%9Cbersicht%20%E4%BD%A0%E5%A5%BD.csv`,
		`say "hi"100%.txt`: `attachment; filename="say _hi_100_.txt"; filename*=UTF-8''say%20%22hi%22100%25.txt`,
	} {
		if got := Disposition(in); got != want {
			t.Errorf("%q:\n got %s\nwant %s", in, got, want)
		}
	}
}

func FuzzDisposition(f *testing.F) {
	for _, s := range []string{"a.csv", "\r\n", "\xff\xfe", "Ü", strings.Repeat("é", 300) + ".csv", `a"b`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h := Disposition(s)
		if strings.ContainsFunc(h, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Fatalf("%q is no header value", h)
		}
		_, p, err := mime.ParseMediaType(h)
		if err != nil {
			t.Fatalf("%q: %v", h, err)
		}
		if got := p["filename"]; got != Filename(s) || !utf8.ValidString(got) || len(got) > 200 {
			t.Fatalf("%q reads back as %q", s, got)
		}
	})
}
