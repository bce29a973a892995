package account_test

import (
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// What is taken in advance is kept, returned once, or returned by the sweep when
// the process that took it ended (M-73).
func TestAdvance_M73(t *testing.T) {
	s, c, store := service(t)
	ctx := as(t, account.Free)
	left := func(want int64) {
		t.Helper()
		if n, err := s.ResponsesLeft(ctx); err != nil || *n != want {
			t.Fatalf("%d left, want %d (%v)", *n, want, err)
		}
	}
	kept, err := s.TakeResponses(ctx, 2, c.Now())
	if err != nil {
		t.Fatal(err)
	}
	returned, err := s.TakeResponses(ctx, 3, c.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.TakeResponses(ctx, 5, c.Now()); err != nil { // its process ends here
		t.Fatal(err)
	}
	left(20)
	if err := kept.Keep(ctx); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := returned.Return(ctx); err != nil {
			t.Fatal(err)
		}
	}
	left(23)
	c.Advance(14 * time.Minute)
	if n, err := s.SweepAdvances(ctx); n != 0 || err != nil {
		t.Fatalf("work that may still go on was given up: %d, %v", n, err)
	}
	c.Advance(2 * time.Minute)
	if n, err := s.SweepAdvances(ctx); n != 1 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	left(28)
	if err := kept.Return(ctx); err != nil {
		t.Fatal(err)
	}
	left(28) // what was kept stays paid for
	if n, err := s.SweepAdvances(ctx); n != 0 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	rows, err := store.Query(ctx, records.Query{PK: "w#ws#advances", Limit: 10})
	if err != nil || len(rows.Items) != 0 {
		t.Errorf("left over: %v %v", rows.Items, err)
	}
	if _, err := s.TakeResponses(ctx, 29, c.Now()); !fault.Is(err, fault.PlanLimit) {
		t.Errorf("%v", err)
	}
	rows, err = store.Query(ctx, records.Query{PK: "w#ws#advances", Limit: 10})
	if err != nil || len(rows.Items) != 0 {
		t.Errorf("a refusal leaves something open: %v %v", rows.Items, err)
	}
}

// The process ends while a Mind answers over the turn of a month: what it took is
// given back to the month that it came from.
func TestAnAdvanceKnowsItsMonth(t *testing.T) {
	s, c, _ := service(t)
	ctx := as(t, account.Free)
	c.Advance(12*time.Hour - time.Second) // the last second of November
	if _, err := s.TakeResponses(ctx, 30, c.Now()); err != nil {
		t.Fatal(err)
	}
	c.Advance(16 * time.Minute)
	if _, err := s.SweepAdvances(ctx); err != nil {
		t.Fatal(err)
	}
	if n, err := s.ResponsesLeft(ctx); err != nil || *n != 30 {
		t.Errorf("December: %d, %v", *n, err)
	}
}
