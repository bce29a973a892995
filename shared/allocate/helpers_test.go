package allocate

import (
	"fmt"
	"math/rand/v2"
)

// axisOf makes an axis with these shares; labels are name-0, name-1, ...
func axisOf(name string, pct ...float64) Axis {
	a := Axis{Name: name, Status: "sourced", Tier: "target"}
	for i, p := range pct {
		a.Segments = append(a.Segments, Segment{Label: fmt.Sprintf("%s-%d", name, i), Pct: p})
	}
	return a
}

// population is k axes of 2 to 8 segments with uneven shares.
func population(k int) []Axis {
	r := rand.New(rand.NewPCG(7, 11))
	axes := make([]Axis, k)
	for x := range axes {
		pct := make([]float64, 2+r.IntN(7))
		for i := range pct {
			pct[i] = 2 + 30*r.Float64()
		}
		axes[x] = axisOf(fmt.Sprintf("axis%02d", x), pct...)
	}
	return axes
}

// tally counts the members in each segment of a used axis.
func tally(r Result, x int) []int {
	n := make([]int, len(r.Axes[x].Segments))
	for _, row := range r.Cells {
		if row[x] >= 0 {
			n[row[x]]++
		}
	}
	return n
}

// joint counts the members in each pair of segments of two used axes.
func joint(r Result, x, y int) [][]int {
	n := make([][]int, len(r.Axes[x].Segments))
	for s := range n {
		n[s] = make([]int, len(r.Axes[y].Segments))
	}
	for _, row := range r.Cells {
		if row[x] >= 0 {
			n[row[x]][row[y]]++
		}
	}
	return n
}
