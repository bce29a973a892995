package portrait

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

var sheet = flag.String("sheet", "", "write 24 portraits on one sheet into this file, to look at them")

// specs are n persons of every sort.
func specs(n int) []Spec {
	ages := []int{0, 34, 27, 52, 68, 9, 41, 75}
	contexts := []string{"", "keeps a garden", "a bank in the city", "teaches at a school", "by the sea", "hiking", "cooks at home"}
	out := make([]Spec, n)
	for i := range out {
		out[i] = Spec{Seed: fmt.Sprint("sheet", i), Age: ages[i%len(ages)], Presentation: []string{"feminine", "masculine", ""}[i%3], Context: contexts[i%len(contexts)]}
	}
	return out
}

func mustDraw(t testing.TB, s Spec) Picture {
	t.Helper()
	p, err := Draw(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func pixels(t testing.TB, p Picture) *image.RGBA {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(p.PNG))
	if err != nil || img.Bounds() != image.Rect(0, 0, Size, Size) {
		t.Fatalf("%v, %v", img.Bounds(), err)
	}
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, image.Point{}, draw.Src)
	return out
}

// checkXML reads the SVG through and counts what it draws.
func checkXML(t testing.TB, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	paths, title := 0, ""
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		if e, ok := tok.(xml.StartElement); ok {
			switch e.Name.Local {
			case "path":
				paths++
			case "title":
				if err := d.DecodeElement(&title, &e); err != nil {
					t.Fatal(err)
				}
			case "svg", "desc", "clipPath":
			default:
				t.Fatalf("an element %s", e.Name.Local)
			}
		}
	}
	if paths < 20 || !strings.HasPrefix(title, "Generated illustration") {
		t.Fatalf("%d paths, title %q", paths, title)
	}
}

// The same pixels and the same SVG on every machine: this holds them, whichever
// processor and Go release runs it. A change of a picture needs a new Version.
func TestSamePictureEverywhere(t *testing.T) {
	sum := sha256.New()
	for _, s := range specs(24) {
		p := mustDraw(t, s)
		sum.Write(pixels(t, p).Pix)
		sum.Write(p.SVG)
	}
	const want = "dcf85e20751117fe8d7e6bde5587b1b6b14bac0f3a89c4f0aa84c172db7660db"
	if got := fmt.Sprintf("%x", sum.Sum(nil)); got != want {
		t.Errorf("%s pictures changed: %s", Version, got)
	}
}

func TestDrawAgain(t *testing.T) {
	s := specs(5)[4]
	first := mustDraw(t, s)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			again, err := Draw(s)
			if err != nil || !bytes.Equal(again.PNG, first.PNG) || !bytes.Equal(again.SVG, first.SVG) || again.Alt != first.Alt {
				t.Error("the second picture is another")
			}
		})
	}
	wg.Wait()
	if first.Version != Version || !bytes.Contains(first.SVG, []byte(Version)) || !bytes.Contains(first.PNG, []byte("tEXtSoftware\x00Mindgate "+Version)) {
		t.Error("the version is not stamped")
	}
}

// 200 seeds give many looks, and no kind of hair, dress or tone rules.
func TestSpreadOfLooks(t *testing.T) {
	pictures, looks := map[string]bool{}, map[string]bool{}
	counts := map[string]map[string]int{}
	count := func(what, value string) {
		if counts[what] == nil {
			counts[what] = map[string]int{}
		}
		counts[what][value]++
	}
	for i := range 200 {
		s := Spec{Seed: fmt.Sprintf("00000000-0000-4000-8000-%012d", i), Presentation: []string{"feminine", "masculine", ""}[i%3]}
		l := lookOf(s)
		looks[fmt.Sprint(l.skin.color, l.hair.name, l.hairStyle, l.garment, l.cloth.name, l.ground.wall, l.glasses)] = true
		count("skin", fmt.Sprint(l.skin.color))
		count("hair", l.hairStyle)
		count("garment", l.garment)
		count("ground", fmt.Sprint(l.ground.wall))
		count("setting", l.setting)
		vector, err := svg(l.scene(), "", Version)
		if err != nil {
			t.Fatal(err)
		}
		pictures[string(vector)] = true
	}
	if len(pictures) < 150 || len(looks) < 150 {
		t.Errorf("%d pictures and %d looks of 200 seeds", len(pictures), len(looks))
	}
	for what, values := range counts {
		for v, n := range values {
			if n > 200*45/100 {
				t.Errorf("%s %s in %d of 200", what, v, n)
			}
		}
		if len(values) < 4 {
			t.Errorf("only %v for %s", values, what)
		}
	}
	if len(counts["skin"]) != len(skins) {
		t.Errorf("tones: %v", counts["skin"])
	}
}

// A name, an age and a setting leave the person who they are; a name changes no
// pixel.
func TestWhatSteers(t *testing.T) {
	base := Spec{Seed: "a", Presentation: "feminine", Age: 30}
	named, other := base, base
	named.Name, other.Name = "Anna", "Fatima"
	if !bytes.Equal(mustDraw(t, named).PNG, mustDraw(t, other).PNG) {
		t.Error("a name changes the picture")
	}
	for age := range 130 {
		s := base
		s.Age = age
		if l := lookOf(s); l.skin != lookOf(base).skin || l.glasses != "" && lookOf(base).glasses != "" && l.glasses != lookOf(base).glasses {
			t.Errorf("another person at %d", age)
		}
	}
	for context, want := range map[string]string{
		"keeps a garden near the sea": "leaves", "lives at the Sea": "waves", "Manager in a city office": "skyline", "a schoolteacher": "shelves", "research assistant": "shelves",
	} {
		if got := settingOf(context, "a"); got != want {
			t.Errorf("%q: %s, want %s", context, got, want)
		}
	}
	if a, b := settingOf("disease overseas", "a"), settingOf("", "a"); a != b {
		t.Errorf("the end of a word chose %s", a)
	}
	if lookOf(Spec{Seed: "x", Presentation: "masculine", Age: 9}).beard != "" {
		t.Error("a child has a beard")
	}
}

// What carries the expression, and the person as a whole, can be told from what
// lies behind it (ratios of WCAG 2, in hundredths).
func TestContrast(t *testing.T) {
	for i := range 400 {
		l := lookOf(Spec{Seed: fmt.Sprint("contrast", i), Age: i % 90, Presentation: []string{"feminine", "masculine", ""}[i%3]})
		for what, c := range map[string]struct {
			a, b  color
			least int
		}{
			"lines on skin":       {l.ink(), l.skin.color, 200},
			"hair on skin":        {l.hair.color, l.skin.color, 115},
			"skin before ground":  {l.skin.color, l.ground.far, 110},
			"hair before ground":  {l.hair.color, l.ground.far, 110},
			"clothes before wall": {l.cloth.color, l.ground.wall, 115},
			"clothes from skin":   {l.cloth.color, l.skin.color, 130},
			"stripes on clothes":  {l.accent.color, l.cloth.color, 140},
		} {
			if got := contrast(c.a, c.b); got < c.least {
				t.Errorf("seed %d, %s: %d, want %d", i, what, got, c.least)
			}
		}
	}
	for _, c := range []struct {
		a, b color
		want int
	}{{rgb(0), rgb(0xffffff), 2100}, {rgb(0x767676), rgb(0xffffff), 454}, {rgb(0x777777), rgb(0x777777), 100}} {
		if got := contrast(c.a, c.b); got < c.want*95/100 || got > c.want*105/100 {
			t.Errorf("contrast of %v and %v: %d, want about %d", c.a, c.b, got, c.want)
		}
	}
}

func TestAlt(t *testing.T) {
	for _, name := range []string{"", "Ada", strings.Repeat("Very Long ", 40), "a\u202eb\x00\n<script>&", "名前"} {
		for _, s := range specs(9) {
			s.Name = name
			p := mustDraw(t, s)
			if n := utf8.RuneCountInString(p.Alt); n > maxAlt || !strings.HasPrefix(p.Alt, "Generated illustration") || strings.ContainsAny(p.Alt, "\x00\n\u202e") || strings.Contains(p.Alt, "  ") {
				t.Errorf("%d characters: %q", n, p.Alt)
			}
			checkXML(t, p.SVG)
		}
	}
	if _, err := Draw(Spec{Name: "Ada"}); err == nil {
		t.Error("no seed was needed")
	}
}

// Law: every path stays whole numbers, and what the rasteriser covers is what
// the outline encloses, in either direction.
func TestCover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.IntRange(-600, 5600).Draw(t, "x"), rapid.IntRange(-600, 5600).Draw(t, "y")
		w, h := rapid.IntRange(10, 3000).Draw(t, "w"), rapid.IntRange(10, 3000).Draw(t, "h")
		c := newCanvas()
		a := c.cover(rectangle(x, y, w, h), c.mask)
		sum := 0
		for _, v := range a.Pix {
			sum += int(v)
		}
		inX, inY := max(min(x+w, whole)-max(x, 0), 0), max(min(y+h, whole)-max(y, 0), 0)
		want := inX * inY / (unit * unit) * 255
		if diff := sum - want; diff < -want/50-20*255 || diff > want/50+20*255 {
			t.Fatalf("%d,%d %dx%d covers %d, want %d", x, y, w, h, sum, want)
		}
	})
}

func FuzzDraw(f *testing.F) {
	f.Add("seed", "Ada", 30, "feminine", "garden")
	f.Add("\x00", "]]>&\"", -5, "x", strings.Repeat("sea ", 1000))
	f.Add("é", "\xff\xfe", 1<<30, "masculine", "\u2028")
	f.Fuzz(func(t *testing.T, seed, name string, age int, presentation, context string) {
		spec := Spec{Seed: seed, Name: name, Age: age, Presentation: presentation, Context: context}
		if seed == "" {
			if _, err := Draw(spec); err == nil {
				t.Fatal("no seed was needed")
			}
			return
		}
		l := lookOf(spec)
		alt := l.describe(name)
		if utf8.RuneCountInString(alt) > maxAlt || !utf8.ValidString(alt) {
			t.Fatalf("%q", alt)
		}
		vector, err := svg(l.scene(), alt, Version)
		if err != nil {
			t.Fatal(err)
		}
		checkXML(t, vector)
		if len(seed)%8 == 0 { // pixels take most of the time and little of the input
			pixels(t, mustDraw(t, spec))
		}
	})
}

func BenchmarkDraw(b *testing.B) {
	list := specs(64)
	for i := 0; b.Loop(); i++ {
		mustDraw(b, list[i%len(list)])
	}
}

// TestSheet draws the sheet that a change of the drawing is judged by.
func TestSheet(t *testing.T) {
	if *sheet == "" {
		t.Skip("no -sheet")
	}
	const columns, step = 6, 2
	cell := Size / step
	out := image.NewRGBA(image.Rect(0, 0, cell*columns, cell*4))
	for i, s := range specs(24) {
		img := pixels(t, mustDraw(t, s))
		for y := range cell {
			for x := range cell {
				out.Set(i%columns*cell+x, i/columns*cell+y, img.At(step*x, step*y))
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, out); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*sheet, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
