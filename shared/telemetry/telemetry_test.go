package telemetry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"
)

const canary = "canary7f3a"

var key = "minds_" + strings.Repeat("0123456789abcdef", 3)

func logger(t *testing.T, w *bytes.Buffer, f Format) *slog.Logger {
	t.Helper()
	l, err := New(Options{Writer: w, Format: f, Level: slog.LevelDebug})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

type shy struct{ Inner string }

func (s shy) LogValue() slog.Value { return slog.GroupValue(slog.String("prompt", s.Inner)) }

type named struct{ s string }

func (n *named) String() string { return n.s }

// Nothing that a careless line holds may come out: content under its usual
// names, whole values, and secrets wherever they stand.
func TestNothingLeaks(t *testing.T) {
	for _, f := range []Format{JSON, Text} {
		var out bytes.Buffer
		l := logger(t, &out, f)
		ctx := WithRequest(t.Context(), Request{ID: "r-1", Tool: key, Workspace: "w-1"})
		l.InfoContext(ctx, "authorized with Bearer "+canary+canary+" and "+key,
			"content", canary, "answer", canary, "args", canary, "arguments", map[string]any{"q": canary}, "prompt_text", canary, "apiKey", canary, "APIKey", canary,
			"Authorization", canary, "user.password", canary, "question", []string{canary}, "Token", canary, "secret-value", canary, "url", "https://x/"+canary,
			"struct", struct{ A string }{canary}, "pointer", &struct{ A string }{canary}, "list", []string{canary}, "map", map[string]string{"a": canary}, "bytes", []byte(canary),
			"raw", json.RawMessage(`"`+canary+`"`), "func", func() {}, "valuer", shy{canary}, "buffer", bytes.NewBufferString("fine"),
			"error", fmt.Errorf("dial https://user:%s@host/?sig=%s: %w", canary, canary, errors.New("X-Amz-Signature="+canary)),
			"nested", slog.GroupValue(slog.String("secret", canary), slog.Group("deep", "body", canary)),
			slog.Group("answers", "first", canary), "stringer", &named{"token=" + canary}, "nil", (*named)(nil), "none", nil,
			"note", "see /download/eyJ"+canary+canary+"."+canary, "jwt", "eyJhbGciOiJIUzI1NiJ9."+canary+"."+canary, "provider", "sk-"+canary+canary,
			"long", strings.Repeat("x", maxValue)+canary,
		)
		l.With("key", canary, "ok", 1).WithGroup("g").InfoContext(ctx, "two", "reply", canary)
		if s := out.String(); strings.Contains(s, canary) || strings.Contains(s, key) {
			t.Errorf("%s leaks: %s", f, s)
		}
		if n := strings.Count(out.String(), "\n"); n != 2 {
			t.Errorf("%s: %d lines", f, n)
		}
	}
}

func TestWhatPasses(t *testing.T) {
	var out bytes.Buffer
	ctx := WithRequest(t.Context(), Request{ID: "r-1"})
	ctx = WithRequest(ctx, Request{Tool: "list_minds", Workspace: "w-1"})
	logger(t, &out, JSON).InfoContext(ctx, "ready", "addr", "127.0.0.1:8080", "ms", 12, "tokens", 512, "took", time.Second, "error", errors.New("disk full"),
		"monkey", "a", "contentment", "b", "state", "queued", slog.Group("store", "rows", 3))
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for k, want := range map[string]any{
		"msg": "ready", "level": "INFO", "request": "r-1", "tool": "list_minds", "workspace": "w-1", "addr": "127.0.0.1:8080", "ms": 12.0, "tokens": 512.0,
		"took": 1e9, "error": "disk full", "monkey": "a", "contentment": "b", "state": "queued",
	} {
		if got[k] != want {
			t.Errorf("%s is %v, want %v", k, got[k], want)
		}
	}
}

func TestAuditLine(t *testing.T) {
	var out bytes.Buffer
	ctx := WithLogger(t.Context(), logger(t, &out, JSON))
	ctx = WithRequest(ctx, Request{ID: "r-9", Tool: "other", Workspace: "w-1"})
	Audit(ctx, Call{
		Tool: "create_mind", Account: "a-1", ArgsSHA256: strings.Repeat("ab", 32), Outcome: "ok", Duration: 1500 * time.Microsecond, Surface: "mcp",
	})
	line := out.String()
	var got map[string]any
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		t.Fatal(err)
	}
	for k, want := range map[string]any{
		"msg": "call", "audit": true, "tool": "create_mind", "account": "a-1", "workspace": "w-1", "fingerprint": strings.Repeat("ab", 32),
		"outcome": "ok", "ms": 1.5, "surface": "mcp", "request": "r-9", "level": "INFO",
	} {
		if got[k] != want {
			t.Errorf("%s is %v, want %v", k, got[k], want)
		}
	}
	if strings.Count(line, `"tool"`) != 1 || strings.Count(line, "\n") != 1 {
		t.Errorf("not one clean line: %s", line)
	}
}

// A client may put anything where the audit expects a name.
func TestAuditLeaksNothing(t *testing.T) {
	for _, bad := range []string{key, "my secret is " + canary, canary + "\n{\"audit\":true}", strings.Repeat(canary, 50), "{\"a\":\"" + canary + "\"}"} {
		var out bytes.Buffer
		plain := slog.New(slog.NewJSONHandler(&out, nil)) // even without the guard
		Audit(WithLogger(t.Context(), plain), Call{Tool: bad, Account: bad, Workspace: bad, ArgsSHA256: bad, Outcome: bad, RequestID: bad, Surface: bad})
		if s := out.String(); strings.Contains(s, canary) || strings.Contains(s, key) || strings.Count(s, "invalid") != 7 {
			t.Errorf("%q: %s", bad, s)
		}
	}
}

func TestFormatsAndLevels(t *testing.T) {
	if _, err := New(Options{Format: "xml"}); err == nil {
		t.Error("format xml was taken")
	}
	var out bytes.Buffer
	logger(t, &out, Auto).Info("x")
	if !json.Valid(out.Bytes()) {
		t.Errorf("a pipe gets %q, want JSON", out.String())
	}
	if null, err := os.Open(os.DevNull); err == nil {
		defer null.Close()
		if !terminal(null) { // a character device, as a terminal is
			t.Error("no device")
		}
	}
	for s, want := range map[string]slog.Level{"": slog.LevelInfo, "debug": slog.LevelDebug, "WARN": slog.LevelWarn} {
		if l, err := ParseLevel(s); err != nil || l != want {
			t.Errorf("%q: %v, %v", s, l, err)
		}
	}
	if _, err := ParseLevel("loud"); err == nil {
		t.Error("level loud was taken")
	}
	if Logger(context.Background()) == nil {
		t.Error("no logger")
	}
}

func FuzzScrub(f *testing.F) {
	f.Add("Bearer abcdefghijk", "x")
	f.Add("a minds_", "=")
	f.Fuzz(func(t *testing.T, before, after string) {
		text := before + " " + key + " " + after
		if s := scrub(text); strings.Contains(s, key) {
			t.Fatalf("%q", s)
		}
		// The cheap look never misses what the expression would find.
		for _, s := range []string{before, after, before + after} {
			if secretText.MatchString(s) && !suspicious(s) {
				t.Fatalf("missed %q", s)
			}
		}
	})
}

func BenchmarkAudit(b *testing.B) {
	l, err := New(Options{Writer: discard{}, Format: JSON})
	if err != nil {
		b.Fatal(err)
	}
	ctx := WithLogger(b.Context(), l)
	c := Call{Tool: "create_mind", Account: "a", Workspace: "w", ArgsSHA256: strings.Repeat("ab", 32), Outcome: "ok", RequestID: "r", Surface: "mcp"}
	b.ReportAllocs()
	for b.Loop() {
		Audit(ctx, c)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
