//go:build aws

package aws

import (
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
				d, resident, answer := gateway.ColdStart(t, program, env, event)
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
