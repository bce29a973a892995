// Package attach reads what a caller brings along with a message or a question:
// pictures, and plain texts. Anything that needs a parser is refused with the way
// out: it can be given to a Mind as knowledge, where files are read apart from the
// rest.
package attach

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/passing"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// The limits of one message or question.
const (
	MaxFiles    = 20         // pictures and texts together
	MaxPicture  = 3_750_000  // bytes of one picture: the least that the providers take
	MaxPictures = 12_000_000 // bytes of all
	MaxText     = 60_000     // characters of one text
	MaxTexts    = 120_000    // characters of all
	// Patience is how long one file may take to come.
	Patience = 30 * time.Second
)

// Ref names a file; URL or Path is set.
type Ref struct {
	URL, Path  string
	Name, Type string // as the caller says
}

// File is one that was read: a picture or a text.
type File struct {
	Name    string
	Picture *simulate.Picture
	Text    string
}

// Unreadable says why a file is not taken, in words for the caller that follow the
// name of its field.
type Unreadable struct {
	Why   string
	cause error
}

func (u *Unreadable) Error() string { return "attach: " + u.Why }
func (u *Unreadable) Unwrap() error { return u.cause }

func unreadable(format string, args ...any) error {
	return &Unreadable{Why: fmt.Sprintf(format, args...)}
}

// Files opens what the caller keeps here, by an address or a path of it; stored is
// false for an address of the web.
type Files interface {
	// Ours tells whether an address names something that may be kept here; nobody is
	// asked for it.
	Ours(address string) bool
	Open(ctx context.Context, address string) (in io.ReadCloser, mediaType string, stored bool, err error)
}

// Web gets what stands at an address of the web.
type Web interface {
	Get(ctx context.Context, rawURL string, kind fetch.Kind) (*fetch.Response, error)
}

// Service reads files.
type Service struct {
	files Files
	web   Web
}

// New makes a Service; without web no address of the web is read.
func New(files Files, web Web) *Service { return &Service{files, web} }

// Ours tells whether an address is read from what the caller keeps here, and not
// from the web.
func (s *Service) Ours(address string) bool { return s.files.Ours(address) }

// Check refuses what names no file, before anything is read.
func (r Ref) Check() error {
	switch {
	case r.URL == "" && r.Path == "":
		return unreadable("names no file; give its url or its path")
	case r.URL != "" && r.Path != "":
		return unreadable("has both url and path; give one of them")
	}
	return nil
}

// Read gives a file of the caller or of the web within Patience. *Unreadable for
// what is not there, too large, or no picture and no plain text; UNSAFE_URL; the
// trouble of a store as it is.
func (s *Service) Read(ctx context.Context, r Ref) (File, error) {
	if err := r.Check(); err != nil {
		return File{}, err
	}
	if strings.HasPrefix(strings.ToLower(r.URL), "data:") {
		return inline(r.URL, r.Name)
	}
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	in, mediaType, err := s.open(ctx, r)
	if err == nil {
		defer in.Close()
		var raw []byte
		if raw, err = io.ReadAll(io.LimitReader(in, MaxPicture+1)); err == nil {
			return take(r.named(), mediaType, raw)
		}
	}
	return File{}, judged(outer, err)
}

func (s *Service) open(ctx context.Context, r Ref) (in io.ReadCloser, mediaType string, err error) {
	address := r.Path
	if address == "" {
		address = r.URL
	}
	in, mediaType, stored, err := s.files.Open(ctx, address)
	switch {
	case err != nil || stored:
	case r.Path != "":
		return nil, "", unreadable("is no path of an upload of yours; it begins with one of chat, portfolio, context and temp, as POST /api/v1/uploads gives it")
	case s.web == nil:
		return nil, "", fault.New(fault.UnsafeURL, "Addresses of the web are not read here. Upload the file, and name it by its path.")
	default:
		res, err := s.web.Get(ctx, r.URL, fetch.Asset)
		if err != nil {
			return nil, "", err
		}
		return res.Body, res.Declared, nil
	}
	if r.Type != "" {
		mediaType = r.Type
	}
	return in, mediaType, err
}

// judged sorts what went wrong.
func judged(outer context.Context, err error) error {
	var u *Unreadable
	var status fetch.StatusError
	_, shaky := passing.Advice(err)
	switch {
	case errors.As(err, &u), outer.Err() != nil, fault.Is(err, fault.UnsafeURL), shaky:
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return &Unreadable{fmt.Sprintf("did not come within %d seconds", int(Patience.Seconds())), err}
	case fault.Is(err, fault.NotFound), fault.Is(err, fault.Validation):
		return &Unreadable{"is no upload of yours, or its file has not arrived; take the path that POST /api/v1/uploads gave", err}
	case fault.Is(err, fault.PayloadTooLarge):
		return &Unreadable{fmt.Sprintf("is larger than %d bytes; give a smaller one", MaxPicture), err}
	case errors.As(err, &status):
		return &Unreadable{fmt.Sprintf("cannot be read: its server answered %d", status.Status), err}
	}
	return &Unreadable{"cannot be read from its address; upload the file, and name it by its path", err}
}

// named is the name that a file goes by.
func (r Ref) named() string {
	if r.Name != "" {
		return r.Name
	}
	if r.Path != "" {
		return path.Base(r.Path)
	}
	if u, err := url.Parse(r.URL); err == nil {
		if base := path.Base(u.Path); base != "." && base != "/" {
			return base
		}
	}
	return "file"
}

// take reads a file by what it holds.
func take(name, mediaType string, raw []byte) (File, error) {
	if len(raw) > MaxPicture {
		return File{}, unreadable("is larger than %d bytes; give a smaller one", MaxPicture)
	}
	if kind := picture(raw); kind != "" {
		return File{Name: name, Picture: &simulate.Picture{Name: name, MediaType: kind, Data: raw}}, nil
	}
	kind, err := extract.KindOf(name, mediaType, raw[:min(len(raw), 4096)])
	if err != nil {
		return File{}, &Unreadable{"is no picture (PNG, JPEG, GIF, WebP) and no plain text", err}
	}
	switch kind {
	case extract.Text, extract.MD, extract.CSV, extract.JSON:
	default:
		return File{}, unreadable("is a file of the kind %s, which is not read on the way; give it to the Mind as knowledge (POST /api/v1/minds/{mindId}/knowledge), or send its text", kind)
	}
	text := string(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")))
	switch {
	case !utf8.ValidString(text):
		return File{}, unreadable("is no UTF-8 text; save it as UTF-8 and send it again")
	case strings.TrimSpace(text) == "":
		return File{}, unreadable("holds no text")
	case utf8.RuneCountInString(text) > MaxText:
		return File{}, unreadable("has %d characters; at most %d are read on the way. Give it to the Mind as knowledge", utf8.RuneCountInString(text), MaxText)
	}
	return File{Name: name, Text: text}, nil
}

// picture tells the media type of a picture by its first bytes; "" for none. The
// signatures are those of the formats' own specifications.
func picture(raw []byte) string {
	has := func(s string) bool { return bytes.HasPrefix(raw, []byte(s)) }
	switch {
	case has("\x89PNG\r\n\x1a\n"):
		return "image/png"
	case has("\xff\xd8\xff"):
		return "image/jpeg"
	case has("GIF87a"), has("GIF89a"):
		return "image/gif"
	case has("RIFF") && len(raw) >= 12 && string(raw[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

// inline reads a picture that stands in its own address (RFC 2397). It asks nobody
// for anything.
func inline(address, name string) (File, error) {
	head, body, ok := strings.Cut(address, ",")
	if !ok || !strings.HasSuffix(strings.ToLower(head), ";base64") {
		return File{}, unreadable(`is no picture as data:image/png;base64,…; send it in base64, or by an https address or the path of an upload`)
	}
	if len(body) > (MaxPicture+2)/3*4+4 {
		return File{}, unreadable("is larger than %d bytes; give a smaller one", MaxPicture)
	}
	raw, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		return File{}, &Unreadable{"is no well-formed base64", err}
	}
	if name == "" {
		name = "picture"
	}
	f, err := take(name, "", raw)
	if err == nil && f.Picture == nil {
		err = unreadable("is no picture; only PNG, JPEG, GIF and WebP come as data: addresses")
	}
	return f, err
}
