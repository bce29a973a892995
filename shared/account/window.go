package account

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// window is a sliding window: when the last calls were made, oldest first.
type window struct {
	At []int64 `json:"at"` // milliseconds since 1970
}

// Slide counts one call of the caller in a sliding window: RATE_LIMITED, with
// data.retryAfter in whole seconds, when limit calls were made within the last
// span (M-106). Refused calls do not count.
func (s *Service) Slide(ctx context.Context, name string, limit int, span time.Duration) error {
	p := From(ctx)
	k := windowKey(p.Workspace, p.Account, name)
	for {
		now := s.clock.Now()
		err := s.slide(ctx, k, now, limit, span)
		var lost *records.ConditionError
		if !errors.As(err, &lost) {
			return err
		}
	}
}

func (s *Service) slide(ctx context.Context, k records.Key, now time.Time, limit int, span time.Duration) error {
	it, err := s.records.Get(ctx, k)
	cond := records.VersionIs(it.Version)
	var w window
	switch {
	case errors.Is(err, records.ErrNotFound):
		cond = records.NotExists()
	case err != nil:
		return err
	default:
		if err := json.Unmarshal(it.Body, &w); err != nil {
			return err
		}
	}
	from := now.Add(-span).UnixMilli()
	for len(w.At) > 0 && w.At[0] <= from {
		w.At = w.At[1:]
	}
	if len(w.At) >= limit {
		wait := time.Duration(w.At[0]-from) * time.Millisecond
		seconds := max(int(math.Ceil(wait.Seconds())), 1)
		return fault.New(fault.RateLimited, "At most %d of these calls are taken in %d seconds. Try again in %d s.",
			limit, int(span.Seconds()), seconds).With("retryAfter", seconds).With("limit", limit)
	}
	w.At = append(w.At, now.UnixMilli())
	body, err := json.Marshal(w)
	if err != nil {
		return err
	}
	_, err = s.records.Put(ctx, records.Item{Key: k, ExpiresAt: now.Add(span), Body: body}, cond)
	return err
}
