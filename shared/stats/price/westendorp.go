// Package price holds the two price methods: the price sensitivity meter of Van
// Westendorp and the demand curve of Gabor and Granger. Answers in, figures out;
// bootstraps are drawn from the seed that is given, so a re-read is identical.
package price

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// Judgement is one member's four prices, and with Newton, Miller and Smith's
// extension the intent to buy (5 definitely to 1 definitely not) at the cheap
// and at the expensive one; 0 stands for an intent that was not given.
type Judgement struct {
	TooCheap, Cheap, Expensive, TooExpensive float64
	IntentCheap, IntentExpensive             int
	Weight                                   float64 // 0 is an answer without weight; set 1 where weights are not used
}

// valid holds the four prices to their strict order: somebody who finds 9 cheap
// and 5 too cheap understood the questions.
func (j Judgement) valid() bool {
	return j.TooCheap < j.Cheap && j.Cheap < j.Expensive && j.Expensive < j.TooExpensive
}

// TieRule says which price stands for a point where two curves touch over an
// interval.
type TieRule string

// The rules of ties.
const (
	TieMin    TieRule = "min"
	TieMax    TieRule = "max"
	TieMean   TieRule = "mean"
	TieMedian TieRule = "median"
)

// MeterOptions choose how the points are read.
type MeterOptions struct {
	Tie         TieRule // min when empty
	Interpolate bool    // cross the curves on straight lines between prices instead of on the prices themselves
	Seed        uint64
	Resamples   int // bootstrap of the four points; none when 0
}

// CurvePoint is the four curves at one stated price, shares 0..1.
type CurvePoint struct{ Price, TooCheap, Cheap, Expensive, TooExpensive float64 }

// Meter is the price sensitivity meter. Points are nil where the curves never
// cross.
type Meter struct {
	PMC, PME, IDP, OPP         *float64    // marginal cheapness and expensiveness, indifference, optimum
	PMCCI, PMECI, IDPCI, OPPCI *[2]float64 // percentile ranges over resampled members; nil without Resamples
	Tie                        TieRule
	Curves                     []CurvePoint
	Valid, Invalid             int
	EffectiveN                 float64
	Trial                      *Trial // nil without intents
	Warnings                   []string
}

// Westendorp reads the price sensitivity meter (Van Westendorp 1976) from the
// valid judgements: those in strict order. Others are counted and left out, with
// a warning above 10% and the headline called unreliable above 25%. Below ten
// valid judgements it gives stats.Insufficient.
//
// F(p) is the share of answers at most p. Too cheap and cheap fall, 1 - F,
// expensive and too expensive rise, F; each is put to 0 at its own lowest and to
// 1 at its own highest stated price. PMC is where not cheap meets too cheap, PME
// where too expensive meets not expensive, IDP where expensive meets cheap, OPP
// where too expensive meets too cheap: the first stated price at which the
// rising curve has reached the falling one. Shares are compared as counts, for
// 0.3 >= 1 - 0.7 is false in floating point.
func Westendorp(answers []Judgement, o MeterOptions) (Meter, error) {
	if o.Tie == "" {
		o.Tie = TieMin
	}
	if !slices.Contains([]TieRule{TieMin, TieMax, TieMean, TieMedian}, o.Tie) {
		return Meter{}, fmt.Errorf("price: the tie rule is min, max, mean or median, not %q", o.Tie)
	}
	m := Meter{Tie: o.Tie}
	var kept []Judgement
	for i, j := range answers {
		for _, v := range []float64{j.TooCheap, j.Cheap, j.Expensive, j.TooExpensive, j.Weight} {
			if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
				return Meter{}, fmt.Errorf("price: judgement %d holds %v; prices and weights are finite and not negative", i, v)
			}
		}
		if j.valid() {
			kept = append(kept, j)
		} else {
			m.Invalid++
		}
	}
	m.Valid = len(kept)
	if m.Valid < stats.FewAnswers {
		return m, &stats.Insufficient{Reason: fmt.Sprintf("%d judgements are in the order too cheap < cheap < expensive < too expensive (%d are not); %d are needed.", m.Valid, m.Invalid, stats.FewAnswers)}
	}
	weights := make([]float64, len(kept))
	for i, j := range kept {
		weights[i] = j.Weight
	}
	m.EffectiveN = stats.Kish(weights)
	if m.EffectiveN == 0 {
		return m, &stats.Insufficient{Reason: "The weights of all valid judgements are 0."}
	}
	c, place := sortedCurves(kept)
	m.Curves = c.points()
	m.PMC, m.PME, m.IDP, m.OPP = c.four(o)
	m.Warnings = append(m.Warnings, invalidWarning(m.Valid, m.Invalid)...)
	if o.Resamples > 0 {
		m.bootstrap(kept, place, c, o)
	}
	m.Trial = newtonMillerSmith(kept, m.Curves)
	return m, nil
}

func invalidWarning(valid, invalid int) []string {
	share := float64(invalid) / float64(valid+invalid)
	text := fmt.Sprintf("%d of %d judgements are not in the order too cheap < cheap < expensive < too expensive and were left out", invalid, valid+invalid)
	switch {
	case share > .25:
		return []string{text + ": the price points are unreliable."}
	case share > .10:
		return []string{text + "."}
	}
	return nil
}

// curves hold the cumulative weight of the four answers on the sorted union of
// stated prices. With weights of 1 these are whole numbers, so they compare
// exactly.
type curves struct {
	price []float64
	at    [4][]float64 // F x total, after the ends are set
	total float64
	tol   float64
}

const (
	tooCheap = iota
	cheap
	expensive
	tooExpensive
)

func (j Judgement) prices() [4]float64 {
	return [4]float64{j.TooCheap, j.Cheap, j.Expensive, j.TooExpensive}
}

// sortedCurves builds the curves on the sorted union of stated prices. place
// says where on it each member's four prices stand.
func sortedCurves(kept []Judgement) (c curves, place [][4]int) {
	for _, j := range kept {
		p := j.prices()
		c.price = append(c.price, p[:]...)
		if j.Weight != math.Trunc(j.Weight) {
			c.tol = 1 // fractional weights: sums differ in the last bits
		}
		c.total += j.Weight
	}
	sort.Float64s(c.price)
	grid := slices.Compact(c.price)
	c.price, c.tol = nil, c.tol*1e-9*c.total
	mass := make([][4]float64, len(grid))
	place = make([][4]int, len(kept))
	for i, j := range kept {
		for k, p := range j.prices() {
			at, _ := slices.BinarySearch(grid, p)
			place[i][k] = at
			mass[at][k] += j.Weight
		}
	}
	c.cumulate(grid, mass)
	return c, place
}

// cumulate adds up the weight of each answer along the prices, leaving out
// prices that nobody with weight stated. Each curve stands at 0 at its own
// lowest price.
func (c *curves) cumulate(price []float64, mass [][4]float64) {
	var sum [4]float64
	for i, p := range price {
		if mass[i] == [4]float64{} {
			continue
		}
		c.price = append(c.price, p)
		for k := range c.at {
			f := 0.0
			if sum[k] > 0 {
				f = sum[k] + mass[i][k]
			}
			sum[k] += mass[i][k]
			if c.total-f <= c.tol { // the highest answer, whatever the last bits say
				f = c.total
			}
			c.at[k] = append(c.at[k], f)
		}
	}
}

func (c curves) points() []CurvePoint {
	out := make([]CurvePoint, len(c.price))
	for i, p := range c.price {
		f := func(k int) float64 { return c.at[k][i] / c.total }
		out[i] = CurvePoint{p, 1 - f(tooCheap), 1 - f(cheap), f(expensive), f(tooExpensive)}
	}
	return out
}

// four reads the points. Each is written as F_a + F_b against the total, so that
// "rising >= falling" is a comparison of counts: a rising F_a meets the falling
// total - F_b where F_a + F_b >= total.
func (c curves) four(o MeterOptions) (pmc, pme, idp, opp *float64) {
	meet := func(gap func(i int) float64) *float64 {
		if o.Interpolate {
			return c.interpolated(gap, o.Tie)
		}
		return c.first(gap, o.Tie)
	}
	sum := func(a, b int) func(int) float64 {
		return func(i int) float64 { return c.at[a][i] + c.at[b][i] - c.total }
	}
	// Not cheap is F_cheap and rises; too cheap is total - F_tooCheap and falls.
	pmc = meet(sum(cheap, tooCheap))
	// Too expensive rises; not expensive is total - F_expensive.
	pme = meet(sum(tooExpensive, expensive))
	idp = meet(sum(expensive, cheap))
	opp = meet(sum(tooExpensive, tooCheap))
	return pmc, pme, idp, opp
}

// first is the first price where the gap is no longer negative. Where the curves
// touch (gap 0) over several prices, the rule chooses among them. Where they
// jump over each other the point is that price under every rule.
func (c curves) first(gap func(int) float64, rule TieRule) *float64 {
	for i := range c.price {
		if gap(i) < -c.tol {
			continue
		}
		last := i
		if math.Abs(gap(i)) <= c.tol {
			for last+1 < len(c.price) && math.Abs(gap(last+1)) <= c.tol {
				last++
			}
		}
		v := choose(c.price[i:last+1], rule)
		return &v
	}
	return nil
}

func choose(p []float64, rule TieRule) float64 {
	switch rule {
	case TieMax:
		return p[len(p)-1]
	case TieMean:
		m, _ := stats.Mean(p, nil)
		return m
	case TieMedian:
		m, _ := stats.Median(p, nil)
		return m
	}
	return p[0]
}

// interpolated crosses the two curves on straight lines between prices. It
// equals first wherever they meet on a stated price.
func (c curves) interpolated(gap func(int) float64, rule TieRule) *float64 {
	for i := range c.price {
		g := gap(i)
		if g < -c.tol {
			continue
		}
		if g <= c.tol || i == 0 {
			return c.first(gap, rule)
		}
		before := gap(i - 1)
		v := c.price[i-1] + (c.price[i]-c.price[i-1])*before/(before-g)
		return &v
	}
	return nil
}
