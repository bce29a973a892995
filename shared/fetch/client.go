package fetch

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
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
	return &Client{guard: guard, limits: limits, transport: &http.Transport{
		Proxy:                  nil, // M-113: the environment's proxy would do the look-up for us
		DialContext:            guard.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    dialTimeout,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           16,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
	}}
}

// Response is an answer with a status of 200 to 299.
type Response struct {
	URL      string // where it came from, after redirects
	Declared string // its Content-Type header
	Sniffed  string // the media type that its first 512 bytes show
	// Body gives the decoded content; reading past the ceiling is
	// PAYLOAD_TOO_LARGE. Close it.
	Body io.ReadCloser
}

// StatusError is an answer outside 200 to 299; its body is closed already.
type StatusError struct{ Status int }

func (e StatusError) Error() string { return fmt.Sprintf("fetch: the server answered %d", e.Status) }

// Get fetches one address. Refusals of the guard, redirects included, are
// UNSAFE_URL; the time limit is context.DeadlineExceeded.
func (c *Client) Get(ctx context.Context, raw string, kind Kind) (_ *Response, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.limits.Total)
	defer func() {
		if err != nil {
			cancel()
		}
	}()
	t, err := c.guard.parse(raw, kind)
	if err != nil {
		return nil, err
	}
	if err := c.guard.checkTarget(ctx, t, kind); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url.String(), nil)
	if err != nil {
		return nil, refuse(kind, "it is not a well-formed address")
	}
	req.Header.Set("User-Agent", "mindgate")
	client := http.Client{Transport: c.transport, CheckRedirect: func(next *http.Request, via []*http.Request) error {
		if len(via) > c.limits.MaxRedirects {
			return refuse(kind, fmt.Sprintf("it redirects more than %d times", c.limits.MaxRedirects))
		}
		t, err := c.guard.inspect(next.URL, kind)
		if err != nil {
			return err
		}
		next.URL = t.url
		next.Header.Del("Referer") // a link may itself be a secret
		return c.guard.checkTarget(next.Context(), t, kind)
	}}
	res, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		_ = res.Body.Close()
		return nil, StatusError{res.StatusCode}
	}
	buf := bufio.NewReaderSize(&ceiling{ctx: ctx, r: res.Body, left: c.limits.MaxBytes, max: c.limits.MaxBytes}, 4096)
	head, err := buf.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		_ = res.Body.Close()
		return nil, err
	}
	return &Response{
		URL: res.Request.URL.String(), Declared: res.Header.Get("Content-Type"), Sniffed: http.DetectContentType(head),
		Body: &body{Reader: buf, close: res.Body.Close, cancel: cancel},
	}, nil
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
		return n, fault.New(fault.PayloadTooLarge, "The content at this address is larger than %d bytes. Give a smaller one.", c.max).With("limitBytes", c.max)
	}
	c.left -= int64(n)
	if errors.Is(err, io.EOF) && c.ctx.Err() != nil {
		err = c.ctx.Err()
	}
	return n, err
}
