package local

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
)

// schemaVersion is the journal's format; a file of a newer one is refused.
const schemaVersion = 1

const schema = `
CREATE TABLE definitions(sha TEXT PRIMARY KEY, machine TEXT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE executions(
	id INTEGER PRIMARY KEY, machine TEXT NOT NULL, name TEXT NOT NULL, definition_sha TEXT NOT NULL,
	input BLOB NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL DEFAULT 0, status TEXT NOT NULL,
	output BLOB, error TEXT NOT NULL DEFAULT '', cause TEXT NOT NULL DEFAULT '', UNIQUE(machine, name));
CREATE INDEX executions_running ON executions(id) WHERE status = 'RUNNING';
CREATE INDEX executions_stopped ON executions(stop) WHERE status <> 'RUNNING';
CREATE TABLE steps(
	exec INTEGER NOT NULL, path TEXT NOT NULL, step INTEGER NOT NULL, state TEXT NOT NULL, entered INTEGER NOT NULL,
	input BLOB NOT NULL, vars BLOB NOT NULL, attempt INTEGER NOT NULL, retries TEXT NOT NULL, due INTEGER NOT NULL,
	token TEXT NOT NULL, dispatches INTEGER NOT NULL, status INTEGER NOT NULL, output BLOB, next TEXT NOT NULL,
	error TEXT NOT NULL, cause TEXT NOT NULL, events INTEGER NOT NULL, PRIMARY KEY(exec, path, step)) WITHOUT ROWID;
CREATE TABLE tokens(
	token TEXT PRIMARY KEY, exec INTEGER NOT NULL, path TEXT NOT NULL, step INTEGER NOT NULL, attempt INTEGER NOT NULL,
	status TEXT NOT NULL, output BLOB, error TEXT NOT NULL DEFAULT '', cause TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX tokens_exec ON tokens(exec);
CREATE INDEX tokens_answered ON tokens(token) WHERE status = 'answered';
PRAGMA user_version = 1;`

// journal is the file. Writers queue up and share one commit, so that the
// price of a durable commit is paid once for all that wait.
type journal struct {
	path  string
	db    *sql.DB // readers
	file  *sql.DB // of the writer
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
	ops   chan op
	quit  chan struct{}
	ended chan struct{}
}

// op is one change; it either returns errGuard-like errors before it writes,
// or nil, or an error of the database after which nothing of it may stay.
type op struct {
	fn   func(tx *tx) error
	done chan error
}

// refusal is an error that an op returns before it has written anything.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

var (
	errStale    = refusal{errors.New("step was left already")}
	errAnswered = refusal{errors.New("token was answered already")}
	errClosed   = errors.New("workflow: engine is closed")
)

const maxBatch = 256

func openJournal(ctx context.Context, path string) (*journal, error) {
	file, db, err := sqlite.OpenFile(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("workflow journal: %w", err)
	}
	j := &journal{path: path, db: db, file: file, stmts: map[string]*sql.Stmt{}, ops: make(chan op, maxBatch), quit: make(chan struct{}), ended: make(chan struct{})}
	if j.conn, err = file.Conn(ctx); err == nil {
		err = j.prepare(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("workflow journal %s: %w", path, errors.Join(sqlite.Explain(path, err), file.Close(), db.Close()))
	}
	go j.write()
	return j, nil
}

func (j *journal) prepare(ctx context.Context) error {
	var version int
	if _, err := j.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := j.conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	switch {
	case err != nil:
	case version > schemaVersion:
		err = fmt.Errorf("was written by a newer version (format %d, this program knows %d); start that version", version, schemaVersion)
	case version == 0:
		_, err = j.conn.ExecContext(ctx, schema)
	}
	if err != nil {
		j.rollback(ctx)
		return err
	}
	_, err = j.conn.ExecContext(ctx, "COMMIT")
	return err
}

// tx runs statements inside the writer's transaction.
type tx struct{ j *journal }

func (t *tx) stmt(q string) (*sql.Stmt, error) {
	s := t.j.stmts[q]
	if s == nil {
		var err error
		if s, err = t.j.conn.PrepareContext(context.Background(), q); err != nil {
			return nil, err
		}
		t.j.stmts[q] = s
	}
	return s, nil
}

func (t *tx) exec(q string, args ...any) (int64, error) {
	s, err := t.stmt(q)
	if err != nil {
		return 0, err
	}
	r, err := s.Exec(args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (t *tx) row(q string, args []any, into ...any) error {
	s, err := t.stmt(q)
	if err != nil {
		return err
	}
	return s.QueryRow(args...).Scan(into...)
}

// do runs fn in a durable transaction and returns after the commit.
func (j *journal) do(fn func(*tx) error) error {
	o := op{fn, make(chan error, 1)}
	select {
	case j.ops <- o:
	case <-j.quit:
		return errClosed
	}
	select {
	case err := <-o.done:
		return err
	case <-j.ended:
		select {
		case err := <-o.done:
			return err
		default:
			return errClosed
		}
	}
}

func (j *journal) write() {
	defer close(j.ended)
	for {
		var batch []op
		select {
		case o := <-j.ops:
			batch = append(batch, o)
		case <-j.quit:
			return
		}
	drain:
		for len(batch) < maxBatch {
			select {
			case o := <-j.ops:
				batch = append(batch, o)
			default:
				break drain
			}
		}
		results, err := j.commit(batch)
		if err != nil && len(batch) > 1 {
			// One op spoilt the transaction: give each its own.
			for _, o := range batch {
				r, err := j.commit([]op{o})
				if err == nil {
					err = r[0]
				}
				o.done <- err
			}
			continue
		}
		for i, o := range batch {
			if err != nil && results[i] == nil {
				results[i] = err
			}
			o.done <- results[i]
		}
	}
}

// commit runs a batch in one transaction. The second result is an error of the
// database: nothing of the batch stays.
func (j *journal) commit(batch []op) ([]error, error) {
	ctx := context.Background()
	results := make([]error, len(batch))
	if _, err := j.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		j.rollback(ctx) // of a commit that failed half-way
		return results, sqlite.Explain(j.path, err)
	}
	for i, o := range batch {
		err := o.fn(&tx{j})
		var refused refusal
		if err != nil && !errors.As(err, &refused) {
			j.rollback(ctx)
			return results, sqlite.Explain(j.path, err)
		}
		results[i] = err
	}
	if _, err := j.conn.ExecContext(ctx, "COMMIT"); err != nil {
		j.rollback(ctx)
		return results, sqlite.Explain(j.path, err)
	}
	return results, nil
}

func (j *journal) close() error {
	close(j.quit)
	<-j.ended
	for _, s := range j.stmts {
		s.Close()
	}
	return errors.Join(j.conn.Close(), j.db.Close(), j.file.Close())
}

func millis(t time.Time) int64 { return t.UnixMilli() }

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// rollback is best effort: SQLite may have rolled back by itself, and the error
// that led here is the one to report.
func (j *journal) rollback(ctx context.Context) { _, _ = j.conn.ExecContext(ctx, "ROLLBACK") }
