package grounding

import (
	"math"
	"slices"
	"strings"
)

// settle decides which candidate each dimension rests on: the strongest (M-57).
// The others stay to be seen; what measures the Study's outcome is context (M-53).
func (c *composer) settle() Composed {
	keys, groups := by(c.all)
	out := Composed{Sources: c.shelf.list, Pairs: slices.Clone(c.in.Pairs), Place: c.scope.place, Locale: localeOf(c.scope.place.Country, c.in.Brief.Language)}
	if out.Place.Country == "" && len(c.scope.countries) == 1 {
		out.Place.Country = c.scope.countries[0].country.Code
	}
	out.HardConstraints = c.hard()
	var weaker []Distribution
	for _, key := range keys {
		group := groups[key]
		if len(group) == 0 {
			continue
		}
		best, dropped := group[0], ""
		best = c.onReviewedLabels(best, group)
		switch {
		case c.isOutcome(best):
			out.Flagged = append(out.Flagged, Flag{Name: best.dist.Name, Reason: "study_outcome", Category: best.dist.Category, Tier: best.dist.Tier})
			dropped = " It measures what the Study is to find out, so it is kept as context and not allocated."
		case contains(c.in.Exclude, best.dist.Name) && !(key == DimGender && best.stated):
			dropped = " Its quota was dropped at the caller's request."
		}
		best.dist.Reason += dropped
		if dropped == "" {
			out.Distributions = append(out.Distributions, best.dist)
		} else {
			weaker = append(weaker, best.dist)
		}
		for i, k := range group {
			f := Finding{Distribution: k.dist.Name, SourceIdx: citedBy(k.dist), Status: k.dist.Status, Summary: cut(k.dist.Reason, 1000), Quote: clip(k.quote, 500)}
			if i == 0 {
				f.Summary = cut(best.dist.Reason, 1000)
				out.Findings = append(out.Findings, f)
				continue
			}
			weaker = append(weaker, k.dist)
			if k.dist.Status != Assumed {
				f.Summary = cut(f.Summary+" A stronger source is used.", 1000)
				out.Findings = append(out.Findings, f)
			}
		}
		best.dist.Dimension = key
		out.Coverage.Dimensions = append(out.Coverage.Dimensions, Dimension{Key: key, Name: best.dist.Name, Status: best.dist.Status, Reason: cut(best.dist.Reason, 1000)})
	}
	out.Findings = append(out.Findings, c.extra...)
	c.missing(&out)
	out.Review = append(slices.Clone(out.Distributions), weaker...)
	out.Relations = append(relations(out.Distributions), c.ties(out.Distributions)...)
	attachRelations(out.Distributions, out.Relations)
	attachRelations(out.Review, out.Relations)
	out.Who = c.who()
	out.finish()
	return out
}

// citedBy is the first source of a distribution, -1 when there is none.
func citedBy(d Distribution) int {
	for _, s := range d.Distribution {
		if s.SourceIdx >= 0 {
			return s.SourceIdx
		}
	}
	return -1
}

// onReviewedLabels puts the brief's gender shares on the name and the labels of a
// reviewed axis, so that the observed pairs, which are named by them, still hold.
func (c *composer) onReviewedLabels(best candidate, group []candidate) candidate {
	if best.origin != fromBrief || best.dist.Dimension != DimGender {
		return best
	}
	i := slices.IndexFunc(group, func(k candidate) bool { return k.origin == fromReview })
	if i < 0 {
		return best
	}
	d := copied(best.dist)
	d.Name = group[i].dist.Name
	for j, s := range d.Distribution {
		for _, r := range group[i].dist.Distribution {
			if g := genderOf(r.Label); g != "" && g == genderOf(s.Label) {
				d.Distribution[j].Label = r.Label
			}
		}
	}
	d.Annotate()
	best.dist = d
	return best
}

// missing lists the dimensions of the core pool, and those asked for by name, of
// which nothing is known.
func (c *composer) missing(out *Composed) {
	have := func(key string) bool {
		return slices.ContainsFunc(out.Coverage.Dimensions, func(d Dimension) bool { return d.Key == key })
	}
	for _, d := range core {
		if have(d.key) {
			continue
		}
		reason := "No figure was supplied and none ships with the program"
		if why := c.why[d.key]; why != "" {
			out.Coverage.Dimensions = append(out.Coverage.Dimensions, Dimension{Key: d.key, Name: d.axis, Status: Missing, Reason: why + " It is not allocated."})
			continue
		}
		if where := c.scope.where(); !c.scope.worldwide || c.scope.place.Stated {
			if c.scope.worldwide {
				where = c.scope.place.Name
			}
			reason += " for " + where
		} else if d.key != DimRepresentation {
			reason = "The brief names no place, so no figure can be looked up"
		}
		out.Coverage.Dimensions = append(out.Coverage.Dimensions, Dimension{Key: d.key, Name: d.axis, Status: Missing, Reason: reason + ". It is not allocated."})
	}
	for _, t := range c.in.Brief.Axes {
		name := t.Axis
		if name == "" {
			name = t.Label
		}
		key := DimensionOf(name)
		if name == "" || have(key) {
			continue
		}
		out.Coverage.Dimensions = append(out.Coverage.Dimensions, Dimension{Key: key, Name: name, Status: Missing, Reason: "The brief asks for it (“" + cut(t.Quote, 80) + "”), and no figure of it was found. It is not allocated."})
	}
	order := func(d Dimension) int {
		if i := slices.IndexFunc(core, func(x struct{ key, axis, category string }) bool { return x.key == d.Key }); i >= 0 {
			return i
		}
		return len(core)
	}
	slices.SortStableFunc(out.Coverage.Dimensions, func(a, b Dimension) int { return order(a) - order(b) })
}

// isOutcome reports whether an axis measures what the Study is to find out: the
// brief names it among its outcomes, in the same words.
func (c *composer) isOutcome(k candidate) bool {
	if k.origin == fromBrief && k.stated && len(k.dist.Distribution) == 1 {
		return false // asked of every member: it defines who is meant
	}
	if coreAxis(k.dist.Dimension) != "" {
		return false // who people are is never the finding
	}
	name := stems(k.dist.Name)
	for _, o := range c.in.Brief.Outcomes {
		if o.Axis == k.dist.Name || slug(o.Label) == k.dist.Dimension {
			return true
		}
		outcome := stems(o.Label + " " + o.Quote)
		all := len(name) > 0
		for _, w := range name {
			all = all && contains(outcome, w)
		}
		if all {
			return true
		}
	}
	return false
}

// stems are the content words of a phrase, cut to what inflection leaves.
func stems(s string) []string {
	var out []string
	for _, w := range strings.Fields(fold(s)) {
		if len(w) < 4 || smallWords[w] {
			continue
		}
		if r := []rune(w); len(r) > 6 {
			w = string(r[:6])
		}
		out = append(out, w)
	}
	return out
}

var smallWords = map[string]bool{"would": true, "they": true, "their": true, "with": true, "this": true, "that": true, "about": true, "status": true, "level": true, "from": true, "what": true, "whether": true}

// finish works out what follows from the distributions: counts, confidence, the
// smallest sensible size and the summary.
func (out *Composed) finish() {
	cov := &out.Coverage
	cov.Sourced, cov.Proxy, cov.Assumed, cov.Missing = 0, 0, 0, 0
	sum := 0.0
	for _, d := range cov.Dimensions {
		switch d.Status {
		case Sourced:
			cov.Sourced++
			sum += 1
		case Proxy:
			cov.Proxy++
			sum += .7
		case Assumed:
			cov.Assumed++
			sum += .3
		default:
			cov.Missing++
		}
	}
	if n := len(cov.Dimensions); n > 0 {
		out.Confidence = math.Round(sum/float64(n)*100) / 100
	}
	out.SuggestedMin = suggestedMin(out.Distributions)
	out.Summary = summary(out.Who, *cov)
}

// suggestedMin is the smallest number of members in which the smallest segment
// that matters is still one person: ceil(100/share) over the segments of 5 % and
// more of all axes that stand on evidence, 3 to 50 (M-60, M-61). Assumed shares
// never drive a size (M-46).
func suggestedMin(all []Distribution) int {
	n := 3
	for _, d := range all {
		if d.Status != Sourced && d.Status != Proxy {
			continue
		}
		for _, s := range d.Distribution {
			if s.Pct >= 5 {
				n = max(n, int(math.Ceil(100/s.Pct-1e-9)))
			}
		}
	}
	return min(n, 50)
}

func (c *composer) who() string {
	who := strings.TrimSpace(c.in.Brief.Population)
	if who == "" {
		who = c.scope.people()
	}
	return who
}

func summary(who string, cov Coverage) string {
	names := map[string][]string{}
	for _, d := range cov.Dimensions {
		names[d.Status] = append(names[d.Status], d.Name)
	}
	var b strings.Builder
	b.WriteString(capital(strings.TrimRight(cut(who, 300), ".")) + ".")
	for _, g := range []struct{ status, words string }{
		{Sourced, " Sourced for this population: "},
		{Proxy, " Taken from a wider or a near population: "},
		{Assumed, " Assumed, no figure found: "},
		{Missing, " Not known and not allocated: "},
	} {
		if n := names[g.status]; len(n) > 0 {
			b.WriteString(g.words + inWords(n) + ".")
		}
	}
	return b.String()
}
