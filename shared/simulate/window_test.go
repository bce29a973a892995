package simulate

import (
	"fmt"
	"math"
	"testing"
)

// The bound of check 2 over many questions: 64 Minds in a row hold the published
// shares within 1/32 where the first stands at the beginning of an octet, and
// nearly so from any other.
func TestCheck2WindowsOverQuestions(t *testing.T) {
	const questions = 400
	beyond := func(start func(i int) int64) (far int, worst float64) {
		for i := range questions {
			e := Evidence{Question: fmt.Sprint("Which colour of tin number ", i, " do you take?"), ID: "k", Source: "a survey"}
			q := Question{Text: e.Question, Type: Categorical, Ordinal: i%2 == 0}
			sum := 0.0
			for j := range 2 + i%6 {
				w := .02 + unit(seedOf("w", fmt.Sprint(i)).at(int64(j), 1))
				sum += w
				e.Options = append(e.Options, OptionShare{Label: "answer " + string(rune('a'+j)), Share: w})
			}
			for j := range e.Options {
				e.Options[j].Share /= sum
				q.Options = append(q.Options, e.Options[j].Label)
			}
			got, _ := shareOfOptions(t, ask(t, q, Policy{}), q, Respondent{Evidence: []*Evidence{&e}}, start(i), 64)
			most := 0.0
			for j, o := range e.Options {
				most = math.Max(most, math.Abs(got[j]-o.Share))
			}
			if most > 1.0/32+1e-6 {
				far++
			}
			worst = math.Max(worst, most)
		}
		return far, worst
	}
	if far, worst := beyond(func(i int) int64 { return int64(i%20) * octet }); far > 0 {
		t.Errorf("from an octet's beginning %d of %d questions are beyond 1/32, the worst by %.4f", far, questions, worst)
	}
	far, worst := beyond(func(i int) int64 { return int64(i % 97) })
	t.Logf("from any slot: %d of %d questions beyond 1/32, the worst by %.4f", far, questions, worst)
	if far > questions*8/100 || worst > 2.0/32 {
		t.Errorf("from any slot %d of %d questions are beyond 1/32, the worst by %.4f", far, questions, worst)
	}
}
