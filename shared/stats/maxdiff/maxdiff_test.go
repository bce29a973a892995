package maxdiff

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/stats"
	"github.com/mindgate-dev/mindgate/shared/stats/design"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.8g, want %.8g", what, got, want)
	}
}

// fruit counts the pairs of best (row) and worst (column) by set, over 100
// members: our tabulation of the example of support.BWS (Aizaki), whose sets
// form a balanced incomplete block design of seven fruits.
var fruit = []struct {
	items []int
	pairs [4][4]int
}{
	{[]int{1, 4, 6, 7}, [4][4]int{{0, 16, 35, 11}, {3, 0, 14, 1}, {0, 2, 0, 2}, {0, 6, 10, 0}}},
	{[]int{2, 3, 4, 6}, [4][4]int{{0, 14, 10, 19}, {4, 0, 10, 18}, {1, 4, 0, 14}, {0, 3, 3, 0}}},
	{[]int{2, 4, 5, 7}, [4][4]int{{0, 18, 9, 22}, {4, 0, 8, 4}, {4, 4, 0, 6}, {9, 4, 8, 0}}},
	{[]int{1, 2, 5, 6}, [4][4]int{{0, 8, 10, 37}, {0, 0, 10, 18}, {2, 4, 0, 10}, {0, 1, 0, 0}}},
	{[]int{1, 3, 4, 5}, [4][4]int{{0, 19, 17, 16}, {2, 0, 11, 7}, {2, 8, 0, 9}, {2, 6, 1, 0}}},
	{[]int{3, 5, 6, 7}, [4][4]int{{0, 9, 23, 9}, {8, 0, 17, 3}, {3, 2, 0, 0}, {9, 4, 13, 0}}},
	{[]int{1, 2, 3, 7}, [4][4]int{{0, 9, 15, 20}, {3, 0, 16, 10}, {0, 3, 0, 12}, {1, 4, 7, 0}}},
}

// fruitSets deals the pairs of each set to members 0 to 99 in order: who gave
// which pair does not matter to counts, coefficients and the model's errors.
func fruitSets() []Set {
	var out []Set
	for _, f := range fruit {
		items := make([]int, 4)
		for i, it := range f.items {
			items[i] = it - 1
		}
		member := 0
		for b, row := range f.pairs {
			for w, n := range row {
				for range n {
					out = append(out, Set{Member: member, Items: items, Best: items[b], Worst: items[w]})
					member++
				}
			}
		}
	}
	return out
}

// M-204: the published counts and, computed elsewhere by conditional logit, both
// models with their errors.
func TestFruit(t *testing.T) {
	best := []int{213, 149, 108, 72, 67, 16, 75}
	worst := []int{15, 51, 112, 102, 92, 228, 100}
	for _, c := range []struct {
		model  Model
		u, se  []float64
		logLik float64
	}{
		{Paired, []float64{1.123771, .610308, .099832, -.024739, -.019496, -.962572}, []float64{.105979, .101378, .098553, .101508, .099702, .105843}, -1516.106},
		{Sequential, []float64{1.322812, .707462, .085910, -.035920, -.006400, -1.028558}, []float64{.119584, .117635, .114884, .117668, .115002, .117951}, -1520.370},
	} {
		t.Run(string(c.model), func(t *testing.T) {
			a, err := Analyse(Study{Items: 7, Model: c.model, Members: 100, Sets: fruitSets(), Draws: 50, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			near(t, "LL", a.LogLik, c.logLik, 5e-4)
			near(t, "LL0", a.LogLik0, -1739.435, 5e-4)
			total := 0.0
			for i, it := range a.Items {
				if it.Best != best[i] || it.Worst != worst[i] || it.Shown != 400 || it.BW != best[i]-worst[i] {
					t.Errorf("item %d: %+v", i, it)
				}
				near(t, "standardised", it.Standardised, float64(best[i]-worst[i])/400, 1e-12)
				near(t, "ratio", it.Ratio, math.Sqrt(float64(best[i])/float64(worst[i])), 1e-12)
				total += *it.Score.Estimate
				if i < 6 {
					near(t, fmt.Sprintf("utility of %d", i), *it.Utility.Estimate, c.u[i], 1e-6)
					near(t, fmt.Sprintf("error of %d", i), *it.ModelSE, c.se[i], 6e-7)
				}
			}
			near(t, "scores together", total, 100, 1e-9)
			if u := a.Items[6].Utility; *u.Estimate != 0 || u.SE != nil {
				t.Errorf("the last item is %v", u)
			}
			if *a.Items[0].Rank != 1 || *a.Items[5].Rank != 7 {
				t.Errorf("apple is ranked %d, melon %d", *a.Items[0].Rank, *a.Items[5].Rank)
			}
			if len(a.Differences) != 21 || a.Differences[0].CI95[0] <= 0 {
				t.Errorf("%d differences, apple against orange %+v", len(a.Differences), a.Differences[0])
			}
		})
	}
}

// Coefficients and preference shares that Displayr publishes for its study of
// technology brands.
func TestShares(t *testing.T) {
	got := Shares([]float64{0, -.090593, -1.022393, .371213, -.659644, .029306, -.083215, -.870333, -1.105991, -.867474})
	for i, want := range []float64{.13588, .12411, .04888, .19696, .07026, .13992, .12503, .05691, .04496, .05707} {
		near(t, fmt.Sprintf("share of %d", i), got[i], want, 1e-5)
	}
}

// By hand: with utilities of ln 3 and -ln 3 and sets of 2, 3/4 to 1/4.
func TestScoresByHand(t *testing.T) {
	got := Scores([]float64{5 + math.Log(3), 5 - math.Log(3)}, 2)
	near(t, "the better", got[0], 75, 1e-9)
	near(t, "the worse", got[1], 25, 1e-9)
}

// simulate answers a design with planted utilities, by the model itself.
func simulate(d design.MaxDiffDesign, members int, u []float64, rng *rand.Rand) []Set {
	gumbel := func() float64 { return -math.Log(-math.Log(rng.Float64())) }
	var out []Set
	for m := range members {
		for _, items := range d.Versions[m%len(d.Versions)] {
			s := Set{Member: m, Items: items, Best: -1, Worst: -1}
			most := math.Inf(-1)
			for _, i := range items {
				if v := u[i] + gumbel(); v > most {
					s.Best, most = i, v
				}
			}
			most = math.Inf(-1)
			for _, i := range items {
				if v := -u[i] + gumbel(); i != s.Best && v > most {
					s.Worst, most = i, v
				}
			}
			out = append(out, s)
		}
	}
	return out
}

func plan(t testing.TB, items, size int) design.MaxDiffDesign {
	t.Helper()
	d, err := design.MaxDiff{Items: items, Size: size, Seen: 3, Versions: 4, Seed: 11}.Make()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func utilities(n int, rng *rand.Rand) []float64 {
	u := make([]float64, n)
	for i := range u {
		u[i] = rng.NormFloat64()
	}
	return u
}

func TestRecoversPlantedUtilities(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	u := utilities(12, rng)
	a, err := Analyse(Study{Items: 12, Model: Sequential, Members: 200, Sets: simulate(plan(t, 12, 4), 200, u, rng), Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	var got []float64
	outside := 0
	for i, it := range a.Items {
		got = append(got, *it.Utility.Estimate)
		if i < 11 && math.Abs(*it.Utility.Estimate-(u[i]-u[11])) > 3**it.Utility.SE {
			outside++
		}
	}
	if r := correlation(got, u); r < .95 || outside > 0 {
		t.Errorf("r = %.4f with the planted utilities, %d beyond three errors", r, outside)
	} else {
		t.Logf("r = %.4f", r)
	}
}

func correlation(x, y []float64) float64 {
	mx, _ := stats.Mean(x, nil)
	my, _ := stats.Mean(y, nil)
	var xy, xx, yy float64
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
		yy += (y[i] - my) * (y[i] - my)
	}
	return xy / math.Sqrt(xx*yy)
}

// M-204: a re-read is identical.
func TestSameSeedSameScores(t *testing.T) {
	s := Study{Items: 7, Model: Sequential, Members: 100, Sets: fruitSets(), Draws: 60, Seed: 3}
	one, _ := Analyse(s)
	two, _ := Analyse(s)
	if *one.Items[0].Score.SE != *two.Items[0].Score.SE {
		t.Error("the same seed gives another error")
	}
	s.Seed = 4
	if three, _ := Analyse(s); *one.Items[0].Score.SE == *three.Items[0].Score.SE {
		t.Error("another seed gives the same error")
	}
}

// M-205: a weight of two is two members of the same answers.
func TestWeightsCountAsCopies(t *testing.T) {
	for _, model := range []Model{Sequential, Paired} {
		rng := rand.New(rand.NewPCG(6, 6))
		sets := simulate(plan(t, 6, 3), 40, utilities(6, rng), rng)
		weights := make([]float64, 40)
		var copies []Set
		next := 0
		for m := range weights {
			weights[m] = float64(1 + m%2)
			for range int(weights[m]) {
				for _, s := range sets {
					if s.Member == m {
						s.Member = next
						copies = append(copies, s)
					}
				}
				next++
			}
		}
		a, err := Analyse(Study{Items: 6, Model: model, Members: 40, Weights: weights, Sets: sets, Draws: 2})
		b, err2 := Analyse(Study{Items: 6, Model: model, Members: next, Sets: copies, Draws: 2})
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		near(t, "LL", a.LogLik, b.LogLik, 1e-8)
		for i := range a.Items {
			near(t, "utility", *a.Items[i].Utility.Estimate, *b.Items[i].Utility.Estimate, 1e-7)
			near(t, "standardised", a.Items[i].Standardised, b.Items[i].Standardised, 1e-12)
		}
		near(t, "effective base", a.EffectiveN, 60.0*60/100, 1e-9)
	}
}

func TestBestIsWorstIsInvalid(t *testing.T) {
	sets := fruitSets()
	for i := range 5 {
		sets[i].Worst = sets[i].Best
	}
	sets[5].Best = 4 // not shown in the first set
	a, err := Analyse(Study{Items: 7, Model: Sequential, Members: 100, Sets: sets, Draws: 2})
	if err != nil {
		t.Fatal(err)
	}
	if a.Invalid != 6 || a.Valid != 694 || len(a.Warnings) != 1 {
		t.Errorf("%d invalid, %d valid, warnings %q", a.Invalid, a.Valid, a.Warnings)
	}
}

func TestRefusals(t *testing.T) {
	two := []Set{{Items: []int{0, 1, 2}, Best: 0, Worst: 1}, {Items: []int{3, 4, 5}, Best: 3, Worst: 4}}
	for name, s := range map[string]Study{
		"no sets":     {Items: 6, Model: Paired, Members: 1},
		"never shown": {Items: 7, Model: Paired, Members: 1, Sets: two},
		"apart":       {Items: 6, Model: Paired, Members: 1, Sets: two},
		"all invalid": {Items: 3, Model: Paired, Members: 1, Sets: []Set{{Items: []int{0, 1, 2}}}},
		"no weight":   {Items: 3, Model: Paired, Members: 1, Weights: []float64{0}, Sets: two[:1]},
	} {
		_, err := Analyse(s)
		var none *stats.Insufficient
		if !errors.As(err, &none) || none.Reason == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, s := range map[string]Study{
		"items": {Items: 2, Model: Paired}, "model": {Items: 6, Members: 1}, "member": {Items: 6, Model: Paired, Sets: two},
		"weights": {Items: 6, Model: Paired, Members: 1, Weights: []float64{1, 1}},
		"NaN":     {Items: 6, Model: Paired, Members: 1, Weights: []float64{math.NaN()}, Sets: two},
		"twice":   {Items: 6, Model: Paired, Members: 1, Sets: []Set{{Items: []int{0, 0, 1}, Best: 0, Worst: 1}}},
	} {
		_, err := Analyse(s)
		var none *stats.Insufficient
		if err == nil || errors.As(err, &none) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Answers that prefer nothing are flat: equal scores, no ranking, a warning.
func TestFlatAnswers(t *testing.T) {
	var sets []Set
	for m := range 40 {
		for i := range 4 {
			items := []int{i, (i + 1) % 4, (i + 2) % 4}
			sets = append(sets, Set{Member: m, Items: items, Best: items[m%2*2], Worst: items[2-m%2*2]})
		}
	}
	a, err := Analyse(Study{Items: 4, Model: Sequential, Members: 40, Sets: sets, Draws: 20})
	if err != nil {
		t.Fatal(err)
	}
	if !a.Flat || len(a.Warnings) != 1 {
		t.Errorf("flat %v, warnings %q", a.Flat, a.Warnings)
	}
	for _, it := range a.Items {
		near(t, "score", *it.Score.Estimate, 25, 1e-6)
		if it.Rank != nil {
			t.Errorf("ranked %d", *it.Rank)
		}
	}
}

// One item always best, one always worst: no finite maximum, so a ridge, no
// intervals, and the order all the same.
func TestSeparation(t *testing.T) {
	var sets []Set
	for m := range 30 {
		for range 4 {
			sets = append(sets, Set{Member: m, Items: []int{0, 1, 2}, Best: 0, Worst: 2})
		}
	}
	for _, model := range []Model{Sequential, Paired} {
		a, err := Analyse(Study{Items: 3, Model: model, Members: 30, Sets: sets, Draws: 5})
		if err != nil {
			t.Fatal(err)
		}
		if !a.Separated || a.Items[0].Utility.SE != nil || a.Items[0].ModelSE != nil || len(a.Warnings) != 1 {
			t.Errorf("%s: separated %v, warnings %q", model, a.Separated, a.Warnings)
		}
		for i, it := range a.Items {
			if *it.Rank != i+1 || math.IsNaN(*it.Score.Estimate) {
				t.Errorf("%s: item %d has rank %d", model, i, *it.Rank)
			}
		}
		near(t, "ratio", a.Items[0].Ratio, math.Sqrt(120.5/.5), 1e-9)
	}
}

// M-204: below 10 no inference, below 30 a warning.
func TestSmallBases(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	u := utilities(6, rng)
	for members, want := range map[int]string{6: "no inference", 20: "Only 20", 40: ""} {
		a, err := Analyse(Study{Items: 6, Model: Sequential, Members: members, Sets: simulate(plan(t, 6, 3), members, u, rng), Draws: 20})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(a.Warnings, " "); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%d members warn %q", members, got)
		}
		if it := a.Items[0]; (members < 10) != (it.Utility.SE == nil) || (members < 10) != (it.Score.SE == nil) || (members < 10) != (a.Differences == nil) {
			t.Errorf("%d members: %+v", members, it)
		}
	}
}

func BenchmarkAnalyse(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	u := utilities(20, rng)
	d := plan(b, 20, 4)
	for _, n := range []int{300, 600, 1200} {
		sets := simulate(d, n, u, rng)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Analyse(Study{Items: 20, Model: Sequential, Members: n, Sets: sets}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
