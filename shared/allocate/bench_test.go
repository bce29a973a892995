package allocate

import (
	"fmt"
	"testing"
)

// BenchmarkAllocate shows the bounds (300 members x 12 axes under 1 s, 1,000 x
// 10 under 3 s) and that the cost grows with the members, not their square.
func BenchmarkAllocate(b *testing.B) {
	for _, c := range []struct{ members, axes int }{{300, 12}, {1000, 10}, {250, 10}, {500, 10}, {2000, 10}} {
		b.Run(fmt.Sprintf("%dx%d", c.members, c.axes), func(b *testing.B) {
			in := Input{Axes: population(c.axes), Members: c.members, Config: Config{Seed: "bench"}}
			for b.Loop() {
				r, err := Allocate(in)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(r.Audit.JointConsistency.TotalDeviation/float64(c.members), "dev/member")
				worst := 0.0
				for _, p := range r.Audit.JointConsistency.Pairs {
					worst = max(worst, p.MaxDeviation)
				}
				b.ReportMetric(worst, "worstcell")
			}
		})
	}
}
