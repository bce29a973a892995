package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// rig is a client whose public connections end at a test server; dialled notes
// where they meant to go.
type rig struct {
	*Client
	guard   *Guard
	mu      sync.Mutex
	dialled []string
}

func newRig(t *testing.T, resolver Resolver, limits Limits, h http.Handler) *rig {
	srv := httptest.NewUnstartedServer(h)
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS() // its certificate is for example.com
	t.Cleanup(srv.Close)
	g := guard(t, Options{Resolver: resolver})
	r := &rig{guard: g}
	g.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		if err := onlyPublic(network, address, nil); err != nil {
			return nil, err
		}
		r.mu.Lock()
		r.dialled = append(r.dialled, address)
		r.mu.Unlock()
		return (&net.Dialer{}).DialContext(ctx, "tcp", srv.Listener.Addr().String())
	}
	r.Client = NewClient(g, limits)
	pool := x509.NewCertPool()
	pool.AddCert(srv.Certificate())
	r.transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	t.Cleanup(r.transport.CloseIdleConnections)
	return r
}

var example = names{"example.com": {"93.184.215.14"}, "other.example": {"93.184.215.14"}}

func text(s string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, s) }
}

func TestGet(t *testing.T) {
	r := newRig(t, example, Limits{}, text("<html><p>hello"))
	res, err := r.Get(t.Context(), "https://EXAMPLE.com/x", Page)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil || string(b) != "<html><p>hello" || res.Sniffed != "text/html; charset=utf-8" || res.URL != "https://example.com/x" {
		t.Fatalf("%q %+v %v", b, res, err)
	}
	if len(r.dialled) != 1 || r.dialled[0] != "93.184.215.14:443" {
		t.Fatalf("dialled %v", r.dialled)
	}
}

// M-113: TLS verifies the name even though the connection goes to an address.
func TestCertificateOfAnotherName(t *testing.T) {
	r := newRig(t, example, Limits{}, text("x"))
	var wrong x509.HostnameError
	if _, err := r.Get(t.Context(), "https://other.example/", Page); !errors.As(err, &wrong) {
		t.Fatalf("got %v, want a hostname error", err)
	}
}

// M-113: a name that is public when checked and ours when dialled.
func TestRebinding(t *testing.T) {
	var looked int
	r := newRig(t, resolverFunc(func() ([]netip.Addr, error) {
		if looked++; looked == 1 {
			return []netip.Addr{netip.MustParseAddr("93.184.215.14")}, nil
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}), Limits{}, text("x"))
	_, err := r.Get(t.Context(), "https://example.com/", Page)
	if !fault.Is(err, fault.UnsafeURL) || len(r.dialled) != 0 {
		t.Fatalf("%v, dialled %v", err, r.dialled)
	}
}

func TestDialerRefuses(t *testing.T) {
	g := guard(t, Options{})
	for _, a := range []string{"127.0.0.1:443", "[::1]:443", "www.example.com:22", "loop.example.com:443", "mixed.example.com:80", "nonsense", "unknown.example.com:443"} {
		if _, err := g.DialContext(t.Context(), "tcp", a); !fault.Is(err, fault.UnsafeURL) {
			t.Errorf("%s: %v", a, err)
		}
	}
	// The last look stands in the real dialer, below every other check.
	if err := onlyPublic("tcp", "127.0.0.1:443", nil); !fault.Is(err, fault.UnsafeURL) {
		t.Error(err)
	}
	real, err := NewGuard(Options{})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if _, err := real.dial(t.Context(), "tcp", ln.Addr().String()); !fault.Is(err, fault.UnsafeURL) {
		t.Errorf("the dialer itself: %v", err)
	}
}

// The second address is tried when the first does not answer, and the error of
// both names neither (M-115).
func TestDialerTriesEveryAddress(t *testing.T) {
	g := guard(t, Options{Resolver: names{"two.example": {"93.184.215.14", "93.184.215.15"}}})
	var tried []string
	g.dial = func(_ context.Context, _, a string) (net.Conn, error) {
		tried = append(tried, a)
		return nil, errors.New("refused " + a)
	}
	_, err := g.DialContext(t.Context(), "tcp", "two.example:443")
	if err == nil || strings.Contains(err.Error(), "93.") || len(tried) != 2 {
		t.Fatalf("%v after %v", err, tried)
	}
}

// M-113: at most five redirects, each checked like the first address, and
// nothing of the caller's goes along.
func TestRedirects(t *testing.T) {
	for _, c := range []struct {
		name, to string
		kind     Kind
		ok       bool
	}{
		{"within five", "/hop/1", Page, true},
		{"six", "/hop/0", Page, false},
		{"to a private address", "https://10.0.0.1/", Page, false},
		{"to this machine by name", "http://localhost/", Page, false},
		{"to a name that is private", "https://loop.example.com/", Page, false},
		{"to another port", "https://example.com:8443/", Page, false},
		{"with a user", "https://u:p@example.com/", Page, false},
		{"to a file", "file:///etc/passwd", Page, false},
		{"from https to http, for a file", "http://example.com/", File, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			resolver := names{"example.com": {"93.184.215.14"}, "loop.example.com": {"127.0.0.1"}}
			r := newRig(t, resolver, Limits{}, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				if req.Header.Get("Referer") != "" || req.Header.Get("Authorization") != "" || req.Header.Get("Cookie") != "" {
					t.Errorf("sent along: %v", req.Header)
				}
				switch req.URL.Path {
				case "/":
					http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
					w.Header().Set("Location", c.to)
					w.WriteHeader(302)
				case "/hop/5":
					_, _ = io.WriteString(w, "arrived")
				default:
					n := req.URL.Path[len(req.URL.Path)-1]
					w.Header().Set("Location", "/hop/"+string(n+1))
					w.WriteHeader(302)
				}
			}))
			res, err := r.Get(t.Context(), "https://example.com/", c.kind)
			if c.ok {
				if err != nil {
					t.Fatal(err)
				}
				_ = res.Body.Close()
				return
			}
			if !fault.Is(err, fault.UnsafeURL) {
				t.Fatalf("got %v, want UNSAFE_URL", err)
			}
		})
	}
}

// M-114: the ceiling counts decoded bytes and is exact.
func TestCeiling(t *testing.T) {
	for _, c := range []struct {
		size int
		ok   bool
	}{{999, true}, {1000, true}, {1001, false}, {200_000, false}} {
		for _, zipped := range []bool{false, true} {
			r := newRig(t, example, Limits{MaxBytes: 1000}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				content := bytes.Repeat([]byte("a"), c.size)
				if !zipped {
					_, _ = w.Write(content)
					return
				}
				w.Header().Set("Content-Encoding", "gzip")
				z := gzip.NewWriter(w)
				_, _ = z.Write(content)
				_ = z.Close()
			}))
			var b []byte
			res, err := r.Get(t.Context(), "https://example.com/", Page)
			if err == nil {
				b, err = io.ReadAll(res.Body)
				_ = res.Body.Close()
			}
			if c.ok && (err != nil || len(b) != c.size) || !c.ok && (!fault.Is(err, fault.PayloadTooLarge) || len(b) > 1000) {
				t.Errorf("%d bytes, zipped %v: read %d, %v", c.size, zipped, len(b), err)
			}
		}
	}
}

func TestTotalTimeAndStatus(t *testing.T) {
	release := make(chan struct{})
	r := newRig(t, example, Limits{Total: 50 * time.Millisecond}, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.(http.Flusher).Flush()
		select {
		case <-release:
		case <-req.Context().Done():
		}
	}))
	defer close(release)
	_, err := r.Get(t.Context(), "https://example.com/", Page)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v", err)
	}

	r = newRig(t, example, Limits{}, http.NotFoundHandler())
	var status StatusError
	if _, err := r.Get(t.Context(), "https://example.com/", Page); !errors.As(err, &status) || status.Status != 404 {
		t.Fatalf("got %v", err)
	}
}

// M-113: a proxy of the environment is not asked.
func TestProxyIsIgnored(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	r := newRig(t, example, Limits{}, text("direct"))
	res, err := r.Get(t.Context(), "https://example.com/", Page)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
}

func TestAllowedServerOnThisMachine(t *testing.T) {
	srv := httptest.NewServer(text("dev"))
	defer srv.Close()
	g := guard(t, Options{Allow: []string{srv.Listener.Addr().String()}})
	res, err := NewClient(g, Limits{}).Get(t.Context(), srv.URL, Page)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if b, err := io.ReadAll(res.Body); err != nil || string(b) != "dev" {
		t.Fatalf("%q, %v", b, err)
	}
}
