// Package file keeps the master key of a local installation in DIR/secret.key.
package file

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/mindgate-dev/mindgate/shared/secrets"
)

// Name of the key file in the data folder.
const Name = "secret.key"

// Open gives the ring of a data folder, and makes its key at the first start.
// When env (the value of MINDGATE_SECRET_KEY) is not blank it is the key, and
// the folder is not touched. The file must be readable by its owner only.
func Open(dir, env string) (*secrets.Ring, error) {
	if env != "" {
		ring, err := secrets.Parse(env)
		if err != nil {
			return nil, fmt.Errorf("MINDGATE_SECRET_KEY: %w", err)
		}
		return ring, nil
	}
	path := filepath.Join(dir, Name)
	ring, err := read(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return ring, err
	}
	if err := create(dir, path); err != nil {
		return nil, fmt.Errorf("secrets: cannot make %s (set MINDGATE_SECRET_KEY to run without it): %w", path, err)
	}
	return read(path)
}

// maxFile is far above any list of keys; a larger file is not ours.
const maxFile = 64 << 10

func read(path string) (*secrets.Ring, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("secrets: %w", err)
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("secrets: %s is not a file", path)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("secrets: %s can be read by others (mode %04o): run chmod 600 %s, and change the key if somebody may have seen it", path, info.Mode().Perm(), path)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("secrets: %s has %d bytes: %w", path, info.Size(), secrets.ErrMalformed)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("secrets: %w", err)
	}
	ring, err := secrets.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("secrets: %s: restore it from a backup; a new key cannot open what the old one sealed: %w", path, err)
	}
	return ring, nil
}

// create writes a whole key beside the path and links it in. Of two processes
// one link wins and the other's key is dropped, so both read the same one; a
// crash leaves no half key.
func create(dir, path string) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	key := make([]byte, secrets.MasterSize)
	_, _ = rand.Read(key)                         // never fails
	tmp, err := os.CreateTemp(dir, Name+".*.new") // mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	_, err = tmp.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	if err == nil {
		err = tmp.Sync()
	}
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	if err := os.Link(tmp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(dir)
}

func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
