package price

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

func (g *Granger) optima(o GrangerOptions) {
	if g.N < stats.FewAnswers {
		g.Warnings = append(g.Warnings, fmt.Sprintf("%d members are too few for an optimum; the shares stand as counts.", g.N))
		return
	}
	at := best(g.Demand, func(d Demand) float64 { return d.Revenue })
	if at < 0 {
		g.Warnings = append(g.Warnings, "Nobody buys at any asked price: there is no optimum.")
		return
	}
	p := g.Demand[at].Price
	g.Optimum = &p
	g.ends(at, "revenue")
	if o.UnitCost == nil {
		return
	}
	if at := best(g.Demand, func(d Demand) float64 { return *d.Profit }); at >= 0 {
		p := g.Demand[at].Price
		g.ProfitBest = &p
		g.ends(at, "profit")
	} else {
		g.Warnings = append(g.Warnings, fmt.Sprintf("No asked price makes a profit at a unit cost of %v.", *o.UnitCost))
	}
}

// ends warns when the best price is the first or the last asked one: the true
// optimum may lie beyond it.
func (g *Granger) ends(at int, of string) {
	switch at {
	case 0:
		g.Warnings = append(g.Warnings, fmt.Sprintf("The highest %s lies at the lowest asked price (%v): the grid is too narrow, ask lower prices too.", of, g.Demand[at].Price))
	case len(g.Demand) - 1:
		g.Warnings = append(g.Warnings, fmt.Sprintf("The highest %s lies at the highest asked price (%v): the grid is too narrow, ask higher prices too.", of, g.Demand[at].Price))
	}
}

// best is the first index of the greatest value above 0, -1 when there is none.
func best(d []Demand, of func(Demand) float64) int {
	at, top := -1, 0.0
	for i := range d {
		if v := of(d[i]); better(v, top) {
			at, top = i, v
		}
	}
	return at
}

// distribution resamples members and says how often each price has the highest
// revenue (Efron 1979). An optimum over a grid is discrete, so its uncertainty is
// a distribution and not an interval.
func distribution(prices []float64, kept []Buyer, o GrangerOptions) []float64 {
	rng := rand.New(rand.NewPCG(o.Seed, 0x6A60))
	out := make([]float64, len(prices))
	drawn := make([]int, len(kept))
	d := make([]Demand, len(prices))
	for range o.Resamples {
		for i := range drawn {
			drawn[i] = rng.IntN(len(kept))
		}
		yes, total := counts(len(prices), kept, drawn)
		if total <= 0 {
			continue
		}
		falling := PoolFalling(yes, nil)
		for i, p := range prices {
			d[i].Revenue = p * falling[i] / total
		}
		if at := best(d, func(d Demand) float64 { return d.Revenue }); at >= 0 {
			out[at]++
		}
	}
	for i := range out {
		out[i] /= float64(o.Resamples)
	}
	return out
}

// Logistic is a smooth demand D(p) = 1/(1 + exp(-(A + B p))).
type Logistic struct{ A, B float64 }

// At is the demand at a price.
func (l Logistic) At(p float64) float64 { return 1 / (1 + math.Exp(-(l.A + l.B*p))) }

// fitLogistic is the maximum likelihood of the raw shares by Newton's method,
// with equal bases at all prices. It is nil when shares separate (all or nobody
// buys at every price) or do not fall.
func fitLogistic(prices []float64, d []Demand) *Logistic {
	inside := false
	for _, v := range d {
		inside = inside || v.Raw > 0 && v.Raw < 1
	}
	if !inside {
		return nil
	}
	scale := prices[len(prices)-1]
	var a, b float64
	for range 50 {
		var ga, gb, haa, hab, hbb float64
		for i, p := range prices {
			x := p / scale
			q := 1 / (1 + math.Exp(-(a + b*x)))
			w := q * (1 - q)
			ga += d[i].Raw - q
			gb += (d[i].Raw - q) * x
			haa += w
			hab += w * x
			hbb += w * x * x
		}
		det := haa*hbb - hab*hab
		if det < 1e-12 {
			return nil
		}
		da, db := (hbb*ga-hab*gb)/det, (haa*gb-hab*ga)/det
		a, b = a+da, b+db
		if math.Abs(da)+math.Abs(db) < 1e-10 {
			if b >= 0 {
				return nil
			}
			return &Logistic{a, b / scale}
		}
	}
	return nil
}
