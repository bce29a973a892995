package restapi

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/lifecycle"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

const streamURL = "/api/v1/audiences/lifecycle/stream"

// watched is a surface with a stream, on a host that ends streams after a time; 0:
// it does not.
func watched(t *testing.T, within time.Duration) (*gate, *lifecycle.Service, account.Principal) {
	t.Helper()
	w := researchtest.New(t)
	events := lifecycle.New(lifecycle.Deps{Records: w.Store, Clock: w.Clock, IDs: clock.RandomIDs{}})
	a, err := New(Config{Research: &research.Research{Accounts: w.Accounts, Events: events}, IDs: clock.RandomIDs{}, Clock: w.Clock, StreamTime: within})
	if err != nil {
		t.Fatal(err)
	}
	key, _, err := w.Accounts.CreateKey(t.Context(), "lab", account.Team, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := w.Accounts.Authenticate(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return &gate{a, key, w}, events, p
}

// passes moves the clock until a stream is over, and gives what it sent.
func (g *gate) passes(t *testing.T, ctx context.Context, after string, every time.Duration, each func(time.Duration)) (body string, took time.Duration) {
	t.Helper()
	r := httptest.NewRequest("GET", streamURL, nil).WithContext(ctx)
	r.Header.Set("Authorization", "Bearer "+g.key)
	if after != "" {
		r.Header.Set("Last-Event-ID", after)
	}
	w := httptest.NewRecorder()
	began, done := g.world.Clock.Now(), make(chan struct{})
	go func() {
		defer close(done)
		g.ServeHTTP(w, r)
	}()
	for {
		select {
		case <-done:
			if w.Code != http.StatusOK {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			return w.Body.String(), g.world.Clock.Now().Sub(began)
		default:
		}
		if g.world.Clock.Waiting() == 0 {
			runtime.Gosched()
			continue
		}
		_ = clock.System{}.Sleep(t.Context(), time.Millisecond) // the goroutines that were woken reach their next wait
		g.world.Clock.Advance(every)
		if each != nil {
			each(g.world.Clock.Now().Sub(began))
		}
	}
}

// Where answers leave whole, a stream is over with its first news, so that they
// arrive while they are news, and after 25 seconds without any (M-290).
func TestAStreamWhereAnswersLeaveWhole_M290(t *testing.T) {
	g, events, p := watched(t, StreamTime)
	quiet, took := g.passes(t, t.Context(), "", time.Second, nil)
	if took < StreamTime || took > StreamTime+3*time.Second || !strings.HasPrefix(quiet, "retry: 2000\n\nid: t") || !strings.Contains(quiet, "event: connected\n") || strings.Contains(quiet, "invalidate") || !strings.Contains(quiet, "event: heartbeat\n") {
		t.Errorf("after %s: %s", took, quiet)
	}
	told := false
	news, took := g.passes(t, t.Context(), "", time.Second, func(at time.Duration) {
		if at >= 3*time.Second && !told {
			told = true
			events.Notify(t.Context(), p.Workspace, p.Account, lifecycle.Audiences, "a1")
		}
	})
	if took > 10*time.Second || !strings.Contains(news, `"domains":["audiences"],"ids":["a1"]`) || strings.Count(news, "invalidate") != 1 {
		t.Errorf("after %s: %s", took, news)
	}
	last := news[strings.LastIndex(news, "id: ")+4:]
	last, _, _ = strings.Cut(last, "\n")
	if again, _ := g.passes(t, t.Context(), last, time.Second, nil); strings.Contains(again, "invalidate") {
		t.Errorf("told twice: %s", again)
	}
}

// A credential that was taken back gets no more than what comes until the next
// heartbeat (M-105).
func TestAStreamEndsWithItsCredential_M105(t *testing.T) {
	g, _, _ := watched(t, 0)
	keys, err := g.world.Accounts.ListKeys(t.Context(), "lab")
	if err != nil || len(keys) != 1 {
		t.Fatal(keys, err)
	}
	revoked := false
	body, took := g.passes(t, t.Context(), "", time.Second, func(at time.Duration) {
		if at >= 20*time.Second && !revoked {
			revoked = true
			if ok, err := g.world.Accounts.RevokeKey(t.Context(), "lab", keys[0].ID); !ok || err != nil {
				t.Error(ok, err)
			}
		}
	})
	if took < 30*time.Second || took > 50*time.Second || strings.Count(body, "event: heartbeat\n") != 1 {
		t.Errorf("after %s: %s", took, body)
	}
}

func TestAStreamNeedsACredential(t *testing.T) {
	g, _, _ := watched(t, 0)
	g.key = "minds_wrong"
	if code, body := g.do("GET", streamURL, ""); code != http.StatusUnauthorized || !strings.Contains(body, "Unauthorized") {
		t.Errorf("%d %s", code, body)
	}
	g.key = ""
	if code, _ := g.do("GET", streamURL+"?x=1", ""); code != http.StatusUnauthorized {
		t.Error(code)
	}
}
