package ranking

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// pairs counts majorities. Items of one rank, or both not ranked, are no
// preference.
func (a *Analysis) pairs(answers []answer) {
	k := len(a.Items)
	wins := make([][]float64, k)
	a.Pairwise, a.PairBase = make([][]float64, k), make([][]float64, k)
	for i := range k {
		wins[i], a.Pairwise[i], a.PairBase[i] = make([]float64, k), make([]float64, k), make([]float64, k)
	}
	for _, an := range answers {
		for i := range k {
			for j := range k {
				if an.ranks[i] < an.ranks[j] {
					wins[i][j] += an.weight
				}
			}
		}
	}
	beats := make([][]bool, k)
	for i := range k {
		beats[i] = make([]bool, k)
		all := true
		for j := range k {
			if i == j {
				continue
			}
			base := wins[i][j] + wins[j][i]
			a.PairBase[i][j] = base
			a.Pairwise[i][j] = .5
			if base > 0 {
				a.Pairwise[i][j] = wins[i][j] / base
			}
			beats[i][j] = wins[i][j] > wins[j][i]*(1+1e-12)
			all = all && beats[i][j]
		}
		if all {
			winner := i
			a.Winner = &winner
		}
	}
	a.Cycle = a.Winner == nil && cyclic(beats)
}

// cyclic says that strict majorities lead from some item back to itself.
func cyclic(beats [][]bool) bool {
	k := len(beats)
	reach := make([][]bool, k)
	for i := range reach {
		reach[i] = append([]bool(nil), beats[i]...)
	}
	for m := range k {
		for i := range k {
			for j := range k {
				reach[i][j] = reach[i][j] || reach[i][m] && reach[m][j]
			}
		}
	}
	for i := range k {
		if reach[i][i] {
			return true
		}
	}
	return false
}

// agreement is Kendall's W with the correction for ties (Kendall and Babington
// Smith 1939), and Friedman's chi2 = n(k-1)W (Friedman 1937). With weights the
// sums are weighted means and n is the effective base.
func (a *Analysis) agreement(answers []answer) {
	k := float64(len(a.Items))
	total, tied := 0.0, 0.0
	sums := make([]float64, len(a.Items))
	for _, an := range answers {
		total += an.weight
		for i, r := range an.ranks {
			sums[i] += an.weight * r
		}
		tie := func(n int) { tied += an.weight * float64(n) * float64(n*n-1) }
		for _, g := range an.groups {
			tie(len(g))
		}
		tie(len(an.left))
	}
	s := 0.0
	for _, v := range sums {
		d := v/total - (k+1)/2
		s += d * d
	}
	most := k*(k*k-1) - tied/total
	if len(answers) < 2 || most <= 1e-9 {
		return
	}
	w := math.Min(1, 12*s/most)
	chi2 := a.EffectiveN * (k - 1) * w
	a.KendallW, a.Friedman, a.DF = &w, &chi2, len(a.Items)-1
	if a.Members >= stats.FewAnswers {
		p := distuv.ChiSquared{K: k - 1}.Survival(chi2)
		a.P = &p
	}
}
