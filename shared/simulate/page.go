package simulate

import (
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// line is one sentence, read.
type line struct {
	text  string
	words []word
	has   map[string]bool // classes of its words
	years map[string]bool
	lands map[string]bool // countries by their name
	own   bool            // in the Mind's own voice
	heads bool            // names the columns of rows: quoted with them, says nothing by itself
	row   *row            // of a table whose columns are named; else nil
}

func readLine(lang, text string, by voice) line {
	l := line{text: text, words: words(phrased(text)), has: map[string]bool{}, years: map[string]bool{}, lands: map[string]bool{}}
	kin := relative.MatchString(fold(text)) // "my sister": hers, unless "I" speak
	l.own = by.persona && !kin
	for _, w := range l.words {
		l.has[kinIn(lang, w)] = true
		if isYear(w.text) {
			l.years[w.text] = true
		}
		if countryNames[w.text] != "" && w.proper {
			l.lands[kinIn(lang, w)] = true
		}
		switch w.text {
		case "i", "we", "i'm", "i've", "i'd", "ich", "wir", "je", "nous", "yo", "nosotros":
			l.own = true
		case "my", "our", "mein", "meine", "mon", "ma", "mes", "mi", "mis":
			l.own = l.own || !kin
		}
	}
	if first, _, _ := strings.Cut(fold(by.name), " "); first != "" && strings.HasPrefix(fold(text), first) {
		l.own = true
	}
	return l
}

// page is a candidate with its sentences read.
type page struct {
	candidate
	lines  []line
	has    map[string]bool // of all its sentences
	around map[string]bool // of its source and place
	dated  map[string]bool // years of its source
	opens  map[string]bool // of the headings with which its source begins, where it is at hand
	heads  map[string]bool // of its own headings
}

func readPage(lang string, c candidate, name string) *page {
	p := &page{candidate: c, has: map[string]bool{}, around: map[string]bool{}, dated: map[string]bool{}, heads: map[string]bool{}}
	by := voice{name, c.ID == PersonaID}
	all := statements(c.Text)
	under := p.tableFrom(lang, c.Heading, all) // the rest of a table: what stood before is not at hand
	for i := under; i < len(all); i++ {
		whole := all[i]
		if n := p.tableFrom(lang, whole, all[i+1:]); n > 0 {
			i += n
			p.lines[len(p.lines)-1].row.of.whole = true
			continue
		}
		if i+1 < len(all) && isHeading(whole, all[i+1]) {
			p.stands(lang, whole)
			maps.Copy(p.heads, classes(lang, whole))
			continue
		}
		for _, t := range pieces(whole) {
			if t == "" {
				continue
			}
			l := readLine(lang, t, by)
			p.lines = append(p.lines, l)
			for k := range l.has {
				p.has[k] = true
			}
		}
	}
	p.stands(lang, joints.Replace(c.Source))
	p.stands(lang, c.Heading)
	return p
}

// stands notes what the passage stands under: a title, a heading.
func (p *page) stands(lang, title string) {
	for _, w := range words(phrased(title)) {
		p.around[kinIn(lang, w)] = true
		if isYear(w.text) {
			p.dated[w.text] = true
		}
	}
}

// firstPlace is where a file begins.
var firstPlace = expression.Of(`^(?:page|slide) 1$`)

// opened gives each page the headings with which its source begins, as its title
// has them: what a whole report is on, its sentences do not say again.
func opened(pages []*page) {
	of := map[string]map[string]bool{}
	for _, p := range pages {
		if !firstPlace.MatchString(p.Where) {
			continue
		}
		if of[p.ID] == nil {
			of[p.ID] = map[string]bool{}
		}
		maps.Copy(of[p.ID], p.heads)
	}
	for _, p := range pages {
		p.opens = of[p.ID]
	}
}

// isHeading reports a line that is the heading of what follows: a few words from
// a capital on, without an end, before a sentence that has one. It says nothing
// by itself.
func isHeading(line, next string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	return unicode.IsUpper(first) && len(strings.Fields(line)) <= 6 && !strings.ContainsAny(line, "0123456789|:,") &&
		!titleLike.MatchString(line) && titleLike.MatchString(next) && !speaksOfSelf(line)
}

// joints part the words of file names and links.
var joints = strings.NewReplacer("_", " ", "-", " ", "/", " ", ".", " ")

// longest is how many characters of a sentence are quoted. What is longer, as
// tables and texts without full stops are, is read in pieces.
const longest = 400

// pieces cuts a sentence that is too long to quote, between words.
func pieces(s string) []string {
	rs := []rune(s)
	var out []string
	for len(rs) > longest {
		at := longest
		for i := longest; i > longest/2; i-- {
			if unicode.IsSpace(rs[i]) {
				at = i
				break
			}
		}
		out = append(out, strings.TrimSpace(string(rs[:at])))
		rs = rs[at:]
	}
	return append(out, strings.TrimSpace(string(rs)))
}
