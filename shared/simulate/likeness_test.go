package simulate

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
)

func spaces(t *testing.T, run func(t *testing.T, e embed.Embedder)) {
	for name, open := range map[string]func(testing.TB) embed.Embedder{
		"hashed": func(testing.TB) embed.Embedder { return hashed.New() }, "MiniLM": miniLM,
	} {
		t.Run(name, func(t *testing.T) { run(t, open(t)) })
	}
}

// The null of each space: what statements have in common with questions on
// something else. Two hundred questions, twenty statements on none of them.
func TestLikenessNull(t *testing.T) {
	said := []string{"I own a bakery in Portland.", "I never eat eggs.", "My shop opens at five.", "I grew up on a farm with four brothers.", "I love sour bread.",
		"We spend our holidays by the sea.", "I play the violin in an amateur orchestra.", "I repair old motorcycles on weekends.", "I moved to Leeds in 2019.",
		"I work nights as a nurse.", "I save for a house.", "I walk my dog before breakfast.", "I am afraid of spiders.", "I read two novels a month.", "I coach a youth football team.",
		"I cook for my parents on Sundays.", "I have three children.", "I would rather rent than own.", "I collect stamps from Asia.", "I paint landscapes in oil."}
	var asked []string
	for _, s := range library(t) {
		for _, q := range s.Questions {
			asked = append(asked, q.Text)
		}
	}
	c := readReport(t)
	for _, q := range append(c.Answerable, c.Unknown...) {
		asked = append(asked, q.Ask)
	}
	if len(asked) < 200 {
		t.Fatalf("%d questions", len(asked))
	}
	spaces(t, func(t *testing.T, e embed.Embedder) {
		if testing.Short() && e.Space().Model != hashed.Model {
			t.Skip("takes seconds")
		}
		a, err := e.Embed(t.Context(), said)
		if err != nil {
			t.Fatal(err)
		}
		b, err := e.Embed(t.Context(), asked)
		if err != nil {
			t.Fatal(err)
		}
		var all []float64
		for _, x := range a {
			for _, y := range b {
				all = append(all, embed.Dot(x, y))
			}
		}
		sort.Float64s(all)
		at := func(share float64) float64 { return all[int(share*float64(len(all)-1))] }
		null, _, _ := likeCuts(e.Space().Model)
		t.Logf("%d pairs: median %.3f, p95 %.3f, p99 %.3f, p99.5 %.3f, most %.3f; null %.2f", len(all), at(.5), at(.95), at(.99), at(.995), at(1), null)
		if at(.99) > null {
			t.Errorf("the null is %.3f, not under %.2f", at(.99), null)
		}
	})
}

// A Mind's own words move an answer that nothing else supports, say so, and are
// quoted; a "not" is heard.
func TestOwnWordsMoveAnAnswer(t *testing.T) {
	spaces(t, func(t *testing.T, e embed.Embedder) {
		o := NewOffline(WithEmbedder(e))
		mean := func(q Question, said string) (float64, Answer) {
			t.Helper()
			asked, err := o.Ask(t.Context(), q, Policy{})
			if err != nil {
				t.Fatal(err)
			}
			p := ParseProfile(said)
			a, err := asked.Answer(t.Context(), Respondent{ID: "m", Slot: 3, Profile: p, Passages: PersonaPassages(p, "")})
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for i, v := range a.Probabilities {
				sum += float64(i) * v
			}
			return sum, a
		}
		worry := Question{Text: "How worried are you about earthquakes?", Type: Categorical, Ordinal: true,
			Options: []string{"Not at all worried", "Slightly worried", "Somewhat worried", "Very worried", "Extremely worried"}}
		none, a0 := mean(worry, "")
		if a0.State != Unsupported {
			t.Fatalf("%+v", a0)
		}
		much, a := mean(worry, "I worry about earthquakes extremely often.")
		if a.State != Trait || len(a.Citations) != 1 || a.Citations[0].SourceID != PersonaID || !strings.Contains(a.Message, "this Mind's own words: “I worry about earthquakes") || much <= none {
			t.Errorf("%.2f, without words %.2f: %+v", much, none, a)
		}
		for i, v := range a.Probabilities {
			if v < .5*a0.Probabilities[i]-1e-6 {
				t.Errorf("likeness takes more than half of option %d: %v, was %v", i, a.Probabilities, a0.Probabilities)
			}
		}
		if not, a := mean(worry, "I am not worried about earthquakes."); not > none && a.State != Unsupported {
			t.Errorf("a negated statement leans up: %.2f, %.2f without", not, none)
		}
		if _, a := mean(worry, "My sister is worried about earthquakes. I bake bread."); a.State != Unsupported {
			t.Errorf("somebody else's words, or words on something else: %+v", a)
		}
		if _, a := mean(cat("Which is your favourite for breakfast?", "Tea", "Coffee", "Juice"), "I collect stamps."); a.State != Unsupported {
			t.Errorf("%+v", a)
		}
		steak, ev := find(t, "us-steak-risk-2014", "doneness")
		asked, err := o.Ask(t.Context(), steak.asked(), Policy{})
		if err != nil {
			t.Fatal(err)
		}
		p := ParseProfile("I grill steak for my friends.")
		g, err := asked.Answer(t.Context(), Respondent{ID: "m", Evidence: []*Evidence{ev}, Profile: p, Passages: PersonaPassages(p, "")})
		if err != nil || g.State != Grounded || len(g.Citations) != 1 {
			t.Errorf("published figures stay as they are: %+v %v", g, err)
		}
	})
}

// M-344: an equal space gives an equal answer, whatever was asked before.
func TestLikenessIsRepeatableM344(t *testing.T) {
	q := Question{Text: "How important is the price when you buy food?", Type: Scale, Min: 1, Max: 5}
	p := ParseProfile("I buy the cheapest food, price is everything to me.\nI never think about the price of food.\nI am 40.")
	r := Respondent{ID: "m", Slot: 5, Profile: p, Passages: PersonaPassages(p, "")}
	var first Answer
	for i := range 20 {
		o := NewOffline(WithEmbedder(hashed.New()))
		if i%2 == 1 { // another question before
			if _, err := o.Reply(t.Context(), r, fmt.Sprint("What is food ", i), Policy{}); err != nil {
				t.Fatal(err)
			}
		}
		asked, err := o.Ask(t.Context(), q, Policy{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := asked.Answer(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = a
		} else if !reflect.DeepEqual(a, first) {
			t.Fatalf("%+v, then %+v", first, a)
		}
	}
	if got := NewOffline(WithEmbedder(hashed.New())).Info(); got.Embeddings != hashed.New().Space().String() {
		t.Errorf("%+v", got)
	}
	if got := NewOffline().Info(); got.Embeddings != "" {
		t.Errorf("%+v", got)
	}
	sum := 0.0
	for _, v := range first.Probabilities {
		sum += v
	}
	if math.Abs(sum-1) > 1e-9 || first.State != Trait {
		t.Errorf("%+v", first)
	}
}
