package main

import (
	"fmt"
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
			Audience  struct{ MindCount int }
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
		fmt.Printf("Audience of %d from a brief: ready in %s, %s a member\n", n, took.Round(time.Millisecond), (took / time.Duration(n)).Round(10*time.Microsecond))
	}
	return nil
}
