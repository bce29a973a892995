package e2e

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// run runs the program to its end.
func run(t *testing.T, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, gateway.Program(t), args...)
	cmd.Env = append(gateway.Environment(), env...)
	var out, text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &text
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), text.String(), cmd.ProcessState.ExitCode()
}

func command(t *testing.T, s *gateway.Server, args ...string) string {
	t.Helper()
	out, text, code := run(t, nil, args...)
	if code != 0 {
		t.Fatalf("%v: exit %d: %s\n%s", args, code, text, s.Log())
	}
	return out
}

// Keys can be made, listed and revoked while the server runs.
func TestKeyCommandsBesideAServer(t *testing.T) {
	s := start(t)
	out := command(t, s, "key", "create", "--data", s.Dir, "--account", "ada", "--plan", "premium")
	if !regexp.MustCompile(`^minds_[0-9a-f]{48}\n$`).MatchString(out) {
		t.Fatalf("key create prints %q", out)
	}
	auth := []string{"Authorization", "Bearer " + strings.TrimSpace(out)}
	usage := s.Must(t, 200, "GET", "/api/v1/usage", nil, auth...)
	if usage.Text("data", "plan") != "premium" {
		t.Errorf("plan: %s", usage.Body)
	}
	reader := strings.TrimSpace(command(t, s, "key", "create", "--data", s.Dir, "--account", "ada", "--scopes", "sparks:read"))
	s.Must(t, 200, "GET", "/api/v1/minds", nil, "Authorization", "Bearer "+reader)
	denied := s.Must(t, 403, "POST", "/api/v1/minds", fields{"name": "Ada", "mode": "manual"}, "Authorization", "Bearer "+reader)
	if denied.Text("data", "code") != "INSUFFICIENT_SCOPE" || !strings.Contains(denied.Text("message"), "sparks:write") {
		t.Errorf("scope: %s", denied.Body)
	}
	list := command(t, s, "key", "list", "--data", s.Dir, "--account", "ada")
	id := regexp.MustCompile(`(?m)^c[0-9a-z]{24}`).FindString(list)
	if strings.Count(list, "\n") != 3 || id == "" || strings.Contains(list, reader) {
		t.Fatalf("key list prints\n%s", list)
	}
	command(t, s, "key", "revoke", "--data", s.Dir, "--account", "ada", id)
	s.Must(t, 401, "GET", "/api/v1/usage", nil, auth...)
	if _, text, code := run(t, nil, "key", "revoke", "--data", s.Dir, "--account", "ada", id); code == 0 || !strings.Contains(text, "key list") {
		t.Errorf("revoke twice: exit %d, %s", code, text)
	}
	if _, text, code := run(t, nil, "key", "list", "--data", s.Dir, "--account", "nobody"); code == 0 || !strings.Contains(text, "key create") {
		t.Errorf("unknown account: exit %d, %s", code, text)
	}
	if _, text, code := run(t, nil, "key", "create", "--data", s.Dir, "--account", "x", "--plan", "gold"); code != 2 || !strings.Contains(text, "free, premium") {
		t.Errorf("unknown plan: exit %d, %s", code, text)
	}
}

// A plan without API keys cannot manage them over REST (M-101, M-103).
func TestFreePlanHoldsNoKeys(t *testing.T) {
	s := start(t)
	key := strings.TrimSpace(command(t, s, "key", "create", "--data", s.Dir, "--account", "small", "--plan", "free"))
	a := s.Must(t, 403, "GET", "/api/v1/api-keys", nil, "Authorization", "Bearer "+key)
	if a.Text("data", "code") != "PLAN_LIMIT" || a.Text("data", "limitType") != "apiKeys" || a.Text("data", "currentPlan") != "free" {
		t.Errorf("got %s", a.Body)
	}
}

func oneLine(t *testing.T, text string, says ...string) {
	t.Helper()
	if strings.Count(text, "\n") != 1 {
		t.Errorf("not one line: %q", text)
	}
	for _, s := range says {
		if !strings.Contains(text, s) {
			t.Errorf("%q does not say %q", text, s)
		}
	}
}

// What keeps a server from starting is told in one line that says what to do.
func TestServeThatCannotStart(t *testing.T) {
	s := start(t)
	t.Run("second serve", func(t *testing.T) {
		_, text, code := run(t, nil, "serve", "--data", s.Dir, "--addr", gateway.FreeAddress(t))
		if code == 0 {
			t.Error("it started")
		}
		oneLine(t, text, fmt.Sprintf("process %d", s.PID()), s.Addr, "since", "--data")
	})
	t.Run("port in use", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		_, text, code := run(t, nil, "serve", "--data", t.TempDir(), "--addr", l.Addr().String())
		if code == 0 {
			t.Error("it started")
		}
		oneLine(t, text, "in use", "--addr")
	})
	t.Run("a file as folder", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, text, code := run(t, nil, "serve", "--data", path, "--addr", gateway.FreeAddress(t))
		if code == 0 {
			t.Error("it started")
		}
		oneLine(t, text, "is a file", "--data")
	})
	t.Run("folder not writable", func(t *testing.T) {
		dir := "/proc/mindgate" // nobody may make a folder there
		_, text, code := run(t, nil, "serve", "--data", dir, "--addr", gateway.FreeAddress(t))
		if code == 0 {
			t.Error("it started")
		}
		oneLine(t, text, dir, "--data")
	})
	t.Run("newer version", func(t *testing.T) {
		dir := t.TempDir()
		first := gateway.Start(t, dir, gateway.FreeAddress(t), gateway.NewKey())
		if err := first.Stop(t); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", filepath.Join(dir, "records.db"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("PRAGMA user_version = 1000"); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		_, text, code := run(t, nil, "serve", "--data", dir, "--addr", gateway.FreeAddress(t))
		if code == 0 {
			t.Error("it started")
		}
		oneLine(t, text, "newer version", "--data")
	})
	t.Run("bad variables", func(t *testing.T) {
		for _, env := range []string{"MINDGATE_RATE_PER_MINUTE=many", "MINDGATE_RESPONSES_PER_MONTH=-1", "MINDGATE_BOOTSTRAP_KEY=short", "MINDGATE_PLANS=/nowhere.json"} {
			name, _, _ := strings.Cut(env, "=")
			_, text, code := run(t, []string{env}, "serve", "--data", t.TempDir(), "--addr", gateway.FreeAddress(t))
			if code == 0 {
				t.Error("it started")
			}
			if name == "MINDGATE_RATE_PER_MINUTE" {
				name = "rate-per-minute"
			}
			oneLine(t, text, name)
		}
	})
}

// The first start prints a key that works, once, with configurations to paste;
// the next start says how to make another.
func TestFirstStart(t *testing.T) {
	dir, addr := t.TempDir(), gateway.FreeAddress(t)
	s := gateway.Start(t, dir, addr, "", "MINDGATE_BOOTSTRAP_KEY=")
	var key string
	gateway.Eventually(t, 5*time.Second, "the key", func() bool {
		key = regexp.MustCompile(`minds_[0-9a-f]{48}`).FindString(s.Log())
		return key != "" && strings.Contains(s.Log(), "Another key")
	})
	for _, says := range []string{"claude mcp add", "mcpServers", `"servers"`, "Cursor", "VS Code", s.URL + "/mcp", gateway.Program(t), `"--data"`} {
		if !strings.Contains(s.Log(), says) {
			t.Errorf("the first start does not say %q:\n%s", says, s.Log())
		}
	}
	s.Key = key
	usage := s.Must(t, 200, "GET", "/api/v1/usage", nil)
	if usage.Text("data", "plan") != "enterprise" {
		t.Errorf("the first owner is %s", usage.Body)
	}
	if err := s.Stop(t); err != nil {
		t.Errorf("stop: %v\n%s", err, s.Log())
	}
	again := gateway.Start(t, dir, addr, key, "MINDGATE_BOOTSTRAP_KEY=")
	again.Must(t, 200, "GET", "/api/v1/minds", nil)
	gateway.Eventually(t, 5*time.Second, "the way to another key", func() bool { return strings.Contains(again.Log(), "key create") })
	if strings.Contains(again.Log(), "minds_") {
		t.Errorf("a later start shows a key:\n%s", again.Log())
	}
}

// Help of each command names every flag and variable.
func TestHelp(t *testing.T) {
	for cmd, names := range map[string][]string{
		"serve": {"--addr", "--data", "--public-url", "--rate-per-minute", "--responses-per-month", "--plans", "--origins", "--fetch-allow",
			"MINDGATE_BOOTSTRAP_KEY", "MINDGATE_RATE_PER_MINUTE", "MINDGATE_RESPONSES_PER_MONTH", "MINDGATE_PLANS", "MINDGATE_FETCH_ALLOW",
			"MINDGATE_FIXTURES", "MINDGATE_SECRET_KEY", "MINDGATE_PUBLIC_URL", "MINDGATE_ADDR", "MINDGATE_DATA", "MINDGATE_ORIGINS", "MINDGATE_LOG_LEVEL", "MINDGATE_LOG_FORMAT"},
		"mcp":        {"--toolset", "--data", "--url", "MINDGATE_API_KEY", "MINDGATE_BOOTSTRAP_KEY", "MINDGATE_SECRET_KEY"},
		"key create": {"--data", "--stack", "--account", "--plan", "--scopes", "AWS_ENDPOINT_URL", "MINDGATE_SECRET_KEY"},
		"key list":   {"--data", "--stack", "--account"},
		"key revoke": {"--data", "--stack", "--account"},
	} {
		out, _, code := run(t, nil, append(strings.Fields(cmd), "--help")...)
		if code != 0 {
			t.Errorf("%s --help: exit %d", cmd, code)
		}
		for _, n := range names {
			if !strings.Contains(out, n) {
				t.Errorf("%s --help does not name %s:\n%s", cmd, n, out)
			}
		}
	}
}

// Ready fast, small at rest.
func TestStartIsFastAndSmall(t *testing.T) {
	s := start(t)
	rss, err := gateway.RSS(s.PID())
	if err != nil {
		t.Skip("no /proc here")
	}
	own, err := gateway.Own(s.PID())
	if err != nil {
		t.Skip(err)
	}
	t.Logf("ready after %s, %.1f MB of its own at rest, %.1f MB with the pages of the program", s.Ready.Round(time.Millisecond), float64(own)/1e6, float64(rss)/1e6)
	// The figures to hold are 300 ms and 60 MB; a busy test machine gets slack
	// in time, none in memory. Pages of the program come and go with the system.
	if s.Ready > 3*time.Second || own > 30<<20 || rss > 80<<20 {
		t.Errorf("ready after %s, %d bytes of its own at rest, %d with the program", s.Ready, own, rss)
	}
}
