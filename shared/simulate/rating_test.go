package simulate

import (
	"context"
	"math"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
)

var satisfaction = []string{"Very dissatisfied", "Dissatisfied", "Neutral", "Satisfied", "Very satisfied"}

// Words and mapping are recorded where a rating is asked for, and only there.
func TestRatingIsRecordedOnRequest(t *testing.T) {
	ctx := context.Background()
	q := Question{Text: "How satisfied are you with the service of your bank?", Type: Categorical, Options: satisfaction}
	r := Respondent{ID: "m", Passages: []Passage{{ID: "k1", Text: "I think the service of my bank is quick and I am pleased with the service of my bank."}}}
	o := NewOffline(WithEmbedder(hashed.New()))
	get := func(p Policy) Answer {
		a, err := o.Ask(ctx, q, p)
		if err != nil {
			t.Fatal(err)
		}
		x, err := a.Answer(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	plain, rated := get(Policy{}), get(Policy{SimilarityRating: true})
	if plain.Rating != nil {
		t.Errorf("recorded without being asked to: %+v", plain.Rating)
	}
	if rated.Rating == nil || rated.State != Trait || rated.Rating.Text == "" || rated.Rating.Weight <= 0 || rated.Rating.Weight > .5 || len(rated.Rating.Mapping) != 5 {
		t.Fatalf("%+v %+v", rated, rated.Rating)
	}
	sum := 0.0
	for _, v := range rated.Rating.Mapping {
		sum += v
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the mapping sums to %v", sum)
	}
}

func TestRaterMapsWords(t *testing.T) {
	ctx := context.Background()
	r, err := NewRater(hashed.New(), Question{Text: "How satisfied are you with the trains?", Type: Categorical, Options: satisfaction}, Policy{})
	if err != nil || r == nil {
		t.Fatal(r, err)
	}
	for text, want := range map[string]int{"I am very satisfied with them.": 4, "Very dissatisfied, I must say.": 0, "I feel neutral about it.": 2} {
		got, at, ok, err := r.Map(ctx, text)
		if err != nil || !ok || at != want {
			t.Errorf("%q: %d %t %v %+v, want %d", text, at, ok, err, got, want)
		}
	}
	if _, _, ok, _ := r.Map(ctx, ""); ok {
		t.Error("nothing was mapped to something")
	}
	german, err := NewRater(hashed.New(), Question{Text: "Wie zufrieden sind Sie mit der Bahn?", Type: Categorical, Options: []string{"Unzufrieden", "Neutral", "Zufrieden"}}, Policy{})
	if err != nil || german == nil {
		t.Fatal(err)
	}
	if sets, _ := german.p.anchorTexts(); sets[1][2] != "Ich würde sagen: zufrieden." {
		t.Errorf("anchors %q", sets[1])
	}
	for name, q := range map[string]Question{
		"an open question": {Text: "Why?", Type: Qualitative}, "several answers": {Text: "Which?", Type: Multiselect, Options: satisfaction},
		"numbers that measure nothing named": {Text: "Rate it", Type: Scale, Min: 1, Max: 5},
	} {
		if r, err := NewRater(hashed.New(), q, Policy{}); r != nil || err != nil {
			t.Errorf("%s has a rater: %v", name, err)
		}
	}
}
