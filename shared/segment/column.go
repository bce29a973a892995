package segment

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// What one column may keep: different cells, and the length of a cell that is
// kept as it stands. Above, only sums and sketches go on.
const (
	maxKept      = 4096
	leastKept    = 256     // a column may always keep so many
	keptInAll    = 500_000 // after so many in all, columns keep leastKept
	maxKeptBytes = 256
	maxValues    = 30 // categories of a variable
	maxAges      = 8  // of one that has ages in years
)

// cell is one different content of a column.
type cell struct {
	raw     string
	clean   string
	fold    string
	missing string // code of a missing answer, "" for an answer
	num     float64
	isNum   bool
	n       int
	value   int16 // index into column.values in the second pass; other and none below
}

// Codes of a cell that is no listed category.
const (
	codeMissing = -1
	codeOther   = -2
	codeUnseen  = -3 // not kept: decide by number
)

// column gathers what one pass tells about a column.
type column struct {
	heading
	index int

	cells map[string]int32
	kept  []cell
	over  stream // cells that are not kept
	shut  bool   // keeps no more

	facts facts
	kind  Kind
	dim   string // canonical name of its dimension, or ""
	group int    // index into groups, or -1
	shape Shape

	values    []category // categories, most frequent first
	bounds    []float64  // upper ends of numeric bands, nil when there are none
	low, high float64
	ranked    bool
	tail      bool // answers outside values exist

	options []string  // of a question whose ticked options stand in one cell
	chosen  [][]int16 // by kept cell: positions in options
}

type category struct {
	label string
	fold  string
	n     int // rows of the first pass
}

// stream sums up cells that are not kept.
type stream struct {
	n, num, whole, words, long int
	min, max                   float64
	numbers                    sketch
	distinct                   distinctSketch
	dates                      dateSpan
	personal                   int
	coded                      int
}

// facts of a column over all its rows.
type facts struct {
	rows, valid, distinct       int
	num, whole, words, long     int // of the valid: numbers, whole numbers; sum of words; cells above 60 characters
	min, max, sum, sum2         float64
	dates                       dateSpan
	personal, coded             int // e-mail, phone, address; ids such as UUIDs
	missing                     map[string]int
	explicitUnselected, markers int // "Not selected" cells; "1", "x", "checked"
	exact                       bool
}

func (c *column) add(s string, budget *int) {
	if at, ok := c.cells[s]; ok {
		c.kept[at].n++
		return
	}
	if !c.shut && len(s) <= maxKeptBytes {
		if len(c.kept) < leastKept || *budget > 0 && len(c.kept) < maxKept {
			s = strings.Clone(s)
			if c.cells == nil {
				c.cells = map[string]int32{}
			}
			c.cells[s] = int32(len(c.kept))
			c.kept = append(c.kept, cell{raw: s, n: 1})
			*budget--
			return
		}
		c.shut = true
	}
	c.over.add(s)
}

func (o *stream) add(s string) {
	o.n++
	o.distinct.add(s)
	o.words += wordCount(s)
	if utf8.RuneCountInString(s) > 60 {
		o.long++
	}
	if v, ok := parseNumber(s); ok {
		if o.num == 0 || v < o.min {
			o.min = v
		}
		if o.num == 0 || v > o.max {
			o.max = v
		}
		o.num++
		if v == float64(int64(v)) {
			o.whole++
		}
		o.numbers.add(v)
	} else {
		o.dates.add(s, 1)
	}
	if personal(s) {
		o.personal++
	}
	if coded(s) {
		o.coded++
	}
}

var (
	emailShape = regexp.MustCompile(`^[^\s@]+@[^\s@]+\.[^\s@]+$`)
	phoneShape = regexp.MustCompile(`^\+?\(?\d[\d ()./-]{7,18}\d$`)
	ipShape    = regexp.MustCompile(`^\d{1,3}(?:\.\d{1,3}){3}$|^[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){3,7}$`)
	uuidShape  = regexp.MustCompile(`^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$|^[0-9a-fA-F]{16,64}$`)
	idShape    = regexp.MustCompile(`^(?:[A-Za-z]{1,6}[-_]?\d{2,20}|\d{2,12}[-_]?[A-Za-z]{1,4}\d*|[A-Za-z]+_[A-Za-z0-9]{8,40})$`)
)

func personal(s string) bool {
	switch {
	case strings.ContainsRune(s, '@'):
		return emailShape.MatchString(s)
	case strings.HasPrefix(s, "+"):
		return phoneShape.MatchString(s)
	}
	return strings.Count(s, ".") == 3 && len(s) <= 15 && ipShape.MatchString(s) || strings.Count(s, ":") >= 3 && len(s) <= 39 && ipShape.MatchString(s)
}

func coded(s string) bool {
	return len(s) <= 64 && strings.IndexByte(s, ' ') < 0 && (uuidShape.MatchString(s) || idShape.MatchString(s))
}

// study reads what the first pass kept.
func (c *column) study(rows int) {
	f := facts{rows: rows, missing: map[string]int{}, exact: c.over.n == 0}
	seen := map[string]bool{}
	stored := 0
	for i := range c.kept {
		k := &c.kept[i]
		k.clean = Clean(k.raw)
		k.fold = folded(k.clean)
		stored += k.n
		switch {
		case notTicked[k.fold] && k.fold != "0" && k.fold != "false":
			f.explicitUnselected += k.n
		case ticked[k.fold]:
			f.markers += k.n
		}
		if k.missing = missingCode(k.fold); k.missing != "" {
			f.missing[k.missing] += k.n
			continue
		}
		f.valid += k.n
		if !seen[k.fold] {
			seen[k.fold] = true
			f.distinct++
		}
		f.words += k.n * wordCount(k.clean)
		if utf8.RuneCountInString(k.clean) > 60 {
			f.long += k.n
		}
		if k.num, k.isNum = parseNumber(k.clean); k.isNum {
			if f.num == 0 || k.num < f.min {
				f.min = k.num
			}
			if f.num == 0 || k.num > f.max {
				f.max = k.num
			}
			f.num += k.n
			f.sum += float64(k.n) * k.num
			f.sum2 += float64(k.n) * k.num * k.num
			if k.num == float64(int64(k.num)) {
				f.whole += k.n
			}
		} else {
			f.dates.add(k.clean, k.n)
		}
		if personal(k.clean) {
			f.personal += k.n
		}
		if coded(k.clean) {
			f.coded += k.n
		}
	}
	if blank := rows - stored - c.over.n; blank > 0 { // rows that were shorter than the header
		f.missing["blank"] += blank
	}
	o := &c.over
	if o.num > 0 {
		if f.num == 0 || o.min < f.min {
			f.min = o.min
		}
		if f.num == 0 || o.max > f.max {
			f.max = o.max
		}
		for _, x := range o.numbers.counted() {
			f.sum += float64(x.n) * x.v
		}
	}
	f.valid += o.n
	f.distinct += o.distinct.count()
	f.num, f.whole, f.words, f.long = f.num+o.num, f.whole+o.whole, f.words+o.words, f.long+o.long
	f.personal, f.coded = f.personal+o.personal, f.coded+o.coded
	f.dates.join(o.dates)
	c.facts = f
	c.negativeCodes()
}

// negativeCodes takes -99 and the like for missing where other numbers are not
// negative.
func (c *column) negativeCodes() {
	f := &c.facts
	if f.min >= 0 || f.num*20 < f.valid*19 || c.over.num > 0 && c.over.min < 0 {
		return
	}
	for _, k := range c.kept {
		if k.missing == "" && k.isNum && k.num < 0 && !numericMissing[k.num] {
			return
		}
	}
	gone := map[string]bool{}
	first := true
	for i := range c.kept {
		k := &c.kept[i]
		if k.missing != "" || !k.isNum {
			continue
		}
		if k.num < 0 {
			k.missing = k.clean
			f.missing[k.clean] += k.n
			f.valid, f.num, f.whole, f.words = f.valid-k.n, f.num-k.n, f.whole-k.n, f.words-k.n
			f.sum -= float64(k.n) * k.num
			if !gone[k.fold] {
				gone[k.fold] = true
				f.distinct--
			}
			continue
		}
		if first || k.num < f.min {
			f.min, first = k.num, false
		}
	}
	if c.over.num > 0 && (first || c.over.min < f.min) {
		f.min = c.over.min
	}
}

func (f *facts) share(n int) float64 {
	if f.valid == 0 {
		return 0
	}
	return float64(n) / float64(f.valid)
}

func (f *facts) meanWords() float64 { return f.share(f.words) }
