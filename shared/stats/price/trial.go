package price

import "math"

// Trial is the extension of Newton, Miller and Smith (1993): how likely a
// purchase is at each price, averaged over members.
type Trial struct {
	ReachPrice   float64 // the price with the highest mean trial
	Reach        float64 // that mean trial, 0..1
	RevenuePrice float64 // the price with the highest price x mean trial
	Revenue      float64 // that product, per member
	N            int     // members with both intents
	Curve        []TrialPoint
}

// TrialPoint is the mean trial at one stated price.
type TrialPoint struct{ Price, Trial, Revenue float64 }

// calibrated turns a stated intent into a trial rate: people buy less often than
// they say. Intent 5 (definitely) counts .7, 1 (definitely not) counts 0.
var calibrated = [6]float64{0, 0, .1, .3, .5, .7}

// newtonMillerSmith interpolates each member's trial on straight lines through
// (too cheap, 0), (cheap, intent), (expensive, intent), (too expensive, 0) and
// averages at every stated price. Of equal maxima the lower price stands. It is
// nil when nobody gave both intents.
func newtonMillerSmith(kept []Judgement, grid []CurvePoint) *Trial {
	t := Trial{Curve: make([]TrialPoint, len(grid))}
	total := 0.0
	for _, j := range kept {
		if j.IntentCheap < 1 || j.IntentCheap > 5 || j.IntentExpensive < 1 || j.IntentExpensive > 5 {
			continue
		}
		t.N++
		total += j.Weight
		y := [4]float64{0, calibrated[j.IntentCheap], calibrated[j.IntentExpensive], 0}
		x := j.prices()
		for i := range grid {
			t.Curve[i].Trial += j.Weight * lineThrough(x, y, grid[i].Price)
		}
	}
	if total <= 0 {
		return nil
	}
	reach, revenue := -1.0, -1.0
	for i := range grid {
		c := &t.Curve[i]
		c.Price = grid[i].Price
		c.Trial /= total
		c.Revenue = c.Price * c.Trial
		if better(c.Trial, reach) {
			reach, t.ReachPrice, t.Reach = c.Trial, c.Price, c.Trial
		}
		if better(c.Revenue, revenue) {
			revenue, t.RevenuePrice, t.Revenue = c.Revenue, c.Price, c.Revenue
		}
	}
	return &t
}

// better asks for more than a difference in the last bits, so that a tie keeps
// the lower price.
func better(v, best float64) bool { return v > best+1e-12*math.Max(1, math.Abs(best)) }

func lineThrough(x, y [4]float64, at float64) float64 {
	if at <= x[0] || at >= x[3] {
		return 0
	}
	for k := 1; k < 4; k++ {
		if at <= x[k] {
			return y[k-1] + (y[k]-y[k-1])*(at-x[k-1])/(x[k]-x[k-1])
		}
	}
	return 0
}
