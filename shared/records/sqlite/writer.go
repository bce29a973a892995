package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// maxBatch bounds how many waiting transactions share one commit.
const maxBatch = 256

// writer is the only goroutine of this process that writes the file. It puts
// all transactions that wait into one commit (one flush to disk), and answers
// each of them only after that commit.
//
// A transaction decides before it writes, so a refused one leaves nothing
// behind and needs no savepoint. If SQLite itself fails in the middle (disk
// full, say), the whole batch is rolled back and each of its transactions runs
// again alone: only the one that cannot succeed gets the error. So a
// transaction may run more than once and must set all of its results each time.
type writer struct {
	path  string
	conn  *sql.Conn
	stmts map[string]*sql.Stmt // by text, prepared when first used
	queue chan *job
	quit  chan struct{}
	done  chan struct{}
	stop  sync.Once
}

type job struct {
	run   func(*tx) error
	err   error
	done  chan struct{}
	state atomic.Int32 // 0 waiting, 1 taken, 2 given up by its caller
}

// brokenError is a failure of SQLite, as opposed to a refusal.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

func startWriter(ctx context.Context, db *sql.DB, path string) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	// The writer waits by itself (patiently), at shorter steps than SQLite's.
	if _, err := conn.ExecContext(ctx, "PRAGMA busy_timeout=0"); err != nil {
		conn.Close()
		return nil, err
	}
	w := &writer{path: path, conn: conn, stmts: map[string]*sql.Stmt{},
		queue: make(chan *job, maxBatch), quit: make(chan struct{}), done: make(chan struct{})}
	go w.loop()
	return w, nil
}

// do runs a transaction and returns when it is durable or refused. If ctx ends
// while it still waits, it is not run at all.
func (w *writer) do(ctx context.Context, run func(*tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j := &job{run: run, done: make(chan struct{})}
	select {
	case w.queue <- j:
	case <-w.quit:
		return w.closed()
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-j.done:
		return j.err
	case <-w.done:
		// The loop has ended; it may have answered just before.
		select {
		case <-j.done:
			return j.err
		default:
			return w.closed()
		}
	case <-ctx.Done():
		if j.state.CompareAndSwap(0, 2) {
			return ctx.Err()
		}
		<-j.done // already in a commit: its outcome is the truth
		return j.err
	}
}

func (w *writer) closed() error {
	return &FileError{Path: w.path, Kind: ErrClosed, Advice: "The process is stopping"}
}

func (w *writer) close() error {
	w.stop.Do(func() { close(w.quit) })
	<-w.done
	for _, s := range w.stmts {
		s.Close()
	}
	return w.conn.Close()
}

func (w *writer) loop() {
	defer close(w.done)
	for {
		select {
		case j := <-w.queue:
			w.batch(j)
		case <-w.quit:
			for { // what was accepted is still done
				select {
				case j := <-w.queue:
					w.batch(j)
				default:
					return
				}
			}
		}
	}
}

// batch runs j and everything that waits behind it in one commit.
func (w *writer) batch(first *job) {
	var taken []*job
	next := first
	err := w.begin()
	for ; next != nil; next = w.waiting(len(taken)) {
		if !next.state.CompareAndSwap(0, 1) {
			continue
		}
		taken = append(taken, next)
		if err != nil {
			continue // no lock to be had: all that wait hear it
		}
		next.err = next.run(&tx{w})
		if isBroken(next.err) {
			w.rollback()
			w.oneByOne(taken)
			return
		}
	}
	if err == nil {
		if err = w.exec("COMMIT"); err != nil {
			w.rollback()
		}
	}
	for _, j := range taken {
		if err != nil {
			// Also for refusals: they may rest on writes that did not happen.
			j.err = explain(w.path, err)
		}
		close(j.done)
	}
}

// oneByOne gives each transaction a commit of its own.
func (w *writer) oneByOne(jobs []*job) {
	for _, j := range jobs {
		err := w.begin()
		if err == nil {
			j.err = j.run(&tx{w})
			if isBroken(j.err) {
				err = j.err
			} else {
				err = w.exec("COMMIT")
			}
			if err != nil {
				w.rollback()
			}
		}
		if err != nil {
			j.err = explain(w.path, err)
		}
		close(j.done)
	}
}

func (w *writer) waiting(taken int) *job {
	if taken >= maxBatch {
		return nil
	}
	select {
	case j := <-w.queue:
		return j
	default:
		return nil
	}
}

func isBroken(err error) bool {
	var b *brokenError
	return errors.As(err, &b)
}

// begin takes the file's write lock; other processes may hold it for a while.
func (w *writer) begin() error {
	return patiently(context.Background(), func() error { return w.exec("BEGIN IMMEDIATE") })
}

// rollback is best effort: SQLite may have rolled back by itself.
func (w *writer) rollback() { _ = w.exec("ROLLBACK") }

// exec and the methods of tx never pass a caller's context on: its end would
// interrupt the connection, and with it the others of the batch.
func (w *writer) exec(text string, args ...any) error {
	s, err := w.stmt(text)
	if err != nil {
		return err
	}
	_, err = s.ExecContext(context.Background(), args...)
	return err
}

func (w *writer) stmt(text string) (*sql.Stmt, error) {
	if s, ok := w.stmts[text]; ok {
		return s, nil
	}
	s, err := w.conn.PrepareContext(context.Background(), text)
	if err == nil {
		w.stmts[text] = s
	}
	return s, err
}

// tx is what a transaction works with.
type tx struct{ w *writer }

func (t *tx) exec(text string, args ...any) (affected int64, err error) {
	s, err := t.w.stmt(text)
	if err != nil {
		return 0, &brokenError{err}
	}
	res, err := s.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, &brokenError{err}
	}
	return res.RowsAffected()
}

// scan reads one row; sql.ErrNoRows if there is none.
func (t *tx) scan(text string, args []any, into ...any) error {
	s, err := t.w.stmt(text)
	if err != nil {
		return &brokenError{err}
	}
	err = s.QueryRowContext(context.Background(), args...).Scan(into...)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return &brokenError{err}
	}
	return err
}

// load reads the item as conditions see it: nil if none, or expired.
func (t *tx) load(st *statements, k records.Key, nowMs int64) (*records.Item, error) {
	var r row
	switch err := t.scan(st.load, []any{k.PK, k.SK}, r.all()...); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if r.exp.Valid && r.exp.Int64 <= nowMs {
		return nil, nil
	}
	it, err := r.item(k.Table)
	if err != nil {
		return nil, &brokenError{err}
	}
	return &it, nil
}
