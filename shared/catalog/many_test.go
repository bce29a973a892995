package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// many makes arguments with n faults of one kind.
func many(n int, kind string) []byte {
	var b strings.Builder
	b.WriteString(`{"name":"Ada","mode":"manual"`)
	if kind == "entries" {
		b.WriteString(`,"keywords":[`)
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('1')
		}
		b.WriteString("]}")
		return []byte(b.String())
	}
	for i := range n {
		fmt.Fprintf(&b, `,"%06d":1`, i)
	}
	b.WriteString("}")
	return []byte(b.String())
}

// A caller may send any number of faults: ten are told, all are counted, and the
// same ones each time. Without the bound this takes minutes.
func TestAnyNumberOfFaults(t *testing.T) {
	d, _ := Minds().Lookup("create_mind")
	const n = 100_000
	_, err := d.Prepare(many(n, "fields"))
	f := fault.From(err)
	if f.Code != fault.Validation || !strings.HasPrefix(f.Message, "100000 problems") || !strings.Contains(f.Message, "000000: is no known argument") ||
		!strings.Contains(f.Message, "and 99990 more") {
		t.Errorf("%.300s", f.Message)
	}
	if shown := f.Data["errors"].([]Problem); len(shown) != maxProblems || shown[9].Field != "000009" {
		t.Errorf("%d shown: %v", len(shown), shown)
	}
	_, err = d.Prepare(many(n, "entries"))
	if f := fault.From(err); f.Code != fault.Validation || len(f.Data["errors"].([]Problem)) != maxProblems {
		t.Errorf("%.300s", f.Message)
	}
}

func BenchmarkManyFaults(b *testing.B) {
	d, _ := Minds().Lookup("create_mind")
	for _, kind := range []string{"fields", "entries"} {
		args := many(40_000, kind)
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				if _, err := d.Prepare(args); err == nil {
					b.Fatal("accepted")
				}
			}
		})
	}
}
