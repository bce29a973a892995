package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// updateTries bounds Update. Each lost try means that somebody else's change
// went through, so the bound is only met under a storm of many processes.
const updateTries = 1000

// Put implements records.Store.
func (s *Store) Put(ctx context.Context, it records.Item, conds ...records.Cond) (records.Item, error) {
	if err := records.ValidateItem(it); err != nil {
		return records.Item{}, err
	}
	if err := records.ValidateConds(conds); err != nil {
		return records.Item{}, err
	}
	st, err := s.table(it.Table)
	if err != nil {
		return records.Item{}, err
	}
	it = it.Normal()
	err = s.writer.do(ctx, func(t *tx) error {
		now := s.now()
		if err := s.allow(t, st, it.Key, now, conds); err != nil {
			return err
		}
		it.Version, err = t.put(st, it, now)
		return err
	})
	if err != nil {
		return records.Item{}, err
	}
	return it, nil
}

// allow checks the conditions of a single write.
func (s *Store) allow(t *tx, st *statements, k records.Key, nowMs int64, conds []records.Cond) error {
	if len(conds) == 0 && s.late == nil {
		return nil
	}
	existing, err := t.load(st, k, nowMs)
	if err != nil {
		return err
	}
	if !records.Holds(conds, existing) {
		return &records.ConditionError{Existing: existing}
	}
	s.remember(k, existing)
	return nil
}

// remember keeps the state before a change for late indexes.
func (s *Store) remember(k records.Key, before *records.Item) {
	if s.late != nil {
		s.late.note(k, before, s.clock.Now())
	}
}

func (t *tx) put(st *statements, it records.Item, nowMs int64) (version int64, err error) {
	args, err := values(it, nowMs)
	if err != nil {
		return 0, err
	}
	err = t.scan(st.upsert, args, &version)
	if errors.Is(err, sql.ErrNoRows) {
		err = &brokenError{err} // an upsert always returns its row
	}
	return version, err
}

// Update implements records.Store. A lost race is tried again at once: the wait
// for the commit of the others is the pause.
func (s *Store) Update(ctx context.Context, k records.Key, expect int64, fn func(*records.Item) error) (records.Item, error) {
	for range updateTries {
		it, err := s.Get(ctx, k)
		if err != nil {
			return records.Item{}, err
		}
		if expect != 0 && it.Version != expect {
			return records.Item{}, &records.ConditionError{Existing: &it}
		}
		read := it.Version
		if err := fn(&it); err != nil {
			return records.Item{}, err
		}
		it.Key = k
		it, err = s.Put(ctx, it, records.VersionIs(read))
		var lost *records.ConditionError
		if !errors.As(err, &lost) {
			return it, err
		}
	}
	return records.Item{}, records.ErrConflict
}

// Delete implements records.Store.
func (s *Store) Delete(ctx context.Context, k records.Key, conds ...records.Cond) error {
	if err := records.ValidateKey(k); err != nil {
		return err
	}
	if err := records.ValidateConds(conds); err != nil {
		return err
	}
	st, err := s.table(k.Table)
	if err != nil {
		return err
	}
	return s.writer.do(ctx, func(t *tx) error {
		if err := s.allow(t, st, k, s.now(), conds); err != nil {
			return err
		}
		_, err := t.exec(st.remove, k.PK, k.SK)
		return err
	})
}

// Add implements records.Store.
func (s *Store) Add(ctx context.Context, k records.Key, d records.Delta) (int64, error) {
	if err := records.ValidateKey(k); err != nil {
		return 0, err
	}
	st, err := s.table(k.Table)
	if err != nil {
		return 0, err
	}
	var value int64
	err = s.writer.do(ctx, func(t *tx) error {
		now := s.now()
		existing, err := t.load(st, k, now)
		if err != nil {
			return err
		}
		next, ok := d.Apply(counted(existing))
		if !ok {
			return &records.ConditionError{Existing: existing}
		}
		value = next
		s.remember(k, existing)
		return t.count(st, k, existing, next, d.ExpiresAt, now)
	})
	if err != nil {
		return 0, err
	}
	return value, nil
}

func counted(it *records.Item) int64 {
	if it == nil {
		return 0
	}
	return it.N
}

// count writes a counter's new value; a zero expiry leaves the old one.
func (t *tx) count(st *statements, k records.Key, existing *records.Item, next int64, expires time.Time, nowMs int64) error {
	if existing == nil {
		_, err := t.put(st, records.Item{Key: k, N: next, ExpiresAt: expires}, nowMs)
		return err
	}
	if expires.IsZero() {
		expires = existing.ExpiresAt
	}
	_, err := t.exec(st.update, k.PK, k.SK, next, expiry(expires))
	return err
}

// Transact implements records.Store. All conditions are looked at before
// anything is written, so every refusal is named and none leaves a trace.
func (s *Store) Transact(ctx context.Context, token string, actions ...records.Action) error {
	if err := records.ValidateTransact(token, actions); err != nil {
		return err
	}
	tables := make([]*statements, len(actions))
	for i, a := range actions {
		st, err := s.table(a.Item.Table)
		if err != nil {
			return err
		}
		tables[i] = st
	}
	digest := records.Digest(actions)
	return s.writer.do(ctx, func(t *tx) error {
		now := s.now()
		if token != "" {
			done, err := t.replayed(token, digest[:], now)
			if done || err != nil {
				return err
			}
		}
		existing, err := s.judge(t, tables, actions, now)
		if err != nil {
			return err
		}
		for i, a := range actions {
			if err := s.apply(t, tables[i], a, existing[i], now); err != nil {
				return err
			}
		}
		if token == "" {
			return nil
		}
		_, err = t.exec("INSERT OR REPLACE INTO tokens (token, digest, exp) VALUES (?1, ?2, ?3)",
			token, digest[:], now+records.TokenMemory.Milliseconds())
		return err
	})
}

// replayed tells whether this transaction was done already under its token.
func (t *tx) replayed(token string, digest []byte, nowMs int64) (bool, error) {
	var known []byte
	err := t.scan("SELECT digest FROM tokens WHERE token = ?1 AND exp > ?2", []any{token, nowMs}, &known)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case err != nil:
		return false, err
	case !bytes.Equal(known, digest):
		return false, records.ErrTokenReused
	}
	return true, nil
}

// judge loads what the actions rest on, and refuses with a reason for each
// position.
func (s *Store) judge(t *tx, tables []*statements, actions []records.Action, nowMs int64) ([]*records.Item, error) {
	existing := make([]*records.Item, len(actions))
	reasons := make([]records.Reason, len(actions))
	refused := false
	for i, a := range actions {
		if len(a.Conds) == 0 && a.Kind != records.ActAdd && s.late == nil {
			continue
		}
		it, err := t.load(tables[i], a.Item.Key, nowMs)
		if err != nil {
			return nil, err
		}
		existing[i] = it
		ok := records.Holds(a.Conds, it)
		if a.Kind == records.ActAdd {
			_, ok = a.Delta.Apply(counted(it))
		}
		if !ok {
			refused = true
			reasons[i] = records.Reason{Failed: true, Existing: it}
		}
	}
	if refused {
		return nil, &records.CanceledError{Reasons: reasons}
	}
	return existing, nil
}

func (s *Store) apply(t *tx, st *statements, a records.Action, existing *records.Item, nowMs int64) error {
	if a.Kind == records.ActCheck {
		return nil
	}
	s.remember(a.Item.Key, existing)
	switch a.Kind {
	case records.ActPut:
		_, err := t.put(st, a.Item.Normal(), nowMs)
		return err
	case records.ActAdd:
		next, _ := a.Delta.Apply(counted(existing))
		return t.count(st, a.Item.Key, existing, next, a.Delta.ExpiresAt, nowMs)
	default: // ActDelete
		_, err := t.exec(st.remove, a.Item.PK, a.Item.SK)
		return err
	}
}

// Sweep removes rows that had expired by now: at most Options.SweepBatch of each
// table, in one short transaction. It returns how many; 0 is none left. Call it
// in the background until then; nothing depends on it but the size of the file.
func (s *Store) Sweep(ctx context.Context, now time.Time) (int, error) {
	total := 0
	err := s.writer.do(ctx, func(t *tx) error {
		total = 0
		for _, st := range s.tables {
			n, err := t.exec(st.sweep, now.UnixMilli(), s.sweepBatch)
			if err != nil {
				return err
			}
			total += int(n)
		}
		n, err := t.exec("DELETE FROM tokens WHERE token IN (SELECT token FROM tokens WHERE exp <= ?1 ORDER BY exp LIMIT ?2)",
			now.UnixMilli(), s.sweepBatch)
		total += int(n)
		return err
	})
	return total, err
}
