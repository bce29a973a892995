package brief

import (
	"strconv"
	"strings"
)

// percentAt reads a share that begins at token i: "60 %", "three in five", "zwei
// Drittel", "6割".
func (r *reader) percentAt(i int) (pct float64, end int, ok bool) {
	if h := r.hit(i, "fr"); h != nil {
		if r.at(h.end, "unit") > 0 || r.at(r.skipArticle(h.end), "unit") > 0 || r.glued(h.end, "-") && r.at(h.end+1, "unit") > 0 {
			return 0, 0, false // half an hour
		}
		v, err := strconv.Atoi(h.name[len("fr."):])
		return float64(v) / 100, h.end, err == nil
	}
	if h := r.hit(i, "pctpre"); h != nil { // yüzde 60, 百分之六十
		if v, j, ok := r.number(h.end); ok && v <= 1000 {
			return v, j, true
		}
	}
	if r.is(i, "%") && r.lang == "tr" && i+1 < len(r.toks) && r.toks[i+1].kind == number && r.toks[i+1].glued {
		return r.toks[i+1].value, i + 2, true
	}
	if r.lang == "ko" || r.lang == "ja" { // 3분의 1, 3分の1
		if v, j, ok := r.number(i); ok && r.at(j, "parts") > 0 {
			if w, k, ok := r.number(r.at(j, "parts")); ok && w < v && v <= 100 {
				return round2(100 * w / v), k, true
			}
		}
	}
	v, j, ok := r.number(i)
	if !ok && r.at(i, "a") == i+1 { // one in three
		v, j, ok = 1, i+1, true
		if k := r.at(j, "ratio"); k == 0 {
			return 0, 0, false
		}
	}
	if !ok || i > 0 && r.is(i-1, "£$€¥") {
		return 0, 0, false
	}
	if k := r.at(j, "pct"); k > 0 && v <= 1000 {
		return v, k, true
	}
	if k := r.at(j, "tenths"); k > 0 && v <= 10 {
		return v * 10, k, true
	}
	if k := r.at(j, "ratio"); k > 0 {
		for r.at(k, "article") == k+1 {
			k++
		}
		if w, e, ok := r.number(k); ok && v < w && w <= 100 && w >= 2 && v == float64(int(v)) && w == float64(int(w)) && r.at(e, "pct", "year", "unit") == 0 {
			return round2(100 * v / w), e, true
		}
	}
	if r.is(j, "/") && r.toks[j].glued && j+1 < len(r.toks) && r.toks[j+1].kind == number && r.toks[j+1].glued {
		w := r.toks[j+1].value
		if v < w && w <= 10 && w >= 2 && v >= 1 && !r.is(j+2, "/") {
			return round2(100 * v / w), j + 2, true
		}
	}
	return 0, 0, false
}

func (r *reader) glued(i int, m string) bool {
	return r.is(i, m) && r.toks[i].glued
}

func round2(v float64) float64 { return float64(int(v*100+0.5)) / 100 }

// shares finds every stated figure of the population.
func (r *reader) shares() {
	for i := 0; i < len(r.toks); i++ {
		if len(r.out.Figures)+len(r.out.Reported) >= most {
			r.out.Unread = append(r.out.Unread, "all after “"+r.quote(max(0, i-4), i)+"”")
			return
		}
		z := r.zoneOf(i)
		if z == background || z == outcome || r.used[i] != free {
			continue
		}
		if end := r.splitAt(i); end > 0 {
			i = end - 1
			continue
		}
		if r.at(i, "equal") > 0 {
			r.equal(i)
		}
		pct, end, ok := r.percentAt(i)
		if !ok {
			continue
		}
		if r.below(i) {
			q := r.quote(i-1, r.labelEnd(end))
			r.problem("“"+q+"” is less than nobody: a share is between 0 and 100 %. Leave out the minus sign, or say who is left out.", q)
			r.take(i-1, r.labelEnd(end), byFigure)
			i = end - 1
			continue
		}
		if pct > 100 {
			if f, hi, ok := r.figure(i, end, pct); ok {
				r.problem("“"+f.Quote+"” is more than everyone: a share is between 0 and 100 %.", f.Quote)
				r.take(i, hi, byFigure)
			}
			i = end - 1
			continue
		}
		nation := r.ofNation(end)
		r.words, r.noShare, r.from = "", false, i
		f, hi, ok := r.figure(i, end, pct)
		switch {
		case ok && (nation || r.reported(i) || r.trend(i, end)):
			r.out.Reported = append(r.out.Reported, f)
			r.take(i, hi, byFigure)
		case ok:
			if r.finding(f, i, hi) {
				r.found(f)
			}
			r.state(f, r.from, max(hi, end))
		case !r.noShare && len(r.out.Unread) < 20 && r.zoneOf(i) == population:
			r.out.Unread = append(r.out.Unread, r.quote(max(i-2, r.sents[r.of[i]].lo), r.clauseEnd(end, 8)))
		}
		i = max(hi, end) - 1
	}
}

// splitAt reads "60:40 female to male", "male/female 50/50", "50/50 gender split".
func (r *reader) splitAt(i int) int {
	t := r.toks[i]
	if t.kind != number || i+2 >= len(r.toks) || !r.is(i+1, ":/-") || r.toks[i+2].kind != number || !r.toks[i+1].glued || !r.toks[i+2].glued {
		return 0
	}
	a, b := t.value, r.toks[i+2].value
	if a+b != 100 {
		return 0
	}
	end := i + 3
	if e := r.cells(i, end, a, b); e > 0 {
		return e
	}
	lo, hi := i, end
	var first, second *hit
	for p := max(0, i-8); p < i; p++ {
		if r.same(p, i) {
			if h := r.hit(p, "w", "wadj", "m", "madj"); h != nil {
				if first != nil && first.class[0] != h.class[0] {
					second = h
				} else {
					first = h
				}
				lo = min(lo, p)
			}
		}
	}
	if first == nil {
		for p := end; p < end+8 && p < len(r.toks) && r.same(p, i); p++ {
			if h := r.hit(p, "w", "wadj", "m", "madj"); h != nil {
				if first != nil && first.class[0] != h.class[0] {
					second = h
				} else if first == nil {
					first = h
				}
				hi = max(hi, h.end)
				if second != nil {
					break
				}
			}
		}
	}
	if first == nil {
		if a == b && (r.near(i, 5, "ax.gender", "mw") != nil || r.before(i, 5, "ax.gender", "mw") >= 0) {
			if p := r.before(i, 5, "ax.gender", "mw"); p >= 0 {
				lo = p
			} else {
				hi = r.near(i, 5, "ax.gender", "mw").end
			}
			r.both(a, b, lo, hi)
			return hi
		}
		return r.splitOf(i, end, a, b)
	}
	if first.class[0] == 'm' {
		a, b = b, a
	}
	r.both(a, b, lo, hi)
	return hi
}

func (r *reader) both(women, men float64, lo, hi int) {
	q := r.quote(lo, hi)
	r.words = ""
	r.state(Figure{Axis: AxisGender, Label: "Woman", Pct: women, Quote: q}, lo, hi)
	r.state(Figure{Axis: AxisGender, Label: "Man", Pct: men, Quote: q}, hi, hi)
}

// below reports a share with a minus sign that is no dash: "-20 % women".
func (r *reader) below(i int) bool {
	if i == 0 || !r.is(i-1, "-") || !r.toks[i].glued || r.toks[i-1].glued || i-1 == 0 || r.toks[i-2].kind == newline {
		return false // a bullet, or a range
	}
	return r.toks[i-2].kind != number && !r.is(i-2, "*-")
}

// equal reads "equal numbers of men and women".
func (r *reader) equal(i int) {
	end := r.at(i, "equal")
	lo, hi := i, end
	var w, m bool
	for p := max(0, i-7); p < end+8 && p < len(r.toks); p++ {
		if !r.same(p, i) {
			continue
		}
		if h := r.hit(p, "w", "wadj", "m", "madj", "mw", "ax.gender"); h != nil {
			switch h.class[0] {
			case 'w':
				w = true
			default:
				m = m || h.class != "ax"
			}
			if h.class == "mw" || h.name == "ax.gender" {
				w, m = true, true
			}
			lo, hi = min(lo, p), max(hi, h.end)
			if w && m && p > end {
				break
			}
		}
	}
	// "gender-balanced" says it in one word
	if q := strings.ToLower(r.quote(i, end)); strings.Contains(q, "gender") {
		w, m = true, true
	}
	if w && m {
		r.both(50, 50, lo, hi)
	}
}

// figure reads whom the share of tokens lo to end is of.
func (r *reader) figure(lo, end int, pct float64) (Figure, int, bool) {
	j := end
	if h := r.near(j, 3, "noshare"); h != nil && r.same(h.start, lo) && !r.markBetween(j, h.start) {
		r.noShare = true
		return Figure{}, 0, false
	}
	if p := r.before(lo, 3, "noshare"); p >= 0 {
		r.noShare = true
		return Figure{}, 0, false
	}
	// what comes before stays inside the clause
	hi := r.labelEnd(j)
	of := ""
	// "60 % of the women work": whose share it is
	if k := r.at(j, "ofwhom"); k > 0 {
		j = k
	} else if k := r.at(j, "of"); k > 0 {
		for r.at(k, "article") == k+1 {
			k++
		}
		h := r.hit(k, "w", "m", "nb", "mother", "father", "people", "is", "occ", "adult")
		if h != nil && h.end < hi && (r.at(h.end, "verb", "who") > 0 || r.lang == "en" && h.class != "people") && r.lastWord(h.end) < hi {
			if h.class == "people" || h.class == "adult" {
				j = h.end
			} else {
				_, of = r.segment(h)
				j = h.end
			}
		} else if h != nil && (h.class == "people" || h.class == "adult") && h.end < hi {
			j = h.end
		} else {
			j = k
		}
	}
	for {
		k := max(r.at(j, "verb"), r.at(j, "who"), r.at(j, "article"), r.at(j, "ofwhom"), r.at(j, "of"))
		if r.at(j, "w", "m", "wadj", "madj", "is", "sen", "open", "cond") >= k && r.at(j, "w", "m", "wadj", "madj", "is", "sen", "cond") > 0 {
			break
		}
		if h := r.hit(j, "is", "occ", "w", "m"); h != nil && h.end >= k {
			break
		}
		if k == 0 || k >= hi {
			break
		}
		if r.at(j, "verb") == k && !copula[r.toks[j].norm] {
			break
		}
		j = k
	}
	if h := r.hit(j, "people", "adult"); h != nil && h.end < hi && r.hit(j, "is", "occ") == nil {
		if k := r.at(h.end, "verb", "who", "with", "from"); k > 0 {
			j = h.end
			if copula[r.toks[j].norm] || r.at(j, "who") > 0 {
				j = k
			}
		}
	}
	if (r.lang == "ja" || r.lang == "ko") && of == "" { // what a share is of stands before it
		if f, e, ok := r.labelBefore(lo, end, pct); ok && f.Axis == AxisGender && r.hit(j, "w", "m") == nil {
			return f, e, true
		}
	}
	if f, e, ok := r.labelled(lo, j, hi, pct, of); ok {
		return f, e, true
	}
	// "women: 60 %", "Frauenanteil 60 %", "women (60 %)"
	return r.labelBefore(lo, end, pct)
}

var copula = set("are is be should were was must sind ist sein sollen sollten soll sont est doivent etre son es sean deben sia siano essere sao e sejam ser devem zijn is moeten sa jest ska ar vara have has")

func (r *reader) markBetween(a, b int) bool {
	for i := a; i < b; i++ {
		if r.toks[i].kind == mark && strings.Contains(",;()", r.toks[i].norm) {
			return true
		}
	}
	return false
}

// lastWord is the first word at or after i.
func (r *reader) lastWord(i int) int {
	for i < len(r.toks) && r.toks[i].kind == mark {
		i++
	}
	return i
}

// labelEnd is where the words end that a share at j can be of.
func (r *reader) labelEnd(j int) int {
	hi := r.clauseEnd(j, 14)
	for k := j; k < hi; k++ {
		if k > j && (r.at(k, "and") > 0 || r.at(k, "or") > 0) {
			next := max(r.at(k, "and"), r.at(k, "or"))
			for q := next; q < next+4 && q < len(r.toks); q++ {
				if _, _, ok := r.percentAt(q); ok {
					return k
				}
			}
		}
		if _, _, ok := r.percentAt(k); ok && k > j {
			return k
		}
		if k > j && r.at(k, "outcome") > 0 {
			return k
		}
		if k > j && r.at(k, "who") > 0 && r.toks[k].kind == word && k+1 < hi && k > j+2 {
			return k
		}
	}
	return hi
}
