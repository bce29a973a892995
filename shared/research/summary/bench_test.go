package summary

import (
	"fmt"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// What a summary computes grows with Minds and questions: figures, tests and themes
// of one question of each kind, two Audiences.
func BenchmarkFinding(b *testing.B) {
	words := []string{"price is too high for us", "tastes good and fresh", "hard to find in shops", "the package looks cheap"}
	for _, each := range []int{250, 500, 1000} {
		for name, q := range map[string]study.Settled{
			"choice": asked("q", "Which?", steak, simulate.Grounded, 2, each, func(a, i int) simulate.Answer {
				return simulate.Answer{Option: steak.Options[(a*i+i)%3]}
			}),
			"thin": asked("q", "Which?", steak, simulate.Grounded, 2, each, func(_, i int) simulate.Answer {
				return simulate.Answer{Option: steak.Options[min(i, 1)]}
			}),
			"open": asked("q", "Why?", simulate.Question{Type: simulate.Qualitative}, simulate.Grounded, 2, each, func(a, i int) simulate.Answer {
				return simulate.Answer{Text: fmt.Sprintf("%s, case %d of %d", words[i%4], a, i%37)}
			}),
		} {
			b.Run(fmt.Sprintf("%s/%d", name, 2*each), func(b *testing.B) {
				for b.Loop() {
					findingOf(q)
				}
			})
		}
	}
}
