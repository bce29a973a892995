package segment

import (
	"regexp"
	"time"
)

// dateSpan finds the first and the last date of a column, reading 5/10/18 both
// ways until a day above 12 settles it.
type dateSpan struct {
	n              int
	first, second  int // highest number in either place
	mdMin, mdMax   time.Time
	dmMin, dmMax   time.Time
	isoMin, isoMax time.Time
}

var (
	isoDate   = regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\d{1,2}:\d{2}.*)?$`)
	shortDate = regexp.MustCompile(`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?:[T ,]+\d{1,2}:\d{2}.*)?$`)
)

func (d *dateSpan) add(s string, n int) {
	if len(s) < 6 || len(s) > 40 || s[0] < '0' || s[0] > '9' {
		return
	}
	if m := isoDate.FindStringSubmatch(s); m != nil {
		if t, ok := dateOf(m[1], m[2], m[3]); ok {
			d.n += n
			widen(&d.isoMin, &d.isoMax, t)
		}
		return
	}
	m := shortDate.FindStringSubmatch(s)
	if m == nil {
		return
	}
	a, b := small(m[1]), small(m[2])
	md, ok1 := dateOf(m[3], m[1], m[2])
	dm, ok2 := dateOf(m[3], m[2], m[1])
	if !ok1 && !ok2 {
		return
	}
	d.n += n
	d.first, d.second = max(d.first, a), max(d.second, b)
	if ok1 {
		widen(&d.mdMin, &d.mdMax, md)
	}
	if ok2 {
		widen(&d.dmMin, &d.dmMax, dm)
	}
}

func (d *dateSpan) join(o dateSpan) {
	d.n += o.n
	d.first, d.second = max(d.first, o.first), max(d.second, o.second)
	for _, p := range [][4]*time.Time{{&d.mdMin, &d.mdMax, &o.mdMin, &o.mdMax}, {&d.dmMin, &d.dmMax, &o.dmMin, &o.dmMax}, {&d.isoMin, &d.isoMax, &o.isoMin, &o.isoMax}} {
		if !p[2].IsZero() {
			widen(p[0], p[1], *p[2])
			widen(p[0], p[1], *p[3])
		}
	}
}

// span is the first and last day; ok is false when the order of day and month is
// open or there is no date.
func (d *dateSpan) span() (from, to time.Time, ok bool) {
	switch {
	case d.n == 0:
		return from, to, false
	case d.first > 12:
		from, to = d.dmMin, d.dmMax
	case d.second > 12:
		from, to = d.mdMin, d.mdMax
	default:
		from, to = d.isoMin, d.isoMax
	}
	if !d.isoMin.IsZero() {
		widen(&from, &to, d.isoMin)
		widen(&from, &to, d.isoMax)
	}
	return from, to, !from.IsZero()
}

func widen(lo, hi *time.Time, t time.Time) {
	if lo.IsZero() || t.Before(*lo) {
		*lo = t
	}
	if hi.IsZero() || t.After(*hi) {
		*hi = t
	}
}

func small(s string) int {
	n := 0
	for _, c := range []byte(s) {
		n = n*10 + int(c-'0')
	}
	return n
}

func dateOf(y, m, d string) (time.Time, bool) {
	year, month, day := small(y), small(m), small(d)
	if year < 100 {
		year += 2000
	}
	if year < 1900 || year > 2199 || month < 1 || month > 12 || day < 1 || day > 31 {
		return time.Time{}, false
	}
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC), true
}
