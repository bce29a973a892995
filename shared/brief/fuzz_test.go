package brief

import (
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// check holds the laws of every reading: the same twice, and no claim without words
// of the text.
func check(t *testing.T, text string) {
	t.Helper()
	b := Read(text)
	if again := Read(text); !reflect.DeepEqual(b, again) {
		t.Fatal("two readings differ")
	}
	quoted := func(kind, q string) {
		if q == "" || !strings.Contains(text, q) {
			t.Fatalf("%s: the quote %q does not stand in %q", kind, q, text)
		}
	}
	if b.Size != nil {
		quoted("size", b.Size.Quote)
	}
	if b.Age != nil {
		quoted("age", b.Age.Quote)
		if b.Age.Min < 0 || b.Age.Max < 0 || b.Age.Max > 0 && b.Age.Min > b.Age.Max {
			t.Fatalf("age %+v of %q", b.Age, text)
		}
	}
	if len(b.Genders) != len(b.GenderQuotes) {
		t.Fatal("a gender without its quote")
	}
	for _, q := range b.GenderQuotes {
		quoted("gender", q)
	}
	for _, p := range b.Places {
		quoted("place", p.Quote)
	}
	terms := [][]Term{b.Roles, b.Axes, b.Outcomes, b.Topics}
	if b.Firm != nil {
		terms = append(terms, b.Firm.Industries, b.Firm.Sizes, b.Firm.Revenue, b.Firm.Seniority)
	}
	for _, list := range terms {
		for _, x := range list {
			quoted("term", x.Quote)
		}
	}
	for _, list := range [][]Trait{b.Traits, b.Excluded} {
		for _, x := range list {
			quoted("trait", x.Quote)
		}
	}
	for _, f := range b.Figures {
		quoted("figure", f.Quote)
		if f.Pct < 0 || f.Pct > 100 || f.Axis == "" || f.Label == "" {
			t.Fatalf("figure %+v of %q", f, text)
		}
	}
	if b.Population != "" {
		quoted("population", b.Population)
	}
	if len(b.Name) > 100 {
		t.Fatalf("a name of %d bytes", len(b.Name))
	}
	if utf8.ValidString(text) && !utf8.ValidString(b.Name) {
		t.Fatalf("the name %q is cut inside a character", b.Name)
	}
	ReadInstruction(text, b)
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"", "%", "60 %", "60 % women", "aged 25 to 45", "born 1990-", "½ women", "n=", "25-45-65", "1/2/3", "50/50", "５０％", "6割", "zwei Drittel", "one in", "£20k–£35k income",
		"Berlin, Germany's", "women's", "- - -", "\xff\xfe60 people", "١٢٣ شخص", "quatre-vingt-dix-neuf", "Background:\nx\nTarget:\n• 60 people\n?",
	} {
		f.Add(s)
	}
	for _, r := range readings(f, "briefs") {
		f.Add(r.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 20_000 {
			t.Skip()
		}
		check(t, text)
	})
}

// Every brief of the test sets keeps the laws.
func TestEveryClaimIsQuoted(t *testing.T) {
	for _, folder := range []string{"briefs", "heldout"} {
		for name, r := range readings(t, folder) {
			t.Run(name, func(t *testing.T) { check(t, r.Text) })
		}
	}
}

// A long text costs what its length says, whatever stands in it: no rule looks
// further than a few words around.
func TestTimeIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("reads long texts")
	}
	Read("warm up")
	for name, part := range map[string]string{
		"prose":   "Working parents in Germany aged 25 to 45, 60 % women, who buy groceries online at least monthly. ",
		"commas":  "60 %, ",
		"numbers": "25 to ",
		"words":   "and women or men with of ",
		"letters": "zweihundertzwanzig",
		"han":     "三十百千万",
		"places":  "New York, Paris, Georgia, ",
		"lines":   "Target:\n• 60 people\n",
		"quotes":  "\"'\"'\"'",
		"one":     "women ",
	} {
		small, large := strings.Repeat(part, 50_000/len(part)), strings.Repeat(part, 200_000/len(part))
		once := func(s string) time.Duration {
			start := time.Now()
			Read(s)
			return time.Since(start)
		}
		a, b := once(small), once(large)
		if b > 2*time.Second && b > 12*a {
			t.Errorf("%s: %s for 50,000 characters and %s for 200,000", name, a, b)
		}
		t.Logf("%-8s %8s %8s", name, a.Round(time.Millisecond), b.Round(time.Millisecond))
	}
}

func BenchmarkRead(b *testing.B) {
	part := "Working parents in Germany aged 25 to 45, 60 % women, who buy groceries online at least monthly. We want to know whether they would pay for delivery.\n"
	for _, n := range []int{1, 50_000, 100_000, 200_000} {
		text := strings.Repeat(part, max(1, n/len(part)))
		b.Run(name(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Read(text)
			}
		})
	}
}

func name(n int) string {
	if n == 1 {
		return "one_line"
	}
	return map[int]string{50_000: "50k", 100_000: "100k", 200_000: "200k"}[n]
}

// The first reading of a process loads the lexicons.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		load()
	}
}
