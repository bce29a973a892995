package simulate

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// span is a closed range of whole years or of money; hi is +Inf when open.
type span struct{ lo, hi float64 }

// openAge is how far an open-ended age group is taken to reach when overlaps
// are measured.
const openAge = 90

// parseAge reads "64", "64 years", "18-29", "18 to 29", "> 60", "60+", "65 and
// up", "under 30", "over 60". ok is false when it is none of these.
func parseAge(s string) (span, bool) {
	r, ok := parseSpan(s)
	if !ok || r.lo > 120 || (!math.IsInf(r.hi, 1) && r.hi > 130) {
		return span{}, false
	}
	return r, true
}

// parseSpan reads a number or a range of numbers; "$50,000 - $99,999" and "50k"
// too. Strict ends ("> 60", "under 30") move by one.
func parseSpan(s string) (span, bool) {
	s = fold(s)
	var nums []float64
	var cur strings.Builder
	flush := func(suffix rune) {
		if cur.Len() == 0 {
			return
		}
		v, err := strconv.ParseFloat(cur.String(), 64)
		cur.Reset()
		if err != nil {
			return
		}
		if suffix == 'k' {
			v *= 1000
		}
		nums = append(nums, v)
	}
	rs := []rune(s)
	for i, r := range rs {
		switch {
		case r >= '0' && r <= '9':
			cur.WriteRune(r)
		case r == ',' && cur.Len() > 0 && i+3 < len(rs) && unicode.IsDigit(rs[i+1]) && unicode.IsDigit(rs[i+2]) && unicode.IsDigit(rs[i+3]):
		case r == '.' && cur.Len() > 0 && i+1 < len(rs) && unicode.IsDigit(rs[i+1]):
			cur.WriteRune(r)
		default:
			flush(r)
		}
	}
	flush(0)
	has := func(cues ...string) bool {
		for _, c := range cues {
			if c[0] < 'a' { // a sign
				if strings.Contains(s, c) {
					return true
				}
			} else if contains(s, c) {
				return true
			}
		}
		return false
	}
	switch {
	case len(nums) == 2 && nums[0] <= nums[1]:
		return span{nums[0], nums[1]}, true
	case len(nums) != 1:
		return span{}, false
	case has(">=", "≥", "+", "and up", "and over", "and older", "and above", "or older", "or over", "or more", "or above", "at least", "plus"):
		return span{nums[0], math.Inf(1)}, true
	case has("<=", "≤", "or younger", "or less", "and under", "and younger", "at most", "up to"):
		return span{0, nums[0]}, true
	case has(">", "over", "above", "older than", "more than"):
		return span{nums[0] + 1, math.Inf(1)}, true
	case has("<", "under", "below", "younger than", "less than"):
		return span{0, nums[0] - 1}, true
	}
	return span{nums[0], nums[0]}, true
}

// overlap is the part of a that lies in b, 0..1, counting whole years.
func overlap(a, b span, open float64) float64 {
	lim := func(s span) (float64, float64) {
		if math.IsInf(s.hi, 1) {
			return s.lo, math.Max(open, s.lo)
		}
		return s.lo, s.hi
	}
	alo, ahi := lim(a)
	blo, bhi := lim(b)
	lo, hi := math.Max(alo, blo), math.Min(ahi, bhi)
	if hi < lo {
		return 0
	}
	return (hi - lo + 1) / (ahi - alo + 1)
}

// parseGender gives "f", "m" or "x"; ok is false for anything else.
func parseGender(s string) (string, bool) {
	switch foldLabel(s) {
	case "female", "females", "woman", "women", "f", "w", "girl", "femenino", "mujer", "femme", "weiblich", "frau", "cis woman", "adult women":
		return "f", true
	case "male", "males", "man", "men", "m", "boy", "masculino", "hombre", "homme", "männlich", "mann", "cis man", "adult men":
		return "m", true
	case "non-binary", "nonbinary", "non binary", "other", "diverse", "genderqueer", "x":
		return "x", true
	}
	return "", false
}

// Levels of education as bits, so that a group can cover several.
const (
	belowHigh = 1 << iota
	high
	someCollege
	bachelor
	graduate
)

// parseEducation reads the levels that a label covers; 0 when it names none.
func parseEducation(s string) int {
	s = foldLabel(strings.ReplaceAll(s, "'", ""))
	any := func(cues ...string) bool {
		for _, c := range cues {
			if contains(s, c) {
				return true
			}
		}
		return false
	}
	orLess, orMore := any("or less", "or below", "or lower"), any("or more", "or higher", "or above", "and above", "plus") || strings.HasSuffix(s, "+")
	l := 0
	switch {
	case any("less than high school", "no high school", "did not finish high school", "primary", "elementary", "less than secondary"):
		l = belowHigh
	case any("some college", "associate", "associates", "vocational", "technical", "trade school", "some university"):
		l = someCollege
	case any("no college", "no degree", "non-college", "without a degree"):
		l = belowHigh | high | someCollege
	case any("graduate degree", "postgraduate", "post-graduate", "master", "masters", "phd", "doctorate", "doctoral", "professional degree", "mba", "jd", "md", "post graduate"):
		l = graduate
	case any("bachelor", "bachelors", "ba", "bsc", "undergraduate", "undergraduate degree", "4-year degree"):
		l = bachelor
	case any("college", "university", "college graduate", "graduate", "degree"):
		l = bachelor | graduate
		if any("high school graduate", "high school degree", "high school") {
			l = high
		}
	case any("high school", "ged", "secondary", "hs", "a-levels", "abitur"):
		l = high
	}
	if l == 0 {
		return 0
	}
	if orLess {
		for b := l >> 1; b > 0; b >>= 1 {
			l |= b
		}
	}
	if orMore {
		for b := l << 1; b <= graduate; b <<= 1 {
			l |= b
		}
	}
	return l
}

// group is one breakdown group, read once.
type group struct {
	text   string // folded label
	age    span
	isAge  bool
	gender string
	educ   int
	money  span
	isNum  bool
}

func readGroup(d dimension, label string, last bool) group {
	g := group{text: foldLabel(label)}
	switch d {
	case dimAge:
		g.age, g.isAge = parseAge(label)
		if g.isAge && last && g.age.lo == g.age.hi {
			g.age.hi = math.Inf(1) // "18-29, 30-44, 45-59, 60": the last one is open
		}
	case dimGender:
		g.gender, _ = parseGender(label)
	case dimEducation:
		g.educ = parseEducation(label)
	case dimIncome:
		g.money, g.isNum = parseSpan(label)
	}
	return g
}

// matchGroup finds the one group that a profile value belongs to, or -1.
func matchGroup(d dimension, value string, groups []group) int {
	text := foldLabel(value)
	for i, g := range groups {
		if g.text == text {
			return i
		}
	}
	switch d {
	case dimAge, dimIncome:
		v, ok := parseAge(value)
		open := float64(openAge)
		if d == dimIncome {
			v, ok = parseSpan(value)
			open = 250_000
		}
		if !ok {
			return -1
		}
		if d == dimAge && v.lo == 0 && v.hi >= 18 {
			v.lo = 18 // "under 30" means adults under 30 where adults were asked
		}
		best, at := .5, -1
		for i, g := range groups {
			gs, known := g.age, g.isAge
			if d == dimIncome {
				gs, known = g.money, g.isNum
			}
			if !known {
				continue
			}
			if o := overlap(v, gs, open); o > best || (o == best && at < 0) {
				best, at = o, i
			}
		}
		return at
	case dimGender:
		v, ok := parseGender(value)
		if !ok {
			return -1
		}
		for i, g := range groups {
			if g.gender == v {
				return i
			}
		}
		return -1
	case dimEducation:
		v := parseEducation(value)
		if v == 0 {
			return -1
		}
		best, at := 0, -1
		for i, g := range groups {
			if c := bits(v & g.educ); c > best && c*2 >= bits(v) {
				best, at = c, i
			}
		}
		return at
	case dimRegion:
		return matchRegion(value, groups)
	}
	return -1
}

func bits(x int) int {
	n := 0
	for ; x > 0; x &= x - 1 {
		n++
	}
	return n
}
