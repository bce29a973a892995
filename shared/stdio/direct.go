package stdio

import (
	"bytes"
	"errors"
	"io"
	"net/http"
)

// direct is a transport that calls a handler of this process. What the handler
// flushes leaves at once, as over the network; an answer without a flush comes
// whole.
type direct struct{ h http.Handler }

var errPanic = errors.New("the handler ended without an answer")

// RoundTrip returns at the first flush, or when the handler has ended. A handler
// runs until it ends; it gets the request's context and learns by a failing
// write that the body was closed.
func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	served := r.Clone(r.Context())
	served.RequestURI = r.URL.RequestURI()
	a := &answer{header: http.Header{}, first: make(chan *http.Response, 1), failed: make(chan struct{})}
	go func() {
		defer a.end()
		d.h.ServeHTTP(a, served)
		a.whole = true
	}()
	select {
	case resp := <-a.first:
		resp.Request = r
		return resp, nil
	case <-a.failed:
		return nil, errPanic
	}
}

// answer is what a handler of this process writes. Only the handler's goroutine
// uses it, as with every http.ResponseWriter.
type answer struct {
	header http.Header
	status int
	sent   http.Header  // header as it was when the status was written
	body   bytes.Buffer // not flushed yet
	pipe   *io.PipeWriter
	whole  bool // the handler returned
	first  chan *http.Response
	failed chan struct{}
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= 200 {
		a.status, a.sent = status, a.header.Clone()
	}
}

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}

// Flush sends what was written so far.
func (a *answer) Flush() { _ = a.FlushError() }

// FlushError is Flush for http.ResponseController.
func (a *answer) FlushError() error {
	a.WriteHeader(http.StatusOK)
	if a.pipe == nil {
		r, w := io.Pipe()
		a.pipe = w
		a.first <- a.response(r, -1) //nolint:bodyclose // a transport's caller closes it
	}
	_, err := a.body.WriteTo(a.pipe)
	return err
}

// end finishes the answer. A panic has no one above it here, as in a server: it
// breaks this answer off and nothing else.
func (a *answer) end() {
	broken := recover() != nil || !a.whole
	switch {
	case a.pipe == nil && broken:
		close(a.failed)
	case a.pipe == nil:
		a.WriteHeader(http.StatusOK)
		a.first <- a.response(io.NopCloser(&a.body), int64(a.body.Len())) //nolint:bodyclose // as above
	case broken:
		_ = a.pipe.CloseWithError(io.ErrUnexpectedEOF)
	default:
		_, err := a.body.WriteTo(a.pipe)
		_ = a.pipe.CloseWithError(err)
	}
}

func (a *answer) response(body io.ReadCloser, length int64) *http.Response {
	return &http.Response{
		StatusCode: a.status, Header: a.sent, Body: body, ContentLength: length,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
}
