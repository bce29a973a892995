package s3

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

// What the spool gives is what it took, below, at and above the edge between
// memory and file, and its file goes with it.
func TestSpool(t *testing.T) {
	for _, size := range []int{0, 1, inMemory - 1, inMemory, inMemory + 1, 3 * inMemory} {
		dir := t.TempDir()
		content := bytes.Repeat([]byte("x"), size)
		s, err := spool(t.Context(), dir, bytes.NewReader(content), int64(size))
		if err != nil {
			t.Fatalf("%d: %v", size, err)
		}
		got, err := io.ReadAll(s.body)
		want := sha256.Sum256(content)
		if err != nil || !bytes.Equal(got, content) || s.size != int64(size) || !bytes.Equal(s.sum, want[:]) {
			t.Fatalf("%d: %d bytes, size %d, %v", size, len(got), s.size, err)
		}
		s.Close()
		if size > 0 {
			if _, err := spool(t.Context(), dir, bytes.NewReader(content), int64(size-1)); !errors.Is(err, blobs.ErrTooLarge) {
				t.Fatalf("%d over: %v", size, err)
			}
		}
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Fatalf("%d: left %v", size, left)
		}
	}
}

func TestSpoolWithoutARoom(t *testing.T) {
	if _, err := spool(t.Context(), "/nowhere/at/all", bytes.NewReader(make([]byte, 2*inMemory)), 4*inMemory); err == nil {
		t.Fatal("no error")
	}
}
