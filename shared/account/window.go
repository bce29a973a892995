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

// Room is what a sliding window still takes.
type Room struct {
	Limit     int
	Remaining int // calls that it takes at once
	Reset     int // whole seconds until it takes one more than that; at least 1
}

// Slide counts one call of the caller in a sliding window: RATE_LIMITED, with
// data.retryAfter in whole seconds, when limit calls were made within the last
// span (M-106), or when so many are made at this moment that this one cannot be
// counted. Refused calls do not count.
func (s *Service) Slide(ctx context.Context, name string, limit int, span time.Duration) error {
	_, err := s.SlideRoom(ctx, name, limit, span)
	return err
}

// SlideRoom is Slide that tells what room is left.
func (s *Service) SlideRoom(ctx context.Context, name string, limit int, span time.Duration) (Room, error) {
	room := Room{Limit: limit}
	err := s.count(ctx, name, limit, span, &room)
	return room, err
}

func (s *Service) count(ctx context.Context, name string, limit int, span time.Duration, room *Room) error {
	p := From(ctx)
	k := windowKey(p.Workspace, p.Account, name)
	call := func(it *records.Item) error { return slide(it, s.clock.Now(), limit, span, room) }
	for range 2 {
		// The store tries again with jitter, and no more than a few times.
		_, err := s.records.Update(ctx, k, 0, call)
		if errors.Is(err, records.ErrNotFound) {
			first := records.Item{Key: k, Body: []byte("{}")}
			if err := call(&first); err != nil {
				return err
			}
			_, err = s.records.Put(ctx, first, records.NotExists())
			var lost *records.ConditionError
			if errors.As(err, &lost) {
				continue // another first call was quicker: now there is a window
			}
			return err
		}
		if errors.Is(err, records.ErrConflict) {
			break
		}
		return err
	}
	return fault.New(fault.RateLimited, "Too many of these calls are made at this moment. Try again in 1 s.").
		With("retryAfter", 1).With("limit", limit)
}

// slide adds a call made now to the window in it.
func slide(it *records.Item, now time.Time, limit int, span time.Duration, room *Room) error {
	var w window
	if err := json.Unmarshal(it.Body, &w); err != nil {
		return err
	}
	from := now.Add(-span).UnixMilli()
	for len(w.At) > 0 && w.At[0] <= from {
		w.At = w.At[1:]
	}
	if len(w.At) >= limit {
		wait := time.Duration(w.At[0]-from) * time.Millisecond
		seconds := max(int(math.Ceil(wait.Seconds())), 1)
		room.Remaining, room.Reset = 0, seconds
		return fault.New(fault.RateLimited, "At most %d of these calls are taken in %d seconds. Try again in %d s.",
			limit, int(span.Seconds()), seconds).With("retryAfter", seconds).With("limit", limit)
	}
	w.At = append(w.At, now.UnixMilli())
	wait := time.Duration(w.At[0]-from) * time.Millisecond
	room.Remaining, room.Reset = limit-len(w.At), max(int(math.Ceil(wait.Seconds())), 1)
	body, err := json.Marshal(w)
	if err != nil {
		return err
	}
	it.Body, it.ExpiresAt = body, now.Add(span)
	return nil
}
