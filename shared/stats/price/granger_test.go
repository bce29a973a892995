package price

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// upTo is a member who buys up to a highest price, 0 for never.
func upTo(prices []float64, highest float64) Buyer {
	b := Buyer{Weight: 1}
	for _, p := range prices {
		if p <= highest {
			b.Replies = append(b.Replies, Accepted)
		} else {
			b.Replies = append(b.Replies, Refused)
		}
	}
	return b
}

var fourPrices = []float64{5, 10, 15, 20}

func tenBuyers() []Buyer {
	var out []Buyer
	for _, h := range []float64{0, 5, 5, 10, 10, 10, 15, 15, 20, 20} {
		out = append(out, upTo(fourPrices, h))
	}
	return out
}

// M-202, M-204: the worked example of the demand curve.
func TestTheWorkedExampleOfDemand(t *testing.T) {
	cost := 4.0
	g, err := GaborGranger(fourPrices, tenBuyers(), GrangerOptions{UnitCost: &cost, Seed: 1, Resamples: 500})
	if err != nil {
		t.Fatal(err)
	}
	share := []float64{.9, .7, .4, .2}
	revenue := []float64{4.5, 7, 6, 4}
	elasticity := []float64{0, -.375, -1.3636, -2.3333}
	for i, d := range g.Demand {
		if math.Abs(d.Share-share[i]) > 1e-12 || math.Abs(d.Revenue-revenue[i]) > 1e-12 || d.Raw != d.Share || d.Highest != d.Share {
			t.Errorf("at %v: %+v", d.Price, d)
		}
		if i > 0 && math.Abs(*d.Elasticity-elasticity[i]) > 5e-5 {
			t.Errorf("elasticity at %v is %v", d.Price, *d.Elasticity)
		}
		if math.Abs(*d.Profit-(d.Price-4)*share[i]) > 1e-12 {
			t.Errorf("profit at %v is %v", d.Price, *d.Profit)
		}
	}
	if g.Demand[0].Elasticity != nil {
		t.Error("the first price has an elasticity")
	}
	is(t, "optimum", g.Optimum, 10)
	is(t, "best profit", g.ProfitBest, 15) // 11 x .4 = 4.4 > 6 x .7 = 4.2
	if g.Violators != 0 || len(g.Warnings) != 0 {
		t.Errorf("%d violators, %v", g.Violators, g.Warnings)
	}
	sum := 0.0
	for _, p := range g.Distribution {
		sum += p
	}
	if math.Abs(sum-1) > 1e-9 || g.Distribution[1] < .4 {
		t.Errorf("distribution %v", g.Distribution)
	}
	again, _ := GaborGranger(fourPrices, tenBuyers(), GrangerOptions{Seed: 1, Resamples: 500})
	for i := range again.Distribution {
		if again.Distribution[i] != g.Distribution[i] {
			t.Fatal("the same seed drew otherwise")
		}
	}
	if g.Logistic == nil || g.Logistic.B >= 0 || math.Abs(g.Logistic.At(10)-.65) > .1 {
		t.Errorf("logistic %+v", g.Logistic)
	}
}

func TestViolatorsArePooledAndCounted(t *testing.T) {
	buyers := tenBuyers()
	for range 4 { // buy at 20, refuse below
		buyers = append(buyers, Buyer{[]Reply{Refused, Refused, Refused, Accepted}, 1})
	}
	g, err := GaborGranger(fourPrices, buyers, GrangerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// Raw yes of 14: 9, 7, 4, 6. The last two pool to 5.
	want := []float64{9. / 14, 7. / 14, 5. / 14, 5. / 14}
	for i, d := range g.Demand {
		if math.Abs(d.Share-want[i]) > 1e-12 {
			t.Errorf("pooled demand at %v is %v, want %v", d.Price, d.Share, want[i])
		}
	}
	if g.Demand[3].Raw != 6./14 || g.Demand[0].Highest != 13./14 || g.Violators != 4 || len(g.Warnings) == 0 || !strings.Contains(g.Warnings[0], "pooled") {
		t.Errorf("%+v", g)
	}
}

func TestEdgesOfTheGrid(t *testing.T) {
	all := func(h float64) []Buyer {
		var out []Buyer
		for range 12 {
			out = append(out, upTo(fourPrices, h))
		}
		return out
	}
	g, _ := GaborGranger(fourPrices, all(20), GrangerOptions{})
	is(t, "optimum", g.Optimum, 20)
	if len(g.Warnings) != 1 || !strings.Contains(g.Warnings[0], "too narrow") {
		t.Errorf("at the top: %v", g.Warnings)
	}
	g, _ = GaborGranger(fourPrices, all(5), GrangerOptions{})
	is(t, "optimum", g.Optimum, 5)
	if len(g.Warnings) != 1 || !strings.Contains(g.Warnings[0], "too narrow") || g.Logistic != nil {
		t.Errorf("at the bottom: %v", g.Warnings)
	}
	if g.Demand[2].Elasticity != nil {
		t.Error("an elasticity between two empty shares")
	}
	g, _ = GaborGranger(fourPrices, all(0), GrangerOptions{Resamples: 50})
	if g.Optimum != nil || len(g.Warnings) != 1 {
		t.Errorf("all refuse: %v %v", g.Optimum, g.Warnings)
	}
}

func TestSequentialRepliesDecideTheRest(t *testing.T) {
	n, a, r := NotAsked, Accepted, Refused
	for _, c := range []struct {
		name    string
		replies []Reply
		want    []Reply
	}{
		{"up to a refusal", []Reply{n, a, r, n}, []Reply{a, a, r, r}},
		{"down to a buy", []Reply{a, r, n, n}, []Reply{a, r, r, r}},
		{"never", []Reply{r, n, n, n}, []Reply{r, r, r, r}},
		{"always", []Reply{n, n, n, a}, []Reply{a, a, a, a}},
		{"cut off", []Reply{n, a, n, n}, nil},
		{"open between", []Reply{a, n, r, n}, nil},
		{"contradicts around a gap", []Reply{r, n, a, n}, nil},
	} {
		full, ok := complete(c.replies)
		if ok != (c.want != nil) {
			t.Errorf("%s: decided %v", c.name, ok)
		}
		for i := range c.want {
			if full[i] != c.want[i] {
				t.Errorf("%s: %v", c.name, full)
			}
		}
	}
	g, _ := GaborGranger(fourPrices, append(tenBuyers(), Buyer{[]Reply{n, a, n, n}, 1}), GrangerOptions{})
	if g.Incomplete != 1 || g.N != 10 {
		t.Errorf("%d incomplete of %d", g.Incomplete, g.N)
	}
}

func TestDemandRefuses(t *testing.T) {
	var few *stats.Insufficient
	if _, err := GaborGranger(fourPrices, nil, GrangerOptions{}); !errors.As(err, &few) {
		t.Errorf("nobody: %v", err)
	}
	g, err := GaborGranger(fourPrices, tenBuyers()[:9], GrangerOptions{Resamples: 100})
	if err != nil || g.Optimum != nil || g.Distribution != nil || g.Demand[0].Share == 0 {
		t.Errorf("nine members keep their counts and no more: %+v %v", g, err)
	}
	for _, p := range [][]float64{{5, 5, 10, 20}, {0, 5, 10, 15}, {5, 4, 10, 15}, {5}, {math.NaN(), 1}} {
		if _, err := GaborGranger(p, nil, GrangerOptions{}); err == nil || errors.As(err, &few) {
			t.Errorf("prices %v: %v", p, err)
		}
	}
	if _, err := GaborGranger(fourPrices, []Buyer{{[]Reply{Accepted}, 1}}, GrangerOptions{}); err == nil {
		t.Error("one reply for four prices was taken")
	}
}

// Demand never rises, raw and pooled mass agree, and doubling every weight
// changes nothing.
func TestLawsOfDemand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		buyers := make([]Buyer, n)
		twice := make([]Buyer, n)
		for i := range buyers {
			w := rapid.Float64Range(.1, 5).Draw(t, "w")
			r := make([]Reply, 4)
			for k := range r {
				r[k] = Reply(rapid.IntRange(1, 2).Draw(t, "r"))
			}
			buyers[i], twice[i] = Buyer{r, w}, Buyer{r, 2 * w}
		}
		g, err := GaborGranger(fourPrices, buyers, GrangerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		h, _ := GaborGranger(fourPrices, twice, GrangerOptions{})
		raw, share := 0.0, 0.0
		for i, d := range g.Demand {
			raw, share = raw+d.Raw, share+d.Share
			if i > 0 && (d.Share > g.Demand[i-1].Share+1e-12 || d.Highest > g.Demand[i-1].Highest+1e-12) {
				t.Fatalf("demand rises at %v", d.Price)
			}
			if d.Highest < d.Raw-1e-12 || math.Abs(d.Share-h.Demand[i].Share) > 1e-12 {
				t.Fatalf("%+v and %+v", d, h.Demand[i])
			}
		}
		if math.Abs(raw-share) > 1e-9 {
			t.Fatal("pooling lost answers")
		}
	})
}
