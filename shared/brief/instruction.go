package brief

// readInstruction classifies an adjustment (M-143).
func readInstruction(text string, of Brief) (in Instruction) {
	r := newReader(text, referenceYear)
	r.read()
	in.Figures = r.out.Figures
	defer func() { in.Brief = *r.out }()
	for _, f := range r.out.Figures {
		in.Axes = appendNew(in.Axes, f.Axis)
	}
	for _, a := range r.out.Axes {
		in.Axes = appendNew(in.Axes, a.Axis)
	}
	if n, ok := r.addition(); ok {
		in.Reach, in.Add = ReachAdditive, n
		return in
	}
	if axes := r.distributionAsked(); len(axes) > 0 || len(r.out.Figures) > 0 {
		for _, a := range axes {
			in.Axes = appendNew(in.Axes, a)
		}
		in.Reach = ReachComposition
		return in
	}
	if what := r.replaces(of); what != "" {
		in.Reach, in.Replaces = ReachPivot, what
		return in
	}
	in.Reach = ReachTrait
	for _, t := range r.out.Traits {
		in.Axes = appendNew(in.Axes, t.Axis)
	}
	return in
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
		if e == 0 {
			continue
		}
		for j := e; j < len(r.toks) && j < e+6; j++ {
			if _, _, ok := r.percentAt(j); ok {
				return 0, false
			}
			if r.at(j, "add", "article", "fn") > 0 && r.toks[j].kind == word {
				if _, _, ok := r.number(j); !ok {
					continue
				}
			}
			v, k, ok := r.number(j)
			if !ok || v != float64(int(v)) || v > mostPeople {
				continue
			}
			if r.at(k, "year") > 0 && r.peopleAfter(k) == 0 || r.at(k, "pct") > 0 {
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
	return 0, false
}

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
