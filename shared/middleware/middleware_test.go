package middleware_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/middleware"
)

func refuse(w http.ResponseWriter, _ *http.Request, f *fault.Error) {
	http.Error(w, string(f.Code)+": "+f.Message, f.Status())
}

type oneKey struct{}

func (oneKey) Authenticate(_ context.Context, bearer string) (account.Principal, error) {
	switch bearer {
	case "good":
		return account.Principal{Account: "a", Workspace: "w"}, nil
	case "down":
		return account.Principal{}, fault.New(fault.EntitlementUnavailable, "down")
	case "homeless":
		return account.Principal{Account: "a"}, nil
	case "bug":
		return account.Principal{}, errors.New("secret")
	}
	return account.Principal{}, fault.New(fault.Unauthorized, "key revoked on Monday")
}

func get(h http.Handler, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestBearer(t *testing.T) {
	h := middleware.Chain(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, account.From(r.Context()).Account)
	}), middleware.Bearer(oneKey{}, nil, refuse))
	for _, c := range []struct {
		what    string
		headers []string
		status  int
		body    string
	}{
		{"good", []string{"Authorization: Bearer good"}, 200, "a"},
		{"scheme in any case", []string{"Authorization: bearer  good "}, 200, "a"},
		{"none", nil, 401, "UNAUTHORIZED: Unauthorized\n"},
		{"another scheme", []string{"Authorization: Basic good"}, 401, "UNAUTHORIZED: Unauthorized\n"},
		{"two headers", []string{"Authorization: Bearer good", "Authorization: Bearer good"}, 401, "UNAUTHORIZED: Unauthorized\n"},
		{"two credentials", []string{"Authorization: Bearer good, Bearer x"}, 401, "UNAUTHORIZED: Unauthorized\n"},
		{"unknown: one text for all", []string{"Authorization: Bearer x"}, 401, "UNAUTHORIZED: Unauthorized\n"},
		{"no workspace", []string{"Authorization: Bearer homeless"}, 401, "UNAUTHORIZED: Unauthorized\n"},
		{"cannot tell", []string{"Authorization: Bearer down"}, 503, "ENTITLEMENT_UNAVAILABLE: down\n"},
	} {
		t.Run(c.what, func(t *testing.T) {
			w := get(h, c.headers...)
			if w.Code != c.status || w.Body.String() != c.body {
				t.Errorf("%d %q", w.Code, w.Body)
			}
			if (c.status == 401) != (w.Header().Get("WWW-Authenticate") != "") {
				t.Errorf("challenge %q", w.Header().Get("WWW-Authenticate"))
			}
		})
	}
	if w := get(h, "Authorization: Bearer bug"); w.Code != 500 || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// M-106: in no window does an account get more than its limit.
func TestWindowNeverOverfills(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		held := clock.Hold(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		limit := rapid.IntRange(1, 8).Draw(t, "limit")
		m := middleware.NewMemory(limit, held)
		p := account.Principal{Account: "a"}
		var opened time.Time
		used := 0
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			held.Advance(time.Duration(rapid.IntRange(0, 30).Draw(t, "wait")) * time.Second)
			now := held.Now()
			if opened.IsZero() || !now.Before(opened.Add(middleware.Period)) {
				opened, used = now, 0
			}
			n := rapid.IntRange(1, 3).Draw(t, "n")
			w, err := m.Take(context.Background(), p, n)
			if err != nil {
				t.Fatal(err)
			}
			if w.Allowed != (used+n <= limit) {
				t.Fatalf("used %d of %d, %d more: allowed %v", used, limit, n, w.Allowed)
			}
			if w.Allowed {
				used += n
			}
			if w.Remaining != limit-used || w.Limit != limit || w.Reset <= 0 || w.Reset > middleware.Period {
				t.Fatalf("%+v with %d used", w, used)
			}
		}
	})
}

type brokenLimiter struct{}

func (brokenLimiter) Take(context.Context, account.Principal, int) (middleware.Window, error) {
	return middleware.Window{}, errors.New("down")
}

func TestRate(t *testing.T) {
	ok := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) })
	held := clock.Hold(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	h := middleware.Chain(ok, middleware.Rate(middleware.NewMemory(1, held), refuse))
	if w := get(h); w.Code != 204 || w.Header().Get("RateLimit-Remaining") != "0" || w.Header().Get("Retry-After") != "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	if w := get(h); w.Code != 429 || w.Header().Get("Retry-After") != "60" || !strings.HasPrefix(w.Body.String(), "RATE_LIMITED") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	for what, l := range map[string]middleware.Limiter{"no limit": middleware.NewMemory(0, held), "none": middleware.NoLimit{}, "broken": brokenLimiter{}} {
		h := middleware.Chain(ok, middleware.Rate(l, refuse))
		for range 3 {
			if w := get(h); w.Code != 204 || w.Header().Get("RateLimit-Limit") != "" {
				t.Errorf("%s: %d %v", what, w.Code, w.Header())
			}
		}
	}
}

func TestRequestID(t *testing.T) {
	h := middleware.Chain(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, middleware.RequestIDFrom(r.Context()))
	}), middleware.RequestID(clock.RandomIDs{}))
	if w := get(h, "X-Request-Id: gateway-1234"); w.Body.String() != "gateway-1234" || w.Header().Get("X-Request-Id") != "gateway-1234" {
		t.Error(w.Body)
	}
	for _, bad := range []string{"short", "with blank in it", strings.Repeat("x", 200)} {
		if w := get(h, "X-Request-Id: "+bad); w.Body.String() == bad || w.Body.Len() != 36 {
			t.Error(w.Body)
		}
	}
}

func TestRecoverAndAudit(t *testing.T) {
	var lines []middleware.Line
	h := middleware.Chain(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret") }),
		middleware.RequestID(clock.RandomIDs{}),
		middleware.Audit(clock.System{}, func(_ *http.Request, l middleware.Line) { lines = append(lines, l) }),
		middleware.Recover(slog.New(slog.DiscardHandler), refuse))
	w := get(h)
	if w.Code != 500 || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if len(lines) != 1 || lines[0].Status != 500 || lines[0].RequestID == "" || lines[0].Bytes == 0 {
		t.Errorf("%+v", lines)
	}
}

func TestBodyCeiling(t *testing.T) {
	read := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, f := middleware.ReadBody(r, 10); f != nil {
			refuse(w, r, f)
		}
	})
	h := middleware.Chain(read, middleware.Body(10, refuse))
	for _, c := range []struct {
		size   int64
		known  bool
		status int
	}{{10, true, 200}, {10, false, 200}, {11, true, 413}, {11, false, 413}, {0, true, 200}} {
		for _, h := range []http.Handler{h, read} {
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(strings.Repeat("x", int(c.size))))
			if !c.known {
				r.ContentLength = -1
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.status {
				t.Errorf("%+v: %d", c, w.Code)
			}
		}
	}
}

// The plan that has no limits is counted, so that it sees its window, and never
// refused; others are (M-106).
func TestExemptPlan_M106(t *testing.T) {
	l := middleware.Exempt{Limiter: middleware.NewMemory(2, clock.Hold(time.Unix(0, 0))), Plan: account.Enterprise}
	for plan, last := range map[account.Plan]bool{account.Enterprise: true, account.Team: false} {
		p := account.Principal{Account: string(plan), Plan: plan}
		for i := range 3 {
			w, err := l.Take(t.Context(), p, 1)
			if err != nil || w.Limit != 2 || w.Remaining != max(0, 1-i) || w.Allowed != (i < 2 || last) {
				t.Errorf("%s, request %d: %+v, %v", plan, i+1, w, err)
			}
		}
	}
}
