package main

import (
	"io"
	"net/http"
	"time"
)

// Limits of the server towards slow and talkative clients. A whole answer has
// none: a client may listen to events for as long as it likes.
const (
	headerWithin = 10 * time.Second
	idleWithin   = 2 * time.Minute
	headerBytes  = 64 << 10
	bodyGrace    = 30 * time.Second // before a body must have come at bodyRate
	bodyRate     = 4 << 10          // bytes a second; a file of 50 MiB may take 3.5 hours
)

func newServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           paced(h, bodyGrace, bodyRate),
		ReadHeaderTimeout: headerWithin, IdleTimeout: idleWithin, MaxHeaderBytes: headerBytes,
	}
}

// paced cuts off a request whose body comes slower than rate bytes a second,
// counted from the end of grace, or pauses for longer than grace: no client holds a call by sending nothing. It
// is not the server's ReadTimeout, which would also end calls that have been
// read and take long to answer.
func paced(next http.Handler, grace time.Duration, rate int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.ContentLength != 0 {
			b := &pacedBody{ReadCloser: r.Body, conn: http.NewResponseController(w), end: time.Now().Add(grace), grace: grace, rate: rate}
			b.limit(b.end)
			r.Body = b
		}
		next.ServeHTTP(w, r)
	})
}

// pacedBody moves the connection's deadline on with every byte.
type pacedBody struct {
	io.ReadCloser
	conn  *http.ResponseController
	end   time.Time // when all that was promised by rate must be there
	grace time.Duration
	rate  int64 // bytes a second
}

func (b *pacedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.limit(time.Time{}) // the connection now only waits for the answer
		return n, err
	}
	if n > 0 {
		b.end = b.end.Add(time.Duration(int64(n)) * time.Second / time.Duration(b.rate))
		// What came early is no licence to stall.
		if pause := time.Now().Add(b.grace); pause.Before(b.end) {
			b.limit(pause)
		} else {
			b.limit(b.end)
		}
	}
	return n, err
}

// limit sets the deadline; a connection that knows none has its own limits.
func (b *pacedBody) limit(t time.Time) { _ = b.conn.SetReadDeadline(t) }
