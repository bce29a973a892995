package planner

import (
	"strings"
	"testing"
	"time"
)

// Requests made to be slow take time in proportion to their length.
func TestHostileRequestsAreLinear(t *testing.T) {
	for name, piece := range map[string]string{
		"brackets": "(", "closed": "()", "questions": "a? ", "asks": "if yes, why (if no)? ", "lines": "1. ?\n", "bullets": "- x\n", "marks": "* ", "one word": "a", "slashes": "a/", "colons": "Which: a, b; ",
		"options": "  - Option\n", "stars": "**Q1** ", "cjk": "如果是，", "numbers": "1-5 ", "prices": "at 5, 6, 7 EUR ", "methods": "NPS MaxDiff TURF: a; b\n",
	} {
		took := func(n int) time.Duration {
			s := strings.Repeat(piece, n/len(piece))
			best := time.Hour
			for range 1 {
				start := time.Now()
				_, _ = New(Input{Request: s})
				best = min(best, time.Since(start))
			}
			return best
		}
		small, large := took(4_000), took(16_000)
		t.Logf("%-10s %8s %8s", name, small.Round(time.Millisecond), large.Round(time.Millisecond))
		if large > 12*small+400*time.Millisecond {
			t.Errorf("%s: %s for 4,000 bytes and %s for 16,000", name, small, large)
		}
	}
}
