//go:build conformance

package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

const publicURL = "https://gate.example"

// The keys of the tests: an owner of everything, and a reader of another tenant.
var ownerKey = gateway.NewKey()

func TestMain(m *testing.M) {
	code := m.Run()
	gateway.Remove()
	os.Exit(code)
}

// served starts the program with its fixtures.
func served(t testing.TB, env ...string) *gateway.Server {
	t.Helper()
	return gateway.Start(t, t.TempDir(), gateway.FreeAddress(t), ownerKey,
		append([]string{"MINDGATE_FIXTURES=1", "MINDGATE_PUBLIC_URL=" + publicURL}, env...)...)
}

// built builds one of the commands here, once a run.
func built(t testing.TB, name string) string {
	t.Helper()
	buildOnce.Lock()
	defer buildOnce.Unlock()
	path := filepath.Join(filepath.Dir(gateway.Program(t)), name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	cmd := exec.Command("go", "build", "-tags", "lambda.norpc", "-o", path, "./"+name)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

var buildOnce sync.Mutex

// function starts the fixtures as a function behind the emulator and gives the
// address of the shim before it.
func function(t testing.TB, event string) string {
	t.Helper()
	emulated := emulate(t, built(t, "lambda"), "MINDGATE_PUBLIC_URL="+publicURL, "MINDGATE_DATA="+t.TempDir(), "MINDGATE_BOOTSTRAP_KEY="+ownerKey)
	return shim(t, emulated.address, event)
}

type emulated struct {
	address string
	cmd     *exec.Cmd
}

// emulate runs a function's binary behind the runtime interface emulator.
func emulate(t testing.TB, bootstrap string, env ...string) emulated {
	t.Helper()
	address := gateway.FreeAddress(t)
	cmd := exec.Command("aws-lambda-rie", "--runtime-interface-emulator-address", address,
		"--runtime-api-address", gateway.FreeAddress(t), "--log-level", "error", bootstrap)
	cmd.Env = append(gateway.Environment(), append([]string{"AWS_LAMBDA_FUNCTION_NAME=gateway"}, env...)...)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	run(t, cmd, &log)
	gateway.Eventually(t, 10*time.Second, "the emulator listens", func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			err = c.Close()
		}
		return err == nil
	})
	return emulated{"http://" + address, cmd}
}

func shim(t testing.TB, emulator, event string) string {
	t.Helper()
	cmd := exec.Command(built(t, "shim"), "--emulator", emulator, "--event", event)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	cmd.Stderr = &log
	run(t, cmd, &log)
	line := make([]byte, 64)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(line[:n]))
}

// run starts a command and ends it with the test.
func run(t testing.TB, cmd *exec.Cmd, log *bytes.Buffer) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v (make test-conformance installs what the tests need)", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() && log.Len() > 0 {
			t.Logf("%s said: %.2000s", filepath.Base(cmd.Path), log.String())
		}
	})
}

// answer is what came back, whole.
type answer struct {
	status int
	header http.Header
	body   string
}

// json is the body as a value; the test fails if it is none.
func (a answer) json(t testing.TB) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		t.Fatalf("no JSON: %v: %.300s", err, a.body)
	}
	return v
}

// at reads a value by its path.
func (a answer) at(t testing.TB, path ...string) any {
	t.Helper()
	var v any = a.json(t)
	for _, p := range path {
		m, _ := v.(map[string]any)
		v = m[p]
	}
	return v
}

// send sends one request. headers are "Name: value"; "Name:" removes.
func send(t testing.TB, url, method, path string, body io.Reader, headers ...string) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+ownerKey)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ":")
		if value = strings.TrimSpace(value); value == "" {
			req.Header.Del(name)
			continue
		}
		if strings.EqualFold(name, "Host") {
			req.Host = value
			continue
		}
		req.Header.Set(name, value)
	}
	resp, err := plainClient.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(raw)}
}

var plainClient = &http.Client{
	Transport:     &http.Transport{DisableCompression: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// post sends one message to the endpoint.
func post(t testing.TB, url, body string, headers ...string) answer {
	t.Helper()
	return send(t, url, http.MethodPost, "/mcp", strings.NewReader(body), headers...)
}

const statelessMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// modern are the headers of a stateless request.
func modern(method string, more ...string) []string {
	return append([]string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}, more...)
}

// call calls a tool as a client of 2025-11-25 and gives its structured content.
func call(t testing.TB, url, key, tool, args string, headers ...string) (map[string]any, bool) {
	t.Helper()
	a := post(t, url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+args+`}}`,
		append([]string{"Mcp-Protocol-Version: 2025-11-25", "Authorization: Bearer " + key}, headers...)...)
	structured, _ := a.at(t, "result", "structuredContent").(map[string]any)
	refused, _ := a.at(t, "result", "isError").(bool)
	if structured == nil {
		t.Fatalf("%s: %d %.400s", tool, a.status, a.body)
	}
	return structured, refused
}
