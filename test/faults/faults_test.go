// Package faults kills the real program while it works and looks what is left.
package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

func TestMain(m *testing.M) {
	code := m.Run()
	gateway.Remove()
	os.Exit(code)
}

// plan is how much is done and how often it is interrupted.
type plan struct {
	minds, questions, kills int
	seed                    uint64
}

// What was acknowledged is there, every job ends and nothing is doubled,
// however often the process is killed while Minds are created and questions
// are asked. MINDGATE_FAULTS=long runs 50 kills over 200 Minds and 10
// questions; MINDGATE_FAULTS_SEED repeats a run.
func TestKillWhileWorking(t *testing.T) {
	p := plan{minds: 40, questions: 3, kills: 6, seed: uint64(time.Now().UnixNano())}
	if os.Getenv("MINDGATE_FAULTS") == "long" {
		p.minds, p.questions, p.kills = 200, 10, 50
	}
	if s := os.Getenv("MINDGATE_FAULTS_SEED"); s != "" {
		if _, err := fmt.Sscan(s, &p.seed); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("seed %d", p.seed)
	w := newWorld(t, p)
	w.run()
	w.check()
}

// world is one run: a server that is killed and started again, and a client
// that never gives up and always repeats its keys.
type world struct {
	t      *testing.T
	plan   plan
	env    []string // of the server
	rng    *rand.Rand
	server atomic.Pointer[gateway.Server]
	key    string

	strikes chan time.Duration // a kill after this long
	left    []int              // operations before which a kill is due, ascending
	mu      sync.Mutex
	struck  *sync.Cond // a due kill has happened
	due     int        // kills that are due
	done    int
	known   map[string]string // request key -> acknowledged id
}

func newWorld(t *testing.T, p plan, env ...string) *world {
	w := &world{t: t, plan: p, env: env, rng: rand.New(rand.NewPCG(p.seed, 1)), strikes: make(chan time.Duration, p.kills), known: map[string]string{}}
	w.struck = sync.NewCond(&w.mu)
	s := gateway.Start(t, t.TempDir(), gateway.FreeAddress(t), gateway.NewKey(), env...)
	w.server.Store(s)
	// A plan with an allowance counts responses, so that a doubled charge shows.
	cmd := exec.Command(gateway.Program(t), "key", "create", "--data", s.Dir, "--account", "faults", "--plan", "team")
	cmd.Env = gateway.Environment()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	w.key = strings.TrimSpace(string(out))
	return w
}

// uuid is a repeatable request key.
func (w *world) uuid(kind string, i int) string {
	r := rand.New(rand.NewPCG(w.plan.seed, uint64(len(kind))<<32|uint64(i)))
	a, b := r.Uint64(), r.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>52, b&0xffffffffffff)
}

// tick counts an operation and strikes where one is due. While a kill is due
// nothing new begins, so that it hits what is in flight: a Mind takes a few
// milliseconds, a question some more.
func (w *world) tick(within time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.due > 0 {
		w.struck.Wait()
	}
	w.done++
	for len(w.left) > 0 && w.left[0] <= w.done {
		w.left = w.left[1:]
		w.due++
		w.strikes <- time.Duration(w.rng.Int64N(int64(within)))
	}
}

// run works and kills side by side. The kills come at seeded moments, most
// while Minds are made, a fifth while questions are asked.
func (w *world) run() {
	early := w.plan.kills - max(1, w.plan.kills/5)
	for i := range w.plan.kills {
		if i < early {
			w.left = append(w.left, 1+i*w.plan.minds/early)
		} else {
			w.left = append(w.left, w.plan.minds+1+(i-early)*w.plan.questions/(w.plan.kills-early))
		}
	}
	ctx, cancel := context.WithTimeout(w.t.Context(), 10*time.Minute)
	defer cancel()
	worked := make(chan error, 1)
	go func() { worked <- w.work(ctx) }()
	kills, late := 0, 0
	for {
		select {
		case d := <-w.strikes:
			wait(ctx, d)
			w.restart()
			kills++
		case err := <-worked:
			for len(w.strikes) > 0 {
				wait(ctx, <-w.strikes)
				w.restart()
				kills, late = kills+1, late+1
			}
			if err != nil {
				w.t.Fatalf("%v\n%s", err, w.server.Load().Log())
			}
			w.t.Logf("%d kills, %d of them when all was done", kills, late)
			if kills != w.plan.kills {
				w.t.Errorf("%d kills, want %d", kills, w.plan.kills)
			}
			return
		}
	}
}

func (w *world) restart() {
	old := w.server.Load()
	old.Kill()
	w.server.Store(gateway.Start(w.t, old.Dir, old.Addr, old.Key, w.env...))
	w.mu.Lock()
	w.due--
	w.mu.Unlock()
	w.struck.Broadcast()
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (w *world) work(ctx context.Context) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for i := range w.plan.minds {
		g.Go(func() error {
			w.tick(12 * time.Millisecond)
			key := w.uuid("mind", i)
			return w.keep(gctx, key, "/api/v1/minds", map[string]any{
				"name": fmt.Sprintf("Mind %03d", i), "mode": "clone", "idempotencyKey": key,
				"personaContext": fmt.Sprintf("Age: %d\nGender: Female\nRegion: Pacific", 18+i%60),
			}, "id")
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	ids := make([]string, w.plan.minds)
	for i := range ids {
		ids[i] = w.known[w.uuid("mind", i)]
	}
	for _, id := range ids { // questions skip Minds that are not ready (M-47)
		if err := w.ready(ctx, id); err != nil {
			return err
		}
	}
	if err := w.keep(ctx, "audience", "/api/v1/audiences", map[string]any{"name": "All", "mindIds": ids}, "id", "x-minds-idempotency-key", "audience"); err != nil {
		return err
	}
	if err := w.keep(ctx, "study", "/api/v1/studies", map[string]any{"name": "Study", "audienceIds": []string{w.known["audience"]}}, "id", "Idempotency-Key", "study"); err != nil {
		return err
	}
	for i := range w.plan.questions {
		w.tick(150 * time.Millisecond)
		key := w.uuid("question", i)
		if err := w.keep(ctx, key, "/api/v1/studies/"+w.known["study"]+"/runs", map[string]any{
			"question": fmt.Sprintf("How likely are you to buy product %d? (1-5)", i), "clientRequestId": key,
		}, "runId"); err != nil {
			return err
		}
		if err := w.settled(ctx, w.known[key]); err != nil {
			return err
		}
	}
	return nil
}

// keep posts until it is acknowledged, with the same key every time, then once
// more: the same key must name the same thing.
func (w *world) keep(ctx context.Context, key, path string, body map[string]any, id string, headers ...string) error {
	for range 2 {
		a, err := w.until(ctx, http.MethodPost, path, body, headers...)
		if err != nil {
			return err
		}
		got := a.Text("data", id)
		w.mu.Lock()
		was, seen := w.known[key]
		w.known[key] = got
		w.mu.Unlock()
		if got == "" || seen && was != got {
			return fmt.Errorf("the key %s named %q and then %q: %s", key, was, got, a.Body)
		}
	}
	return nil
}

// until repeats a call until it gets an answer below 500.
func (w *world) until(ctx context.Context, method, path string, body any, headers ...string) (gateway.Answer, error) {
	headers = append([]string{"Authorization", "Bearer " + w.key}, headers...)
	for {
		a, err := w.server.Load().Call(ctx, method, path, body, headers...)
		switch {
		case ctx.Err() != nil:
			return a, ctx.Err()
		case err == nil && a.Status < 300:
			return a, nil
		case err == nil && a.Status < 500 && a.Text("data", "code") != "IDEMPOTENCY_IN_PROGRESS":
			return a, fmt.Errorf("%s %s: %d %s", method, path, a.Status, a.Body)
		}
		wait(ctx, 10*time.Millisecond)
	}
}

func (w *world) ready(ctx context.Context, mind string) error {
	for {
		a, err := w.until(ctx, http.MethodGet, "/api/v1/minds/"+mind+"/training", nil)
		if err != nil {
			return err
		}
		if a.At("readyToChat") == true {
			return nil
		}
		if a.Text("status") == "failed" {
			return fmt.Errorf("training of %s: %s", mind, a.Body)
		}
		wait(ctx, 20*time.Millisecond)
	}
}

func (w *world) settled(ctx context.Context, run string) error {
	for {
		a, err := w.until(ctx, http.MethodGet, "/api/v1/runs/"+run, nil)
		if err != nil {
			return err
		}
		switch a.Text("data", "status") {
		case "completed":
			return nil
		case "partial", "failed", "cancelled", "plan_limited":
			return errors.New("run did not complete: " + string(a.Body))
		}
		wait(ctx, 20*time.Millisecond)
	}
}

// check reads everything back.
func (w *world) check() {
	t, s := w.t, w.server.Load()
	auth := []string{"Authorization", "Bearer " + w.key}
	seen := map[string]bool{}
	for offset := 0; ; offset += 100 {
		a := s.Must(t, 200, "GET", fmt.Sprintf("/api/v1/minds?limit=100&offset=%d", offset), nil, auth...)
		if a.At("pagination", "total") != float64(w.plan.minds) {
			t.Errorf("total of Minds: %v, want %d", a.At("pagination", "total"), w.plan.minds)
		}
		rows, _ := a.At("data").([]any)
		for _, r := range rows {
			id, _ := r.(map[string]any)["id"].(string)
			if seen[id] {
				t.Errorf("Mind %s is listed twice", id)
			}
			seen[id] = true
		}
		if len(rows) < 100 {
			break
		}
	}
	if len(seen) != w.plan.minds {
		t.Errorf("%d Minds listed, want %d", len(seen), w.plan.minds)
	}
	for i := range w.plan.minds {
		if id := w.known[w.uuid("mind", i)]; !seen[id] {
			t.Errorf("acknowledged Mind %s is gone", id)
		}
	}
	for _, path := range []string{"/api/v1/audiences", "/api/v1/studies"} {
		if a := s.Must(t, 200, "GET", path, nil, auth...); a.At("pagination", "total") != 1.0 {
			t.Errorf("%s: %s", path, a.Body)
		}
	}
	study := "/api/v1/studies/" + w.known["study"]
	runs := s.Must(t, 200, "GET", study+"/runs?limit=100", nil, auth...)
	if list, _ := runs.At("data").([]any); len(list) != w.plan.questions {
		t.Errorf("%d runs, want %d", len(list), w.plan.questions)
	}
	var whole struct {
		Data struct{ Messages []struct{ ID, RunID string } }
	}
	if err := json.Unmarshal(s.Must(t, 200, "GET", study, nil, auth...).Body, &whole); err != nil {
		t.Fatal(err)
	}
	if len(whole.Data.Messages) != w.plan.questions {
		t.Errorf("%d questions, want %d", len(whole.Data.Messages), w.plan.questions)
	}
	for _, m := range whole.Data.Messages {
		a := s.Must(t, 200, "GET", study+"/messages/"+m.ID+"/answers", nil, auth...)
		if n := strings.Count(string(a.Body), `"mindId"`); n != w.plan.minds {
			t.Errorf("question %s has %d answers, want %d", m.ID, n, w.plan.minds)
		}
	}
	usage := s.Must(t, 200, "GET", "/api/v1/usage", nil, auth...)
	want := map[string]float64{
		"minds": float64(w.plan.minds), "audiences": 1, "flows": 1, "responses": float64(w.plan.minds * w.plan.questions),
	}
	rows, _ := usage.At("data", "allowances").([]any)
	for _, r := range rows {
		row, _ := r.(map[string]any)
		kind, _ := row["limitType"].(string)
		if n, ok := want[kind]; ok && row["current"] != n {
			t.Errorf("%s used: %v, want %v", kind, row["current"], n)
		}
	}
}
