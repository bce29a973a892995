package answer

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type scrubbed struct {
	text, spoken string
	persona      bool
}

// plainly believes marks where the figures stand in what was given.
func plainly(g *given, strict bool) func(string, []string, bool) judged {
	all := []*ground{groundOf(g.texts...)}
	return func(text string, marks []string, persona bool) judged {
		for _, n := range figuresIn(text) {
			if (strict || len(marks) > 0) && !anyHolds(all, n, false) {
				return judged{refused: true}
			}
		}
		return judged{marks: marks, persona: persona}
	}
}

func scrub(t interface{ Fatal(...any) }, strict bool, pieces ...string) scrubbed {
	g := &given{texts: []string{"The train was late again on 12 May, 1,200 people waited", "it is what it is"}}
	var out strings.Builder
	s := &scrubber{
		known:  func(m string) bool { return m == "S1" || m == "S2" || m == "F1" },
		quoted: g.quotes, strict: strict, judge: plainly(g, strict), honest: func() string { return "I am synthetic." },
		emit: func(p string) error { out.WriteString(p); return nil },
	}
	for _, p := range pieces {
		if err := s.write(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if out.String() != s.out.String() {
		t.Fatal("what was given on is not the text", out.String(), s.out.String())
	}
	var said []string
	for _, x := range s.said {
		said = append(said, x.text+" "+strings.Join(x.marks, "+"))
	}
	return scrubbed{s.out.String(), strings.Join(said, "|"), s.persona}
}

func TestScrubber(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want scrubbed
	}{
		"marks":                 {"Trains are late [S1]. I walk [P].", scrubbed{"Trains are late. I walk.", "Trains are late. S1|I walk. ", true}},
		"after the stop":        {"Trains are late. [S1] I walk. [P]", scrubbed{"Trains are late. I walk.", "Trains are late. S1|I walk. ", true}},
		"after and a stop":      {"Trains are late. [S1]. I walk.", scrubbed{"Trains are late. I walk.", "Trains are late. S1|I walk. ", false}},
		"several":               {"Late [S1, S2; F1] and [s2] later.", scrubbed{"Late and later.", "Late and later. S1+S2+F1+S2", false}},
		"unknown":               {"Late [S9].", scrubbed{"Late.", "Late. ", false}},
		"no view":               {"[N]", scrubbed{"", "", false}},
		"other brackets":        {"Late [sic] and [S1", scrubbed{"Late [sic] and [S1", "Late [sic] and [S1 ", false}},
		"wide brackets":         {"遅い【S1】。はい", scrubbed{"遅い。はい", "遅い。 S1|はい ", false}},
		"lines":                 {"One.\n\n- few [S1]\n- many\n", scrubbed{"One.\n\n- few\n- many", "One. |- few S1|- many ", false}},
		"a true quotation":      {`They say "the train was late again" often.`, scrubbed{`They say "the train was late again" often.`, `They say "the train was late again" often. `, false}},
		"an invented quotation": {`They say "we hate every single train" often.`, scrubbed{"They say we hate every single train often.", "They say we hate every single train often. ", false}},
		"a word in quotes":      {`A "smart" train.`, scrubbed{`A "smart" train.`, `A "smart" train. `, false}},
		"entities":              {"A &amp; B &lt;c&gt;.", scrubbed{"A & B <c>.", "A & B <c>. ", false}},
		"figures stay":          {"Some 77% walk. It is 3.5 km.", scrubbed{"Some 77% walk. It is 3.5 km.", "Some 77% walk. |It is 3.5 km. ", false}},
		"empty":                 {"  \n ", scrubbed{}},
	} {
		if got := scrub(t, false, c.in); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// M-27: with knowledge_only nothing is shown before something was cited, and no
// figure that was not given.
func TestScrubberStrictM27(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"cited":             {"I know trains. They were late [S1]. Yes.", "I know trains. They were late. Yes."},
		"nothing cited":     {"I know trains. They were late.", ""},
		"unknown mark":      {"They were late [S7].", ""},
		"persona only":      {"I like trains [P].", ""},
		"figures given":     {"On 12 May 1200 people waited [S1].", "On 12 May 1200 people waited."},
		"a figure invented": {"They were late [S1]. In fact 83% were. So I walk.", "They were late. So I walk."},
		"only invented":     {"83% were late [S1].", ""},
	} {
		if got := scrub(t, true, c.in); got.text != c.want {
			t.Errorf("%s: %q, want %q", name, got.text, c.want)
		}
	}
}

// A reply comes out the same, whatever the pieces it comes in.
func TestScrubberTakesAnyPieces(t *testing.T) {
	part := rapid.SampledFrom([]string{"Trains", " ", " late", ".", "[S1]", "[S1, F1]", " [P]", "[N]", "[", "]", "S2", "\n", "\n\n", `"`, "“", "”", "the train was late again", "3.5", "1,200", "e.g.", "…", "。", "見る", "!", "?", "&amp;", "&", ";", ")", "[sic]", strings.Repeat("long ", 450)})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 0, 30).Draw(t, "parts"), "")
		strict := rapid.Bool().Draw(t, "strict")
		want := scrub(t, strict, text)
		var pieces []string
		for rest := []rune(text); len(rest) > 0; {
			n := rapid.IntRange(1, min(len(rest), 40)).Draw(t, "n")
			pieces, rest = append(pieces, string(rest[:n])), rest[n:]
		}
		if got := scrub(t, strict, pieces...); got != want {
			t.Fatalf("%q\n%+v\n%+v", pieces, got, want)
		}
	})
}

func FuzzScrubber(f *testing.F) {
	f.Add("Trains are late [S1]. \"x y z\" [P]", true)
	f.Add("\xff[S1]\xff.", false)
	f.Fuzz(func(t *testing.T, text string, strict bool) {
		got := scrub(t, strict, text)
		if again := scrub(t, strict, strings.Split(text, "")...); again != got {
			t.Errorf("%q: %+v, by characters %+v", text, got, again)
		}
	})
}

func TestNumbers(t *testing.T) {
	for in, want := range map[string]string{
		"1,200 of 1 200 or 1.200": "1200 1200 1.200", "3,5 and 3.5": "3.5 3.5", "on 12 May 2024": "12 2024", "none": "", "2024-05-12": "2024 05 12", "10:30": "10.30", "٣": "٣", "1,2000": "1.2000",
	} {
		if got := strings.Join(numbers(in), " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	p := "I moved to Leeds in 2019. The coffee at the station is too bitter for me. My sister lives in York."
	for said, want := range map[string]string{
		"Station coffee is bitter": "The coffee at the station is too bitter for me.", "She lives in York": "My sister lives in York.", "zzz": "", "2019 was the year": "I moved to Leeds in 2019.",
	} {
		if got := nearest(p, said); got != want || !strings.Contains(p, got) {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
	if got := nearest("电车总是迟到。我走路。", "电车迟到了"); got != "电车总是迟到。" {
		t.Errorf("%q", got)
	}
	if long := nearest("train "+strings.Repeat("é", 900), "train"); len([]rune(long)) != maxQuote {
		t.Errorf("%d characters", len([]rune(long)))
	}
}
