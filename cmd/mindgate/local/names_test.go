package local

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Whatever a folder is called, all that the process writes is inside, and may
// be read by its user alone.
func TestEverythingIsInsideAndPrivate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	for _, name := range []string{"plain", "what?", "no#1", "100%", "a%3Fb", "two words", "x?_pragma=y#z"} {
		t.Run(name, func(t *testing.T) {
			above := t.TempDir()
			dir := filepath.Join(above, name)
			claim, err := TakeServe(dir, "http://127.0.0.1:1")
			if err != nil {
				t.Fatal(err)
			}
			defer claim.Release()
			h, err := Open(t.Context(), Options{Dir: dir, PublicURL: "http://127.0.0.1:1"})
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			for _, file := range []string{recordsFile, workflowFile, "secret.key", serveLock} {
				if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
					t.Error(err)
				}
			}
			if list, err := os.ReadDir(above); err != nil || len(list) != 1 {
				t.Errorf("beside the folder: %v, %v", list, err)
			}
			err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := e.Info()
				if err == nil && info.Mode().Perm()&0o077 != 0 {
					t.Errorf("%s has mode %v", path, info.Mode())
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}
