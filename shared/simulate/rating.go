package simulate

import (
	"context"
	"math"

	"github.com/mindgate-dev/mindgate/shared/embed"
)

// anchorFrames put an option into a sentence, in the languages of frames.
var anchorFrames = map[string]string{
	langEN: "I would say %s.", langDE: "Ich würde sagen: %s.", langFR: "Je dirais : %s.", langES: "Yo diría: %s.", langTR: "%s derdim.",
	langZH: "我会说：%s。", langJA: "%sと言います。", langKO: "%s라고 말하겠습니다.", langAR: "أود أن أقول: %s.",
}

// anchorFrame is the frame of anchors: English as ever, and the question's
// language where a similarity rating is asked for.
func (p *prepared) anchorFrame() string {
	if !p.pol.SimilarityRating {
		return anchorFrames[langEN]
	}
	if f, ok := anchorFrames[p.pol.speaks(p.search.text)]; ok {
		return f
	}
	return anchorFrames[langEN]
}

// Rater maps words to the options of one question by how like their meanings
// are. It is safe for concurrent use.
type Rater struct{ p *prepared }

// NewRater prepares a question; nil where it has no options that can be put into
// sentences (forms other than scale and categorical, scales of bare numbers that
// measure nothing named, tasks of methods), or where no measured vectors are at
// hand.
func NewRater(e embed.Embedder, q Question, pol Policy) (*Rater, error) {
	if e == nil || q.Type != Scale && q.Type != Categorical {
		return nil, nil
	}
	if _, _, measured := likeCuts(e.Space().Model); !measured {
		return nil, nil
	}
	pol.SimilarityRating = true
	p, err := newPrepared(q, pol)
	if err != nil {
		return nil, err
	}
	p.eng = NewOffline(WithEmbedder(e))
	if p.task != nil || p.optionWords() == nil {
		return nil, nil
	}
	return &Rater{p}, nil
}

// Map gives the distribution over the options (or points, ascending) that words
// are like, and the index of the likeliest. ok is false where the words are like
// all of them alike, or deny what they are likest to.
func (r *Rater) Map(ctx context.Context, text string) (rating *Rating, at int, ok bool, err error) {
	p := r.p
	if p.search.negated || p.topic.sign < 0 { // "no" to such a question is anybody's guess
		return nil, 0, false, nil
	}
	if err := p.embedAnchors(ctx); err != nil || len(p.likes.sets) == 0 {
		return nil, 0, false, err
	}
	vs, err := p.eng.vectors(ctx, []string{text})
	if err != nil {
		return nil, 0, false, err
	}
	d := p.likeTo(vs[0])
	settle(d)
	first, second := -1, -1
	for _, i := range p.order {
		switch {
		case !p.scale[i]:
		case first < 0 || d[i] > d[first]:
			first, second = i, first
		case second < 0 || d[i] > d[second]:
			second = i
		}
	}
	if first < 0 || second < 0 || d[first] == d[second] || p.contradicts(text, d) {
		return nil, 0, false, nil
	}
	null, full, _ := likeCuts(p.eng.embedder.Space().Model)
	relevance := math.Max(0, math.Min(1, round((embed.Dot(p.likes.question, vs[0])-null)/(full-null), 1e3)))
	return &Rating{Text: text, Space: p.eng.embedder.Space().String(), Relevance: relevance, Weight: 1, Mapping: d}, first, true, nil
}

// rated records what was mapped, where the policy asks for it.
func (p *prepared) rated(a *Answer, l *likeness) {
	if l == nil || !p.pol.SimilarityRating {
		return
	}
	d := append([]float64(nil), l.p...)
	settle(d)
	a.Rating = &Rating{Text: l.cite.Quote, Space: p.eng.embedder.Space().String(), Relevance: round(l.weight/likeMost, 1e3), Weight: l.weight, Mapping: d}
}
