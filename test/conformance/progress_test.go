//go:build conformance

package conformance

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A call that asks for progress gets it on the way, the first within a second
// and each higher than the last; the answer comes last and equals the plain one.
func TestProgressStream(t *testing.T) {
	url := served(t).URL
	stateless := strings.Replace(statelessMeta, `"_meta":{`, `"_meta":{"progressToken":"p",`, 1)
	for revision, c := range map[string]struct {
		meta    string
		headers []string
	}{
		"2025-11-25": {`"_meta":{"progressToken":"p"}`, []string{"Mcp-Protocol-Version: 2025-11-25"}},
		"2026-07-28": {stateless, modern("tools/call", "Mcp-Name: test_tool_with_progress")},
	} {
		t.Run(revision, func(t *testing.T) {
			body := `{"jsonrpc":"2.0","id":"s","method":"tools/call","params":{"name":"test_tool_with_progress","arguments":{},` + c.meta + `}}`
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/mcp", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			req.Header.Set("Authorization", "Bearer "+ownerKey)
			for _, h := range c.headers {
				name, value, _ := strings.Cut(h, ": ")
				req.Header.Set(name, value)
			}
			began := time.Now()
			resp, err := plainClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("X-Accel-Buffering") != "no" {
				t.Fatalf("%d %v", resp.StatusCode, resp.Header)
			}
			last, steps, answered := -1.0, 0, false
			for in := bufio.NewScanner(resp.Body); in.Scan(); {
				data, ok := strings.CutPrefix(in.Text(), "data: ")
				if !ok {
					continue
				}
				var m struct {
					ID     string
					Method string
					Params struct {
						ProgressToken   string
						Progress, Total float64
					}
					Result json.RawMessage
				}
				if err := json.Unmarshal([]byte(data), &m); err != nil {
					t.Fatal(err)
				}
				switch {
				case answered:
					t.Fatalf("after the answer: %s", data)
				case m.Method == "notifications/progress":
					if steps == 0 && time.Since(began) > time.Second {
						t.Errorf("the first step came after %s", time.Since(began))
					}
					if m.Params.Progress <= last || m.Params.ProgressToken != "p" {
						t.Errorf("%s after %v", data, last)
					}
					last = m.Params.Progress
					steps++
				default:
					answered = m.ID == "s" && strings.Contains(string(m.Result), "Reported three steps.")
				}
			}
			if steps != 3 || !answered {
				t.Errorf("%d steps, answered %v", steps, answered)
			}
			a := post(t, url, body, append(c.headers, "Accept: application/json")...)
			if a.header.Get("Content-Type") != "application/json" || !strings.Contains(a.body, "Reported three steps.") {
				t.Errorf("without a stream: %s", a.body)
			}
		})
	}
}
