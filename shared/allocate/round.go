package allocate

import "math"

// Costs of a rounding, each kind out of the others' reach.
const (
	costUnit   = int64(1e9)  // a whole member of fraction
	costSpill  = int64(1e13) // a seat beyond the ceiling of a cell, when the fit was not reached
	costBarred = int64(1e16) // a seat in a forbidden cell, when nothing else is left
)

// round makes a table of whole numbers from a fitted one, with exactly the given
// row and column totals: controlled rounding (Causey, Cox and Ernst 1985). Every
// cell takes its floor; a flow from rows to columns, with room for one in each
// cell that has a fraction, places what is missing where the fractions are
// largest. In two dimensions that is always possible, so every cell is the floor
// or the ceiling of its figure. Ties are broken by the jitter, below a millionth.
//
// A table whose fit was not reached (zeros in the way) still gets its totals:
// cells may then exceed their ceiling, forbidden ones last of all.
func round(x [][]float64, rows, columns []int, barred func(i, j int) bool, jitter func(i, j int) int64) [][]int {
	out := make([][]int, len(rows))
	rowLeft, colLeft := append([]int(nil), rows...), append([]int(nil), columns...)
	source, sink := len(rows)+len(columns), len(rows)+len(columns)+1
	f := newFlow(len(rows)+len(columns)+2, 2*len(rows)*len(columns)+len(rows)+len(columns))
	type open struct{ i, j, arc int }
	var opens []open
	for i := range rows {
		out[i] = make([]int, len(columns))
		for j := range columns {
			v := x[i][j]
			whole := math.Floor(v + 1e-7)
			frac := math.Max(0, v-whole)
			// A fit that was not reached may promise more than there is.
			n := min(int(whole), rowLeft[i], colLeft[j])
			out[i][j] = n
			rowLeft[i] -= n
			colLeft[j] -= n
			if frac > 1e-7 && !barred(i, j) {
				cost := int64(math.Round((1-frac)*1e6))*(costUnit/1e6) + jitter(i, j)
				opens = append(opens, open{i, j, f.add(i, len(rows)+j, 1, cost)})
			}
		}
	}
	missing := total(rowLeft)
	for i, n := range rowLeft {
		if n > 0 {
			f.add(source, i, n, 0)
		}
	}
	for j, n := range colLeft {
		if n > 0 {
			f.add(len(rows)+j, sink, n, 0)
		}
	}
	if missing == 0 {
		return out
	}
	sent := f.run(source, sink)
	if sent < missing {
		for i := range rows {
			for j := range columns {
				cost := costSpill
				if barred(i, j) {
					cost = costBarred
				}
				opens = append(opens, open{i, j, f.add(i, len(rows)+j, missing, cost)})
			}
		}
		// The potentials stand for the arcs before; new arcs may undercut them.
		clear(f.potential)
		f.restart()
		f.run(source, sink)
	}
	for _, o := range opens {
		out[o.i][o.j] += f.used(o.arc)
	}
	return out
}

// restart takes all flow back, so that arcs can be added.
func (f *flow) restart() {
	for n := 0; n < len(f.arcs); n += 2 {
		f.arcs[n].room += f.arcs[n+1].room
		f.arcs[n+1].room = 0
	}
}
