package heatmap

import (
	"math"

	"github.com/mindgate-dev/mindgate/shared/saliency"
)

const (
	// spot is the standard deviation, in cells, of how far attention to a point reaches:
	// a cell is named, not a pixel.
	spot = 1.0
	// spotReach is where that ends.
	spotReach = 3
)

// together adds up where Minds would look. Every Mind counts alike, however many points
// it named; its points share by their weights; each is spread over the cells around it
// as a Gaussian is, within the picture.
func together(per []MindPoints) saliency.Grid {
	var sum saliency.Grid
	for _, m := range per {
		all := 0
		for _, p := range m.Points {
			all += p.Weight
		}
		for _, p := range m.Points {
			spread(&sum, p.Column-1, p.Row-1, float64(p.Weight)/float64(all))
		}
	}
	return saliency.Shares(&sum)
}

func spread(g *saliency.Grid, column, row int, weight float64) {
	within := func(use func(r, c int, v float64)) {
		for r := max(0, row-spotReach); r <= min(saliency.Rows-1, row+spotReach); r++ {
			for c := max(0, column-spotReach); c <= min(saliency.Columns-1, column+spotReach); c++ {
				dr, dc := float64(r-row), float64(c-column)
				use(r, c, math.Exp(-float64(float64(dr*dr)+float64(dc*dc))/(2*spot*spot)))
			}
		}
	}
	total := 0.0
	within(func(_, _ int, v float64) { total += v })
	within(func(r, c int, v float64) { g[r][c] += float64(weight * v / total) })
}
