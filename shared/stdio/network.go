package stdio

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// How long a gateway may say nothing: before its answer begins, and between two
// pieces of it. A stream may last as long as it goes on; a call that streams
// nothing has its own, shorter deadline on the gateway.
const (
	headerTime = 2 * time.Minute
	idleTime   = 2 * time.Minute
)

var errIdle = errors.New("nothing came for " + idleTime.String())

// Network is a client for gateways elsewhere. It limits no exchange as a whole,
// as that would cut long streams; Remote ends one that says nothing any more.
func Network() *http.Client {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		t = &http.Transport{Proxy: http.ProxyFromEnvironment}
	}
	t = t.Clone()
	t.ResponseHeaderTimeout = headerTime
	return &http.Client{Transport: t}
}

// watched ends a context when nothing was read for idleTime.
type watched struct {
	io.Reader
	timer *time.Timer
}

func watch(r io.Reader, end context.CancelCauseFunc) *watched {
	return &watched{r, time.AfterFunc(idleTime, func() { end(errIdle) })}
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.Reader.Read(b)
	w.timer.Reset(idleTime)
	return n, err
}

func (w *watched) stop() { w.timer.Stop() }
