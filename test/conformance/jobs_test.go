//go:build conformance

package conformance

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// status asks for a job.
func status(t *testing.T, url, key, job string) map[string]any {
	t.Helper()
	out, refused := call(t, url, key, "fixture_status", `{"jobId":"`+job+`"}`)
	if refused {
		t.Fatalf("fixture_status: %v", out)
	}
	return out
}

// A job outlives kill -9, its key starts it once, and nobody else sees it.
func TestLongJobs(t *testing.T) {
	s := served(t)
	start := func(args string) map[string]any {
		out, refused := call(t, s.URL, ownerKey, "fixture_start", args)
		if refused {
			t.Fatalf("fixture_start: %v", out)
		}
		return out
	}
	began := time.Now()
	first := start(`{"seconds":4,"idempotencyKey":"once"}`)
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("the start took %s", took)
	}
	job := first["jobId"].(string)
	if again := start(`{"seconds":4,"idempotencyKey":"once"}`); again["jobId"] != job {
		t.Errorf("the same key made another job: %v", again)
	}
	if out, refused := call(t, s.URL, ownerKey, "fixture_start", `{"seconds":9,"idempotencyKey":"once"}`); !refused || out["error"].(map[string]any)["code"] != "IDEMPOTENCY_CONFLICT" {
		t.Errorf("the key with other arguments: %v", out)
	}
	if out := start(`{"seconds":0}`); out["jobId"] == job {
		t.Error("a job without a key is the other job")
	}

	// Another tenant's poll and cancel find nothing, as with an id of nobody.
	other := newKey(t, s, "somebody-else")
	nobody := "00000000-0000-4000-8000-000000000000"
	for _, tool := range []string{"fixture_status", "fixture_cancel"} {
		theirs, refused := call(t, s.URL, other, tool, `{"jobId":"`+job+`"}`)
		none, _ := call(t, s.URL, other, tool, `{"jobId":"`+nobody+`"}`)
		if !refused || theirs["error"].(map[string]any)["message"] != none["error"].(map[string]any)["message"] {
			t.Errorf("%s of another tenant: %v", tool, theirs)
		}
	}

	// A cancelled job stays cancelled.
	gone := start(`{"seconds":2}`)["jobId"].(string)
	if out, _ := call(t, s.URL, ownerKey, "fixture_cancel", `{"jobId":"`+gone+`"}`); out["state"] != "cancelled" {
		t.Errorf("cancel: %v", out)
	}

	s.Kill()
	s = gateway.Start(t, s.Dir, s.Addr, ownerKey, "MINDGATE_FIXTURES=1")
	if out := status(t, s.URL, ownerKey, job); out["state"] != "running" && out["state"] != "completed" {
		t.Errorf("after the restart: %v", out)
	}
	gateway.Eventually(t, 20*time.Second, "the job ends", func() bool { return status(t, s.URL, ownerKey, job)["state"] == "completed" })
	if out := status(t, s.URL, ownerKey, job); out["runs"] != float64(1) || out["percent"] != float64(100) {
		t.Errorf("the job ran %v times: %v", out["runs"], out)
	}
	if again := start(`{"seconds":4,"idempotencyKey":"once"}`); again["jobId"] != job || again["state"] != "completed" {
		t.Errorf("the key after the end: %v", again)
	}
	if out := status(t, s.URL, ownerKey, gone); out["state"] != "cancelled" || out["runs"] != float64(0) {
		t.Errorf("the cancelled job: %v", out)
	}
}

// A job longer than the 60 s that the TypeScript client waits for one request,
// through that client as it comes.
func TestLongJobThroughClient(t *testing.T) {
	t.Parallel()
	s := served(t)
	modules := os.Getenv("NODE_MODULES")
	if modules == "" {
		t.Fatal("NODE_MODULES must name the folder of the TypeScript clients: run make test-conformance")
	}
	dir := t.TempDir()
	script, err := os.ReadFile("longjob.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/longjob.mjs", script, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, dir+"/node_modules"); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", dir+"/longjob.mjs")
	cmd.Env = append(os.Environ(), "MINDGATE_URL="+s.URL+"/mcp", "MINDGATE_API_KEY="+ownerKey)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "completed") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Log(strings.TrimSpace(string(out)))
}

// newKey makes a key of another account.
func newKey(t testing.TB, s *gateway.Server, name string, more ...string) string {
	t.Helper()
	cmd := exec.Command(gateway.Program(t), append([]string{"key", "create", "--data", s.Dir, "--account", name}, more...)...)
	cmd.Env = gateway.Environment()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}
