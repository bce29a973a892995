package allocate

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// words give an order to labels without figures.
var words = []string{"none", "very low", "low", "lower", "lower middle", "middle", "medium", "mid", "upper middle", "upper", "high", "very high"}

var figure = regexp.MustCompile(`\d+(?:[.,]\d+)*`)

// rankOf is the usable segments from low to high, nil when the axis has no
// order. An axis says so itself, or its labels do: all start with rising or
// falling figures (18-24, 25-34), or are plain words of size.
func rankOf(a Axis, use []int) []int {
	out := make([]int, len(use))
	for i := range out {
		out[i] = i
	}
	keys := make([]float64, len(use))
	for i, s := range use {
		k, ok := rankKey(a.Segments[s].Label)
		if !ok {
			if a.Ordered {
				return out
			}
			return nil
		}
		keys[i] = k
	}
	if slices.IsSorted(keys) && distinct(keys) {
		return out
	}
	if down := slices.Clone(keys); distinct(keys) {
		slices.Reverse(down)
		if slices.IsSorted(down) {
			slices.Reverse(out)
			return out
		}
	}
	if a.Ordered {
		return out
	}
	return nil
}

// rankKey reads where a label stands: its first figure, "under 18" just below
// its own, or a word of size.
func rankKey(label string) (float64, bool) {
	l := strings.ToLower(strings.TrimSpace(label))
	if i := slices.Index(words, l); i >= 0 {
		return float64(i), true
	}
	f := figure.FindString(l)
	if f == "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.NewReplacer(",", "", ".", "").Replace(f), 64)
	if err != nil {
		return 0, false
	}
	if strings.HasPrefix(l, "under") || strings.HasPrefix(l, "less") || strings.HasPrefix(l, "below") || strings.HasPrefix(l, "<") {
		v -= 0.5
	}
	return v, true
}

func distinct(v []float64) bool {
	for i := range v {
		if slices.Contains(v[i+1:], v[i]) {
			return false
		}
	}
	return len(v) > 1
}
