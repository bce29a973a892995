package local

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
)

// Every trouble with a data folder is one line that names it and says what to do.
func TestAdvice(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		says string
	}{
		"disk full":        {fmt.Errorf("x: %w", syscall.ENOSPC), "free some disk space"},
		"quota":            {syscall.EDQUOT, "free some disk space"},
		"database full":    {&sqlite.FileError{Kind: sqlite.ErrDiskFull}, "free some disk space"},
		"no room for blob": {blobs.ErrNoSpace, "free some disk space"},
		"newer":            {&sqlite.FileError{Kind: sqlite.ErrNewer}, "newer version"},
		"permission":       {&fs.PathError{Op: "open", Err: fs.ErrPermission}, "cannot be written by this user"},
		"read-only":        {syscall.EROFS, "cannot be written by this user"},
		"busy":             {&sqlite.FileError{Kind: sqlite.ErrBusy}, "locked by another program"},
		"damaged":          {&sqlite.FileError{Kind: sqlite.ErrCorrupt}, "restore it from a copy"},
		"anything else":    {errors.New("odd"), "--data"},
	} {
		text := advise("/data/folder", c.err).Error()
		if !strings.Contains(text, "/data/folder") || !strings.Contains(text, c.says) || strings.Contains(text, "\n") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// A second server is told who has the folder; the end of the first frees it.
func TestOneServerAFolder(t *testing.T) {
	dir := t.TempDir()
	first, err := TakeServe(dir, "http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Address("http://127.0.0.1:8080"); err != nil {
		t.Fatal(err)
	}
	if got, ok := Serving(dir); !ok || got != "http://127.0.0.1:8080" {
		t.Errorf("served at %q, %v", got, ok)
	}
	_, err = TakeServe(dir, "http://127.0.0.1:2")
	var held *HeldError
	if !errors.As(err, &held) || !strings.Contains(err.Error(), "on http://127.0.0.1:8080, since ") {
		t.Errorf("got %v", err)
	}
	first.Release()
	if got, ok := Serving(dir); ok {
		t.Errorf("nobody serves it any more, and yet %q does", got)
	}
	second, err := TakeServe(dir, "http://127.0.0.1:2")
	if err != nil {
		t.Fatal(err)
	}
	second.Release()
}

// The jobs of a folder are run by one process; the next in line takes them
// when it goes.
func TestJobsPassOn(t *testing.T) {
	dir := t.TempDir()
	first, err := waitForJobs(t.Context(), dir, holder{PID: 1})
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan error, 1)
	go func() {
		f, err := waitForJobs(t.Context(), dir, holder{PID: 2})
		if err == nil {
			err = f.Unlock()
		}
		got <- err
	}()
	select {
	case err := <-got:
		t.Fatalf("two processes run the jobs: %v", err)
	case <-time.After(takeOver):
	}
	if err := first.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := <-got; err != nil {
		t.Error(err)
	}
}
