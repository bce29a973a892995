package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Files that a process holds locked. The lock is the operating system's, so a
// process that was killed holds nothing.
const (
	serveLock = "serve.lock" // the one server of a folder
	jobsLock  = "jobs.lock"  // the process that runs the jobs
)

// takeOver is how often a process that does not run the jobs looks whether
// the one that does has gone.
const takeOver = 200 * time.Millisecond

// holder is what a lock file says of the process that holds it.
type holder struct {
	PID     int       `json:"pid"`
	Address string    `json:"address,omitempty"`
	Since   time.Time `json:"since"`
}

// HeldError says that another server has the folder.
type HeldError struct {
	Dir    string
	holder holder
}

func (e *HeldError) Error() string {
	who := "another mindgate serve"
	if e.holder.PID != 0 {
		who += fmt.Sprintf(" (process %d, on %s, since %s)", e.holder.PID, e.holder.Address, e.holder.Since.UTC().Format(time.RFC3339))
	}
	return fmt.Sprintf("the data folder %s is served by %s; stop that one, or choose another folder with --data", e.Dir, who)
}

// lock takes a lock file of the folder at once or not at all, and writes who
// has it. The text is for people: the lock itself decides.
func lock(dir, name string, h holder) (*flock.Flock, error) {
	f := flock.New(filepath.Join(dir, name), flock.SetPermissions(0o600))
	ok, err := f.TryLock()
	if err != nil {
		return nil, fmt.Errorf("cannot lock %s: %w", f.Path(), err)
	}
	if !ok {
		return nil, errHeld
	}
	if err := write(f.Path(), h); err != nil {
		return nil, errors.Join(err, f.Unlock())
	}
	return f, nil
}

func write(path string, h holder) error {
	raw, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(raw, '\n'), 0o600)
}

var errHeld = errors.New("held by another process")

func readHolder(dir, name string) holder {
	var h holder
	if raw, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
		_ = json.Unmarshal(raw, &h) // a text of a moment ago is better than none
	}
	return h
}

// Claim is the hold of one server on its folder.
type Claim struct {
	dir  string
	held *flock.Flock
	says holder
}

// TakeServe takes the folder for the one server that it may have; *HeldError
// names the one that has it. address is where the server will be.
func TakeServe(dir, address string) (*Claim, error) {
	dir, err := prepare(dir)
	if err != nil {
		return nil, err
	}
	c := &Claim{dir: dir, says: holder{PID: os.Getpid(), Address: address, Since: time.Now()}}
	for range 3 { // whoever asks Serving holds it for a moment
		if c.held, err = lock(dir, serveLock, c.says); !errors.Is(err, errHeld) {
			return c, err
		}
		time.Sleep(20 * time.Millisecond)
	}
	if errors.Is(err, errHeld) {
		return nil, &HeldError{Dir: dir, holder: readHolder(dir, serveLock)}
	}
	return c, err
}

// Address corrects the address, once it is known.
func (c *Claim) Address(address string) error {
	c.says.Address = address
	return write(c.held.Path(), c.says)
}

// Release lets the folder go. The end of the process does as well.
func (c *Claim) Release() { _ = c.held.Unlock() }

// Serving tells whether a server has the folder now, and its address.
func Serving(dir string) (address string, ok bool) {
	f := flock.New(filepath.Join(dir, serveLock), flock.SetPermissions(0o600))
	if _, err := os.Stat(f.Path()); err != nil {
		return "", false // nobody ever served it; trying would make the file
	}
	free, err := f.TryRLock()
	if free {
		_ = f.Unlock()
	}
	if free || err != nil {
		return "", false
	}
	address = readHolder(dir, serveLock).Address
	return address, address != ""
}

// waitForJobs returns once this process holds the jobs of the folder.
func waitForJobs(ctx context.Context, dir string, h holder) (*flock.Flock, error) {
	look := time.NewTicker(takeOver)
	defer look.Stop()
	for {
		f, err := lock(dir, jobsLock, h)
		if !errors.Is(err, errHeld) {
			return f, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-look.C:
		}
	}
}
