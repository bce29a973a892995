//go:build conformance && aws

package conformance

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// router starts the router function's own binary behind the emulator, with the
// environment that the deployed function has, against the double of AWS.
func router(t *testing.T) (emulated, string) {
	t.Helper()
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	name := os.Getenv("ROUTER_FUNCTION")
	deployed, err := lambda.NewFromConfig(cfg).GetFunctionConfiguration(t.Context(), &lambda.GetFunctionConfigurationInput{FunctionName: &name})
	if err != nil {
		t.Fatal(err)
	}
	bootstrap, err := filepath.Abs("../../dist/mcp/bootstrap")
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=512"}
	for k, v := range deployed.Environment.Variables {
		env = append(env, k+"="+v)
	}
	return emulate(t, bootstrap, append(env, "MINDGATE_PUBLIC_URL="+publicURL, "MINDGATE_RATE_PER_MINUTE=0")...), bootstrap
}

// The router as it is deployed: its first answer, its size, its memory, 300
// requests one after another, and the table of refusals.
func TestRouterFunction(t *testing.T) {
	ownerKey = os.Getenv("MINDGATE_API_KEY")
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	var e emulated
	var bootstrap, url string
	first := time.Hour
	for range 3 { // the best of three starts: the machine may be busy, the function is not slow by itself
		e, bootstrap = router(t)
		url = shim(t, e.address, "2.0")
		began := time.Now()
		a := post(t, url, list)
		if a.status != http.StatusOK {
			t.Fatalf("%d %.400s", a.status, a.body)
		}
		first = min(first, time.Since(began))
	}
	var times []time.Duration
	for i := range 300 {
		body := list
		if i%2 == 1 {
			body = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
		}
		began := time.Now()
		if a := post(t, url, body); a.status != http.StatusOK {
			t.Fatalf("%d %.400s", a.status, a.body)
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	p50, p99 := times[len(times)/2], times[len(times)*99/100]
	rss := int64(0)
	for _, pid := range children(e.cmd.Process.Pid) {
		if n, err := gateway.RSS(pid); err == nil {
			rss = max(rss, n)
		}
	}
	zipped := compressed(t, bootstrap)
	t.Logf("first answer %s with the start; then p50 %s, p99 %s; %.1f MB resident; %.1f MB zipped",
		first.Round(time.Millisecond), p50.Round(10*time.Microsecond), p99.Round(10*time.Microsecond), float64(rss)/1e6, float64(zipped)/1e6)
	if first > 150*time.Millisecond {
		t.Errorf("the first answer took %s, more than 150 ms", first)
	}
	if p99 > 25*time.Millisecond {
		t.Errorf("p99 is %s, more than 25 ms", p99)
	}
	if rss == 0 || rss > 64<<20 {
		t.Errorf("%d bytes resident, at most 64 MiB", rss)
	}
	if zipped > 10<<20 {
		t.Errorf("%d bytes zipped, at most 10 MiB", zipped)
	}

	// A call goes on to the tool's own function.
	if out, refused := call(t, url, ownerKey, "list_studies", `{"limit":3}`); refused || out["limit"] != float64(3) {
		t.Errorf("list_studies: %v", out)
	}
	// The limit of a function is lower and is said.
	big := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":"` + strings.Repeat("x", 5_000_000) + `"}}}`
	if a := post(t, url, big); a.status != 413 || a.at(t, "error", "data", "limitBytes") == nil {
		t.Errorf("a body of 5 MB: %d %.300s", a.status, a.body)
	}
	for _, c := range table() {
		if c.local || strings.Contains(c.body, "test_") || strings.Contains(c.body, "fixture_") {
			continue
		}
		t.Run(c.what, func(t *testing.T) { c.check(t, c.send(t, url)) })
	}
	for _, name := range []string{"test_simple_text", "fixture_start", "test_hidden"} {
		a := post(t, url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":{}}}`)
		if a.at(t, "error", "code") != float64(-32602) {
			t.Errorf("%s answers %s", name, a.body)
		}
	}
}

// children are the processes that a process has started.
func children(parent int) []int {
	var out []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, s := range stats {
		raw, err := os.ReadFile(s)
		if err != nil {
			continue
		}
		var pid, ppid int
		var state string
		rest := raw[bytes.LastIndexByte(raw, ')')+1:]
		if _, err := fmt.Sscan(string(rest), &state, &ppid); err != nil || ppid != parent {
			continue
		}
		if _, err := fmt.Sscan(string(raw), &pid); err == nil {
			out = append(append(out, pid), children(pid)...)
		}
	}
	return out
}

func compressed(t *testing.T, path string) int64 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var n counter
	z := gzip.NewWriter(&n)
	if _, err := io.Copy(z, f); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return int64(n)
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }
