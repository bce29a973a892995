package parsers

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/extract/pdfium"
)

// print lays out lines of 10 points at x 50, 12 points apart from y 700 down; a
// line may begin with commands: ">" indents, "#" is large, "^" skips half a line,
// "|N|" begins a new column at x N, and "-" at its end is a hyphen that PDFium marked.
func printed(lines ...string) []line {
	var out []line
	left, y := float32(50), float32(700)
	for _, s := range lines {
		size, x := float32(10), left
		for {
			switch {
			case strings.HasPrefix(s, ">"):
				s, x = s[1:], x+15
			case strings.HasPrefix(s, "#"):
				s, size = s[1:], 16
			case strings.HasPrefix(s, "^"):
				s, y = s[1:], y-8
			case strings.HasPrefix(s, "|"):
				_, _ = fmt.Sscanf(s, "|%f|", &left)
				s, x, y = s[strings.Index(s[1:], "|")+2:], left, 700
			default:
				goto place
			}
		}
	place:
		l := line{left: x, right: x + float32(len([]rune(s)))*5, bottom: y, top: y + size, size: size}
		l.text, l.hyphen = cutWord(s, false)
		out = append(out, l)
		y -= 12
	}
	return out
}

func set(t interface{ Fatal(...any) }, pages ...[]line) string {
	var b strings.Builder
	ts := typeset{put: func(text, where, heading string) error {
		fmt.Fprintf(&b, "[%s|%s] %s\n", strings.TrimPrefix(strings.TrimPrefix(where, "pages "), "page "), heading, text)
		return nil
	}}
	var sheets []sheet
	for i, p := range pages {
		sheets = append(sheets, sheet{number: i + 1, lines: p})
	}
	if err := ts.add(sheets); err != nil {
		t.Fatal(err)
	}
	if err := ts.end(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestLinesBecomeParagraphs(t *testing.T) {
	cases := []struct {
		name  string
		pages [][]line
		want  string
	}{
		{"a paragraph", [][]line{printed("The heating of flats was what most of the people", "asked about, and prices came right after that in", "the list of worries.")},
			"[1|] The heating of flats was what most of the people asked about, and prices came right after that in the list of worries.\n"},
		{"hyphens", [][]line{printed("The heating of flats was what most of the respon-", "dents asked about, in pre- and post-war houses of Nord-", "Sued, well after the first of the winter and sum-", "mer.")},
			"[1|] The heating of flats was what most of the respondents asked about, in pre- and post-war houses of Nord-Sued, well after the first of the winter and summer.\n"},
		{"a hyphen for the rest of a word", [][]line{printed("Die Befragten nannten zuerst und vor allem Wohnungs-", "und Heizkosten.")}, "[1|] Die Befragten nannten zuerst und vor allem Wohnungs- und Heizkosten.\n"},
		{"a gap", [][]line{printed("First paragraph is over here.", "^^Second one.")}, "[1|] First paragraph is over here.\n[1|] Second one.\n"},
		{"indents", [][]line{printed("The heating of flats was what most of the people", "asked about and then they went on to talk of it.", ">Then prices came right after that in the list of", "worries.")},
			"[1|] The heating of flats was what most of the people asked about and then they went on to talk of it.\n[1|] Then prices came right after that in the list of worries.\n"},
		{"headings", [][]line{printed("#Results", "^The heating of flats was what most of the people", "asked about.", "^^#Prices and", "#costs", "^Up.")},
			"[1|Results] Results\n[1|Results] The heating of flats was what most of the people asked about.\n[1|Prices and costs] Prices and costs\n[1|Prices and costs] Up.\n"},
		{"lists", [][]line{printed("• The heating of flats was what most of the people", ">asked about first.", "• Prices.", "3. Third.")},
			"[1|] • The heating of flats was what most of the people asked about first.\n• Prices.\n3. Third.\n"},
		{"lines that were broken on purpose", [][]line{printed("Jo Doe", "1 Long Road", "Graz", "^^To whom it may concern in all of the households there.")},
			"[1|] Jo Doe\n1 Long Road\nGraz\n[1|] To whom it may concern in all of the households there.\n"},
		{"columns", [][]line{printed("The heating of flats was what", "most of the people asked", "|300|about in the winter of that", "year.")},
			"[1|] The heating of flats was what most of the people asked about in the winter of that year.\n"},
		{"pages", [][]line{printed("The heating of flats was what most of the respon-"), printed("dents asked about.")}, "[1–2|] The heating of flats was what most of the respondents asked about.\n"},
		{"a page that begins anew", [][]line{printed("The heating of flats was all."), printed("Prices came next.")}, "[1|] The heating of flats was all.\n[2|] Prices came next.\n"},
		{"Chinese", [][]line{printed("电费在这个冬天变得非常昂贵，人们对此感到不满，", "他们希望价格下降。")}, "[1|] 电费在这个冬天变得非常昂贵，人们对此感到不满，他们希望价格下降。\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := set(t, c.pages...); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestRunningHeadersAndFooters(t *testing.T) {
	var pages [][]line
	for n := range 6 {
		p := printed(fmt.Sprintf("Body of page %d says something new here.", n+1), "And it says more.")
		head := line{text: "Energy report", left: 50, right: 120, bottom: 800, top: 808, size: 8}
		foot := line{text: fmt.Sprintf("Chapter %d | %d", n/2, n+3), left: 50, right: 60, bottom: 20, top: 28, size: 8}
		pages = append(pages, append(append([]line{head}, p...), foot))
	}
	got := set(t, pages...)
	if strings.Contains(got, "report") || strings.Contains(got, "Chapter") || strings.Count(got, "Body of page") != 6 {
		t.Errorf("got:\n%s", got)
	}
	// Twice is not clearly repeated.
	if got := set(t, pages[:2]...); strings.Count(got, "report") != 2 {
		t.Errorf("two pages:\n%s", got)
	}
}

func TestRomanPageNumbersAreNumbers(t *testing.T) {
	a, b := runningKey(line{text: "History | ii", top: 800}), runningKey(line{text: "History | xiv", top: 800})
	if a != b || a == runningKey(line{text: "History | mix", top: 800}) {
		t.Errorf("%q, %q", a, b)
	}
}

func TestLeadersAreShortened(t *testing.T) {
	var chars []pdfium.Char
	for i, c := range "1.1 Start . . . . . . . . 12" {
		chars = append(chars, pdfium.Char{Rune: c, Left: float32(5 * i), Right: float32(5*i + 5), Top: 10, Size: 10})
	}
	if l := linesOf(chars); len(l) != 1 || l[0].text != "1.1 Start … 12" || !l[0].row {
		t.Errorf("%+v", l)
	}
}

func TestPageNumbersGo(t *testing.T) {
	for text, is := range map[string]bool{"7": true, "- 7 -": true, "Page 7 of 30": true, "Seite 7": true, "7 / 30": true, "第 7 页": true, "8": false, "7 dwarfs": false, "Table 7": false, "": false} {
		if got := isPageNumber(text, 7); got != is {
			t.Errorf("isPageNumber(%q, 7) = %v", text, got)
		}
	}
}

// Whatever the lines are, each of their letters comes out once and in order.
func TestNoLetterIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "lines")
		var lines []line
		var want strings.Builder
		for range n {
			l := line{
				text: rapid.StringMatching(`[a-zA-Z.•]{1,12}( [a-z]{1,5}){0,3}`).Draw(t, "text"),
				left: float32(rapid.IntRange(0, 400).Draw(t, "left")), bottom: float32(rapid.IntRange(0, 800).Draw(t, "bottom")),
				size: float32(rapid.IntRange(1, 30).Draw(t, "size")), hyphen: rapid.Bool().Draw(t, "hyphen"), row: rapid.Bool().Draw(t, "row"),
			}
			l.right, l.top = l.left+float32(rapid.IntRange(0, 200).Draw(t, "width")), l.bottom+l.size
			lines = append(lines, l)
			want.WriteString(strings.ReplaceAll(l.text, " ", ""))
		}
		var got strings.Builder
		ts := typeset{put: func(text, _, _ string) error {
			got.WriteString(strings.NewReplacer(" ", "", "\n", "", "-", "").Replace(text))
			return nil
		}}
		if err := ts.add([]sheet{{number: 1, lines: lines}}); err != nil {
			t.Fatal(err)
		}
		if err := ts.end(); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Fatalf("got %q, want %q", got.String(), want.String())
		}
	})
}
