package segments

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func counted(counts ...int) Segment {
	var s Segment
	for o, n := range counts {
		for range n {
			s.Options = append(s.Options, o)
		}
	}
	return s
}

func ordinal(v ...float64) Segment { return Segment{Values: v} }

func near(t *testing.T, name string, got *float64, want, tolerance float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > tolerance {
		t.Errorf("%s is %v, want %v", name, got, want)
	}
}

// M-202, M-204: satisfaction by influence of 1,681 tenants of Copenhagen (Madsen
// 1976): chi², V and standardised residuals to the digits of the methods page.
func TestSatisfactionOfTenants(t *testing.T) {
	r, err := Choice([]Segment{counted(282, 206, 79), counted(170, 189, 87), counted(175, 264, 229)}, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r.Kind != Chi2 || r.Effect.Name != "cramers_v" {
		t.Errorf("%s %v", r.Kind, r.Effect)
	}
	near(t, "chi²", r.Statistic, 106.175, 5e-4)
	near(t, "df", r.DF, 4, 0)
	near(t, "V", &r.Effect.Value, .17771, 5e-6)
	near(t, "p", r.P, 4.758566e-22, 1e-27)
	want := [][]float64{{7.522, -1.720, -6.599}, {.416, 1.602, -2.319}, {-7.643, .217, 8.468}}
	for i := range want {
		for j := range want[i] {
			near(t, "residual", &r.Residuals[i][j], want[i][j], 5e-4)
		}
	}
	if len(r.Pairs) != 9 {
		t.Fatalf("%d pairs", len(r.Pairs))
	}
	for _, p := range r.Pairs {
		if p.PAdjusted < p.P || p.Difference*p.Statistic < 0 {
			t.Errorf("%+v", p)
		}
	}
}

// 2 x 2, expected 4.1: Fisher's exact p is .0350 (two-sided); the permutation of
// the same table comes near it and repeats.
func TestThinTablesArePermuted(t *testing.T) {
	a, b := counted(10, 2), counted(3, 7)
	r, err := Choice([]Segment{a, b}, 2, 7)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := Choice([]Segment{a, b}, 2, 7)
	if r.Kind != Permutation || r.DF != nil || *r.P != *again.P {
		t.Errorf("%+v", r)
	}
	near(t, "p", r.P, .0274, .006) // 10 2 / 3 7: two-sided p of Fisher .0274
	same, _ := Choice([]Segment{counted(11, 1), counted(11, 1)}, 2, 7)
	if same.Kind != Permutation || *same.P != 1 {
		t.Errorf("the same answers: p %v", *same.P)
	}
}

func TestAnswersAllAlike(t *testing.T) {
	r, _ := Choice([]Segment{counted(0, 12), counted(0, 15)}, 2, 1)
	if r.Kind != Descriptive || r.P != nil || len(r.Warnings) != 1 {
		t.Errorf("%+v", r)
	}
	c := ordinal(3, 3, 3, 3, 3, 3, 3, 3, 3, 3)
	if r, _ := Scale([]Segment{c, c}, false); r.Kind != Descriptive || r.P != nil {
		t.Errorf("%+v", r)
	}
	// No spread within, a difference between: ranks still tell it.
	d := ordinal(4, 4, 4, 4, 4, 4, 4, 4, 4, 4)
	if r, _ := Scale([]Segment{c, d}, false); r.Kind != MannWhitney || *r.P > .001 || r.Effect != nil {
		t.Errorf("%+v", r)
	}
}

var (
	first  = ordinal(3, 4, 5, 2, 4, 5, 1, 3, 4, 4, 5, 3)
	second = ordinal(2, 3, 1, 2, 4, 3, 2, 1, 3, 2, 2, 3, 1)
	third  = ordinal(5, 5, 4, 3, 5, 4, 5, 5, 2, 4)
)

// The figures are those of scipy 1.x for the same three samples (ttest_ind
// without equal variances, mannwhitneyu with continuity, kruskal); Welch's
// analysis of variance and Hedges's g were computed from their formulas beside it.
func TestScalesAgainstScipy(t *testing.T) {
	r, err := Scale([]Segment{first, second}, false)
	if err != nil || r.Kind != WelchT {
		t.Fatalf("%s %v", r.Kind, err)
	}
	near(t, "t", r.Statistic, 3.069007901735274, 1e-12)
	near(t, "df", r.DF, 20.316315211446383, 1e-10)
	near(t, "p", r.P, .005979227595806341, 1e-12)
	near(t, "g", &r.Effect.Value, 1.2021451170279793, 1e-12)

	r, _ = Scale([]Segment{first, second}, true)
	near(t, "U", r.Statistic, 126, 0)
	near(t, "p of U", r.P, .008094564956650795, 1e-12)

	r, _ = Scale([]Segment{first, second, third}, true)
	if r.Kind != KruskalWallis || r.Effect != nil {
		t.Errorf("%+v", r)
	}
	near(t, "H", r.Statistic, 13.64025118583167, 1e-11)
	near(t, "p of H", r.P, .0010915838184754182, 1e-13)

	r, _ = Scale([]Segment{first, second, third}, false)
	if r.Kind != WelchANOVA || len(r.Pairs) != 3 {
		t.Errorf("%+v", r)
	}
	near(t, "F", r.Statistic, 11.895333916075286, 1e-11)
	near(t, "df2", r.DF2, 20.22571511860396, 1e-10)
	near(t, "p of F", r.P, .0003843989251864485, 1e-12)
}

func TestFewAnswersAreDescribedOnly(t *testing.T) {
	nine := ordinal(1, 2, 3, 4, 5, 1, 2, 3, 4)
	r, err := Scale([]Segment{first, nine}, false)
	if err != nil || r.Kind != Descriptive || r.P != nil || r.Statistic != nil || r.Effect != nil || len(r.Pairs) != 0 || len(r.Warnings) != 1 {
		t.Errorf("%+v %v", r, err)
	}
	r, _ = Scale([]Segment{first, nine, second}, false)
	if r.Kind != WelchT || r.Tested[1] || len(r.Pairs) != 1 || r.Pairs[0].B != 2 {
		t.Errorf("%+v", r)
	}
	r, _ = Choice([]Segment{counted(5, 4), counted(50, 40)}, 2, 1)
	if r.Kind != Descriptive || r.Residuals != nil {
		t.Errorf("%+v", r)
	}
	r, _ = Choice([]Segment{counted(5, 4), counted(50, 40), counted(20, 70)}, 2, 1)
	if r.Kind != Chi2 || *r.DF != 1 || r.Residuals[0][0] != 0 {
		t.Errorf("%+v", r)
	}
}

func TestWeightsCountByTheirEffectiveBase(t *testing.T) {
	a, b := counted(30, 20), counted(15, 35)
	plain, _ := Choice([]Segment{a, b}, 2, 1)
	for _, s := range []*Segment{&a, &b} {
		s.Weights = make([]float64, 50)
		for i := range s.Weights {
			s.Weights[i] = 3
		}
	}
	even, _ := Choice([]Segment{a, b}, 2, 1)
	if math.Abs(*plain.Statistic-*even.Statistic) > 1e-9 {
		t.Error("equal weights changed chi²")
	}
	for i := range a.Weights {
		a.Weights[i] = float64(1 + i%5)
	}
	uneven, _ := Choice([]Segment{a, b}, 2, 1)
	if *uneven.Statistic >= *plain.Statistic {
		t.Error("unequal weights did not lower the base")
	}
	w := first
	w.Weights = []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}
	if r, _ := Scale([]Segment{w, second}, true); r.Kind != WelchT || len(r.Warnings) != 1 {
		t.Errorf("%+v", r)
	}
	if e := ShareOf(counted(30, 20), 0); *e.Estimate != .6 || e.CI95 == nil {
		t.Errorf("%+v", e)
	}
}

func TestSegmentsRefuse(t *testing.T) {
	if _, err := Choice([]Segment{first}, 2, 1); !errors.Is(err, errNoSegments) {
		t.Error(err)
	}
	if _, err := Choice([]Segment{{Options: []int{2}}, {}}, 2, 1); err == nil {
		t.Error("an option that was not offered")
	}
	if _, err := Scale([]Segment{ordinal(math.NaN()), first}, false); err == nil {
		t.Error("a value that is no number")
	}
	if _, err := Scale([]Segment{{Values: []float64{1}, Weights: []float64{1, 2}}, first}, false); err == nil {
		t.Error("two weights for one answer")
	}
	m, a, b, ok := Overlap([][]string{{"x", "y"}, {"z"}, {"w", "y"}})
	if !ok || m != "y" || a != 0 || b != 2 {
		t.Errorf("%s %d %d %v", m, a, b, ok)
	}
	if _, _, _, ok := Overlap([][]string{{"x", "x"}, {"z"}}); ok {
		t.Error("twice in one group is no overlap")
	}
}

// Worked by hand: Holm multiplies by 6, 5, 4, 3, 2, 1, Benjamini-Hochberg by 6/1 …
// 6/6; scipy's false_discovery_control gives the second row.
func TestCorrections(t *testing.T) {
	p := []float64{.01, .02, .03, .04, .05, .2}
	for i, want := range []float64{.06, .10, .12, .12, .12, .2} {
		near(t, "Holm", &Holm(p)[i], want, 1e-12)
	}
	for i, want := range []float64{.06, .06, .06, .06, .06, .2} {
		near(t, "BH", &BenjaminiHochberg(p)[i], want, 1e-12)
	}
	if len(Holm(nil)) != 0 || BenjaminiHochberg([]float64{.3})[0] != .3 {
		t.Error("none, or one alone")
	}
}

func TestLawsOfCorrections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 20).Draw(t, "p")
		h, b := Holm(p), BenjaminiHochberg(p)
		for i := range p {
			if h[i] < p[i]-1e-12 || b[i] < p[i]-1e-12 || h[i] > 1 || b[i] > 1 || b[i] > h[i]+1e-12 {
				t.Fatalf("%v: Holm %v, BH %v", p[i], h[i], b[i])
			}
			for j := range p {
				if p[i] < p[j] && (h[i] > h[j] || b[i] > b[j]) {
					t.Fatal("a correction changed the order")
				}
			}
		}
	})
}

// A test does not care which segment or option stands first, and V stays in 0..1.
func TestLawsOfTests(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		options := rapid.IntRange(2, 5).Draw(t, "options")
		s := make([]Segment, rapid.IntRange(2, 4).Draw(t, "segments"))
		turned := make([]Segment, len(s))
		for i := range s {
			for range rapid.IntRange(10, 40).Draw(t, "n") {
				o := rapid.IntRange(0, options-1).Draw(t, "o")
				s[i].Options = append(s[i].Options, o)
				s[i].Values = append(s[i].Values, float64(o))
			}
		}
		for i := range s {
			k := len(s) - 1 - i
			for j, o := range s[i].Options {
				turned[k].Options = append(turned[k].Options, options-1-o)
				turned[k].Values = append(turned[k].Values, s[i].Values[j])
			}
		}
		slices.Reverse(turned[0].Options)
		a := pearson(table(s, options), used(s, options))
		b := pearson(table(turned, options), used(turned, options))
		if math.Abs(a.chi2-b.chi2) > 1e-9 || a.df != b.df {
			t.Fatal("order changed chi²")
		}
		for _, ranked := range []bool{false, true} {
			x, err := Scale(s, ranked)
			if err != nil {
				t.Fatal(err)
			}
			y, _ := Scale(turned, ranked)
			if (x.P == nil) != (y.P == nil) || x.P != nil && math.Abs(*x.P-*y.P) > 1e-9 {
				t.Fatal("order changed p")
			}
			if x.P != nil && (*x.P < 0 || *x.P > 1) {
				t.Fatal("p out of range")
			}
		}
	})
}

func table(s []Segment, options int) [][]float64 {
	var out [][]float64
	for _, g := range s {
		out = append(out, counts(g, options))
	}
	return out
}

func used(s []Segment, options int) []int {
	var out []int
	for o := range options {
		if slices.ContainsFunc(s, func(g Segment) bool { return slices.Contains(g.Options, o) }) {
			out = append(out, o)
		}
	}
	return out
}
