package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/model/modeltest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// M-341: the reason of a choice is held against its sources as a sentence of a
// reply is; what it makes up goes, and with it what it claimed to rest on.
func TestReasonsAreHeldToo_M341(t *testing.T) {
	for _, c := range []struct {
		basis, sources, reason string
		state                  simulate.State
		said                   bool
	}{
		{"sources", `"S1"`, "It carried 83,412 passengers in 2025.", simulate.Stated, true},
		{"sources", `"S1"`, "It carried 999,999 passengers.", simulate.Unsupported, false},
		{"sources", `"S1"`, "It is owned by Norway.", simulate.Unsupported, false},
		{"persona", ``, "I would rather be on the water.", simulate.Trait, true},
		{"persona", ``, "I founded the ferry with my uncle.", simulate.Unsupported, false},
		{"persona", ``, "I am a real human.", simulate.Unsupported, false},
	} {
		m := modeltest.Says(fmt.Sprintf(`{"answer":"Yes","basis":%q,"sources":[%s],"reason":%q}`, c.basis, c.sources, c.reason))
		a, err := New(m, Options{}).Ask(t.Context(), simulate.Question{Text: "Does the Velmora ferry carry many passengers?", Type: simulate.Categorical, Options: []string{"Yes", "No"}}, simulate.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Answer(t.Context(), commuter())
		if err != nil || got.State != c.state || strings.Contains(got.Message, c.reason) != c.said || got.Option != "Yes" {
			t.Errorf("%s: %+v %v", c.reason, got, err)
		}
	}
}

// A Mind for which the model says nothing cannot answer; the study goes on.
func TestSilenceEndsNoStudy(t *testing.T) {
	a, err := New(modeltest.Says(""), Options{}).Ask(t.Context(), simulate.Question{Text: "What about the ferry?", Type: simulate.Qualitative}, simulate.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := a.Answer(t.Context(), commuter()); err != nil || got.Status != simulate.CannotAnswer || got.Reason != ReasonMalformed {
		t.Errorf("%+v %v", got, err)
	}
}
