package audience

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Leases keep runs and changes of an Audience apart (M-44, M-45): many runs may
// hold it at once, a change holds it alone. A change that waits goes before runs
// that have not begun.
const (
	// LeaseLife is how long a lease holds after its last heartbeat.
	LeaseLife = 5 * time.Minute
	// leaseBeat is how old a heartbeat is when the next one is written.
	leaseBeat = time.Minute
	// leaseRow is how long the row of an Audience nobody uses is kept.
	leaseRowLife = time.Hour
)

// lease is the stored row of an Audience.
type lease struct {
	Runs   map[string]time.Time `json:"runs,omitempty"` // last heartbeat of each run
	Change *leaseOfChange       `json:"change,omitempty"`
}

// leaseOfChange is the one change that holds the Audience, or waits until its
// runs have settled.
type leaseOfChange struct {
	ID   string    `json:"id"`
	At   time.Time `json:"at"` // last heartbeat
	Held bool      `json:"held,omitempty"`
}

// prune takes out who has not been heard of for LeaseLife.
func (l *lease) prune(now time.Time) {
	for id, at := range l.Runs {
		if now.Sub(at) >= LeaseLife {
			delete(l.Runs, id)
		}
	}
	if l.Change != nil && now.Sub(l.Change.At) >= LeaseLife {
		l.Change = nil
	}
}

// errLeaseKept ends an update that has nothing to write.
var errLeaseKept = errors.New("audience: the lease stays as it is")

// onLease changes the lease of an Audience, made when nobody used it.
func (s *Service) onLease(ctx context.Context, audienceID string, change func(l *lease, now time.Time) error) error {
	key := leaseKey(account.From(ctx).Workspace, audienceID)
	now := s.d.Clock.Now()
	write := func(it *records.Item) error {
		var l lease
		if len(it.Body) > 0 {
			if err := json.Unmarshal(it.Body, &l); err != nil {
				return err
			}
		}
		if l.Runs == nil {
			l.Runs = map[string]time.Time{}
		}
		l.prune(now)
		if err := change(&l, now); err != nil {
			return err
		}
		var err error
		it.Key, it.ExpiresAt = key, now.Add(leaseRowLife)
		it.Body, err = json.Marshal(l)
		return err
	}
	for range changeAttempts {
		_, err := s.d.Records.Update(ctx, key, 0, write)
		if !errors.Is(err, records.ErrNotFound) {
			if errors.Is(err, errLeaseKept) {
				return nil
			}
			return err
		}
		fresh := records.Item{}
		if err := write(&fresh); err != nil {
			if errors.Is(err, errLeaseKept) {
				return nil
			}
			return err
		}
		_, err = s.d.Records.Put(ctx, fresh, records.NotExists())
		var lost *records.ConditionError
		if !errors.As(err, &lost) {
			return err
		}
	}
	return records.ErrConflict
}

// Share takes the lease of a run on an Audience, or keeps it. ok is false while a
// change holds the Audience or waits for it: the run stays queued and asks again.
func (s *Service) Share(ctx context.Context, audienceID, runID string) (ok bool, err error) {
	err = s.onLease(ctx, audienceID, func(l *lease, now time.Time) error {
		at, has := l.Runs[runID]
		if ok = has || l.Change == nil; !ok {
			return errLeaseKept
		}
		if has && now.Sub(at) < leaseBeat {
			return errLeaseKept
		}
		l.Runs[runID] = now
		return nil
	})
	return ok, err
}

// ShareAll takes the lease of a run on all of these Audiences, or on none.
func (s *Service) ShareAll(ctx context.Context, audienceIDs []string, runID string) (ok bool, err error) {
	for i, id := range audienceIDs {
		if ok, err = s.Share(ctx, id, runID); !ok || err != nil {
			for _, taken := range audienceIDs[:i] {
				if e := s.Release(ctx, taken, runID); e != nil && err == nil {
					err = e
				}
			}
			return false, err
		}
	}
	return true, nil
}

// Acquire takes an Audience for a change alone. While ok is false the change is
// written down as waiting, so that no new run begins; it asks again until the
// runs that hold the Audience have settled, at the latest when their leases end.
func (s *Service) Acquire(ctx context.Context, audienceID, changeID string) (ok bool, err error) {
	err = s.onLease(ctx, audienceID, func(l *lease, now time.Time) error {
		if l.Change != nil && l.Change.ID != changeID {
			ok = false
			return errLeaseKept
		}
		held := l.Change != nil && l.Change.Held || len(l.Runs) == 0
		ok = held
		if l.Change != nil && l.Change.Held == held && now.Sub(l.Change.At) < leaseBeat {
			return errLeaseKept
		}
		l.Change = &leaseOfChange{ID: changeID, At: now, Held: held}
		return nil
	})
	return ok, err
}

// AcquireAll takes several Audiences for one change, or holds none of them; it
// goes on waiting for the one that is in the way.
func (s *Service) AcquireAll(ctx context.Context, audienceIDs []string, changeID string) (ok bool, err error) {
	ids := slices.Sorted(slices.Values(audienceIDs)) // two changes meet in one order
	for i, id := range ids {
		if ok, err = s.Acquire(ctx, id, changeID); !ok || err != nil {
			for _, taken := range ids[:i] {
				if e := s.Release(ctx, taken, changeID); e != nil && err == nil {
					err = e
				}
			}
			return false, err
		}
	}
	return true, nil
}

// Beat keeps a lease alive; held is false when it has ended meanwhile. It writes
// at most once a minute.
func (s *Service) Beat(ctx context.Context, audienceID, holder string) (held bool, err error) {
	err = s.onLease(ctx, audienceID, func(l *lease, now time.Time) error {
		at, run := l.Runs[holder]
		change := l.Change != nil && l.Change.ID == holder
		held = run || change && l.Change.Held
		switch {
		case run && now.Sub(at) >= leaseBeat:
			l.Runs[holder] = now
		case change && now.Sub(l.Change.At) >= leaseBeat:
			l.Change.At = now
		default:
			return errLeaseKept
		}
		return nil
	})
	return held, err
}

// Release ends a lease, or the wait for one. Doing it twice changes nothing.
func (s *Service) Release(ctx context.Context, audienceID, holder string) error {
	return s.onLease(ctx, audienceID, func(l *lease, _ time.Time) error {
		_, run := l.Runs[holder]
		change := l.Change != nil && l.Change.ID == holder
		if !run && !change {
			return errLeaseKept
		}
		delete(l.Runs, holder)
		if change {
			l.Change = nil
		}
		return nil
	})
}
