// Package embed gives texts their vectors: the port that every embedder
// fulfils, the packed form in which vectors are kept, and the rule that vectors
// of two spaces are never compared.
package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Space names what made a vector. Two vectors may be compared only when their
// spaces are equal, field by field.
type Space struct {
	Model    string // such as "hashed" or "all-MiniLM-L6-v2"
	Revision string // changes whenever the same text would give another vector
	Dim      int
}

// String is how a space is written on stored rows: model@revision/dim.
func (s Space) String() string { return fmt.Sprintf("%s@%s/%d", s.Model, s.Revision, s.Dim) }

// Valid reports whether the space can be written down and read back.
func (s Space) Valid() bool {
	return s.Model != "" && len(s.Model) <= maxName && len(s.Revision) <= maxName && s.Dim > 0 && s.Dim <= MaxDim
}

// MaxDim is the most dimensions that a vector may have.
const MaxDim = 8192

// ErrSpace marks an attempt to mix vectors of different spaces.
var ErrSpace = errors.New("vectors of different spaces cannot be compared")

// Mixed is the error of two spaces that met; it is ErrSpace.
func Mixed(a, b Space) error { return fmt.Errorf("%w: %s and %s", ErrSpace, a, b) }

// Embedder turns texts into vectors of one space. It is safe for concurrent use.
type Embedder interface {
	// Space is the space of every vector that Embed gives.
	Space() Space
	// Embed gives one vector of Space().Dim numbers a text, in order, each of
	// length 1. A text with nothing in it to embed has the zero vector.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Asker is an Embedder whose questions are embedded unlike the passages that
// answer them.
type Asker interface {
	Embedder
	// Ask is Embed for questions.
	Ask(ctx context.Context, texts []string) ([][]float32, error)
}

// Vector is one vector with its space, such as that of a query. The zero
// Vector stands for "none".
type Vector struct {
	Space  Space
	Values []float32
}

// None reports whether there is no vector.
func (v Vector) None() bool { return len(v.Values) == 0 }

// Query embeds one question.
func Query(ctx context.Context, e Embedder, text string) (Vector, error) {
	vs, err := ask(ctx, e, []string{text})
	if err != nil {
		return Vector{}, err
	}
	if err := Check(e.Space(), 1, vs); err != nil {
		return Vector{}, err
	}
	return Vector{Space: e.Space(), Values: vs[0]}, nil
}

func ask(ctx context.Context, e Embedder, texts []string) ([][]float32, error) {
	if a, ok := e.(Asker); ok {
		return a.Ask(ctx, texts)
	}
	return e.Embed(ctx, texts)
}

// Check holds an embedder to its word: n vectors, each of the space's
// dimensions and finite.
func Check(s Space, n int, vectors [][]float32) error {
	if len(vectors) != n {
		return fmt.Errorf("%s gave %d vectors for %d texts", s, len(vectors), n)
	}
	for i, v := range vectors {
		if len(v) != s.Dim {
			return fmt.Errorf("%s: vector %d has %d dimensions", s, i, len(v))
		}
		for _, x := range v {
			if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
				return fmt.Errorf("%s: vector %d holds a number that is not finite", s, i)
			}
		}
	}
	return nil
}

// Normalise scales v to length 1 in place; the zero vector stays.
func Normalise(v []float32) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
}

// Dot is the inner product of two vectors of one length; for unit vectors it is
// their cosine.
func Dot(a, b []float32) float64 {
	var sum float64
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}
