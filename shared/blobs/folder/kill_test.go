package folder

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
)

const writerDir = "MINDGATE_TEST_WRITER_DIR"

// TestMain lets the test program also be the writer that gets killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv(writerDir); dir != "" {
		write(dir)
		return
	}
	os.Exit(m.Run())
}

// write stores blobs of mixed sizes until it is killed, and names each one that
// was acknowledged.
func write(dir string) {
	s, err := Open(dir, Options{})
	for i := 0; err == nil; i++ {
		content := bytes.Repeat(fmt.Appendf(nil, "%d ", i), 1+i*7919%60_000)
		var ref blobs.Ref
		if ref, err = s.Put(context.Background(), "w/a", "text/plain", bytes.NewReader(content), 1<<20); err == nil {
			err = json.NewEncoder(os.Stdout).Encode(ref)
		}
	}
	fmt.Fprintln(os.Stderr, err)
}

// A writer killed at any moment leaves every acknowledged blob whole, no half
// blob under any name, and at most its one unfinished file, which goes later.
func TestKilledWriter(t *testing.T) {
	for _, after := range []int{1, 7, 40} {
		dir := t.TempDir()
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), writerDir+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var acknowledged []blobs.Ref
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var ref blobs.Ref
			if err := json.Unmarshal(lines.Bytes(), &ref); err != nil {
				break // cut by the kill
			}
			if acknowledged = append(acknowledged, ref); len(acknowledged) == after {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = cmd.Wait()
		if len(acknowledged) < after {
			t.Fatalf("the writer stopped by itself after %d", len(acknowledged))
		}

		s := open(t, dir, Options{Clock: clock.Hold(time.Now().Add(2 * leftoverAge))})
		for _, ref := range acknowledged {
			if err := s.Verify(t.Context(), ref); err != nil {
				t.Errorf("acknowledged and lost: %v", err)
			}
		}
		for _, path := range files(t, dir) {
			if strings.Contains(path, incoming) {
				t.Errorf("left over: %s", path)
				continue
			}
			ref := blobs.Ref{Prefix: "w/a", SHA256: filepath.Base(path), Size: blobs.Unknown}
			if err := s.Verify(t.Context(), ref); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}
