package design

// BIBD gives a balanced incomplete block design of v items in blocks of k: every
// item stands in r blocks and every pair in lambda, with bk = vr and
// lambda(v-1) = r(k-1) (Yates 1936). ok is false for sizes without one here.
//
//	(v,k)  (6,3) (7,3) (7,4) (9,3) (10,4) (11,5) (13,4) (16,4) (21,5)
//	b        10     7     7    12     15     11     13     20     21
//	lambda    2     1     2     1      2      2      1      1      1
func BIBD(v, k int) (blocks [][]int, ok bool) {
	switch [2]int{v, k} {
	case [2]int{7, 3}:
		return cyclic(7, []int{0, 1, 3}), true
	case [2]int{7, 4}: // complements of the Fano plane's lines
		return cyclic(7, []int{2, 4, 5, 6}), true
	case [2]int{11, 5}: // quadratic residues
		return cyclic(11, []int{1, 3, 4, 5, 9}), true
	case [2]int{13, 4}: // the projective plane of order 3 (Singer 1938)
		return cyclic(13, []int{0, 1, 3, 9}), true
	case [2]int{21, 5}: // the projective plane of order 4
		return cyclic(21, []int{0, 1, 4, 14, 16}), true
	case [2]int{6, 3}: // two base blocks over the integers modulo 5 and a fixed point
		for i := range 5 {
			blocks = append(blocks, []int{5, i, (i + 2) % 5}, []int{i, (i + 1) % 5, (i + 2) % 5})
		}
		return blocks, true
	case [2]int{9, 3}:
		return affine(3, func(a, b int) int { return (a + b) % 3 }, func(a, b int) int { return a * b % 3 }), true
	case [2]int{16, 4}: // the field of four elements 0, 1, x, x+1 with x² = x+1
		return affine(4, func(a, b int) int { return a ^ b }, func(a, b int) int {
			if a == 0 || b == 0 {
				return 0
			}
			return (a-1+b-1)%3 + 1
		}), true
	case [2]int{10, 4}:
		return fourCycles(), true
	}
	return nil, false
}

// cyclic develops a difference set modulo v.
func cyclic(v int, base []int) [][]int {
	blocks := make([][]int, v)
	for i := range blocks {
		for _, x := range base {
			blocks[i] = append(blocks[i], (x+i)%v)
		}
	}
	return blocks
}

// affine gives the lines y = mx + c and x = c of the plane over a field of q
// elements; the point (x, y) is the item qx + y.
func affine(q int, add, times func(a, b int) int) [][]int {
	var blocks [][]int
	for m := range q {
		for c := range q {
			var line []int
			for x := range q {
				line = append(line, q*x+add(times(m, x), c))
			}
			blocks = append(blocks, line)
		}
	}
	for c := range q {
		var line []int
		for y := range q {
			line = append(line, q*c+y)
		}
		blocks = append(blocks, line)
	}
	return blocks
}

// fourCycles takes the ten edges of the complete graph on five points for items
// and its fifteen cycles of four edges for blocks: two edges, whether they meet
// or not, lie on two cycles.
func fourCycles() [][]int {
	edge := map[[2]int]int{}
	for a := range 5 {
		for b := a + 1; b < 5; b++ {
			edge[[2]int{a, b}], edge[[2]int{b, a}] = len(edge)/2, len(edge)/2
		}
	}
	var blocks [][]int
	for out := range 5 { // the point that the cycle leaves out
		var p []int
		for a := range 5 {
			if a != out {
				p = append(p, a)
			}
		}
		for _, c := range [][]int{{p[0], p[1], p[2], p[3]}, {p[0], p[1], p[3], p[2]}, {p[0], p[2], p[1], p[3]}} {
			var block []int
			for i := range c {
				block = append(block, edge[[2]int{c[i], c[(i+1)%4]}])
			}
			blocks = append(blocks, block)
		}
	}
	return blocks
}
