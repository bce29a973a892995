package segments

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// Choice compares segments on a question with so many options. Segments of fewer
// than ten answers are left to description.
//
// Pearson's chi² with Cramér's V = sqrt(chi²/(n min(r-1, c-1))) (Cramér 1946) and
// standardised residuals (o - e)/sqrt(e (1 - row)(1 - column)) (Haberman 1973).
// With weights, counts are shares times the effective base of each segment (Kish).
// Where any expected count is below 5 the p value comes from 10,000 seeded
// permutations of answers over segments, (1 + as extreme)/(1 + all), and there is
// no df. Pairs are z tests of the share of each option, corrected by Holm.
func Choice(s []Segment, options int, seed uint64) (Test, error) {
	t, tested, err := start(s)
	if err != nil {
		return t, err
	}
	for i, g := range s {
		for _, o := range g.Options {
			if o < 0 || o >= options {
				return t, fmt.Errorf("segments: segment %d answers option %d of %d", i, o, options)
			}
		}
	}
	if len(tested) < 2 {
		return t, nil
	}
	table := make([][]float64, len(tested))
	column := make([]float64, options)
	for r, i := range tested {
		table[r] = counts(s[i], options)
		for k, c := range table[r] {
			column[k] += c
		}
	}
	var used []int
	for k, c := range column {
		if c > 0 {
			used = append(used, k)
		}
	}
	if len(used) < 2 {
		t.Warnings = append(t.Warnings, "All answers are the same; there is nothing to test.")
		return t, nil
	}
	p := pearson(table, used)
	t.Kind, t.Statistic, t.DF = Chi2, ptr(p.chi2), ptr(p.df)
	t.P = ptr(distuv.ChiSquared{K: p.df}.Survival(p.chi2))
	t.Effect = &Effect{"cramers_v", math.Sqrt(p.chi2 / (p.n * math.Min(float64(len(tested)-1), float64(len(used)-1))))}
	t.Residuals = make([][]float64, len(s))
	for i := range s {
		t.Residuals[i] = make([]float64, options)
	}
	for r, i := range tested {
		for c, k := range used {
			t.Residuals[i][k] = p.residuals[r][c]
		}
	}
	if p.least < 5 {
		t.Kind, t.DF = Permutation, nil
		t.P = ptr(permute(s, tested, options, used, seed))
	}
	t.Pairs = sharePairs(s, tested, table, used)
	return t, nil
}

// counts are answers by option, scaled to the effective base.
func counts(s Segment, options int) []float64 {
	out := make([]float64, options)
	total := 0.0
	for i, o := range s.Options {
		out[o] += s.weight(i)
		total += s.weight(i)
	}
	if s.Weights != nil && total > 0 {
		for k := range out {
			out[k] *= s.base() / total
		}
	}
	return out
}

type pearsons struct {
	chi2, df, n, least float64
	residuals          [][]float64
}

// pearson reads the table's used columns.
func pearson(table [][]float64, used []int) pearsons {
	p := pearsons{least: math.Inf(1), df: float64((len(table) - 1) * (len(used) - 1))}
	row, col := make([]float64, len(table)), make([]float64, len(used))
	for r := range table {
		for c, k := range used {
			row[r] += table[r][k]
			col[c] += table[r][k]
			p.n += table[r][k]
		}
	}
	p.residuals = make([][]float64, len(table))
	for r := range table {
		p.residuals[r] = make([]float64, len(used))
		for c, k := range used {
			e := row[r] * col[c] / p.n
			d := table[r][k] - e
			p.least = math.Min(p.least, e)
			p.chi2 += d * d / e
			if v := e * (1 - row[r]/p.n) * (1 - col[c]/p.n); v > 0 {
				p.residuals[r][c] = d / math.Sqrt(v)
			}
		}
	}
	return p
}

// permute is how often answers dealt at random over the segments give a chi² as
// large as theirs. Answers keep their weights.
func permute(s []Segment, tested []int, options int, used []int, seed uint64) float64 {
	type answer struct {
		option int
		weight float64
	}
	var all []answer
	var sizes []int
	for _, i := range tested {
		for k, o := range s[i].Options {
			all = append(all, answer{o, s[i].weight(k)})
		}
		sizes = append(sizes, len(s[i].Options))
	}
	table := make([][]float64, len(tested))
	for r := range table {
		table[r] = make([]float64, options)
	}
	col := make([]float64, options)
	total := 0.0
	for _, a := range all {
		col[a.option] += a.weight
		total += a.weight
	}
	chi2 := func() float64 {
		at, sum := 0, 0.0
		for r, n := range sizes {
			clear(table[r])
			row := 0.0
			for _, a := range all[at : at+n] {
				table[r][a.option] += a.weight
				row += a.weight
			}
			at += n
			for _, k := range used {
				if e := row * col[k] / total; e > 0 {
					d := table[r][k] - e
					sum += d * d / e
				}
			}
		}
		return sum
	}
	observed := chi2() * (1 - 1e-9)
	rng := rand.New(rand.NewPCG(seed, 0xF15E))
	extreme := 1
	for range Permutations {
		rng.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
		if chi2() >= observed {
			extreme++
		}
	}
	return float64(extreme) / (Permutations + 1)
}

// sharePairs tests every option between every two segments with pooled z.
func sharePairs(s []Segment, tested []int, table [][]float64, used []int) []Pair {
	var out []Pair
	for a := range tested {
		for b := a + 1; b < len(tested); b++ {
			na, nb := s[tested[a]].base(), s[tested[b]].base()
			for _, k := range used {
				p, q := table[a][k]/na, table[b][k]/nb
				pooled := (table[a][k] + table[b][k]) / (na + nb)
				v := pooled * (1 - pooled) * (1/na + 1/nb)
				pair := Pair{A: tested[a], B: tested[b], Option: k, Difference: p - q, P: 1}
				if v > 0 {
					pair.Statistic = (p - q) / math.Sqrt(v)
					pair.P = 2 * distuv.UnitNormal.Survival(math.Abs(pair.Statistic))
				}
				out = append(out, pair)
			}
		}
	}
	adjustPairs(out)
	return out
}

func adjustPairs(pairs []Pair) {
	p := make([]float64, len(pairs))
	for i := range pairs {
		p[i] = pairs[i].P
	}
	for i, v := range Holm(p) {
		pairs[i].PAdjusted = v
	}
}

// ShareOf is the share of one option in a segment with its Wilson interval.
func ShareOf(s Segment, option int) stats.Estimate {
	part, total := 0.0, 0.0
	for i, o := range s.Options {
		total += s.weight(i)
		if o == option {
			part += s.weight(i)
		}
	}
	return stats.Share(part, total, len(s.Options), s.base())
}
