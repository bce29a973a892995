package fetch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Limits of a client; zero values stand for M-114's.
type Limits struct {
	MaxBytes     int64         // of the body after decoding; 50 MiB
	Total        time.Duration // from the first look-up to the last byte; 30 s
	MaxRedirects int           // 5; negative for none
}

// Client fetches what the guard allows. It sends no credential and no cookie,
// knows no proxy, and follows a redirect only to where it might have gone at once.
type Client struct {
	guard     *Guard
	limits    Limits
	transport *http.Transport
}

// NewClient makes a client; one per process and set of limits is enough.
func NewClient(guard *Guard, limits Limits) *Client {
	if limits.MaxBytes <= 0 {
		limits.MaxBytes = 50 << 20
	}
	if limits.Total <= 0 {
		limits.Total = 30 * time.Second
	}
	switch {
	case limits.MaxRedirects == 0:
		limits.MaxRedirects = 5
	case limits.MaxRedirects < 0:
		limits.MaxRedirects = 0
	}
	return &Client{guard: guard, limits: limits, transport: guard.transport()}
}

// Agent is who we are to a server that is given no other name, with where to
// read about it.
const Agent = "Mindgate/1.0 (+https://github.com/mindgate-dev/mindgate)"

// Request is what Do sends. The zero values ask as Get does.
type Request struct {
	URL    string
	Kind   Kind
	Method string // GET by default
	// Header goes to the host of URL alone; a redirect takes along no more than
	// what carried names (M-113).
	Header http.Header
	Body   []byte
	// Direct takes a redirect for a failure: a request with a key or a body is
	// meant for one server.
	Direct   bool
	MaxBytes int64 // less than the client's ceiling; 0 is the client's
	Excerpt  int   // bytes of a failed answer to keep; 0 is none
	// Follow, if set, is asked about each target of a redirect that the guard
	// lets pass; its error ends the request.
	Follow func(ctx context.Context, target string) error
}

// carried are the headers that say nothing of the caller.
var carried = []string{"User-Agent", "Accept", "Accept-Language", "If-None-Match", "If-Modified-Since"}

// Response is an answer with a status of 200 to 299, or 304 to a request with
// If-None-Match or If-Modified-Since.
type Response struct {
	URL      string // where it came from, after redirects
	Status   int
	Header   http.Header
	Declared string // its Content-Type header
	Sniffed  string // the media type that its first 512 bytes show
	Size     int64  // of the decoded content by the server's word; -1 when it gives none
	// Body gives the decoded content; reading past the ceiling is
	// PAYLOAD_TOO_LARGE. Close it.
	Body io.ReadCloser
}

// StatusError is an answer outside 200 to 299; its body is closed already.
type StatusError struct {
	Status int
	Header http.Header
	Body   string // its beginning, as far as Request.Excerpt asked
}

func (e StatusError) Error() string { return fmt.Sprintf("fetch: the server answered %d", e.Status) }

// ErrEncoding is content in a compression that nobody asked for. To decode
// whatever a server chooses would only widen the way in.
var ErrEncoding = errors.New("fetch: the content is compressed in a way that was not asked for")

// Get fetches one address. Refusals of the guard, redirects included, are
// UNSAFE_URL; the time limit is context.DeadlineExceeded.
func (c *Client) Get(ctx context.Context, raw string, kind Kind) (*Response, error) {
	return c.Do(ctx, Request{URL: raw, Kind: kind})
}

// Check tells whether Get would be let go to the address, redirects aside.
func (c *Client) Check(ctx context.Context, raw string, kind Kind) error {
	return c.guard.CheckURL(ctx, raw, kind)
}

// Do sends one request, with the errors of Get.
func (c *Client) Do(ctx context.Context, r Request) (_ *Response, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.limits.Total)
	defer func() {
		if err != nil {
			cancel()
		}
	}()
	t, err := c.guard.parse(r.URL, r.Kind)
	if err != nil {
		return nil, err
	}
	if err := c.guard.checkTarget(ctx, t, r.Kind); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, t.url.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, refuse(r.Kind, "it is not a well-formed address")
	}
	req.Header.Set("User-Agent", Agent)
	for name, values := range r.Header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	req.Header.Del("Accept-Encoding") // the transport asks for what it decodes
	client := http.Client{Transport: c.transport, CheckRedirect: func(next *http.Request, via []*http.Request) error {
		if r.Direct || len(r.Body) > 0 {
			return http.ErrUseLastResponse
		}
		if err := c.redirect(next, len(via), r.Kind); err != nil || r.Follow == nil {
			return err
		}
		return r.Follow(next.Context(), next.URL.String())
	}}
	res, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	defer func() {
		if err != nil {
			_ = res.Body.Close()
		}
	}()
	asked := req.Header.Get("If-None-Match") != "" || req.Header.Get("If-Modified-Since") != ""
	if (res.StatusCode < 200 || res.StatusCode > 299) && (res.StatusCode != http.StatusNotModified || !asked) {
		begin := make([]byte, r.Excerpt)
		n, _ := io.ReadFull(res.Body, begin) // less, or none, is no worse an answer
		return nil, StatusError{Status: res.StatusCode, Header: res.Header, Body: string(begin[:n])}
	}
	if e := res.Header.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return nil, ErrEncoding
	}
	most := c.limits.MaxBytes
	if r.MaxBytes > 0 && r.MaxBytes < most {
		most = r.MaxBytes
	}
	if res.ContentLength > most {
		return nil, tooLarge(most)
	}
	buf := bufio.NewReaderSize(&ceiling{ctx: ctx, r: res.Body, left: most, max: most}, 4096)
	head, err := buf.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return &Response{
		URL: res.Request.URL.String(), Status: res.StatusCode, Header: res.Header, Declared: res.Header.Get("Content-Type"),
		Sniffed: http.DetectContentType(head), Size: res.ContentLength, Body: &body{Reader: buf, close: res.Body.Close, cancel: cancel},
	}, nil
}

// redirect judges the next hop as if its address had been given by the caller.
func (c *Client) redirect(next *http.Request, hops int, kind Kind) error {
	if hops > c.limits.MaxRedirects {
		return refuse(kind, fmt.Sprintf("it redirects more than %d times", c.limits.MaxRedirects))
	}
	// An absolute target is read as the server wrote it, before any parser
	// smoothed it.
	raw := next.URL.String()
	if written := next.Response.Header.Get("Location"); strings.Contains(written, ":") && next.URL.IsAbs() {
		if u, err := url.Parse(written); err == nil && u.IsAbs() {
			raw = written
		}
	}
	t, err := c.guard.parse(raw, kind)
	if err == nil {
		err = c.guard.checkTarget(next.Context(), t, kind)
	}
	if fault.Is(err, fault.Validation) || fault.Is(err, fault.UnsafeURL) {
		// The caller's own address is in order, so the text names what is not.
		return refuse(kind, "it redirects to an address that is refused").Because(err)
	}
	if err != nil {
		return err
	}
	next.URL = t.url
	for name := range next.Header { // a link, in Referer, may itself be a secret
		if !slices.Contains(carried, name) {
			next.Header.Del(name)
		}
	}
	return nil
}

type body struct {
	io.Reader
	close  func() error
	cancel context.CancelFunc
}

func (b *body) Close() error {
	defer b.cancel()
	return b.close()
}

// ceiling fails at the first byte above max; a body of exactly max is whole.
// An end that comes after the time is over is no end: a server that sees our
// side go may close its half-sent body in good form.
type ceiling struct {
	ctx       context.Context
	r         io.Reader
	left, max int64
}

func (c *ceiling) Read(p []byte) (int, error) {
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1]
	}
	n, err := c.r.Read(p)
	if int64(n) > c.left {
		n, c.left = int(c.left), 0
		return n, tooLarge(c.max)
	}
	c.left -= int64(n)
	if errors.Is(err, io.EOF) && c.ctx.Err() != nil {
		err = c.ctx.Err()
	}
	return n, err
}

func tooLarge(most int64) error {
	return fault.New(fault.PayloadTooLarge, "The content at this address is larger than %d bytes. Give a smaller one.", most).With("limitBytes", most)
}
