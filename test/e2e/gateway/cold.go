package gateway

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// ColdStart runs a function's program behind a runtime that has one event for it,
// and tells when it answered what, and its memory then.
func ColdStart(t testing.TB, program string, env []string, event []byte) (time.Duration, int64, string) {
	t.Helper()
	answered, next := make(chan string, 1), make(chan struct{}, 1)
	next <- struct{}{}
	runtime := http.NewServeMux()
	runtime.HandleFunc("GET /2018-06-01/runtime/invocation/next", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-next:
			w.Header().Set("Lambda-Runtime-Aws-Request-Id", "request-1")
			w.Header().Set("Lambda-Runtime-Deadline-Ms", fmt.Sprint(time.Now().Add(29*time.Second).UnixMilli()))
			_, _ = w.Write(event)
		case <-r.Context().Done():
		}
	})
	runtime.HandleFunc("POST /2018-06-01/runtime/", func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
		select {
		case answered <- string(raw):
		default:
		}
	})
	server := httptest.NewServer(runtime)
	defer server.Close()
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Dir = filepath.Dir(program) // as a function starts in its own folder
	cmd.Env = append(slices.Clone(env), "AWS_LAMBDA_RUNTIME_API="+strings.TrimPrefix(server.URL, "http://"))
	var log strings.Builder
	cmd.Stderr = &log
	started := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	select {
	case text := <-answered:
		took := time.Since(started)
		rss, err := RSS(cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		return took, rss, text
	case <-time.After(20 * time.Second):
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		t.Fatalf("no answer: %s", log.String())
		return 0, 0, ""
	}
}
