package faults

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// Minds are trained, trained again, drawn anew and deleted while the process is
// killed again and again: every training ends, what was deleted is gone with all
// that was its own, and nothing is counted that is not there. An acknowledged
// call may be repeated after a kill, so its second answer is one that says so.
func TestKillWhileMindsLive(t *testing.T) {
	p := plan{minds: 24, kills: 8, seed: uint64(time.Now().UnixNano())}
	if os.Getenv("MINDGATE_FAULTS") == "long" {
		p.minds, p.kills = 120, 60
	}
	if s := os.Getenv("MINDGATE_FAULTS_SEED"); s != "" {
		if _, err := fmt.Sscan(s, &p.seed); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("seed %d", p.seed)
	site := httptest.NewServer(http.HandlerFunc(page))
	t.Cleanup(site.Close)
	w := newWorld(t, p, "MINDGATE_FETCH_ALLOW="+strings.TrimPrefix(site.URL, "http://"))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()

	working, done := context.WithCancel(ctx)
	var killing sync.WaitGroup
	kills := 0
	killing.Go(func() {
		for range p.kills {
			wait(working, 150*time.Millisecond+time.Duration(w.rng.Int64N(int64(350*time.Millisecond))))
			if working.Err() != nil {
				return
			}
			w.mu.Lock()
			w.due++
			w.mu.Unlock()
			w.restart()
			kills++
		}
	})
	err := w.live(ctx, site.URL)
	done()
	killing.Wait()
	t.Logf("%d kills", kills)
	if err != nil {
		t.Fatalf("%v\n%s", err, w.server.Load().Log())
	}

	s, auth := w.server.Load(), []string{"Authorization", "Bearer " + w.key}
	left := 0
	for i := range p.minds {
		at := "/api/v1/minds/" + w.known[w.uuid("mind", i)]
		if deleted(i) {
			s.Must(t, 404, "GET", at, nil, auth...)
			continue
		}
		left++
		items := s.Must(t, 200, "GET", at+"/knowledge?limit=100", nil, auth...)
		if rows, _ := items.At("data", "items").([]any); len(rows) != 1 || !strings.Contains(string(items.Body), `"status":"completed"`) {
			t.Errorf("the one source of %s: %s", at, items.Body)
		}
		gateway.Eventually(t, 20*time.Second, "the portrait of "+at, func() bool {
			a := s.Must(t, 200, "GET", at, nil, auth...)
			return a.At("data", "readyToChat") == true && a.At("data", "profileImageUrl") != nil
		})
	}
	gateway.Eventually(t, 20*time.Second, "the Audience without the deleted Minds", func() bool {
		return s.Must(t, 200, "GET", "/api/v1/audiences/"+w.known["audience"], nil, auth...).At("data", "mindCount") == float64(left)
	})
	if a := s.Must(t, 200, "GET", "/api/v1/minds?limit=1", nil, auth...); a.At("pagination", "total") != float64(left) {
		t.Errorf("%v Minds are counted, %d are there", a.At("pagination", "total"), left)
	}
}

// page is what a Mind learns from; it takes its time to arrive.
func page(rw http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		http.NotFound(rw, r)
		return
	}
	rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
	for i := range 10 {
		fmt.Fprintf(rw, "On %s we always say sentence %d, because somebody asked for it again and again.\n\n", r.URL.Path, i)
		_ = http.NewResponseController(rw).Flush() // a client that left is no fault here
		wait(r.Context(), 3*time.Millisecond)
	}
}

// deleted says which Minds go.
func deleted(i int) bool { return i%3 == 0 }

// live takes all Minds through their lives, some at a time.
func (w *world) live(ctx context.Context, site string) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(6)
	for i := range w.plan.minds {
		g.Go(func() error {
			key := w.uuid("mind", i)
			err := w.keep(gctx, key, "/api/v1/minds", map[string]any{
				"name": fmt.Sprintf("Mind %03d", i), "mode": "link", "contextLink": fmt.Sprintf("%s/about/%d", site, i), "idempotencyKey": key}, "id")
			if err != nil {
				return err
			}
			return w.trained(gctx, w.idOf(key))
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	ids := make([]string, w.plan.minds)
	for i := range ids {
		ids[i] = w.idOf(w.uuid("mind", i))
	}
	if err := w.keep(ctx, "audience", "/api/v1/audiences", map[string]any{"name": "All", "mindIds": ids}, "id", "x-minds-idempotency-key", "audience"); err != nil {
		return err
	}
	g, gctx = errgroup.WithContext(ctx)
	g.SetLimit(6)
	for i, id := range ids {
		g.Go(func() error {
			at := "/api/v1/minds/" + id
			if err := w.one(gctx, http.MethodPost, at+"/retrain", nil, http.StatusConflict); err != nil {
				return err
			}
			if i%2 == 0 {
				if err := w.one(gctx, http.MethodPost, at+"/regenerate-image", map[string]any{"force": true}, 0); err != nil {
					return err
				}
				if err := w.one(gctx, http.MethodPost, at+"/regenerate-embeddings", nil, 0); err != nil {
					return err
				}
			}
			if deleted(i) { // some in the middle of their training
				return w.one(gctx, http.MethodDelete, at, nil, http.StatusNotFound)
			}
			return w.trained(gctx, id)
		})
	}
	return g.Wait()
}

// trained waits until a Mind is ready. A page whose reading was cut off five times
// is given up, which ends the training in words; its owner trains again.
func (w *world) trained(ctx context.Context, id string) error {
	at := "/api/v1/minds/" + id
	for {
		a, err := w.until(ctx, http.MethodGet, at+"/training", nil)
		switch {
		case err != nil:
			return err
		case a.At("readyToChat") == true:
			return nil
		case a.Text("status") == "failed":
			if a.Text("error", "code") != "COLLECTION_FAILED" {
				return fmt.Errorf("training of %s: %s", id, a.Body)
			}
			if err := w.one(ctx, http.MethodPost, at+"/retrain", nil, http.StatusConflict); err != nil {
				return err
			}
		}
		wait(ctx, 20*time.Millisecond)
	}
}

func (w *world) idOf(key string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.known[key]
}

// one calls until it is answered. After a call that was cut off, the refusal
// that says that it had been done counts as done.
func (w *world) one(ctx context.Context, method, path string, body any, again int) error {
	cut := false
	for {
		a, err := w.server.Load().Call(ctx, method, path, body, "Authorization", "Bearer "+w.key)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && (a.Status < 300 || cut && a.Status == again):
			return nil
		case err == nil && a.Status < 500:
			return fmt.Errorf("%s %s: %d %s", method, path, a.Status, a.Body)
		}
		cut = true
		wait(ctx, 10*time.Millisecond)
	}
}
