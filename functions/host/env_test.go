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
		"MACHINE_MIND_TRAINING=arn:m", "MACHINE_QUESTION=arn:q", "TOOL=list_minds", "NONSENSE",
	})
	if err != nil {
		t.Fatal(err)
	}
	if e.PublicURL != "https://h.example.com" || e.RatePerMinute != 0 || !slices.Equal(e.Origins, []string{"https://a.example.com", "https://b.example.com"}) || e.Tool != "list_minds" {
		t.Errorf("%+v", e)
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
