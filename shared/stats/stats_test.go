package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func near(t *testing.T, name string, got, want, tol float64) {
	t.Helper()
	if math.Abs(got-want) > tol || math.IsNaN(got) {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

func TestScaleM210(t *testing.T) {
	m, _ := Mean([]float64{1, 2, 3, 4}, nil)
	near(t, "mean", m, 2.5, 0)
	// R: quantile(c(1,2,3,10), .25, type = 7) = 1.75
	q, _ := Quantile([]float64{10, 1, 3, 2}, .25)
	near(t, "type 7 quantile", q, 1.75, 1e-12)
	q, _ = Median([]float64{10, 1, 3, 2}, nil)
	near(t, "median", q, 2.5, 0)
	sd, _ := SD([]float64{2, 4, 4, 4, 5, 5, 7, 9}, nil)
	near(t, "sd n-1", sd, 2.138089935299395, 1e-12)
	if _, ok := SD([]float64{3}, nil); ok {
		t.Error("sd of one answer must be none (M-210)")
	}
	if _, ok := Mean(nil, nil); ok {
		t.Error("mean of nothing must be none")
	}
	w, _ := Median([]float64{1, 2, 3}, []float64{1, 1, 4})
	near(t, "weighted median", w, 3, 0)
	w, _ = SD([]float64{2, 4, 4, 4, 5, 5, 7, 9}, []float64{2, 2, 2, 2, 2, 2, 2, 2})
	near(t, "equal weights change nothing", w, 2.138089935299395, 1e-12)
}

// The hand oracles of the method page.
func TestConsensusM210(t *testing.T) {
	for _, c := range []struct {
		name string
		x    []float64
		want float64
	}{
		{"split at the ends", []float64{1, 5}, 0},
		{"all equal", []float64{3, 3, 3}, 1},
		{"uniform", []float64{1, 2, 3, 4, 5}, .4340},
		{"peaked", []float64{1, 2, 2, 3, 3, 3, 3, 4, 4, 5}, .6340},
	} {
		got, ok := Consensus(c.x, nil, 1, 5)
		if !ok {
			t.Fatal(c.name)
		}
		near(t, c.name, got, c.want, 5e-5)
	}
}

func TestWilson(t *testing.T) {
	// Newcombe 1998: 81 of 263 -> .2553 to .3662; 0 of 20 -> 0 to .1611
	i, _ := Wilson(81, 263)
	near(t, "low", i.Low, .2553, 5e-5)
	near(t, "high", i.High, .3662, 5e-5)
	i, _ = Wilson(0, 20)
	near(t, "low", i.Low, 0, 1e-12)
	near(t, "high", i.High, .1611, 5e-5)
	if _, ok := Wilson(0, 0); ok {
		t.Error("no base, no interval")
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		i, ok := Wilson(float64(k), float64(n))
		if p := float64(k) / float64(n); !ok || i.Low > p+1e-12 || i.High < p-1e-12 || i.Low < 0 || i.High > 1 {
			t.Fatalf("%v of %d/%d", i, k, n)
		}
	})
}

func TestKish(t *testing.T) {
	near(t, "equal", Kish([]float64{2, 2, 2}), 3, 1e-12)
	near(t, "unequal", Kish([]float64{1, 1, 4}), 2, 1e-12)
	near(t, "none", Kish(nil), 0, 0)
}

func TestNPSOracle(t *testing.T) {
	var x []float64
	for i := range 100 {
		switch {
		case i < 50:
			x = append(x, 10)
		case i < 80:
			x = append(x, 7)
		default:
			x = append(x, 3)
		}
	}
	e, err := NPS(x, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "nps", *e.Estimate, 30, 1e-9)
	near(t, "se", *e.SE, 7.8102, 5e-5)
	near(t, "low", e.CI95[0], 14.69, .005)
	near(t, "high", e.CI95[1], 45.31, .005)
	if _, err := NPS([]float64{11}, nil); err == nil {
		t.Error("other scales must be refused")
	}
	if e, _ := NPS([]float64{10, 9}, nil); e.SE != nil || e.CI95 != nil || *e.Estimate != 100 {
		t.Error("below ten answers there is no inference")
	}
}

func TestTopBox(t *testing.T) {
	var x []float64
	for i := range 20 {
		x = append(x, float64(i%5+1))
	}
	b, err := TopBox(x, nil, 1, 5, 2, false)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "top", *b.Top.Estimate, 40, 1e-9)
	near(t, "bottom", *b.Bottom.Estimate, 40, 1e-9)
	near(t, "net", *b.Net.Estimate, 0, 1e-9)
	near(t, "net se", *b.Net.SE, 100*math.Sqrt(.8/20), 1e-9)
	if low, _ := TopBox([]float64{1, 1, 5}, nil, 1, 5, 1, true); low.TopCount != 2 {
		t.Error("the low end is the top")
	}
	if _, err := TopBox(x, nil, 1, 5, 3, false); err == nil {
		t.Error("k above half of the points must be refused")
	}
}

func TestCategoricalM210(t *testing.T) {
	if _, ok := Dominant([]float64{3, 3, 1}); ok {
		t.Error("a tie has no dominant option (M-210)")
	}
	if i, ok := Dominant([]float64{1, 5, 2}); !ok || i != 1 {
		t.Error("mode")
	}
	h, _ := Entropy([]float64{5, 5, 5, 5})
	near(t, "even", h, 1, 1e-12)
	h, _ = Entropy([]float64{7, 0, 0})
	near(t, "one", h, 0, 1e-12)
	near(t, "identical shares", Score([]float64{.1, .2, .7}, []float64{.1, .2, .7}), 100, 0)
	near(t, "disjoint shares", Score([]float64{1, 0}, []float64{0, 1}), 0, 0)
	near(t, "multiselect", ScoreMultiselect([]float64{.8, .2}, []float64{.7, .4}), 85, 1e-9)
}

func TestDivergenceM210(t *testing.T) {
	near(t, "disjoint", JensenShannon([]float64{1, 0}, []float64{0, 1}), 1, 1e-12)
	near(t, "oracle", JensenShannon([]float64{.5, .5}, []float64{.9, .1}), .1468, 5e-5)
	d, ok := Diverge([][]int{{50, 50}, {90, 10}, {0, 0}}, 7)
	if !ok || d.Pairs != 1 {
		t.Fatal(d, ok)
	}
	near(t, "mean", d.Mean, .1468, 5e-5)
	again, _ := Diverge([][]int{{50, 50}, {90, 10}, {0, 0}}, 7)
	if again.NoiseFloor != d.NoiseFloor {
		t.Error("the same seed must give the same floor")
	}
	if d.NoiseFloor <= 0 || d.NoiseFloor >= d.Mean {
		t.Errorf("floor %v of %v", d.NoiseFloor, d.Mean)
	}
	if _, ok := Diverge([][]int{{1, 2}, {0, 0}}, 1); ok {
		t.Error("one Audience diverges from nobody")
	}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 4, 4).Draw(t, "p")
		q := rapid.SliceOfN(rapid.Float64Range(0, 1), 4, 4).Draw(t, "q")
		p[0], q[3] = p[0]+.1, q[3]+.1
		p, q = Shares(p), Shares(q)
		a, b := JensenShannon(p, q), JensenShannon(q, p)
		if math.Abs(a-b) > 1e-12 || a < 0 || a > 1 {
			t.Fatal(a, b)
		}
	})
}

func TestMeanDifference(t *testing.T) {
	// Welch's test on the worked example of R's t.test:
	// t.test(1:10, c(7:20)): -11.052802 to -4.947198
	a, b := Group{Name: "a"}, Group{Name: "b"}
	for i := 1; i <= 10; i++ {
		a.Values = append(a.Values, float64(i))
	}
	for i := 7; i <= 20; i++ {
		b.Values = append(b.Values, float64(i))
	}
	d, ci, ok := MeanDifference(a, b)
	if !ok {
		t.Fatal("no interval")
	}
	near(t, "diff", d, -8, 1e-12)
	near(t, "low", ci.Low, -11.052802, 1e-5)
	near(t, "high", ci.High, -4.947198, 1e-5)
}

// Audiences whose difference interval contains 0 share a rank (M-210).
func TestRankM210(t *testing.T) {
	spread := func(mid float64) []float64 {
		var x []float64
		for i := range 40 {
			x = append(x, mid+float64(i%5)-2)
		}
		return x
	}
	r := Rank([]Group{{Name: "low", Values: spread(3)}, {Name: "b", Values: spread(7)}, {Name: "a", Values: spread(7)}, {Name: "none"}})
	if len(r) != 3 || r[0].Index != 2 || r[0].Rank != 1 || r[1].Index != 1 || r[1].Rank != 1 || r[2].Index != 0 || r[2].Rank != 3 {
		t.Errorf("%+v", r)
	}
}

// Simulated coverage: the Welch interval holds the true difference about 95 of
// 100 times.
func TestWelchCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	hit := 0
	const rounds = 400
	for range rounds {
		a, b := Group{}, Group{}
		for range 20 {
			a.Values = append(a.Values, rng.NormFloat64())
		}
		for range 30 {
			b.Values = append(b.Values, 2*rng.NormFloat64()+.5)
		}
		if _, ci, _ := MeanDifference(a, b); ci.Contains(-.5) {
			hit++
		}
	}
	if hit < rounds*92/100 {
		t.Errorf("covered %d of %d", hit, rounds)
	}
}
