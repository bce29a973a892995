//go:build aws

package aws

import (
	"fmt"
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

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// A function of a tool or a task starts with neither weights nor readers of files:
// its own binary with the environment of the deployed one, from the start of the
// process to its first answer.
func TestFunctionsStartWithoutWeightsAndReaders(t *testing.T) {
	const most, memory = 400 * time.Millisecond, 64 << 20
	for _, c := range []struct{ function, bundle, answers string }{
		{"list_minds", "minds", `"totalCount":0`},
		{"chat_with_mind", "minds", "NOT_FOUND"}, // of an account that has no Mind
		{"manage_mind_knowledge", "minds", "NOT_FOUND"},
		{"KnowledgeIngest", "jobs", ""},
	} {
		t.Run(c.function, func(t *testing.T) {
			event, err := os.ReadFile("../../events/" + c.function + ".json")
			if err != nil {
				t.Fatal(err)
			}
			env := environment(t, c.function)
			program, err := filepath.Abs("../../dist/" + c.bundle + "/bootstrap")
			if err != nil {
				t.Fatal(err)
			}
			var took []time.Duration
			var rss int64
			for range 5 {
				d, resident, answer := coldStart(t, program, env, event)
				if !strings.Contains(answer, c.answers) {
					t.Fatalf("%.400s", answer)
				}
				took, rss = append(took, d), max(rss, resident)
			}
			slices.Sort(took)
			t.Logf("first answer after %s to %s, median %s; %.1f MB resident", took[0].Round(time.Millisecond), took[4].Round(time.Millisecond),
				took[2].Round(time.Millisecond), float64(rss)/1e6)
			// The machine may be busy; the function is not slow by itself.
			if took[0] > most {
				t.Errorf("the first answer takes %s at best, more than %s", took[0], most)
			}
			if rss > memory {
				t.Errorf("%d bytes resident, more than %d", rss, memory)
			}
		})
	}
}

// environment is what the deployed function is given.
func environment(t *testing.T, function string) []string {
	t.Helper()
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	name := os.Getenv("STACK") + "-" + function
	deployed, err := lambda.NewFromConfig(cfg).GetFunctionConfiguration(t.Context(), &lambda.GetFunctionConfigurationInput{FunctionName: &name})
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=512"}
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "AWS_") {
			env = append(env, v)
		}
	}
	for k, v := range deployed.Environment.Variables {
		env = append(env, k+"="+v)
	}
	return env
}

// coldStart runs a function's program behind a runtime that has one event for it,
// and tells when it answered what, and its memory then.
func coldStart(t *testing.T, program string, env []string, event []byte) (time.Duration, int64, string) {
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
		rss, err := gateway.RSS(cmd.Process.Pid)
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
