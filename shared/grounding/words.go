package grounding

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func itoa(n int) string { return strconv.Itoa(n) }

// inWords joins names as a sentence does: "a, b and c".
func inWords(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// percents rounds shares of a whole to one decimal so that they sum to exactly
// 100: by largest remainder, ties to the larger share, then the earlier segment.
func percents(parts []float64) []float64 {
	sum := 0.0
	for _, p := range parts {
		sum += p
	}
	out := make([]float64, len(parts))
	if sum <= 0 {
		return out
	}
	const steps = 1000
	units := make([]int, len(parts))
	left := steps
	for i, p := range parts {
		units[i] = int(math.Floor(p/sum*steps + 1e-9))
		left -= units[i]
	}
	for ; left > 0; left-- {
		best := -1
		for i, p := range parts {
			rest := p/sum*steps - float64(units[i])
			if best < 0 {
				best = i
				continue
			}
			top := parts[best]/sum*steps - float64(units[best])
			if rest > top+1e-9 || rest > top-1e-9 && p > parts[best] {
				best = i
			}
		}
		units[best]++
	}
	for i, u := range units {
		out[i] = float64(u) / 10
	}
	return out
}

// cut keeps at most n runes of a text, at a word where one ends near.
func cut(s string, n int) string {
	r := []rune(strings.TrimSpace(s))
	if len(r) <= n {
		return string(r)
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}

// capital writes the first letter large.
func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 || r == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}
