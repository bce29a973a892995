// Package retrieve finds the passages that answer a text: by its words (BM25,
// Robertson & Zaragoza 2009) and by its vector, the two rankings fused by
// reciprocal ranks (Cormack, Clarke & Büttcher 2009).
package retrieve

import (
	"fmt"
	"math"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/embed"
)

// Part is a run of passages, such as those of one document, with their vectors.
type Part struct {
	Texts []string
	// Vectors are aligned with Texts; nil for passages that are found by their
	// words only, such as those whose vectors are still being made.
	Vectors *embed.Packed
}

// Corpus is a searchable set of passages. It is immutable and safe for
// concurrent use. It keeps no text.
type Corpus struct {
	passages int
	space    embed.Space
	vectors  []run
	index    index
	scratch  sync.Pool
}

// run is the vectors of the passages from from on.
type run struct {
	from   int
	packed *embed.Packed
}

// New builds a corpus in which the passages of all parts are numbered through.
// Parts whose vectors stand in different spaces are embed.ErrSpace: leave the
// old ones out (Vectors nil) while a set is embedded anew.
func New(parts ...Part) (*Corpus, error) {
	c := &Corpus{}
	var texts []string
	for i, p := range parts {
		if p.Vectors != nil && len(p.Texts) > 0 {
			if p.Vectors.Len() != len(p.Texts) {
				return nil, fmt.Errorf("part %d has %d passages and %d vectors", i, len(p.Texts), p.Vectors.Len())
			}
			if s := p.Vectors.Space(); c.vectors == nil {
				c.space = s
			} else if s != c.space {
				return nil, embed.Mixed(c.space, s)
			}
			c.vectors = append(c.vectors, run{len(texts), p.Vectors})
		}
		texts = append(texts, p.Texts...)
	}
	c.passages = len(texts)
	c.index = build(len(texts), func(i int) string { return texts[i] })
	c.scratch.New = func() any { return newScratch(c.passages) }
	return c, nil
}

// Len is how many passages there are.
func (c *Corpus) Len() int { return c.passages }

// Bytes is what the corpus takes in memory, with one search running in it.
func (c *Corpus) Bytes() int {
	n := 512 + c.index.bytes() + 6*4*c.passages // as newScratch, and what it lists
	for _, r := range c.vectors {
		n += 64 + r.packed.Len()*(r.packed.Space().Dim+8)
	}
	return n
}

// Space is the space of the vectors; false when there are none.
func (c *Corpus) Space() (embed.Space, bool) { return c.space, c.vectors != nil }

// Hit is one passage that was found.
type Hit struct {
	Index int // among all passages of the corpus
	// Score orders the hits: the sum of evidence/(60+rank) over both rankings,
	// with Lexical² and Cosine as their evidence.
	Score float64
	// Lexical is the share of the query's idf mass whose words the passage
	// holds: 0 for none of its words, 1 for all of them. A word that stands
	// nowhere in the corpus weighs as much as the rarest; words such as "the"
	// count only in a query of nothing else.
	Lexical float64
	// Cosine of the query and the passage; NaN when either has no vector.
	Cosine float64
	// Relevance is one measure of both to cut on, 0 to 1: from Relevant on the
	// passage may be held to speak of the query, whatever made the vectors.
	Relevance float64
}

// Search gives the k best passages, best first; equal scores stand in the order
// of the corpus. A passage with neither a word nor a positive cosine in common
// is not given. The zero Vector searches by words only; one of another space
// than the corpus's is embed.ErrSpace. A corpus without vectors takes any.
func (c *Corpus) Search(query string, vector embed.Vector, k int) ([]Hit, error) {
	if k <= 0 || c.passages == 0 {
		return nil, nil
	}
	s := c.scratch.Get().(*scratch)
	defer c.scratch.Put(s)
	defer s.reset()
	total := c.byWords(query, s)
	if err := c.byVector(vector, s); err != nil {
		return nil, err
	}
	found := s.fuse(k, total)
	hits, cosines := make([]Hit, len(found)), cosineScale(c.space.Model)
	for n, i := range found {
		hits[n] = Hit{Index: int(i), Score: float64(s.fused[i]), Cosine: float64(s.cosine[i])}
		if total > 0 {
			hits[n].Lexical = min(1, float64(s.mass[i]/total))
		}
		hits[n].Relevance = max(lexicalScale.of(hits[n].Lexical), cosines.of(hits[n].Cosine))
	}
	return hits, nil
}

// byWords adds up BM25 and gives the idf mass of the query.
func (c *Corpus) byWords(query string, s *scratch) float32 {
	x := &c.index
	var total float32
	for _, t := range x.query(query) {
		if t < 0 {
			total += x.rarest
			continue
		}
		total += x.idf[t]
		for at := x.starts[t]; at < x.starts[t+1]; at++ {
			i := x.where[at]
			if s.mass[i] == 0 {
				s.byWords = append(s.byWords, i)
			}
			s.worth[i] += x.worth[at]
			s.mass[i] += x.idf[t]
		}
	}
	return total
}

func (c *Corpus) byVector(vector embed.Vector, s *scratch) error {
	for i := range s.cosine {
		s.cosine[i] = float32(math.NaN())
	}
	if vector.None() || c.vectors == nil {
		return nil
	}
	for _, r := range c.vectors {
		cosines := s.cosine[r.from : r.from+r.packed.Len()]
		if err := r.packed.Cosines(vector, cosines); err != nil {
			return err
		}
		for j, cos := range cosines {
			if cos > 0 {
				s.byVector = append(s.byVector, int32(r.from+j))
			}
		}
	}
	return nil
}
