// Package turf finds the sets of items that reach most members (total unduplicated
// reach and frequency, Miaoulis et al. 1990).
package turf

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// Limits of a search.
const (
	MaxItems  = 64        // an answer is one word of bits
	MaxSets   = 5_000_000 // sets of one size that are all looked at
	MaxTies   = 10        // sets of one size that are returned
	noTimeFor = math.MaxInt64
)

// Member is who says which items reach them: bit j is item j. Set Weight 1 where
// weights are not used.
type Member struct {
	Reached uint64
	Weight  float64
}

// Options of a search.
type Options struct {
	Sizes   []int // of sets, each 1..items
	Depth   int   // items of a set that must reach a member; 1 when 0
	MaxSets int   // MaxSets when 0
}

// Set is one set of items, ascending.
type Set struct {
	Items     []int
	Reach     stats.Estimate // 0..1
	Frequency float64        // items of the set that reach a member, on average over all
	mask      uint64
	units     int64
	touch     int64
}

// Size is what was found among sets of one size.
type Size struct {
	Size  int
	Exact bool  // all sets were looked at
	Sets  []Set // best first by reach, frequency, item order; at most MaxTies, ties with the first and runners-up
	Ties  int   // sets of the same reach as the first; counted beyond MaxTies when exact
}

// Best are the sets that share the highest reach.
func (s Size) Best() []Set { return s.Sets[:min(s.Ties, len(s.Sets))] }

// Rung is one step of a ladder.
type Rung struct {
	Item         int
	Reach, Added float64
}

// Result of a search.
type Result struct {
	Exact      bool
	Sizes      []Size
	Ladder     []Rung // the best set of the largest size, item by item
	N          int
	EffectiveN float64
}

// Search looks for the sets of each size with the highest reach
// sum w_i [at least depth items of the set reach i] / sum w, breaking ties by
// frequency and then by the order of items. All sets of a size are looked at
// while there are at most MaxSets of them; beyond, a greedy choice is improved by
// exchanges and called not exact (its reach is at least 1 - 1/e of the best at
// depth 1, Nemhauser et al. 1978). Without weight the answer is
// stats.Insufficient.
func Search(items int, members []Member, o Options) (Result, error) {
	if items < 1 || items > MaxItems {
		return Result{}, fmt.Errorf("turf: 1 to %d items, not %d", MaxItems, items)
	}
	o.Depth, o.MaxSets = max(o.Depth, 1), cmpOr(o.MaxSets, MaxSets)
	sizes := slices.Clone(o.Sizes)
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	if len(sizes) == 0 {
		return Result{}, fmt.Errorf("turf: no set size is asked for")
	}
	if sizes[0] < 1 || sizes[len(sizes)-1] > items {
		return Result{}, fmt.Errorf("turf: set sizes are 1 to the %d items, not %d to %d", items, sizes[0], sizes[len(sizes)-1])
	}
	weights := make([]float64, len(members))
	for i, m := range members {
		if m.Weight < 0 || math.IsNaN(m.Weight) || math.IsInf(m.Weight, 0) {
			return Result{}, fmt.Errorf("turf: weight %d is %v", i, m.Weight)
		}
		if items < 64 && m.Reached>>items != 0 {
			return Result{}, fmt.Errorf("turf: member %d is reached by an item beyond the %d", i, items)
		}
		weights[i] = m.Weight
	}
	r := Result{Exact: true, N: len(members), EffectiveN: stats.Kish(weights)}
	if r.EffectiveN == 0 {
		return r, &stats.Insufficient{Reason: "No member has an answer with weight."}
	}
	b := newBoard(items, members, o.Depth)
	for _, k := range sizes {
		s := Size{Size: k, Exact: choose(items, k) <= int64(o.MaxSets)}
		if s.Exact {
			e := enumeration{board: b, best: &top{}}
			e.run(k)
			s.Sets, s.Ties = e.best.sets, e.best.ties
		} else {
			s.Sets, s.Ties = []Set{b.exchange(k)}, 1
			r.Exact = false
		}
		for i := range s.Sets {
			b.describe(&s.Sets[i], members, o.Depth, r.EffectiveN)
		}
		r.Sizes = append(r.Sizes, s)
	}
	r.Ladder = ladder(r.Sizes[len(r.Sizes)-1].Sets[0].Items, members, o.Depth)
	return r, nil
}

func cmpOr(v, otherwise int) int {
	if v > 0 {
		return v
	}
	return otherwise
}

// choose is the binomial coefficient, the greatest int64 when a step
// towards it does not fit.
func choose(n, k int) int64 {
	k = min(k, n-k)
	c := int64(1)
	for i := 1; i <= k; i++ {
		hi, lo := bits.Mul64(uint64(c), uint64(n-k+i))
		if hi != 0 || lo > math.MaxInt64 {
			return noTimeFor
		}
		c = int64(lo / uint64(i))
	}
	return c
}

// describe writes the figures of a set from the members themselves.
func (b *board) describe(s *Set, members []Member, depth int, effectiveN float64) {
	s.Items = s.Items[:0]
	for j := range b.items {
		if s.mask>>j&1 == 1 {
			s.Items = append(s.Items, j)
		}
	}
	part, total, touched := reach(s.mask, members, depth)
	s.Reach = stats.Share(part, total, len(members), effectiveN)
	s.Frequency = touched / total
}

func reach(mask uint64, members []Member, depth int) (part, total, touched float64) {
	for _, m := range members {
		n := bits.OnesCount64(m.Reached & mask)
		if n >= depth {
			part += m.Weight
		}
		touched += m.Weight * float64(n)
		total += m.Weight
	}
	return part, total, touched
}

// ladder orders the items of a set by what each adds to those before it. Ties go
// to the item that reaches more members, then to the order of items.
func ladder(items []int, members []Member, depth int) []Rung {
	var out []Rung
	var mask uint64
	before := 0.0
	left := slices.Clone(items)
	for len(left) > 0 {
		at, best, bestTouch := 0, -1.0, -1.0
		for i, j := range left {
			part, total, touched := reach(mask|1<<j, members, depth)
			v := part / total
			if v > best+1e-12 || v > best-1e-12 && touched > bestTouch+1e-9 {
				at, best, bestTouch = i, v, touched
			}
		}
		mask |= 1 << left[at]
		out = append(out, Rung{left[at], best, math.Max(0, best-before)})
		before = best
		left = slices.Delete(left, at, at+1)
	}
	return out
}
