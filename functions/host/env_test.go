package host

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestEnvironment(t *testing.T) {
	e, err := ReadEnv([]string{
		"MINDGATE_STAGE=prod", "MINDGATE_PUBLIC_URL=https://h.example.com/", "MINDGATE_ORIGINS=https://a.example.com, ,https://b.example.com",
		"MINDGATE_RATE_PER_MINUTE=0", "MINDGATE_RECORDS_TABLE=r", "MINDGATE_IDEMPOTENCY_TABLE=i", "MINDGATE_BUCKET=b", "MINDGATE_SECRET_ARN=arn:s",
		"MINDGATE_MODEL=bedrock:eu.amazon.nova-lite-v1:0", "MINDGATE_MODEL_ENDPOINT=https://m.example.com", "MINDGATE_MODEL_KEY=model-key",
		"MACHINE_MIND_TRAINING=arn:m", "MACHINE_QUESTION=arn:q", "TOOL=list_minds", "NONSENSE",
	})
	if err != nil {
		t.Fatal(err)
	}
	if e.PublicURL != "https://h.example.com" || e.RatePerMinute != 0 || !slices.Equal(e.Origins, []string{"https://a.example.com", "https://b.example.com"}) || e.Tool != "list_minds" {
		t.Errorf("%+v", e)
	}
	if want := (Model{"bedrock:eu.amazon.nova-lite-v1:0", "https://m.example.com", "model-key"}); e.Model != want {
		t.Errorf("model: %+v", e.Model)
	}
	if want := map[string]string{"mind-training": "arn:m", "question": "arn:q"}; !maps.Equal(e.Machines, want) {
		t.Errorf("machines: %v", e.Machines)
	}
}

// Everything that is wrong is named at once, as each try costs a deployment.
func TestIncompleteEnvironment(t *testing.T) {
	_, err := ReadEnv([]string{"MINDGATE_RATE_PER_MINUTE=many", "MINDGATE_RESPONSES_PER_MONTH=-1"})
	if err == nil {
		t.Fatal("accepted")
	}
	for _, name := range []string{"MINDGATE_RECORDS_TABLE", "MINDGATE_IDEMPOTENCY_TABLE", "MINDGATE_SECRET_ARN", "MINDGATE_RATE_PER_MINUTE", "MINDGATE_RESPONSES_PER_MONTH"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%q does not name %s", err, name)
		}
	}
}

// A pair of hosts that may be fetched would open the account's own network to
// callers, so Lambda refuses it; an engine is checked like everything else.
func TestEnvironmentOfFetches(t *testing.T) {
	base := []string{"MINDGATE_RECORDS_TABLE=r", "MINDGATE_IDEMPOTENCY_TABLE=i", "MINDGATE_SECRET_ARN=arn:s"}
	for _, c := range []struct {
		lines []string
		says  string
	}{
		{[]string{"MINDGATE_FETCH_ALLOW=127.0.0.1:9000"}, ""},
		{[]string{"AWS_LAMBDA_FUNCTION_NAME=x", "MINDGATE_FETCH_ALLOW="}, ""},
		{[]string{"AWS_LAMBDA_FUNCTION_NAME=x", "MINDGATE_FETCH_ALLOW=127.0.0.1:9000"}, "MINDGATE_FETCH_ALLOW"},
		{[]string{"AWS_LAMBDA_RUNTIME_API=127.0.0.1:9001", "MINDGATE_FETCH_ALLOW=127.0.0.1:9000"}, "MINDGATE_FETCH_ALLOW"},
		{[]string{"MINDGATE_SEARCH_PROVIDER=tavily", "MINDGATE_SEARCH_KEY=mindgate/search"}, ""},
		{[]string{"MINDGATE_SEARCH_PROVIDER=tavily"}, "MINDGATE_SEARCH_KEY"},
		{[]string{"MINDGATE_SEARCH_PROVIDER=other", "MINDGATE_SEARCH_KEY=k"}, "MINDGATE_SEARCH_PROVIDER"},
	} {
		e, err := ReadEnv(slices.Concat(base, c.lines))
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%v: %v", c.lines, err)
		}
		if err == nil && len(c.lines) == 2 && strings.HasPrefix(c.lines[1], "MINDGATE_SEARCH_KEY") && e.Search.KeySecret != "mindgate/search" {
			t.Errorf("%+v", e.Search)
		}
	}
}
