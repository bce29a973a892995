package account_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

func recordsKey(pk, sk string) records.Key { return records.Key{PK: pk, SK: sk} }

func as(t *testing.T, plan account.Plan) context.Context {
	return account.With(t.Context(), account.Principal{Account: "acc", Workspace: "ws", Plan: plan})
}

func TestCountStopsAtTheAllowance_M101(t *testing.T) {
	s, _, store := service(t)
	ctx := as(t, account.Free)
	take := func(by int64) error {
		a, err := s.Count(account.From(ctx), account.Minds, by)
		if err != nil {
			t.Fatal(err)
		}
		return store.Transact(ctx, "", a)
	}
	for range 3 {
		if err := take(1); err != nil {
			t.Fatal(err)
		}
	}
	var refused *records.CanceledError
	if err := take(1); !errors.As(err, &refused) || !refused.Failed(0) {
		t.Fatalf("a fourth Mind: %v", err)
	}
	f := s.PlanLimit(ctx, account.Minds, 1)
	for field, want := range map[string]any{
		"limitType": "minds", "currentPlan": "free", "limit": int64(3), "current": int64(3), "requested": int64(1),
	} {
		if f.Data[field] != want {
			t.Errorf("M-102: %s is %v, want %v", field, f.Data[field], want)
		}
	}
	if f.Status() != 403 {
		t.Errorf("status %d", f.Status())
	}
	if err := take(-1); err != nil {
		t.Fatal(err)
	}
	if err := take(1); err != nil {
		t.Errorf("after one was given back: %v", err)
	}
	if err := take(-4); err == nil {
		t.Error("a counter went below zero")
	}
	if _, err := s.Count(account.From(ctx), account.Responses, 1); err == nil {
		t.Error("responses are no counter of an account")
	}
}

func TestResponsesOfAMonth_M101(t *testing.T) {
	s, c, store := service(t) // 30 November, 12:00 UTC
	ctx := as(t, account.Free)
	if _, err := s.TakeResponses(ctx, 29, c.Now()); err != nil {
		t.Fatal(err)
	}
	_, err := s.TakeResponses(ctx, 2, c.Now())
	f := fault.From(err)
	if f.Code != fault.PlanLimit || f.Data["current"] != int64(29) || f.Data["requested"] != int64(2) || f.Data["periodEnd"] != "2026-12-01T00:00:00.000Z" {
		t.Errorf("M-102: %+v", f)
	}
	if _, err := s.TakeResponses(ctx, 1, c.Now()); err != nil {
		t.Errorf("the last one is refused: %v", err)
	}
	// The allowance is the workspace's, whoever of it asks (M-101: pooled).
	other := account.With(t.Context(), account.Principal{Account: "mate", Workspace: "ws", Plan: account.Free})
	if _, err := s.TakeResponses(other, 1, c.Now()); !fault.Is(err, fault.PlanLimit) {
		t.Errorf("a mate has an allowance of its own: %v", err)
	}
	reservedAt := c.Now()
	c.Advance(12 * time.Hour) // 1 December
	if left, err := s.ResponsesLeft(ctx); err != nil || *left != 30 {
		t.Errorf("the new month starts with %v, %v", left, err)
	}
	// A refund goes to the month of its reservation.
	if err := giveBack(s, store, ctx, 30, reservedAt); err != nil {
		t.Fatal(err)
	}
	if left, _ := s.ResponsesLeft(ctx); *left != 30 {
		t.Errorf("a refund of November shows in December: %d", *left)
	}
	if err := giveBack(s, store, ctx, 1, reservedAt); err == nil {
		t.Error("more is refunded than was reserved")
	}
	free := as(t, account.Enterprise)
	if _, err := s.TakeResponses(free, 1_000_000, c.Now()); err != nil {
		t.Errorf("enterprise has no limits: %v", err)
	}
}

// giveBack refunds as callers do who keep their own record of what was taken.
func giveBack(s *account.Service, store records.Store, ctx context.Context, n int64, at time.Time) error {
	a, err := s.RefundResponses(ctx, n, at)
	if err != nil {
		return err
	}
	return store.Transact(ctx, "", a)
}

func TestResponsesUnderContention_M73(t *testing.T) {
	s, c, _ := service(t)
	ctx := as(t, account.Free)
	var mu sync.Mutex
	taken := 0
	var wg sync.WaitGroup
	for range 60 {
		wg.Go(func() {
			if _, err := s.TakeResponses(ctx, 1, c.Now()); err == nil {
				mu.Lock()
				taken++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if taken != 30 {
		t.Errorf("%d of 30 responses were given to 60 callers", taken)
	}
}

func TestSlidingWindow_M106(t *testing.T) {
	s, c, _ := service(t)
	ctx := as(t, account.Team)
	call := func() error { return s.Slide(ctx, "completion", 30, time.Minute) }
	for i := range 30 {
		if err := call(); err != nil {
			t.Fatalf("call %d: %v", i+1, err)
		}
		c.Advance(time.Second)
	}
	// 30 s have passed since the first call; it leaves the window at 60 s.
	f := fault.From(call())
	if f.Code != fault.RateLimited || f.Data["retryAfter"] != 30 {
		t.Fatalf("call 31: %+v", f)
	}
	c.Advance(29*time.Second + 999*time.Millisecond)
	if call() == nil {
		t.Error("a call just before the first leaves the window is taken")
	}
	c.Advance(time.Millisecond)
	if err := call(); err != nil {
		t.Errorf("after the first left the window: %v", err)
	}
	if call() == nil {
		t.Error("the window lets two in for one that left")
	}
	if err := s.Slide(account.With(t.Context(), account.Principal{Account: "other", Workspace: "ws"}), "completion", 30, time.Minute); err != nil {
		t.Errorf("another user shares the window: %v", err)
	}
}

// losing is a store in which somebody else is always quicker.
type losing struct {
	records.Store
	tries int
}

func (l *losing) Put(ctx context.Context, it records.Item, conds ...records.Cond) (records.Item, error) {
	if l.tries++; l.tries > 1000 {
		return it, errors.New("tried for ever")
	}
	return records.Item{}, &records.ConditionError{}
}

func (l *losing) Update(ctx context.Context, k records.Key, expect int64, fn func(*records.Item) error) (records.Item, error) {
	l.tries++
	return records.Item{}, records.ErrConflict
}

// A caller that loses every race is told to come back, after a few tries.
func TestSlideGivesUp_M106(t *testing.T) {
	c := clock.Hold(start)
	store := &losing{Store: open(t, c)}
	s := account.New(account.Config{Records: store, Clock: c, IDs: clock.RandomIDs{}, Plans: account.DefaultPlans()})
	f := fault.From(s.Slide(as(t, account.Team), "completion", 30, time.Minute))
	if f.Code != fault.RateLimited || f.Data["retryAfter"] != 1 || store.tries > 10 {
		t.Errorf("%+v after %d tries", f, store.tries)
	}
}

// Of many calls at once exactly as many as the window holds are taken.
func TestSlideUnderContention_M106(t *testing.T) {
	s, _, _ := service(t)
	ctx := as(t, account.Team)
	var taken, refused atomic.Int64
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			switch err := s.Slide(ctx, "completion", 30, time.Minute); {
			case err == nil:
				taken.Add(1)
			case fault.Is(err, fault.RateLimited):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if taken.Load() > 30 || taken.Load()+refused.Load() != 40 {
		t.Errorf("%d taken, %d refused", taken.Load(), refused.Load())
	}
}
