package simulate

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
	"github.com/mindgate-dev/mindgate/shared/embed/minilm"
)

// cuts are the least shares from which on a sentence counts as the answer. They
// were set on one half of the questions of testdata/report.json; the figures of
// the other half are in docs/evidence.md.
type cuts struct {
	words float64 // by its words alone
	half  float64 // by fewer, where the vector is near enough
	near  float64
	far   float64 // nearer than this the vector must be, where there is one and some word is missing
	share float64 // how much the vector counts beside the words when sentences are ranked
	lines int     // how many sentences are embedded for one question
}

func (c cuts) pass(m measure) bool {
	switch {
	case m.cover >= 1:
		return true
	case m.cover >= c.words:
		return math.IsNaN(m.cosine) || m.cosine >= c.far
	}
	return m.cover >= c.half && m.cosine >= c.near
}

const never = 2 // no share reaches it

var lexicalCuts = cuts{words: .6, half: never}

// cutsOf gives the cuts of a model that was measured; ok is false for others,
// whose vectors count for nothing here.
func cutsOf(model string) (cuts, bool) {
	switch model {
	case hashed.Model:
		return cuts{words: .6, half: never}, true
	case minilm.Model:
		return cuts{words: .6, far: .3, near: .6, share: .5, lines: 3}, true
	}
	return lexicalCuts, false
}

func (o *Offline) cuts() cuts {
	if o.embedder == nil {
		return lexicalCuts
	}
	c, _ := cutsOf(o.embedder.Space().Model)
	return c
}

// embedLines fills in the cosines of the sentences that may need one: the
// fullest first, as many as the model is quick enough for.
func (o *Offline) embedLines(ctx context.Context, q query, pages []*page, all []measure) error {
	c := o.cuts()
	if o.embedder == nil || c.lines == 0 || len(all) == 0 {
		return nil
	}
	if slices.ContainsFunc(all, func(m measure) bool { return m.cover >= 1 }) {
		return nil // a sentence that holds all that is asked needs no other measure
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(all[b].cover+nan0(pages[all[b].passageN].cosine), all[a].cover+nan0(pages[all[a].passageN].cosine))
	})
	var texts []string
	var at []int
	for _, i := range order {
		if len(texts) == c.lines {
			break
		}
		at = append(at, i)
		texts = append(texts, all[i].text)
	}
	query, err := embed.Query(ctx, o.embedder, q.text)
	if err != nil {
		return err
	}
	vs, err := o.vectors(ctx, texts)
	if err != nil {
		return err
	}
	for j, v := range vs {
		all[at[j]].cosine = math.Round(1e3*embed.Dot(query.Values, v)) / 1e3
	}
	return nil
}
