// Command peer measures the gateway beside a bare server of the SDK that it is
// built on and beside fastmcp: the same tools, the same requests, one run. The
// gateway proves its caller, checks arguments and audits each call; the others
// do none of it. It prints figures, and fails when an aim is missed and
// --strict is given.
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
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const key = "minds_0123456789abcdef0123456789abcdef0123456789abcdef"

// Aims, as a share of the bare server's figure or of fastmcp's.
const (
	aimCalls = 0.9
	aimFast  = 4.0
	aimCPU   = 1.1
)

func main() {
	o := options{}
	flag.StringVar(&o.program, "server", "bin/mindgate", "the gateway to measure")
	flag.StringVar(&o.python, "python", ".tools/fastmcp/bin/python", "Python with fastmcp")
	flag.IntVar(&o.clients, "clients", 16, "clients that ask at once")
	flag.DurationVar(&o.lasts, "for", 5*time.Second, "how long each round lasts")
	flag.IntVar(&o.rounds, "rounds", 3, "rounds; the median counts")
	flag.BoolVar(&o.strict, "strict", false, "fail when an aim is missed")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "peer:", err)
		os.Exit(1)
	}
}

type options struct {
	program, python string
	clients, rounds int
	lasts           time.Duration
	strict          bool
}

type server struct {
	name string
	url  string
	cmd  *exec.Cmd
}

// figures of one round.
type figures struct {
	perSecond float64
	cpu       time.Duration // of the server, a request
	p50, p99  time.Duration
}

func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "mindgate-peer-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bare := filepath.Join(dir, "bare")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", bare, "./test/load/peer/bare").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	var servers []*server
	defer func() {
		for _, s := range servers {
			_ = s.cmd.Process.Kill()
			_ = s.cmd.Wait()
		}
	}()
	start := func(name string, path string, env []string, args ...string) (*server, error) {
		s, err := launch(name, path, env, args...)
		if err == nil {
			servers = append(servers, s)
		}
		return s, err
	}
	program, err := filepath.Abs(o.program)
	if err != nil {
		return err
	}
	gate, err := start("mindgate", program, []string{"MINDGATE_FIXTURES=1", "MINDGATE_BOOTSTRAP_KEY=" + key, "MINDGATE_RATE_PER_MINUTE=0"},
		"serve", "--addr", "ADDRESS", "--data", filepath.Join(dir, "data"))
	if err != nil {
		return err
	}
	list, err := ask(ctx, gate.url, listing)
	if err != nil {
		return err
	}
	tools := filepath.Join(dir, "tools.json")
	if err := os.WriteFile(tools, list, 0o600); err != nil {
		return err
	}
	if _, err := start("bare go-sdk", bare, nil, "ADDRESS", tools); err != nil {
		return err
	}
	if _, err := start("fastmcp", o.python, nil, "test/load/peer/fastmcp_server.py", "ADDRESS", tools); err != nil {
		return err
	}
	for _, s := range servers {
		for _, m := range [][]byte{listing, calling} {
			if _, err := ask(ctx, s.url, m); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	all := make([][]figures, len(servers))
	for range o.rounds { // interleaved, so that a busy moment of the machine hits all
		for i, s := range servers {
			f, err := s.load(ctx, o)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			all[i] = append(all[i], f)
		}
	}
	return report(o, servers, all)
}

func report(o options, servers []*server, all [][]figures) error {
	fmt.Printf("%d clients, 3 calls to 1 list, %d rounds of %s, median\n\n", o.clients, o.rounds, o.lasts)
	fmt.Printf("%-12s %12s %14s %10s %10s\n", "", "requests/s", "CPU/request", "p50", "p99")
	medians := make([]figures, len(servers))
	for i, s := range servers {
		medians[i] = median(all[i])
		m := medians[i]
		fmt.Printf("%-12s %12.0f %14s %10s %10s\n", s.name, m.perSecond, m.cpu.Round(time.Microsecond), m.p50.Round(10*time.Microsecond), m.p99.Round(10*time.Microsecond))
	}
	gate, bare, fast := medians[0], medians[1], medians[2]
	calls, faster, cpu := gate.perSecond/bare.perSecond, gate.perSecond/fast.perSecond, float64(gate.cpu)/float64(bare.cpu)
	fmt.Printf("\nrequests/s against bare go-sdk: %.2f (aim %.1f or more); against fastmcp: %.1f (aim %.0f or more); CPU/request against bare: %.2f (aim %.1f or less)\n",
		calls, aimCalls, faster, aimFast, cpu, aimCPU)
	if o.strict && (calls < aimCalls || faster < aimFast || cpu > aimCPU) {
		return errors.New("an aim is missed")
	}
	return nil
}

func median(f []figures) figures {
	pick := func(v func(figures) float64) float64 {
		all := make([]float64, len(f))
		for i := range f {
			all[i] = v(f[i])
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	return figures{
		perSecond: pick(func(f figures) float64 { return f.perSecond }),
		cpu:       time.Duration(pick(func(f figures) float64 { return float64(f.cpu) })),
		p50:       time.Duration(pick(func(f figures) float64 { return float64(f.p50) })),
		p99:       time.Duration(pick(func(f figures) float64 { return float64(f.p99) })),
	}
}

// launch starts a server; ADDRESS in its arguments becomes where it listens.
func launch(name, path string, env []string, args ...string) (*server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, err
	}
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "ADDRESS", address)
	}
	s := &server{name: name, url: "http://" + address + "/mcp", cmd: exec.Command(path, args...)}
	s.cmd.Env = append(os.Environ(), env...)
	var log bytes.Buffer
	s.cmd.Stdout, s.cmd.Stderr = &log, &log
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for range 400 {
		if _, err = ask(context.Background(), s.url, listing); err == nil {
			return s, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return nil, fmt.Errorf("%s does not answer: %w: %s", name, err, log.String())
}

var (
	listing = []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	calling = []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_x_mcp_header","arguments":{"region":"eu","level":3}}}`)
)

var client = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// ask sends one message and checks that the answer is a result.
func ask(ctx context.Context, url string, message []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(message))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK || !bytes.Contains(body, []byte(`"result"`)) || bytes.Contains(body, []byte(`"isError":true`)) {
		return nil, fmt.Errorf("%d %.300s", resp.StatusCode, body)
	}
	if bytes.Equal(message, listing) {
		var v struct{ Result json.RawMessage }
		if err := json.Unmarshal(body, &v); err != nil {
			return nil, err
		}
		return v.Result, nil
	}
	return body, nil
}

// load asks for a while and counts.
func (s *server) load(ctx context.Context, o options) (figures, error) {
	before, err := processorTime(s.cmd.Process.Pid)
	if err != nil {
		return figures{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, o.lasts)
	defer cancel()
	var (
		mu     sync.Mutex
		times  []time.Duration
		failed error
		wg     sync.WaitGroup
	)
	began := time.Now()
	for c := range o.clients {
		wg.Go(func() {
			var own []time.Duration
			var problem error
			for i := c; ctx.Err() == nil && problem == nil; i++ {
				message := calling
				if i%4 == 0 {
					message = listing
				}
				at := time.Now()
				if _, err := ask(context.WithoutCancel(ctx), s.url, message); err != nil {
					problem = err
				}
				own = append(own, time.Since(at))
			}
			mu.Lock()
			defer mu.Unlock()
			times, failed = append(times, own...), errors.Join(failed, problem)
		})
	}
	wg.Wait()
	took := time.Since(began)
	after, err := processorTime(s.cmd.Process.Pid)
	if err := errors.Join(err, failed); err != nil {
		return figures{}, err
	}
	slices.Sort(times)
	return figures{
		perSecond: float64(len(times)) / took.Seconds(), cpu: (after - before) / time.Duration(len(times)),
		p50: times[len(times)/2], p99: times[len(times)*99/100],
	}, nil
}

// processorTime is what a process has used of the processors (Linux, in ticks
// of 10 ms).
func processorTime(pid int) (time.Duration, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
	var ticks int64
	for _, f := range fields[11:13] { // utime, stime
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}
