package grounding

import "slices"

// relations finds what must hold between segments by the meaning of the words
// alone. A rule that is only likely is none: it would forbid real people.
func relations(all []Distribution) []Relation {
	var out []Relation
	axis := func(match func(Distribution) bool) *Distribution {
		for i := range all {
			if match(all[i]) {
				return &all[i]
			}
		}
		return nil
	}
	of := func(key string) *Distribution {
		return axis(func(d Distribution) bool { return d.Dimension == key })
	}
	excludes := func(from *Distribution, segment string, to *Distribution, match func(string) bool, why string) {
		if to == nil {
			return
		}
		var targets []string
		for _, s := range to.Distribution {
			if match(s.Label) {
				targets = append(targets, s.Label)
			}
		}
		if len(targets) == 0 || len(targets) == len(to.Distribution) {
			return // nothing to forbid, or nothing left to be
		}
		out = append(out, Relation{Type: "excludes", Distribution: from.Name, Segment: segment, Target: to.Name, TargetSegments: targets, Kind: "definitional", SourceIdx: -1, Justification: why})
	}
	words := func(list ...string) func(string) bool {
		return func(label string) bool { return slices.Contains(list, fold(label)) }
	}
	if age := of(DimAge); age != nil {
		for _, s := range age.Distribution {
			b, ok := parseBand(s.Label)
			if !ok {
				continue
			}
			if b.to < 15 {
				excludes(age, s.Label, of(DimEmployment), words("employed", "unemployed", "self employed", "retired"), "Labour statistics count people from 15.")
			}
			if b.to < 16 {
				excludes(age, s.Label, of("marital_status"), words("married", "widowed", "divorced", "separated"), "Nobody under 16 is counted as having married.")
				excludes(age, s.Label, of(DimEducation), words(fold(EducationHigh), "bachelor", "bachelors degree", "master", "doctorate", "university degree"), "Nobody under 16 is counted as holding a degree.")
			}
		}
	}
	if size := of(DimHousehold); size != nil {
		for _, s := range size.Distribution {
			if f := fold(s.Label); f == "1" || f == "1 person" || f == "one person" {
				excludes(size, s.Label, of("children_in_household"), func(l string) bool {
					f := fold(l)
					return f == "yes" || f == "1" || f == "2" || f == "3" || f == "1 child" || f == "2 children" || f == "3 or more children"
				}, "A household of one holds no child.")
			}
		}
	}
	if parents := of("parental_status"); parents != nil {
		for _, s := range parents.Distribution {
			if f := fold(s.Label); f == "no children" || f == "not parents" || f == "childless" {
				excludes(parents, s.Label, of("number_of_children"), func(l string) bool { return fold(l) != "0" && fold(l) != "none" }, "Who has no children has none of any number.")
			}
		}
	}
	return out
}

// ties are the relations that the brief states itself: "women aged 30-39 and men aged
// 40-49".
func (c *composer) ties(all []Distribution) []Relation {
	var out []Relation
	has := func(axis, label string) bool {
		return slices.ContainsFunc(all, func(d Distribution) bool {
			return d.Name == axis && slices.ContainsFunc(d.Distribution, func(s Share) bool { return s.Label == label })
		})
	}
	for _, t := range c.in.Brief.Ties {
		if has(t.Axis, t.Label) && has(t.Target, t.Segment) {
			out = append(out, Relation{Type: "subset", Distribution: t.Axis, Segment: t.Label, Target: t.Target, TargetSegments: []string{t.Segment}, Kind: "source", SourceIdx: c.shelf.brief(c.in.Brief.Text), Quote: t.Quote, Justification: "The brief says “" + cut(t.Quote, 80) + "”."})
		}
	}
	return out
}

// attachRelations writes relations into the distributions that they start from,
// in the contract's shape.
func attachRelations(all []Distribution, relations []Relation) {
	for _, r := range relations {
		for i := range all {
			if all[i].Name != r.Distribution {
				continue
			}
			all[i].SegmentRelations = append(slices.Clone(all[i].SegmentRelations), map[string]any{
				"type": r.Type, "segment": r.Segment, "targetDistribution": r.Target, "targetSegments": r.TargetSegments,
				"evidence": map[string]any{"kind": r.Kind, "sourceIdx": r.SourceIdx, "justification": r.Justification},
			})
		}
	}
}
