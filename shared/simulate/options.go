package simulate

import (
	"sort"
	"strconv"
	"strings"
)

// mapping joins the asked options to the published ones, one to one.
type mapping struct {
	to       []int   // asked index -> published index, -1 for an asked option outside the scale that was not published
	quality  float64 // 1 by label or synonym, less when looser
	dropped  bool    // published answers outside the scale were left out, shares rescaled
	mirrored bool    // read the other way round
}

// Qualities of a mapping. byPosition alone can never make an answer grounded.
// Numbers in a row and words from one end to the other are two ways to write one
// scale: where the wording of the question is the same or nearly, byPoints is
// grounded.
const (
	byLabel    = 1.0
	byLoose    = .95
	byPoints   = .9
	byPosition = .84
)

// pointsOnly reports labels that are numbers alone.
func pointsOnly(ls []label) bool {
	n := 0
	for _, l := range ls {
		if l.outside {
			continue
		}
		if _, err := strconv.Atoi(l.folded); err != nil {
			return false
		}
		n++
	}
	return n >= leastPoints
}

// leastPoints is the shortest scale of numbers.
const leastPoints = 3

// mapOptions maps labels one to one or not at all. Answers outside the scale
// ("Don't know") may be missing on either side. ordinal tells whether each side
// is known to run from one end to the other.
func mapOptions(asked, published []label, askedOrdinal, publishedOrdinal bool) (mapping, bool) {
	m := mapping{to: make([]int, len(asked)), quality: byLabel}
	taken := make([]bool, len(published))
	for i := range m.to {
		m.to[i] = -1
	}
	left := func() (a, p []int) {
		for i, t := range m.to {
			if t < 0 {
				a = append(a, i)
			}
		}
		for j, t := range taken {
			if !t {
				p = append(p, j)
			}
		}
		return a, p
	}
	join := func(form func(label) string) (any bool) {
		a, p := left()
		ca, cp := map[string][]int{}, map[string][]int{}
		for _, i := range a {
			ca[form(asked[i])] = append(ca[form(asked[i])], i)
		}
		for _, j := range p {
			cp[form(published[j])] = append(cp[form(published[j])], j)
		}
		for _, i := range a {
			f := form(asked[i])
			if len(ca[f]) == 1 && len(cp[f]) == 1 {
				m.to[i] = cp[f][0]
				taken[cp[f][0]] = true
				any = true
			}
		}
		return any
	}
	join(func(l label) string { return l.folded })
	join(func(l label) string { return l.strict })
	if join(func(l label) string { return l.loose }) {
		m.quality = byLoose
	}
	a, p := substantive(asked, m.to), substantiveFree(published, taken)
	if len(a) == 0 && len(p) == 0 {
		return m, finish(&m, asked, published, taken)
	}
	// By place: only when nothing substantive was mapped by name, so that the
	// two ways never mix, and when both sides run the same known way.
	if len(a) != len(p) || len(a) != countSubstantive(asked) || !askedOrdinal || !publishedOrdinal {
		return mapping{}, false
	}
	da, db := direction(asked), direction(published)
	if da == 0 || db == 0 || isYesNo(asked) != isYesNo(published) {
		return mapping{}, false // "Never / Always" is no other way to say no and yes
	}
	if da != db {
		for i, j := 0, len(p)-1; i < j; i, j = i+1, j-1 {
			p[i], p[j] = p[j], p[i]
		}
	}
	for i := range a {
		m.to[a[i]] = p[i]
		taken[p[i]] = true
	}
	m.quality = byPosition
	if pointsOnly(asked) != pointsOnly(published) {
		m.quality = byPoints
	}
	return m, finish(&m, asked, published, taken)
}

func finish(m *mapping, asked, published []label, taken []bool) bool {
	n := 0
	for i, t := range m.to {
		if t < 0 && !asked[i].outside {
			return false
		}
		if t >= 0 {
			n++
		}
	}
	for j, t := range taken {
		if !t {
			if !published[j].outside {
				return false
			}
			m.dropped = true
		}
	}
	return n >= 2
}

func substantive(ls []label, to []int) (out []int) {
	for i, l := range ls {
		if to[i] < 0 && !l.outside {
			out = append(out, i)
		}
	}
	return out
}

func substantiveFree(ls []label, taken []bool) (out []int) {
	for i, l := range ls {
		if !taken[i] && !l.outside {
			out = append(out, i)
		}
	}
	return out
}

func countSubstantive(ls []label) int {
	n := 0
	for _, l := range ls {
		if !l.outside {
			n++
		}
	}
	return n
}

// direction is +1 when labels run from low to high, -1 from high to low, 0 when
// that cannot be told.
func direction(ls []label) int {
	var ranks []float64
	for _, l := range ls {
		if l.outside {
			continue
		}
		v, ok := l.place()
		if !ok {
			return 0
		}
		ranks = append(ranks, v)
	}
	if len(ranks) < 2 {
		return 0
	}
	up, down := true, true
	for i := 1; i < len(ranks); i++ {
		up = up && ranks[i] > ranks[i-1]
		down = down && ranks[i] < ranks[i-1]
	}
	switch {
	case up:
		return 1
	case down:
		return -1
	}
	return 0
}

// mirror turns a two-sided mapping round: what was published for "Yes" is read
// for "No". ok is false where labels have no opposite.
func mirror(m mapping, published []label) (mapping, bool) {
	ranks := map[float64]int{}
	sum, n := 0.0, 0
	for j, l := range published {
		if l.outside {
			continue
		}
		if l.family != "yesno" && !strings.HasPrefix(l.family, "signed:") {
			return mapping{}, false
		}
		ranks[l.rank] = j
		sum += l.rank
		n++
	}
	if n < 2 {
		return mapping{}, false
	}
	if m.quality == byPosition || m.quality == byPoints {
		return mapping{}, false // two guesses, one on the other
	}
	out := m
	out.mirrored = true
	out.to = append([]int(nil), m.to...)
	for i, j := range m.to {
		if j < 0 || published[j].outside {
			continue
		}
		opposite := -published[j].rank
		if published[j].family == "yesno" {
			opposite = 1 - published[j].rank
		}
		o, ok := ranks[opposite]
		if !ok {
			return mapping{}, false
		}
		out.to[i] = o
	}
	return out, true
}

// canonicalOrder gives the order in which options take their place on the unit
// interval, and which of them are on the scale. Ordered labels run from low to
// high whatever way they were shown; answers outside the scale stand in the
// middle, where they bend correlations least; options without an order are
// ordered by hash, so that rotating them changes nothing.
func canonicalOrder(key seed, ls []label, ordinal bool) (order []int, scale []bool, ordered bool) {
	scale = make([]bool, len(ls))
	var sub, out []int
	for i, l := range ls {
		if l.outside {
			out = append(out, i)
		} else {
			sub = append(sub, i)
			scale[i] = true
		}
	}
	switch known, byRank := familyRanks(ls, sub); {
	case known:
		sort.SliceStable(sub, func(a, b int) bool { return byRank[sub[a]] < byRank[sub[b]] })
		ordered = true
	case ordinal && len(sub) > 1:
		if ls[sub[0]].strict > ls[sub[len(sub)-1]].strict { // one of the two ways, always the same one
			for i, j := 0, len(sub)-1; i < j; i, j = i+1, j-1 {
				sub[i], sub[j] = sub[j], sub[i]
			}
		}
		ordered = true
	default:
		sortByHash(key, ls, sub)
	}
	sortByHash(key, ls, out)
	mid := len(sub) / 2
	order = append(order, sub[:mid]...)
	order = append(order, out...)
	order = append(order, sub[mid:]...)
	return order, scale, ordered
}

func familyRanks(ls []label, sub []int) (bool, map[int]float64) {
	ranks := map[int]float64{}
	if len(sub) < 2 {
		return false, nil
	}
	for _, i := range sub {
		v, ok := ls[i].place()
		if !ok {
			return false, nil
		}
		ranks[i] = v
	}
	return true, ranks
}

func sortByHash(key seed, ls []label, at []int) {
	h := make(map[int]string, len(at))
	for _, i := range at {
		h[i] = seedOf("order", key.hex(), ls[i].strict).hex()
	}
	sort.SliceStable(at, func(a, b int) bool { return h[at[a]] < h[at[b]] })
}
