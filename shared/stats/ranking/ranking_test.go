package ranking

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.8g, want %.8g", what, got, want)
	}
}

func starWars(t testing.TB) [][]int {
	t.Helper()
	f, err := os.Open("testdata/star-wars-ranks.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out [][]int
	for _, row := range rows[1:] {
		ranks := make([]int, len(row))
		for i, v := range row {
			if v != "" {
				if ranks[i], err = strconv.Atoi(v); err != nil {
					t.Fatal(err)
				}
			}
		}
		out = append(out, ranks)
	}
	return out
}

// M-204: the figures of 834 full rankings of six films, computed with
// PlackettLuce and by hand elsewhere.
func TestStarWars(t *testing.T) {
	var full [][]int
	for _, r := range starWars(t) {
		seen := 0
		for _, v := range r {
			if v >= 1 && v <= 6 {
				seen |= 1 << v
			}
		}
		if seen == 0b1111110 {
			full = append(full, r)
		}
	}
	a, err := Analyse(Study{Items: 6, Ranks: full, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if a.Members != 834 || a.Invalid != 0 {
		t.Fatalf("%d members, %d invalid", a.Members, a.Invalid)
	}
	for i, want := range []struct{ mean, first, worth float64 }{
		{3.73621, .153477, .12146}, {4.09113, .038369, .110669}, {4.34412, .043166, .0906044},
		{3.26978, .244604, .1629}, {2.51199, .345324, .307821}, {3.04676, .175060, .206545},
	} {
		it := a.Items[i]
		near(t, fmt.Sprintf("mean rank of %d", i+1), *it.MeanRank.Estimate, want.mean, 5e-6)
		near(t, fmt.Sprintf("first share of %d", i+1), *it.FirstShare.Estimate, want.first, 6e-7)
		near(t, fmt.Sprintf("worth of %d", i+1), *it.Worth.Estimate, want.worth, 6e-7)
		near(t, fmt.Sprintf("Borda of %d", i+1), *it.Borda.Estimate, 6-want.mean, 5e-6)
		if it.Worth.SE == nil || *it.Worth.SE <= 0 || *it.Worth.SE > .03 {
			t.Errorf("worth of %d has the error %v", i+1, it.Worth.SE)
		}
		if ci := it.FirstShare.CI95; ci == nil || ci[0] >= want.first || ci[1] <= want.first {
			t.Errorf("first share of %d has the interval %v", i+1, ci)
		}
	}
	near(t, "W", *a.KendallW, .134421, 5e-7)
	near(t, "chi2", *a.Friedman, 560.534, 5e-4)
	if a.DF != 5 || *a.P > 1e-100 {
		t.Errorf("%d degrees of freedom, p %v", a.DF, *a.P)
	}
	if a.Winner == nil || *a.Winner != 4 || a.Cycle {
		t.Errorf("the winner is %v", a.Winner)
	}
}

// M-204: a re-read is identical.
func TestSameSeedSameErrors(t *testing.T) {
	ranks := starWars(t)[:200]
	one, _ := Analyse(Study{Items: 6, Ranks: ranks, Seed: 9})
	two, _ := Analyse(Study{Items: 6, Ranks: ranks, Seed: 9})
	other, _ := Analyse(Study{Items: 6, Ranks: ranks, Seed: 10})
	if *one.Items[0].Worth.SE != *two.Items[0].Worth.SE || *one.Items[0].Worth.SE == *other.Items[0].Worth.SE {
		t.Error("the error of worth does not follow the seed alone")
	}
}

// Three voters in a circle: by hand, everything is even and nobody wins.
func TestCondorcetCycle(t *testing.T) {
	a, err := Analyse(Study{Items: 3, Ranks: [][]int{{1, 2, 3}, {3, 1, 2}, {2, 3, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if a.Winner != nil || !a.Cycle {
		t.Errorf("winner %v, cycle %v", a.Winner, a.Cycle)
	}
	near(t, "W", *a.KendallW, 0, 1e-12)
	near(t, "pair 1-2", a.Pairwise[0][1], 2.0/3, 1e-12)
	for _, it := range a.Items {
		near(t, "mean rank", *it.MeanRank.Estimate, 2, 1e-12)
		near(t, "worth", *it.Worth.Estimate, 1.0/3, 1e-9)
		if it.Worth.SE != nil || it.FirstShare.SE != nil || it.MeanRank.CI95 != nil {
			t.Error("three members carry an error") // M-204: no inference below 10
		}
	}
	if a.P != nil || len(a.Warnings) == 0 {
		t.Errorf("p %v, warnings %v", a.P, a.Warnings)
	}
}

// Two items: worth is the share of wins.
func TestTwoItemsByHand(t *testing.T) {
	var ranks [][]int
	for i := range 20 {
		if i < 14 {
			ranks = append(ranks, []int{1, 2})
		} else {
			ranks = append(ranks, []int{2, 1})
		}
	}
	a, err := Analyse(Study{Items: 2, Ranks: ranks, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "worth", *a.Items[0].Worth.Estimate, .7, 1e-8)
	near(t, "log likelihood", *a.LogLik, 14*math.Log(.7)+6*math.Log(.3), 1e-8)
	near(t, "W", *a.KendallW, .16, 1e-12) // ranks sum to 26 and 34: 12·32/(400·6)
	if len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "Only 20") {
		t.Errorf("warnings %v", a.Warnings)
	}
}

func TestAllAlikeHasNoFiniteWorth(t *testing.T) {
	ranks := make([][]int, 40)
	for i := range ranks {
		ranks[i] = []int{2, 1, 3}
	}
	a, err := Analyse(Study{Items: 3, Ranks: ranks})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "W", *a.KendallW, 1, 1e-12)
	near(t, "chi2", *a.Friedman, 80, 1e-9)
	if !a.Separated || a.Items[1].Worth.SE != nil || *a.Items[1].Worth.Estimate < .9 || *a.Items[2].Worth.Estimate <= 0 {
		t.Errorf("separated %v, worth %v of %v", a.Separated, *a.Items[1].Worth.Estimate, *a.Items[2].Worth.Estimate)
	}
	if *a.Winner != 1 {
		t.Errorf("winner %d", *a.Winner)
	}
}

// M-202: ties reject or average; top k.
func TestTiesAndTopK(t *testing.T) {
	ranks := [][]int{{1, 1, 3, 0}, {1, 2, 3, 4}, {2, 1, 0, 0}, {1, 2, 2, 3}}
	a, err := Analyse(Study{Items: 4, Ranks: ranks})
	if err != nil {
		t.Fatal(err)
	}
	if a.Invalid != 2 || a.Members != 2 || !a.Partial {
		t.Errorf("rejecting ties keeps %d, leaves out %d", a.Members, a.Invalid)
	}
	near(t, "mean rank of 3", *a.Items[2].MeanRank.Estimate, (3+3.5)/2, 1e-12)
	a, err = Analyse(Study{Items: 4, Ranks: ranks, Ties: Average})
	if err != nil {
		t.Fatal(err)
	}
	if a.Invalid != 0 {
		t.Errorf("averaging ties leaves out %d", a.Invalid)
	}
	near(t, "first share of 1", *a.Items[0].FirstShare.Estimate, (.5+1+0+1)/4, 1e-12)
	near(t, "mean rank of 1", *a.Items[0].MeanRank.Estimate, (1.5+1+2+1)/4, 1e-12)
	near(t, "mean rank of 4", *a.Items[3].MeanRank.Estimate, (4+4+3.5+4)/4, 1e-12)
	near(t, "pair 1-2", a.Pairwise[0][1], 2.0/3, 1e-12) // the tie is no preference
	near(t, "pair 3-4", a.Pairwise[2][3], 1, 1e-12)     // nor are two items not ranked
	if a.PairBase[2][3] != 3 {
		t.Errorf("base of 3-4 is %v", a.PairBase[2][3])
	}
}

func TestBadRankings(t *testing.T) {
	for name, ranks := range map[string][]int{
		"gap": {1, 3, 0}, "starts at 2": {2, 3, 4}, "negative": {1, -1, 2}, "nothing": {0, 0, 0}, "tie": {1, 1, 3},
	} {
		_, err := Analyse(Study{Items: 3, Ranks: [][]int{ranks}})
		var none *stats.Insufficient
		if !errors.As(err, &none) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, s := range map[string]Study{
		"one item": {Items: 1}, "length": {Items: 3, Ranks: [][]int{{1, 2}}}, "rule": {Items: 3, Ties: "toss"},
		"weights": {Items: 3, Ranks: [][]int{{1, 2, 3}}, Weights: []float64{1, 2}},
		"NaN":     {Items: 3, Ranks: [][]int{{1, 2, 3}}, Weights: []float64{math.NaN()}},
	} {
		_, err := Analyse(s)
		var none *stats.Insufficient
		if err == nil || errors.As(err, &none) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// M-205: a weight of two counts as two members, but for the errors.
func TestWeightsCountAsCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(3, 6).Draw(t, "items")
		var ranks, copies [][]int
		var weights []float64
		for range rapid.IntRange(2, 12).Draw(t, "members") {
			order := rapid.Permutation(seq(k)).Draw(t, "order")
			top := rapid.IntRange(1, k).Draw(t, "top")
			r := make([]int, k)
			for place, i := range order[:top] {
				r[i] = place + 1
			}
			w := rapid.IntRange(1, 3).Draw(t, "weight")
			ranks, weights = append(ranks, r), append(weights, float64(w))
			for range w {
				copies = append(copies, r)
			}
		}
		a, err := Analyse(Study{Items: k, Ranks: ranks, Weights: weights, Draws: 2})
		b, err2 := Analyse(Study{Items: k, Ranks: copies, Draws: 2})
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		worth, first := 0.0, 0.0
		for i := range a.Items {
			x, y := a.Items[i], b.Items[i]
			if math.Abs(*x.Worth.Estimate-*y.Worth.Estimate) > 1e-6 || math.Abs(*x.MeanRank.Estimate-*y.MeanRank.Estimate) > 1e-9 ||
				math.Abs(*x.FirstShare.Estimate-*y.FirstShare.Estimate) > 1e-9 {
				t.Fatalf("item %d differs: %v %v", i, x, y)
			}
			worth += *x.Worth.Estimate
			first += *x.FirstShare.Estimate
		}
		if math.Abs(worth-1) > 1e-9 || math.Abs(first-1) > 1e-9 {
			t.Fatalf("worths sum to %v, first shares to %v", worth, first)
		}
	})
}

func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// planted draws top-k rankings from worths by the model itself.
func planted(members, top int, worth []float64, rng *rand.Rand) [][]int {
	out := make([][]int, members)
	for m := range out {
		type drawn struct {
			item int
			time float64
		}
		var times []drawn
		for i, w := range worth {
			times = append(times, drawn{i, rng.ExpFloat64() / w})
		}
		r := make([]int, len(worth))
		for place := 1; place <= top; place++ {
			best := -1
			for at, d := range times {
				if r[d.item] == 0 && (best < 0 || d.time < times[best].time) {
					best = at
				}
			}
			r[times[best].item] = place
		}
		out[m] = r
	}
	return out
}

func TestRecoversPlantedWorthFromTopK(t *testing.T) {
	worth := []float64{.3, .22, .15, .12, .08, .06, .04, .03}
	a, err := Analyse(Study{Items: 8, Ranks: planted(1000, 3, worth, rand.New(rand.NewPCG(4, 4))), Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range worth {
		it := a.Items[i].Worth
		if math.Abs(*it.Estimate-w) > 3.5**it.SE {
			t.Errorf("worth of %d is %.4f ± %.4f, planted %.2f", i, *it.Estimate, *it.SE, w)
		}
	}
}

func BenchmarkAnalyse(b *testing.B) {
	worth := []float64{15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	for _, n := range []int{300, 600, 1200} {
		ranks := planted(n, 15, worth, rand.New(rand.NewPCG(1, 1)))
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Analyse(Study{Items: 15, Ranks: ranks}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
