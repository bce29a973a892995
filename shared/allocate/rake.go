package allocate

import "math"

// Raked is a table fitted to margins.
type Raked struct {
	Table     [][]float64
	Rounds    int
	Converged bool // every margin within 1e-9
	Rescaled  bool // the columns' total differed and was brought to the rows'
	// StuckRow and StuckColumn name the category whose margin the zeros of the
	// seed keep out of reach; -1 when there is none.
	StuckRow, StuckColumn int
}

const (
	rakeRounds    = 500
	rakeTolerance = 1e-9
	rakePatience  = 50 // rounds without progress before giving up
)

// Rake fits a table to row and column totals by iterative proportional fitting
// (Deming and Stephan 1940): rows and columns are scaled in turn until every
// margin is within 1e-9, at most 500 rounds. The odds ratios of the seed stay.
// A zero of the seed stays zero, which can put margins out of reach: after 50
// rounds without progress the fit ends and names the category furthest off.
func Rake(seed [][]float64, rows, columns []float64) Raked {
	r := Raked{Table: make([][]float64, len(rows)), StuckRow: -1, StuckColumn: -1}
	for i := range rows {
		r.Table[i] = append([]float64(nil), seed[i]...)
	}
	target := append([]float64(nil), columns...)
	rowSum, colSum := sum(rows), sum(target)
	if math.Abs(rowSum-colSum) > rakeTolerance*math.Max(1, rowSum) && colSum > 0 {
		r.Rescaled = true
		for j := range target {
			target[j] *= rowSum / colSum
		}
	}
	best, since := math.Inf(1), 0
	got := make([]float64, len(target))
	for r.Rounds = 1; r.Rounds <= rakeRounds; r.Rounds++ {
		for i, row := range r.Table {
			scaleTo(row, rows[i])
		}
		clear(got)
		for _, row := range r.Table {
			for j, v := range row {
				got[j] += v
			}
		}
		// Rows fit here, so what is off is off in the columns; a row of zeros is
		// off for good.
		worst, column := 0.0, -1
		for j := range got {
			if d := math.Abs(got[j] - target[j]); d > worst {
				worst, column = d, j
			}
		}
		rowOff, at := 0.0, -1
		for i, row := range r.Table {
			if d := math.Abs(sum(row) - rows[i]); d > rowOff {
				rowOff, at = d, i
			}
		}
		if worst < rakeTolerance && rowOff < rakeTolerance {
			r.Converged = true
			return r
		}
		if off := math.Max(worst, rowOff); off < best*(1-1e-6) {
			best, since = off, 0
		} else if since++; since >= rakePatience {
			r.stuck(rowOff, at, worst, column)
			return r
		}
		for j := range target {
			if got[j] <= 0 {
				continue
			}
			f := target[j] / got[j]
			for i := range r.Table {
				r.Table[i][j] *= f
			}
		}
	}
	r.Rounds = rakeRounds
	return r
}

func (r *Raked) stuck(rowOff float64, row int, columnOff float64, column int) {
	if rowOff > columnOff {
		r.StuckRow = row
	} else {
		r.StuckColumn = column
	}
}

func scaleTo(row []float64, total float64) {
	s := sum(row)
	if s <= 0 {
		return
	}
	f := total / s
	for j := range row {
		row[j] *= f
	}
}

func sum(v []float64) float64 {
	t := 0.0
	for _, x := range v {
		t += x
	}
	return t
}

func total(v []int) int {
	t := 0
	for _, x := range v {
		t += x
	}
	return t
}
