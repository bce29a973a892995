package simulate

import "sort"

// shareOfTaste is how much of each option's latent response is the Mind's
// readiness to pick much, so that people who pick many pick many everywhere in
// one question.
const (
	tasteLoad = .4472135954999579 // sqrt(.2)
	tasteOwn  = .8944271909999159 // sqrt(.8)
)

// drawMany picks options one by one, each with its own probability, then holds
// to the exclusive options and to the least and largest number.
func (p *prepared) drawMany(a *Answer, r Respondent, at *place) {
	k := len(p.labels)
	exclusive := make([]bool, k)
	for i, l := range p.labels {
		exclusive[i] = l.outside && l.strict != "outside:other"
		for _, x := range p.q.Exclusive {
			exclusive[i] = exclusive[i] || x == l.text
		}
	}
	margin := make([]float64, k) // probability left over by the Mind's place: at or above 0 is picked
	alone := 0.0
	for i := range p.labels {
		if exclusive[i] {
			alone += a.Probabilities[i]
		}
	}
	for i, l := range p.labels {
		key := seedOf("option", at.shared.hex(), at.names[i])
		own := seedOf("option", p.key.hex(), l.strict)
		z := func(slot int64) float64 {
			e := float64(sameConstruct*normal(key.at(slot, 0xC1))) + float64(ownWording*normal(own.at(slot, 0xC2)))
			return float64(tasteLoad*normal(at.shared.at(slot, 0xC0))) + float64(tasteOwn*e)
		}
		u := stratified(key, r.Slot, z, unit(seedOf("mind", r.ID, key.hex()).at(0, 0)))
		want := a.Probabilities[i]
		if !exclusive[i] && alone > 0 && alone < 1 {
			want = min(1, want/(1-alone)) // given that none of the exclusive ones was picked
		}
		margin[i] = want - (1 - u)
	}
	// Best first; equal margins by label, so that shown order decides nothing.
	byMargin := make([]int, k)
	for i := range byMargin {
		byMargin[i] = i
	}
	sort.Slice(byMargin, func(x, y int) bool {
		i, j := byMargin[x], byMargin[y]
		if margin[i] != margin[j] {
			return margin[i] > margin[j]
		}
		return p.labels[i].folded < p.labels[j].folded
	})
	picked := make([]bool, k)
	for _, i := range byMargin {
		if exclusive[i] && margin[i] >= 0 {
			picked[i] = true
			p.put(a, picked)
			return
		}
	}
	n := 0
	for _, i := range byMargin {
		if exclusive[i] {
			continue
		}
		if p.q.MaxSelections > 0 && n >= p.q.MaxSelections {
			break
		}
		if margin[i] >= 0 || n < p.q.MinSelections {
			picked[i] = true
			n++
		}
	}
	p.put(a, picked)
}

// put lists picked options in shown order.
func (p *prepared) put(a *Answer, picked []bool) {
	a.Options = []string{}
	for i, on := range picked {
		if on {
			a.Options = append(a.Options, p.q.Options[i])
		}
	}
}
