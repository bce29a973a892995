package model

import (
	"context"
	"sync/atomic"
)

// Budget is how many retries all calls of one job may take together, so that a
// provider that is down fails a job soon and not after every call's own patience.
// It is safe for concurrent use; nil has no bound.
type Budget struct{ left atomic.Int64 }

// NewBudget allows n retries.
func NewBudget(n int) *Budget {
	b := &Budget{}
	b.left.Store(int64(n))
	return b
}

// take tells whether one more retry is allowed, and counts it.
func (b *Budget) take() bool { return b == nil || b.left.Add(-1) >= 0 }

type budgetKey struct{}

// WithBudget puts a job's budget into its context; a client that serves many jobs
// counts each one's retries by itself. It goes before the client's own budget.
func WithBudget(ctx context.Context, b *Budget) context.Context {
	return context.WithValue(ctx, budgetKey{}, b)
}

func budgetOf(ctx context.Context, own *Budget) *Budget {
	if b, ok := ctx.Value(budgetKey{}).(*Budget); ok {
		return b
	}
	return own
}
