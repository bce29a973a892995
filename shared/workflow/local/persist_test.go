package local

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

var twoTasks = machineOf(taskState("A", "Echo", `{"a":1}`, `"Output":"{% $states.result.Payload %}","Next":"B"`) + "," +
	taskState("B", "Echo", `{"a":2}`, `"Output":"{% $states.result.Payload %}","End":true`))

// A journal that fails for a while halts nothing: the job waits, tells why,
// and goes on by itself when the file can be written again.
func TestPassingTroubleIsWaitedFor(t *testing.T) {
	for _, kind := range []error{sqlite.ErrDiskFull, sqlite.ErrBusy, sqlite.ErrInOut} {
		for at := range int64(3) { // transactions before the first that fails; there are three
			t.Run(fmt.Sprintf("%v/%d", kind, at), func(t *testing.T) {
				h := clock.Hold(start)
				var n, calls atomic.Int64
				var bad atomic.Bool
				r := newRig(t, map[string]string{"m": twoTasks}, workflow.Tasks{"Echo": counted(&calls, echo)}, func(o *Options) {
					o.Clock = h
					o.faulty = func() error {
						if n.Add(1) == at+1 {
							bad.Store(true)
						}
						if bad.Load() {
							return &sqlite.FileError{Path: "workflow.db", Kind: kind}
						}
						return nil
					}
				})
				r.run()
				r.start("m", "x", `{}`)
				for range 12 { // minutes of it
					eventually(t, "the job to wait", func() bool { return h.Waiting() > 0 && r.e.Trouble() != nil })
					if err := r.e.Trouble(); !errors.Is(err, kind) {
						t.Fatalf("trouble %v, want %v", err, kind)
					}
					h.Advance(mostWait)
				}
				bad.Store(false)
				eventually(t, "the job to end", func() bool {
					h.Advance(100 * time.Millisecond)
					x, err := r.e.Describe(context.Background(), "m", "x")
					return err == nil && x.Status != workflow.Running
				})
				if x := r.wait("m", "x"); x.Status != workflow.Succeeded || string(x.Output) != `{"a":2}` {
					t.Errorf("%+v", x)
				}
				eventually(t, "the trouble to be over", func() bool { return r.e.Trouble() == nil })
				if got := calls.Load(); got != 2 {
					t.Errorf("%d calls, want 2", got)
				}
			})
		}
	}
}

// What no waiting mends ends Run with the reason.
func TestDamagedJournalEndsRun(t *testing.T) {
	r := newRig(t, map[string]string{"m": twoTasks}, workflow.Tasks{"Echo": echo}, func(o *Options) {
		o.faulty = func() error { return &sqlite.FileError{Path: "workflow.db", Kind: sqlite.ErrCorrupt} }
	})
	r.run()
	r.start("m", "x", `{}`)
	err := <-r.ran
	r.cancel = nil
	if !errors.Is(err, sqlite.ErrCorrupt) || !errors.Is(r.e.Trouble(), sqlite.ErrCorrupt) {
		t.Errorf("run %v, trouble %v", err, r.e.Trouble())
	}
}
