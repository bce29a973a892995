package middleware

import (
	"context"
	"errors"
	"fmt"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Counters is the part of records.Store that is needed.
type Counters interface {
	Add(ctx context.Context, k records.Key, d records.Delta) (int64, error)
}

// Records is the limiter of many processes: one conditional Add per request on
// one counter per account and window. Windows are aligned to the clock, so that
// all processes count the same one.
//
// Key: pk "w#<workspace>#<account>#rate", sk the window's start in Unix seconds.
type Records struct {
	store Counters
	limit int
	clock clock.Clock
}

// NewRecords makes the limiter; limit 0 is no limit.
func NewRecords(s Counters, limit int, c clock.Clock) *Records {
	return &Records{s, limit, c}
}

// Take counts.
func (l *Records) Take(ctx context.Context, p account.Principal, n int) (Window, error) {
	if l.limit <= 0 {
		return Window{Allowed: true}, nil
	}
	now := l.clock.Now()
	start := now.Truncate(Period)
	out := Window{Limit: l.limit, Reset: start.Add(Period).Sub(now)}
	used, err := l.store.Add(ctx, records.Key{
		PK: "w#" + p.Workspace + "#" + p.Account + "#rate",
		SK: fmt.Sprintf("%012d", start.Unix()),
	}, records.Delta{By: int64(n), Ceil: records.Bound(int64(l.limit)), ExpiresAt: start.Add(2 * Period)})
	var refused *records.ConditionError
	switch {
	case errors.As(err, &refused):
		if refused.Existing != nil {
			out.Remaining = l.limit - int(refused.Existing.N)
		}
		return out, nil
	case err != nil:
		return Window{}, err
	}
	out.Allowed, out.Remaining = true, l.limit-int(used)
	return out, nil
}
