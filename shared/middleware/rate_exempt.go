package middleware

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/account"
)

// Exempt is a limiter that counts one plan but never refuses it.
type Exempt struct {
	Limiter
	Plan account.Plan
}

// Take counts.
func (e Exempt) Take(ctx context.Context, p account.Principal, n int) (Window, error) {
	w, err := e.Limiter.Take(ctx, p, n)
	if p.Plan == e.Plan {
		w.Allowed = true
	}
	return w, err
}
