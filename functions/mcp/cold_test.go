package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// What the stripped router may weigh, in bytes, and how long its first request
// may take from the start of the process.
const (
	maxRouter  = 26_000_000
	maxWithout = 15_000_000 // without the exporter of spans
	maxCold    = 150 * time.Millisecond
)

func build(t *testing.T, tags string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "bootstrap")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-buildvcs=false", "-tags", tags, "-ldflags", "-s -w", "-o", out, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

func size(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// The router's weight is what its first start reads.
func TestRouter(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the router twice")
	}
	program := build(t, "lambda.norpc,grpcnotrace")
	t.Run("size", func(t *testing.T) {
		with, without := size(t, program), size(t, build(t, "lambda.norpc,grpcnotrace,nospans"))
		t.Logf("%.2f MB, without the exporter %.2f MB", float64(with)/1e6, float64(without)/1e6)
		if with > maxRouter || without > maxWithout {
			t.Errorf("%d bytes with the exporter of spans (at most %d), %d without (at most %d)", with, maxRouter, without, maxWithout)
		}
	})
	t.Run("cold start", func(t *testing.T) { coldStarts(t, program) })
}

// The first request of a fresh function, from the start of its process to its
// answer, against a runtime and services that answer at once.
func coldStarts(t *testing.T, program string) {
	t.Helper()
	event, err := os.ReadFile("../../events/mcp.json")
	if err != nil {
		t.Fatal(err)
	}
	services := httptest.NewServer(http.HandlerFunc(services))
	defer services.Close()
	env := []string{
		"AWS_ENDPOINT_URL=" + services.URL,
		"AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", "MINDGATE_SECRET_ARN=arn:secret",
		"MINDGATE_RECORDS_TABLE=records", "MINDGATE_IDEMPOTENCY_TABLE=idempotency", "MINDGATE_PUBLIC_URL=https://gate.example",
	}
	var took []time.Duration
	for range 7 {
		d, _, answer := gateway.ColdStart(t, program, env, event)
		if !strings.Contains(answer, `"protocolVersion\":\"2025-11-25`) {
			t.Fatal(answer)
		}
		took = append(took, d)
	}
	slices.Sort(took)
	t.Logf("first request: %s to %s, median %s", took[0], took[len(took)-1], took[len(took)/2])
	// A busy machine makes single starts slow; half of them must be quick.
	if median := took[len(took)/2]; median > maxCold {
		t.Errorf("the first request takes %s, at most %s", median, maxCold)
	}
}

// services are Secrets Manager and DynamoDB as far as a first request goes: a
// signing secret, a key of an account, a counter.
func services(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	text := `{}`
	switch target := r.Header.Get("X-Amz-Target"); {
	case strings.HasSuffix(target, ".GetSecretValue"):
		text = `{"SecretString":"` + strings.Repeat("a", 64) + `"}`
	case strings.HasSuffix(target, ".GetItem") && strings.Contains(string(body), `"key#`):
		text = item(`{"id":"c1","account":"a","workspace":"w","name":"n","scopes":["*"],"lastUsedAt":"2199-01-01T00:00:00Z"}`)
	case strings.HasSuffix(target, ".GetItem"):
		text = item(`{"id":"a","workspace":"w","name":"n","plan":"team"}`)
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	_, _ = io.WriteString(w, text)
}

func item(body string) string {
	raw, _ := json.Marshal(map[string]any{"Item": map[string]any{
		"pk": map[string]string{"S": "x"}, "sk": map[string]string{"S": "x"}, "version": map[string]string{"N": "1"}, "body": map[string]string{"S": body},
	}})
	return string(raw)
}
