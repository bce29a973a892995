package brief

import "strings"

// populationPhrase finds the noun phrase that says who is meant, and makes a name
// of it.
func (r *reader) populationPhrase() {
	best, bestLo, bestHi := 0, 0, 0
	for k := range r.sents {
		s := &r.sents[k]
		if s.zone != population || s.hi <= s.lo {
			continue
		}
		first, score := -1, 0
		for i := s.lo; i < s.hi; i++ {
			h := r.hit(i, "people", "adult", "w", "m", "nb", "mw", "mother", "father", "is", "occ", "noun", "sen", "buy", "gen", "soft", "wadj", "madj", "cond")
			p := r.placeAt(i, false)
			switch {
			case r.used[i] == byExclusion:
				continue
			case h != nil:
				score += 2
			case p != nil:
				score++
			case r.used[i] == bySize:
				score += 2
			case r.used[i] == byAge:
				score++
			default:
				continue
			}
			if first < 0 {
				first = i
			}
		}
		if first >= 0 && score > best {
			best, bestLo, bestHi = score, first, s.hi
		}
		if best >= 3 && k > 40 {
			break
		}
	}
	b := r.out
	if best > 0 {
		hi := bestHi
		bestLo = r.phraseStart(bestLo)
		for hi > bestLo && (r.toks[hi-1].kind == newline || r.is(hi-1, ".,;:!?") || r.at(hi-1, "and", "or", "article", "in", "of", "from", "with", "for") == hi && r.used[hi-1] == free || copula[r.toks[hi-1].norm]) {
			hi--
		}
		b.Population = cut(r.quote(bestLo, hi), 300)
		lo := bestLo
		for lo < hi && (r.used[lo] == bySize || r.toks[lo].kind == number && r.used[lo] != byAge) {
			lo++
		}
		name := oneLine(r.quote(lo, hi))
		if at := strings.IndexAny(name, ",;"); at >= 12 && len(name) > 50 { // what follows is detail
			name = name[:at]
		}
		b.Name = cut(capitalise(name), 100)
	}
	if b.Name == "" {
		for line := range strings.Lines(b.Text) {
			if line = oneLine(line); hasLetter(line) {
				b.Name = cut(capitalise(line), 100)
				break
			}
		}
	}
}

// phraseStart is where the noun phrase begins that has its first known word at token
// i: unknown words before it are part of it ("left-handed adults", "anyone but …").
func (r *reader) phraseStart(i int) int {
	s := &r.sents[r.of[i]]
	lo := i
	if r.used[i] == bySize {
		return i
	}
	for k := i - 1; k >= s.lo && k >= i-12; k-- {
		t := &r.toks[k]
		switch {
		case r.used[k] == byExclusion, r.used[k] == byClause:
			lo = k
		case r.is(k, "-") && t.glued, r.at(k, "in", "from", "of", "and") == k+1 && r.used[k] == free:
			// "florists in Denmark": only with what stands before it
		default:
			return lo
		}
	}
	return lo
}

func oneLine(s string) string {
	return strings.Trim(strings.Join(strings.Fields(s), " "), " ,;:.-–—*•#")
}
