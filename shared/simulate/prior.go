package simulate

import "math"

// The type prior: what the shape of a question alone makes
// likely. It is worth under three points of score over guessing evenly and is
// never sold as knowledge; an answer that rests on it is Unsupported.
const (
	priorYes      = .55
	acquiescence  = .03
	priorOutside  = .06 // one answer outside the scale
	priorCentre   = .6  // of a long numeric scale, 0 = low end
	priorSpread   = .23 // of its length: N(6, 2.3) on 0-10
	peak          = .6  // how much the middle of a short scale outweighs its ends
	dirichletTilt = 4   // concentration of a nominal question's random tilt
)

// typePrior gives probabilities in the order of ls. scale marks the options on
// the scale, order their canonical order.
func typePrior(key seed, q Question, ls []label, order []int, scale []bool, ordered bool) []float64 {
	p := make([]float64, len(ls))
	var on []int
	outside := 0
	for _, i := range order {
		if scale[i] {
			on = append(on, i)
		} else {
			outside++
		}
	}
	if len(on) == 0 {
		for i := range p {
			p[i] = 1
		}
		settle(p)
		return p
	}
	k := len(on)
	family := ls[on[0]].family
	switch {
	case family == "yesno" && k == 2:
		p[on[0]], p[on[1]] = 1-priorYes, priorYes
	case q.Type == Scale && k >= 7:
		centre := priorCentre
		if q.TopLow {
			centre = 1 - priorCentre
		}
		span := float64(k - 1)
		mean, sd := centre*span, priorSpread*span
		for j, i := range on {
			p[i] = phi((float64(j)+.5-mean)/sd) - phi((float64(j)-.5-mean)/sd)
		}
	case ordered:
		mid := float64(k-1) / 2
		for j, i := range on {
			d := 0.0
			if mid > 0 {
				d = math.Abs(float64(j)-mid) / mid
			}
			p[i] = 1 + peak*(1-d)
		}
		settle(p)
		if family == "signed:agree" {
			for j, i := range on {
				if 2*j < k-1 {
					p[i] *= 1 - 2*acquiescence
				} else if 2*j > k-1 {
					p[i] *= 1 + 2*acquiescence
				}
			}
		}
	default:
		for _, i := range on {
			p[i] = gamma(seedOf("tilt", key.hex(), ls[i].folded))
		}
	}
	sum := 0.0
	for _, i := range on {
		sum += p[i]
	}
	share := math.Min(priorOutside*float64(outside), .3)
	for _, i := range on {
		p[i] *= (1 - share) / sum
	}
	for i := range p {
		if !scale[i] {
			p[i] = share / float64(outside)
		}
	}
	settle(p)
	return p
}

// gamma draws from Gamma(dirichletTilt, 1) as a sum of exponentials; such draws,
// normalised, are Dirichlet.
func gamma(s seed) float64 {
	sum := 0.0
	for i := int64(0); i < dirichletTilt; i++ {
		sum -= math.Log(unit(s.at(i, 0)))
	}
	return sum
}

// multiPrior is each option's own probability in a multiselect without evidence.
func multiPrior(key seed, ls []label) []float64 {
	p := make([]float64, len(ls))
	for i, l := range ls {
		p[i] = .2 + .25*unit(seedOf("tilt", key.hex(), l.folded).at(0, 0))
		if l.outside {
			p[i] = .1
		}
		p[i] = math.Round(p[i]*1e6) / 1e6
	}
	return p
}
