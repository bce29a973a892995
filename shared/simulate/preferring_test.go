package simulate

import (
	"fmt"
	"testing"
)

// M-341: evidence that asked in other words which of the very same things people
// prefer is known of them, and related; what it asked of them otherwise is not.
func TestTheSameThingsInOtherWords(t *testing.T) {
	brews := []string{"Dark roast", "Light roast", "Decaf", "Espresso", "Cold brew", "Instant"}
	bars := []string{"Nut bar", "Oat bar", "Date bar"}
	best := func(items []string) Question {
		return Question{Text: "Which of these matters most to you, and which least?", Type: BestWorst, Options: items[:3], Battery: &Battery{Method: "maxdiff", Items: items, Task: "t"}}
	}
	ranked := Question{Text: "Put these in order.", Type: Ranking, Options: bars, Battery: &Battery{Method: "ranked-preferences", Items: bars}}
	levels := Question{Text: "Which would you buy?", Type: Categorical, Options: []string{"1", "2", "3"}, Battery: &Battery{Method: MethodConjoint,
		Attributes:   []Attribute{{ID: "kind", Label: "Kind", Levels: []Level{{ID: "a", Label: "Nut bar"}, {ID: "b", Label: "Oat bar"}, {ID: "c", Label: "Date bar"}}}},
		Alternatives: []Alternative{{ID: "1", Levels: map[string]string{"kind": "a"}}, {ID: "2", Levels: map[string]string{"kind": "b"}}, {ID: "3", Levels: map[string]string{"kind": "c"}}}}}
	pick := Question{Text: "Which of these would you choose? Select all that apply.", Type: Multiselect, Options: brews, Battery: &Battery{Method: "turf", Items: brews}}
	for _, c := range []struct {
		q     Question
		asked string
		known []string
		many  bool
		want  State
	}{
		{best(brews), "Which kind of coffee do you like best?", brews, false, Related},
		{best(brews), "What is your favourite coffee?", brews, false, Related},
		{best(bars), "Which snack do you usually buy?", bars, false, Related},
		{best(bars), "Welchen Riegel mögen Sie am liebsten?", bars, false, Related},
		{best(bars), "Which of these matters most to you?", bars, false, Grounded},
		{ranked, "Which snack would you rather have?", bars, false, Related},
		{levels, "What is your favourite snack?", bars, false, Related},
		{pick, "Which coffees do you drink?", brews, true, Related},
		{pick, "Which kind of coffee do you like best?", brews, false, Unsupported}, // one choice is no reach
		{best(brews), "Which kind of coffee do you like least?", brews, false, Unsupported},
		{best(bars), "Which snack do you dislike?", bars, false, Unsupported},
		{best(bars), "Which snack would you never buy?", bars, false, Unsupported},
		{best(brews), "Which of these have you heard of?", brews, false, Unsupported},
		{best(bars), "Which snack has most sugar?", bars, false, Unsupported},
		{best(bars), "Which snack do you like best?", brews[:3], false, Unsupported},
		{levels, "Which snack do you avoid?", bars, false, Unsupported},
	} {
		e := planted(c.asked, c.known, make([]float64, len(c.known)))
		e.Multiselect = c.many
		p, err := NewOffline().Ask(t.Context(), c.q, Policy{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := p.Answer(t.Context(), member(1, e))
		if err != nil || a.State != c.want {
			t.Errorf("%s from %q: %s, want %s (%v)", fmt.Sprint(c.q.Type), c.asked, a.State, c.want, err)
		}
	}
}
