package allocate

import (
	"math"
	"math/bits"
	"sort"
)

// block is how many home slots share one permutation when members answer; each
// block should be a small balanced cohort of its own.
const block = 32

// interleave orders the members so that every block of 32 holds each segment as
// nearly in proportion as it can, and a beginning of a block too. It gives the
// member of each place.
//
// Members sorted by their segments are dealt to the blocks in turn (systematic
// sampling, which stratifies by the leading axes), trades between blocks even out
// the other axes, and inside a block the sorted members are taken in the order of
// bit-reversed numbers (van der Corput), so that any first few are spread.
func (c *cohort) interleave(d *dice) []int {
	sorted := make([]int, c.n)
	for m := range sorted {
		sorted[m] = m
	}
	less := func(p, q int) bool {
		for x := range c.col {
			if c.col[x][p] != c.col[x][q] {
				return c.col[x][p] < c.col[x][q]
			}
		}
		return p < q
	}
	d.shuffle(c.n, func(i, j int) { sorted[i], sorted[j] = sorted[j], sorted[i] })
	sort.SliceStable(sorted, func(i, j int) bool { return less(sorted[i], sorted[j]) })

	blocks := (c.n + block - 1) / block
	size := make([]int, blocks)
	for b := range size {
		size[b] = min(block, c.n-b*block)
	}
	in := make([]int, c.n) // block of a member
	for k, b := range deal(size) {
		in[sorted[k]] = b
	}
	c.evenBlocks(d, in, size)

	members := make([][]int, blocks)
	for _, m := range sorted {
		members[in[m]] = append(members[in[m]], m)
	}
	out := make([]int, 0, c.n)
	for _, ms := range members {
		out = append(out, spread(ms)...)
	}
	return out
}

// deal gives the block of each of the sorted members in turn: every block takes
// its members at even distances, a short last one too.
func deal(size []int) []int {
	type turn struct{ at, of, block int } // place (2*at+1)/(2*of) of the way
	var turns []turn
	for b, n := range size {
		for k := range n {
			turns = append(turns, turn{2*k + 1, n, b})
		}
	}
	sort.SliceStable(turns, func(i, j int) bool { return turns[i].at*turns[j].of < turns[j].at*turns[i].of })
	out := make([]int, len(turns))
	for k, t := range turns {
		out[k] = t.block
	}
	return out
}

// spread takes the items of a sorted list in bit-reversed order.
func spread(ms []int) []int {
	out := make([]int, 0, len(ms))
	width := bits.Len(uint(max(1, len(ms)) - 1))
	for k := range 1 << width {
		if at := int(bits.Reverse64(uint64(k)<<(64-width))) & (1<<width - 1); at < len(ms) {
			out = append(out, ms[at])
		}
	}
	return out
}

// evenBlocks trades whole members between blocks as long as that lowers the sum
// of squared deviations of the blocks' segments from their part of the quotas.
func (c *cohort) evenBlocks(d *dice, in, size []int) {
	if len(size) < 2 || len(c.used) == 0 {
		return
	}
	dev := make([][][]int32, len(c.used))
	for x, m := range c.used {
		dev[x] = make([][]int32, len(size))
		for b := range size {
			dev[x][b] = make([]int32, len(m.use))
			for s, q := range m.quota {
				dev[x][b][s] = -int32(math.Round(float64(q*size[b]*scale) / float64(c.n)))
			}
		}
		for m, b := range in {
			dev[x][b][c.col[x][m]] += scale
		}
	}
	quiet := 0
	for range min(c.n*8*c.proposals(), searchBudget/(4*len(c.used))) {
		if quiet++; quiet > 40*c.n {
			return
		}
		u, v := d.below(c.n), d.below(c.n)
		bu, bv := in[u], in[v]
		if bu == bv {
			continue
		}
		delta := int64(0)
		for x := range c.used {
			s, t := c.col[x][u], c.col[x][v]
			if s != t {
				delta += int64(dev[x][bu][t]-dev[x][bu][s]+dev[x][bv][s]-dev[x][bv][t]) + 2*scale
			}
		}
		if delta >= 0 {
			continue
		}
		quiet = 0
		for x := range c.used {
			s, t := c.col[x][u], c.col[x][v]
			dev[x][bu][s] -= scale
			dev[x][bu][t] += scale
			dev[x][bv][t] -= scale
			dev[x][bv][s] += scale
		}
		in[u], in[v] = bv, bu
	}
}

// reorder puts the members into the given order.
func (c *cohort) reorder(order []int) {
	for x, col := range c.col {
		next := make([]int16, c.n)
		for place, m := range order {
			next[place] = col[m]
		}
		c.col[x] = next
	}
}
