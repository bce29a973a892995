package allocate

import (
	"math"
	"sort"
)

// quotas turns shares (fractions that sum to 1) into n seats by largest
// remainder (Hamilton): each segment has the whole part of n*share, the seats
// left go to the largest fractions, ties to the larger share, then to the
// earlier segment (M-121). So the sum is n and every seat count is within 1 of
// n*share.
func quotas(n int, share []float64) []int {
	q := make([]int, len(share))
	type rest struct {
		at   int
		frac int64 // billionths, so that noise decides no tie
	}
	left := n
	rests := make([]rest, len(share))
	for i, p := range share {
		exact := float64(float64(n) * p)
		q[i] = int(math.Floor(exact + 1e-9))
		rests[i] = rest{i, max(0, int64(math.Round((exact-float64(q[i]))*1e9)))}
		left -= q[i]
	}
	sort.SliceStable(rests, func(a, b int) bool {
		if rests[a].frac != rests[b].frac {
			return rests[a].frac > rests[b].frac
		}
		return share[rests[a].at] > share[rests[b].at]
	})
	for i := 0; i < left; i++ {
		q[rests[i%len(rests)].at]++
	}
	return q
}

// floorAt raises every segment of a positive share to at least m, seat by seat
// from the largest (M-122). When the floors together exceed n, m becomes
// floor(n/k) and relaxed is true.
func floorAt(q []int, share []float64, n, m int) (relaxed bool) {
	k := 0
	for _, p := range share {
		if p > 0 {
			k++
		}
	}
	if m <= 0 || k == 0 {
		return false
	}
	if k*m > n {
		m, relaxed = n/k, true
	}
	for i, p := range share {
		for p > 0 && q[i] < m {
			q[largest(q, share, n, m)]--
			q[i]++
		}
	}
	return relaxed
}

// largest is the segment that a seat is taken from: the one with most seats,
// among equals the one furthest above its share, then the later. It never falls
// below the floor.
func largest(q []int, share []float64, n, floor int) int {
	best := -1
	over := func(i int) float64 { return float64(q[i]) - float64(float64(n)*share[i]) }
	for i := range q {
		if q[i] <= floor {
			continue
		}
		if best < 0 || q[i] > q[best] || q[i] == q[best] && over(i) >= over(best)-1e-9 {
			best = i
		}
	}
	return best
}

// represent gives a seat to every segment that half a member or more stands
// behind (M-127, balanced): from a segment that was rounded up, where one can
// spare it, so that all stay within one of their share; else from the largest.
func represent(q []int, share []float64, n int) {
	small := make([]int, 0, len(q))
	for i, p := range share {
		if q[i] == 0 && float64(float64(n)*p) >= 0.5-1e-9 {
			small = append(small, i)
		}
	}
	sort.SliceStable(small, func(a, b int) bool { return share[small[a]] > share[small[b]] })
	for _, i := range small {
		donor, least := -1, 1.0
		for j := range q {
			up := float64(float64(n)*share[j]) - float64(q[j]-1) // the fraction that earned its last seat
			if q[j] > 1 && up < 1-1e-9 && up < least-1e-9 {
				donor, least = j, up
			}
		}
		if donor < 0 {
			if donor = largest(q, share, n, 1); donor < 0 {
				return
			}
		}
		q[donor]--
		q[i]++
	}
}

// proportional tells whether quotas are what rounding alone gives: every
// segment within one seat of its share.
func proportional(q []int, share []float64, n int) bool {
	for i := range q {
		if math.Abs(float64(q[i])-float64(float64(n)*share[i])) >= 1-1e-9 {
			return false
		}
	}
	return true
}
