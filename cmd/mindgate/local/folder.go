// Package local is the gateway in one process: every port over one data
// folder, and the jobs that run in it.
package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
)

// Files of a data folder.
const (
	recordsFile  = "records.db"
	runsFolder   = "runs"
	workflowFile = "workflow.db"
	blobsFolder  = "blobs"
)

// Exists reports whether a data folder has been used before.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, recordsFile))
	return err == nil
}

// prepare makes the folder if needed and proves that it can be written. It
// returns its absolute path.
func prepare(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(abs); err == nil && !info.IsDir() {
		return "", fmt.Errorf("%s is a file; choose a folder with --data", abs)
	}
	if err := os.MkdirAll(abs, 0o700); err != nil {
		return "", advise(abs, err)
	}
	probe, err := os.CreateTemp(abs, ".probe-*")
	if err != nil {
		return "", advise(abs, err)
	}
	_, err = probe.WriteString("can this folder be written?\n")
	err = errors.Join(err, probe.Sync(), probe.Close(), os.Remove(probe.Name()))
	if err != nil {
		return "", advise(abs, err)
	}
	return abs, nil
}

// advise turns trouble with the folder into one line that says what to do.
func advise(dir string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, sqlite.ErrDiskFull), errors.Is(err, blobs.ErrNoSpace):
		return fmt.Errorf("the data folder %s is full; free some disk space and start again", dir)
	case errors.Is(err, sqlite.ErrNewer):
		return fmt.Errorf("the data folder %s was written by a newer version of mindgate; install that version or a later one, or choose another folder with --data", dir)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, sqlite.ErrNotWritable):
		return fmt.Errorf("the data folder %s cannot be written by this user; change its owner (chown -R %d %s) or choose another folder with --data", dir, os.Getuid(), dir)
	case errors.Is(err, sqlite.ErrBusy):
		return fmt.Errorf("the data folder %s is locked by another program for too long; stop it, or choose another folder with --data", dir)
	case errors.Is(err, sqlite.ErrForeign), errors.Is(err, sqlite.ErrCorrupt):
		return fmt.Errorf("the data folder %s cannot be read: %w; restore it from a copy, or choose another folder with --data", dir, err)
	}
	return fmt.Errorf("the data folder %s cannot be used: %w; choose another folder with --data", dir, err)
}
