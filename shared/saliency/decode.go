package saliency

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"  // the formats that are read
	_ "image/jpeg" //
	_ "image/png"  //
	"math"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" //
)

// The bounds of a picture. They are read from its head, before room for its pixels
// is taken.
const (
	MaxSide   = 16_384
	MaxPixels = 24_000_000
)

// The raster that is looked at: three by three points a cell, close to the 64 by 48
// of the publication.
const (
	width  = 3 * Columns
	height = 3 * Rows
)

// Unreadable says why a picture is not read, in words that follow its name.
type Unreadable struct {
	Why   string
	cause error
}

func (u *Unreadable) Error() string { return "saliency: the picture " + u.Why }
func (u *Unreadable) Unwrap() error { return u.cause }

// raster is one channel, row by row.
type raster [height * width]float64

type picture struct {
	width, height int
	channels      [3]raster
}

// Size tells how many pixels a picture has and decodes none of them. *Unreadable as
// Estimate.
func Size(raw []byte) (w, h int, err error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(raw))
	switch {
	case err != nil || c.Width <= 0 || c.Height <= 0:
		return 0, 0, &Unreadable{"is not a whole PNG, JPEG, GIF or WebP picture", err}
	case c.Width > MaxSide || c.Height > MaxSide || c.Width*c.Height > MaxPixels:
		return 0, 0, &Unreadable{fmt.Sprintf("has %d × %d pixels; at most %d a side and %d in all are read", c.Width, c.Height, MaxSide, MaxPixels), nil}
	}
	return c.Width, c.Height, nil
}

// decode reads a picture into channels of lightness and two opponent colours. What is
// transparent shows white.
func decode(raw []byte) (*picture, error) {
	w, h, err := Size(raw)
	if err != nil {
		return nil, err
	}
	img, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, &Unreadable{"is damaged", err}
	}
	if img.Bounds().Empty() {
		return nil, &Unreadable{"has no pixels", nil}
	}
	small := image.NewRGBA64(image.Rect(0, 0, width, height))
	draw.Draw(small, small.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.BiLinear.Scale(small, small.Bounds(), img, img.Bounds(), draw.Over, nil) // averages where it makes smaller
	p := &picture{width: w, height: h}
	for y := range height {
		for x := range width {
			c := small.RGBA64At(x, y)
			l, a, b := lab(linear(c.R), linear(c.G), linear(c.B))
			at := y*width + x
			p.channels[0][at], p.channels[1][at], p.channels[2][at] = l, a, b
		}
	}
	return p, nil
}

// linear undoes the transfer function of sRGB (IEC 61966-2-1); the result is 0 to 1.
func linear(v uint16) float64 {
	s := float64(v) / math.MaxUint16
	if s <= 0.04045 {
		return s / 12.92
	}
	return math.Pow((s+0.055)/1.055, 2.4)
}

// lab gives CIE 1976 L*a*b* of linear sRGB at D65.
func lab(r, g, b float64) (l, a, bb float64) {
	x := (float64(0.4124564*r) + float64(0.3575761*g) + float64(0.1804375*b)) / 0.95047
	y := float64(0.2126729*r) + float64(0.7151522*g) + float64(0.0721750*b)
	z := (float64(0.0193339*r) + float64(0.1191920*g) + float64(0.9503041*b)) / 1.08883
	fx, fy, fz := bent(x), bent(y), bent(z)
	return float64(116*fy) - 16, 500 * (fx - fy), 200 * (fy - fz)
}

func bent(t float64) float64 {
	const knee = 6.0 / 29
	if t > knee*knee*knee {
		return math.Cbrt(t)
	}
	return t/(3*knee*knee) + 4.0/29
}
