//go:build !unix

package extract

import "os"

// ours relies on the rights of the user's own folders.
func ours(dir string) bool {
	st, err := os.Lstat(dir)
	return err == nil && st.IsDir()
}
