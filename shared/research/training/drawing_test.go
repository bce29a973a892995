package training

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/portrait"
)

// However many are trained, one processor is left to those who only want an answer;
// who waits for a turn and is called off draws nothing.
func TestDrawingLeavesRoom(t *testing.T) {
	most := int64(max(1, runtime.GOMAXPROCS(0)-1))
	var now, peak, drawn atomic.Int64
	s := New(Deps{Draw: func(portrait.Spec) (portrait.Picture, error) {
		n := now.Add(1)
		defer now.Add(-1)
		for p := peak.Load(); n > p && !peak.CompareAndSwap(p, n); p = peak.Load() {
		}
		for range 100 {
			runtime.Gosched()
		}
		drawn.Add(1)
		return portrait.Picture{}, nil
	}})
	var g sync.WaitGroup
	for range 50 {
		g.Go(func() {
			if _, err := s.picture(t.Context(), portrait.Spec{}); err != nil {
				t.Error(err)
			}
		})
	}
	g.Wait()
	if peak.Load() > most || drawn.Load() != 50 {
		t.Errorf("%d at once, %d drawn", peak.Load(), drawn.Load())
	}
	for range most {
		s.drawing <- struct{}{}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.picture(ctx, portrait.Spec{}); !errors.Is(err, context.Canceled) || drawn.Load() != 50 {
		t.Errorf("%v, %d drawn", err, drawn.Load())
	}
}
