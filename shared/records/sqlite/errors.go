package sqlite

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/mindgate-dev/mindgate/shared/passing"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// What can be wrong with a file. All but ErrNewer are records.ErrUnavailable
// too; the text says what to do.
var (
	ErrNewer       = errors.New("sqlite: written by a newer version")
	ErrForeign     = errors.New("sqlite: not a file of ours")
	ErrDiskFull    = passing.New("sqlite: disk full", "There is no room left to store this. Try again later; the operator must free some disk space.")
	ErrCorrupt     = passing.Stays("sqlite: file damaged")
	ErrNotWritable = errors.New("sqlite: file not writable")
	ErrBusy        = passing.New("sqlite: another process holds the file", "The store is busy. Try again in a few seconds.")
	ErrInOut       = errors.New("sqlite: reading or writing failed")
	ErrClosed      = errors.New("sqlite: store closed")
)

const diskFullAdvice = "Free some space on this disk; what was acknowledged is safe"

// FileError says which file has which fault and the way out. Kind is one of
// the errors above, or nil if SQLite's own error has to do.
type FileError struct {
	Path   string
	Kind   error
	Advice string
	Err    error // as SQLite said it; may be nil
}

func (e *FileError) Error() string {
	kind := "sqlite: trouble"
	if e.Kind != nil {
		kind = e.Kind.Error()
	}
	text := fmt.Sprintf("%s: %s", kind, e.Path)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.Advice != "" {
		text += ". " + e.Advice
	}
	return text
}

// Unwrap makes errors.Is find the kind, and records.ErrUnavailable where a
// later try may succeed.
func (e *FileError) Unwrap() []error {
	list := []error{e.Err}
	if e.Kind != nil {
		list = append(list, e.Kind)
	}
	if !errors.Is(e.Kind, ErrNewer) && !errors.Is(e.Kind, ErrForeign) {
		list = append(list, records.ErrUnavailable)
	}
	return list
}

// Explain turns an error of a connection that OpenFile gave into a *FileError
// with its kind and advice; nil stays nil.
func Explain(path string, err error) error { return explain(path, err) }

// Passing reports whether the same work may succeed later without anybody
// mending the file: the disk is full, the file is held, reading or writing
// failed, or it cannot be written now.
func Passing(err error) bool {
	for _, kind := range []error{ErrDiskFull, ErrBusy, ErrInOut, ErrNotWritable} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// explain turns an error of the driver into a FileError.
func explain(path string, err error) error {
	if err == nil {
		return nil
	}
	var known *FileError
	if errors.As(err, &known) {
		return err
	}
	out := &FileError{Path: path, Err: err}
	var code *sqlite.Error
	if !errors.As(err, &code) {
		return out
	}
	switch code.Code() & 0xff { // the low byte is the primary code
	case lib.SQLITE_FULL:
		out.Kind, out.Advice = ErrDiskFull, diskFullAdvice
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		out.Kind, out.Advice = ErrCorrupt, "Stop the server, keep a copy of the data folder, and restore it from a backup"
	case lib.SQLITE_READONLY, lib.SQLITE_PERM, lib.SQLITE_CANTOPEN, lib.SQLITE_AUTH:
		out.Kind, out.Advice = ErrNotWritable, "Give this user the right to write the file and its folder, or choose another data folder"
	case lib.SQLITE_IOERR, lib.SQLITE_NOMEM, lib.SQLITE_INTERRUPT, lib.SQLITE_PROTOCOL:
		out.Kind, out.Advice = ErrInOut, "Try again; if it stays, look at the disk and at the system's log"
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		out.Kind, out.Advice = ErrBusy, "Try again; if it stays, stop the other process that uses this data folder"
	}
	return out
}

func isBusy(err error) bool {
	var code *sqlite.Error
	return errors.As(err, &code) && (code.Code()&0xff == lib.SQLITE_BUSY || code.Code()&0xff == lib.SQLITE_LOCKED)
}
