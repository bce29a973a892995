package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("blobs: cannot delete: %w", err)
	}
	return syncDir(filepath.Dir(dir))
}
