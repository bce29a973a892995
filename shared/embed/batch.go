package embed

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"
)

// Batches embeds texts in calls of at most size texts, at most at once of them
// beside each other. It is for embedders over a network. The first failure ends
// the rest.
func Batches(ctx context.Context, texts []string, size, atOnce int, call func(context.Context, []string) ([][]float32, error)) ([][]float32, error) {
	out := make([][]float32, len(texts))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	from := 0
	for batch := range slices.Chunk(texts, size) {
		place := out[from : from+len(batch)]
		from += len(batch)
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			vs, err := call(ctx, batch)
			copy(place, vs)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

// Repeat runs a call again as long as it is worth it; the one layer of retries
// is the caller's.
type Repeat func(ctx context.Context, call func(context.Context) error) error

// Once repeats nothing.
func Once(ctx context.Context, call func(context.Context) error) error { return call(ctx) }
