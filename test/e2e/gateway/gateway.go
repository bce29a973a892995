// Package gateway starts the real program for tests and talks to it as clients
// do.
package gateway

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var (
	once    sync.Once
	program string
	built   error
)

// Program builds mindgate once a test run and returns its path. Remove must be
// called at the end (TestMain).
func Program(t testing.TB) string {
	t.Helper()
	once.Do(func() {
		dir, err := os.MkdirTemp("", "mindgate-test-")
		if err != nil {
			built = err
			return
		}
		program = filepath.Join(dir, "mindgate")
		// By its import path: a test runs in a folder of the module, and the
		// place of this source file is not in a trimmed binary.
		cmd := exec.Command("go", "build", "-o", program, "github.com/mindgate-dev/mindgate/cmd/mindgate")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			built = fmt.Errorf("%w\n%s", err, out)
		}
	})
	if built != nil {
		t.Fatal(built)
	}
	return program
}

// Remove deletes what Program has built.
func Remove() {
	if program != "" {
		_ = os.RemoveAll(filepath.Dir(program))
	}
}

// NewKey is a fresh secret for MINDGATE_BOOTSTRAP_KEY.
func NewKey() string {
	raw := make([]byte, 24)
	_, _ = rand.Read(raw) // never fails
	return "minds_" + hex.EncodeToString(raw)
}

// FreeAddress is an address that nobody listens on now.
func FreeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Server is one running mindgate serve.
type Server struct {
	URL, Key, Dir, Addr string
	Ready               time.Duration // from start to the first 200 of /healthz

	cmd   *exec.Cmd
	log   *bytes.Buffer
	mu    *sync.Mutex
	ended chan error
}

// Start runs serve on a folder and waits until it is ready. env adds to the
// environment.
func Start(t testing.TB, dir, addr, key string, env ...string) *Server {
	t.Helper()
	s := &Server{URL: "http://" + addr, Key: key, Dir: dir, Addr: addr, log: &bytes.Buffer{}, mu: &sync.Mutex{}, ended: make(chan error, 1)}
	s.cmd = exec.Command(Program(t), "serve", "--addr", addr, "--data", dir)
	s.cmd.Env = append(Environment(), append([]string{"MINDGATE_BOOTSTRAP_KEY=" + key, "MINDGATE_RATE_PER_MINUTE=0"}, env...)...)
	out := &lockedWriter{mu: s.mu, w: s.log}
	s.cmd.Stdout, s.cmd.Stderr = out, out
	started := time.Now()
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { s.ended <- s.cmd.Wait() }()
	t.Cleanup(s.Kill)
	for {
		resp, err := http.Get(s.URL + "/healthz")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				s.Ready = time.Since(started)
				return s
			}
		}
		select {
		case err := <-s.ended:
			s.ended <- err
			t.Fatalf("serve ended: %v\n%s", err, s.Log())
		default:
		}
		if time.Since(started) > 20*time.Second {
			t.Fatalf("serve is not ready\n%s", s.Log())
		}
		time.Sleep(2 * time.Millisecond) // another process's readiness is only seen by asking
	}
}

// Environment is this process's without the variables of mindgate.
func Environment() []string {
	var out []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MINDGATE_") {
			out = append(out, v)
		}
	}
	return out
}

// PID of the process.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Kill ends the process as kill -9 does.
func (s *Server) Kill() {
	_ = s.cmd.Process.Signal(syscall.SIGKILL) // it may be gone
	err := <-s.ended
	s.ended <- err
}

// Stop asks the process to end and returns how it did.
func (s *Server) Stop(t testing.TB) error {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-s.ended:
		s.ended <- err
		return err
	case <-time.After(15 * time.Second):
		t.Fatalf("serve does not stop\n%s", s.Log())
		return nil
	}
}

// Log is what the process has printed; nothing of a gateway that At names.
func (s *Server) Log() string {
	if s.log == nil {
		return "" // of another place
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// Answer is one answer over REST.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	JSON   map[string]any // nil when the body is no object
}

// Call makes one REST call. body may be nil, a reader with its content type
// in headers, or a value that is sent as JSON.
func (s *Server) Call(ctx context.Context, method, path string, body any, headers ...string) (Answer, error) {
	var r io.Reader
	contentType := ""
	switch b := body.(type) {
	case nil:
	case io.Reader:
		r = b
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			return Answer{}, err
		}
		r, contentType = bytes.NewReader(raw), "application/json"
	}
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, r)
	if err != nil {
		return Answer{}, err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	req.Header.Set("Authorization", "Bearer "+s.Key)
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i+1] == "" {
			req.Header.Del(headers[i])
			continue
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := noRedirect.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Status: resp.StatusCode, Header: resp.Header, Body: raw}
	_ = json.Unmarshal(raw, &a.JSON) // stays nil for other bodies
	return a, nil
}

var noRedirect = &http.Client{
	Timeout:       30 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// Must is Call that fails the test when the status is another.
func (s *Server) Must(t testing.TB, status int, method, path string, body any, headers ...string) Answer {
	t.Helper()
	a, err := s.Call(t.Context(), method, path, body, headers...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", method, path, err, s.Log())
	}
	if a.Status != status {
		t.Fatalf("%s %s: %d, want %d: %s\n%s", method, path, a.Status, status, a.Body, s.Log())
	}
	return a
}

// At reads a value by its path: At("data", "id").
func (a Answer) At(path ...string) any {
	var v any = a.JSON
	for _, p := range path {
		m, _ := v.(map[string]any)
		v = m[p]
	}
	return v
}

// Text is At as a text.
func (a Answer) Text(path ...string) string { s, _ := a.At(path...).(string); return s }

// Eventually asks until done says so.
func Eventually(t testing.TB, within time.Duration, what string, done func() bool) {
	t.Helper()
	end := time.Now().Add(within)
	for !done() {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", within, what)
		}
		time.Sleep(20 * time.Millisecond) // another process's progress is only seen by asking
	}
}

// Own is the memory that a process holds for itself, in bytes: its resident memory
// without the pages of the program's file, which the system may drop and read
// again.
func Own(pid int) (int64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(raw)) {
		if kb, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			n, err := strconv.ParseInt(strings.Fields(kb)[0], 10, 64)
			return n << 10, err
		}
	}
	return 0, errors.New("the system does not tell RssAnon")
}

// RSS is the resident memory of a process in bytes (Linux).
func RSS(pid int) (int64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		var kb int64
		if n, _ := fmt.Sscanf(lines.Text(), "VmRSS: %d kB", &kb); n == 1 {
			return kb << 10, nil
		}
	}
	return 0, errors.New("no VmRSS")
}

type lockedWriter struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}
