package simulate

import (
	"context"
	"reflect"
	"sync"
)

// once asks a Mind's index one question at most: Minds of one Audience often
// share what they know, and then share the index. It is kept as long as the
// prepared question is.
type once struct {
	of   Recaller
	mu   sync.Mutex
	said bool
	text string
	k    int
	hits []Recalled
}

func (c *once) Recall(ctx context.Context, query string, k int) ([]Recalled, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.said && c.text == query && c.k == k {
		return c.hits, nil
	}
	hits, err := c.of.Recall(ctx, query, k)
	if err == nil && !c.said {
		c.said, c.text, c.k, c.hits = true, query, k, hits
	}
	return hits, err
}

// sharing gives the respondent with its index asked once for all who share it.
func (p *prepared) sharing(r Respondent) Respondent {
	if r.Recall == nil || !reflect.TypeOf(r.Recall).Comparable() {
		return r
	}
	c, ok := p.indexes.Load(r.Recall)
	if !ok {
		c, _ = p.indexes.LoadOrStore(r.Recall, &once{of: r.Recall})
	}
	r.Recall = c.(*once)
	return r
}

// atHand are the passages that may state an answer: of the persona, and of the
// knowledge those that its index finds for the question, or all without one.
func (p *prepared) atHand(ctx context.Context, r Respondent) ([]Passage, error) {
	if r.Recall == nil {
		return r.Passages, nil
	}
	n := 0
	for n < len(r.Passages) && r.Passages[n].ID == PersonaID {
		n++
	}
	hits, err := r.Recall.Recall(ctx, p.search.text, mostRecalled)
	if err != nil {
		return nil, err
	}
	out := r.Passages[:n:n]
	for _, h := range hits {
		if h.ID != PersonaID {
			out = append(out, h.Passage)
		}
	}
	return out, nil
}
