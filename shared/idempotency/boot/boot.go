// Package boot names each run of a process that works in a data folder, and
// tells which runs are over. A run holds a lock on a file with its name; the
// system frees the lock when the process ends, however it ends.
package boot

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

const suffix = ".run"

// Run is this run of the process.
type Run struct {
	dir  string
	id   string
	lock *flock.Flock
}

// Start begins a run named id (a new one for each, fit for a file name) in the
// folder dir, and clears away the files of runs that were killed.
func Start(dir, id string) (*Run, error) {
	if id == "" || strings.ContainsAny(id, `/\.`) {
		return nil, fmt.Errorf("boot: %q is not fit for a file name", id)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("boot: %w", err)
	}
	// One starts at a time: a file is never seen between its making and its lock.
	gate := flock.New(filepath.Join(dir, "starting.lock"))
	if err := gate.Lock(); err != nil {
		return nil, fmt.Errorf("boot: %w", err)
	}
	defer gate.Close()
	r := &Run{dir: dir, id: id, lock: flock.New(filepath.Join(dir, id+suffix))}
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("boot: %w", err)
	}
	for _, f := range files {
		if other, ok := strings.CutSuffix(f.Name(), suffix); ok {
			r.Ended(other)
		}
	}
	ok, err := r.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("boot: %w", err)
	}
	if !ok {
		return nil, fmt.Errorf("boot: a run named %s is under way", id)
	}
	return r, nil
}

// ID names the run.
func (r *Run) ID() string { return r.id }

// Ended tells that the run with this name is over. It is false when in doubt,
// and for the run itself.
func (r *Run) Ended(id string) bool {
	if id == r.id || id == "" || strings.ContainsAny(id, `/\.`) {
		return false
	}
	path := filepath.Join(r.dir, id+suffix)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return true // it went in good order, or was cleared away
	}
	lock := flock.New(path)
	ok, err := lock.TryLock()
	if err != nil || !ok {
		return false
	}
	os.Remove(path)
	lock.Close()
	return true
}

// Close ends the run.
func (r *Run) Close() error {
	err := os.Remove(filepath.Join(r.dir, r.id+suffix))
	return errors.Join(err, r.lock.Close())
}
