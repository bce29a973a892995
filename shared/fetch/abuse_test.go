package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// fetchAll reads an answer whole.
func fetchAll(ctx context.Context, c *Client, r Request) ([]byte, error) {
	res, err := c.Do(ctx, r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

// M-114: a server that sends on and on, a byte at a time or as fast as it can,
// in the head or in the body, ends at a limit.
func TestServersThatNeverEnd(t *testing.T) {
	drip := func(w http.ResponseWriter, req *http.Request) {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			if _, err := w.Write([]byte("x")); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-tick.C:
			case <-req.Context().Done():
				return
			}
		}
	}
	flood := func(w http.ResponseWriter, _ *http.Request) {
		b := bytes.Repeat([]byte("y"), 32<<10)
		for {
			if _, err := w.Write(b); err != nil {
				return
			}
		}
	}
	slow := Limits{Total: 150 * time.Millisecond, MaxBytes: 1 << 20}
	for _, c := range []struct {
		name   string
		limits Limits
		h      http.HandlerFunc
		is     func(error) bool
	}{
		{"slow body", slow, drip, timeout},
		{"slow body of a failure", slow, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500); drip(w, r) }, status},
		{"slow body of a redirect", slow, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "/again")
			w.WriteHeader(302)
			drip(w, r)
		}, timeout},
		{"no head at all", slow, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, timeout},
		{"endless body", Limits{MaxBytes: 1 << 20}, flood, tooMuch},
		{"endless body of a failure", Limits{MaxBytes: 1 << 20}, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(404); flood(w, r) }, status},
		{"announced too large", Limits{MaxBytes: 1000}, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1001")
			w.WriteHeader(200)
		}, tooMuch},
		{"huge header", Limits{}, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-A", strings.Repeat("a", 70<<10)) }, failed},
		{"many headers", Limits{}, func(w http.ResponseWriter, _ *http.Request) {
			for i := range 4000 {
				w.Header().Set("X-"+strconv.Itoa(i), "0123456789")
			}
		}, failed},
		{"endless hints", Limits{}, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Link", strings.Repeat("</a>; rel=preload, ", 400))
			for range 1000 {
				w.WriteHeader(http.StatusEarlyHints)
			}
		}, failed},
		{"redirects in a circle", Limits{}, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, unsafe},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, example, c.limits, c.h)
			b, err := fetchAll(t.Context(), r.Client, Request{URL: "https://example.com/a"})
			if !c.is(err) || int64(len(b)) > r.limits.MaxBytes {
				t.Fatalf("%d bytes, %v", len(b), err)
			}
		})
	}
}

func timeout(err error) bool { return errors.Is(err, context.DeadlineExceeded) }
func tooMuch(err error) bool { return fault.Is(err, fault.PayloadTooLarge) }
func unsafe(err error) bool  { return fault.Is(err, fault.UnsafeURL) }
func failed(err error) bool  { return err != nil }
func status(err error) bool  { var s StatusError; return errors.As(err, &s) }

// M-114: the ceiling counts what comes out of gzip, and nothing else is
// unpacked. A gigabyte in a megabyte costs neither memory nor the whole work.
func TestDecompressionBombs(t *testing.T) {
	var bomb bytes.Buffer
	z, _ := gzip.NewWriterLevel(&bomb, gzip.BestCompression)
	zeros := make([]byte, 1<<20)
	for range 64 {
		_, _ = z.Write(zeros)
	}
	_ = z.Close()
	var nested bytes.Buffer
	z = gzip.NewWriter(&nested)
	_, _ = z.Write(bomb.Bytes())
	_ = z.Close()
	for _, c := range []struct {
		encoding string
		content  []byte
		is       func(error) bool
	}{
		{"gzip", bomb.Bytes(), tooMuch},
		{"GZIP", bomb.Bytes(), tooMuch},
		{"gzip, gzip", nested.Bytes(), encoding},
		{"br", bomb.Bytes(), encoding},
		{"zstd", bomb.Bytes(), encoding},
		{"deflate", bomb.Bytes(), encoding},
		{"x-gzip", bomb.Bytes(), encoding},
		{"identity", []byte("plain"), func(err error) bool { return err == nil }},
		{"gzip", bomb.Bytes()[:len(bomb.Bytes())/1000], func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) || tooMuch(err) }},
		{"gzip", []byte("no gzip at all"), failed},
	} {
		r := newRig(t, example, Limits{MaxBytes: 10 << 20}, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if got := req.Header.Get("Accept-Encoding"); got != "gzip" {
				t.Errorf("asked for %q", got)
			}
			w.Header().Set("Content-Encoding", c.encoding)
			_, _ = w.Write(c.content)
		}))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		res, err := r.Do(t.Context(), Request{URL: "https://example.com/", Header: http.Header{"Accept-Encoding": {"br, zstd"}}})
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		}
		runtime.ReadMemStats(&after)
		if !c.is(err) {
			t.Errorf("%s: %v", c.encoding, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
			t.Errorf("%s: %d bytes of memory", c.encoding, used)
		}
	}
}

func encoding(err error) bool { return errors.Is(err, ErrEncoding) }

// M-113: what a request carries goes to the named host alone; a redirect takes
// along what says nothing of the caller.
func TestCredentialsStayWithTheFirstHost(t *testing.T) {
	h := http.Header{
		"Authorization": {"Bearer k"}, "X-Subscription-Token": {"k"}, "Cookie": {"a=b"}, "Proxy-Authorization": {"k"}, "Referer": {"https://secret.example"},
		"Accept": {"text/html"}, "If-None-Match": {`"1"`}, "User-Agent": {"Mindgate/1"},
	}
	for _, to := range []string{"https://other.example/end", "https://example.com/end", "/end"} {
		var seen []http.Header
		r := newRig(t, example, Limits{}, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			seen = append(seen, req.Header.Clone())
			if req.URL.Path == "/" {
				w.Header().Set("Set-Cookie", "s=1")
				http.Redirect(w, req, to, http.StatusTemporaryRedirect)
			}
		}))
		r.transport.TLSClientConfig.InsecureSkipVerify = true // other.example has no certificate here
		if _, err := fetchAll(t.Context(), r.Client, Request{URL: "https://example.com/", Header: h}); err != nil {
			t.Fatal(err)
		}
		if len(seen) != 2 || seen[0].Get("Authorization") != "Bearer k" || seen[0].Get("X-Subscription-Token") != "k" {
			t.Fatalf("%v", seen)
		}
		for name := range seen[1] {
			switch name {
			case "Accept", "If-None-Match", "User-Agent", "Accept-Encoding":
			default:
				t.Errorf("%s: sent along %s", to, name)
			}
		}
	}
}

// A request with a body or a key is for one server: a redirect is its failure.
func TestDirect(t *testing.T) {
	for _, req := range []Request{
		{URL: "https://example.com/", Direct: true},
		{URL: "https://example.com/", Method: http.MethodPost, Body: []byte("{}")},
	} {
		n := 0
		r := newRig(t, example, Limits{}, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			n++
			http.Redirect(w, req, "/next", http.StatusTemporaryRedirect)
		}))
		var s StatusError
		if _, err := r.Do(t.Context(), req); !errors.As(err, &s) || s.Status != 307 || n != 1 {
			t.Errorf("%v after %d requests", err, n)
		}
	}
}

// 304 is an answer only to who asked for it.
func TestNotModified(t *testing.T) {
	r := newRig(t, example, Limits{}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }))
	res, err := r.Do(t.Context(), Request{URL: "https://example.com/", Header: http.Header{"If-None-Match": {`"1"`}}})
	if err != nil || res.Status != 304 {
		t.Fatalf("%+v %v", res, err)
	}
	_ = res.Body.Close()
	if _, err := r.Get(t.Context(), "https://example.com/", Page); !status(err) {
		t.Fatal(err)
	}
}

// M-113: a name whose answer changes with every look-up never leads to an
// address that was not checked, whichever look-up turns.
func TestRebindingAtEveryLookUp(t *testing.T) {
	public, private := netip.MustParseAddr("93.184.215.14"), netip.MustParseAddr("169.254.169.254")
	for turn := range 6 {
		var looked int
		r := newRig(t, resolverFunc(func() ([]netip.Addr, error) {
			looked++
			if looked > turn {
				return []netip.Addr{private}, nil
			}
			return []netip.Addr{public}, nil
		}), Limits{}, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			// Each hop on a new connection, hence with a new look-up.
			w.Header().Set("Connection", "close")
			http.Redirect(w, req, "https://example.com/next", http.StatusFound)
		}))
		_, err := r.Get(t.Context(), "https://example.com/", Page)
		if !unsafe(err) {
			t.Errorf("turn %d: %v", turn, err)
		}
		for _, a := range r.dialled {
			if a != "93.184.215.14:443" {
				t.Errorf("turn %d: dialled %s", turn, a)
			}
		}
	}
}

// The client for libraries refuses the same, on every request, and follows nothing.
func TestHTTPClient(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { http.Redirect(w, req, "/x", http.StatusFound) }))
	defer srv.Close()
	g := guard(t, Options{Allow: []string{srv.Listener.Addr().String()}})
	c := g.HTTPClient(File)
	res, err := c.Get(srv.URL)
	if err != nil || res.StatusCode != 302 {
		t.Fatalf("%v %v", res, err)
	}
	_ = res.Body.Close()
	for _, raw := range []string{"https://127.0.0.1/", "http://www.example.com/", "https://www.example.com:11434/v1", "https://loop.example.com/"} {
		if _, err := c.Post(raw, "application/json", strings.NewReader("{}")); !unsafe(err) {
			t.Errorf("%s: %v", raw, err)
		}
	}
	c.CloseIdleConnections()
}
