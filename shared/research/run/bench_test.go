package run_test

import (
	"flag"
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/run"
)

var load = flag.Bool("load", false, "run the large runs of the speed targets")

// survey is n items of all forms, the same mix at every size.
func survey(n int) []run.Item {
	var out []run.Item
	for i := range n {
		id := fmt.Sprintf("q%d", i+1)
		switch i % 5 {
		case 0:
			out = append(out, choice(id, fmt.Sprintf("Which meal do you like best on day %d?", i), "Breakfast", "Lunch", "Dinner", "None of these"))
		case 1:
			out = append(out, several(id, fmt.Sprintf("Which of these did you eat on day %d?", i), "Bread", "Rice", "Steak", "Salad", "Soup"))
		case 2:
			out = append(out, when(choice(id, fmt.Sprintf("Did you cook it yourself on day %d?", i), "Yes", "No"), out[i-2].ID, nil, []string{"None of these"}))
		default:
			out = append(out, scale(id, fmt.Sprintf("How much do you like to cook on day %d, from 1 to 5?", i)))
		}
	}
	return out
}

// TestSpeed measures whole runs without the machine: 300 Minds x 40 items in under
// 4 s, 1,000 x 50 in under 15 s, in under 400 MB, linear in both; reads in 20 ms.
func TestSpeed(t *testing.T) {
	if !*load {
		t.Skip("only with -load")
	}
	for _, size := range [][2]int{{75, 40}, {150, 40}, {300, 10}, {300, 20}, {300, 40}, {1000, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			w := open(t, setting{minds: size[0], plan: account.Enterprise})
			w.engine.seen, w.engine.answer = nil, nil
			w.runs = run.New(w.deps)
			s := w.start(w.draft(survey(size[1])...))
			runtime.GC()
			begun, cpu := time.Now(), spent(t)
			w.work()
			took, used := time.Since(begun), spent(t)-cpu
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			begun = time.Now()
			if _, err := w.runs.Summary(w.ctx, s.RunID); err != nil {
				t.Fatal(err)
			}
			summary := time.Since(begun)
			begun = time.Now()
			r := w.get(s.RunID)
			read := time.Since(begun)
			t.Logf("%s: %v, CPU %v, heap %d MB, total %d MB, summary %v, read %v, url %v, %+v", r.Status, took, used, m.HeapInuse>>20, m.Sys>>20, summary, read, r.AnswersURL != nil, r.Progress)
		})
	}
}

// spent is the processor time of this process: on a busy machine it says more than
// the clock.
func spent(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
