package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	_ "modernc.org/sqlite" // the driver
)

const (
	readers = 4 // connections of a read pool
	// lockWait is how long a process waits for another one's write. It is real
	// time, not the clock of the store: a file lock does not stand still when a
	// test holds the clock.
	lockWait = 10 * time.Second
	lockPoll = 500 * time.Microsecond
)

// OpenFile opens a database file with the settings that all files of a data
// folder share: WAL, synchronous=FULL, a wait for other processes, immediate
// transactions. write has a single connection; read is a small pool that cannot
// write. Missing folders and the file with its companions are made for this
// user alone, and what others might read of an older file is taken from them.
// Close both.
func OpenFile(ctx context.Context, path string) (write, read *sql.DB, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, nil, explain(path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, nil, &FileError{Path: path, Kind: ErrNotWritable, Err: err,
			Advice: "Choose a data folder that this user may write"}
	}
	if err := private(path); err != nil {
		return nil, nil, explain(path, err)
	}
	if write, err = open(path, false); err != nil {
		return nil, nil, explain(path, err)
	}
	write.SetMaxOpenConns(1)
	// The first connection switches the file to WAL, for which SQLite does not
	// always wait when two processes start at once.
	if err := patiently(ctx, func() error { return write.PingContext(ctx) }); err != nil {
		write.Close()
		return nil, nil, explain(path, err)
	}
	if read, err = open(path, true); err != nil {
		write.Close()
		return nil, nil, explain(path, err)
	}
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)
	return write, read, nil
}

// private makes the file for this user alone, before SQLite would make it for
// everybody; SQLite gives -wal and -shm the mode of the file. A file that is
// there is never opened here: closing it would let go of the locks that another
// connection of this process holds on it.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	switch {
	case err == nil:
		return f.Close()
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &FileError{Path: path, Kind: ErrDiskFull, Err: err, Advice: diskFullAdvice}
	case !errors.Is(err, fs.ErrExist):
		return nil // SQLite says better what is wrong
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 == 0 {
			continue
		}
		// Another user's file stays as its owner wants it.
		_ = os.Chmod(name, info.Mode().Perm()&^0o077)
	}
	return nil
}

func open(path string, readOnly bool) (*sql.DB, error) {
	q := []string{
		fmt.Sprintf("_busy_timeout=%d", lockWait.Milliseconds()),
		"_journal_mode=WAL", "_synchronous=FULL", "_dqs=0", "_error_rc=1", "_txlock=immediate",
	}
	if readOnly {
		q = append(q, "_query_only=1")
	}
	name := (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: strings.Join(q, "&")}).String()
	return sql.Open("sqlite", name)
}

// patiently repeats f while another process holds the file, up to lockWait.
// It asks often: the gaps that a busy writer leaves are short.
func patiently(ctx context.Context, f func() error) error {
	err := f()
	if err == nil || !isBusy(err) {
		return err
	}
	end := time.NewTimer(lockWait)
	defer end.Stop()
	poll := time.NewTicker(lockPoll)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-end.C:
			return err
		case <-poll.C:
		}
		if err = f(); err == nil || !isBusy(err) {
			return err
		}
	}
}

// Schema is the form of one file: its mark and the steps that lead from an
// empty file to its newest version. Steps are only ever appended.
type Schema struct {
	Mark  int32    // SQLite's application_id: what kind of file it is
	Steps []string // version n is reached by the first n steps
}

// Migrate brings the file at path to the newest version of the schema. A file
// with a version that this program does not know is ErrNewer, a file with
// another mark ErrForeign; neither is touched.
func Migrate(ctx context.Context, write *sql.DB, path string, s Schema) error {
	conn, err := write.Conn(ctx)
	if err != nil {
		return explain(path, err)
	}
	defer conn.Close()
	version, err := s.check(ctx, conn, path)
	if err != nil || version == len(s.Steps) {
		return err
	}
	// Another process may be at the same: look again under the lock.
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return explain(path, err)
	}
	defer tx.Rollback()
	if version, err = s.check(ctx, tx, path); err != nil {
		return err
	}
	for _, step := range s.Steps[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return explain(path, err)
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version=%d; PRAGMA application_id=%d", len(s.Steps), s.Mark)); err != nil {
		return explain(path, err)
	}
	return explain(path, tx.Commit())
}

func (s Schema) check(ctx context.Context, db interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}, path string) (version int, err error) {
	var mark int32
	var objects int
	err = db.QueryRowContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version),
		(SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)`).Scan(&version, &mark, &objects)
	switch {
	case err != nil:
		return 0, explain(path, err)
	case mark != s.Mark && (mark != 0 || version != 0 || objects != 0):
		return 0, &FileError{Path: path, Kind: ErrForeign, Advice: "Choose another data folder, or move this file away"}
	case version > len(s.Steps):
		return 0, &FileError{Path: path, Kind: ErrNewer,
			Err:    fmt.Errorf("the file has version %d, this program knows up to %d", version, len(s.Steps)),
			Advice: "Update this program, or point it to another data folder; nothing was changed"}
	}
	return version, nil
}
