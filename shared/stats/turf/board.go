package turf

import (
	"math"
	"math/bits"
	"slices"
)

// board holds the answers as bitsets over distinct answers: one row an item, one
// bit an answer, with the whole-number weight of all members who gave it. Whole
// numbers compare exactly, so ties are ties.
type board struct {
	items  int
	depth  int
	words  int
	rows   [][]uint64 // item to answers that it reaches
	weight []int64    // of each answer
	touch  []int64    // weight that each item reaches
}

func newBoard(items int, members []Member, depth int) *board {
	b := &board{items: items, depth: depth, rows: make([][]uint64, items), touch: make([]int64, items)}
	units := wholeWeights(members)
	at := map[uint64]int{}
	var answers []uint64
	for i, m := range members {
		if bits.OnesCount64(m.Reached) < 1 || units[i] == 0 {
			continue
		}
		k, known := at[m.Reached]
		if !known {
			k = len(answers)
			at[m.Reached] = k
			answers = append(answers, m.Reached)
			b.weight = append(b.weight, 0)
		}
		b.weight[k] += units[i]
	}
	b.words = (len(answers) + 63) / 64
	for j := range b.rows {
		b.rows[j] = make([]uint64, b.words)
	}
	for k, a := range answers {
		for ; a != 0; a &= a - 1 {
			j := bits.TrailingZeros64(a)
			b.rows[j][k/64] |= 1 << (k % 64)
			b.touch[j] += b.weight[k]
		}
	}
	return b
}

// unitBits is the size of all weights together, and fineBits the steps that are
// rounding and not difference: reaches that agree to 1 in 2^36 are ties.
const (
	unitBits = 56
	fineBits = 20
)

func wholeWeights(members []Member) []int64 {
	sum := 0.0
	for _, m := range members {
		sum += m.Weight
	}
	out := make([]int64, len(members))
	for i, m := range members {
		out[i] = int64(math.Round(m.Weight / sum * (1 << unitBits)))
	}
	return out
}

// key is what two weights are compared by.
func key(units int64) int64 { return (units + 1<<(fineBits-1)) >> fineBits }

// levels are the answers with at least 1, 2, … depth items of a set.
type levels [][]uint64

func (b *board) levels() levels {
	l := make(levels, b.depth)
	for d := range l {
		l[d] = make([]uint64, b.words)
	}
	return l
}

// add writes into l the levels of before with one item more.
func (l levels) add(before levels, row []uint64) {
	for d := len(l) - 1; d > 0; d-- {
		for w, x := range row {
			l[d][w] = before[d][w] | before[d-1][w]&x
		}
	}
	for w, x := range row {
		l[0][w] = before[0][w] | x
	}
}

// gain is the weight that one item more brings to the depth.
func (b *board) gain(l levels, row []uint64) int64 {
	last := l[b.depth-1]
	if b.depth == 1 {
		return b.sum(func(w int) uint64 { return row[w] &^ last[w] })
	}
	near := l[b.depth-2]
	return b.sum(func(w int) uint64 { return row[w] & near[w] &^ last[w] })
}

func (b *board) sum(word func(int) uint64) int64 {
	var sum int64
	for w := range b.words {
		for x := word(w); x != 0; x &= x - 1 {
			sum += b.weight[w*64+bits.TrailingZeros64(x)]
		}
	}
	return sum
}

// enumeration walks all sets of one size in item order, keeping the levels of
// the items chosen so far. Branches that cannot hold one of the best sets are
// left out by their bound, which changes no result.
type enumeration struct {
	*board
	best  *top
	stack []levels
	gains [][]int64
	k     int
}

func (e *enumeration) run(k int) {
	e.k = k
	e.stack, e.gains = make([]levels, k), make([][]int64, k)
	for i := range e.stack {
		e.stack[i], e.gains[i] = e.levels(), make([]int64, e.items)
	}
	e.walk(0, 0, 0, 0, 0)
}

func (e *enumeration) walk(chosen, from int, mask uint64, units, touch int64) {
	at := e.stack[chosen]
	if chosen == e.k-1 {
		for j := from; j < e.items; j++ {
			e.best.offer(mask|1<<j, units+e.gain(at, e.rows[j]), touch+e.touch[j])
		}
		return
	}
	rest := e.k - chosen // items still to choose
	gains := e.gains[chosen][:e.items]
	for j := from; j < e.items; j++ {
		gains[j] = e.gain(at, e.rows[j])
	}
	for j := from; j <= e.items-rest; j++ {
		if e.depth == 1 && e.best.beyond(units+gains[j]+greatest(gains[j+1:], rest-1)) {
			continue
		}
		e.stack[chosen+1].add(at, e.rows[j])
		e.walk(chosen+1, j+1, mask|1<<j, units+gains[j], touch+e.touch[j])
	}
}

// greatest is the sum of the n greatest gains. At depth 1 no items bring more
// together than each alone (reach is submodular), so it bounds what n more items
// can bring.
func greatest(gains []int64, n int) int64 {
	var few [8]int64
	if n > len(few) {
		n, sum := n, int64(0)
		s := slices.Clone(gains)
		slices.Sort(s)
		for _, g := range s[len(s)-n:] {
			sum += g
		}
		return sum
	}
	for _, g := range gains {
		for i := range n {
			if g > few[i] {
				g, few[i] = few[i], g
			}
		}
	}
	sum := int64(0)
	for _, g := range few[:n] {
		sum += g
	}
	return sum
}

// top keeps the best sets. Sets arrive in item order, so an equal one goes last.
type top struct {
	sets []Set
	ties int
}

func (t *top) offer(mask uint64, units, touch int64) {
	units, touch = key(units), key(touch)
	switch {
	case len(t.sets) == 0 || units > t.sets[0].units:
		t.ties = 1
	case units == t.sets[0].units:
		t.ties++
	}
	if len(t.sets) == MaxTies {
		if last := &t.sets[MaxTies-1]; units < last.units || units == last.units && touch <= last.touch {
			return
		}
		t.sets = t.sets[:MaxTies-1]
	}
	t.sets = append(t.sets, Set{mask: mask, units: units, touch: touch})
	for i := len(t.sets) - 1; i > 0; i-- {
		a, b := &t.sets[i-1], &t.sets[i]
		if a.units > b.units || a.units == b.units && a.touch >= b.touch {
			break
		}
		*a, *b = *b, *a
	}
}

// beyond says that sets of this reach cannot enter.
func (t *top) beyond(units int64) bool {
	return len(t.sets) == MaxTies && key(units) < t.sets[MaxTies-1].units
}

// exchange chooses greedily by reach and frequency and then swaps one item of
// the set for one outside as long as that helps.
func (b *board) exchange(k int) Set {
	var s Set
	l, next := b.levels(), b.levels()
	for range k {
		at, gain := -1, int64(-1)
		for j := range b.items {
			if s.mask>>j&1 == 1 {
				continue
			}
			if g := b.gain(l, b.rows[j]); g > gain || g == gain && b.touch[j] > b.touch[at] {
				at, gain = j, g
			}
		}
		next.add(l, b.rows[at])
		l, next = next, l
		s.mask |= 1 << at
		s.units += gain
		s.touch += b.touch[at]
	}
	for improved := true; improved; {
		improved = false
		for out := range b.items {
			if s.mask>>out&1 == 0 {
				continue
			}
			rest := s.mask &^ (1 << out)
			base := b.of(rest)
			units := b.reached(base)
			for in := range b.items {
				if s.mask>>in&1 == 1 {
					continue
				}
				u := units + b.gain(base, b.rows[in])
				touch := s.touch - b.touch[out] + b.touch[in]
				if key(u) > key(s.units) || key(u) == key(s.units) && key(touch) > key(s.touch) {
					s = Set{mask: rest | 1<<in, units: u, touch: touch}
					improved = true
					break
				}
			}
			if improved {
				break
			}
		}
	}
	return s
}

// of are the levels of a whole set.
func (b *board) of(mask uint64) levels {
	l, next := b.levels(), b.levels()
	for ; mask != 0; mask &= mask - 1 {
		next.add(l, b.rows[bits.TrailingZeros64(mask)])
		l, next = next, l
	}
	return l
}

func (b *board) reached(l levels) int64 {
	return b.sum(func(w int) uint64 { return l[b.depth-1][w] })
}
