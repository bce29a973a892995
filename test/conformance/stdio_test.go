//go:build conformance

package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/stdio"
	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

const (
	opening = `{"jsonrpc":"2.0","id":"日本語","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"é","version":"1"}}}`
	asking  = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_studies","arguments":{}}}`
)

func framed(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// Both framings of the pipes, whatever a client does to them: right answers in
// the same framing, nothing else on stdout, and an end soon after the input's.
func TestPipes(t *testing.T) {
	big := func(size int) string {
		head, tail := `{"jsonrpc":"2.0","id":3,"method":"ping","params":{"_meta":{"a":"`, `"}}}`
		return head + strings.Repeat("x", size-len(head)-len(tail)) + tail
	}
	pretty := strings.NewReplacer(",", ",\n  ", "{", "{\n  ").Replace(opening)
	type want struct {
		id   string
		code int // 0: a result
	}
	both := []want{{`"日本語"`, 0}, {"2", 0}}
	cases := []struct {
		what    string
		in      func(frame func(string) string) string
		headers bool // header frames only
		want    []want
	}{
		{"all at once", func(f func(string) string) string { return f(opening) + f(asking) }, false, both},
		{"pretty-printed", func(f func(string) string) string { return f(pretty) + f(asking) }, true, both},
		{"24 MiB", func(f func(string) string) string { return f(big(24 << 20)) }, false, []want{{"3", 0}}},
		{"above the limit, then good", func(f func(string) string) string { return f(big(24<<20+1)) + f(asking) }, false, []want{{"null", -32700}, {"2", 0}}},
		{"bad, then good", func(f func(string) string) string { return f(`{"jsonrpc":`) + f(asking) }, false, []want{{"null", -32700}, {"2", 0}}},
		{"end inside a message", func(f func(string) string) string { return f(opening) + f(asking)[:len(f(asking))-9] }, false, both[:1]},
		{"end at once", func(func(string) string) string { return "" }, false, nil},
	}
	dir := t.TempDir()
	for _, framing := range []struct {
		name  string
		kind  stdio.Framing
		frame func(string) string
	}{
		{"lines", stdio.Lines, func(s string) string { return s + "\n" }},
		{"lines with CRLF", stdio.Lines, func(s string) string { return s + "\r\n" }},
		{"headers", stdio.Headers, framed},
		{"headers with LF", stdio.Headers, func(s string) string { return fmt.Sprintf("content-length: %d\nX-Other: 1\n\n%s", len(s), s) }},
	} {
		for _, c := range cases {
			if c.headers && framing.kind != stdio.Headers {
				continue
			}
			for _, bytewise := range []bool{false, true} {
				in := c.in(framing.frame)
				if bytewise && len(in) > 1<<20 {
					continue // 24 million writes prove nothing more
				}
				t.Run(fmt.Sprintf("%s/%s/bytewise=%v", framing.name, c.what, bytewise), func(t *testing.T) {
					out := pipe(t, dir, in, bytewise)
					r := stdio.NewReader(bytes.NewReader(out), 0)
					got := map[string]int{}
					for {
						f, err := r.Next()
						if err == io.EOF {
							break
						}
						if err != nil || f.Bad != nil || f.Framing != framing.kind {
							t.Fatalf("%v %v, framing %v on stdout: %.200q", err, f.Bad, f.Framing, out)
						}
						var m struct {
							ID    json.RawMessage
							Error *struct{ Code int }
						}
						if err := json.Unmarshal(f.Body, &m); err != nil {
							t.Fatal(err)
						}
						id := string(m.ID)
						if _, twice := got[id]; twice {
							t.Errorf("%s is answered twice", id)
						}
						got[id] = 0
						if m.Error != nil {
							got[id] = m.Error.Code
						}
					}
					if len(got) != len(c.want) {
						t.Errorf("answers %v, want %v", got, c.want)
					}
					for _, w := range c.want {
						if code, ok := got[w.id]; !ok || code != w.code {
							t.Errorf("answers %v, want %v", got, c.want)
						}
					}
				})
			}
		}
	}
}

// pipe runs `mindgate mcp` on an input and gives what it wrote. The end of the
// input must end it within a second, and with 0.
func pipe(t *testing.T, dir, in string, bytewise bool) []byte {
	t.Helper()
	cmd := exec.Command(gateway.Program(t), "mcp", "--data", dir)
	cmd.Env = append(gateway.Environment(), "MINDGATE_BOOTSTRAP_KEY="+ownerKey, "MINDGATE_RATE_PER_MINUTE=0")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	out := &watched{}
	cmd.Stdout, cmd.Stderr = out, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	for rest := in; rest != ""; {
		n := len(rest)
		if bytewise {
			n = 1
		}
		if _, err := io.WriteString(stdin, rest[:n]); err != nil {
			t.Fatalf("%v: %s", err, log.String())
		}
		rest = rest[n:]
	}
	if len(in) > 1<<20 {
		// A client that sends this much reads the answer before it goes.
		gateway.Eventually(t, 20*time.Second, "an answer", func() bool { return out.Len() > 0 })
	}
	if err := stdin.Close(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	const within = time.Second
	select {
	case err := <-ended:
		if err != nil {
			t.Fatalf("%v: %s", err, log.String())
		}
	case <-time.After(within):
		t.Fatalf("still there %s after the end of its input: %s", within, log.String())
	}
	return out.Bytes()
}

// watched is a buffer that can be looked at while it is written.
type watched struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *watched) Len() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Len()
}

func (w *watched) Bytes() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return bytes.Clone(w.b.Bytes())
}

// Without a credential it says on one line what to do and ends with 2.
func TestPipesWithoutKey(t *testing.T) {
	cmd := exec.Command(gateway.Program(t), "mcp", "--data", t.TempDir())
	cmd.Env = gateway.Environment()
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	_ = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 2 || out.Len() > 0 || strings.Count(strings.TrimSpace(log.String()), "\n") != 0 || !strings.Contains(log.String(), "key create") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, out.String(), log.String())
	}
}
