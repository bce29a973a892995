package audience

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/persona"
)

// grow writes the new members of an additive instruction and leaves all others as
// they are. Words of the instruction decide on the axes that they are about; on all
// other axes the newcomers fill up what the whole wants.
func (p *planning) grow(ctx context.Context) (change, error) {
	theirs, touched, said, err := p.newcomers(ctx)
	if err != nil {
		return change{}, err
	}
	config := p.old.Config
	config.TargetOverrides = nil
	axes := AxesOf(theirs)
	for _, a := range axes {
		if slices.Contains(touched, a.Name) {
			continue
		}
		if o, ok := p.wanted(a); ok {
			config.TargetOverrides = append(config.TargetOverrides, o)
		}
	}
	config.DistributionNames = knownAxes(theirs, config.DistributionNames)
	res, err := allocate.Allocate(allocate.Input{Axes: axes, Members: p.o.Adds, Config: config, Relations: RelationsOf(theirs), Pairs: PairsOf(theirs.Pairs)})
	if err != nil {
		return change{}, err
	}
	g := p.old
	g.Composed = theirs
	if said != nil {
		g.Context = Context{Seed: g.Context.Seed, Population: elsewhere(said.Population, p.base, *said), Roles: labels(said.Roles), Required: required(said.Traits, axes)}
	}
	from := p.next()
	dims := map[string]string{}
	for _, d := range theirs.Distributions {
		dims[d.Name] = d.Dimension
	}
	specs := make([]persona.Spec, len(res.Cells))
	for k, cell := range res.Cells {
		specs[k] = SpecOf(g, res.Axes, cell, from+k, dims)
	}
	out := change{Reach: ReachAdditive}
	rows := Cohort{}
	group := 0
	if said != nil {
		rows.Groups, group = []CohortGroup{{Population: g.Context.Population, Roles: g.Context.Roles, Required: g.Context.Required,
			Country: theirs.Place.Country, Region: theirs.Place.Region, Locale: theirs.Locale}}, 1
	}
	for _, a := range res.Axes {
		axis := CohortAxis{Name: a.Name, Dimension: dims[a.Name]}
		for _, s := range a.Segments {
			axis.Segments = append(axis.Segments, p.housed(axis, s.Label))
		}
		rows.Axes = append(rows.Axes, axis)
	}
	for k, person := range persona.Write(specs) {
		m := memberFor(person, p.s.d.IDs.NewID(), int64(k))
		out.New = append(out.New, m)
		rows.Members = append(rows.Members, CohortMember{MindID: m.ID, Index: from + k, Segments: res.Cells[k], Weight: res.Weights[k], Group: group})
	}
	theirs.Distributions = slices.Clone(theirs.Distributions)
	for i, d := range theirs.Distributions {
		d.Distribution = slices.Clone(d.Distribution)
		for k, s := range d.Distribution {
			d.Distribution[k].Label = p.housed(CohortAxis{Name: d.Name, Dimension: d.Dimension}, s.Label)
		}
		theirs.Distributions[i] = d
	}
	for _, a := range res.Audit.Axes {
		for k, s := range a.Segments {
			a.Segments[k].Label = p.housed(CohortAxis{Name: a.Distribution, Dimension: dims[a.Distribution]}, s.Label)
		}
	}
	whole := p.old
	whole.CreatedAt = p.s.d.Clock.Now()
	whole.Composed = mixed(p.composed, theirs, touched, len(p.cohort.Members), p.o.Adds)
	whole.Coverage.MemberCount += p.o.Adds
	whole.Coverage.AllocatedMemberCount += len(rows.Members)
	if p.old.Audit != nil {
		audit := grown(*p.old.Audit, res.Audit, whole.Composed)
		whole.Audit = &audit
	}
	return p.keep(ctx, out, whole, joined(p.cohort, rows))
}

// newcomers is the composition that the new members are drawn from, the axes on
// which it differs, and their brief when the instruction says something of them.
func (p *planning) newcomers(ctx context.Context) (theirs grounding.Composed, touched []string, said *brief.Brief, err error) {
	words := p.said.Brief
	if len(words.Places) > 0 {
		touched = append(touched, grounding.AxisGeography)
	}
	if words.Age != nil {
		touched = append(touched, grounding.AxisAge)
	}
	if len(words.Genders) > 0 {
		touched = append(touched, grounding.AxisGender)
	}
	for _, name := range p.said.Axes {
		if !slices.Contains(touched, name) {
			touched = append(touched, name)
		}
	}
	for _, t := range words.Roles {
		touched = append(touched, t.Axis)
	}
	for _, t := range words.Traits {
		if t.Required {
			touched = append(touched, t.Axis)
		}
	}
	about := func(d grounding.Distribution) bool {
		return slices.ContainsFunc(touched, func(name string) bool {
			return name == d.Name || name != "" && grounding.DimensionOf(name) == keyOf(d)
		})
	}
	if len(touched) == 0 && len(words.Roles) == 0 && len(words.Traits) == 0 {
		return p.composed, nil, nil, nil
	}
	b := over(p.base, words)
	fresh, err := p.fresh(ctx, b, nil)
	if err != nil {
		return theirs, nil, nil, err
	}
	theirs = fresh
	theirs.Distributions = make([]grounding.Distribution, 0, len(p.composed.Distributions))
	theirs.Relations, theirs.Pairs = p.composed.Relations, p.composed.Pairs
	var differ []string
	for _, d := range p.composed.Distributions {
		if !about(d) && abroad(p.base, words) {
			if there, ok := p.asThere(fresh, d); ok {
				differ = append(differ, d.Name)
				d = there
			}
		}
		if about(d) {
			differ = append(differ, d.Name)
			name, place := d.Name, keyOf(d) == grounding.DimGeography && len(words.Places) > 0
			i := slices.IndexFunc(fresh.Distributions, func(o grounding.Distribution) bool { return keyOf(o) == keyOf(d) })
			switch {
			case i >= 0 && !(place && abroad(p.base, words)):
				old := d
				d = inWordsOf(fresh.Distributions[i], d)
				d.Name = name
				if a := words.Age; a != nil && keyOf(d) == grounding.DimAge && a.Max > 0 {
					if cut := bandsCut(old, a.Min, a.Max); covers(cut, a.Min, a.Max) {
						d.Distribution = cut
					}
				}
			case place:
				d.Distribution = nil
				for _, place := range words.Places {
					d.Distribution = append(d.Distribution, grounding.Share{Label: place.Name, Pct: 100 / float64(len(words.Places)), SourceIdx: -1})
				}
				d.Status, d.Reason = grounding.Assumed, "Stated by the instruction that added them."
			}
		}
		theirs.Distributions = append(theirs.Distributions, d)
	}
	// The rules of the old population need not fit who is asked for on these axes.
	theirs.Relations = slices.DeleteFunc(slices.Clone(theirs.Relations), func(r grounding.Relation) bool {
		return slices.Contains(differ, r.Distribution) || slices.Contains(differ, r.Target)
	})
	theirs.Pairs = slices.DeleteFunc(slices.Clone(theirs.Pairs), func(x grounding.Pair) bool {
		return slices.Contains(differ, x.A) || slices.Contains(differ, x.B)
	})
	return theirs, differ, &b, nil
}

// asThere is an axis with the figures of newcomers' own country. Not where it is
// stated who all are, nor where the two countries' figures tell apart other things.
func (p *planning) asThere(fresh grounding.Composed, d grounding.Distribution) (grounding.Distribution, bool) {
	switch keyOf(d) {
	case grounding.DimGender, grounding.DimAge, grounding.DimGeography:
		return d, false
	}
	i := slices.IndexFunc(fresh.Distributions, func(o grounding.Distribution) bool { return keyOf(o) == keyOf(d) })
	if i < 0 || fresh.Distributions[i].Status == grounding.Assumed || slices.ContainsFunc(d.Distribution, func(s grounding.Share) bool {
		return s.SourceIdx >= 0 && s.SourceIdx < len(p.composed.Sources) && p.composed.Sources[s.SourceIdx].IsUserProvided
	}) {
		return d, false
	}
	there := inWordsOf(fresh.Distributions[i], d)
	for _, s := range there.Distribution {
		if !slices.ContainsFunc(d.Distribution, func(o grounding.Share) bool { return strings.EqualFold(o.Label, s.Label) }) {
			return d, false
		}
	}
	there.Name = d.Name
	return there, true
}

// covers tells whether bands are the whole of a range of ages.
func covers(bands []grounding.Share, low, high int) bool {
	years := 0
	for _, s := range bands {
		if a, b, ok := ageBand(s.Label); ok {
			years += b - a + 1
		}
	}
	return years == high-low+1
}

// housed is the band of the axis that stands which holds a newcomer's: nobody needs
// a band of their own for being of a certain age.
func (p *planning) housed(axis CohortAxis, label string) string {
	low, high, ok := ageBand(label)
	i := standing(p.composed, axis.Name)
	if !ok || axis.Dimension != grounding.DimAge || i < 0 {
		return label
	}
	for _, s := range p.composed.Distributions[i].Distribution {
		if a, b, ok := ageBand(s.Label); ok && a <= low && high <= b {
			return s.Label
		}
	}
	return label
}

// abroad tells whether all places of some words are countries in which nobody was
// before: then the country is what newcomers stand for, not its regions.
func abroad(was, words brief.Brief) bool {
	return !slices.ContainsFunc(words.Places, func(p brief.Place) bool {
		return p.Kind != brief.KindCountry || slices.ContainsFunc(was.Places, func(o brief.Place) bool { return o.Country == p.Country })
	})
}

// inWordsOf is an axis with the labels that another one has for the same segments.
func inWordsOf(d, labels grounding.Distribution) grounding.Distribution {
	d.Distribution = slices.Clone(d.Distribution)
	if keyOf(d) == grounding.DimAge {
		return d
	}
	for i, s := range d.Distribution {
		if found := segmentsOf(labels, s.Label); len(found) == 1 {
			d.Distribution[i].Label = found[0].Label
		}
	}
	return d
}

// elsewhere is a population's name with the places of a brief in place of those of
// the one before.
func elsewhere(population string, was, now brief.Brief) string {
	for i, old := range was.Places {
		if i < len(now.Places) && old.Name != now.Places[i].Name {
			population = strings.ReplaceAll(population, old.Name, now.Places[i].Name)
		}
	}
	return population
}

// wanted is what an axis of the whole still wants: the seats of all members
// together, without those that are taken. Nothing when the standing ones leave no
// room to steer.
func (p *planning) wanted(a allocate.Axis) (allocate.Override, bool) {
	all, err := allocate.Allocate(allocate.Input{Axes: []allocate.Axis{a}, Members: len(p.cohort.Members) + p.o.Adds, Mode: p.old.Mode})
	if err != nil || len(all.Audit.Axes) == 0 {
		return allocate.Override{}, false
	}
	have := map[string]int{}
	for _, m := range p.cohort.Members {
		have[p.cohort.label(m, a.Name)]++
	}
	short, sum := make([]int, len(a.Segments)), 0
	for i, s := range all.Audit.Axes[0].Segments {
		short[i] = max(0, s.TargetCount-have[s.Label])
		sum += short[i]
	}
	if sum == 0 {
		return allocate.Override{}, false
	}
	o := allocate.Override{Distribution: a.Name}
	for i, s := range a.Segments {
		o.Segments = append(o.Segments, allocate.OverrideShare{Label: s.Label, Pct: 100 * float64(short[i]) / float64(sum)})
	}
	return o, true
}

// next is the first position that nobody of the cohort has.
func (p *planning) next() int {
	n := 0
	for _, m := range p.cohort.Members {
		n = max(n, m.Index+1)
	}
	return max(n, len(p.a.MemberIDs), p.old.Coverage.MemberCount)
}

// joined is a cohort with new members behind its own; each axis has the segments
// of both.
func joined(old, more Cohort) Cohort {
	out := Cohort{Axes: slices.Clone(old.Axes), Groups: append(slices.Clone(old.Groups), more.Groups...)}
	at := make([]int, len(more.Axes))
	for i, a := range more.Axes {
		at[i] = slices.IndexFunc(out.Axes, func(o CohortAxis) bool { return o.Name == a.Name && !o.Dropped })
		if at[i] < 0 {
			at[i] = len(out.Axes)
			out.Axes = append(out.Axes, CohortAxis{Name: a.Name, Dimension: a.Dimension})
		}
	}
	row := func(m CohortMember) CohortMember {
		m.Segments = slices.Clone(m.Segments)
		for len(m.Segments) < len(out.Axes) {
			m.Segments = append(m.Segments, -1)
		}
		return m
	}
	for _, m := range old.Members {
		out.Members = append(out.Members, row(m))
	}
	for _, m := range more.Members {
		r := CohortMember{MindID: m.MindID, Index: m.Index, Weight: m.Weight, Group: m.Group}
		if r.Group > 0 {
			r.Group += len(old.Groups)
		}
		r = row(r)
		for i, s := range m.Segments {
			if s >= 0 {
				r.Segments[at[i]] = out.Axes[at[i]].place(more.Axes[i].Segments[s])
			}
		}
		out.Members = append(out.Members, r)
	}
	return out
}

// mixed is the composition of the grown Audience: on the axes on which newcomers
// differ both are weighed by their numbers, all others are as they were.
func mixed(old, theirs grounding.Composed, differ []string, have, added int) grounding.Composed {
	out := old
	out.Distributions = slices.Clone(old.Distributions)
	out.Sources = slices.Clone(old.Sources)
	place := func(i int) int {
		if i < 0 || i >= len(theirs.Sources) {
			return -1
		}
		at := slices.Index(out.Sources, theirs.Sources[i])
		if at < 0 {
			out.Sources = append(out.Sources, theirs.Sources[i])
			at = len(out.Sources) - 1
		}
		return at
	}
	whole := float64(have + added)
	for i, d := range out.Distributions {
		k := slices.IndexFunc(theirs.Distributions, func(o grounding.Distribution) bool { return o.Name == d.Name })
		if k < 0 || whole == 0 || !slices.Contains(differ, d.Name) {
			continue
		}
		n := theirs.Distributions[k]
		mine, more := weightOf(d), weightOf(n)
		shares := make([]grounding.Share, 0, len(d.Distribution)+len(n.Distribution))
		for _, s := range d.Distribution {
			s.Pct = hundredths(s.Pct / mine * 100 * float64(have) / whole)
			shares = append(shares, s)
		}
		for _, s := range n.Distribution {
			pct := hundredths(s.Pct / more * 100 * float64(added) / whole)
			if x := slices.IndexFunc(shares, func(o grounding.Share) bool { return strings.EqualFold(o.Label, s.Label) }); x >= 0 {
				shares[x].Pct += pct
				continue
			}
			shares = append(shares, grounding.Share{Label: s.Label, Pct: pct, SourceIdx: place(s.SourceIdx), Review: s.Review})
		}
		d.Distribution = shares
		d.Reason = strings.TrimSpace(d.Reason + " Mixed with the members added later, by their numbers.")
		out.Distributions[i] = d
	}
	out.HardConstraints = wider(old.HardConstraints, theirs.HardConstraints)
	return out
}

// hundredths rounds a share as charts show it.
func hundredths(pct float64) float64 { return math.Round(pct*100) / 100 }

func weightOf(d grounding.Distribution) float64 {
	w := 0.0
	for _, s := range d.Distribution {
		w += s.Pct
	}
	if w <= 0 {
		return 1
	}
	return w
}

// wider admits who one of two constraints admits.
func wider(a, b *grounding.HardConstraints) *grounding.HardConstraints {
	if a == nil || b == nil {
		return nil
	}
	out := grounding.HardConstraints{}
	if a.MinAge != nil && b.MinAge != nil {
		n := min(*a.MinAge, *b.MinAge)
		out.MinAge = &n
	}
	if a.MaxAge != nil && b.MaxAge != nil {
		n := max(*a.MaxAge, *b.MaxAge)
		out.MaxAge = &n
	}
	both := func(x, y []string) []string {
		if len(x) == 0 || len(y) == 0 {
			return nil
		}
		out := slices.Clone(x)
		for _, s := range y {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
		return out
	}
	out.Genders, out.Countries = both(a.Genders, b.Genders), both(a.Countries, b.Countries)
	for _, r := range a.Categorical {
		if i := slices.IndexFunc(b.Categorical, func(o grounding.Required) bool { return o.Axis == r.Axis }); i >= 0 {
			out.Categorical = append(out.Categorical, grounding.Required{Axis: r.Axis, Labels: both(r.Labels, b.Categorical[i].Labels)})
		}
	}
	return &out
}

// grown is the audit of a cohort with newcomers: seats and people are both's, the
// shares those of the whole.
func grown(old, more allocate.Audit, whole grounding.Composed) allocate.Audit {
	out := old
	out.MemberCount = old.MemberCount + more.MemberCount
	out.EffectiveN = old.EffectiveN + more.EffectiveN
	out.Axes = slices.Clone(old.Axes)
	out.MinSegmentRelaxed = old.MinSegmentRelaxed || more.MinSegmentRelaxed
	for i, a := range out.Axes {
		a.Segments = slices.Clone(a.Segments)
		k := slices.IndexFunc(more.Axes, func(o allocate.AxisAudit) bool { return o.Distribution == a.Distribution })
		if k < 0 {
			out.Axes[i] = a
			continue
		}
		for _, s := range more.Axes[k].Segments {
			x := slices.IndexFunc(a.Segments, func(o allocate.SegmentAudit) bool { return strings.EqualFold(o.Label, s.Label) })
			if x < 0 {
				s.Weight = 0
				a.Segments = append(a.Segments, s)
				continue
			}
			a.Segments[x].TargetCount += s.TargetCount
			a.Segments[x].AchievedCount += s.AchievedCount
		}
		d := slices.IndexFunc(whole.Distributions, func(o grounding.Distribution) bool { return o.Name == a.Distribution })
		a.MaxDeviation = 0
		for x := range a.Segments {
			s := &a.Segments[x]
			if d >= 0 {
				if at := slices.IndexFunc(whole.Distributions[d].Distribution, func(o grounding.Share) bool { return o.Label == s.Label }); at >= 0 {
					pct := whole.Distributions[d].Distribution[at].Pct
					s.SourcePct, s.NormalizedTargetPct = &pct, 100*pct/weightOf(whole.Distributions[d])
				}
			}
			if s.AchievedCount > 0 {
				s.Weight = s.NormalizedTargetPct / 100 * float64(out.MemberCount) / float64(s.AchievedCount)
			}
			a.MaxDeviation = max(a.MaxDeviation, s.AchievedCount-s.TargetCount, s.TargetCount-s.AchievedCount)
		}
		out.Axes[i] = a
	}
	return out
}
