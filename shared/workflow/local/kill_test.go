package local

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
)

// The variable that makes the test binary the process to be killed; it holds
// the folder to work in.
const killed = "MINDGATE_TEST_WORKFLOW_CHILD"

const jobs = 12

// failing has an item that fails while its siblings work.
//
//go:embed testdata/machines/failing.asl.json
var failing string

func TestMain(m *testing.M) {
	if dir := os.Getenv(killed); dir != "" {
		if err := workThrough(dir, func() { fmt.Println("ready") }); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func killMachines() map[string][]byte {
	return map[string][]byte{"tour": []byte(tour), "failing": []byte(failing)}
}

// workThrough starts the jobs, runs until all have ended, and writes each effect down
// under its key.
func workThrough(dir string, ready func()) error {
	var e *Engine
	effect := func(key string) {
		name := filepath.Join(dir, "effects", strings.ReplaceAll(key, "/", "_"))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err == nil {
			f.WriteString("x")
			f.Close()
		}
		_ = clock.System{}.Sleep(context.Background(), 4*time.Millisecond)
	}
	tasks := tourTasks(func(token string, out json.RawMessage) error {
		_ = clock.System{}.Sleep(context.Background(), 5*time.Millisecond)
		return e.Succeed(context.Background(), token, out)
	}, effect)
	if err := os.MkdirAll(filepath.Join(dir, "effects"), 0o700); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	e, err := Open(ctx, Options{Path: filepath.Join(dir, "workflow.db"), Machines: killMachines(), Tasks: tasks, MaxActive: 3,
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
	if err != nil {
		return err
	}
	ran := make(chan error, 1)
	go func() { ran <- e.Run(ctx) }()
	ready()
	for i := range jobs {
		if err := e.Start(ctx, "tour", fmt.Sprint("job-", i), json.RawMessage(fmt.Sprintf(`{"n":%d}`, i*3))); err != nil {
			return err
		}
		if err := e.Start(ctx, "failing", fmt.Sprint("f-", i), nil); err != nil {
			return err
		}
	}
	for {
		var n int
		if err := e.journal.db.QueryRow(`SELECT count(*) FROM executions WHERE status = 'RUNNING'`).Scan(&n); err != nil {
			return err
		}
		if n == 0 {
			break
		}
		_ = clock.System{}.Sleep(ctx, 5*time.Millisecond)
	}
	cancel()
	if err := <-ran; err != nil {
		return err
	}
	return e.Close()
}

// trace is what a run leaves: outputs, the steps of the jobs without cancelled
// siblings, the keys of the effects.
type trace struct {
	lines    []string
	repeated int // effects that ran more than once
}

func traceOf(t *testing.T, dir string) trace {
	t.Helper()
	e, err := Open(context.Background(), Options{Path: filepath.Join(dir, "workflow.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var tr trace
	collect := func(q string) {
		rows, err := e.journal.db.Query(q)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			tr.lines = append(tr.lines, line)
		}
	}
	collect(`SELECT machine||' '||name||' '||status||' '||coalesce(output,'')||' '||error FROM executions`)
	collect(`SELECT 'step '||x.name||' '||s.path||' '||s.step||' '||s.state||' '||s.status||' '||s.next||' '||coalesce(s.output,'')
		FROM steps s JOIN executions x ON x.id = s.exec WHERE x.machine = 'tour'`)
	collect(`SELECT 'open '||x.name||' '||s.path FROM steps s JOIN executions x ON x.id = s.exec
		WHERE s.status = 0 AND (x.machine = 'tour' OR s.path = '')`)
	files, err := os.ReadDir(filepath.Join(dir, "effects"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name(), "job-") {
			tr.lines = append(tr.lines, "effect "+f.Name())
		}
		if info, err := f.Info(); err == nil && info.Size() > 1 {
			tr.repeated++
		}
	}
	sort.Strings(tr.lines)
	return tr
}

// The process is killed at random moments, over and over; what the jobs leave
// equals an undisturbed run: outputs, steps, effects. 20 kills, or 200 with
// MINDGATE_FAULTS=long; the gaps are quick and slow by turns.
func TestKillNine(t *testing.T) {
	kills := 20
	if os.Getenv("MINDGATE_FAULTS") == "long" {
		kills = 200
	}
	calm := t.TempDir()
	if err := workThrough(calm, func() {}); err != nil {
		t.Fatal(err)
	}
	want := traceOf(t, calm)
	rnd := rand.New(rand.NewPCG(20260301, 9))
	rounds, repeated := 0, 0
	for done := 0; done < kills; rounds++ {
		dir := t.TempDir()
		for {
			finished, err := runAndKill(dir, done < kills, gap(rnd, done))
			if err != nil {
				t.Fatal(err)
			}
			if finished {
				break
			}
			done++
		}
		got := traceOf(t, dir)
		repeated += got.repeated
		if a, b := strings.Join(got.lines, "\n"), strings.Join(want.lines, "\n"); a != b {
			t.Fatalf("round %d differs from the undisturbed run:\n%s", rounds, difference(got.lines, want.lines))
		}
	}
	t.Logf("%d kills over %d rounds of %d executions; %d effects ran more than once", kills, rounds, 2*jobs, repeated)
}

func gap(rnd *rand.Rand, i int) time.Duration {
	if i%4 == 3 {
		return time.Duration(100+rnd.IntN(150)) * time.Millisecond
	}
	return time.Duration(10+rnd.IntN(60)) * time.Millisecond
}

// runAndKill runs the process and kills it after a gap; it tells whether the
// process was done before.
func runAndKill(dir string, kill bool, gap time.Duration) (finished bool, err error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), killed+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := cmd.Start(); err != nil {
		return false, err
	}
	bufio.NewReader(out).ReadString('\n')
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	timeout := gap
	if !kill {
		timeout = time.Minute
	}
	select {
	case err := <-ended:
		return true, err
	case <-time.After(timeout):
		cmd.Process.Kill()
		<-ended
		if !kill {
			return false, fmt.Errorf("not done within %s", timeout)
		}
		return false, nil
	}
}

func difference(got, want []string) string {
	count := map[string]int{}
	for _, l := range got {
		count[l]++
	}
	for _, l := range want {
		count[l]--
	}
	var out []string
	for l, n := range count {
		if n != 0 {
			out = append(out, fmt.Sprintf("%+d %s", n, l))
		}
	}
	sort.Strings(out)
	return strings.Join(out, "\n")
}
