// Package retrieve finds the passages that answer a text: by its words (BM25)
// and by its meaning (vectors), fused by their ranks.
package retrieve

import (
	"errors"

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
// concurrent use.
type Corpus struct{ space embed.Space }

// New builds a corpus in which the passages of all parts are numbered through.
// Parts whose vectors stand in different spaces are embed.ErrSpace: leave the
// old ones out (Vectors nil) while a set is embedded anew.
func New(parts ...Part) (*Corpus, error) { return &Corpus{}, nil }

// Len is how many passages there are.
func (c *Corpus) Len() int { return 0 }

// Space is the space of the vectors; false when there are none.
func (c *Corpus) Space() (embed.Space, bool) { return c.space, c.space.Dim > 0 }

// Hit is one passage that was found.
type Hit struct {
	Index int // among all passages of the corpus
	// Score orders the hits: the sum of 1/(60+rank) over both rankings.
	Score float64
	// Lexical is the share of the query's idf mass whose words the passage
	// holds: 0 for none of its words, 1 for all of them. A word that stands
	// nowhere in the corpus weighs as much as the rarest.
	Lexical float64
	// Cosine of the query and the passage; NaN when either has no vector.
	Cosine float64
}

// Search gives the k best passages, best first; equal scores stand in the order
// of the corpus. A passage with neither a word nor a positive cosine in common
// is not given. The zero Vector searches by words only; one of another space
// than the corpus's is embed.ErrSpace.
func (c *Corpus) Search(query string, vector embed.Vector, k int) ([]Hit, error) {
	return nil, errors.New("retrieve: not built yet")
}
