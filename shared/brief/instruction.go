package brief

// readInstruction classifies an adjustment (M-143). Words that take away, leave out,
// compare or swap are read before all others: none of them may end as the opposite of
// what it says, or as a trait by guess.
func readInstruction(text string, of Brief) (in Instruction) {
	r := newReader(text, referenceYear)
	r.read()
	w := r.wording()
	in.Brief = *r.out
	var bounds []Limit
	in.Figures, bounds = w.limits(r.out.Figures)
	add, adds := r.addition()
	if to, refused, ok := w.swapping(of); ok && !adds {
		if refused != "" {
			return refusal(in, refused)
		}
		r = to
		w = r.wording()
		in.Brief, in.Figures, bounds = *r.out, r.out.Figures, nil
	}
	without, refused, leaves := w.leaving(r.out.Figures)
	switch {
	case refused != "" && adds && len(r.out.Figures) == 0 && w.first(takesAway) == nil:
		return refusal(in, sayWho)
	case refused != "":
		return refusal(in, refused)
	case leaves && adds && w.first(takesAway) == nil:
		return refusal(in, sayWho)
	case leaves && adds:
		return refusal(in, "leaves somebody out and adds people. Send one instruction for each, first whom to leave out")
	case leaves:
		in.Reach, in.Without = ReachComposition, without
		in.Axes = without.axesSaid()
		in.Brief = Brief{Text: text, Language: r.out.Language}
		return in
	}
	in.Brief.Figures = in.Figures
	for _, f := range in.Figures {
		in.Axes = appendNew(in.Axes, f.Axis)
	}
	for _, b := range bounds {
		in.Axes = appendNew(in.Axes, b.Axis)
	}
	for _, a := range r.out.Axes {
		in.Axes = appendNew(in.Axes, a.Axis)
	}
	switch {
	case adds && len(bounds) > 0:
		return refusal(in, "sets a bound and adds people. Send one instruction for each")
	case adds:
		in.Reach, in.Add = ReachAdditive, add
		in.Brief.Population = r.unled(in.Brief.Population)
		return in
	case w.byHowMuch(r.out.Figures):
		return refusal(in, "says by how much a share changes, not what it is to be. "+sayShares)
	case len(in.Figures)+len(bounds) == 0 && w.comparing():
		return refusal(in, "wants more or less of something and does not say how much. "+sayShares+", or whom to add, for example \"add 5 from Berlin\"; what all are from now on is said plainly, for example \"they are all sceptical of brands\"")
	}
	if len(in.Figures)+len(bounds) == 0 && r.widens() {
		return refusal(in, "wants others beside those who are there, and does not say how many. "+sayShares+", or whom to add, for example \"add 10 men\"")
	}
	if axes := r.distributionAsked(); len(axes) > 0 || len(in.Figures)+len(bounds) > 0 {
		for _, a := range axes {
			in.Axes = appendNew(in.Axes, a)
		}
		in.Reach, in.Limits = ReachComposition, bounds
		return in
	}
	if !r.says() { // "they are all over 30"
		r.bareAge()
	}
	what := r.replaces(of)
	in.Brief = *r.out
	in.Brief.Population = r.unled(in.Brief.Population)
	if what != "" {
		in.Reach, in.Replaces = ReachPivot, what
		return in
	}
	if r.strange() {
		return refusal(in, "holds no word that is known here, so that it cannot be told what is to change. "+sayShares+"; what all are from now on is said in a sentence, for example \"they are all guitarists\"")
	}
	in.Reach = ReachTrait
	for _, t := range r.out.Traits {
		in.Axes = appendNew(in.Axes, t.Axis)
	}
	return in
}

// unled is a population without the words that ask for it: "add 10", "now all".
func (r *reader) unled(population string) string {
	p := readAs(population, r.lang, r.year)
	i := 0
	for i < len(p.toks) {
		if e := p.at(i, "add", "more", "article", "fn", "ask", "makeverb", "instead", "all", "addpost"); e > 0 {
			i = e
			continue
		}
		if _, e, ok := p.number(i); ok {
			i = e
			continue
		}
		break
	}
	hi := len(p.toks)
	for hi > i && (p.toks[hi-1].kind == mark || p.at(hi-1, "instead", "addpost", "more") == hi) {
		hi--
	}
	if i >= hi {
		return population
	}
	return p.part(i, hi)
}

const sayWho = "adds people and says who they are not. Say who they are, for example \"add 10 women aged 25 to 34 from Austria\""

// widens tells whether a text wants others too: "not only parents".
func (r *reader) widens() bool {
	for i := range r.toks {
		if r.at(i, "notonly") > 0 {
			return true
		}
	}
	return false
}

// strange reports a text in Latin letters of which no word means anything to the
// reader, not even the small ones that tell a language.
func (r *reader) strange() bool {
	words := 0
	for i, t := range r.toks {
		if len(r.hits[i]) > 0 || len(r.place[i]) > 0 || t.kind == number {
			return false
		}
		for _, c := range t.norm {
			if c > 0x24f {
				return false
			}
		}
		if t.kind == word {
			words++
		}
	}
	return words > 0
}

// refusal is an instruction that nothing can be done with.
func refusal(in Instruction, why string) Instruction {
	return Instruction{Reach: ReachTrait, Refused: why, Brief: Brief{Text: in.Brief.Text, Language: in.Brief.Language}}
}

func appendNew(list []string, s string) []string {
	for _, o := range list {
		if o == s {
			return list
		}
	}
	return append(list, s)
}

// addition reads "add 10 more from Austria": a verb of adding, a number, people.
func (r *reader) addition() (int, bool) {
	for i := range r.toks {
		e := r.at(i, "add")
		if e == 0 && including[r.toks[i].norm] {
			if _, _, ok := r.number(i + 1); ok {
				e = i + 1
			}
		}
		if e == 0 || e < len(r.toks) && than[r.toks[e].norm] && r.toks[e].norm != "a" && r.toks[e].norm != "an" { // "more than 30 hours"
			continue
		}
		for j := e; j < len(r.toks) && j < e+6; j++ {
			if _, _, ok := r.percentAt(j); ok {
				return 0, false
			}
			few := r.toks[j].norm == "one" || unit[r.toks[j].norm] && r.hit(j+1, "occ", "people", "w", "m", "is") != nil && r.hit(j+1, "ax") == nil
			if !few && r.at(j, "add", "article", "fn") > 0 && r.toks[j].kind == word {
				if _, _, ok := r.number(j); !ok {
					continue
				}
			}
			v, k, ok := r.number(j)
			if !ok && (few || nought[r.toks[j].norm]) && r.at(j, "pct") == 0 {
				v, k, ok = 0, j+1, true
				if few {
					v = 1
				}
			}
			if !ok || v != float64(int(v)) || v > mostPeople {
				continue
			}
			if r.at(k, "year", "unit") > 0 && r.peopleAfter(k) == 0 || r.at(k, "pct") > 0 {
				return 0, false
			}
			return int(v), true
		}
		// "add more Austrians": people, but how many is not said
		if h := r.near(e, 4, "people", "w", "m", "is", "occ", "mother", "father", "noun", "adult"); h != nil && r.near(e, 6, "adddist", "ax") == nil {
			if r.at(e, "add") > 0 || r.hit(i, "add").end > i+1 || r.at(e, "some") > 0 {
				return 0, true
			}
		}
	}
	// "10 more from Austria", "10 weitere aus Österreich", "再加10人": the number first
	for i := range r.toks {
		if v, k, ok := r.number(i); ok && v == float64(int(v)) && v <= mostPeople && v > 0 {
			if r.at(k, "more") > 0 || r.at(k, "counter") > 0 && r.at(r.at(k, "counter"), "more", "add") > 0 || r.peopleAfter(k) > 0 && r.at(r.peopleAfter(k), "more", "add") > 0 || r.near(k, 8, "addpost") != nil && r.at(k, "pct") == 0 {
				if r.at(k, "pct") == 0 && r.at(k, "year") == 0 {
					return int(v), true
				}
			}
		}
	}
	return 0, r.onlyAdds()
}

// onlyAdds tells whether a text begins with a verb of adding and asks for no axis and
// no share: people are to be added, and how many is not said.
func (r *reader) onlyAdds() bool {
	for i := range r.toks {
		if _, _, ok := r.percentAt(i); ok || r.hit(i, "ax") != nil || r.hit(i, "adddist") != nil && !adding[r.toks[i].norm] {
			return false
		}
	}
	i := 0
	for i < len(r.toks) && (r.at(i, "ask") > i || r.toks[i].kind == mark) {
		i = max(r.at(i, "ask"), i+1)
	}
	return i < len(r.toks) && adding[r.toks[i].norm]
}

var (
	including = set("include including nehmt nimm incluez incluye incluya includi inclua")
	adding    = set("add append recruit fuge erganze ajoute ajouter ajoutez rajoute rajoutez anade anadir agrega agregar aggiungi aggiungere adicione adicionar voeg dodaj lagg")
)

// words for no one, and for one
var (
	nought = set("zero no none null keine keinen zéro zero cero ningún nessuno nul")
	unit   = set("one a an ein eine einen un une una uno um uma een")
)

// distributionAsked gives the axes of "add an income axis", "balance by region".
func (r *reader) distributionAsked() []string {
	var out []string
	asked := false
	for i := range r.toks {
		if r.at(i, "adddist", "mix", "by") > 0 {
			asked = true
		}
	}
	for i := range r.toks {
		if h := r.hit(i, "ax"); h != nil && asked {
			out = appendNew(out, h.axis)
		}
	}
	// "more women", "fewer men", "mostly women": the balance, not who is eligible
	for i := range r.toks {
		if p := r.before(i, 1, "more", "fewer", "mostly"); p >= 0 {
			if h := r.hit(i, "w", "m", "wadj", "madj", "is", "occ", "gen", "soft", "demonym"); h != nil {
				axis, _ := r.segment(h)
				if h.class == "gen" || h.class == "soft" {
					axis = AxisAge
				}
				if axis != "" {
					out = appendNew(out, axis)
				}
			}
		}
	}
	return out
}

// replaces says what of the old population the instruction puts another in place of.
func (r *reader) replaces(of Brief) string {
	r.allOf()
	b := r.out
	for _, p := range b.Places {
		same := false
		for _, q := range of.Places {
			if q.Name == p.Name && q.Kind == p.Kind {
				same = true
			}
		}
		if !same {
			return "place"
		}
	}
	for i := range r.place { // "make them Austrian"
		if h := r.placeAt(i, true); h != nil && h.class == "demonym" && (h.end >= len(r.toks) || r.toks[h.end].kind == mark || r.toks[h.end].kind == newline) {
			other := true
			for _, q := range of.Places {
				other = other && q.Country != h.label
			}
			if other {
				b.Places = append(b.Places, r.placeOf(h))
				return "place"
			}
		}
	}
	for _, t := range b.Roles {
		if !population0[t.Axis] {
			continue
		}
		same := false
		for _, q := range of.Roles {
			if q.Canonical == t.Canonical {
				same = true
			}
		}
		if !same && (t.Axis == AxisOccupation || len(of.Roles) > 0 || r.replaced()) {
			return "role"
		}
	}
	if len(b.Genders) > 0 && !equal(b.Genders, of.Genders) {
		return "gender"
	}
	if b.Age != nil && (of.Age == nil || b.Age.Min != of.Age.Min || b.Age.Max != of.Age.Max) {
		return "age"
	}
	return ""
}

// allOf takes who all are for who is meant: "now all nurses".
func (r *reader) allOf() {
	var traits []Trait
	for _, t := range r.out.Traits {
		lo, hi := r.span(t.Quote)
		if lo >= 0 && !t.Required && everyone[r.toks[lo].norm] && population0[t.Axis] {
			for i := lo; i < hi; i++ {
				if h := r.hit(i, "is", "occ"); h != nil && h.axis == t.Axis {
					r.out.Roles = append(r.out.Roles, Term{Label: t.Label, Canonical: slug(t.Label), Axis: t.Axis, Quote: r.quote(h.start, h.end)})
					break
				}
			}
			continue
		}
		traits = append(traits, t)
	}
	r.out.Traits = traits
}

var everyone = set("all alle tous toutes todos todas tutti tutte allen wszyscy alla everyone everybody only")

// population0 are axes whose segments are populations by themselves.
var population0 = map[string]bool{AxisOccupation: true, AxisEmployment: true, AxisParents: true, AxisCareRole: true, AxisStudyLevel: true, AxisVoter: true}

func (r *reader) replaced() bool {
	for i := range r.toks {
		if r.at(i, "instead") > 0 {
			return true
		}
	}
	return false
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
