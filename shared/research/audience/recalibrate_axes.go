package audience

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// briefOf reads the brief of an Audience with its adjustments, in the order in
// which they were made.
func (s *Service) briefOf(ctx context.Context, a Audience) (brief.Brief, error) {
	b := brief.Brief{}
	for _, rec := range a.Sources {
		if rec.Kind != SourceBrief && rec.Kind != SourceAdjustment {
			continue
		}
		whole, err := s.SourceText(ctx, rec)
		if err != nil {
			return b, err
		}
		if rec.Kind == SourceBrief {
			b = brief.Read(whole)
		} else {
			b = adjusted(b, brief.ReadInstruction(whole, b))
		}
	}
	return b, nil
}

// adjusted is a brief with an instruction in force. One that adds people says
// nothing of those who are there.
func adjusted(b brief.Brief, in brief.Instruction) brief.Brief {
	if in.Reach == brief.ReachAdditive {
		return b
	}
	if in.Without != nil {
		return less(b, *in.Without, in.Brief.Text)
	}
	if in.Reach == brief.ReachComposition {
		return weighed(b, in.Brief)
	}
	if in.Reach == brief.ReachTrait { // it holds for everybody
		in.Brief.Traits = slices.Clone(in.Brief.Traits)
		for i := range in.Brief.Traits {
			in.Brief.Traits[i].Required = true
		}
	}
	return over(b, in.Brief)
}

// weighed is a brief with the shares and axes of an instruction that is about
// nothing else: "40 % from Bavaria" moves nobody to Bavaria.
func weighed(b, words brief.Brief) brief.Brief {
	was := b
	set := map[string]bool{}
	for _, f := range words.Figures {
		set[f.Axis] = true
	}
	b.Figures = append(slices.DeleteFunc(slices.Clone(b.Figures), func(f brief.Figure) bool { return set[f.Axis] }), words.Figures...)
	// What all had to be gives way where shares are stated.
	b.Traits = slices.DeleteFunc(slices.Clone(b.Traits), func(t brief.Trait) bool { return set[t.Axis] })
	b.Axes = append(slices.Clone(b.Axes), words.Axes...)
	b.Topics = append(slices.Clone(b.Topics), words.Topics...)
	b.Text = strings.TrimSpace(b.Text + "\n" + words.Text)
	b.Size, b.Contradictions = nil, nil
	b.Population = restated(b.Population, was, b)
	return b
}

// vague tells whether an instruction wants more or fewer of somebody without
// saying how many.
func vague(in brief.Instruction) bool {
	if in.Reach != brief.ReachComposition || len(in.Figures) > 0 {
		return false
	}
	w := in.Brief
	for _, axis := range in.Axes {
		switch {
		case axis == brief.AxisGender && len(w.Genders) > 0, axis == brief.AxisAge && w.Age != nil, axis == brief.AxisGeography && len(w.Places) > 0:
			return true
		}
		for _, t := range w.Roles {
			if t.Axis == axis {
				return true
			}
		}
		for _, t := range w.Traits {
			if t.Axis == axis {
				return true
			}
		}
	}
	return false
}

// over puts what new words say over a brief: a place, an age, a gender, a role
// gives way to another, shares and traits of an axis to those of the same axis.
func over(b, words brief.Brief) brief.Brief {
	was := b
	gone := map[string]bool{}
	if len(words.Places) > 0 {
		b.Places = words.Places
		gone[brief.AxisGeography] = true
	}
	if words.Age != nil {
		b.Age = words.Age
		gone[brief.AxisAge] = true
	}
	if len(words.Genders) > 0 {
		b.Genders, b.GenderQuotes = words.Genders, words.GenderQuotes
		gone[brief.AxisGender] = true
	}
	if len(words.Roles) > 0 {
		b.Roles, b.Population = words.Roles, strings.TrimLeft(words.Population, "0123456789 ")
		for _, t := range words.Roles {
			gone[t.Axis] = true
		}
	}
	if words.Firm != nil {
		b.Firm = words.Firm
	}
	for _, f := range words.Figures {
		gone[f.Axis] = true
	}
	b.Figures = append(slices.DeleteFunc(slices.Clone(b.Figures), func(f brief.Figure) bool { return gone[f.Axis] }), words.Figures...)
	traits := slices.Clone(b.Traits)
	for _, t := range words.Traits {
		traits = slices.DeleteFunc(traits, func(o brief.Trait) bool {
			return o.Axis == t.Axis && o.Axis != brief.AxisBehaviour && o.Axis != brief.AxisAttitude
		})
	}
	b.Traits = append(traits, words.Traits...)
	b.Axes = append(slices.Clone(b.Axes), words.Axes...)
	b.Excluded = append(slices.Clone(b.Excluded), words.Excluded...)
	b.Topics = append(slices.Clone(b.Topics), words.Topics...)
	b.Text = strings.TrimSpace(b.Text + "\n" + words.Text) // every quote stands in it
	b.Size, b.Contradictions = nil, nil
	if len(words.Roles) == 0 {
		b.Population = restated(was.Population, was, b)
	}
	return b
}

// keyOf is the dimension of an axis.
func keyOf(d grounding.Distribution) string {
	if d.Dimension != "" {
		return d.Dimension
	}
	return grounding.DimensionOf(d.Name)
}

// replaced is a composition in which the named axes are those of another one,
// whatever their evidence; all others are left byte for byte. missing are the
// names that the other does not have either.
func replaced(old, fresh grounding.Composed, axes []string) (out grounding.Composed, missing []string) {
	keys := map[string]bool{}
	for _, name := range axes {
		key := ""
		for _, d := range fresh.Distributions {
			if strings.EqualFold(d.Name, name) || keyOf(d) == grounding.DimensionOf(name) {
				key = keyOf(d)
			}
		}
		if key == "" {
			missing = append(missing, name)
			continue
		}
		keys[key] = true
	}
	// Merge takes the stronger evidence: where the caller decided, nothing of the
	// old one counts.
	old.Coverage.Dimensions = slices.Clone(old.Coverage.Dimensions)
	for i, d := range old.Coverage.Dimensions {
		if keys[d.Key] {
			old.Coverage.Dimensions[i].Status = grounding.Missing
		}
	}
	fresh.Coverage.Dimensions = slices.DeleteFunc(slices.Clone(fresh.Coverage.Dimensions), func(d grounding.Dimension) bool { return !keys[d.Key] })
	for key := range keys { // an axis that is none of the dimensions known
		if !slices.ContainsFunc(fresh.Coverage.Dimensions, func(d grounding.Dimension) bool { return d.Key == key }) {
			i := slices.IndexFunc(fresh.Distributions, func(d grounding.Distribution) bool { return keyOf(d) == key })
			d := fresh.Distributions[i]
			fresh.Coverage.Dimensions = append(fresh.Coverage.Dimensions, grounding.Dimension{Key: key, Name: d.Name, Status: d.Status, Reason: d.Reason})
		}
	}
	slices.SortFunc(fresh.Coverage.Dimensions, func(a, b grounding.Dimension) int { return strings.Compare(a.Key, b.Key) })
	fresh.Flagged, fresh.Relations = nil, nil
	return grounding.Merge(old, fresh), missing
}

// setFigures holds shares that the caller states to the letter: an axis that does
// not show them after composing is set, its other segments in their proportion.
func setFigures(c *grounding.Composed, figures []brief.Figure) {
	c.Distributions = slices.Clone(c.Distributions)
	byAxis := map[string]map[string]float64{}
	for _, f := range figures {
		if f.Of != "" {
			continue
		}
		if byAxis[f.Axis] == nil {
			byAxis[f.Axis] = map[string]float64{}
		}
		byAxis[f.Axis][strings.ToLower(f.Label)] = f.Pct
	}
	for i, d := range c.Distributions {
		stated := byAxis[d.Name]
		if stated == nil {
			continue
		}
		named, others := 0.0, 0.0
		right := true
		for _, s := range d.Distribution {
			if p, ok := stated[strings.ToLower(s.Label)]; ok {
				named += p
				right = right && math.Abs(p-s.Pct) < 0.05
			} else {
				others += s.Pct
			}
		}
		if right || named > 100 {
			continue
		}
		d.Distribution = slices.Clone(d.Distribution)
		for k, s := range d.Distribution {
			if p, ok := stated[strings.ToLower(s.Label)]; ok {
				d.Distribution[k].Pct = p
			} else if others > 0 {
				d.Distribution[k].Pct = s.Pct / others * (100 - named)
			}
		}
		c.Distributions[i] = d
	}
}

// keepOthers puts stated shares into the axes as they were: the other segments
// keep their proportion, their labels and their sources, so that only those who
// must change do.
func keepOthers(c *grounding.Composed, old grounding.Composed, figures []brief.Figure) {
	c.Distributions = slices.Clone(c.Distributions)
	for i, d := range c.Distributions {
		at := slices.IndexFunc(old.Distributions, func(o grounding.Distribution) bool { return o.Name == d.Name })
		if at < 0 {
			continue
		}
		named, sum := map[string]float64{}, 0.0
		for _, f := range figures {
			if f.Axis == d.Name && f.Of == "" {
				named[strings.ToLower(f.Label)] = f.Pct
				sum += f.Pct
			}
		}
		if len(named) == 0 || sum > 100+1e-9 {
			continue
		}
		source := -1
		for _, s := range d.Distribution { // the statement's own place among the sources
			if _, ok := named[strings.ToLower(s.Label)]; ok {
				source = s.SourceIdx
			}
		}
		others := 0.0
		for _, s := range old.Distributions[at].Distribution {
			if _, ok := named[strings.ToLower(s.Label)]; !ok {
				others += s.Pct
			}
		}
		if others == 0 && sum < 100-1e-9 {
			continue // nobody is left to be the rest
		}
		var shares []grounding.Share
		for _, s := range old.Distributions[at].Distribution {
			key := strings.ToLower(s.Label)
			if pct, ok := named[key]; ok {
				s.Pct, s.SourceIdx = pct, source
				delete(named, key)
			} else {
				s.Pct = hundredths(s.Pct / others * (100 - sum))
			}
			if s.Pct > 0 {
				shares = append(shares, s)
			}
		}
		for _, f := range figures { // segments that were not there
			if _, left := named[strings.ToLower(f.Label)]; left && f.Axis == d.Name && f.Of == "" && f.Pct > 0 {
				shares = append(shares, grounding.Share{Label: f.Label, Pct: f.Pct, SourceIdx: source})
				delete(named, strings.ToLower(f.Label))
			}
		}
		d.Distribution, d.Ordered = shares, old.Distributions[at].Ordered
		c.Distributions[i] = d
	}
}

// selected is a composition whose active axes are the given ones. What was reviewed
// stays for later; sources keep their places.
func selected(old grounding.Composed, axes []GivenAxis) (grounding.Composed, error) {
	out := old
	out.Distributions = make([]grounding.Distribution, 0, len(axes))
	out.Relations, out.Pairs = nil, nil
	kept := map[string]bool{}
	for i, a := range axes {
		d := grounding.Distribution{Name: a.Name, Tier: a.Tier, Category: a.Category, SegmentRelations: a.SegmentRelations, Status: grounding.Assumed}
		was := slices.IndexFunc(old.Distributions, func(o grounding.Distribution) bool { return o.Name == a.Name })
		from := old.Distributions
		if was < 0 {
			from = old.Review
			was = slices.IndexFunc(old.Review, func(o grounding.Distribution) bool { return o.Name == a.Name })
		}
		for k, s := range a.Distribution {
			idx := -1
			if s.SourceIdx != nil {
				idx = *s.SourceIdx
			}
			if idx >= len(old.Sources) || idx < -1 {
				return out, invalid("distributions", "distributions[%d].distribution[%d].sourceIdx is %d; the grounding has %d sources, counted from 0, and -1 stands for none.", i, k, idx, len(old.Sources))
			}
			d.Distribution = append(d.Distribution, grounding.Share{Label: s.Label, Pct: s.Pct, SourceIdx: idx, Review: s.Review})
			if idx >= 0 {
				d.Status = grounding.Sourced
			}
		}
		if was >= 0 {
			o := from[was]
			d.Dimension, d.Ordered, d.Reason = o.Dimension, o.Ordered, o.Reason
			if d.Tier == "" {
				d.Tier = o.Tier
			}
			if d.Category == "" {
				d.Category = o.Category
			}
			if sameShares(o.Distribution, d.Distribution) {
				d.Status = o.Status
				for k := range d.Distribution {
					if axes[i].Distribution[k].SourceIdx == nil {
						d.Distribution[k].SourceIdx = o.Distribution[k].SourceIdx
					}
					if d.Distribution[k].Review == nil {
						d.Distribution[k].Review = o.Distribution[k].Review
					}
				}
			}
		}
		if was < 0 || d.Dimension == "" {
			d.Annotate()
		}
		kept[d.Name] = true
		out.Distributions = append(out.Distributions, d)
		out.HardConstraints = admitting(out.HardConstraints, d)
		r, err := givenRelations(a)
		if err != nil {
			return out, err
		}
		out.Relations = append(out.Relations, r...)
	}
	for _, p := range old.Pairs { // joint figures of axes that are still there
		if kept[p.A] && kept[p.B] {
			out.Pairs = append(out.Pairs, p)
		}
	}
	return out, nil
}

// admitting is the constraints without those that bar a segment of an axis which
// its owner gives a share: axes are taken as they are given.
func admitting(c *grounding.HardConstraints, d grounding.Distribution) *grounding.HardConstraints {
	for _, s := range d.Distribution {
		bare := s
		bare.Review = nil
		if c == nil || s.Pct <= 0 || barred(d, bare, c) == "" {
			continue
		}
		out := *c
		switch keyOf(d) {
		case grounding.DimAge:
			out.MinAge, out.MaxAge = nil, nil
		case grounding.DimGender:
			out.Genders = nil
		}
		out.Categorical = slices.DeleteFunc(slices.Clone(c.Categorical), func(r grounding.Required) bool { return r.Axis == d.Name })
		return &out
	}
	return c
}

func sameShares(a, b []grounding.Share) bool {
	return slices.EqualFunc(a, b, func(x, y grounding.Share) bool { return x.Label == y.Label && math.Abs(x.Pct-y.Pct) < 1e-9 })
}

// givenRelations reads the relations that an axis is given with.
func givenRelations(a GivenAxis) ([]grounding.Relation, error) {
	var out []grounding.Relation
	for _, m := range a.SegmentRelations {
		raw, err := json.Marshal(m)
		if err != nil {
			return nil, err
		}
		var v struct {
			Type           string   `json:"type"`
			Segment        string   `json:"segment"`
			Target         string   `json:"targetDistribution"`
			TargetSegments []string `json:"targetSegments"`
			Evidence       struct {
				Kind, Quote, Justification string
				SourceIdx                  *int
			} `json:"evidence"`
		}
		if err := json.Unmarshal(raw, &v); err != nil || v.Segment == "" || v.Target == "" || (v.Type != "subset" && v.Type != "excludes") {
			return nil, invalid("distributions", "A segmentRelation of %q cannot be read: it needs type (subset or excludes), segment, targetDistribution and targetSegments.", a.Name)
		}
		r := grounding.Relation{Type: v.Type, Distribution: a.Name, Segment: v.Segment, Target: v.Target, TargetSegments: v.TargetSegments,
			Kind: v.Evidence.Kind, SourceIdx: -1, Quote: v.Evidence.Quote, Justification: v.Evidence.Justification}
		if v.Evidence.SourceIdx != nil {
			r.SourceIdx = *v.Evidence.SourceIdx
		}
		out = append(out, r)
	}
	return out, nil
}

// unchanged names the axes whose shares are what they were.
func unchanged(old, now grounding.Composed) []string {
	var out []string
	for _, d := range now.Distributions {
		i := slices.IndexFunc(old.Distributions, func(o grounding.Distribution) bool { return o.Name == d.Name })
		if i >= 0 && sameShares(old.Distributions[i].Distribution, d.Distribution) {
			out = append(out, d.Name)
		}
	}
	return out
}

// noEvidence says which axes could not be composed.
func noEvidence(missing []string) error {
	return fault.New(fault.NotEnoughEvidence, "No figures could be found for %s, so it was not added and nothing was changed. Give a source (a file, a link or shares in the instruction), or send the axis with its shares in distributions.", strings.Join(missing, ", ")).
		With("axes", missing)
}
