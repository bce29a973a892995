package attach

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/records"
)

var png = []byte("\x89PNG\r\n\x1a\n and more")

// kept are files by their paths; the rest is of the web.
type kept map[string][]byte

func (k kept) Ours(address string) bool { return strings.HasPrefix(address, "chat/") }

func (k kept) Open(_ context.Context, address string) (io.ReadCloser, string, bool, error) {
	switch raw, ok := k[address]; {
	case address == "chat/down":
		return nil, "", true, records.ErrUnavailable
	case ok:
		return io.NopCloser(bytes.NewReader(raw)), "", true, nil
	case k.Ours(address):
		return nil, "", true, fault.New(fault.NotFound, "No upload.")
	}
	return nil, "", false, nil
}

// net is the web: an answer, or what went wrong.
type net struct {
	raw  []byte
	kind string
	err  error
}

func (n net) Get(_ context.Context, raw string, kind fetch.Kind) (*fetch.Response, error) {
	if kind != fetch.Asset || strings.HasPrefix(raw, "data:") {
		return nil, errors.New("not what is asked for")
	}
	if n.err != nil {
		return nil, n.err
	}
	return &fetch.Response{Declared: n.kind, Body: io.NopCloser(bytes.NewReader(n.raw))}, nil
}

func TestRead(t *testing.T) {
	big := append(bytes.Clone(png), make([]byte, MaxPicture)...)
	files := kept{
		"chat/a/1/a.png": png, "chat/a/1/big.png": big, "chat/a/1/edge.png": big[:MaxPicture], "chat/a/1/note.md": []byte("\xef\xbb\xbf# Hello"), "chat/a/1/a.csv": []byte("a,b\n1,2\n"),
		"chat/a/1/a.json": []byte(`{"a":1}`), "chat/a/1/a.pdf": []byte("%PDF-1.7 and more"), "chat/a/1/a.html": []byte("<html><body>x</body></html>"), "chat/a/1/latin.txt": []byte("caf\xe9 au lait, as one says"),
		"chat/a/1/blank.txt": []byte(" \n"), "chat/a/1/long.txt": []byte(strings.Repeat("é", MaxText+1)), "chat/a/1/full.txt": []byte(strings.Repeat("é", MaxText)), "chat/a/1/a.zip": []byte("PK\x03\x04 and more"),
	}
	web := net{raw: png, kind: "image/png"}
	for name, c := range map[string]struct {
		ref   Ref
		web   Web
		media string // of a picture
		text  string
		why   string // of *Unreadable
		code  fault.Code
	}{
		"a picture of ours":     {ref: Ref{Path: "chat/a/1/a.png"}, media: "image/png"},
		"the largest":           {ref: Ref{Path: "chat/a/1/edge.png"}, media: "image/png"},
		"one byte more":         {ref: Ref{Path: "chat/a/1/big.png"}, why: "larger than 3750000 bytes"},
		"by its address":        {ref: Ref{URL: "chat/a/1/a.png"}, media: "image/png"},
		"Markdown":              {ref: Ref{Path: "chat/a/1/note.md"}, text: "# Hello"},
		"CSV":                   {ref: Ref{Path: "chat/a/1/a.csv"}, text: "a,b\n1,2\n"},
		"JSON":                  {ref: Ref{Path: "chat/a/1/a.json"}, text: `{"a":1}`},
		"the longest text":      {ref: Ref{Path: "chat/a/1/full.txt"}, text: strings.Repeat("é", MaxText)},
		"a character more":      {ref: Ref{Path: "chat/a/1/long.txt"}, why: "as knowledge"},
		"PDF":                   {ref: Ref{Path: "chat/a/1/a.pdf"}, why: "as knowledge"},
		"HTML":                  {ref: Ref{Path: "chat/a/1/a.html"}, why: "as knowledge"},
		"an archive":            {ref: Ref{Path: "chat/a/1/a.zip"}, why: "no picture"},
		"not UTF-8":             {ref: Ref{Path: "chat/a/1/latin.txt"}, why: "UTF-8"},
		"blank":                 {ref: Ref{Path: "chat/a/1/blank.txt"}, why: "no picture"},
		"none there":            {ref: Ref{Path: "chat/a/1/none.png"}, why: "no upload of yours"},
		"no path of ours":       {ref: Ref{Path: "/etc/passwd"}, why: "no path of an upload"},
		"neither":               {ref: Ref{Name: "x"}, why: "names no file"},
		"both":                  {ref: Ref{URL: "https://a.example/a.png", Path: "chat/a/1/a.png"}, why: "give one"},
		"of the web":            {ref: Ref{URL: "https://a.example/a.png"}, web: web, media: "image/png"},
		"mislabelled":           {ref: Ref{URL: "https://a.example/a.png"}, web: net{raw: []byte("<html>no</html>"), kind: "image/png"}, why: "no picture"},
		"gone":                  {ref: Ref{URL: "https://a.example/a.png"}, web: net{err: fetch.StatusError{Status: 404}}, why: "answered 404"},
		"slow":                  {ref: Ref{URL: "https://a.example/a.png"}, web: net{err: context.DeadlineExceeded}, why: "30 seconds"},
		"too large by its word": {ref: Ref{URL: "https://a.example/a.png"}, web: net{err: fault.New(fault.PayloadTooLarge, "x")}, why: "larger than"},
		"unsafe":                {ref: Ref{URL: "https://a.example/a.png"}, web: net{err: fault.New(fault.UnsafeURL, "x")}, code: fault.UnsafeURL},
		"without a web":         {ref: Ref{URL: "https://a.example/a.png"}, code: fault.UnsafeURL},
		"in its address":        {ref: Ref{URL: "data:image/png;base64," + base64.StdEncoding.EncodeToString(png)}, media: "image/png"},
		"in capitals":           {ref: Ref{URL: "DATA:IMAGE/PNG;BASE64," + base64.StdEncoding.EncodeToString(png)}, media: "image/png"},
		"by its bytes":          {ref: Ref{URL: "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte("GIF89a..."))}, media: "image/gif"},
		"a text in its address": {ref: Ref{URL: "data:text/plain;base64,SGVsbG8="}, why: "only PNG"},
		"not in base64":         {ref: Ref{URL: "data:image/png,%89PNG"}, why: "base64"},
		"broken base64":         {ref: Ref{URL: "data:image/png;base64,@@@@"}, why: "base64"},
		"too large in it":       {ref: Ref{URL: "data:image/png;base64," + strings.Repeat("A", MaxPicture*2)}, why: "larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := New(files, c.web).Read(t.Context(), c.ref)
			var u *Unreadable
			switch {
			case c.why != "":
				if !errors.As(err, &u) || !strings.Contains(u.Why, c.why) {
					t.Errorf("%v", err)
				}
			case c.code != "":
				if !fault.Is(err, c.code) {
					t.Errorf("%v", err)
				}
			case err != nil:
				t.Error(err)
			case c.media != "":
				if f.Picture == nil || f.Picture.MediaType != c.media || f.Text != "" {
					t.Errorf("%+v", f)
				}
			case f.Picture != nil || f.Text != c.text:
				t.Errorf("%+v", f)
			}
		})
	}
	if _, err := New(files, nil).Read(t.Context(), Ref{Path: "chat/down"}); !errors.Is(err, records.ErrUnavailable) {
		t.Errorf("a store that is down: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(files, net{err: context.Canceled}).Read(gone, Ref{URL: "https://a.example/a.png"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who is gone: %v", err)
	}
}

// FuzzInline holds that no address makes it fail in another way than by saying why.
func FuzzInline(f *testing.F) {
	for _, seed := range []string{"data:image/png;base64,iVBORw0KGgo=", "data:,", "data:;base64,", "data:image/webp;base64,UklGRgAAAABXRUJQ", "data:a;base64,%%%"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		got, err := inline(address, "x")
		var u *Unreadable
		if err != nil && !errors.As(err, &u) || err == nil && got.Picture == nil {
			t.Errorf("%+v %v", got, err)
		}
	})
}
