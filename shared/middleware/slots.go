package middleware

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Slots caps the calls of one account that run at once.
type Slots interface {
	// Take begins a call; release ends it and may be called once. full above 0 is
	// the cap that the account has reached: then nothing was taken.
	Take(ctx context.Context, p account.Principal) (release func(), full int, err error)
}

// NoSlots caps nothing.
type NoSlots struct{}

// Take allows.
func (NoSlots) Take(context.Context, account.Principal) (func(), int, error) {
	return func() {}, 0, nil
}

// MemorySlots is the cap of one process.
type MemorySlots struct {
	limit int
	mu    sync.Mutex
	used  map[string]int // by account; none at 0, so that memory follows the calls
}

// NewMemorySlots makes a cap of limit calls; 0 is none.
func NewMemorySlots(limit int) *MemorySlots {
	return &MemorySlots{limit: limit, used: map[string]int{}}
}

// Take counts.
func (s *MemorySlots) Take(_ context.Context, p account.Principal) (func(), int, error) {
	if s.limit <= 0 {
		return func() {}, 0, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used[p.Account] >= s.limit {
		return nil, s.limit, nil
	}
	s.used[p.Account]++
	return sync.OnceFunc(func() { s.give(p.Account) }), 0, nil
}

func (s *MemorySlots) give(account string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used[account]--; s.used[account] == 0 {
		delete(s.used, account)
	}
}

// slotPeriod is longer than any call, so that a process that dies with a call
// in hand takes its slot for one period at most.
const slotPeriod = 30 * time.Second

// releaseTime is how long the end of a call waits to be counted.
const releaseTime = time.Second

// RecordsSlots is the cap of many processes: one counter per account and period
// of the clock, in which a call begins and ends its count. Calls that run over
// the end of a period are not seen by the next, so that in the worst moment twice
// the cap may run.
//
// Key: pk "w#<workspace>#<account>#calls", sk the period's start in Unix seconds.
type RecordsSlots struct {
	store Counters
	limit int
	clock clock.Clock
}

// NewRecordsSlots makes the cap; limit 0 is none.
func NewRecordsSlots(s Counters, limit int, c clock.Clock) *RecordsSlots {
	return &RecordsSlots{s, limit, c}
}

// Take counts.
func (s *RecordsSlots) Take(ctx context.Context, p account.Principal) (func(), int, error) {
	if s.limit <= 0 {
		return func() {}, 0, nil
	}
	start := s.clock.Now().Truncate(slotPeriod)
	k := records.Key{PK: "w#" + p.Workspace + "#" + p.Account + "#calls", SK: fmt.Sprintf("%012d", start.Unix())}
	expires := start.Add(4 * slotPeriod)
	_, err := s.store.Add(ctx, k, records.Delta{By: 1, Ceil: records.Bound(int64(s.limit)), ExpiresAt: expires})
	var refused *records.ConditionError
	switch {
	case errors.As(err, &refused):
		return nil, s.limit, nil
	case err != nil:
		return nil, 0, err
	}
	return sync.OnceFunc(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
		defer cancel()
		// What is not given back is forgotten with the period.
		_, _ = s.store.Add(ctx, k, records.Delta{By: -1, Floor: records.Bound(0), ExpiresAt: expires})
	}), 0, nil
}
