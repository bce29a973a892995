package inert_test

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/inert"
	"github.com/mindgate-dev/mindgate/shared/inert/inerttest"
)

func FuzzLine(f *testing.F) {
	for _, s := range inerttest.Hostile() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := inert.Line(s)
		if strings.ContainsAny(got, "<>\n\r\t\u2028\u2029＜＞‹›") || strings.ContainsFunc(got, inert.Hidden) {
			t.Errorf("%q from %q", got, s)
		}
		if a := inert.Attribute(s); strings.ContainsAny(a, `"<>`) {
			t.Errorf("%q from %q", a, s)
		}
		if lines := inert.Lines(s); strings.Count(lines, "\n") != strings.Count(s, "\n") || strings.ContainsAny(lines, "<>") {
			t.Errorf("%q from %q", lines, s)
		}
		// Each & opens one of the three entities.
		for rest := got; ; {
			_, after, found := strings.Cut(rest, "&")
			if !found {
				break
			}
			if !strings.HasPrefix(after, "lt;") && !strings.HasPrefix(after, "gt;") && !strings.HasPrefix(after, "amp;") {
				t.Errorf("%q from %q", got, s)
			}
			rest = after
		}
	})
}
