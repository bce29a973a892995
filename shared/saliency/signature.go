package saliency

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"
)

const (
	// blur is the standard deviation of the blur as a part of the width, as its
	// authors use it.
	blur = 0.045
	// flat is the difference, in units of L*a*b*, below which a channel shows nothing
	// but rounding and the noise of compression.
	flat = 2.0
	// nothing is the part of the strongest coefficient below which one has no sign.
	nothing = 1e-6
)

// signature gives the weight of each cell. No weight at all means that nothing stands
// out.
func signature(channels [3]raster) *Grid {
	var sum raster
	seen := false
	for i := range channels {
		c := &channels[i]
		if slices.Max(c[:])-slices.Min(c[:]) < flat {
			continue
		}
		seen = true
		back := signs(c)
		for at, v := range back {
			sum[at] += float64(v * v)
		}
	}
	var out Grid
	if !seen {
		return &out
	}
	soft := blurred(&sum)
	least := slices.Min(soft[:])
	for y := range height {
		for x := range width {
			out[y*Rows/height][x*Columns/width] += soft[y*width+x] - least
		}
	}
	return &out
}

// signs transforms the signs of a channel's cosine transform back.
func signs(c *raster) *raster {
	t := *c
	mean := 0.0
	for _, v := range t {
		mean += v / float64(len(t))
	}
	for i := range t {
		t[i] -= mean // a ground of one colour is no foreground
	}
	both(&t, (*fourier.QuarterWaveFFT).CosSequence)
	strongest := 0.0
	for _, v := range t {
		strongest = max(strongest, math.Abs(v))
	}
	for i, v := range t {
		switch {
		case math.Abs(v) <= nothing*strongest:
			t[i] = 0
		case v > 0:
			t[i] = 1
		default:
			t[i] = -1
		}
	}
	// The pair of gonum's transforms is unnormalized, and its first coefficient
	// weighs double; neither matters to signs, nor, with the mean at zero, to where
	// the result is large.
	both(&t, (*fourier.QuarterWaveFFT).CosCoefficients)
	return &t
}

// both transforms the rows and then the columns.
func both(t *raster, transform func(*fourier.QuarterWaveFFT, []float64, []float64) []float64) {
	rows := fourier.NewQuarterWaveFFT(width)
	for y := range height {
		row := t[y*width : (y+1)*width]
		transform(rows, row, row)
	}
	columns := fourier.NewQuarterWaveFFT(height)
	column := make([]float64, height)
	for x := range width {
		for y := range column {
			column[y] = t[y*width+x]
		}
		transform(columns, column, column)
		for y, v := range column {
			t[y*width+x] = v
		}
	}
}

// blurred smooths with a Gaussian in both directions; beyond its edges a picture is
// mirrored.
func blurred(in *raster) *raster {
	const sigma = blur * width
	reach := int(math.Ceil(3 * sigma))
	kernel := make([]float64, 2*reach+1)
	total := 0.0
	for i := range kernel {
		d := float64(i - reach)
		kernel[i] = math.Exp(-d * d / (2 * sigma * sigma))
		total += kernel[i]
	}
	var half, out raster
	for y := range height {
		for x := range width {
			sum := 0.0
			for i, k := range kernel {
				sum += float64(k * in[y*width+mirrored(x+i-reach, width)])
			}
			half[y*width+x] = sum / total
		}
	}
	for y := range height {
		for x := range width {
			sum := 0.0
			for i, k := range kernel {
				sum += float64(k * half[mirrored(y+i-reach, height)*width+x])
			}
			out[y*width+x] = sum / total
		}
	}
	return &out
}

func mirrored(at, n int) int {
	if at < 0 {
		at = -at - 1
	}
	if at >= n {
		at = 2*n - 1 - at
	}
	return at
}
