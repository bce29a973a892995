package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"syscall"
	"testing"
	"time"
)

// Over pipes the program ends cleanly when its input does and when it is told to,
// on a folder and as a bridge, and writes nothing but protocol.
func TestPipesEndCleanly(t *testing.T) {
	s := start(t)
	for mode, args := range map[string][]string{"folder": {"--data", s.Dir}, "bridge": {"--url", s.URL + "/mcp"}} {
		for end, signal := range map[string]os.Signal{"EOF": nil, "SIGINT": os.Interrupt, "SIGTERM": syscall.SIGTERM} {
			t.Run(mode+" "+end, func(t *testing.T) {
				cmd := stdio(t, s.Key, args...)
				in, err := cmd.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				var log bytes.Buffer
				cmd.Stderr = &log
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				defer func() { _ = cmd.Process.Kill() }()
				_, _ = in.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"))
				lines := bufio.NewScanner(out)
				if !lines.Scan() || !json.Valid(lines.Bytes()) {
					t.Fatalf("no answer: %q\n%s", lines.Bytes(), &log)
				}
				told := time.Now()
				if signal == nil {
					err = in.Close()
				} else {
					err = cmd.Process.Signal(signal)
				}
				if err != nil {
					t.Fatal(err)
				}
				for lines.Scan() {
					t.Errorf("it writes %q after its end", lines.Text())
				}
				if err := cmd.Wait(); err != nil {
					t.Errorf("%v\n%s", err, &log)
				}
				// One second on an idle machine; this one may be busy.
				if took := time.Since(told); took > 5*time.Second {
					t.Errorf("it took %s to end", took)
				}
			})
		}
	}
}
