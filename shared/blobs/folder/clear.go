package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

var _ blobs.Clearer = (*Store)(nil)

// Clear removes the folder of a prefix.
func (s *Store) Clear(ctx context.Context, prefix string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := blobs.CheckPrefix(prefix); err != nil {
		return err
	}
	dir := filepath.Join(s.dir, filepath.FromSlash(prefix))
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var err error
	for range placeAttempts { // somebody may put a blob there meanwhile
		if err = os.RemoveAll(dir); !errors.Is(err, syscall.ENOTEMPTY) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("blobs: cannot delete: %w", err)
	}
	if err := syncDir(filepath.Dir(dir)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil // its parent was cleared as well
}
