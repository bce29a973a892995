package allocate

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s = %v, want %v within %v", what, got, want, within)
	}
}

// The example of R's mipfp (Ipfp): a table of ones.
func TestRakeOnes(t *testing.T) {
	r := Rake([][]float64{{1, 1}, {1, 1}}, []float64{50, 50}, []float64{30, 70})
	for i := range 2 {
		near(t, "left", r.Table[i][0], 15, 1e-9)
		near(t, "right", r.Table[i][1], 35, 1e-9)
	}
	if !r.Converged || r.Rescaled {
		t.Errorf("converged %v, rescaled %v", r.Converged, r.Rescaled)
	}
}

// Berkeley admissions (R's UCBAdmissions, Admit x Dept) raked to other margins,
// as mipfp computes it.
func TestRakeAdmissions(t *testing.T) {
	seed := [][]float64{{601, 370, 322, 269, 147, 46}, {332, 215, 596, 523, 437, 668}}
	want := [][]float64{
		{700.4055, 695.909, 541.842, 533.169, 396.551, 132.123},
		{99.5945, 104.091, 258.158, 266.831, 303.449, 493.877}}
	r := Rake(seed, []float64{3000, 1526}, []float64{800, 800, 800, 800, 700, 626})
	for i := range want {
		for j := range want[i] {
			near(t, "cell", r.Table[i][j], want[i][j], 5.1e-4)
		}
	}
	odds := func(m [][]float64) float64 { return m[0][0] * m[1][5] / (m[0][5] * m[1][0]) }
	near(t, "odds ratio", odds(r.Table)/odds(seed), 1, 1e-9)
}

// Columns that do not sum to the rows are brought to them, and that is said.
func TestRakeRescalesToTheFirst(t *testing.T) {
	r := Rake([][]float64{{1, 1}, {1, 1}}, []float64{50, 50}, []float64{3, 7})
	if !r.Rescaled || !r.Converged {
		t.Fatalf("rescaled %v, converged %v", r.Rescaled, r.Converged)
	}
	near(t, "cell", r.Table[0][0], 15, 1e-9)
}

// Zeros that keep a margin out of reach end the fit and name the category.
func TestRakeNamesWhatZerosKeepOut(t *testing.T) {
	for name, c := range map[string]struct {
		seed          [][]float64
		rows, columns []float64
		row, column   int
	}{
		"column":        {[][]float64{{1, 0}, {1, 0}}, []float64{5, 5}, []float64{6, 4}, -1, 0},
		"row of zeros":  {[][]float64{{0, 0}, {1, 1}}, []float64{5, 5}, []float64{5, 5}, 0, -1},
		"staircase":     {[][]float64{{1, 0}, {0, 1}}, []float64{5, 5}, []float64{6, 4}, -1, 0},
		"a row too big": {[][]float64{{1, 0, 0}, {1, 1, 1}}, []float64{7, 3}, []float64{5, 3, 2}, -1, 0},
	} {
		r := Rake(c.seed, c.rows, c.columns)
		if r.Converged || r.Rounds >= rakeRounds {
			t.Errorf("%s: converged %v after %d rounds", name, r.Converged, r.Rounds)
		}
		if (c.row >= 0 && r.StuckRow != c.row) || (c.column >= 0 && r.StuckColumn < 0) {
			t.Errorf("%s: stuck at row %d, column %d", name, r.StuckRow, r.StuckColumn)
		}
	}
}

// Pew's December 2013 survey, sex by region of 2,001 people, raked to shares of
// the population: cell weights and Kish's effective size as survey packages give
// them. The joint counts follow from the published weights.
func TestWeightsOfPew2013(t *testing.T) {
	counts := [][]int{{164, 219, 354, 231}, {174, 241, 394, 224}}
	var sex, region []int16
	for s, row := range counts {
		for g, n := range row {
			for range n {
				sex, region = append(sex, int16(s)), append(region, int16(g))
			}
		}
	}
	w, trim := weigh(len(sex), [][]int16{sex, region}, [][]float64{{.485, .515}, {.18, .21, .37, .24}})
	want := [][]float64{{1.06723, .914903, .991327, 1.0570}, {1.06411, .912225, .988427, 1.0539}}
	at := 0
	for s, row := range counts {
		for g, n := range row {
			digits := 5.1e-6
			if g == 3 {
				digits = 5.1e-5
			}
			near(t, "weight", w[at], want[s][g], digits)
			at += n
		}
	}
	near(t, "effective n", effective(w), 1994.64, .005)
	if trim != nil {
		t.Errorf("trimmed %+v", trim)
	}
	near(t, "mean weight", sum(w)/2001, 1, 1e-9)
}
