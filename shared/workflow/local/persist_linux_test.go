package local

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// A real disk that is full is waited for.
func TestFullDiskIsWaitedFor(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("no small disk can be made here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	var calls atomic.Int64
	ballast := filepath.Join(dir, "ballast")
	fill := func(ctx context.Context, p json.RawMessage) (json.RawMessage, error) {
		if calls.Add(1) == 1 {
			f, err := os.Create(ballast)
			if err != nil {
				return nil, err
			}
			for err == nil {
				_, err = f.Write(make([]byte, 4096))
			}
			_ = f.Close()
		}
		return p, nil
	}
	r := newRig(t, map[string]string{"m": twoTasks}, workflow.Tasks{"Echo": fill}, func(o *Options) {
		o.Path = filepath.Join(dir, "workflow.db")
	})
	r.run()
	r.start("m", "x", `{}`)
	eventually(t, "the full disk to be told", func() bool { return errors.Is(r.e.Trouble(), sqlite.ErrDiskFull) })
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if x := r.wait("m", "x"); x.Status != workflow.Succeeded || calls.Load() != 2 {
		t.Errorf("%+v, %d calls", x, calls.Load())
	}
}
