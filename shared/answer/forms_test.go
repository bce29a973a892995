package answer

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
	"github.com/mindgate-dev/mindgate/shared/model/modeltest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// The forms of methods are asked for by schema, repaired once and then failed.
func TestMethodForms(t *testing.T) {
	doc := func(answer string) string {
		return fmt.Sprintf(`{"answer":%s,"basis":"persona","sources":[],"reason":""}`, answer)
	}
	lo, hi := 1.0, 10.0
	price := simulate.Question{Text: "At what price is a coffee cheap?", Type: simulate.Numeric, Unit: "EUR", Minimum: &lo, Maximum: &hi}
	whole := simulate.Question{Text: "How many cups do you drink?", Type: simulate.Numeric, Integer: true}
	order := simulate.Question{Text: "Put these in order, best first.", Type: simulate.Ranking, Options: []string{"Tea", "Milk", "Water"}}
	top := order
	top.TopK = 2
	ends := simulate.Question{Text: "Which matters most, and which least?", Type: simulate.BestWorst, Options: []string{"Tea", "Milk", "Water"}}
	n := func(f float64) *float64 { return &f }
	failed := simulate.Answer{Status: simulate.CannotAnswer, Reason: ReasonMalformed, Message: cannotWords[ReasonMalformed]}
	for name, c := range map[string]struct {
		q    simulate.Question
		says []string
		want simulate.Answer
	}{
		"a price":            {price, []string{doc("2.5")}, simulate.Answer{Number: n(2.5), Message: "2.5 EUR."}},
		"below the bounds":   {price, []string{doc("0.5"), doc("3")}, simulate.Answer{Number: n(3), Message: "3 EUR."}},
		"twice above them":   {price, []string{doc("11"), doc("12")}, failed},
		"half a cup":         {whole, []string{doc("1.5"), doc("2")}, simulate.Answer{Number: n(2), Message: "2."}},
		"an order":           {order, []string{doc(`["Milk","Tea","Water"]`)}, simulate.Answer{Ranking: []string{"Milk", "Tea", "Water"}, Message: "Milk > Tea > Water."}},
		"an order with gaps": {order, []string{doc(`["Milk","Tea"]`), doc(`["Milk","Milk","Tea"]`)}, failed},
		"the first two":      {top, []string{doc(`["Milk","Tea","Water"]`), doc(`["Water","Tea"]`)}, simulate.Answer{Ranking: []string{"Water", "Tea"}, Message: "Water > Tea."}},
		"best and worst":     {ends, []string{doc(`{"best":"Tea","worst":"Milk"}`)}, simulate.Answer{Best: "Tea", Worst: "Milk", Message: "Best: Tea. Worst: Milk."}},
		"best is worst":      {ends, []string{doc(`{"best":"Tea","worst":"Tea"}`), doc(`{"best":"Tea","worst":"Beer"}`)}, failed},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := put(t, modeltest.Says(c.says...), c.q, simulate.Policy{})
			if err != nil {
				t.Fatal(err)
			}
			if c.want.Status == "" {
				c.want.Status, c.want.State = simulate.Answered, simulate.Trait
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// With a similarity rating the model is asked for words, without the options, and
// they are mapped; both are recorded. Words that map to nothing are followed by a
// choice.
func TestSimilarityRating(t *testing.T) {
	q := simulate.Question{Text: "How satisfied are you with the trains?", Type: simulate.Categorical, Options: []string{"Very dissatisfied", "Dissatisfied", "Neutral", "Satisfied", "Very satisfied"}}
	ask := func(m *modeltest.Client, p simulate.Policy, o Options) simulate.Answer {
		t.Helper()
		a, err := New(m, o).Ask(t.Context(), q, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Answer(t.Context(), nurse())
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	with := Options{Embedder: hashed.New()}
	rate := simulate.Policy{SimilarityRating: true}
	m := modeltest.Says("I am very satisfied with the trains [P].")
	got := ask(m, rate, with)
	if got.Option != "Very satisfied" || got.Text != "" || got.Rating == nil || got.Rating.Text != "I am very satisfied with the trains." || len(got.Rating.Mapping) != 5 || got.Rating.Space == "" {
		t.Errorf("%+v %+v", got, got.Rating)
	}
	if asked := m.Asked(); len(asked) != 1 || asked[0].Schema != nil {
		t.Errorf("%d calls", len(asked))
	}
	choice := `{"answer":"Neutral","basis":"persona","sources":[],"reason":""}`
	if got := ask(modeltest.Says(choice), simulate.Policy{}, with); got.Option != "Neutral" || got.Rating != nil {
		t.Errorf("rated without being asked to: %+v", got)
	}
	if got := ask(modeltest.Says(choice), rate, Options{}); got.Option != "Neutral" || got.Rating != nil {
		t.Errorf("rated without vectors: %+v", got)
	}
	m = modeltest.Says("I am not very satisfied [P].", choice)
	if got := ask(m, rate, with); got.Rating != nil && got.Option == "Very satisfied" {
		t.Errorf("a denial was mapped to what it denies: %+v", got.Rating)
	} else if got.Rating == nil && (len(got.Warnings) != 1 || len(m.Asked()) != 2) {
		t.Errorf("no choice after words that map to nothing: %+v after %d calls", got, len(m.Asked()))
	}
}
