//go:build models

package models

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/open"
)

// Key is what the stand-in takes, where it wants one.
const key = "a-key-for-tests"

// start runs the stand-in on a port of its own and gives its address. With keys it
// refuses whoever brings none of them.
func start(t *testing.T, keys string) string {
	t.Helper()
	bin, err := filepath.Abs("../../.tools/aimock/node_modules/.bin/llmock")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(bin); err != nil {
		t.Fatalf("the stand-in is not installed; run ./test/tools/install models: %v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	cmd := exec.Command("node", bin, "-p", fmt.Sprint(port), "-f", "testdata/fixtures.json", "--strict")
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	if keys != "" {
		cmd.Env = append(cmd.Env, "AIMOCK_API_KEYS="+keys)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	said := ""
	for lines.Scan() {
		said += lines.Text() + "\n"
		if strings.Contains(lines.Text(), "listening on") {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return fmt.Sprintf("http://127.0.0.1:%d", port)
		}
	}
	t.Fatalf("the stand-in ended:\n%s", said)
	return ""
}

// provider is one way to the stand-in.
type provider struct {
	name     string
	settings model.Settings
	secret   string
}

func providers(base string) []provider {
	return []provider{
		{"openai", model.Settings{Provider: model.OpenAI, Model: "gpt-5", Endpoint: base}, key},
		{"openai_compatible", model.Settings{Provider: model.OpenAICompatible, Model: "llama3.1:8b", Endpoint: base + "/v1"}, key},
		{"anthropic", model.Settings{Provider: model.Anthropic, Model: "claude-sonnet-5", Endpoint: base}, key},
		{"bedrock", model.Settings{Provider: model.Bedrock, Model: "eu.amazon.nova-lite-v1:0", Region: "eu-central-1", Endpoint: base}, "AKIDEXAMPLE:secret"},
	}
}

// dial opens a client as the gateway does, through its guard.
func dial(t *testing.T, base string, s model.Settings, secret string) model.Client {
	t.Helper()
	guard, err := fetch.NewGuard(fetch.Options{Allow: []string{strings.TrimPrefix(base, "http://")}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := open.New(open.Options{Guard: guard, Clock: clock.System{}, AWS: func(context.Context) (aws.Config, error) { return aws.Config{}, nil }})(t.Context(), s, secret)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func say(text string) model.Request {
	return model.Request{System: "You are on a test.", CacheSystem: true, MaxTokens: 100, Messages: []model.Message{{Role: model.User, Text: text}}}
}

// journal gives the bodies that the stand-in got, as JSON.
func journal(t *testing.T, base string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/__aimock/journal", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var entries []struct{ Body json.RawMessage }
	if err := json.NewDecoder(res.Body).Decode(&entries); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, e := range entries {
		all.Write(e.Body)
		all.WriteByte('\n')
	}
	return all.String()
}
