package brief

import (
	"maps"
	"slices"
	"strings"
)

// statedFigure is where a figure stands, and the words that it is of.
type statedFigure struct {
	lo, hi int
	words  string
}

// state notes a figure of tokens lo to hi.
func (r *reader) state(f Figure, lo, hi int) {
	r.out.Figures = append(r.out.Figures, f)
	r.stated = append(r.stated, statedFigure{lo, hi, r.words})
	r.take(lo, hi, byFigure)
}

// listAxes makes one axis of shares that stand in one list and come to the whole:
// "38 % Republican, 36 % Democrat, 26 % independent", "12 % with children, 88 %
// without". Read one by one they would be three axes with nobody in common.
func (r *reader) listAxes() {
	figs := r.out.Figures
	for i := 0; i < len(figs); {
		j := i + 1
		sum := figs[i].Pct
		for j < len(figs) && r.inList(j-1, j) {
			sum += figs[j].Pct
			j++
		}
		if j-i > 1 && sum >= 98 && sum <= 102 {
			r.oneAxis(figs[i:j], i)
		}
		i = j
	}
	r.tellApart()
}

// inList reports whether figure b follows figure a in a list.
func (r *reader) inList(a, b int) bool {
	lo, hi := r.stated[a].hi, r.stated[b].lo
	if hi < lo || hi-lo > 4 {
		return false
	}
	for k := lo; k < hi; k++ {
		if !r.is(k, ",;/&+|*-()\n") && r.toks[k].kind != newline && r.at(k, "and", "or") == 0 {
			return false
		}
	}
	return true
}

// restWords are labels for whoever is left, in the languages known.
var restWords = set("other others rest none neither nothing elsewhere unknown undisclosed diverse andere anderen sonstige übrige ubrige keine keiner autres autre aucun aucune otros otras otro ninguno ninguna altri altro nessuno nessuna outros outras nenhum nenhuma overig overige geen inne inni zadna ovriga ingen")

// negated are labels that say no more than the opposite of the one before.
var negated = set("not without no don't dont nicht ohne non sans pas sin senza sem niet zonder nie bez inte utan aren't isn't")

// oneAxis puts a list of figures on one axis where nothing speaks against it.
func (r *reader) oneAxis(list []Figure, first int) {
	axis, free := "", 0
	for i, f := range list {
		switch word := fold(strings.TrimSuffix(f.Label, ".")); {
		case f.Of != "":
			return
		case f.Axis != capitalise(f.Label):
			if axis != "" && axis != f.Axis {
				return // two things that are each known: they only happen to come to 100
			}
			axis = f.Axis
		case restWords[word] || negated[word]:
		default:
			free++
			if f.Axis != capitalise(f.Label) || i > 9 {
				return
			}
		}
	}
	if (axis == AxisGender || axis == AxisAge || !exclusiveAxis(axis) && axis != "") && free > 0 {
		return
	}
	if axis == "" {
		if axis = r.listName(list, first); axis == "" {
			return
		}
	}
	for i := range list {
		f := &list[i]
		if word := fold(f.Label); negated[word] && i > 0 {
			f.Label = "Not " + strings.ToLower(list[i-1].Label[:1]) + list[i-1].Label[1:]
			if opposite := oppositeOf[list[i-1].Label]; opposite != "" {
				f.Label = opposite
			}
		} else {
			f.Label = capitalise(f.Label)
		}
		f.Axis = axis
	}
}

var oppositeOf = map[string]string{"Parents": "No children", "No children": "Parents", "Smokers": "Non-smokers", "Non-smokers": "Smokers"}

// kindsOfLabel name the axis of lists that no other rule knows.
var kindsOfLabel = map[string]map[string]bool{
	"Religion":  set("muslim muslims hindu hindus buddhist buddhists sikh sikhs jewish jews christian christians catholic catholics protestant protestants orthodox atheist atheists agnostic evangelisch katholisch muslimisch konfessionslos catholiques protestants musulmans catolicos protestantes musulmanes cattolici"), //nolint:misspell // words of other languages
	"Transport": set("tube bus buses car cars bike bikes bicycle train trains tram metro subway walk walking foot cycle cycling underground moped scooter auto bahn fahrrad voiture velo coche tren bici macchina treno"),
	"Fuel":      set("petrol diesel electric hybrid gas gasoline benzin elektro essence electrique gasolina electrico benzina elettrico"),
}

// listName names the axis of a list of unknown labels: by the heading before it, by
// the kind of its words, or by its words; "" where they need not exclude each other.
func (r *reader) listName(list []Figure, first int) string {
	lo := r.stated[first].lo
	if k := lo - 1; k >= 0 && (r.is(k, ":") || r.is(k, "-(") || r.toks[k].kind == newline) {
		for k >= 0 && r.toks[k].kind != word {
			k--
		}
		for q := k + 1; q > k-2 && q >= 0; q-- {
			for _, h := range r.ends[q] {
				if h.class == "ax" {
					return h.axis
				}
			}
		}
	}
	for _, axis := range slices.Sorted(maps.Keys(kindsOfLabel)) { // one order: a label may be of two kinds
		words, n := kindsOfLabel[axis], 0
		for _, f := range list {
			for w := range strings.FieldsSeq(fold(f.Label)) {
				if words[w] {
					n++
					break
				}
			}
		}
		if n > 0 && 2*n >= len(list) {
			return axis
		}
	}
	var labels []string
	verbs := 0
	for i, f := range list {
		if at := r.stated[first+i].lo; r.verbIn(at, r.stated[first+i].hi) {
			verbs++
		}
		if !negated[fold(f.Label)] {
			labels = append(labels, cut(f.Label, 30))
		}
	}
	if len(list) == 2 && len(labels) == 2 && verbs > 0 {
		a, _, _ := strings.Cut(list[0].Label, " ")
		b, _, _ := strings.Cut(list[1].Label, " ")
		if !strings.EqualFold(a, b) {
			return "" // "60 % own a dog, 40 % rent" are two things
		}
	}
	if len(labels) > 4 {
		labels = append(labels[:3], "others")
	}
	return capitalise(strings.Join(labels, " / "))
}

func (r *reader) verbIn(lo, hi int) bool {
	for k := lo; k < hi; k++ {
		if r.at(k, "verb", "own", "att", "who") > 0 && !copula[r.toks[k].norm] {
			return true
		}
	}
	return false
}

// tellApart gives figures that one label covers their own words: "33 % cardiologists,
// 33 % oncologists" are specialists both.
func (r *reader) tellApart() {
	type key struct{ axis, label, of string }
	words := map[key]map[string]bool{}
	for i, f := range r.out.Figures {
		k := key{f.Axis, f.Label, f.Of}
		if words[k] == nil {
			words[k] = map[string]bool{}
		}
		if w := fold(r.stated[i].words); w != "" {
			words[k][w] = true
		}
	}
	for i := range r.out.Figures {
		f := &r.out.Figures[i]
		if f.Axis == AxisGender || f.Axis == AxisAge || f.Axis == AxisGeography || r.stated[i].words == "" {
			continue
		}
		if len(words[key{f.Axis, f.Label, f.Of}]) > 1 {
			f.Label = capitalise(r.stated[i].words)
		}
	}
}

// splitOf reads "Gen Z and Millennials, split 50/50" and "70/30 city and country": the
// things that the parts a and b of tokens i to end are of. It gives where they end.
func (r *reader) splitOf(i, end int, a, b float64) int {
	type part struct {
		axis, label string
		lo, hi      int
	}
	at := func(k int) (part, bool) {
		if h := r.hit(k, "gen", "soft"); h != nil {
			return part{AxisAge, r.generation(h).label(), k, h.end}, true
		}
		if h := r.hit(k, "is", "occ", "ind", "sen", "buy", "firm", "dep", "subj", "lang"); h != nil {
			axis, label := r.segment(h)
			return part{axis, label, k, h.end}, true
		}
		if p := r.placeAt(k, true); p != nil {
			return part{AxisGeography, r.placeOf(p).Name, k, p.end}, true
		}
		if s, lo, hi, ok := r.ageExpr(k, true); ok {
			return part{AxisAge, s.label(), lo, hi}, true
		}
		return part{}, false
	}
	find := func(lo, hi int) []part {
		var out []part
		for k := max(lo, 0); k < hi && k < len(r.toks); k++ {
			if !r.same(k, i) {
				continue
			}
			if p, ok := at(k); ok && p.hi <= hi && !r.taken(p.lo, p.hi, byFigure, byExclusion) {
				out = append(out, p)
				k = p.hi - 1
			}
		}
		return out
	}
	pair := func(ps []part, back bool) (part, part, bool) {
		for n := range ps {
			k := n
			if back {
				k = len(ps) - 2 - n
			}
			if k >= 0 && k+1 < len(ps) && ps[k].axis == ps[k+1].axis && ps[k].label != ps[k+1].label && ps[k+1].lo-ps[k].hi <= 3 {
				return ps[k], ps[k+1], true
			}
		}
		return part{}, part{}, false
	}
	x, y, ok := pair(find(i-14, i), true)
	if !ok {
		x, y, ok = pair(find(end, end+8), false)
	}
	if !ok {
		return 0
	}
	lo, hi := min(x.lo, i), max(y.hi, end)
	q := r.quote(lo, hi)
	if y.hi <= i { // everything between stays readable, but the two things are spoken for
		r.take(x.lo, x.hi, byFigure)
		r.take(y.lo, y.hi, byFigure)
		lo = i
	}
	r.words = ""
	r.state(Figure{Axis: x.axis, Label: x.label, Pct: a, Quote: q}, lo, end)
	r.state(Figure{Axis: y.axis, Label: y.label, Pct: b, Quote: q}, end, hi)
	if x.axis == AxisAge {
		r.agesOf(x.label, y.label, q)
	}
	return max(hi, end)
}

// agesOf bounds the ages to those of two groups that make up everybody.
func (r *reader) agesOf(a, b, quote string) {
	s, ok1 := parseSpan(a)
	t, ok2 := parseSpan(b)
	if !ok1 || !ok2 {
		return
	}
	all := span{min(s.min, t.min), max(s.max, t.max)}
	if s.max == 0 || t.max == 0 {
		all.max = 0
	}
	r.ages = append(r.ages, ageClaim{span: all, lo: -1, hi: -1, quote: quote, barred: true})
}
