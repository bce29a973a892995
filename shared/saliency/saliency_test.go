package saliency

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"
	"pgregory.net/rapid"
)

// painted is a picture by the colour of each pixel.
func painted(w, h int, at func(x, y int) color.Color) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.Set(x, y, at(x, y))
		}
	}
	return m
}

func blob(w, h int, cx, cy, r float64, of, ground color.Color) *image.NRGBA {
	return painted(w, h, func(x, y int) color.Color {
		if dx, dy := float64(x)+.5-cx, float64(y)+.5-cy; dx*dx+dy*dy <= r*r {
			return of
		}
		return ground
	})
}

func asPNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func estimate(t testing.TB, raw []byte) Map {
	t.Helper()
	m, err := Estimate(raw)
	if err != nil {
		t.Fatal(err)
	}
	whole(t, m.Grid)
	return m
}

// whole holds a grid to what M-231 says of it.
func whole(t testing.TB, g Grid) {
	t.Helper()
	sum := 0.0
	for _, row := range g {
		for _, v := range row {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("a share of %v", v)
			}
			sum += v
		}
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Fatalf("shares sum to %v", sum)
	}
}

func peak(g Grid) (column, row int) {
	for r := range g {
		for c := range g[r] {
			if g[r][c] > g[row][column] {
				column, row = c, r
			}
		}
	}
	return column, row
}

// apart is half the sum of the differences of two grids: 0 alike, 1 nothing in common.
func apart(a, b Grid) float64 {
	sum := 0.0
	for r := range a {
		for c := range a[r] {
			sum += math.Abs(a[r][c]-b[r][c]) / 2
		}
	}
	return sum
}

// What stands alone on an even ground is found within one cell, wherever it is.
// M-231
func TestABrightSpotIsFoundWithinACell(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w, h := rapid.IntRange(240, 600).Draw(r, "w"), rapid.IntRange(160, 400).Draw(r, "h")
		cx := rapid.Float64Range(.06, .94).Draw(r, "x") * float64(w)
		cy := rapid.Float64Range(.06, .94).Draw(r, "y") * float64(h)
		ground := color.NRGBA{uint8(rapid.IntRange(0, 90).Draw(r, "ground")), 60, 60, 255}
		m := estimate(t, asPNG(t, blob(w, h, cx, cy, float64(min(w, h))/18, color.NRGBA{250, 240, 90, 255}, ground)))
		column, row := peak(m.Grid)
		wantC, wantR := cx*Columns/float64(w), cy*Rows/float64(h)
		if math.Abs(float64(column)+.5-wantC) > 1.5 || math.Abs(float64(row)+.5-wantR) > 1.5 {
			r.Fatalf("at cell %d, %d; the spot is at %.1f, %.1f", column, row, wantC, wantR)
		}
		if len(m.Areas) == 0 {
			r.Fatal("no area")
		}
		a := m.Areas[0]
		if cx < float64(a.X) || cx > float64(a.X+a.W) || cy < float64(a.Y) || cy > float64(a.Y+a.H) || a.Share < .2 || a.Share > 1 {
			r.Fatalf("%+v does not hold the spot at %.0f, %.0f", a, cx, cy)
		}
		if m.Width != w || m.Height != h {
			r.Fatalf("%d × %d", m.Width, m.Height)
		}
	})
}

// A spot on a ground of stripes is found by what breaks the stripes.
func TestASpotIsFoundOnAPattern(t *testing.T) {
	m := estimate(t, asPNG(t, painted(480, 320, func(x, y int) color.Color {
		if dx, dy := x-360, y-80; dx*dx+dy*dy < 400 {
			return color.NRGBA{200, 30, 30, 255}
		}
		if x/10%2 == 0 {
			return color.White
		}
		return color.NRGBA{180, 190, 180, 255}
	})))
	if column, row := peak(m.Grid); column < 16 || column > 19 || row < 2 || row > 5 {
		t.Errorf("at cell %d, %d", column, row)
	}
	if m.Areas[0].Label != "upper right" {
		t.Errorf("%+v", m.Areas)
	}
}

// Nothing stands out of a picture of one colour, nor of one that is empty or only
// compressed: all cells share alike and there is no area.
func TestAnEvenPictureIsEven(t *testing.T) {
	var soft bytes.Buffer
	if err := jpeg.Encode(&soft, painted(200, 100, func(int, int) color.Color { return color.NRGBA{90, 140, 60, 255} }), &jpeg.Options{Quality: 20}); err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string][]byte{
		"grey":        asPNG(t, painted(300, 200, func(int, int) color.Color { return color.Gray{120} })),
		"green":       soft.Bytes(),
		"see-through": asPNG(t, image.NewNRGBA(image.Rect(0, 0, 40, 40))),
		"one pixel":   asPNG(t, painted(1, 1, func(int, int) color.Color { return color.Black })),
	} {
		m := estimate(t, raw)
		for _, row := range m.Grid {
			for _, v := range row {
				if v != 1.0/cells {
					t.Fatalf("%s: a share of %v", name, v)
				}
			}
		}
		if m.Areas == nil || len(m.Areas) != 0 {
			t.Errorf("%s: areas %v", name, m.Areas)
		}
	}
}

// The size of a picture, its format, and that colours change places, change little;
// a picture in a mirror gives the grid in the mirror.
func TestEstimatesAreStable(t *testing.T) {
	scene := painted(480, 320, func(x, y int) color.Color {
		switch {
		case x > 60 && x < 130 && y > 50 && y < 90:
			return color.NRGBA{210, 60, 40, 255}
		case (x-350)*(x-350)+(y-230)*(y-230) < 900:
			return color.NRGBA{30, 70, 190, 255}
		}
		return color.NRGBA{uint8(150 + x/16), uint8(170 + y/16), 180, 255}
	})
	of := func(change func(x, y int) color.Color, w, h int) Grid {
		return estimate(t, asPNG(t, painted(w, h, change))).Grid
	}
	plain := estimate(t, asPNG(t, scene)).Grid
	double := of(func(x, y int) color.Color { return scene.At(x/2, y/2) }, 960, 640)
	halved := of(func(x, y int) color.Color { return scene.At(2*x, 2*y) }, 240, 160)
	if d := apart(plain, double); d > .02 {
		t.Errorf("of double size it is %.3f apart", d)
	}
	if d := apart(plain, halved); d > .1 {
		t.Errorf("of half the size it is %.3f apart", d)
	}
	var soft bytes.Buffer
	if err := jpeg.Encode(&soft, scene, &jpeg.Options{Quality: 90}); err != nil {
		t.Fatal(err)
	}
	if d := apart(plain, estimate(t, soft.Bytes()).Grid); d > .15 {
		t.Errorf("as JPEG it is %.3f apart", d)
	}
	swapped := of(func(x, y int) color.Color { c := scene.NRGBAAt(x, y); return color.NRGBA{c.G, c.B, c.R, 255} }, 480, 320)
	pc, pr := peak(plain)
	if sc, sr := peak(swapped); apart(plain, swapped) > .5 && (sc != pc || sr != pr) {
		t.Errorf("with its colours changed it is %.3f apart", apart(plain, swapped))
	}
	mirror := of(func(x, y int) color.Color { return scene.At(479-x, y) }, 480, 320)
	for r := range mirror {
		slices.Reverse(mirror[r][:])
	}
	if d := apart(plain, mirror); d > .02 {
		t.Errorf("in a mirror it is %.3f apart", d)
	}
	stood := of(func(x, y int) color.Color { return scene.At(x, 319-y) }, 480, 320)
	slices.Reverse(stood[:])
	if d := apart(plain, stood); d > .02 {
		t.Errorf("on its head it is %.3f apart", d)
	}
}

// Equal bytes give equal bytes.
func TestEstimatesAreTheSameEveryTime(t *testing.T) {
	raw := asPNG(t, blob(300, 200, 80, 60, 20, color.White, color.Black))
	first, err := json.Marshal(estimate(t, raw))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if again, _ := json.Marshal(estimate(t, raw)); !bytes.Equal(first, again) {
			t.Fatal("not the same")
		}
	}
}

// The pair of transforms is the cosine transform of the second kind and its inverse.
func TestTheTransformIsTheCosineTransform(t *testing.T) {
	in := make([]float64, 12)
	for i := range in {
		in[i] = rand.New(rand.NewPCG(1, uint64(i))).Float64()
	}
	got := fourier.NewQuarterWaveFFT(12).CosSequence(nil, in)
	scale := 0.0
	for k, v := range got {
		want := 0.0
		for n, x := range in {
			want += x * math.Cos(math.Pi*(float64(n)+.5)*float64(k)/12)
		}
		if k == 0 {
			scale = v / want
		}
		if math.Abs(v-scale*want) > 1e-9 {
			t.Errorf("coefficient %d is %v, not %v", k, v, scale*want)
		}
	}
	back := fourier.NewQuarterWaveFFT(12).CosCoefficients(nil, got)
	for i, v := range back {
		if math.Abs(v/back[0]-in[i]/in[0]) > 1e-9 {
			t.Errorf("%d does not come back", i)
		}
	}
}

func TestShares(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var g Grid
		for y := range g {
			for x := range g[y] {
				g[y][x] = rapid.Float64Range(0, 1e6).Draw(r, "v")
			}
		}
		whole(t, Shares(&g))
	})
	for _, bad := range []float64{math.NaN(), math.Inf(1), -1, math.MaxFloat64} {
		g := Grid{{bad, 1, bad}}
		whole(t, Shares(&g))
	}
}

// Areas are what hangs together, the larger share first, and are named by where they
// lie.
func TestAreas(t *testing.T) {
	var g Grid
	for r := 1; r < 4; r++ {
		for c := 1; c < 4; c++ {
			g[r][c] = 1
		}
	}
	g[13][22], g[13][23] = 1, 1
	g[8][12] = 1
	g[9][13] = 1 // touches by a corner only
	got := Areas(Shares(&g), 2400, 1600)
	want := []Area{
		{100, 100, 300, 300, "upper left", .692308}, {2200, 1300, 200, 100, "lower right", .153846},
		{1200, 800, 100, 100, "centre", .076923}, {1300, 900, 100, 100, "centre", .076923},
	}
	for i := range want {
		if i >= len(got) || math.Abs(got[i].Share-want[i].Share) > 1e-5 {
			t.Fatalf("%+v", got)
		}
		want[i].Share = got[i].Share
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	for i, label := range []string{"upper left", "upper centre", "upper right", "centre left", "centre", "centre right", "lower left", "lower centre", "lower right"} {
		if got := Where(float64(i%3*8)+4, float64(i/3)*5.5+2); got != label {
			t.Errorf("%s is called %s", label, got)
		}
	}
}

// The formats of the contract are read; what claims to be large is refused before its
// pixels are.
func TestFormatsAndBounds(t *testing.T) {
	spot := blob(240, 160, 60, 40, 14, color.NRGBA{250, 240, 90, 255}, color.NRGBA{20, 40, 60, 255})
	var g, j bytes.Buffer
	if err := gif.Encode(&g, spot, nil); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&j, spot, nil); err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string][]byte{"png": asPNG(t, spot), "gif": g.Bytes(), "jpeg": j.Bytes()} {
		if c, r := peak(estimate(t, raw).Grid); c < 4 || c > 7 || r < 2 || r > 5 {
			t.Errorf("%s: at cell %d, %d", name, c, r)
		}
	}
	bomb := asPNG(t, image.NewGray(image.Rect(0, 0, 16, 16)))
	copy(bomb[16:], []byte{0, 0, 0x3f, 0xff, 0, 0, 0x3f, 0xff}) // its head says 16,383 × 16,383
	var u *Unreadable
	for name, raw := range map[string][]byte{
		"nothing": nil, "text": []byte("no picture"), "a claim": fixed(bomb), "cut": asPNG(t, spot)[:90],
		"svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`),
	} {
		if _, err := Estimate(raw); !errors.As(err, &u) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	for name, side := range map[string]int{"1MP": 1000, "12MP": 3464} {
		var j bytes.Buffer
		if err := jpeg.Encode(&j, blob(side, side, 300, 300, 90, color.White, color.NRGBA{40, 60, 120, 255}), nil); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Estimate(j.Bytes()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzEstimate(f *testing.F) {
	spot := blob(48, 32, 12, 8, 4, color.White, color.Black)
	var g, j bytes.Buffer
	_ = gif.Encode(&g, spot, nil)
	_ = jpeg.Encode(&j, spot, nil)
	f.Add(asPNG(f, spot))
	f.Add(g.Bytes())
	f.Add(j.Bytes())
	f.Add([]byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if w, h, err := Size(raw); err != nil || w*h > 1<<20 {
			return
		}
		m, err := Estimate(raw)
		if err != nil {
			return
		}
		whole(t, m.Grid)
		for _, a := range m.Areas {
			if a.X < 0 || a.Y < 0 || a.W < 1 || a.H < 1 || a.Label == "" || a.Share <= 0 || a.Share > 1 {
				t.Fatalf("%+v", a)
			}
		}
	})
}

// fixed gives a PNG whose head was changed the checksum of its head.
func fixed(raw []byte) []byte {
	binary.BigEndian.PutUint32(raw[29:], crc32.ChecksumIEEE(raw[12:29]))
	return raw
}
