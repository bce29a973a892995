package allocate

import "math"

// limitingShare is the smallest share that sizing must still be able to show.
const limitingShare = 5.0

// Size gives the automatic size of a cohort in a mode, at most limit, and the
// preview's suggested minimum of 3 to 50 (M-60, M-61). The limiting cell is the
// smallest usable segment of 5 % or more in any axis that rests on evidence:
// assumed shares never drive a size (M-46).
func Size(axes []Axis, mode string, limit int) (n, suggestedMin int) {
	share := 0.0
	for _, a := range axes {
		if a.Status == "assumed" || a.Status == "missing" {
			continue
		}
		m := &margin{Axis: a}
		if len(a.Segments) == 0 || m.normalise(nil) != nil {
			continue
		}
		for _, p := range m.share {
			if pct := 100 * p; pct >= limitingShare-1e-9 && (share == 0 || pct < share) {
				share = pct
			}
		}
	}
	need := func(k, none int) int {
		if share == 0 {
			return none
		}
		return int(math.Ceil(float64(k)*100/share - 1e-9))
	}
	switch mode {
	case SegmentCoverage:
		n = min(max(need(2, 10), 10), 50)
	case BenchmarkDepth:
		n = max(need(5, 20), 20)
	default:
		n = min(max(need(1, 6), 6), 20)
	}
	return max(0, min(n, limit)), min(max(need(1, 3), 3), 50)
}
