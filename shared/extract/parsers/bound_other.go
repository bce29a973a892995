//go:build !linux

package parsers

import "time"

// restrict does nothing where the kernel offers no limit that fits; the watch
// and the parent's clock hold.
func restrict(int64, time.Duration) {}

func residentMemory() func() int64 { return heapMemory() }
