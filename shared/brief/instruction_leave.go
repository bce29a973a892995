package brief

import (
	"slices"
	"strings"
)

// Limit is a share that is a bound: at most, or at least, so many.
type Limit struct {
	Figure
	Least bool // at least; else at most
}

// what can be said in place of what cannot be done
const (
	sayShares  = "Write the share that there is to be, for example \"60 % women\", \"30 % from Berlin\" or \"20 % aged 25 to 34\""
	sayLeaving = "Say in one instruction whom to leave out by one thing that they are, for example \"exclude Bavaria\", \"no men\" or \"nobody over 40\", or write a share, for example \"0 % unemployed\""
)

// wording are the words of a text that no brief has, and what they ask for.
type wording struct {
	r     *reader
	words []meant
}

func (r *reader) wording() wording {
	w := wording{r: r}
	for _, m := range r.adjusting() {
		if !r.within(m) {
			w.words = append(w.words, m)
		}
	}
	return w
}

// within tells whether a word is part of a longer thing that the rules know: the
// "not" of "not employed", the "higher" of "higher education".
func (r *reader) within(m meant) bool {
	for i := max(0, m.lo-3); i <= m.lo; i++ {
		for _, h := range r.hits[i] {
			switch h.class {
			case "is", "occ", "ind", "sen", "dep", "firm", "subj", "cond", "noun":
				if h.start <= m.lo && h.end >= m.hi && h.end-h.start > m.hi-m.lo {
					return true
				}
			}
		}
	}
	return false
}

func (w wording) first(classes ...string) *meant {
	for i := range w.words {
		if slices.Contains(classes, w.words[i].class) {
			return &w.words[i]
		}
	}
	return nil
}

// limits are the shares that are bounds; they are no shares any more.
func (w wording) limits(figures []Figure) (exact []Figure, bounds []Limit) {
	r := w.r
	for _, f := range figures {
		lo, hi := r.span(f.Quote)
		bound := ""
		for _, m := range w.words {
			if m.class != atMost && m.class != atLeast || lo < 0 {
				continue
			}
			before := m.hi <= hi && m.hi >= lo-1 && !r.markBetween(min(m.hi, lo), max(m.hi, lo))
			after := m.lo == hi || m.lo == hi+1 && r.is(hi, ",")
			if before && m.lo <= lo || before && m.lo <= lo+2 || after {
				bound = m.class
			}
		}
		if bound == "" {
			exact = append(exact, f)
			continue
		}
		bounds = append(bounds, Limit{f, bound == atLeast})
	}
	return exact, bounds
}

// span are the tokens of a quote; -1 where it does not stand in the text.
func (r *reader) span(quote string) (lo, hi int) {
	at := strings.Index(r.text, quote)
	if at < 0 || quote == "" {
		return -1, -1
	}
	lo, hi = -1, -1
	for i, t := range r.toks {
		if t.start >= at && lo < 0 {
			lo = i
		}
		if t.end <= at+len(quote) {
			hi = i + 1
		}
	}
	return lo, hi
}

// turning are words after which another wish begins.
var turning = set("only just keep move make use instead but now become becoming should must nur aber sondern behalte statt jetzt mach mache seulement mais garde gardez maintenant solo pero mantén manten ahora ma tieni só mas agora maar alleen houd nu bara tylko ale")

// leaving reads whom an adjustment leaves out; refused says why it cannot be done.
// ok is false when it leaves out nobody.
func (w wording) leaving(figures []Figure) (without *Brief, refused string, ok bool) {
	r := w.r
	m := w.first(takesAway, leavesOut, spares)
	if m == nil {
		m = w.first(denies)
	}
	if m == nil {
		return nil, "", false
	}
	if len(figures) > 0 { // "drop the women to 30 %", "women down to 30 %"
		if m.class == takesAway && (r.text[r.toks[m.lo].start:r.toks[m.hi-1].end] == "drop" || r.text[r.toks[m.lo].start:r.toks[m.hi-1].end] == "cut") && !w.only(m) {
			return nil, "", false
		}
		return nil, "leaves somebody out and names a share. Send one instruction for each, for example \"no men\", then \"30 % from Berlin\"", true
	}
	if spare := w.first(spares); spare != nil && w.first(takesAway, leavesOut, denies) != nil {
		return nil, "leaves out all but some. Say who is to be there, for example \"only women\" or \"only people aged 30 to 40\"", true
	}
	before, after := r.part(0, m.lo), r.rest(m.hi)
	last := w.words[len(w.words)-1]
	trails := false
	final := m.hi >= len(r.toks) || !hasLetterOrDigit(r.text[r.toks[m.hi-1].end:])
	if final || last.class == takesAway && !hasLetterOrDigit(r.text[r.toks[last.hi-1].end:]) { // "nimm 2 Männer raus", "男性を除外"
		after, before, trails = before+" "+after, "", true
	}
	for i := m.hi; i < len(r.toks); i++ {
		if turning[r.toks[i].norm] && m.class != denies {
			return nil, "says whom to leave out and something else besides. Send one instruction for each", true
		}
	}
	if ahead := readAs(before, r.lang, r.year); ahead.says() {
		if m.class == denies && !ahead.out.standsFor() {
			return nil, "", false // "they do not own a car": what all do not do
		}
		return nil, "says who is to be there and who is not. Send one instruction for each, first who is to be there, for example \"nurses in Spain\", then \"nobody over 40\"", true
	}
	gone := readAs(after, r.lang, r.year)
	b := gone.out
	gone.bareAge()
	if axes := b.axesSaid(); len(axes) > 1 { // words around who is meant are no group of people
		b.Traits = slices.DeleteFunc(b.Traits, func(t Trait) bool { return t.Axis == "Group" })
	}
	if _, adds := gone.addition(); adds && !trails {
		return nil, "leaves somebody out and adds people. Send one instruction for each", true
	}
	if b.Size != nil || gone.counted() {
		return nil, "takes a number of members away. A recalibration removes nobody, for Studies, shares and chats hold on to them. To take members out of the Audience use manage_audience; to have fewer of somebody, write the share, for example \"40 % men\"", true
	}
	if b.Age != nil && b.Age.Max == 0 && gone.strict(b.Age.Quote) {
		b.Age.Min++ // who is 40 is not over 40
	}
	switch axes := b.axesSaid(); {
	case len(axes) == 1:
		return b, "", true
	case len(axes) > 1:
		return nil, "leaves out people who are several things at once (" + strings.Join(axes, ", ") + "). " + sayLeaving, true
	case m.class == denies:
		return nil, "", false
	}
	if rest := strings.Trim(strings.TrimSpace(after), " .!,;"); hasLetter(rest) {
		return &Brief{Text: rest}, "", true // perhaps a segment's own name
	}
	return nil, UnreadLeaving, true
}

// UnreadLeaving is why nothing can be done when it is not plain who is left out.
const UnreadLeaving = "leaves out somebody, and it could not be read whom. " + sayLeaving

// bareAge reads "all over 40" as ages where the words say of what 40 is nothing.
func (r *reader) bareAge() {
	if r.says() {
		return
	}
	for i := range r.toks {
		h := r.hit(i, "over", "under")
		if h == nil {
			continue
		}
		v, k, ok := r.number(h.end)
		if !ok || v != float64(int(v)) || v < 10 || v > 110 || k < len(r.toks) && r.toks[k].kind != mark && r.toks[k].kind != newline {
			continue
		}
		r.out.Size = nil
		r.take(i, k, byAge)
		r.out.Age = &AgeRange{Min: int(v), Quote: r.quote(i, k)}
		if h.class == "under" {
			r.out.Age.Min, r.out.Age.Max = 0, int(v)-1
		}
		return
	}
}

// strict tells whether a lower bound of ages leaves out its own year: "over 40", and
// not "40 and over".
func (r *reader) strict(quote string) bool {
	lo, hi := r.span(quote)
	over := false
	for i := max(lo, 0); i < hi; i++ {
		if r.hit(i, "min", "older") != nil || r.is(i, "+≥") {
			return false
		}
		over = over || r.hit(i, "over") != nil
	}
	return over
}

// only tells whether a word is the last of the words of an adjustment.
func (w wording) only(m *meant) bool { return len(w.words) == 1 && len(w.r.toks) == m.hi }

func hasLetterOrDigit(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool {
		return c > 127 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	})
}

// part is the text of tokens lo to hi.
func (r *reader) part(lo, hi int) string {
	if lo >= hi || lo >= len(r.toks) {
		return ""
	}
	return r.text[r.toks[lo].start:r.toks[hi-1].end]
}

// rest is the text from a token on, without the words that take away or deny.
func (r *reader) rest(from int) string {
	var out strings.Builder
	at := from
	for _, m := range r.adjusting() {
		if m.lo < from || m.class != takesAway && m.class != leavesOut && m.class != denies || r.within(m) {
			continue
		}
		out.WriteString(r.part(at, m.lo) + " ")
		at = m.hi
	}
	out.WriteString(r.part(at, len(r.toks)))
	return out.String()
}

// readAs reads a part of a text in the language of the whole.
func readAs(text, lang string, year int) *reader {
	r := &reader{text: text, year: year, toks: tokens(text), out: &Brief{Text: text}}
	r.lang = lang
	if lang == "" {
		r.lang = r.language()
	}
	r.small = text == strings.ToLower(text)
	r.out.Language = r.lang
	r.match()
	r.sentences()
	r.read()
	if !r.says() { // "the Austrians", "Munich"
		for i := range r.place {
			if h := r.placeAt(i, true); h != nil && r.used[i] == free {
				r.out.Places = append(r.out.Places, r.placeOf(h))
			}
		}
	}
	return r
}

// says tells whether anything of a population was read.
func (r *reader) says() bool { return len(r.out.axesSaid()) > 0 || len(r.out.Figures) > 0 }

// standsFor tells whether words say who people are, and not what they do.
func (b *Brief) standsFor() bool {
	return b.Age != nil || len(b.Genders)+len(b.Places)+len(b.Roles) > 0
}

// axesSaid are the axes that words say something of.
func (b *Brief) axesSaid() []string {
	var out []string
	if b.Age != nil {
		out = append(out, AxisAge)
	}
	if len(b.Genders) > 0 {
		out = append(out, AxisGender)
	}
	if len(b.Places) > 0 {
		out = append(out, AxisGeography)
	}
	for _, t := range b.Roles {
		out = appendNew(out, t.Axis)
	}
	for _, t := range b.Traits {
		out = appendNew(out, t.Axis)
	}
	for _, t := range b.Excluded {
		out = appendNew(out, t.Axis)
	}
	return out
}

// counted tells whether a number of people stands there that was not read as the
// size of a population: "two of them", "5".
func (r *reader) counted() bool {
	for i := range r.toks {
		if v, k, ok := r.number(i); ok && v >= 1 && r.used[i] == free && r.at(k, "pct", "year") == 0 && r.before(i, 1, "over", "under", "min", "max") < 0 {
			return true
		}
	}
	return false
}
