package simulate

import "strings"

// place fixes where a Mind stands on a question, whatever words it is put in: by
// the construct that is asked, the order of the answers and the factors behind
// it. A paraphrase of a published question is answered at that question's place.
type place struct {
	shared seed     // of the construct: paraphrases have the same one
	names  []string // canonical names of the options, as asked
	order  []int
	loads  loads
}

// placeOf is the place of a question on the topic with the asked labels, which
// may bear published names.
func (p *prepared) placeOf(topic bag, ls []label) *place {
	at := &place{shared: p.key, loads: loads{own: 1}}
	if len(topic.stems) > 0 {
		at.shared = seedOf(append([]string{"construct"}, constructOf(topic)...)...)
	}
	for _, l := range ls {
		at.names = append(at.names, l.strict)
	}
	var ordered bool
	at.order, _, ordered = canonicalOrder(at.shared, ls, p.q.Ordinal || p.q.Type == Scale)
	if ordered && p.q.Type != Multiselect {
		at.loads = loadsOf(topic)
	}
	return at
}

// constructOf is the stems that name what a question asks for. Words that only
// say "now" or "all in all" are none: with them it is the same construct.
func constructOf(topic bag) []string {
	bare := withoutNow(topic.folded)
	if bare == topic.folded {
		return topic.stems
	}
	if stems := newBag(bare, nil).stems; len(stems) > 0 {
		return stems
	}
	return topic.stems
}

// withoutNow leaves out what only says "now" or "all in all": the question stays
// the same, and so does its answer.
func withoutNow(folded string) string {
	bare := nowadays.ReplaceAllString(folded, " ")
	if bare == folded {
		return folded
	}
	bare = strings.ReplaceAll(strings.Join(strings.Fields(bare), " "), " ?", "?")
	if bare == "" || bare == "?" {
		return folded
	}
	return bare
}

// renamed gives the asked labels the published names that they were mapped to.
func (m mapping) renamed(asked, published []label) []label {
	if len(m.to) != len(asked) {
		return asked
	}
	out := append([]label(nil), asked...)
	for i, j := range m.to {
		if j >= 0 {
			out[i].folded, out[i].strict = published[j].folded, published[j].strict
		}
	}
	return out
}

// uniform is the Mind's place in (0,1) for this question.
func (p *prepared) uniform(r Respondent, at *place) float64 {
	z := func(slot int64) float64 { return p.latent(slot, at) }
	return stratified(at.shared, r.Slot, z, unit(seedOf("mind", r.ID, p.key.hex()).at(0, 0)))
}

// Test-retest: the own parts of two wordings of one construct share .97, so that
// .90 is left of it after ranking in small groups, and 82 of 100 Minds give the
// same answer to both, as people do (81.7% in Twin-2K-500). Measured in
// docs/decisions/0021-paraphrase-weight.md.
const (
	sameConstruct = .9848857801796105 // sqrt(.97)
	ownWording    = .17320508075688773
)

func (p *prepared) latent(slot int64, at *place) float64 {
	shared := normal(at.shared.at(slot, 0xE0))
	if p.topic.sign < 0 {
		shared = -shared
	}
	e := float64(sameConstruct*shared) + float64(ownWording*normal(p.key.at(slot, 0xE1)))
	return at.loads.common(slot) + float64(at.loads.own*e)
}
