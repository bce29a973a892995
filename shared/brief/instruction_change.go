package brief

import (
	"slices"
	"strings"
)

// comparing tells whether words want more or less of something without saying how
// much: a number, or "than", makes another thing of them.
func (w wording) comparing() bool {
	r := w.r
	for _, m := range w.words {
		if m.class != compares {
			continue
		}
		inside := false
		if r.out.Age != nil {
			lo, hi := r.span(r.out.Age.Quote)
			inside = lo >= 0 && m.lo >= lo-1 && m.lo < hi
		}
		next := m.hi
		for next < len(r.toks) && next <= m.hi+1 && than[r.toks[next].norm] {
			next++
		}
		if _, _, number := r.number(next); number || next > m.hi && r.toks[m.hi].norm != "de" && r.toks[m.hi].norm != "d" && r.toks[m.hi].norm != "di" {
			inside = true
		}
		if !inside {
			return true
		}
	}
	return false
}

var than = set("than als que de d di del do dan niz an a")

// byHowMuch tells whether a share is how much to change by, and not what there is
// to be: "10 % more women", "raise women by 10 %".
func (w wording) byHowMuch(figures []Figure) bool {
	r := w.r
	if len(figures) == 0 {
		return false
	}
	for _, m := range w.words {
		if m.class != compares {
			continue
		}
		for i := range r.toks {
			_, end, ok := r.percentAt(i)
			if !ok {
				continue
			}
			if m.lo >= end && m.lo <= end+1 || i > 0 && i > m.lo && by[r.toks[i-1].norm] {
				return true
			}
		}
	}
	return false
}

var by = set("by um de d en di em met o med")

// swapping reads "replace the men with women", "Austria instead of Germany": to is
// the part that says who is to be there. ok is false when nothing is swapped.
func (w wording) swapping(of Brief) (to *reader, refused string, ok bool) {
	r := w.r
	lower := " " + strings.Join(strings.Fields(strings.ToLower(r.text)), " ") + " "
	var old, fresh string
	for _, word := range []string{" instead of ", " rather than ", " anstelle von ", " anstatt ", " statt ", " au lieu de ", " au lieu des ", " plutôt que ", " en lugar de ", " en vez de ", " invece di ", " em vez de ", " in plaats van ", " zamiast ", " istället för "} {
		if at := strings.Index(lower, word); at > 0 {
			fresh, old = lower[:at], lower[at+len(word):]
		}
	}
	if m := w.first(swaps); m != nil && fresh == "" {
		tail := lower
		if at := strings.Index(lower, strings.ToLower(r.part(m.lo, m.hi))); at >= 0 {
			tail = lower[at+len(r.part(m.lo, m.hi)):]
		}
		for _, word := range []string{" with ", " by ", " for ", " into ", " durch ", " gegen ", " mit ", " par ", " contre ", " por ", " con ", " door ", " met ", " tegen ", " na ", " mot ", " med "} {
			if a, b, found := strings.Cut(tail, word); found {
				old, fresh = a, b
				break
			}
		}
		if fresh == "" {
			return nil, "", false
		}
	}
	if fresh == "" || old == "" {
		return nil, "", false
	}
	const say = "puts somebody in place of others, and it is not plain how many change. " + sayShares + "; or name the new population, for example \"now nurses in Spain\""
	was := readAs(r.original(old), r.lang, r.year)
	to = readAs(r.original(fresh), r.lang, r.year)
	a, b := was.out, to.out
	if was.counted() || a.Size != nil || len(a.Figures)+len(b.Figures) > 0 || !slices.Equal(a.axesSaid(), b.axesSaid()) || len(a.axesSaid()) != 1 {
		return nil, say, true
	}
	switch {
	case len(a.Genders) > 0 && len(b.Genders) > 0:
		return to, "", true
	case len(a.Places) > 0:
		for _, p := range a.Places {
			if !slices.ContainsFunc(of.Places, func(q Place) bool { return q.Name == p.Name }) || len(of.Places) != len(a.Places) {
				return nil, say, true
			}
		}
		return to, "", true
	case len(a.Roles) > 0 && len(b.Roles) > 0:
		for _, p := range a.Roles {
			if !slices.ContainsFunc(of.Roles, func(q Term) bool { return q.Canonical == p.Canonical }) {
				return nil, say, true
			}
		}
		return to, "", true
	}
	return nil, say, true
}

// original is a part of the text in its own letters.
func (r *reader) original(lower string) string {
	lower = strings.TrimSpace(lower)
	whole := strings.Join(strings.Fields(r.text), " ")
	if at := strings.Index(strings.ToLower(whole), lower); at >= 0 && at+len(lower) <= len(whole) && len(whole) == len(strings.ToLower(whole)) {
		return whole[at : at+len(lower)]
	}
	return lower
}
