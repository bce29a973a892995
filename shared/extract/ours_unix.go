//go:build unix

package extract

import (
	"os"
	"syscall"
)

// ours says that a folder belongs to this user and that nobody else can write
// to it.
func ours(dir string) bool {
	st, err := os.Lstat(dir)
	if err != nil || !st.IsDir() || st.Mode().Perm()&0o022 != 0 {
		return false
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Getuid()
}
