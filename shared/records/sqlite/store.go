// Package sqlite keeps records in one SQLite file (pure Go, WAL, every commit
// flushed to disk). Several processes may open the same file.
//
// Reads come from a small pool; writes of all goroutines go through one writer
// that groups what waits into one commit. Token rows of transactions live in the
// same file, so a repeated transaction is recognised after a restart too.
package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Options of Open.
type Options struct {
	// Clock decides what has expired. nil is the system's.
	Clock clock.Clock
	// CursorKey signs cursors: at least records.MinCursorKey bytes, the same
	// after a restart.
	CursorKey []byte
	// Tables of the file beside the two of package records.
	Tables []records.Table
	// IndexDelay, for tests, makes index reads as late as they may be on AWS:
	// a change shows there only after this time, the state before it until then.
	IndexDelay time.Duration
	// SweepBatch is how many expired rows of a table one Sweep removes; 0 is 500.
	SweepBatch int
}

// Store implements records.Store.
type Store struct {
	path        string
	clock       clock.Clock
	cursors     records.Cursors
	tables      map[records.Table]*statements
	write, read *sql.DB
	writer      *writer
	prepared    sync.Map // text -> *sql.Stmt of read
	late        *late    // nil without IndexDelay
	sweepBatch  int
}

var _ records.Store = (*Store)(nil)

// Open opens or makes the file. ErrNewer, ErrForeign, ErrNotWritable,
// ErrCorrupt and ErrDiskFull come as *FileError with advice.
func Open(ctx context.Context, path string, opt Options) (*Store, error) {
	cursors, err := records.NewCursors(opt.CursorKey)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, clock: opt.Clock, cursors: cursors,
		tables: map[records.Table]*statements{}, sweepBatch: opt.SweepBatch}
	if s.clock == nil {
		s.clock = clock.System{}
	}
	if s.sweepBatch <= 0 {
		s.sweepBatch = 500
	}
	if opt.IndexDelay > 0 {
		s.late = newLate(opt.IndexDelay)
	}
	if s.write, s.read, err = OpenFile(ctx, path); err != nil {
		return nil, err
	}
	if err := s.prepare(ctx, opt.Tables); err != nil {
		s.write.Close()
		s.read.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) prepare(ctx context.Context, extra []records.Table) error {
	if err := Migrate(ctx, s.write, s.path, schema()); err != nil {
		return err
	}
	for i, t := range append(defaultTables[:len(defaultTables):len(defaultTables)], extra...) {
		name, err := sqlName(t)
		if err != nil {
			return err
		}
		if i >= len(defaultTables) {
			if _, err := s.write.ExecContext(ctx, createTable(name)); err != nil {
				return explain(s.path, err)
			}
		}
		st := statementsOf(name)
		s.tables[t] = &st
	}
	var err error
	if s.writer, err = startWriter(ctx, s.write, s.path); err != nil {
		return explain(s.path, err)
	}
	return nil
}

// Close ends the writer after what it has accepted, folds the journal into the
// file and closes it.
func (s *Store) Close() error {
	errs := []error{s.writer.close()}
	s.prepared.Range(func(_, v any) bool {
		v.(*sql.Stmt).Close()
		return true
	})
	errs = append(errs, s.read.Close())
	// Another process may be reading: then the journal stays, which is no fault.
	_, err := s.write.ExecContext(context.Background(), "PRAGMA busy_timeout=0; PRAGMA wal_checkpoint(TRUNCATE)")
	if err != nil && !isBusy(err) {
		errs = append(errs, err)
	}
	errs = append(errs, s.write.Close())
	return explain(s.path, errors.Join(errs...))
}

func (s *Store) now() int64 { return s.clock.Now().UnixMilli() }

func (s *Store) table(t records.Table) (*statements, error) {
	if st, ok := s.tables[t]; ok {
		return st, nil
	}
	return nil, fmt.Errorf("%w: no table %q in this store", records.ErrInvalid, t)
}

// reading gives a prepared statement of the read pool.
func (s *Store) reading(text string) (*sql.Stmt, error) {
	if v, ok := s.prepared.Load(text); ok {
		return v.(*sql.Stmt), nil
	}
	st, err := s.read.PrepareContext(context.Background(), text)
	if err != nil {
		return nil, explain(s.path, err)
	}
	if v, loaded := s.prepared.LoadOrStore(text, st); loaded {
		st.Close()
		return v.(*sql.Stmt), nil
	}
	return st, nil
}

// Get implements records.Store.
func (s *Store) Get(ctx context.Context, k records.Key) (records.Item, error) {
	if err := records.ValidateKey(k); err != nil {
		return records.Item{}, err
	}
	st, err := s.table(k.Table)
	if err != nil {
		return records.Item{}, err
	}
	stmt, err := s.reading(st.load)
	if err != nil {
		return records.Item{}, err
	}
	// A read by key is shorter than the driver's watch over a context.
	if err := ctx.Err(); err != nil {
		return records.Item{}, err
	}
	var r row
	err = stmt.QueryRowContext(context.WithoutCancel(ctx), k.PK, k.SK).Scan(r.all()...)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return records.Item{}, records.ErrNotFound
	case err != nil:
		return records.Item{}, explain(s.path, err)
	case r.exp.Valid && r.exp.Int64 <= s.now():
		return records.Item{}, records.ErrNotFound
	}
	it, err := r.item(k.Table)
	return it, explain(s.path, err)
}

// BatchGet implements records.Store: one statement a table.
func (s *Store) BatchGet(ctx context.Context, keys []records.Key) ([]records.Item, error) {
	if err := records.ValidateBatch(keys); err != nil {
		return nil, err
	}
	type wanted struct {
		at   []int // positions in keys
		keys [][2]string
	}
	byTable := map[records.Table]*wanted{}
	for i, k := range keys {
		w := byTable[k.Table]
		if w == nil {
			w = &wanted{}
			byTable[k.Table] = w
		}
		w.at = append(w.at, i)
		w.keys = append(w.keys, [2]string{k.PK, k.SK})
	}
	found := make([]*records.Item, len(keys))
	for t, w := range byTable {
		st, err := s.table(t)
		if err != nil {
			return nil, err
		}
		list, err := json.Marshal(w.keys)
		if err != nil {
			return nil, err
		}
		err = s.rows(ctx, st.batch, []any{string(list), s.now()}, func(rows *sql.Rows) error {
			var r row
			if err := rows.Scan(append([]any{&r.ord}, r.all()...)...); err != nil {
				return err
			}
			it, err := r.item(t)
			found[w.at[r.ord]] = &it
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	items := make([]records.Item, 0, len(keys))
	for _, it := range found {
		if it != nil {
			items = append(items, *it)
		}
	}
	return items, nil
}

// rows calls each for every row.
func (s *Store) rows(ctx context.Context, text string, args []any, each func(*sql.Rows) error) error {
	stmt, err := s.reading(text)
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return s.readError(ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			if errors.Is(err, errEnough) {
				return nil
			}
			return s.readError(ctx, err)
		}
	}
	return s.readError(ctx, rows.Err())
}

// errEnough ends a walk over rows early.
var errEnough = errors.New("enough")

func (s *Store) readError(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return explain(s.path, err)
}
