package knowledge

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

func cutAll(t interface{ Fatal(...any) }, blocks []extract.Block) []passage {
	var out []passage
	c := &cutter{emit: func(p passage) error { out = append(out, p); return nil }}
	for _, b := range blocks {
		if err := c.add(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.end(); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPassagesKeepPlaceAndHeading(t *testing.T) {
	long := strings.Repeat("The wind turns the mill by the river. ", 40)
	got := cutAll(t, []extract.Block{
		{Text: "Mills", Where: "page 1", Heading: "Mills"},
		{Text: "A short word on mills.", Where: "page 1", Heading: "Mills"},
		{Text: long, Where: "page 2", Heading: "Mills"},
		{Text: "Bakers", Where: "page 3", Heading: "Bakers"},
		{Text: "They rise early.", Where: "page 4", Heading: "Bakers"},
		{Text: "And go to bed early.", Where: "page 5", Heading: "Bakers"},
	})
	if len(got) != 3 {
		t.Fatalf("%d passages: %+v", len(got), got)
	}
	if p := got[0]; !strings.HasPrefix(p.Text, "Mills\nA short") || p.Where != "pages 1–2" || p.Heading != "" || !strings.HasSuffix(p.Text, "river.") {
		t.Errorf("%+v", p)
	}
	if p := got[1]; p.Heading != "Mills" || p.Where != "page 2" || !strings.HasPrefix(p.Text, "The wind") {
		t.Errorf("%+v", p)
	}
	if p := got[2]; p.Text != "Bakers\nThey rise early.\nAnd go to bed early." || p.Where != "pages 3–5" || p.Heading != "" {
		t.Errorf("%+v", p)
	}
}

func TestSpan(t *testing.T) {
	for _, c := range [][3]string{
		{"page 3", "page 3", "page 3"}, {"page 3", "page 5", "pages 3–5"}, {"rows 1–4", "rows 5–9", "rows 1–9"},
		{"row 1", "rows 2–3", "rows 1–3"}, {"page 3", "slide 4", "page 3"}, {"", "", ""}, {"page 3", "", "page 3"}, {"chapter one", "chapter two", "chapter one"},
	} {
		if got := span(c[0], c[1]); got != c[2] {
			t.Errorf("span(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// Whatever is cut, no word is lost or put in another order, and no passage is
// longer than it may be.
func TestCuttingLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"mill", "wind.", "A", "漢字の文。", "river!", "e.g.", strings.Repeat("x", 900), "…", "baker?"}), 0, 300)
		var blocks []extract.Block
		var want strings.Builder
		for range rapid.IntRange(0, 6).Draw(t, "blocks") {
			text := strings.Join(words.Draw(t, "words"), rapid.SampledFrom([]string{" ", "\n"}).Draw(t, "gap"))
			want.WriteString(text)
			blocks = append(blocks, extract.Block{Text: text, Heading: rapid.SampledFrom([]string{"", "Mills", "Bakers"}).Draw(t, "heading")})
		}
		var got strings.Builder
		for _, p := range cutAll(t, blocks) {
			if n := weigh(p.Text); n > mostPassage || n == 0 {
				t.Fatalf("a passage weighs %d: %q", n, p.Text)
			}
			got.WriteString(p.Text)
		}
		letters := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if letters(got.String()) != letters(want.String()) {
			t.Fatalf("%q became %q", want.String(), got.String())
		}
	})
}

func FuzzCut(f *testing.F) {
	f.Add("One. Two! Three?", "head", 20)
	f.Add(strings.Repeat("漢", 400), "", 1)
	f.Fuzz(func(t *testing.T, text, heading string, limit int) {
		head, tail := cutText(text, limit%2000)
		if len(head)+len(tail) > len(text) {
			t.Errorf("%q and %q of %q", head, tail, text)
		}
		for _, p := range cutAll(t, []extract.Block{{Text: text, Heading: heading}, {Text: heading}}) {
			if weigh(p.Text) > mostPassage {
				t.Errorf("%d", weigh(p.Text))
			}
		}
	})
}
