package portrait

// color is red, green and blue of 0 to 255 (sRGB).
type color struct{ r, g, b int }

func rgb(hex int) color { return color{hex >> 16 & 255, hex >> 8 & 255, hex & 255} }

// mix is c with percent of d in it.
func (c color) mix(d color, percent int) color {
	m := func(a, b int) int { return (a*(100-percent) + b*percent + 50) / 100 }
	return color{m(c.r, d.r), m(c.g, d.g), m(c.b, d.b)}
}

func (c color) darker(percent int) color  { return c.mix(color{20, 14, 24}, percent) }
func (c color) lighter(percent int) color { return c.mix(color{255, 252, 246}, percent) }

// light is the relative luminance of sRGB (WCAG 2), from 0 to 100,000. The
// exponent 2.4 is taken as 2.25, in whole numbers.
func (c color) light() int {
	l := func(v int) int64 {
		// (v/255)^2.25 = (v/255)^2 · sqrt(sqrt(v/255)), times a million
		w := int64(v)
		root := isqrt(isqrt(w * 1_000_000_000_000 / 255)) // sqrt(sqrt(v/255)) · 1000
		return w * w * root * 1000 / (255 * 255)
	}
	return int((2126*l(c.r) + 7152*l(c.g) + 722*l(c.b)) / 100_000)
}

func isqrt(n int64) int64 {
	if n < 2 {
		return n
	}
	x := n
	for y := (x + 1) / 2; y < x; y = (x + n/x) / 2 {
		x = y
	}
	return x
}

// contrast is the ratio of WCAG 2 in hundredths: 100 is none, 2100 black on white.
func contrast(a, b color) int {
	x, y := a.light()+5000, b.light()+5000
	if x < y {
		x, y = y, x
	}
	return x * 100 / y
}

// against darkens c, or lightens it when that does not help, until it stands
// out from ground by ratio hundredths.
func (c color) against(ground color, ratio int) color {
	return c.changed(ground, ratio, color.darker, color.lighter)
}

// above lightens first.
func (c color) above(ground color, ratio int) color {
	return c.changed(ground, ratio, color.lighter, color.darker)
}

func (c color) changed(ground color, ratio int, changes ...func(color, int) color) color {
	for _, change := range changes {
		for p := 0; p <= 96; p += 4 {
			if d := change(c, p); contrast(d, ground) >= ratio {
				return d
			}
		}
	}
	return c
}

// Tones go from light to dark; nothing but the seed chooses among them.
var skins = []color{rgb(0xf8d9c0), rgb(0xf1c6a3), rgb(0xe5b088), rgb(0xd4986b), rgb(0xbb7b4f), rgb(0x9c6140), rgb(0x7d4c31), rgb(0x68432f)}

// Hair by how often it is seen; the lighter ones only go with the lighter half
// of the tones.
var (
	darkHair  = []named{{rgb(0x1d1a1e), "black"}, {rgb(0x2c211f), "black"}, {rgb(0x3d2a22), "dark brown"}, {rgb(0x553626), "brown"}}
	lightHair = []named{{rgb(0x6f4629), "brown"}, {rgb(0x8c5a33), "chestnut"}, {rgb(0xb98144), "fair"}, {rgb(0xdcb473), "blonde"}, {rgb(0xa6492b), "red"}}
	greyHair  = []named{{rgb(0x8f8a88), "grey"}, {rgb(0xb9b4b0), "grey"}, {rgb(0xe2ded8), "white"}}
)

type named struct {
	color
	name string
}

var cloths = []named{
	{rgb(0x2f4858), "dark blue"}, {rgb(0x3d6b8f), "blue"}, {rgb(0x5f8f7d), "green"}, {rgb(0xc05a4e), "red"}, {rgb(0xe0895b), "orange"},
	{rgb(0x7b5586), "violet"}, {rgb(0xefe2cf), "cream"}, {rgb(0x434563), "indigo"}, {rgb(0xd9a441), "yellow"}, {rgb(0x2e6f6b), "teal"},
	{rgb(0x8a4a55), "wine-red"}, {rgb(0x6d7a8c), "grey"},
}

// ground is a background: the wall, and two colours for what stands before it.
type ground struct{ wall, near, far color }

var grounds = []ground{
	{rgb(0xfbe6d4), rgb(0xee9f78), rgb(0xf6c7a5)}, {rgb(0xfde9dc), rgb(0xdf7f74), rgb(0xf5b8a8)}, {rgb(0xe9f0e2), rgb(0x86ad85), rgb(0xbcd3b3)},
	{rgb(0xe1ecf2), rgb(0x7fabc8), rgb(0xb4d0e1)}, {rgb(0xf3e7f0), rgb(0xb088b3), rgb(0xd9bdd6)}, {rgb(0xfff2d6), rgb(0xefb14f), rgb(0xfad68c)},
	{rgb(0xe7e5f4), rgb(0x8f88c6), rgb(0xc1bce3)}, {rgb(0xe2f1ed), rgb(0x66aa9b), rgb(0xa9d4c9)}, {rgb(0xf5ead9), rgb(0xb08a5e), rgb(0xdcc39d)},
}
