package knowledge

import (
	"context"
	"time"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/retrieve"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// recaller finds passages of one set of references.
type recaller struct {
	from      *Library
	workspace string
	refs      []mind.KnowledgeRef // each content once
	passages  []simulate.Passage  // numbered as in the corpus
}

// Recall gives the k passages that are nearest to the query, best first.
func (r *recaller) Recall(ctx context.Context, query string, k int) ([]simulate.Recalled, error) {
	corpus, err := r.from.corpus(ctx, r.workspace, r.refs)
	if err != nil {
		return nil, err
	}
	var vector embed.Vector
	if _, ok := corpus.Space(); ok && r.from.embedder != nil {
		if vector, err = embed.Query(ctx, r.from.embedder, query); err != nil {
			return nil, err
		}
	}
	hits, err := corpus.Search(query, vector, k)
	if err != nil {
		return nil, err
	}
	out := make([]simulate.Recalled, len(hits))
	for i, h := range hits {
		out[i] = simulate.Recalled{Passage: r.passages[h.Index], Relevance: h.Relevance, Lexical: h.Lexical, Cosine: h.Cosine}
	}
	return out, nil
}

// corpus gets the searchable form of a set of references: with the vectors of
// the current space alone. What stands in another is found by its words, until
// it is embedded anew; such a corpus is looked at again soon.
func (l *Library) corpus(ctx context.Context, workspace string, refs []mind.KnowledgeRef) (*retrieve.Corpus, error) {
	return kept(ctx, l, "corpus#"+setKey(workspace, refs), func(ctx context.Context) (*retrieve.Corpus, cost, error) {
		var parts []retrieve.Part
		var c cost
		for _, r := range refs {
			of, err := l.content(ctx, workspace, r.Digest)
			if err != nil {
				return nil, c, err
			}
			ps, whole, err := l.parts(ctx, of)
			if err != nil {
				return nil, c, err
			}
			if !whole {
				c.life = incomplete
			}
			parts = append(parts, ps...)
		}
		corpus, err := retrieve.New(parts...)
		if err != nil {
			return nil, c, err
		}
		c.bytes = corpus.Bytes()
		return corpus, c, nil
	})
}

// incomplete is how long a corpus without all of its vectors is kept.
const incomplete = time.Minute

// parts are the passages of a content with their vectors, run by run; whole says
// that all have theirs.
func (l *Library) parts(ctx context.Context, c *content) (parts []retrieve.Part, whole bool, err error) {
	texts := make([]string, len(c.passages))
	for i, p := range c.passages {
		texts[i] = p.indexed()
	}
	if l.embedder == nil {
		return []retrieve.Part{{Texts: texts}}, true, nil
	}
	runs, err := readRuns(ctx, l.records, c.making, l.embedder.Space())
	if err != nil {
		return nil, false, err
	}
	at := 0
	for _, r := range runs {
		if r.From != at || r.From+r.N > len(texts) {
			continue
		}
		packed, err := readVectors(ctx, l.blobs, r)
		if err != nil {
			return nil, false, err
		}
		parts = append(parts, retrieve.Part{Texts: texts[at : at+r.N], Vectors: packed})
		at += r.N
	}
	if at < len(texts) {
		parts = append(parts, retrieve.Part{Texts: texts[at:]})
	}
	return parts, at == len(texts), nil
}
