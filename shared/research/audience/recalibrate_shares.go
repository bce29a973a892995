package audience

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// statement is the instruction as a source of its own.
func (p *planning) statement() grounding.Source {
	return grounding.Source{Title: "Adjustment of " + p.s.d.Clock.Now().UTC().Format("2 January 2006"), Snippet: clip(p.r.Instruction, 300),
		Domain: "brief", Confidence: 1, Tier: grounding.TierTarget, IsUserProvided: true}
}

// cite is the place of the instruction among the sources.
func (p *planning) cite(c *grounding.Composed) int {
	src := p.statement()
	if i := slices.Index(c.Sources, src); i >= 0 {
		return i
	}
	c.Sources = append(slices.Clone(c.Sources), src)
	return len(c.Sources) - 1
}

// share puts stated shares into the axes that stand: the other segments keep their
// proportion, their labels and their sources, so that only those who must change
// do. left are the axes that it cannot be done for.
func (p *planning) share(c grounding.Composed, axes []string, figures []brief.Figure) (out grounding.Composed, left []string) {
	out = c
	for _, name := range axes {
		i := slices.IndexFunc(out.Distributions, func(d grounding.Distribution) bool { return d.Name == name })
		var own []brief.Figure
		for _, f := range figures {
			if f.Axis == name && f.Of == "" {
				own = append(own, f)
			}
		}
		if i < 0 || len(own) == 0 {
			left = append(left, name)
			continue
		}
		d, ok := reshared(out.Distributions[i], own)
		if !ok {
			left = append(left, name)
			continue
		}
		if sameShares(d.Distribution, out.Distributions[i].Distribution) {
			continue // in force already
		}
		at := p.cite(&out)
		rest := 0
		var quotes []string
		for _, f := range own {
			quotes = append(quotes, f.Quote)
		}
		named := func(label string) bool {
			return slices.ContainsFunc(own, func(f brief.Figure) bool { return strings.EqualFold(f.Label, label) })
		}
		for _, s := range d.Distribution {
			if !named(s.Label) {
				rest++
			}
		}
		for k, s := range d.Distribution {
			if named(s.Label) || rest == 1 { // what one segment leaves is stated with it
				d.Distribution[k].SourceIdx, d.Distribution[k].Review = at, nil
			}
		}
		quote := strings.Join(slices.Compact(quotes), "; ")
		d.Reason = "Stated in an adjustment (“" + clip(quote, 160) + "”)."
		switch {
		case rest <= 1:
			d.Status, d.Tier = grounding.Sourced, grounding.TierTarget
		default:
			d.Reason += " The other segments keep the proportions that they had."
		}
		out = changed(out, i, d, grounding.Finding{Distribution: d.Name, SourceIdx: at, Status: d.Status, Summary: d.Reason, Quote: clip(quote, 500)})
	}
	return out, left
}

// changed is a composition with another axis in the place of one, and with all that
// is said of it.
func changed(c grounding.Composed, i int, d grounding.Distribution, says grounding.Finding) grounding.Composed {
	was := c.Distributions[i]
	c.Distributions = slices.Clone(c.Distributions)
	c.Distributions[i] = d
	c.Review = slices.Clone(c.Review)
	for k, r := range c.Review {
		if r.Name == was.Name && sameShares(r.Distribution, was.Distribution) {
			c.Review[k] = d
			break
		}
	}
	at := slices.IndexFunc(c.Findings, func(f grounding.Finding) bool { return f.Distribution == was.Name })
	if at < 0 {
		at = len(c.Findings)
	}
	c.Findings = slices.DeleteFunc(slices.Clone(c.Findings), func(f grounding.Finding) bool { return f.Distribution == was.Name })
	c.Findings = slices.Insert(c.Findings, min(at, len(c.Findings)), says)
	c.Coverage.Dimensions = slices.Clone(c.Coverage.Dimensions)
	for k, dim := range c.Coverage.Dimensions {
		if dim.Key == keyOf(d) {
			c.Coverage.Dimensions[k] = grounding.Dimension{Key: dim.Key, Name: d.Name, Status: d.Status, Reason: d.Reason}
		}
	}
	return c
}

// reshared is an axis with stated shares; false when they leave nobody to be the
// rest, or are more than the whole.
func reshared(d grounding.Distribution, figures []brief.Figure) (grounding.Distribution, bool) {
	named, sum := map[string]float64{}, 0.0
	for _, f := range figures {
		named[strings.ToLower(f.Label)] = f.Pct
	}
	for _, pct := range named {
		sum += pct
	}
	others := 0.0
	for _, s := range d.Distribution {
		if _, ok := named[strings.ToLower(s.Label)]; !ok {
			others += s.Pct
		}
	}
	if sum > 100+1e-9 || others == 0 && sum < 100-1e-9 {
		return d, false
	}
	var shares []grounding.Share
	for _, s := range d.Distribution {
		key := strings.ToLower(s.Label)
		if pct, ok := named[key]; ok {
			s.Pct = pct
			delete(named, key)
		} else {
			s.Pct = hundredths(s.Pct / others * (100 - sum))
		}
		if s.Pct > 0 {
			shares = append(shares, s)
		}
	}
	for _, f := range figures { // segments that were not there
		key := strings.ToLower(f.Label)
		if _, left := named[key]; left && f.Pct > 0 {
			shares = append(shares, grounding.Share{Label: f.Label, Pct: f.Pct, SourceIdx: -1})
		}
		delete(named, key)
	}
	d.Distribution = shares
	return d, true
}

// narrower are the axes that an instruction only narrows ("only people aged 30 to
// 40"): who fits already stays as they are.
func (p *planning) narrower() (grounding.Composed, []string, bool) {
	w := p.said.Brief
	if len(w.Places)+len(w.Roles)+len(w.Traits)+len(w.Excluded) > 0 || w.Firm != nil || w.Size != nil || p.said.Replaces != "age" && p.said.Replaces != "gender" {
		return p.composed, nil, false
	}
	out, axes := p.composed, []string(nil)
	hc := grounding.HardConstraints{}
	if out.HardConstraints != nil {
		hc = *out.HardConstraints
	}
	narrow := func(dimension, quote string, cut func(grounding.Distribution) []grounding.Share) bool {
		i := slices.IndexFunc(out.Distributions, func(d grounding.Distribution) bool { return keyOf(d) == dimension })
		if i < 0 {
			return false
		}
		d := out.Distributions[i]
		d.Distribution = cut(d)
		whole := 0.0
		for _, s := range d.Distribution {
			whole += s.Pct
		}
		if whole <= 0 {
			return false
		}
		for k := range d.Distribution {
			d.Distribution[k].Pct = hundredths(d.Distribution[k].Pct / whole * 100)
		}
		d.Reason = strings.TrimSpace(d.Reason + " Cut to “" + clip(quote, 80) + "”, as an adjustment asks.")
		out = changed(out, i, d, grounding.Finding{Distribution: d.Name, SourceIdx: p.cite(&out), Status: d.Status, Summary: d.Reason, Quote: clip(quote, 500)})
		axes = append(axes, d.Name)
		return true
	}
	if w.Age != nil {
		low, high := w.Age.Min, w.Age.Max
		if high == 0 {
			high = 130
		}
		if !narrow("age", w.Age.Quote, func(d grounding.Distribution) []grounding.Share { return bandsCut(d, low, high) }) {
			return p.composed, nil, false
		}
		hc.MinAge, hc.MaxAge = &w.Age.Min, nil
		if w.Age.Max > 0 {
			hc.MaxAge = &w.Age.Max
		}
	}
	if len(w.Genders) > 0 {
		if !narrow("gender", strings.Join(w.GenderQuotes, ", "), func(d grounding.Distribution) []grounding.Share {
			return slices.DeleteFunc(slices.Clone(d.Distribution), func(s grounding.Share) bool { return !slices.Contains(w.Genders, meaning(d.Name, s.Label)) })
		}) {
			return p.composed, nil, false
		}
		hc.Genders = nil
		for _, g := range w.Genders {
			hc.Genders = append(hc.Genders, strings.ToUpper(g[:1])+g[1:])
		}
	}
	out.HardConstraints = &hc
	return out, axes, len(axes) > 0
}

// bandsCut are the bands of an axis inside a range, each with its part of the years.
func bandsCut(d grounding.Distribution, low, high int) []grounding.Share {
	var out []grounding.Share
	for _, s := range d.Distribution {
		a, b, ok := ageBand(s.Label)
		from, to := max(a, low), min(b, high)
		if !ok || from > to {
			continue
		}
		if from != a || to != b {
			s.Pct *= float64(to-from+1) / float64(min(b, 99)-a+1)
			s.Label = bandLabel(from, to)
			s.Canonical = s.Label
		}
		out = append(out, s)
	}
	return out
}

func bandLabel(from, to int) string {
	switch {
	case to >= 100:
		return strconv.Itoa(from) + "+"
	case from == to:
		return strconv.Itoa(from)
	}
	return strconv.Itoa(from) + "-" + strconv.Itoa(to)
}

// staying are the seats of an axis that was narrowed: all who fit keep theirs, and
// the others fill up where people are wanted most.
func (p *planning) staying(a allocate.Axis) (allocate.Override, bool) {
	n := len(p.cohort.Members)
	all, err := allocate.Allocate(allocate.Input{Axes: []allocate.Axis{a}, Members: n, Mode: p.old.Mode})
	if err != nil || len(all.Audit.Axes) == 0 {
		return allocate.Override{}, false
	}
	have, open := map[string]int{}, 0
	for _, row := range p.now([]allocate.Axis{a}) {
		if slices.ContainsFunc(a.Segments, func(s allocate.Segment) bool { return s.Label == row[0] && s.Barred == "" }) {
			have[row[0]]++
		} else {
			open++
		}
	}
	for ; open > 0; open-- {
		best, short := "", math.MinInt
		for _, s := range all.Audit.Axes[0].Segments {
			if d := s.TargetCount - have[s.Label]; s.NormalizedTargetPct > 0 && d > short {
				best, short = s.Label, d
			}
		}
		have[best]++
	}
	o := allocate.Override{Distribution: a.Name}
	for _, s := range a.Segments {
		o.Segments = append(o.Segments, allocate.OverrideShare{Label: s.Label, Pct: 100 * float64(have[s.Label]) / float64(n)})
	}
	return o, true
}
