package price

import (
	"fmt"
	"math"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// Reply is what a member said to one price.
type Reply int8

// A price that was not asked may still be known: who buys at 10 buys at 5.
const (
	NotAsked Reply = iota
	Refused
	Accepted
)

// Buyer is one member's replies, aligned to the ascending prices. Set Weight 1
// where weights are not used.
type Buyer struct {
	Replies []Reply
	Weight  float64
}

// GrangerOptions of a demand curve.
type GrangerOptions struct {
	UnitCost  *float64 // adds the profit index
	Seed      uint64
	Resamples int // bootstrap of the optimum; none when 0
}

// Demand is the curve at one asked price.
type Demand struct {
	Price      float64
	Share      float64  // share that buys at this price, never rising with it
	Raw        float64  // share that said yes at this price
	Highest    float64  // share whose highest accepted price is at least this one
	Revenue    float64  // price x share
	Profit     *float64 // (price - unit cost) x share
	Elasticity *float64 // arc elasticity from the price before; nil at the first and where nobody buys
}

// Granger is a demand curve with its optimum.
type Granger struct {
	Demand       []Demand
	Optimum      *float64 // the lowest asked price of the highest revenue; nil when all refuse or below ten members
	ProfitBest   *float64 // the same of profit, with a unit cost and a profit above 0
	Distribution []float64
	Violators    int // accept a price and refuse a lower one
	Incomplete   int // members left out: an open price that their other replies do not decide
	N            int
	EffectiveN   float64
	Logistic     *Logistic
	Warnings     []string
}

// GaborGranger computes demand and revenue over asked prices (Gabor and Granger
// 1966). prices ascend strictly. The raw share of yes per price is the demand as
// long as it falls; where it rises with the price it is pooled to the nearest
// falling curve (pool adjacent violators, Ayer et al. 1955). Members without
// contradiction have one highest accepted price, and when all are such, the
// demand is the share whose highest accepted price is at least p.
//
// Distribution is the share of resamples in which each asked price is the
// optimum; it sums to the share of resamples that have one. Without a complete
// member the answer is stats.Insufficient.
func GaborGranger(prices []float64, buyers []Buyer, o GrangerOptions) (Granger, error) {
	var g Granger
	for i, p := range prices {
		if p <= 0 || math.IsInf(p, 0) || math.IsNaN(p) || i > 0 && p <= prices[i-1] {
			return g, fmt.Errorf("price: prices are above 0 and ascend, %v at %d does not", p, i)
		}
	}
	if len(prices) < 2 {
		return g, fmt.Errorf("price: a demand curve needs at least two prices, not %d", len(prices))
	}
	var kept []Buyer
	var weights []float64
	for i, b := range buyers {
		if len(b.Replies) != len(prices) {
			return g, fmt.Errorf("price: member %d has %d replies for %d prices", i, len(b.Replies), len(prices))
		}
		full, ok := complete(b.Replies)
		if !ok {
			g.Incomplete++
			continue
		}
		kept = append(kept, Buyer{full, b.Weight})
		weights = append(weights, b.Weight)
		if contradicts(full) {
			g.Violators++
		}
	}
	g.N, g.EffectiveN = len(kept), stats.Kish(weights)
	if g.EffectiveN == 0 {
		return g, &stats.Insufficient{Reason: fmt.Sprintf("None of %d members has an answer at every price.", len(buyers))}
	}
	g.curve(prices, kept, o)
	g.optima(o)
	if g.N >= stats.FewAnswers && o.Resamples > 0 {
		g.Distribution = distribution(prices, kept, o)
	}
	g.Logistic = fitLogistic(prices, g.Demand)
	return g, nil
}

// complete fills in what replies decide by themselves: below an accepted price
// all is accepted, above a refused one all is refused. ok is false when a price
// stays open, or is decided both ways.
func complete(replies []Reply) (full []Reply, ok bool) {
	full = append([]Reply(nil), replies...)
	highest, lowest := -1, len(replies)
	for i, r := range replies {
		switch r {
		case Accepted:
			highest = i
		case Refused:
			lowest = min(lowest, i)
		}
	}
	for i, r := range full {
		if r != NotAsked {
			continue
		}
		switch below, above := i < highest, i > lowest; {
		case below && !above:
			full[i] = Accepted
		case above && !below:
			full[i] = Refused
		default:
			return nil, false
		}
	}
	return full, true
}

func contradicts(full []Reply) bool {
	refused := false
	for _, r := range full {
		if r == Refused {
			refused = true
		} else if refused {
			return true
		}
	}
	return false
}

func (g *Granger) curve(prices []float64, kept []Buyer, o GrangerOptions) {
	yes, total := counts(len(prices), kept, nil)
	highest := make([]float64, len(prices))
	for _, b := range kept {
		for i := len(prices) - 1; i >= 0; i-- {
			if b.Replies[i] == Accepted {
				for k := 0; k <= i; k++ {
					highest[k] += b.Weight
				}
				break
			}
		}
	}
	falling := PoolFalling(yes, nil)
	g.Demand = make([]Demand, len(prices))
	for i, p := range prices {
		d := Demand{Price: p, Share: falling[i] / total, Raw: yes[i] / total, Highest: highest[i] / total}
		d.Revenue = p * d.Share
		if o.UnitCost != nil {
			v := (p - *o.UnitCost) * d.Share
			d.Profit = &v
		}
		if i > 0 {
			before := g.Demand[i-1]
			if mean := (d.Share + before.Share) / 2; mean > 0 {
				e := (d.Share - before.Share) / mean / ((p - before.Price) / ((p + before.Price) / 2))
				d.Elasticity = &e
			}
		}
		g.Demand[i] = d
	}
	if g.Violators > 0 {
		text := fmt.Sprintf("%d of %d members accept a price and refuse a lower one.", g.Violators, g.N)
		if !monotone(yes) {
			text += " Raw demand rises with the price somewhere; it was pooled to the nearest falling curve."
		}
		g.Warnings = append(g.Warnings, text)
	}
}

// counts is the weight of yes at each price, over all members or over those of
// a resample.
func counts(prices int, kept []Buyer, drawn []int) (yes []float64, total float64) {
	yes = make([]float64, prices)
	add := func(b Buyer) {
		total += b.Weight
		for i, r := range b.Replies {
			if r == Accepted {
				yes[i] += b.Weight
			}
		}
	}
	if drawn == nil {
		for _, b := range kept {
			add(b)
		}
		return yes, total
	}
	for _, i := range drawn {
		add(kept[i])
	}
	return yes, total
}

func monotone(yes []float64) bool {
	for i := 1; i < len(yes); i++ {
		if yes[i] > yes[i-1]+1e-9*math.Abs(yes[i-1]) {
			return false
		}
	}
	return true
}

// PoolFalling is the closest never rising sequence to y in weighted least
// squares (isotonic regression by pool adjacent violators). Weights may be nil.
func PoolFalling(y, weights []float64) []float64 {
	type block struct {
		sum, w float64
		n      int
	}
	var blocks []block
	for i, v := range y {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		blocks = append(blocks, block{v * w, w, 1})
		for len(blocks) > 1 {
			a, b := blocks[len(blocks)-2], blocks[len(blocks)-1]
			if b.sum*a.w <= a.sum*b.w {
				break
			}
			blocks = append(blocks[:len(blocks)-2], block{a.sum + b.sum, a.w + b.w, a.n + b.n})
		}
	}
	out := make([]float64, 0, len(y))
	for _, b := range blocks {
		for range b.n {
			if b.n == 1 {
				out = append(out, y[len(out)]) // untouched to the last bit
			} else {
				out = append(out, b.sum/b.w)
			}
		}
	}
	return out
}
