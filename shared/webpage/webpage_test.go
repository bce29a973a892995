package webpage

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// site is a server on this machine with its robots.txt and one Getter for it.
type site struct {
	*Getter
	url    string
	clock  *clock.Held
	asked  atomic.Int32 // for robots.txt
	robots atomic.Value // string, or int for a status
}

func newSite(t *testing.T, h http.HandlerFunc) *site {
	s := &site{clock: clock.Hold(start)}
	s.robots.Store(any(""))
	var hosts []string
	for range 2 {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/robots.txt" {
				h(w, r)
				return
			}
			s.asked.Add(1)
			text := s.robots.Load().(string)
			if status, ok := strings.CutPrefix(text, "status "); ok {
				var n int
				_, _ = fmt.Sscan(status, &n)
				w.WriteHeader(n)
				return
			}
			_, _ = io.WriteString(w, text)
		}))
		t.Cleanup(srv.Close)
		hosts = append(hosts, srv.Listener.Addr().String())
		if s.url == "" {
			s.url = srv.URL
		}
	}
	guard, err := fetch.NewGuard(fetch.Options{Allow: hosts})
	if err != nil {
		t.Fatal(err)
	}
	s.Getter = New(fetch.NewClient(guard, fetch.Limits{}), Options{Clock: s.clock})
	return s
}

func page(content string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, content) }
}

func refused(t *testing.T, err error, code Reason) *Refused {
	t.Helper()
	var r *Refused
	if !errors.As(err, &r) || r.Code != code {
		t.Fatalf("%v, want a refusal for %s", err, code)
	}
	if !strings.HasSuffix(r.Message, ".") || strings.Contains(r.Message, "127.0.0.1") || strings.Contains(r.Message, "dial") {
		t.Errorf("the words for the caller: %q", r.Message)
	}
	return r
}

func TestPage(t *testing.T) {
	var agents []string
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		agents = append(agents, r.UserAgent())
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/new/The%20Report.html?x=1", http.StatusMovedPermanently)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=ISO-8859-1")
		w.Header().Set("ETag", `"7"`)
		w.Header().Set("Last-Modified", "Sun, 01 Mar 2026 10:00:00 GMT")
		_, _ = io.WriteString(w, "<!doctype html><p>hello")
	})
	f, err := s.Page(t.Context(), s.url+"/old", Validators{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(f.Body)
	if cerr := f.Body.Close(); err != nil || cerr != nil || string(b) != "<!doctype html><p>hello" {
		t.Fatalf("%q %v %v", b, err, cerr)
	}
	if f.URL != s.url+"/new/The%20Report.html?x=1" || f.MediaType != "text/html" || f.Charset != "iso-8859-1" || f.Filename != "The Report.html" ||
		f.Size != 23 || f.Validators != (Validators{`"7"`, "Sun, 01 Mar 2026 10:00:00 GMT"}) || f.NotModified {
		t.Errorf("%+v", f)
	}
	for _, a := range agents {
		if a != fetch.Agent {
			t.Errorf("called ourselves %q", a)
		}
	}
}

// A watched link that has not changed is not read again.
func TestConditional(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") == `"1"` || r.Header.Get("If-Modified-Since") == "Sun, 01 Mar 2026 10:00:00 GMT" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = io.WriteString(w, "text")
	})
	for _, c := range []struct {
		since Validators
		same  bool
	}{
		{Validators{}, false}, {Validators{ETag: `"0"`}, false}, {Validators{ETag: `"1"`}, true}, {Validators{LastModified: "Sun, 01 Mar 2026 10:00:00 GMT"}, true},
	} {
		f, err := s.Page(t.Context(), s.url, c.since)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(f.Body)
		_ = f.Body.Close()
		if err != nil || f.NotModified != c.same || c.same != (len(b) == 0) || f.Validators.ETag != `"1"` {
			t.Errorf("%+v: %+v %q %v", c.since, f, b, err)
		}
	}
}

func TestRobots(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/jump" {
			http.Redirect(w, r, "/private/x", http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "text")
	})
	try := func(path string) error {
		f, err := s.Page(t.Context(), s.url+path, Validators{})
		if err == nil {
			_ = f.Body.Close()
		}
		return err
	}
	s.robots.Store("User-agent: *\nDisallow: /private\n")
	if err := try("/open"); err != nil {
		t.Fatal(err)
	}
	r := refused(t, try("/private/x"), Robots)
	if r.Temporary {
		t.Error("a rule is not a matter of time")
	}
	// A redirect may not lead to what the address itself may not name.
	refused(t, try("/jump"), Robots)
	// A file that its caller names is no page that a program chose.
	f, err := s.File(t.Context(), s.url+"/private/x")
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Body.Close()
	if n := s.asked.Load(); n != 1 {
		t.Errorf("robots.txt was read %d times within the hour", n)
	}
	s.robots.Store("")
	s.clock.Advance(time.Hour)
	if err := try("/private/x"); err != nil {
		t.Errorf("after the hour: %v", err)
	}
}

// RFC 9309, 2.3.1: what is not there allows everything, a failing host nothing.
func TestRobotsThatCannotBeRead(t *testing.T) {
	for answer, allowed := range map[string]bool{
		"": true, "status 404": true, "status 401": true, "status 403": true, "status 410": true, "<html>nothing here</html>": true,
		"status 429": false, "status 500": false, "status 503": false, "status 304": false,
	} {
		s := newSite(t, page("text"))
		s.robots.Store(answer)
		f, err := s.Page(t.Context(), s.url, Validators{})
		if allowed {
			if err != nil {
				t.Errorf("%s: %v", answer, err)
				continue
			}
			_ = f.Body.Close()
			continue
		}
		if r := refused(t, err, Robots); !r.Temporary {
			t.Errorf("%s: for good", answer)
		}
		// A failing host is left alone for a minute, then asked again.
		s.robots.Store("")
		if _, err = s.Page(t.Context(), s.url, Validators{}); err == nil || s.asked.Load() != 1 {
			t.Errorf("%s: asked %d times, %v", answer, s.asked.Load(), err)
		}
		s.clock.Advance(keepFailure)
		if f, err = s.Page(t.Context(), s.url, Validators{}); err != nil {
			t.Errorf("%s: a minute later: %v", answer, err)
			continue
		}
		_ = f.Body.Close()
	}
}

// The rules of all hosts together stay within their bound.
func TestRobotsAreBounded(t *testing.T) {
	r := newRobots(nil, fetch.Agent, "mindgate", clock.Hold(start))
	var long strings.Builder
	long.WriteString("User-agent: *\n")
	for i := range 5000 {
		fmt.Fprintf(&long, "Disallow: /section-%d/*/print\n", i)
	}
	rules := parseRules([]byte(long.String()), "mindgate")
	for i := range 200 {
		r.keep(&entry{origin: fmt.Sprintf("https://%d.example.com", i), rules: rules, expires: start.Add(keepRules)})
		if r.bytes > keepBytes {
			t.Fatalf("%d bytes after %d hosts", r.bytes, i)
		}
	}
	sum := 0
	for at := r.used.Front(); at != nil; at = at.Next() {
		sum += at.Value.(*entry).size
	}
	if _, ok := r.find("https://199.example.com"); !ok || sum != r.bytes || len(r.known) != r.used.Len() || len(r.known) < 2 {
		t.Errorf("%d hosts, %d bytes, counted %d", len(r.known), sum, r.bytes)
	}
	if _, ok := r.find("https://0.example.com"); ok {
		t.Error("the host that was used last of all is still there")
	}
}

func TestRefusals(t *testing.T) {
	zipped := func(encoding string, content []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", encoding)
			_, _ = w.Write(content)
		}
	}
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	line := bytes.Repeat([]byte("a line of text\n"), 70_000)
	for range MaxBytes/len(line) + 1 {
		_, _ = z.Write(line)
	}
	_ = z.Close()
	for _, c := range []struct {
		name string
		h    http.HandlerFunc
		code Reason
	}{
		{"401", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, Status},
		{"404", http.NotFound, Status},
		{"429", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }, Status},
		{"500", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, Status},
		{"302 to nowhere", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }, Status},
		{"a video", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "video/mp4") }, MediaType},
		{"a program called a page", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("\x7fELF\x02\x01\x01\x00\x00"))
		}, MediaType},
		{"a page called a PDF", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = io.WriteString(w, "<!doctype html><p>Please log in")
		}, MediaType},
		{"announced too large", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(MaxBytes+1))
			_, _ = io.WriteString(w, "a")
		}, TooLarge},
		{"too large in gzip", zipped("gzip", bomb.Bytes()), TooLarge},
		{"brotli", zipped("br", []byte("x")), Encoding},
		{"broken off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10000")
			_, _ = io.WriteString(w, strings.Repeat("a", 600))
			panic(http.ErrAbortHandler)
		}, Unreachable},
		{"no answer", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, Unreachable},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, c.h)
			f, err := s.Page(t.Context(), s.url+"/a", Validators{})
			if err == nil {
				_, err = io.Copy(io.Discard, f.Body)
				_ = f.Body.Close()
			}
			refused(t, err, c.code)
		})
	}
}

// M-110, M-111, M-115: what the guard refuses comes out as the guard said it.
func TestGuardSpeaksFirst(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
	})
	s.robots.Store("User-agent: *\nDisallow: /no\n")
	for _, raw := range []string{"http://127.0.0.1/", "https://localhost/", "file:///etc/passwd", "ftp://www.example.com/", s.url + "#@x/no", s.url + "/yes"} {
		if _, err := s.Page(t.Context(), raw, Validators{}); !fault.Is(err, fault.UnsafeURL) {
			t.Errorf("page %s: %v", raw, err)
		}
	}
	if _, err := s.File(t.Context(), "http://www.example.com/a.pdf"); !fault.Is(err, fault.UnsafeURL) {
		t.Errorf("a file over http: %v", err)
	}
	if _, err := s.Page(t.Context(), "https://www.example.com/"+strings.Repeat("a", 2000), Validators{}); !fault.Is(err, fault.Validation) {
		t.Errorf("too long: %v", err)
	}
}

// A caller that leaves gets its own error, and the host keeps its good name.
func TestCallerLeaves(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	if _, err := s.Page(ctx, s.url, Validators{}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if len(s.Getter.robots.known) != 1 {
		t.Error("robots.txt was read and is known")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	fresh := newSite(t, page("x"))
	if _, err := fresh.Page(ended, fresh.url, Validators{}); !errors.Is(err, context.Canceled) || len(fresh.Getter.robots.known) != 0 {
		t.Errorf("%v, %d hosts known", err, len(fresh.Getter.robots.known))
	}
}

// The time limit covers a body that drips; the caller hears of it in words.
func TestSlowBody(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	err := refusal(ctx, total, fmt.Errorf("fetch: %w", &url.Error{Op: "Get", URL: "https://www.example.com", Err: context.DeadlineExceeded}))
	if r := refused(t, err, Timeout); !r.Temporary || !strings.Contains(r.Message, "20 seconds") {
		t.Errorf("%+v", r)
	}
}
