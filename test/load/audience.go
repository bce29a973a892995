package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// audiences makes Audiences of growing size from one brief, each a call of the
// tool until its members are ready to be asked, and prints how long each took.
func audiences(s *server, sizes ...int) error {
	const brief = "Working parents in Germany aged 25 to 45, 60 %% women, who buy groceries online at least monthly, wave %d"
	for i, n := range sizes {
		began := time.Now()
		args := map[string]any{"brief": fmt.Sprintf(brief, i), "memberCount": n, "audienceCreationMode": "benchmark_depth"}
		var out struct {
			Status    string
			Operation struct{ JobID string }
			Audience  struct {
				ID        string
				MindCount int
			}
			Readiness struct{ Members struct{ Ready int } }
		}
		for {
			if err := s.call("create_audience_from_brief", args, &out); err != nil {
				return err
			}
			if out.Status == "completed" {
				break
			}
			args = map[string]any{"operationId": out.Operation.JobID}
		}
		took := time.Since(began)
		if out.Audience.MindCount != n || out.Readiness.Members.Ready != n {
			return fmt.Errorf("an Audience of %d has %d members, %d ready", n, out.Audience.MindCount, out.Readiness.Members.Ready)
		}
		trained, err := s.settled(out.Audience.ID)
		if err != nil {
			return err
		}
		fmt.Printf("Audience of %d from a brief: ready in %s, %s a member; all trained and drawn %s later\n", n,
			took.Round(time.Millisecond), (took / time.Duration(n)).Round(10*time.Microsecond), trained.Round(100*time.Millisecond))
	}
	return nil
}

// settled waits until nothing goes on behind an Audience any more: what comes next
// is measured alone.
func (s *server) settled(id string) (time.Duration, error) {
	began := time.Now()
	for {
		r, err := http.NewRequest(http.MethodGet, s.url+"/api/v1/audiences/"+id+"/progress", nil)
		if err != nil {
			return 0, err
		}
		r.Header.Set("Authorization", "Bearer "+key)
		w, err := client.Do(r)
		if err != nil {
			return 0, err
		}
		var out struct{ Data struct{ Settled bool } }
		err = json.NewDecoder(w.Body).Decode(&out)
		w.Body.Close()
		if err != nil || out.Data.Settled {
			return time.Since(began), err
		}
		time.Sleep(100 * time.Millisecond)
	}
}
