package grounding

import (
	"context"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding/reference"
)

// Compose makes the population's distributions from what the brief says, from
// supplied material and from the shipped reference figures.
func Compose(in Input) (Composed, error) { return ComposeContext(context.Background(), in) }

// ComposeContext is Compose with a context for the model-backed extractor, the
// only part that may wait or fail. A model that fails leaves what the rules read:
// the error is returned beside the full result of the rules.
func ComposeContext(ctx context.Context, in Input) (Composed, error) {
	c := &composer{in: in, shelf: newShelf(), scope: newScope(in.Brief), why: map[string]string{}, gone: map[int]bool{}}
	if c.scope.grew != "" {
		c.note(AxisAge, c.shelf.brief(in.Brief.Text), Assumed, c.scope.grew, c.scope.ageQuote)
	}
	c.reviewed()
	c.stated()
	err := c.read(ctx)
	c.known()
	c.assume()
	c.screen()
	out := c.settle()
	if in.Earlier != nil {
		out = Merge(*in.Earlier, out)
	}
	return out, err
}

// composer gathers candidates and settles which of them the population rests on.
type composer struct {
	in    Input
	shelf *shelf
	scope *scope
	all   []candidate
	why   map[string]string // of a dimension that stays missing, by key
	gone  map[int]bool      // exclusions of the brief that took out a segment, by place
	extra []Finding         // what was read but makes no distribution, and why
}

func (c *composer) add(k candidate) {
	if len(k.dist.Distribution) == 0 {
		return
	}
	category := k.dist.Category
	k.dist.Annotate()
	k.dist.Category = categoryOf(k.dist.Name, category)
	c.constrain(&k.dist, k.origin == fromReview)
	if len(k.dist.Distribution) > 0 {
		c.all = append(c.all, k)
	}
}

// asks reports whether the brief names an axis in any way.
func (c *composer) asks(axis string) bool {
	for _, t := range c.in.Brief.Axes {
		if t.Axis == axis || t.Label == axis || axisNamed(t.Label) == axis {
			return true
		}
	}
	for _, f := range c.in.Brief.Figures {
		if f.Axis == axis {
			return true
		}
	}
	for _, t := range c.in.Brief.Traits {
		if t.Axis == axis {
			return true
		}
	}
	return false
}

// reviewed takes distributions that a person has already accepted. Their sources
// come first, so that their indexes stay.
func (c *composer) reviewed() {
	for i, s := range c.in.ReviewedSources {
		c.shelf.list = append(c.shelf.list, s)
		c.shelf.at["reviewed:"+itoa(i)] = i
	}
	for _, d := range c.in.Reviewed {
		d := copied(d)
		if d.Status == "" {
			d.Status = Assumed
			for _, s := range d.Distribution {
				if s.SourceIdx >= 0 {
					d.Status = Sourced
				}
			}
		}
		if d.Status == Missing {
			continue
		}
		for i, s := range d.Distribution {
			if s.SourceIdx >= len(c.in.ReviewedSources) {
				d.Distribution[i].SourceIdx = c.shelf.add("reviewed", Source{Title: "Reviewed respondent data", Domain: "upload", Confidence: trustReviewed, Tier: TierTarget, IsUserProvided: true})
			}
		}
		if d.Tier == "" {
			d.Tier = TierTarget
		}
		if d.Reason == "" {
			d.Reason = "From the reviewed figures that came with the brief."
		}
		trust := trustReviewed
		if d.Status == Assumed {
			trust = trustAssumed + .1 // accepted by a person, yet an assumption
		}
		c.add(candidate{dist: d, confidence: trust, origin: fromReview})
	}
}

func copied(d Distribution) Distribution {
	d.Distribution = slices.Clone(d.Distribution)
	d.SegmentRelations = slices.Clone(d.SegmentRelations)
	return d
}

// assume fills the gaps for which a neutral assumption exists; the others stay
// missing. People chosen by what they do for a living stand somewhere particular
// among incomes, so that fifths of the country would be wrong and not only vague.
func (c *composer) assume() {
	if !c.has(DimIncome) && c.scope.atWork {
		c.why[DimIncome] = "No figure was supplied, and nothing known says where people chosen by their work stand among the incomes of " + c.scope.where() + "."
	}
	if !c.has(DimIncome) && !c.scope.atWork {
		d := Distribution{Name: AxisIncome, Status: Assumed, Tier: TierGeneral, Category: Demographic, Ordered: true,
			Reason: "No figure was found. Fifths of the country's households by income, one in five each, are assumed: where this population stands among them is not known."}
		for _, label := range fifths {
			d.Distribution = append(d.Distribution, Share{Label: label, Pct: 20, SourceIdx: -1})
		}
		c.add(candidate{dist: d, confidence: trustAssumed, origin: fromAssumption})
	}
	if !c.has(DimGender) && len(c.scope.genders) > 1 {
		d := Distribution{Name: AxisGender, Status: Assumed, Tier: TierGlobal, Category: Demographic, Reason: "No figure was found: an even split is assumed.",
			Distribution: []Share{{Label: Woman, Pct: 50, SourceIdx: -1}, {Label: Man, Pct: 50, SourceIdx: -1}}}
		c.add(candidate{dist: d, confidence: trustAssumed, origin: fromAssumption})
	}
}

func (c *composer) has(dimension string) bool {
	return slices.ContainsFunc(c.all, func(k candidate) bool { return k.dist.Dimension == dimension })
}

// constrain takes out of a distribution what the brief makes ineligible: ages
// outside its range and genders that it does not ask for. What is left is
// brought back to 100. Reviewed bands that lie across the edge keep their labels,
// which pair tables name them by.
func (c *composer) constrain(d *Distribution, keepLabels bool) {
	s := c.scope
	switch d.Dimension {
	case DimAge:
		c.cutAges(d, keepLabels)
	case DimGender:
		if s.genderQ != "" {
			keepShares(d, func(x Share) bool { return genderOf(x.Label) == "" || contains(s.genders, genderOf(x.Label)) })
		}
	}
	c.leaveOut(d)
}

func keepShares(d *Distribution, keep func(Share) bool) {
	kept := d.Distribution[:0:0]
	for _, x := range d.Distribution {
		if keep(x) {
			kept = append(kept, x)
		}
	}
	if len(kept) == len(d.Distribution) {
		return
	}
	d.Distribution = kept
	wholeAgain(d)
	d.Reason = strings.TrimSpace(d.Reason + " Cut to who is eligible.")
}

// wholeAgain brings shares back to 100.
func wholeAgain(d *Distribution) {
	parts := make([]float64, len(d.Distribution))
	for i, x := range d.Distribution {
		parts[i] = x.Pct
	}
	for i, p := range percents(parts) {
		d.Distribution[i].Pct = p
	}
}

// cutAges cuts bands to the range of the brief: one that lies across its edge
// keeps the part that its people inside make up by the age structure.
func (c *composer) cutAges(d *Distribution, keepLabels bool) {
	s := c.scope
	if s.ageQuote == "" {
		return
	}
	changed := false
	kept := d.Distribution[:0:0]
	for _, x := range d.Distribution {
		b, ok := parseBand(x.Label)
		in := band{max(b.from, s.min), min(b.to, s.max)}
		switch {
		case !ok || in == b:
			kept = append(kept, x)
			continue
		case in.from > in.to:
			changed = true
			continue
		}
		changed = true
		whole, part := 0.0, 0.0
		for age := b.from; age <= b.to; age++ {
			n := c.structure(age)
			whole += n
			if age >= in.from && age <= in.to {
				part += n
			}
		}
		if whole > 0 {
			x.Pct *= part / whole
		}
		if !keepLabels {
			x.Label, x.Canonical = in.String(), in.String()
		}
		kept = append(kept, x)
	}
	if !changed {
		return
	}
	d.Distribution = kept
	wholeAgain(d)
	d.Reason = strings.TrimSpace(d.Reason + " Cut to " + s.ages() + ", as the brief asks.")
}

// structure is the number of people of an age where the population lives,
// without its own limits of age.
func (c *composer) structure(age int) float64 {
	n := 0.0
	countries := c.scope.countries
	if len(countries) == 0 {
		countries = []weighted{{country: reference.World(), part: 1}}
	}
	for _, w := range countries {
		women, men := w.country.Persons(age, age)
		n += women + men
	}
	return n
}

// required are the axes of which every member is in one of the labels.
func (c *composer) required() []Required {
	var out []Required
	add := func(axis, label string) {
		if axis == "" || label == "" || axis == AxisAge || axis == AxisGender || axis == AxisGeography {
			return
		}
		for i := range out {
			if out[i].Axis == axis {
				if !contains(out[i].Labels, label) {
					out[i].Labels = append(out[i].Labels, label)
				}
				return
			}
		}
		out = append(out, Required{Axis: axis, Labels: []string{label}})
	}
	for _, k := range c.all {
		if k.origin != fromBrief || !k.stated {
			continue
		}
		if one := k.dist.Distribution; len(one) == 1 || k.confidence < trustBrief {
			for _, x := range one {
				add(k.dist.Name, x.Label)
			}
		}
	}
	return out
}

// hard gives who may be in the population at all; nil when everybody may.
func (c *composer) hard() *HardConstraints {
	h := &HardConstraints{Categorical: c.required()}
	s := c.scope
	if s.ageQuote != "" {
		h.MinAge = &s.min
		if s.max < reference.Oldest {
			h.MaxAge = &s.max
		}
	}
	if s.genderQ != "" {
		h.Genders = s.genders
	}
	if s.place.Stated {
		h.Countries = s.codes
	}
	if h.MinAge == nil && h.MaxAge == nil && len(h.Genders) == 0 && len(h.Countries) == 0 && len(h.Categorical) == 0 {
		return nil
	}
	return h
}

// briefTerm is a term with the axis that it stands on.
func briefTerm(t brief.Term, axis string) brief.Term {
	if t.Axis == "" {
		t.Axis = axis
	}
	return t
}
