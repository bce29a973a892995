package saliency

import (
	"cmp"
	"math"
	"slices"
)

const (
	cells     = Rows * Columns
	millionth = 1_000_000
	// MaxAreas is how many areas are told.
	MaxAreas = 5
)

// Shares turns weights of at least 0 into shares that sum to 1: whole millionths, by
// largest remainder, the upper left first among equals. Without any weight, or with
// one that is no number, all cells share alike.
func Shares(weights *Grid) Grid {
	var out Grid
	total := 0.0
	for _, row := range weights {
		for _, v := range row {
			if v < 0 {
				v = math.NaN()
			}
			total += v
		}
	}
	if !(total > 0) || math.IsInf(total, 0) {
		for r := range out {
			for c := range out[r] {
				out[r][c] = 1.0 / cells
			}
		}
		return out
	}
	type part struct {
		at   int
		rest float64
	}
	parts, left := make([]part, cells), millionth
	var whole [cells]int
	for at := range cells {
		exact := weights[at/Columns][at%Columns] / total * millionth
		whole[at] = int(exact)
		left -= whole[at]
		parts[at] = part{at, exact - float64(whole[at])}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.rest, a.rest) })
	for i := range max(0, left) {
		whole[parts[i%cells].at]++
	}
	for at, n := range whole {
		out[at/Columns][at%Columns] = float64(n) / millionth
	}
	return out
}

// Areas finds the connected cells that hold more than one standard deviation above the
// mean share, in a picture of w by h pixels. Cells touch by their sides. A grid whose
// cells are all alike has none.
func Areas(g Grid, w, h int) []Area {
	const mean = 1.0 / cells
	spread := 0.0
	for _, row := range g {
		for _, v := range row {
			spread += (v - mean) * (v - mean) / cells
		}
	}
	line := mean + math.Sqrt(spread)
	out := []Area{}
	if spread < 1e-15 {
		return out
	}
	var done [Rows][Columns]bool
	for r := range Rows {
		for c := range Columns {
			if !done[r][c] && g[r][c] > line {
				out = append(out, flood(&g, &done, line, r, c, w, h))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Area) int { return cmp.Compare(b.Share, a.Share) })
	return out[:min(len(out), MaxAreas)]
}

// flood takes the cells that hang together with one.
func flood(g *Grid, done *[Rows][Columns]bool, line float64, r, c, w, h int) Area {
	top, left, bottom, right := r, c, r, c
	share, down, across := 0.0, 0.0, 0.0
	open := [][2]int{{r, c}}
	done[r][c] = true
	for len(open) > 0 {
		at := open[len(open)-1]
		open = open[:len(open)-1]
		v := g[at[0]][at[1]]
		share += v
		down += float64(v * (float64(at[0]) + 0.5))
		across += float64(v * (float64(at[1]) + 0.5))
		top, bottom = min(top, at[0]), max(bottom, at[0])
		left, right = min(left, at[1]), max(right, at[1])
		for _, step := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			y, x := at[0]+step[0], at[1]+step[1]
			if y >= 0 && y < Rows && x >= 0 && x < Columns && !done[y][x] && g[y][x] > line {
				done[y][x] = true
				open = append(open, [2]int{y, x})
			}
		}
	}
	a := Area{X: left * w / Columns, Y: top * h / Rows, Label: Where(across/share, down/share)}
	a.W = (right+1)*w/Columns - a.X
	a.H = (bottom+1)*h/Rows - a.Y
	a.W, a.H = max(a.W, 1), max(a.H, 1) // of a picture narrower than the grid
	a.Share = math.Round(share*millionth) / millionth
	return a
}

// Where says in plain words where a point lies whose column and row are given in cells.
func Where(column, row float64) string {
	across := [3]string{"left", "", "right"}[third(column/Columns)]
	down := [3]string{"upper", "", "lower"}[third(row/Rows)]
	switch {
	case across == "" && down == "":
		return "centre"
	case across == "":
		return down + " centre"
	case down == "":
		return "centre " + across
	}
	return down + " " + across
}

func third(part float64) int { return min(2, max(0, int(part*3))) }
