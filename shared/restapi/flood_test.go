package restapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// A body may bring any number of faults in any number of objects: few are put into
// words, and all are counted.
func TestAFloodOfFaultsIsCounted(t *testing.T) {
	g := at(t)
	const n = 20_000
	many := strings.TrimSuffix(strings.Repeat(`{"k":1},`, n), ",")
	for body, more := range map[string]string{
		`{"memberCount":5,"distributions":[` + many + `]}`:                                      "And 59991 more.",
		`{"memberCount":5,"distributions":[{"name":"A","distribution":[` + many + `]}]}`:        "more.",
		`{"memberCount":5,"cohortAllocation":{` + strings.Repeat(`"a":1,`, 1) + `"b":2,"c":3}}`: "is not a known field",
	} {
		code, answer := g.do("POST", "/api/v1/audiences/allocation-preview", body)
		if code != 400 || !strings.Contains(answer, more) || len(answer) > 20_000 {
			t.Errorf("%d %.600s", code, answer)
		}
	}
	c := collector{where: "body", root: map[string]any{}}
	for range n {
		c.allUnknown([]string{"distributions", "0"}, []string{"k"})
		c.add([]string{"x"}, "is wrong")
	}
	if len(c.problems) > maxFound || c.unworded != 2*n-maxFound {
		t.Errorf("%d in words, %d counted", len(c.problems), c.unworded)
	}
}

// A ceiling is named in the largest unit that it is a whole number of.
func TestCeilingsInWords(t *testing.T) {
	for n, want := range map[int64]string{4096: "4096 bytes (4 KiB)", 65536: "65536 bytes (64 KiB)", 5 << 20: "5242880 bytes (5 MiB)", 100: "100 bytes", 1<<20 + 1: "1048577 bytes"} {
		if got := sizeOf(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
		if f := fault.From(bodyFault(&http.MaxBytesError{}, n)); !strings.Contains(f.Message, want) || strings.Contains(f.Message, "0 MiB") {
			t.Error(f.Message)
		}
	}
}
