// Command load measures a whole gateway from outside: how soon it is ready, what
// memory it takes, how long the training of 100 Minds and a question to 300 run,
// what sixteen clients do to it, and what a long report and a large text cost. It prints figures and fails only on errors, never on time.
// With --soak it only lets clients call for that long, and fails also on memory
// that grows and on goroutines that stay.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func main() {
	program := flag.String("server", "bin/mindgate", "the gateway to measure")
	clients := flag.Int("clients", 16, "clients of the load")
	lasts := flag.Duration("for", 30*time.Second, "how long the load lasts")
	minds := flag.Int("minds", 300, "Minds of the question")
	knows := flag.Bool("knowledge", false, "only measure what a Mind is given to know")
	makes := flag.Bool("audiences", false, "only measure Audiences from a brief")
	sets := flag.Bool("datasets", false, "only measure the review of data sets")
	soaks := flag.Duration("soak", 0, "only let clients call for this long, and fail on growth")
	flag.Parse()
	measure := func() error { return run(*program, *clients, *lasts, *minds) }
	if *knows {
		measure = func() error { return know(*program) }
	}
	if *makes {
		measure = func() error { return people(*program) }
	}
	if *sets {
		measure = func() error { return datasets(*program) }
	}
	if *soaks > 0 {
		measure = func() error { return soak(*program, *clients, *soaks) }
	}
	if err := measure(); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

const key = "minds_0123456789abcdef0123456789abcdef0123456789abcdef"

func run(program string, clients int, lasts time.Duration, minds int) error {
	fmt.Printf("%s/%s, %d cores\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	var first, later []time.Duration
	for range 5 {
		dir, err := os.MkdirTemp("", "mindgate-load-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		for _, times := range []*[]time.Duration{&first, &later} {
			s, ready, err := start(program, dir)
			if err != nil {
				return err
			}
			*times = append(*times, ready)
			if err := s.stop(); err != nil {
				return err
			}
		}
	}
	fmt.Printf("ready after start: median %s with a new data folder, %s with an old one (5 starts each)\n", median(first), median(later))

	err := alone(program, func(s *server) error {
		time.Sleep(2 * time.Second)
		fmt.Printf("memory at rest: %s resident\n", s.resident())
		return errors.Join(train(s, 100), question(s, minds), load(s, clients, lasts))
	})
	return errors.Join(err, people(program), know(program), datasets(program))
}

// people measures Audiences from a brief: 1, 2 and 4 times as many members, then
// the largest.
func people(program string) error {
	return alone(program, func(s *server) error { return audiences(s, 75, 150, 300, 1000) })
}

// alone measures on a gateway that has done nothing else.
func alone(program string, measure func(*server) error) error {
	dir, err := os.MkdirTemp("", "mindgate-load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, _, err := start(program, dir)
	if err != nil {
		return err
	}
	return errors.Join(measure(s), s.stop())
}

// server is one running gateway.
type server struct {
	url string
	cmd *exec.Cmd
	log *bytes.Buffer
}

func start(program, dir string) (*server, time.Duration, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, 0, err
	}
	addr := l.Addr().String()
	l.Close()
	path, err := filepath.Abs(program)
	if err != nil {
		return nil, 0, err
	}
	s := &server{url: "http://" + addr, log: &bytes.Buffer{}}
	s.cmd = exec.Command(path, "serve", "--addr", addr, "--data", dir)
	s.cmd.Env = append([]string{"MINDGATE_EMBEDDINGS=hashed"}, os.Environ()...)
	s.cmd.Env = append(s.cmd.Env, "MINDGATE_BOOTSTRAP_KEY="+key, "MINDGATE_RATE_PER_MINUTE=0")
	s.cmd.Stdout, s.cmd.Stderr = io.Discard, s.log
	began := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, 0, err
	}
	for time.Since(began) < 20*time.Second {
		if resp, err := http.Get(s.url + "/healthz"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return s, time.Since(began).Round(time.Millisecond), nil
			}
		}
		time.Sleep(2 * time.Millisecond)
	}
	return nil, 0, fmt.Errorf("not ready: %s", s.log)
}

func (s *server) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return s.cmd.Wait()
}

// resident reads the resident memory from /proc; elsewhere it is unknown.
func (s *server) resident() megabytes { return residentOf(strconv.Itoa(s.cmd.Process.Pid)) }

func residentOf(pid string) megabytes {
	raw, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return -1
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, _ := strconv.Atoi(strings.Fields(rest)[0])
			return megabytes(float64(kb) / 1024)
		}
	}
	return -1
}

type megabytes float64

func (m megabytes) String() string {
	if m < 0 {
		return "unknown"
	}
	return fmt.Sprintf("%.1f MB", float64(m))
}

// question makes Minds, asks them one question and prints when it was settled.
func question(s *server, n int) error {
	ids := make([]string, n)
	var wg sync.WaitGroup
	var failed atomic.Value
	gate := make(chan struct{}, 16)
	for i := range ids {
		wg.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			var out struct{ Mind struct{ ID string } }
			err := s.call("create_mind", map[string]any{"name": fmt.Sprintf("Member %03d", i), "mode": "clone", "includeWebSearch": false,
				"personaContext": fmt.Sprintf("Age: %d\nGender: %s", 18+i%60, []string{"Female", "Male"}[i%2])}, &out)
			if err != nil {
				failed.Store(err)
			}
			ids[i] = out.Mind.ID
		})
	}
	wg.Wait()
	if err, ok := failed.Load().(error); ok {
		return err
	}
	for _, id := range ids {
		for {
			var out struct {
				Training struct{ ReadyToChat bool }
			}
			if err := s.call("get_mind_status", map[string]any{"mindId": id}, &out); err != nil {
				return err
			}
			if out.Training.ReadyToChat {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	var audience struct{ Audience struct{ ID string } }
	var study struct{ StudyID string }
	err := s.call("create_audience", map[string]any{"name": "Load", "mindIds": ids}, &audience)
	if err == nil {
		err = s.call("create_study", map[string]any{"name": "Load", "audienceIds": []string{audience.Audience.ID}}, &study)
	}
	if err != nil {
		return err
	}
	var times []time.Duration
	for i := range 5 {
		began := time.Now()
		var asked struct{ QuestionID string }
		q := fmt.Sprintf("Question %d: How often do you cook at home? (Never / Rarely / Sometimes / Often / Always)", i+1)
		if err := s.call("ask_study", map[string]any{"studyId": study.StudyID, "question": q}, &asked); err != nil {
			return err
		}
		for {
			var status struct {
				RecentResults []struct {
					QuestionID, Status string
					AnsweredCount      int
				}
				FailedQuestions []struct{ QuestionID, Error string }
			}
			if err := s.call("get_study_status", map[string]any{"studyId": study.StudyID, "questionId": asked.QuestionID}, &status); err != nil {
				return err
			}
			if len(status.FailedQuestions) > 0 {
				return fmt.Errorf("question failed: %s", status.FailedQuestions[0].Error)
			}
			if len(status.RecentResults) > 0 {
				if got := status.RecentResults[0].AnsweredCount; got != n {
					return fmt.Errorf("%d of %d answered", got, n)
				}
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		times = append(times, time.Since(began))
	}
	fmt.Printf("a question to %d Minds settled: median %s of 5\n", n, median(times))
	return nil
}

// load lets clients call for a while, three calls to one list.
func load(s *server, clients int, lasts time.Duration) error {
	var calls, failures atomic.Int64
	var lastError atomic.Value
	latencies := make([][]time.Duration, clients)
	end := time.Now().Add(lasts)
	started := make(chan megabytes, 1)
	go func() { time.Sleep(lasts / 6); started <- s.resident() }()
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for i := 0; time.Now().Before(end); i++ {
				began := time.Now()
				var err error
				switch i % 4 {
				case 0:
					_, err = s.rpc("tools/list", map[string]any{})
				case 1:
					err = s.call("list_studies", map[string]any{}, nil)
				default:
					err = s.call("list_minds", map[string]any{"limit": 20}, nil)
				}
				calls.Add(1)
				if err != nil {
					failures.Add(1)
					lastError.Store(err)
				}
				latencies[c] = append(latencies[c], time.Since(began))
			}
		})
	}
	wg.Wait()
	all := slices.Concat(latencies...)
	slices.Sort(all)
	fmt.Printf("%d clients for %s: %d calls, %.0f a second, %d errors, p50 %s, p99 %s; memory %s early, %s at the end\n",
		clients, lasts, calls.Load(), float64(calls.Load())/lasts.Seconds(), failures.Load(),
		all[len(all)/2].Round(10*time.Microsecond), all[len(all)*99/100].Round(10*time.Microsecond), <-started, s.resident())
	if err, ok := lastError.Load().(error); ok {
		return fmt.Errorf("%d calls failed, the last with: %w", failures.Load(), err)
	}
	return nil
}

func (s *server) call(tool string, args map[string]any, out any) error {
	raw, err := s.rpc("tools/call", map[string]any{"name": tool, "arguments": args})
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	var result struct {
		IsError           bool            `json:"isError"`
		StructuredContent json.RawMessage `json:"structuredContent"`
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return err
	}
	if result.IsError {
		return fmt.Errorf("%s: %s", tool, result.StructuredContent)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(result.StructuredContent, out)
}

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: time.Minute}

func (s *server) rpc(method string, params any) (json.RawMessage, error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.url+"/mcp", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", "2025-11-25")
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var answer struct {
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return nil, fmt.Errorf("%s: %w", resp.Status, err)
	}
	if answer.Error != nil {
		return nil, fmt.Errorf("%d %s", answer.Error.Code, answer.Error.Message)
	}
	return answer.Result, nil
}

func median(times []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2].Round(time.Millisecond)
}
