// Package webpage gets one web page or one file for the service: through the
// guard of package fetch, within what robots.txt allows, and never more than
// was asked for. It follows no link of a page and no sitemap, and reads
// nothing; package extract does.
package webpage

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fetch"
)

// total is the time from the start of a request to the last byte of its body,
// robots.txt and redirects included.
const total = 20 * time.Second

// MaxBytes is the most that a body gives, counted after decoding (M-114).
const MaxBytes = 50 << 20

// Fetched is what an address gave. Close its Body, which is never nil.
type Fetched struct {
	URL       string // where it came from, after redirects
	MediaType string // without parameters, such as text/html: the header's word where the content fits it
	Charset   string // of the header, when it names one
	Filename  string // from Content-Disposition or the address; a plain name that is safe to store and to show
	Size      int64  // bytes of the decoded content by the server's word; -1 when it gives none
	// Body gives the decoded content, at most MaxBytes in at most 20 s from the
	// start of the request: store it before slow work. An end before the end is a
	// *Refused.
	Body        io.ReadCloser
	Validators  Validators // for the next reading of the same address
	NotModified bool       // it is as it was: Body is empty
}

// Validators tell a server which version is known here already.
type Validators struct{ ETag, LastModified string }

// Options of New.
type Options struct {
	Agent string      // fetch.Agent by default; what stands before the slash is the name that robots.txt may use
	Clock clock.Clock // the system's by default
}

// Getter gets pages and files. It is safe for concurrent use; one per process
// is enough.
type Getter struct {
	client *fetch.Client
	agent  string
	robots *robots
	total  time.Duration
}

// New makes a Getter over a client of package fetch.
func New(client *fetch.Client, o Options) *Getter {
	if o.Agent == "" {
		o.Agent = fetch.Agent
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	name, _, _ := strings.Cut(o.Agent, "/")
	return &Getter{total: total, client: client, agent: o.Agent, robots: newRobots(client, o.Agent, strings.ToLower(name), o.Clock)}
}

// Within gives a Getter that allows another time from the start of a request to
// the last byte of its body than the usual 20 s.
func (g *Getter) Within(total time.Duration) *Getter {
	other := *g
	other.total = total
	return &other
}

// Page gets one web page or document over http or https if robots.txt of its
// host, and of every host that it redirects to, lets us. With validators of an
// earlier reading an unchanged page is not sent again. Errors are a *Refused,
// the guard's UNSAFE_URL or VALIDATION, or the context's.
func (g *Getter) Page(ctx context.Context, rawURL string, since Validators) (Fetched, error) {
	return g.get(ctx, rawURL, fetch.Page, since, g.robots.allow)
}

// File gets one file over https (M-111), which its caller chose by its address:
// robots.txt, which speaks to programs that choose for themselves, is not asked.
func (g *Getter) File(ctx context.Context, rawURL string) (Fetched, error) {
	return g.get(ctx, rawURL, fetch.File, Validators{}, nil)
}

func (g *Getter) get(caller context.Context, rawURL string, kind fetch.Kind, since Validators, follow func(context.Context, string) error) (_ Fetched, err error) {
	ctx, cancel := context.WithTimeout(caller, g.total)
	defer func() {
		if err != nil {
			cancel()
			err = refusal(caller, g.total, err)
		}
	}()
	if follow != nil {
		// The guard speaks first, or a refusal of robots.txt would hide its own.
		if err := g.client.Check(ctx, rawURL, kind); err != nil {
			return Fetched{}, err
		}
		if err := follow(ctx, rawURL); err != nil {
			return Fetched{}, err
		}
	}
	res, err := g.client.Do(ctx, fetch.Request{URL: rawURL, Kind: kind, Header: g.header(since), MaxBytes: MaxBytes, Follow: follow})
	if err != nil {
		return Fetched{}, err
	}
	content := &body{from: res.Body, caller: caller, total: g.total, cancel: cancel}
	f := Fetched{URL: res.URL, Size: res.Size, Body: content, Validators: validators(res.Header)}
	if res.Status == http.StatusNotModified {
		f.NotModified, f.Size = true, 0
		if f.Validators == (Validators{}) {
			f.Validators = since
		}
		return f, nil
	}
	f.MediaType, f.Charset, err = mediaType(res.Declared, res.Sniffed)
	if err != nil {
		_ = content.Close()
		return Fetched{}, err
	}
	f.Filename = filename(res.Header.Get("Content-Disposition"), res.URL)
	return f, nil
}

func (g *Getter) header(since Validators) http.Header {
	h := http.Header{"User-Agent": {g.agent}, "Accept": {"text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8"}}
	if since.ETag != "" {
		h.Set("If-None-Match", since.ETag)
	}
	if since.LastModified != "" {
		h.Set("If-Modified-Since", since.LastModified)
	}
	return h
}

// validators are kept with a source, so a server may not make them long.
func validators(h http.Header) Validators {
	v := Validators{ETag: h.Get("ETag"), LastModified: h.Get("Last-Modified")}
	if len(v.ETag) > 256 {
		v.ETag = ""
	}
	if _, err := http.ParseTime(v.LastModified); err != nil {
		v.LastModified = ""
	}
	return v
}

// body turns the end before the end into words, and gives the time limit back
// when it is closed.
type body struct {
	from   io.ReadCloser
	caller context.Context
	total  time.Duration
	cancel context.CancelFunc
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = refusal(b.caller, b.total, err)
	}
	return n, err
}

func (b *body) Close() error {
	defer b.cancel()
	return b.from.Close()
}

// origin is the scheme, host and port of an address that the guard let pass,
// and the path and query that robots.txt speaks of.
func origin(raw string) (root, path string, err error) {
	u, err := url.Parse(raw)
	if err != nil {
		return "", "", err
	}
	path = u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Host), path, nil
}
