package parsers

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"
)

const rlimitData = 2 // RLIMIT_DATA: private memory that can be written to

// restrict has the kernel refuse what the watch would see too late: a single
// huge allocation, or a loop in which the watch gets no turn. The runtime takes
// address space in large steps, hence the room above the limit.
func restrict(memory int64, limit time.Duration) {
	set := func(what int, most uint64) {
		_ = syscall.Setrlimit(what, &syscall.Rlimit{Cur: most, Max: most})
	}
	if !raceDetector {
		set(rlimitData, uint64(memory)+512<<20)
	}
	set(syscall.RLIMIT_CPU, 2*uint64(limit/time.Second)+10)
	set(syscall.RLIMIT_CORE, 0)
}

// residentMemory reads how many bytes of memory this process occupies.
func residentMemory() func() int64 {
	statm, err := os.Open("/proc/self/statm")
	if err != nil {
		return heapMemory()
	}
	page := int64(os.Getpagesize())
	var buf [128]byte
	return func() int64 {
		n, _ := statm.ReadAt(buf[:], 0)
		fields := bytes.Fields(buf[:n])
		if len(fields) < 2 {
			return 0
		}
		pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
		return pages * page
	}
}
