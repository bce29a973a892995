package simulate

import (
	"fmt"
	"math"
	"reflect"
	"testing"
)

// numbers asks a scale question of n Minds.
func numbers(t *testing.T, text string, n int) []float64 {
	t.Helper()
	a := ask(t, Question{Text: text, Type: Scale, Min: 0, Max: 10}, Policy{})
	out := make([]float64, n)
	for i := range out {
		out[i] = *answer(t, a, Respondent{ID: fmt.Sprint("m", i), Slot: int64(i)}).Number
	}
	return out
}

func pearson(a, b []float64) float64 {
	var ma, mb, saa, sbb, sab float64
	n := float64(len(a))
	for i := range a {
		ma += a[i] / n
		mb += b[i] / n
	}
	for i := range a {
		saa += (a[i] - ma) * (a[i] - ma)
		sbb += (b[i] - mb) * (b[i] - mb)
		sab += (a[i] - ma) * (b[i] - mb)
	}
	return sab / math.Sqrt(saa*sbb)
}

// Check 6: items that load on the same factor correlate with the right sign and
// size; unrelated items do not.
func TestCheck6Relations(t *testing.T) {
	trust1 := numbers(t, "How much do you trust the police?", 400)
	trust2 := numbers(t, "How much do you trust doctors with your data?", 400)
	r := pearson(trust1, trust2)
	t.Logf("two trust items, planned r .46: %.3f", r)
	if r < .3 || r > .5 {
		t.Errorf("two trust items: r = %.3f", r)
	}
	happy := numbers(t, "How happy are you with life?", 400)
	lonely := numbers(t, "How lonely do you feel on Sundays?", 400)
	if r := pearson(happy, lonely); r > -.1 {
		t.Errorf("happiness and loneliness: r = %.3f", r)
	}
	plain := []string{"How round is your garden?", "How loud is your street?", "How blue is the sea?", "How tall is your table?", "How warm is your soup?",
		"How fast is your cat?", "How heavy is your door?", "How long is your road?", "How wide is your bed?", "How deep is your pond?", "How dark is your hall?", "How clean is your roof?", "How soft is your rug?", "How thick is your wall?"}
	var abs mean
	for i := range plain {
		for j := range i {
			abs.add(math.Abs(pearson(numbers(t, plain[i], 200), numbers(t, plain[j], 200))))
		}
	}
	if abs.value() > .1 {
		t.Errorf("unrelated items correlate: mean |r| = %.3f", abs.value())
	}
	t.Logf("unrelated items: mean |r| = %.3f over %d pairs of 200", abs.value(), abs.n)
}

// Check 8, in part: people agree with themselves. A paraphrase of the same
// construct gives nearly the same answer, the same wording exactly the same.
func TestCheck8Consistency(t *testing.T) {
	a := numbers(t, "How important is the price of bread?", 300)
	b := numbers(t, "The price of bread: how important is it to you?", 300)
	same := 0
	for i := range a {
		if math.Abs(a[i]-b[i]) <= 1 {
			same++
		}
	}
	if r := pearson(a, b); r < .75 {
		t.Errorf("a paraphrase correlates by only %.2f", r)
	}
	t.Logf("paraphrase: r = %.2f, within one point %d of %d", pearson(a, b), same, len(a))
	if !reflect.DeepEqual(a, numbers(t, "  How important is the PRICE of bread? ", 300)) {
		t.Error("the same wording gave another answer")
	}
}
