package brief

import (
	"embed"
	"strings"
	"sync"
)

// The words that the rules know stand in data/lexicon, one file a language, each
// form under a name; en.txt says what the names mean. They are our own lists: what
// stands in general dictionaries does not tell a quota from a wish.
//
// Places are data of others (CLDR, GeoNames), cut to the size that a brief needs and
// kept as text: golang.org/x/text/language/display has the names of countries too,
// but carries those of 200 languages into every function (3.9 MB of tables), and no
// city.
//
//go:embed data
var data embed.FS

// languages that have a lexicon, in the order in which ties fall.
var languages = []string{"en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "tr", "zh", "ja", "ko", "ar"}

// concept is a thing that words of several languages name.
type concept struct {
	name     string // class, or class.rest
	class    string
	axis     string
	label    string
	category string
}

// node is a step in the words of a form.
type node struct {
	next  map[string]*node
	stems map[string][]*concept // the last word may carry up to four more letters
	here  []*concept            // forms that end here
}

func (n *node) add(form string, c *concept) {
	form, stem := strings.CutSuffix(form, "~")
	at := n
	ts := keys(form)
	for i, t := range ts {
		if stem && i == len(ts)-1 {
			if at.stems == nil {
				at.stems = map[string][]*concept{}
			}
			at.stems[t] = append(at.stems[t], c)
			return
		}
		if at.next == nil {
			at.next = map[string]*node{}
		}
		to := at.next[t]
		if to == nil {
			to = &node{}
			at.next[t] = to
		}
		at = to
	}
	if len(ts) > 0 {
		at.here = append(at.here, c)
	}
}

// keys are the compared words of a form; hyphens and apostrophes do not part it.
func keys(form string) []string {
	var out []string
	for _, t := range tokens(form) {
		if t.kind == mark && (t.norm == "-" || t.norm == "'") {
			continue
		}
		out = append(out, t.norm)
	}
	return out
}

// hit is a form that was found, from its place to end.
type hit struct {
	*concept
	start, end int
}

// longest is how many tokens a form may have, marks inside counted.
const longest = 12

// find gives all forms that begin at token i.
func (n *node) find(ts []token, i int, yield func(c *concept, end int)) {
	at := n
	for j := i; j < len(ts) && j < i+longest; j++ {
		t := &ts[j]
		if j > i && t.kind == mark && (t.norm == "-" || t.norm == "'") {
			continue
		}
		if len(at.stems) > 0 && t.kind == word {
			for cut := 0; cut <= 4 && cut < len(t.norm); cut++ {
				for _, c := range at.stems[t.norm[:len(t.norm)-cut]] {
					yield(c, j+1)
				}
			}
		}
		at = at.next[t.norm]
		if at == nil {
			return
		}
		for _, c := range at.here {
			yield(c, j+1)
		}
	}
}

// lexicon is everything that is known of a language's words.
type lexicon struct {
	words     map[string]*node // by language
	named     map[string]*concept
	peoples   map[string]*node // demonyms by language; label is the country
	places    *node
	countries map[string][]string // English name first, by code
}

var known = sync.OnceValue(load)

func load() *lexicon {
	l := &lexicon{words: map[string]*node{}, named: map[string]*concept{}, peoples: map[string]*node{}, places: &node{}, countries: map[string][]string{}}
	for _, lang := range languages {
		root := &node{}
		l.words[lang] = root
		for line := range lines("data/lexicon/" + lang + ".txt") {
			head, forms, ok := strings.Cut(line, " = ")
			if !ok {
				continue
			}
			c := l.concept(head)
			for form := range strings.SplitSeq(forms, ", ") {
				root.add(strings.TrimSpace(form), c)
			}
		}
	}
	for line := range lines("data/demonyms.txt") {
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			continue
		}
		root := l.peoples[f[0]]
		if root == nil {
			root = &node{}
			l.peoples[f[0]] = root
		}
		c := &concept{name: "demonym", class: "demonym", axis: AxisGeography, label: f[1], category: Geographic}
		for form := range strings.SplitSeq(f[2], "|") {
			root.add(form, c)
		}
	}
	for line := range lines("data/places.txt") {
		f := strings.Split(line, "\t")
		if len(f) < 4 {
			continue
		}
		c := &concept{name: f[0] + "\t" + f[1] + "\t" + f[2], class: f[0], axis: AxisGeography, label: f[3], category: Geographic}
		if f[0] == KindCountry {
			l.countries[f[1]] = f[3:]
		}
		for _, form := range f[3:] {
			l.places.add(form, c)
		}
	}
	for line := range lines("data/blocs.txt") {
		f := strings.Split(line, "\t")
		if len(f) < 3 {
			continue
		}
		c := &concept{name: KindBloc + "\t\t" + f[0], class: KindBloc, axis: AxisGeography, label: f[1], category: Geographic}
		for _, form := range f[1:] {
			l.places.add(form, c)
		}
	}
	return l
}

// concept is the one of a name; en.txt, which is read first, gives it its meaning.
func (l *lexicon) concept(head string) *concept {
	f := strings.Split(head, "|")
	c := l.named[f[0]]
	if c == nil {
		c = &concept{name: f[0]}
		c.class, _, _ = strings.Cut(f[0], ".")
		l.named[f[0]] = c
	}
	if len(f) > 2 { // no label: the words themselves are shown
		c.axis, c.label = f[1], f[2]
	}
	if len(f) > 3 {
		c.category = f[3]
	}
	return c
}

// lines gives those of a file that say something.
func lines(name string) func(func(string) bool) {
	return func(yield func(string) bool) {
		b, err := data.ReadFile(name)
		if err != nil {
			return
		}
		for line := range strings.Lines(string(b)) {
			line = strings.TrimRight(line, "\r\n")
			if line == "" || line[0] == '#' {
				continue
			}
			if !yield(line) {
				return
			}
		}
	}
}
