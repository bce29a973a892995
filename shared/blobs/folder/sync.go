package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

// syncChain makes the blob's name durable, and each folder's above it up to
// the root: any of them may be new, and another process may have made it
// without having come to its own sync. A clean folder costs next to nothing; one
// that was cleared meanwhile has nothing to keep.
func (s *Store) syncChain(ref blobs.Ref) error {
	for dir := filepath.Dir(s.path(ref)); ; dir = filepath.Dir(dir) {
		if err := syncDir(dir); err != nil && (dir == s.dir || !errors.Is(err, fs.ErrNotExist)) {
			return fmt.Errorf("blobs: cannot write: %w", noSpace(err))
		}
		if dir == s.dir {
			return nil
		}
	}
}

func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // it keeps names durable by itself and cannot sync a folder
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
