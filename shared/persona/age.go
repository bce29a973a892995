package persona

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	ageTwo    = regexp.MustCompile(`(\d{1,3})\s*(?:-|–|—|to|bis|à|a|al|do|tot|till|,|~|～|至|から)\s*(\d{1,3})`)
	ageOne    = regexp.MustCompile(`\d{1,3}`)
	ageUnder  = regexp.MustCompile(`(?i)under|below|less than|younger|unter|jünger|moins de|menos de|meno di|menor|jonger|onder|poniżej|under|<|以下|未満|미만`)
	ageUpTo   = regexp.MustCompile(`(?i)up to|and under|and younger|or younger|bis |≤`)
	ageOver   = regexp.MustCompile(`(?i)over|above|older than|more than|über|älter als|plus de|más de|più di|mais de|meer dan|powyżej|>`)
	ageAtmost = 95
)

// generations are bands by birth years (Pew Research Center 2019), taken in the
// year that names are reckoned from.
var generations = []cue[[2]int]{
	{[2]int{1997, 2012}, cues("gen z,generation z,zoomer")},
	{[2]int{1981, 1996}, cues("millennial,gen y,generation y")},
	{[2]int{1965, 1980}, cues("gen x,generation x")},
	{[2]int{1946, 1964}, cues("boomer")},
	{[2]int{1928, 1945}, cues("silent gen")},
}

// present is the year that ages are turned into birth years by. It only decides
// which first names were usual, so that it need not move with the clock, and a
// member's name never changes.
const present = 2026

// ageBand reads "25-34", "65+", "under 25", "55 and over", "34". open is a band
// without an upper end.
func ageBand(label string) (lo, hi int, open, ok bool) {
	t := low(label)
	if m := ageTwo.FindStringSubmatch(t); m != nil {
		lo, _ = strconv.Atoi(m[1])
		hi, _ = strconv.Atoi(m[2])
		if lo <= hi && hi <= 120 {
			return lo, hi, false, true
		}
		return 0, 0, false, false
	}
	m := ageOne.FindString(t)
	if m == "" {
		if g, found := find(generations, t); found {
			return max(18, present-g[1]), min(ageAtmost, present-g[0]), false, true
		}
		return 0, 0, false, false
	}
	n, _ := strconv.Atoi(m)
	if n < 1 || n > 110 {
		return 0, 0, false, false
	}
	switch {
	case ageUpTo.MatchString(t):
		return lowest(n), n, false, true
	case ageUnder.MatchString(t):
		return lowest(n - 1), n - 1, false, true
	case ageOver.MatchString(t) && !strings.Contains(t, "and over") && !strings.Contains(t, "or over") && !strings.Contains(t, "und über"):
		return n + 1, max(n+1, upper(n)), true, true
	case t == m || strings.HasPrefix(t, m+" year") && !strings.Contains(t, "older") && !strings.Contains(t, "over") && !strings.Contains(t, "plus"):
		return n, n, false, true
	}
	return n, max(n, upper(n)), true, true
}

func lowest(hi int) int {
	switch {
	case hi >= 18:
		return 18
	case hi >= 13:
		return 13
	}
	return hi
}

// upper is how old people of an open band are at most: few are beyond it.
func upper(lo int) int { return min(ageAtmost, max(84, lo+14)) }

// settleAge chooses the exact age: inside the band that was assigned, and there,
// as far as it goes, where education, standing, occupation and parenthood can be.
func (f *facts) settleAge(d drawer, job *occupation) {
	lo, hi, open := f.ageLo, f.ageHi, f.ageOpen
	if !f.ageSet {
		lo, hi = 18, 74
		switch f.work {
		case student:
			hi = 27
		case retired:
			lo, hi = 66, 82
		case fullTime, partTime, selfEmployed, employed:
			lo, hi = 20, 64
		}
		if f.parent > 0 {
			lo, hi = max(lo, 24), max(24, min(hi, 55))
		}
		open = false
		f.assume("Age")
	}
	atLeast := func(n int, why string) {
		if n > hi {
			f.conflict(why)
			lo = hi
		} else {
			lo = max(lo, n)
		}
	}
	atMost := func(n int) {
		if n >= lo {
			hi = min(hi, n)
		}
	}
	if floor := eduFloor(f.education); floor > 0 {
		atLeast(floor, "education "+f.educationLabel+" is not reached at this age")
	}
	switch f.work {
	case retired:
		atLeast(retiredFrom, "retired at this age")
		if hi >= 62 {
			lo = max(lo, 60)
		}
	case student:
		atMost(32)
	case fullTime, partTime, selfEmployed, employed:
		atLeast(16, "in paid work at this age")
		atMost(69)
	case unemployed:
		atMost(66)
	}
	if job != nil && f.works() {
		atLeast(job.age, job.english()+" at this age")
	}
	if f.parent > 0 {
		atLeast(18, "a parent at this age")
		if lo < 22 && hi >= 24 {
			lo = 22
		}
	}
	u := d.even("age")
	if open { // the older, the fewer
		u *= u
		if lo < 60 {
			u = d.even("age")
		}
	}
	f.age = lo + int(u*float64(hi-lo+1))
	f.age = min(f.age, hi)
}

func eduFloor(l level) int {
	switch l {
	case eduUpper:
		return 17
	case eduShort:
		return 19
	case eduBachelor:
		return 21
	case eduMaster:
		return 23
	case eduDoctor:
		return 27
	}
	return 0
}

func (f *facts) assume(what string)  { f.assumed = append(f.assumed, what) }
func (f *facts) conflict(why string) { f.conflicts = append(f.conflicts, why) }
