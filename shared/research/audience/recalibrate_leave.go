package audience

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// saidOf is what an instruction that cannot be followed is refused with.
func saidOf(in brief.Instruction) error {
	if in.Refused == "" {
		return nil
	}
	return invalid("instruction", "instruction %s.", in.Refused)
}

// feasible refuses what the axes that stand cannot follow, before anything is done.
func (s *Service) feasible(ctx context.Context, a Audience, in brief.Instruction) error {
	if in.Without == nil && len(in.Limits) == 0 {
		return nil
	}
	g, err := s.Ground(ctx, a)
	if err != nil || g == nil {
		return err
	}
	if in.Without != nil {
		_, err = leftOut(g.Composed, *in.Without)
		return err
	}
	_, err = bounded(in, g.Composed)
	return err
}

// left is an axis without those whom an instruction leaves out.
type left struct {
	at     int               // the axis
	keep   []grounding.Share // whom there still is, with their shares of before
	gone   []string          // labels that nobody has any more
	quote  string
	nobody bool // nobody was there to be left out
}

// leftOut finds who is left out among the segments that stand. VALIDATION where no
// axis tells them from the others, or where nobody would be left.
func leftOut(c grounding.Composed, w brief.Brief) (left, error) {
	switch {
	case w.Age != nil:
		return withoutAges(c, *w.Age)
	case len(w.Genders) > 0:
		return without1(c, brief.AxisGender, strings.Join(w.GenderQuotes, ", "), true, func(d grounding.Distribution, s grounding.Share) bool {
			return slices.Contains(w.Genders, meaning(d.Name, s.Label))
		})
	case len(w.Places) > 0:
		return withoutPlaces(c, w.Places)
	}
	var terms []brief.Figure
	for _, t := range w.Roles {
		terms = append(terms, brief.Figure{Axis: t.Axis, Label: t.Label, Quote: t.Quote})
	}
	for _, t := range append(slices.Clone(w.Traits), w.Excluded...) {
		terms = append(terms, brief.Figure{Axis: t.Axis, Label: t.Label, Quote: t.Quote})
	}
	if len(terms) == 0 {
		return withoutLabels(c, w.Text)
	}
	axis, labels, quote := "", []string(nil), ""
	for _, f := range terms {
		name, found := segmentsFor(c, f)
		i := standing(c, name)
		if name == "" || i < 0 {
			if l, err := withoutLabels(c, w.Text); err == nil { // a segment's own name
				return l, nil
			}
			return left{}, invalid("instruction", "No axis of this Audience tells who is “%s” from the others, so nobody can be left out for it. Write a share, for example \"0 %% %s\", which makes it an axis, or leave out people by one of its axes: %s.", clip(f.Quote, 80), clip(f.Quote, 80), axesIn(c))
		}
		for _, s := range found {
			if !slices.ContainsFunc(c.Distributions[i].Distribution, func(o grounding.Share) bool { return o.Label == s.Label }) {
				return left{}, noSegment(c.Distributions[i], f.Quote)
			}
			labels = append(labels, s.Label)
		}
		if axis != "" && axis != name {
			return left{}, invalid("instruction", "instruction leaves out people by %s and by %s. Send one instruction for each.", axis, name)
		}
		axis, quote = name, strings.TrimPrefix(quote+", "+f.Quote, ", ")
	}
	return without1(c, axis, quote, false, func(_ grounding.Distribution, s grounding.Share) bool { return slices.Contains(labels, s.Label) })
}

// withoutLabels takes out the segments whose names stand in some words. The axis with
// the longest name that is found counts.
func withoutLabels(c grounding.Composed, words string) (left, error) {
	axis, longest := "", 0
	plain := " " + strings.ToLower(words) + " "
	stands := func(label string) bool {
		label = strings.ToLower(strings.TrimSpace(label))
		at := strings.Index(plain, label)
		return label != "" && at > 0 && !letter(plain[at-1]) && !letter(plain[at+len(label)])
	}
	for _, d := range c.Distributions {
		for _, s := range d.Distribution {
			if len(s.Label) > longest && stands(s.Label) {
				axis, longest = d.Name, len(s.Label)
			}
		}
	}
	if axis == "" {
		return left{}, invalid("instruction", "instruction %s.", brief.UnreadLeaving)
	}
	return without1(c, axis, words, false, func(_ grounding.Distribution, s grounding.Share) bool { return stands(s.Label) })
}

func letter(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 128
}

// without1 takes the segments that go out of one axis.
func without1(c grounding.Composed, axis, quote string, complete bool, goes func(grounding.Distribution, grounding.Share) bool) (left, error) {
	i := standing(c, axis)
	if i < 0 {
		return left{}, invalid("instruction", "This Audience has no axis %s, so nobody can be left out by it. It has: %s.", axis, axesIn(c))
	}
	d := c.Distributions[i]
	out := left{at: i, quote: quote}
	whole := 0.0
	for _, s := range d.Distribution {
		if goes(d, s) {
			out.gone = append(out.gone, s.Label)
			continue
		}
		out.keep = append(out.keep, s)
		whole += s.Pct
	}
	if len(out.gone) == 0 {
		out.nobody = true
		if !complete {
			return out, noSegment(d, quote)
		}
		return out, nil
	}
	if whole <= 0 {
		return out, nobodyLeft(quote)
	}
	return out, nil
}

func noSegment(d grounding.Distribution, quote string) error {
	return invalid("instruction", "%s tells apart %s, and not “%s”. Leave out one of these, for example \"exclude %s\", or write its share.", d.Name, segmentsIn(d), clip(quote, 80), d.Distribution[0].Label)
}

func nobodyLeft(quote string) error {
	return invalid("instruction", "Nobody would be left: all members are “%s”. Say which population there is to be instead, for example \"now nurses in Spain\".", clip(quote, 80))
}

// withoutAges takes ages out: bands that reach over the bound are cut.
func withoutAges(c grounding.Composed, a brief.AgeRange) (left, error) {
	i := standing(c, brief.AxisAge)
	if i < 0 {
		return left{}, invalid("instruction", "This Audience has no axis of ages, so nobody can be left out by age. It has: %s.", axesIn(c))
	}
	d := c.Distributions[i]
	low, high := a.Min, a.Max
	if high == 0 {
		high = 130
	}
	out := left{at: i, quote: a.Quote}
	if low > 0 {
		out.keep = bandsCut(d, 0, low-1)
	}
	out.keep = append(out.keep, bandsCut(d, high+1, 130)...)
	whole := 0.0
	for _, s := range out.keep {
		whole += s.Pct
	}
	if whole <= 0 {
		return out, nobodyLeft(a.Quote)
	}
	out.nobody = sameShares(out.keep, d.Distribution)
	return out, nil
}

// withoutPlaces takes places out, each with all that lies in it.
func withoutPlaces(c grounding.Composed, places []brief.Place) (left, error) {
	var quotes []string
	hit := map[string]bool{}
	for _, p := range places {
		quotes = append(quotes, p.Quote)
	}
	out, err := without1(c, brief.AxisGeography, strings.Join(quotes, ", "), false, func(d grounding.Distribution, s grounding.Share) bool {
		for _, p := range places {
			if lies(s.Label, p, c.Place.Country) {
				hit[p.Name] = true
				return true
			}
		}
		return false
	})
	if err != nil {
		return out, err
	}
	for _, p := range places {
		if !hit[p.Name] {
			return out, noSegment(c.Distributions[out.at], p.Quote)
		}
	}
	return out, nil
}

// lies tells whether a segment is a place or lies in it. One that no rule knows is a
// part of home, the country that the axis is about.
func lies(label string, p brief.Place, home string) bool {
	if strings.EqualFold(label, p.Name) || strings.EqualFold(label, p.Quote) {
		return true
	}
	read := brief.Read(label).Places
	if len(read) == 0 {
		return p.Kind == brief.KindCountry && p.Country == home
	}
	for _, o := range read {
		switch {
		case o.Name == p.Name && (o.Kind == p.Kind || o.Country == p.Country):
			return true
		case p.Kind == brief.KindCountry && o.Country == p.Country:
			return true
		case p.Kind == brief.KindBloc && slices.Contains(p.Members, o.Country):
			return true
		case p.Kind == brief.KindRegion && o.Kind == brief.KindCity && o.Region != "" && o.Region == p.Region:
			return true
		}
	}
	return false
}

func segmentsIn(d grounding.Distribution) string {
	var names []string
	for _, s := range d.Distribution {
		names = append(names, s.Label)
	}
	return few(names)
}

func axesIn(c grounding.Composed) string {
	var names []string
	for _, d := range c.Distributions {
		names = append(names, d.Name)
	}
	return few(names)
}

func few(names []string) string {
	if len(names) > 12 {
		return strings.Join(names[:12], ", ") + fmt.Sprintf(" and %d more", len(names)-12)
	}
	return strings.Join(names, ", ")
}

// leave puts an instruction into force that leaves people out: their segments are
// closed, and only those who stood for them become others.
func (p *planning) leave() error {
	l, err := leftOut(p.composed, *p.said.Without)
	if err != nil {
		return err
	}
	if p.reach == "" {
		p.reach = ReachComposition
	}
	if l.nobody {
		return nil
	}
	out := p.composed
	d := out.Distributions[l.at]
	whole := 0.0
	for _, s := range l.keep {
		whole += s.Pct
	}
	d.Distribution = slices.Clone(l.keep)
	for k := range d.Distribution {
		d.Distribution[k].Pct = hundredths(d.Distribution[k].Pct / whole * 100)
	}
	whom := l.gone
	if len(whom) == 0 {
		whom = []string{l.quote}
	}
	d.Reason = strings.TrimSpace(d.Reason + " Left out by an adjustment (“" + clip(p.r.Instruction, 80) + "”): " + few(whom) + "; the others keep the proportions that they had.")
	out = changed(out, l.at, d, grounding.Finding{Distribution: d.Name, SourceIdx: p.cite(&out), Status: d.Status, Summary: d.Reason, Quote: clip(p.r.Instruction, 500)})
	out.HardConstraints = closed(out.HardConstraints, d, l.gone)
	out.Relations = slices.DeleteFunc(slices.Clone(out.Relations), func(r grounding.Relation) bool {
		return r.Distribution == d.Name && slices.Contains(l.gone, r.Segment)
	})
	p.composed, p.axes, p.narrowed = out, []string{d.Name}, []string{d.Name}
	p.restate(adjusted(p.base, p.said))
	return nil
}

// closed is the constraints of a composition of which an axis lost segments.
func closed(c *grounding.HardConstraints, d grounding.Distribution, gone []string) *grounding.HardConstraints {
	out := grounding.HardConstraints{}
	if c != nil {
		out = *c
	}
	switch keyOf(d) {
	case grounding.DimAge:
		low, high := 1000, -1
		for _, s := range d.Distribution {
			if a, b, ok := ageBand(s.Label); ok {
				low, high = min(low, a), max(high, b)
			}
		}
		if out.MinAge != nil || low > 18 && low < 1000 {
			out.MinAge = &low
		}
		if high >= 0 && high < 99 {
			out.MaxAge = &high
		}
	case grounding.DimGender:
		out.Genders = nil
		for _, s := range d.Distribution {
			if g := meaning(d.Name, s.Label); g != "" {
				out.Genders = append(out.Genders, strings.ToUpper(g[:1])+g[1:])
			}
		}
	}
	out.Categorical = slices.Clone(out.Categorical)
	for i, r := range out.Categorical {
		if r.Axis == d.Name {
			out.Categorical[i].Labels = slices.DeleteFunc(slices.Clone(r.Labels), func(l string) bool { return slices.Contains(gone, l) })
		}
	}
	return &out
}
