package main

import (
	"bytes"
	"strings"
	"testing"
)

// A model that cannot work is said at the start, with what to change and without
// the key.
func TestWrongModel(t *testing.T) {
	for args, want := range map[string]struct {
		code int
		says string
	}{
		"--model gpt-5":                {exitUsage, "provider:model"},
		"--model gemini:x":             {exitUsage, "provider:model"},
		"--model-endpoint https://x.y": {exitUsage, "--model"},
		"--model openai_compatible:m":  {exitFailed, "endpoint is needed"},
		"--model openai_compatible:m --model-endpoint http://127.0.0.1:9/v1": {exitFailed, "allows its host and port"},
		"--model bedrock:m --model-endpoint ftp://x":                         {exitFailed, "endpoint"},
	} {
		t.Setenv("MINDGATE_MODEL_KEY", "sk-secret")
		t.Setenv("MINDGATE_API_KEY", testKey)
		t.Setenv("MINDGATE_BOOTSTRAP_KEY", testKey)
		var out, text bytes.Buffer
		code := run(t.Context(), append([]string{"mcp", "--data", t.TempDir()}, strings.Fields(args)...), streams{strings.NewReader(""), &out, &text})
		if code != want.code || !strings.Contains(text.String(), want.says) || strings.Contains(text.String(), "sk-secret") {
			t.Errorf("%s: exit %d, %s", args, code, text.String())
		}
	}
}
