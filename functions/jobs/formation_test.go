package jobs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// The machine of a Formation: built, tried again, or settled as failed with the
// name of what went wrong.
func TestFormationMachine(t *testing.T) {
	for name, c := range map[string]struct {
		errors       []string
		builds, ends int
		output       string
	}{
		"built":     {nil, 1, 0, "settled"},
		"transient": {[]string{"Transient", "Sandbox.Timedout"}, 3, 0, "settled"},
		"gives up":  {[]string{"Internal"}, 1, 1, "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{errors: map[string][]string{"FormationBuild": c.errors},
				outputs: map[string]string{"FormationBuild": `{"done":true}`, "FormationFail": `{"status":"failed"}`}}
			x := play(t, "formation", s, "FormationBuild", "FormationFail")
			if x.Status != workflow.Succeeded || string(x.Output) != fmt.Sprintf(`{"status":%q}`, c.output) {
				t.Errorf("%s %s %s", x.Status, x.Output, x.Error)
			}
			builds, ends := 0, 0
			for _, call := range s.calls {
				switch {
				case strings.HasPrefix(call, "FormationBuild "):
					builds++
				case strings.Contains(call, `"error":"Internal"`) && strings.Contains(call, `"job":"job-1"`):
					ends++
				}
			}
			if builds != c.builds || ends != c.ends {
				t.Errorf("%v", s.calls)
			}
		})
	}
}
