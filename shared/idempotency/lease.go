package idempotency

import (
	"context"
	"errors"
	"maps"
	"strconv"
	"time"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// ErrLeaseLost says that the holder was silent for too long and another caller
// goes on with the work: stop, write nothing more.
var ErrLeaseLost = errors.New("idempotency: the lease is another caller's now")

// races bounds how often a row may change under one Begin.
const races = 20

// Outcome says what Begin found.
type Outcome int

// What Begin can find.
const (
	Fresh    Outcome = iota + 1 // nobody made this call before: do the work
	Resumed                     // its holder died: go on under the same result id
	Replayed                    // it is done: ResultID is the result's reference
)

// Claim is the right to do the work of a call, and the duty to end it with
// Complete, Abandon or Forget.
type Claim struct {
	Call     Call
	Outcome  Outcome
	ResultID string
	lease    string
	expires  time.Time // of the row; zero is never
}

// Begin writes the row of a call, with a lease, before its work has any effect.
// newResultID is used only if the call is fresh. IDEMPOTENCY_IN_PROGRESS while
// somebody else holds the lease (see Running), IDEMPOTENCY_CONFLICT for other
// input.
func (t *Table) Begin(ctx context.Context, c Call, newResultID string) (Claim, error) {
	k, err := c.recordKey()
	if err != nil {
		return Claim{}, err
	}
	claim := Claim{Call: c, lease: t.opt.IDs.NewID()}
	for range races {
		now := t.opt.Clock.Now()
		row := records.Item{Key: k, ExpiresAt: c.expiry(now), Fields: map[string]string{
			fieldFingerprint: c.Fingerprint, fieldRef: newResultID, fieldState: open}}
		t.take(&row, claim.lease, now)
		_, err := t.store.Put(ctx, row, records.NotExists())
		there := refusedBy(err)
		switch {
		case err == nil:
			claim.Outcome, claim.ResultID, claim.expires = Fresh, newResultID, row.ExpiresAt
			return claim, nil
		case there == nil:
			return Claim{}, err
		}
		if err := c.conflict(there); err != nil {
			return Claim{}, err
		}
		claim.ResultID, claim.expires = there.Fields[fieldRef], there.ExpiresAt
		if there.Fields[fieldState] != open {
			claim.Outcome, claim.lease = Replayed, ""
			return claim, nil
		}
		if !t.free(there, now) {
			return Claim{}, inProgress(there, now)
		}
		next := *there
		next.Fields = maps.Clone(there.Fields)
		t.take(&next, claim.lease, now)
		_, err = t.store.Put(ctx, next, records.VersionIs(there.Version))
		var lost *records.ConditionError
		if err == nil {
			claim.Outcome = Resumed
			return claim, nil
		}
		if !errors.As(err, &lost) {
			return Claim{}, err
		}
	}
	return Claim{}, records.ErrConflict
}

// refusedBy is the row that refused a put; nil for any other error.
func refusedBy(err error) *records.Item {
	var c *records.ConditionError
	if errors.As(err, &c) {
		return c.Existing
	}
	return nil
}

// take writes a lease into a row.
func (t *Table) take(row *records.Item, lease string, now time.Time) {
	row.Fields[fieldLease] = lease
	row.Fields[fieldBoot] = t.opt.Boot
	row.Fields[fieldUntil] = strconv.FormatInt(now.Add(LeaseTime).UnixMilli(), 10)
}

// free tells whether the lease of an open row may be taken.
func (t *Table) free(row *records.Item, now time.Time) bool {
	boot := row.Fields[fieldBoot]
	return !now.Before(leaseEnd(row)) || boot != "" && boot != t.opt.Boot && t.opt.Ended(boot)
}

// Heartbeat prolongs the lease. ErrLeaseLost when it is somebody else's.
func (t *Table) Heartbeat(ctx context.Context, c Claim) error {
	return t.change(ctx, c, func(row *records.Item) { t.take(row, c.lease, t.opt.Clock.Now()) })
}

// Complete writes the reference of the result; from now on the call is replayed.
// To do it twice does no harm: the first reference stays.
func (t *Table) Complete(ctx context.Context, c Claim, resultRef string) error {
	return t.change(ctx, c, func(row *records.Item) {
		row.Fields = map[string]string{fieldFingerprint: row.Fields[fieldFingerprint],
			fieldState: done, fieldRef: resultRef, fieldLease: c.lease}
	})
}

// Abandon gives the lease back after work that broke off: the next equal call
// goes on at once, under the same result id.
func (t *Table) Abandon(ctx context.Context, c Claim) error {
	return t.change(ctx, c, func(row *records.Item) {
		delete(row.Fields, fieldUntil)
		delete(row.Fields, fieldBoot)
		row.Fields[fieldLease] = ""
	})
}

// Forget takes the row away: the call was refused before it had any effect, so
// its key is as good as new.
func (t *Table) Forget(ctx context.Context, c Claim) error {
	k, err := c.Call.recordKey()
	if err != nil {
		return err
	}
	err = t.store.Delete(ctx, k, records.FieldIs(fieldLease, c.lease), records.FieldIs(fieldState, open))
	var lost *records.ConditionError
	if errors.As(err, &lost) {
		return nil // nothing of ours is there
	}
	return err
}

// change edits the row of a claim while its lease is ours. A row whose window
// has ended needs nothing more: an equal call is new work by then.
func (t *Table) change(ctx context.Context, c Claim, edit func(*records.Item)) error {
	k, err := c.Call.recordKey()
	if err != nil {
		return err
	}
	if c.lease == "" {
		return errors.New("idempotency: a replayed call has nothing to hold")
	}
	if !c.expires.IsZero() && !t.opt.Clock.Now().Before(c.expires) {
		return nil
	}
	_, err = t.store.Update(ctx, k, 0, func(row *records.Item) error {
		switch {
		case row.Fields[fieldLease] != c.lease:
			return ErrLeaseLost
		case row.Fields[fieldState] != open:
			return errDone
		}
		edit(row)
		return nil
	})
	if errors.Is(err, records.ErrNotFound) || errors.Is(err, errDone) {
		return nil // its window ended just now, or there is nothing left to do
	}
	return err
}

var errDone = errors.New("idempotency: done already")
