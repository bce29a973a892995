package price

import (
	"math/rand/v2"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// bootstrap gives the percentile ranges of the four points over resampled
// members (Efron 1979). Members are placed on the grid of all prices once, so a
// resample costs one pass over members and prices.
func (m *Meter) bootstrap(kept []Judgement, place [][4]int, all curves, o MeterOptions) {
	rng := rand.New(rand.NewPCG(o.Seed, 0x7E57))
	var drawn [4][]float64
	mass := make([][4]float64, len(all.price))
	for range o.Resamples {
		clear(mass)
		c := curves{tol: all.tol}
		for range kept {
			i := rng.IntN(len(kept))
			c.total += kept[i].Weight
			for k, at := range place[i] {
				mass[at][k] += kept[i].Weight
			}
		}
		if c.total <= 0 {
			continue
		}
		c.cumulate(all.price, mass)
		pmc, pme, idp, opp := c.four(o)
		for k, v := range [4]*float64{pmc, pme, idp, opp} {
			if v != nil {
				drawn[k] = append(drawn[k], *v)
			}
		}
	}
	m.PMCCI, m.PMECI, m.IDPCI, m.OPPCI = percentiles(drawn[0]), percentiles(drawn[1]), percentiles(drawn[2]), percentiles(drawn[3])
}

// percentiles is the middle 95% of resampled figures, nil when fewer than half
// of a hundred were drawn.
func percentiles(x []float64) *[2]float64 {
	lo, ok1 := stats.Quantile(x, .025)
	hi, ok2 := stats.Quantile(x, .975)
	if !ok1 || !ok2 || len(x) < 50 {
		return nil
	}
	return &[2]float64{lo, hi}
}
