package simulate

import (
	"math"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Kano. Whether a Mind takes a feature for granted, wants it, or is glad of it
// follows from how widely the feature is used or held important: w, by evidence.
// A Mind cares with probability w; who cares expects it (must-be) with
// probability w², and otherwise wants more of it or is delighted by it in even
// parts; who does not care is mostly indifferent. Both items of a feature are
// answered from one draw, so the pair is a category of the table.
const (
	kanoGlad    = .2  // of those who do not care
	kanoAgainst = .05 // of those who do not care, rather without it
)

type kanoCategory int

const (
	kanoMust kanoCategory = iota
	kanoOne
	kanoAttractive
	kanoIndifferent
	kanoReverse
	kanoCategories
)

// kanoUnknown is drawn where nothing is known of the feature.
var kanoUnknown = [kanoCategories]float64{.2, .2, .2, .35, .05}

type kanoItem struct {
	with    bool
	feature string
	stems   []string
	key     seed
}

func kanoTask(p *prepared) (task, error) {
	b := p.q.Battery
	if len(p.q.Options) != 5 || b.Role != RoleWith && b.Role != RoleWithout {
		return nil, fault.New(fault.Validation, "an item of kano has five options, from like to dislike, and the role with or without.").With("field", "battery.role")
	}
	feature := foldLabel(p.q.subject())
	return &kanoItem{with: b.Role == RoleWith, feature: feature, stems: newBag(p.q.subject(), nil).stems, key: seedOf("kano", feature)}, nil
}

// importanceCues are of questions whose shares tell how much a feature matters.
var importanceCues = []string{"use", "uses", "used", "using", "important", "importance", "matter", "matters", "need", "needs", "want", "wants", "have", "own", "rely"}

// importance is how much of the people like this Mind use the feature or hold it
// important.
func (k *kanoItem) importance(p *prepared, r Respondent) (float64, basis, bool) {
	for _, e := range r.Evidence {
		if e == nil || p.pol.KnowledgeOnly && e.Origin == OriginAudience || !speaksOfImportance(e.Question) {
			continue
		}
		at := -1
		for i, o := range e.Options {
			if foldLabel(o.Label) == k.feature {
				at = i
			}
		}
		c := k.compiled(p, e)
		shares, groups := c.shares(r.Profile)
		b := basis{state: Related, from: []*Evidence{e}, groups: groups, warnings: append([]string(nil), c.unstated...)}
		if at >= 0 {
			return shares[at], b, true
		}
		if !c.ordered || len(k.stems) == 0 || !hasAll(c.topic, k.stems) || c.topic.sign < 0 {
			continue
		}
		// A scale of importance about the feature: the mean place on it.
		on, low, high := 0.0, math.Inf(1), math.Inf(-1)
		mean := 0.0
		for i, l := range c.labels {
			if v, ok := l.place(); ok && !l.outside {
				low, high = math.Min(low, v), math.Max(high, v)
				mean += float64(shares[i] * v)
				on += shares[i]
			}
		}
		if on > 0 && high > low {
			return (mean/on - low) / (high - low), b, true
		}
	}
	return 0, basis{}, false
}

func (k *kanoItem) compiled(p *prepared, e *Evidence) *compiled {
	digest := e.Digest
	if digest == "" {
		digest = e.digest()
	}
	if v, ok := p.matches.Load(digest); ok {
		return v.(*match).c
	}
	held := *e
	held.Digest = digest
	v, _ := p.matches.LoadOrStore(digest, &match{c: compile(&held)})
	return v.(*match).c
}

func speaksOfImportance(question string) bool {
	low := fold(question)
	for _, c := range importanceCues {
		if contains(low, c) {
			return true
		}
	}
	return false
}

func hasAll(b bag, stems []string) bool {
	for _, s := range stems {
		if _, ok := b.weight[s]; !ok {
			return false
		}
	}
	return true
}

func (k *kanoItem) answer(p *prepared, r Respondent, _ []Passage) (Answer, basis) {
	chances := kanoUnknown
	w, b, ok := k.importance(p, r)
	if ok {
		w = math.Min(math.Max(w, 0), 1)
		must := float64(w * w)
		chances = [kanoCategories]float64{float64(w * must), float64(w*(1-must)) / 2, float64(w*(1-must))/2 + float64((1-w)*kanoGlad),
			float64((1 - w) * (1 - kanoGlad - kanoAgainst)), float64((1 - w) * kanoAgainst)}
	} else {
		b = basis{state: Unsupported}
	}
	order := make([]int, kanoCategories)
	for i := range order {
		order[i] = i
	}
	c := kanoCategory(pick(chances[:], order, phi(own(k.key, r))))
	h := seedOf("kano words", r.ID, k.key.hex())
	milder := func(lane uint64) int { return 1 + int(h.at(0, lane)%3) } // expect, neutral or live with
	at := 0
	switch {
	case c == kanoMust && k.with, c == kanoIndifferent && k.with:
		at = milder(0)
	case c == kanoMust, c == kanoOne && !k.with, c == kanoReverse && k.with:
		at = 4
	case c == kanoAttractive && !k.with, c == kanoIndifferent:
		at = milder(1)
	}
	a := Answer{Status: Answered, Option: p.q.Options[at]}
	return a, b
}
