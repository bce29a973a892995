package idempotency

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// LeaseTime is how long a holder may be silent (M-90).
const LeaseTime = 2 * time.Minute

// Options of New.
type Options struct {
	// Clock is the one of the store. nil is the system's.
	Clock clock.Clock
	// IDs names leases. nil is random.
	IDs clock.IDs
	// Boot names this run of the process. It stands in every lease that the
	// process takes. Empty where Ended is nil.
	Boot string
	// Ended tells that the run with this name is over for certain, so that its
	// leases are free at once. nil is never: then only time frees a lease.
	// Package boot has both for processes that share a data folder.
	Ended func(boot string) bool
}

// Table is the idempotency table of a store.
type Table struct {
	store records.Store
	opt   Options
}

// New makes the table over a store.
func New(store records.Store, opt Options) *Table {
	if opt.Clock == nil {
		opt.Clock = clock.System{}
	}
	if opt.IDs == nil {
		opt.IDs = clock.RandomIDs{}
	}
	if opt.Ended == nil {
		opt.Ended = func(string) bool { return false }
	}
	return &Table{store: store, opt: opt}
}

// Result is what a call gave, now or when it was first made.
type Result struct {
	Ref      string
	Replayed bool
	Key      string // the key that counted, also when it was derived (M-91)
}

// Fields of a row. A row without a state was written by a transaction: done.
const (
	fieldFingerprint = "fingerprint"
	fieldRef         = "ref"   // result id, then result reference
	fieldState       = "state" // open, done
	fieldLease       = "lease" // id of the lease, empty when it was given up
	fieldBoot        = "boot"
	fieldUntil       = "until" // Unix milliseconds
)

const (
	open = "open"
	done = "done"
)

// conflict refuses a row of other input.
func (c Call) conflict(row *records.Item) error {
	if c.AnyInput || row.Fields[fieldFingerprint] == c.Fingerprint {
		return nil
	}
	field := c.Field
	if field == "" {
		field = "idempotencyKey"
	}
	within := ""
	if c.Window != Forever {
		within = " in the last " + spoken(c.Window)
	}
	return fault.New(fault.IdempotencyConflict,
		"%s was used%s with other input. Repeat that input to get its result, or send a new key for new work.", field, within).
		With(field, c.Key)
}

func spoken(d time.Duration) string {
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if d >= u.of && d%u.of == 0 {
			if n := d / u.of; n != 1 {
				return fmt.Sprintf("%d %ss", n, u.name)
			}
			return u.name
		}
	}
	return d.String()
}

// Running gives the result id of the work that an IDEMPOTENCY_IN_PROGRESS
// refusal speaks of, for callers that would rather answer 202 with it.
func Running(err error) (resultID string, ok bool) {
	if !fault.Is(err, fault.IdempotencyInProgress) {
		return "", false
	}
	var f *fault.Error
	errors.As(err, &f)
	resultID, ok = f.Data["resultId"].(string)
	return resultID, ok
}

func inProgress(row *records.Item, now time.Time) error {
	wait := max(1, int(leaseEnd(row).Sub(now).Round(time.Second)/time.Second))
	return fault.New(fault.IdempotencyInProgress,
		"The same call is still being carried out. Ask again in a few seconds; its result will be the same one.").
		With("resultId", row.Fields[fieldRef]).With("leaseSeconds", wait)
}

func leaseEnd(row *records.Item) time.Time {
	ms, err := strconv.ParseInt(row.Fields[fieldUntil], 10, 64)
	if err != nil {
		return time.Time{} // a lease that was given up
	}
	return time.UnixMilli(ms).UTC()
}
