package idempotency

import (
	"context"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// Once does a write at most once a call. write gets the row and commits it in
// one transaction with everything else it writes. Its errors come back as they
// are; it may wrap the transaction's *records.CanceledError but must not hide
// it, since the refusal of the row tells that an equal call won the race. Then,
// and when the call was made before, the result is the earlier reference,
// Replayed. IDEMPOTENCY_CONFLICT for other input.
func (t *Table) Once(ctx context.Context, c Call, ref string, write func(row records.Action) error) (Result, error) {
	row, err := t.Row(c, ref)
	if err != nil {
		return Result{}, err
	}
	if earlier, found, err := t.Lookup(ctx, c); found || err != nil {
		return earlier, err
	}
	err = write(row)
	if err == nil {
		return Result{Ref: ref, Key: c.Key}, nil
	}
	earlier, _, err := Lost(c, err)
	return earlier, err
}

// Row is the action that belongs into the transaction which makes ref. It is
// refused when the key is taken; Lost reads the refusal.
func (t *Table) Row(c Call, ref string) (records.Action, error) {
	k, err := c.recordKey()
	if err != nil {
		return records.Action{}, err
	}
	return records.PutItem(records.Item{
		Key:       k,
		Fields:    map[string]string{fieldFingerprint: c.Fingerprint, fieldRef: ref},
		ExpiresAt: c.expiry(t.opt.Clock.Now()),
	}, records.NotExists()), nil
}

// Lookup tells whether the call was made before. IDEMPOTENCY_CONFLICT when it
// was made with other input.
func (t *Table) Lookup(ctx context.Context, c Call) (earlier Result, found bool, err error) {
	k, err := c.recordKey()
	if err != nil {
		return Result{}, false, err
	}
	row, err := t.store.Get(ctx, k)
	if errors.Is(err, records.ErrNotFound) {
		return Result{}, false, nil
	}
	if err != nil {
		return Result{}, false, err
	}
	earlier, err = c.replay(&row)
	return earlier, err == nil, err
}

// Lost reads the error of a transaction that held the call's row. lost is true
// when an equal call was quicker: the result is the winner's. Otherwise the error
// is IDEMPOTENCY_CONFLICT, or the one of the transaction as it was.
func Lost(c Call, err error) (earlier Result, lost bool, _ error) {
	k, bad := c.recordKey()
	if bad != nil {
		return Result{}, false, bad
	}
	var off *records.CanceledError
	if !errors.As(err, &off) {
		return Result{}, false, err
	}
	for _, r := range off.Reasons {
		if r.Failed && r.Existing != nil && r.Existing.Key == k {
			earlier, err := c.replay(r.Existing)
			return earlier, err == nil, err
		}
	}
	return Result{}, false, err
}

func (c Call) replay(row *records.Item) (Result, error) {
	if err := c.conflict(row); err != nil {
		return Result{}, err
	}
	return Result{Ref: row.Fields[fieldRef], Replayed: true, Key: c.Key}, nil
}
