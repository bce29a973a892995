package faults

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"
)

// Audiences are made from briefs while the process is killed
// again and again: every operation ends, each with one Audience that is whole, and
// what is counted is what is there.
func TestKillWhileAudiencesAreMade(t *testing.T) {
	p := plan{kills: 10, seed: uint64(time.Now().UnixNano())}
	sizes := []int{60, 90, 120}
	if os.Getenv("MINDGATE_FAULTS") == "long" {
		p.kills = 60
		sizes = []int{120, 160, 200, 240, 270}
	}
	if s := os.Getenv("MINDGATE_FAULTS_SEED"); s != "" {
		if _, err := fmt.Sscan(s, &p.seed); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("seed %d", p.seed)
	w := newWorld(t, p)
	auth := []string{"Authorization", "Bearer " + w.key}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()

	working, done := context.WithCancel(ctx)
	var killing sync.WaitGroup
	kills := 0
	killing.Go(func() {
		for range p.kills {
			wait(working, 20*time.Millisecond+time.Duration(w.rng.Int64N(int64(250*time.Millisecond))))
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
	made, total := map[string]int{}, 0
	err := func() error {
		for i, n := range sizes {
			total += n
			body := map[string]any{"text": fmt.Sprintf("Nurses in Spain, wave %d", i), "memberCount": n, "audienceCreationMode": "benchmark_depth", "generateImages": false}
			a, err := w.until(ctx, "POST", "/api/v1/audiences/from-brief", body)
			if err != nil {
				return err
			}
			job := a.Text("data", "jobId")
			for a.Text("data", "status") != "completed" {
				wait(ctx, 20*time.Millisecond)
				if a, err = w.until(ctx, "GET", "/api/v1/audiences/from-brief/jobs/"+job, nil); err != nil {
					return err
				}
				if a.Text("data", "status") == "failed" {
					return fmt.Errorf("operation %d failed: %s", i, a.Body)
				}
			}
			made[a.Text("data", "result", "id")] = n
			// The same arguments, also after a kill, give the same Audience.
			again, err := w.until(ctx, "POST", "/api/v1/audiences/from-brief", body)
			if err != nil {
				return err
			}
			if again.Text("data", "jobId") != job {
				return fmt.Errorf("the same arguments began another operation: %s", again.Body)
			}
		}
		return nil
	}()
	done()
	killing.Wait()
	t.Logf("%d kills", kills)
	if err != nil {
		t.Fatalf("%v\n%s", err, w.server.Load().Log())
	}
	s := w.server.Load()
	list := s.Must(t, 200, "GET", "/api/v1/audiences?limit=100", nil, auth...)
	if n := list.At("pagination", "total"); n != float64(len(sizes)) || len(made) != len(sizes) {
		t.Errorf("%v Audiences are listed, %d were made of %d", n, len(made), len(sizes))
	}
	if n := s.Must(t, 200, "GET", "/api/v1/minds?limit=1", nil, auth...).At("pagination", "total"); n != float64(total) {
		t.Errorf("%v Minds are counted, %d were made", n, total)
	}
	for id, n := range made {
		d := s.Must(t, 200, "GET", "/api/v1/audiences/"+id, nil, auth...)
		minds, _ := d.At("data", "minds").([]any)
		seen := map[string]bool{}
		for _, m := range minds {
			m, _ := m.(map[string]any)
			seen[fmt.Sprint(m["id"])] = m["cohortProfile"] != nil
		}
		if len(seen) != n || d.Text("data", "state") != "ready" {
			t.Errorf("an Audience of %d is %s with %d members", n, d.Text("data", "state"), len(seen))
		}
		for mind, placed := range seen {
			if !placed {
				t.Errorf("member %s stands for nothing", mind)
			}
		}
	}
}
