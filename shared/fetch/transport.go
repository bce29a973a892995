package fetch

import (
	"crypto/tls"
	"net/http"
	"time"
)

// transport connects through the guard alone.
func (g *Guard) transport() *http.Transport {
	return &http.Transport{
		Proxy:                  nil, // M-113: the environment's proxy would do the look-up for us
		DialContext:            g.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    dialTimeout,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           16,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// HTTPClient is for libraries that speak to a server which somebody named, such
// as the endpoint of a model: every request's address is checked like a
// caller's, and no redirect is followed, as such a request carries a key. Times
// and sizes are the library's affair, by context and by reading no more than it
// wants.
func (g *Guard) HTTPClient(kind Kind) *http.Client {
	return &http.Client{
		Transport:     checked{guard: g, kind: kind, next: g.transport()},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// checked is a transport that asks the guard first.
type checked struct {
	guard *Guard
	kind  Kind
	next  http.RoundTripper
}

func (c checked) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := c.guard.CheckURL(req.Context(), req.URL.String(), c.kind); err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, err
	}
	return c.next.RoundTrip(req)
}

// CloseIdleConnections is http.Client's.
func (c checked) CloseIdleConnections() {
	if t, ok := c.next.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
}
