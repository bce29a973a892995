package grounding

import (
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/brief"
)

// mostStatedAxes is of how many things shares of a brief are allocated: a person who
// is one of more segments than that is no longer described.
const mostStatedAxes = 40

// stated takes what the brief says itself: its figures, and what it asks of every
// member. The brief is a source like any other, and the strongest of whom it means.
func (c *composer) stated() {
	figures := map[string][]brief.Figure{}
	var axes []string
	for _, f := range c.in.Brief.Figures {
		if f.Axis == "" || f.Label == "" || f.Pct < 0 || f.Pct > 100 {
			continue
		}
		if f.Of != "" {
			c.note(f.Axis, c.shelf.brief(c.in.Brief.Text), Sourced, "The brief gives a share of a part of the population ("+f.Of+"), which is kept as context: quotas are of the whole.", f.Quote)
			continue
		}
		if _, seen := figures[f.Axis]; !seen {
			axes = append(axes, f.Axis)
		}
		figures[f.Axis] = append(figures[f.Axis], f)
	}
	for i, axis := range axes {
		if i >= mostStatedAxes {
			c.note(axis, c.shelf.brief(c.in.Brief.Text), Missing, "The brief gives shares of more than "+itoa(mostStatedAxes)+" things: those after them are not used. Write fewer, or several Audiences.", figures[axis][0].Quote)
			continue
		}
		c.statedShares(axis, figures[axis])
	}
	if s := c.scope; len(s.genders) == 1 && figures[AxisGender] == nil {
		c.addStated(AxisGender, s.genders, []float64{100}, s.genderQ, genderReason(s.genders[0], c.in.Brief), Demographic)
	}
	c.statedRoles(figures)
	c.statedTraits(figures)
	c.statedUrbanity(figures)
	c.notShares()
}

// notShares tells of the figures of the brief that are no shares of the population,
// and of those that could not be read, so that none is lost without a word.
func (c *composer) notShares() {
	source := -1
	if len(c.in.Brief.Reported)+len(c.in.Brief.Unread) > 0 {
		source = c.shelf.brief(c.in.Brief.Text)
	}
	for _, f := range c.in.Brief.Reported {
		c.note(f.Axis, source, Sourced, "The brief reports this figure of the past, of a survey or of a wider population: it is kept as context and is no share of this population.", f.Quote)
	}
	for _, q := range c.in.Brief.Unread {
		c.note("Not read", source, Missing, "The brief gives a share, and it could not be read what it is of: it is not used. Write it as a number and the people it is of, for example “40 % nurses”.", q)
	}
}

// genderReason says why all are of one gender.
func genderReason(gender string, b brief.Brief) string {
	asked := map[string]string{Woman: "women", Man: "men"}[gender]
	for _, t := range b.Excluded {
		if t.Axis == AxisGender {
			return "The brief leaves out " + map[string]string{Woman: "women", Man: "men"}[genderOf(t.Label)] + " (“" + cut(t.Quote, 60) + "”): " + asked + " are taken, since no figure counts other genders."
		}
	}
	return "The brief asks for " + asked + " only."
}

// statedUrbanity takes what the brief says of the places themselves: "from large
// cities", "in rural areas".
func (c *composer) statedUrbanity(figures map[string][]brief.Figure) {
	var labels, quotes []string
	for _, p := range c.in.Brief.Places {
		if label := urbanWords[fold(p.Urban)]; label != "" && !contains(labels, label) {
			labels, quotes = append(labels, label), append(quotes, p.Quote)
		}
	}
	if len(labels) > 0 && figures[brief.AxisUrbanity] == nil && !c.hasAxis(brief.AxisUrbanity) {
		c.alternatives(brief.AxisUrbanity, labels, strings.Join(quotes, ", "))
	}
}

func (c *composer) note(axis string, source int, status, summary, quote string) {
	c.extra = append(c.extra, Finding{Distribution: axis, SourceIdx: source, Status: status, Summary: summary, Quote: clip(quote, 500)})
}

// addStated adds what holds for every member.
func (c *composer) addStated(axis string, labels []string, shares []float64, quote, reason, category string) {
	d := Distribution{Name: axis, Status: Sourced, Tier: TierTarget, Category: category, Reason: reason}
	source := c.shelf.brief(c.in.Brief.Text)
	for i, label := range labels {
		d.Distribution = append(d.Distribution, Share{Label: label, Pct: shares[i], SourceIdx: source})
	}
	c.add(candidate{dist: d, confidence: trustBrief, origin: fromBrief, quote: quote, stated: true})
}

// statedShares makes the brief's figures of one axis whole.
func (c *composer) statedShares(axis string, figures []brief.Figure) {
	source := c.shelf.brief(c.in.Brief.Text)
	sum, quotes := 0.0, []string{}
	var shares []Share
	for _, f := range figures {
		label := f.Label
		if axis == AxisGender && genderOf(label) != "" {
			label = genderOf(label)
		}
		if slices.ContainsFunc(shares, func(s Share) bool { return fold(s.Label) == fold(label) }) {
			continue
		}
		shares = append(shares, Share{Label: label, Pct: f.Pct, SourceIdx: source})
		sum += f.Pct
		if !contains(quotes, f.Quote) {
			quotes = append(quotes, f.Quote)
		}
	}
	quote := strings.Join(quotes, "; ")
	if sum > 101 {
		c.note(axis, source, Missing, "The shares that the brief gives add up to "+trim(sum)+" %, more than the whole: they are not used.", quote)
		return
	}
	d := Distribution{Name: axis, Status: Sourced, Tier: TierTarget, Reason: "Stated in the brief."}
	if rest := 100 - sum; rest > 1 {
		more, reason := c.remainder(axis, shares, rest, source)
		for _, x := range more {
			if x.SourceIdx != source && !c.scope.general() {
				d.Status = Proxy // the rest is divided as a wider population is
			}
		}
		shares = append(shares, more...)
		d.Reason += " " + reason
	}
	d.Distribution = shares
	if axis == AxisAge {
		slices.SortStableFunc(d.Distribution, func(a, b Share) int {
			x, _ := parseBand(a.Label)
			y, _ := parseBand(b.Label)
			return x.from - y.from
		})
	}
	wholeAgain(&d)
	c.add(candidate{dist: d, confidence: trustBrief, origin: fromBrief, quote: quote, stated: true, binding: true})
}

// statedRoles makes axes of the roles, statuses and firms that the brief names.
// One label of an axis holds for everybody; several are alternatives, whose
// shares nobody stated.
func (c *composer) statedRoles(figures map[string][]brief.Figure) {
	type group struct {
		axis   string
		labels []string
		quotes []string
	}
	var groups []*group
	take := func(t brief.Term) {
		if t.Axis == "" || t.Label == "" || figures[t.Axis] != nil || t.Axis == AxisAge || t.Axis == AxisGender || t.Axis == AxisGeography {
			return
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return g.axis == t.Axis })
		if i < 0 {
			groups = append(groups, &group{axis: t.Axis})
			i = len(groups) - 1
		}
		if g, label := groups[i], shown(t.Axis, t.Label); !contains(g.labels, label) {
			g.labels, g.quotes = append(g.labels, label), append(g.quotes, t.Quote)
		}
	}
	for _, t := range c.in.Brief.Roles {
		take(briefTerm(t, brief.AxisOccupation))
	}
	if f := c.in.Brief.Firm; f != nil {
		for _, t := range f.Industries {
			take(briefTerm(t, brief.AxisIndustry))
		}
		for _, t := range f.Sizes {
			take(briefTerm(t, brief.AxisCompanySize))
		}
		for _, t := range f.Revenue {
			take(briefTerm(t, brief.AxisRevenue))
		}
		for _, t := range f.Seniority {
			take(briefTerm(t, brief.AxisSeniority))
		}
	}
	for _, g := range groups {
		c.alternatives(g.axis, g.labels, strings.Join(g.quotes, ", "))
	}
	if s := c.scope; s.employed != "" && figures[AxisEmployment] == nil && !slices.ContainsFunc(groups, func(g *group) bool { return g.axis == AxisEmployment }) &&
		!slices.ContainsFunc(c.in.Brief.Traits, func(t brief.Trait) bool { return t.Axis == AxisEmployment && t.Required }) {
		c.addStated(AxisEmployment, []string{Employed}, []float64{100}, s.employed, "All of them are in work: the brief says “"+cut(s.employed, 60)+"”.", Demographic)
	}
}

func (c *composer) alternatives(axis string, labels []string, quote string) {
	if axis == AxisEmployment {
		if len(labels) == 2 && contains(labels, Employed) && c.scope.employed != "" {
			// "employed part-time": the narrower of the two says more.
			labels = slices.DeleteFunc(slices.Clone(labels), func(l string) bool { return l == Employed })
		}
	}
	if len(labels) == 1 {
		c.addStated(axis, labels, []float64{100}, quote, "All of them: the brief says “"+cut(quote, 80)+"”.", "")
		return
	}
	d := Distribution{Name: axis, Status: Assumed, Tier: TierTarget, Reason: "The brief names " + inWords(labels) + " and gives no shares: an even split is assumed."}
	for _, l := range labels {
		d.Distribution = append(d.Distribution, Share{Label: l, Pct: 100 / float64(len(labels)), SourceIdx: -1})
	}
	wholeAgain(&d)
	// The labels are the brief's own and bind every member; their shares are not.
	c.add(candidate{dist: d, confidence: trustAssumed + .1, origin: fromBrief, quote: quote, stated: true})
}

// shown is a label as a chart shows it: in the words of its axis where it has
// some, else with a capital first letter.
func shown(axis, label string) string {
	return capital(labelOn(axis, strings.TrimSpace(label)))
}

// statedTraits makes axes of what all members are, have or do. A trait that only
// some have, and no figure for it, is an even split that is said to be assumed.
func (c *composer) statedTraits(figures map[string][]brief.Figure) {
	type group struct {
		axis, category string
		labels, quotes []string
		required       bool
	}
	var groups []*group
	for _, t := range c.in.Brief.Traits {
		if t.Axis == "" || t.Label == "" || figures[t.Axis] != nil || t.Axis == AxisAge || t.Axis == AxisGender || t.Axis == AxisGeography {
			continue
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return g.axis == t.Axis && g.required == t.Required })
		if i < 0 {
			groups = append(groups, &group{axis: t.Axis, category: t.Category, required: t.Required})
			i = len(groups) - 1
		}
		if g, label := groups[i], shown(t.Axis, t.Label); !contains(g.labels, label) {
			g.labels, g.quotes = append(g.labels, label), append(g.quotes, t.Quote)
		}
	}
	for _, g := range groups {
		if !g.required {
			continue
		}
		if len(g.labels) > 1 && brief.OneOf(g.axis) && !c.hasAxis(g.axis) {
			c.alternatives(g.axis, g.labels, strings.Join(g.quotes, ", "))
			continue
		}
		reason := "Asked of every member: “" + cut(strings.Join(g.quotes, "”, “"), 160) + "”."
		if g.axis == brief.AxisFrequency || containsAny(fold(strings.Join(g.labels, " ")), []string{"at least", "or more", "mindestens", "au moins", "al menos"}) {
			reason += " How much more often than that is not stated: any split of it would be an assumption, and none is made."
		}
		c.addStated(g.axis, []string{strings.Join(g.labels, "; ")}, []float64{100}, strings.Join(g.quotes, "; "), reason, g.category)
	}
	for _, g := range groups {
		if g.required || c.hasAxis(g.axis) {
			continue
		}
		labels := g.labels
		if len(labels) == 1 {
			labels = append(slices.Clone(labels), "Others")
		}
		d := Distribution{Name: g.axis, Status: Assumed, Tier: TierTarget, Category: g.category, Reason: "The brief says that some are so (“" + cut(strings.Join(g.quotes, ", "), 120) + "”) and gives no share: an even split is assumed."}
		for _, l := range labels {
			d.Distribution = append(d.Distribution, Share{Label: l, Pct: 100 / float64(len(labels)), SourceIdx: -1})
		}
		wholeAgain(&d)
		c.add(candidate{dist: d, confidence: trustAssumed, origin: fromBrief, quote: strings.Join(g.quotes, "; ")})
	}
}

func (c *composer) hasAxis(axis string) bool {
	return slices.ContainsFunc(c.all, func(k candidate) bool { return k.dist.Name == axis })
}
