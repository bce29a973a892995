package jobs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// The machine of a heatmap: pieces in any number, transient errors tried again, every
// other failure settled with the name of what went wrong (M-232).
func TestHeatmapMachine(t *testing.T) {
	for name, c := range map[string]struct {
		errors      []string
		looks, ends int
		output      string
	}{
		"looked at": {nil, 1, 0, "settled"},
		"transient": {[]string{"Transient", "Sandbox.Timedout"}, 3, 0, "settled"},
		"gives up":  {[]string{"Internal"}, 1, 1, "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{errors: map[string][]string{"HeatmapLook": c.errors},
				outputs: map[string]string{"HeatmapLook": `{"done":true}`, "HeatmapFail": `{"status":"failed"}`}}
			x := play(t, "heatmap", s, "HeatmapLook", "HeatmapFail")
			if x.Status != workflow.Succeeded || string(x.Output) != fmt.Sprintf(`{"status":%q}`, c.output) {
				t.Errorf("%s %s %s", x.Status, x.Output, x.Error)
			}
			looks, ends := 0, 0
			for _, call := range s.calls {
				switch {
				case strings.HasPrefix(call, "HeatmapLook "):
					looks++
				case strings.Contains(call, `"error":"Internal"`) && strings.Contains(call, `"job":"job-1"`):
					ends++
				}
			}
			if looks != c.looks || ends != c.ends {
				t.Errorf("%v", s.calls)
			}
		})
	}
}
