package brief

// Tie binds a segment of one axis to one of another: "women aged 30-39 and men aged
// 40-49" are no women of 45.
type Tie struct {
	Axis, Label     string
	Target, Segment string
	Quote           string
}

// cells reads "women aged 30-39 and men aged 40-49, 50/50", where tokens i to end are
// the parts a and b: shares of both axes, and what belongs together. It gives end, or
// 0 where the words before it are no such two groups.
func (r *reader) cells(i, end int, a, b float64) int {
	type cell struct {
		g, lo, hi int
		gender    string
		span
	}
	var found []cell
	for k := max(r.sents[r.of[i]].lo, i-30); k < i; k++ {
		h := r.hit(k, "w", "m", "wadj", "madj")
		if h == nil || r.hit(k, "mw") != nil {
			continue
		}
		for q := h.end; q < min(i, h.end+6); q++ {
			if r.hit(q, "w", "m", "wadj", "madj") != nil {
				break
			}
			if s, lo, hi, ok := r.ageExpr(q, true); ok && hi <= i {
				found = append(found, cell{k, lo, hi, genderLabel(h.class), s})
				k = hi - 1
				break
			}
		}
	}
	if len(found) != 2 || found[0].gender == found[1].gender || found[0].span == found[1].span {
		return 0
	}
	q := r.quote(found[0].g, end)
	if found[0].min > found[1].min { // the younger first, as bands are listed
		found[0], found[1], a, b = found[1], found[0], b, a
	}
	r.words = ""
	for n, c := range found {
		pct := []float64{a, b}[n]
		r.state(Figure{Axis: AxisGender, Label: c.gender, Pct: pct, Quote: q}, c.g, c.hi)
		r.state(Figure{Axis: AxisAge, Label: c.label(), Pct: pct, Quote: q}, c.g, c.hi)
		r.out.Ties = append(r.out.Ties, Tie{AxisGender, c.gender, AxisAge, c.label(), r.quote(min(c.g, c.lo), c.hi)})
	}
	r.take(i, end, byFigure)
	r.agesOf(found[0].label(), found[1].label(), q)
	return end
}

// bearers finds shares of people who are of one gender by what they are beside shares
// of the other that leave no room for them: "100 % men, 100 % pregnant women".
func (r *reader) bearers() {
	need := map[string]Figure{}
	for i, f := range r.out.Figures {
		if f.Of != "" || f.Axis == AxisGender || r.stated[i].lo >= r.stated[i].hi {
			continue
		}
		for k := r.stated[i].lo; k < r.stated[i].hi; k++ {
			if h := r.hit(k, "mother", "father"); h != nil {
				if g := genderLabel(h.class); f.Pct > need[g].Pct {
					need[g] = f
				}
			}
		}
	}
	for _, g := range []string{"Woman", "Man"} {
		f, ok := need[g]
		if !ok {
			continue
		}
		for _, x := range r.out.Figures {
			if x.Axis != AxisGender || x.Of != "" {
				continue
			}
			if x.Label != g && x.Pct+f.Pct > 100.5 || x.Label == g && x.Pct+.5 < f.Pct {
				r.problem("“"+x.Quote+"” leaves no room for “"+f.Quote+"”. Lower one of the two shares.", x.Quote, f.Quote)
			}
		}
	}
}

// lifetimes are statuses that nobody has below an age.
var lifetimes = map[string]int{"Retired": 35, "Postgraduate": 20, "University degree": 18, "Married": 16, "Widowed": 16, "Divorced": 16, "Doctors": 22, "Lawyers": 21, "Veterans": 17}

// tooYoung finds statuses that the ages asked for cannot have.
func (r *reader) tooYoung() {
	b := r.out
	if b.Age == nil || b.Age.Max <= 0 {
		return
	}
	say := func(label, quote string) {
		if least := lifetimes[label]; least > 0 && b.Age.Max < least {
			r.problem("“"+quote+"” and “"+b.Age.Quote+"” exclude each other: nobody of that age is. Widen the ages, or drop one of the two.", quote, b.Age.Quote)
		}
	}
	for _, t := range b.Roles {
		say(t.Label, t.Quote)
	}
	for _, t := range b.Traits {
		if t.Required {
			say(t.Label, t.Quote)
		}
	}
}
