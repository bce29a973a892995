package drivers

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

func analyse(t testing.TB, y []float64, x [][]float64, o Options) Analysis {
	t.Helper()
	a, err := Analyse(y, x, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// near holds a figure to the digits that are printed.
func near(t *testing.T, name string, got *float64, want, tolerance float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > tolerance {
		t.Errorf("%s: %v, want %v", name, got, want)
	}
}

// M-202, M-204: fertility of Swiss provinces. relaimpo gives the same Shapley
// shares.
func TestWeightsOfSwissProvinces(t *testing.T) {
	a := analyse(t, swiss[0], swiss[1:], Options{})
	lmg := []float64{.0570912, .1711730, .2601347, .1055702, .1127659}
	rw := []float64{.0484169, .154708, .271964, .114680, .116966}
	tol := []float64{5e-8, 5e-7, 5e-7, 5e-7, 5e-7}
	sumLMG, sumRW := 0.0, 0.0
	for j, d := range a.Drivers {
		near(t, "Shapley", d.Shapley, lmg[j], 1e-7)
		near(t, "relative weight", d.RelativeWeight, rw[j], tol[j])
		sumLMG += *d.Shapley
		sumRW += *d.RelativeWeight
	}
	if math.Abs(a.R2-.706735) > 5e-7 || math.Abs(sumLMG-a.R2) > 1e-12 || math.Abs(sumRW-a.R2) > 1e-12 || math.Abs(a.SumCheck) > 1e-12 {
		t.Errorf("R² %v, sums %v %v", a.R2, sumLMG, sumRW)
	}
	// What R's lm prints for the same: t values and variance inflation.
	for j, want := range []float64{-2.448, -1.016, -4.758, 2.953, 2.822} {
		near(t, "t", a.Drivers[j].T, want, 5e-4)
	}
	for j, want := range []float64{2.284129, 3.675420, 2.774943, 1.937160, 1.107542} {
		near(t, "VIF", a.Drivers[j].VIF, want, 5e-6)
	}
	if a.Drivers[0].Sign != 1 || a.Drivers[2].Sign != -1 || *a.Drivers[2].Rank != 1 {
		t.Errorf("%+v", a.Drivers)
	}
}

func TestWeightsOfCars(t *testing.T) {
	a := analyse(t, mtcars[0], mtcars[1:], Options{ByShapley: true})
	rw := []float64{.228480, .222147, .232174, .0963886}
	lmg := []float64{.247052, .243500, .210913, .0777251}
	for j, d := range a.Drivers {
		tol := 5e-7
		if j == 3 {
			tol = 5e-8
		}
		near(t, "relative weight", d.RelativeWeight, rw[j], tol)
		near(t, "Shapley", d.Shapley, lmg[j], tol)
	}
	if math.Abs(a.R2-.779190) > 5e-7 || *a.Drivers[0].Rank != 1 {
		t.Errorf("R² %v, rank %d", a.R2, *a.Drivers[0].Rank)
	}
	if b := analyse(t, mtcars[0], mtcars[1:], Options{}); *b.Drivers[2].Rank != 1 {
		t.Error("by relative weights horse power leads")
	}
}

func TestBootstrapOfWeightsRepeats(t *testing.T) {
	a := analyse(t, swiss[0], swiss[1:], Options{Seed: 5, Resamples: 200})
	b := analyse(t, swiss[0], swiss[1:], Options{Seed: 5, Resamples: 200})
	for j, d := range a.Drivers {
		if d.CI95 == nil || *d.CI95 != *b.Drivers[j].CI95 || d.CI95[0] > *d.RelativeWeight || d.CI95[1] < *d.RelativeWeight {
			t.Errorf("%v around %v", d.CI95, *d.RelativeWeight)
		}
		if *d.RankStability <= 0 || *d.RankStability > 1 {
			t.Errorf("stability %v", *d.RankStability)
		}
	}
}

func TestDriversThatSayNothingAreDropped(t *testing.T) {
	n := len(swiss[0])
	flat, twice, sum := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		flat[i], twice[i] = 3, 10-2*swiss[1][i]
		sum[i] = swiss[1][i] + 3*swiss[2][i]
	}
	a := analyse(t, swiss[0], [][]float64{swiss[1], flat, swiss[2], twice, sum}, Options{Names: []string{"farms", "flat", "exam", "mirror", "mix"}, Resamples: 60})
	for j, want := range []string{"", "same", "", "mirror says the same as farms (correlation -1)", "combination"} {
		d := a.Drivers[j]
		if want == "" && (d.Dropped != "" || d.Beta == nil || d.CI95 == nil) || want != "" && (!strings.Contains(d.Dropped, want) || d.Beta != nil || d.RelativeWeight != nil || d.Rank != nil || d.CI95 != nil) {
			t.Errorf("driver %d: %+v", j, d)
		}
	}
	if len(a.Warnings) != 3 {
		t.Errorf("%q", a.Warnings)
	}
	two := analyse(t, swiss[0], [][]float64{swiss[1], swiss[2]}, Options{})
	if math.Abs(two.R2-a.R2) > 1e-12 {
		t.Error("what was dropped still counts")
	}
}

func TestDriversRefuse(t *testing.T) {
	var few *stats.Insufficient
	if Needed(3) != 30 || Needed(7) != 35 {
		t.Error("max(30, 5p)")
	}
	if a, err := Analyse(swiss[0][:29], [][]float64{swiss[1][:29]}, nil, Options{}); !errors.As(err, &few) || few.Reason != "29 answers; 30 are needed for 1 drivers." || a.Drivers[0].Beta != nil {
		t.Errorf("29 answers: %v", err)
	}
	flat := make([]float64, 47)
	if _, err := Analyse(flat, swiss[1:], nil, Options{}); !errors.As(err, &few) {
		t.Errorf("a constant outcome: %v", err)
	}
	if _, err := Analyse(swiss[0], [][]float64{flat}, nil, Options{}); !errors.As(err, &few) {
		t.Errorf("only constant drivers: %v", err)
	}
	for name, try := range map[string]func() error{
		"none":  func() error { _, err := Analyse(swiss[0], nil, nil, Options{}); return err },
		"short": func() error { _, err := Analyse(swiss[0], [][]float64{swiss[1][:40]}, nil, Options{}); return err },
		"NaN": func() error {
			_, err := Analyse(append([]float64{math.NaN()}, swiss[0][1:]...), swiss[1:], nil, Options{})
			return err
		},
		"weights": func() error { _, err := Analyse(swiss[0], swiss[1:], flat[:3], Options{}); return err },
	} {
		if err := try(); err == nil || errors.As(err, &few) {
			t.Errorf("%s: %v", name, err)
		}
	}
	perfect := analyse(t, swiss[1], [][]float64{swiss[1], swiss[2]}, Options{})
	if math.Abs(perfect.R2-1) > 1e-9 {
		t.Errorf("the outcome itself as driver: R² %v", perfect.R2)
	}
}

func TestMoreThanTwelveDriversHaveNoShapley(t *testing.T) {
	y, x := invented(13, 200, 1)
	a := analyse(t, y, x, Options{ByShapley: true})
	if a.Drivers[0].Shapley != nil || a.Drivers[0].RelativeWeight == nil || len(a.Warnings) != 1 || math.Abs(a.SumCheck) > 1e-10 {
		t.Errorf("%+v", a)
	}
}

// invented are correlated columns of which the outcome is a sum with noise.
func invented(p, n int, seed uint64) ([]float64, [][]float64) {
	rng := rand.New(rand.NewPCG(seed, 9))
	y, x := make([]float64, n), make([][]float64, p)
	for j := range x {
		x[j] = make([]float64, n)
	}
	for i := range y {
		common := rng.NormFloat64()
		for j := range x {
			x[j][i] = common + rng.NormFloat64()
			y[i] += float64(j%3) * x[j][i]
		}
		y[i] += 3 * rng.NormFloat64()
	}
	return y, x
}

// Both decompositions sum to R², a driver never has a negative Shapley share, a
// change of unit changes nothing, and weights of 2 are as answers given twice.
func TestLawsOfWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 6).Draw(t, "p")
		y, x := invented(p, 40, rapid.Uint64().Draw(t, "seed"))
		a, err := Analyse(y, x, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		rw, lmg := 0.0, 0.0
		for _, d := range a.Drivers {
			rw += *d.RelativeWeight
			lmg += *d.Shapley
			if *d.Shapley < -1e-12 || *d.RelativeWeight < -1e-12 || *d.VIF < 1-1e-9 {
				t.Fatalf("%+v", d)
			}
		}
		if math.Abs(rw-a.R2) > 1e-9 || math.Abs(lmg-a.R2) > 1e-9 {
			t.Fatalf("R² %v, sums %v and %v", a.R2, rw, lmg)
		}
		double, twice := make([]float64, 40), [][]float64{}
		y2 := append(append([]float64{}, y...), y...)
		for i := range double {
			double[i] = 2
		}
		for j := range x {
			c := make([]float64, 0, 80)
			for _, v := range append(append([]float64{}, x[j]...), x[j]...) {
				c = append(c, 100-7*v)
			}
			twice = append(twice, c)
		}
		b, err := Analyse(y2, twice, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		w, err := Analyse(y, x, double, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for j := range x {
			if math.Abs(*b.Drivers[j].Shapley-*a.Drivers[j].Shapley) > 1e-9 || math.Abs(*b.Drivers[j].RelativeWeight-*a.Drivers[j].RelativeWeight) > 1e-9 || math.Abs(*b.Drivers[j].Beta+*a.Drivers[j].Beta) > 1e-9 {
				t.Fatal("a change of unit changed a weight")
			}
			if math.Abs(*w.Drivers[j].T-*a.Drivers[j].T) > 1e-9 {
				t.Fatal("equal weights changed t")
			}
		}
	})
}

func BenchmarkTwelveDriversShapleyBootstrap(b *testing.B) {
	y, x := invented(12, 300, 1)
	for b.Loop() {
		analyse(b, y, x, Options{ByShapley: true, Resamples: 1000})
	}
}
