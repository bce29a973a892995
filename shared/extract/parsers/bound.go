package parsers

import (
	"os"
	"runtime/debug"
	"time"

	"github.com/mindgate-dev/mindgate/shared/extract/internal/wire"
)

// watchEvery is how often the memory is looked at. What could be taken between
// two looks is bounded by the system where it can be (see bound_linux.go).
const watchEvery = 5 * time.Millisecond

// maxStack ends a recursion over a deeply nested file long before it fills the
// memory.
const maxStack = 64 << 20

// bound holds this process to its memory: it collects garbage more often near
// the limit, and ends itself beyond it.
func bound(memory int64, limit time.Duration) {
	debug.SetMemoryLimit(memory * 3 / 4)
	debug.SetMaxStack(maxStack)
	restrict(memory, limit)
	resident := residentMemory()
	go func() {
		for range time.Tick(watchEvery) {
			if resident() > memory {
				os.Exit(wire.ExitMemory)
			}
		}
	}()
}
