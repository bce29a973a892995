package parsers

import "runtime/metrics"

// heapMemory reads how many bytes the runtime holds of the system.
func heapMemory() func() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	return func() int64 {
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
	}
}
