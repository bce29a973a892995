package idempotency

import (
	"context"
	"errors"
)

// beat is how often Run prolongs its lease.
const beat = LeaseTime / 4

// refusedError marks an error that came before any effect.
type refusedError struct{ err error }

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// Refused marks the error of work that stopped before it had any effect: Run
// forgets the call, and returns the error as it was.
func Refused(err error) error {
	if err == nil {
		return nil
	}
	return &refusedError{err}
}

// Run does work with outside effects once a call, under a lease that it
// prolongs. work gets the result id to use, which is the one of an earlier try
// when Outcome is Resumed, and returns the reference to replay. An error of work
// leaves the call open: the next equal one goes on with the same id. The context
// of work ends, with ErrLeaseLost as its cause, if the lease gets lost.
// Otherwise as Begin.
func (t *Table) Run(ctx context.Context, c Call, newResultID string, work func(context.Context, Claim) (ref string, err error)) (Result, error) {
	claim, err := t.Begin(ctx, c, newResultID)
	if err != nil {
		return Result{}, err
	}
	if claim.Outcome == Replayed {
		return Result{Ref: claim.ResultID, Replayed: true, Key: c.Key}, nil
	}
	ref, err := t.held(ctx, claim, work)
	// The row is put right even when the caller has gone.
	ctx = context.WithoutCancel(ctx)
	var refused *refusedError
	switch {
	case errors.As(err, &refused):
		return Result{}, with(refused.err, t.Forget(ctx, claim))
	case errors.Is(err, ErrLeaseLost):
		return Result{}, err
	case err != nil:
		return Result{}, with(err, t.Abandon(ctx, claim))
	}
	if err := t.Complete(ctx, claim, ref); err != nil {
		return Result{}, err
	}
	return Result{Ref: ref, Key: c.Key}, nil
}

// with adds a second error, if there is one; else the first stays as it is.
func with(err, second error) error {
	if second == nil {
		return err
	}
	return errors.Join(err, second)
}

// held runs work while another goroutine keeps the lease.
func (t *Table) held(ctx context.Context, claim Claim, work func(context.Context, Claim) (string, error)) (string, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		for t.opt.Clock.Sleep(ctx, beat) == nil {
			// Any other error is tried again with the next beat: the lease
			// outlives three of them.
			if err := t.Heartbeat(ctx, claim); errors.Is(err, ErrLeaseLost) {
				cancel(ErrLeaseLost)
				return
			}
		}
	}()
	defer func() { // also when work panics: its lease then runs out
		cancel(nil)
		<-kept
	}()
	ref, err := work(ctx, claim)
	cause := context.Cause(ctx)
	if err != nil && errors.Is(cause, ErrLeaseLost) {
		err = errors.Join(ErrLeaseLost, err)
	}
	return ref, err
}
