package grounding

import (
	"net/url"
	"slices"
	"strings"
)

// offer makes one candidate of the shares of a material, or a note of why not.
func (c *composer) offer(m Material, i, origin int, axis string, shares []Share, percent bool, quote string, trust float64) {
	sum := 0.0
	for _, s := range shares {
		sum += s.Pct
	}
	if sum == 0 {
		return
	}
	source := c.material(m, i, origin, quote)
	d := Distribution{Name: axis, Status: Sourced, Tier: TierTarget, Reason: "Read in " + titleOf(m) + "."}
	if origin == fromWeb {
		trust = min(trust, trustWeb)
		d.Tier = TierBroader
		if !c.near(m.Text) {
			d.Status, d.Tier = Proxy, TierGeneral
			d.Reason = "Read in " + titleOf(m) + ", which does not say that it counts this population."
		}
	}
	if sum > 103 {
		c.note(axis, source, Missing, "The shares in "+titleOf(m)+" add up to "+trim(sum)+" %: more than one answer was possible, so they divide nobody.", quote)
		return
	}
	for k := range shares {
		shares[k].SourceIdx = source
	}
	if rest := 100 - sum; rest > 3 {
		if !percent {
			return
		}
		more, reason := c.remainder(axis, shares, rest, source)
		shares = append(shares, more...)
		d.Reason += " " + reason
		if axis == AxisAge {
			d.Status = Proxy // partly another source's
			sortBands(shares)
		}
	}
	d.Distribution = shares
	wholeAgain(&d)
	c.add(candidate{dist: d, confidence: trust, published: m.PublishedDate, origin: origin, quote: quote})
}

func sortBands(shares []Share) {
	slices.SortStableFunc(shares, func(a, b Share) int {
		x, _ := parseBand(a.Label)
		y, _ := parseBand(b.Label)
		return x.from - y.from
	})
}

// near reports whether a page speaks of the place and of the people meant.
func (c *composer) near(text string) bool {
	const most = 200_000
	text = " " + fold(clip(text, most)) + " "
	place := c.scope.worldwide
	for _, w := range c.scope.countries {
		place = place || strings.Contains(text, " "+fold(w.country.Name)+" ")
	}
	if c.scope.place.Name != "" {
		place = place || strings.Contains(text, " "+fold(c.scope.place.Name)+" ")
	}
	if !place {
		return false
	}
	if c.scope.general() {
		return true
	}
	for _, t := range c.in.Brief.Roles {
		if strings.Contains(text, fold(t.Label)) {
			return true
		}
	}
	for w := range c.about() {
		if strings.Contains(text, " "+w) && !counted[w] {
			return true
		}
	}
	return false
}

func (c *composer) material(m Material, i, origin int, quote string) int {
	s := Source{URL: m.URL, Title: titleOf(m), Snippet: clip(quote, 300), Domain: domainOf(m.URL), Confidence: trustMaterial, PublishedDate: m.PublishedDate, Tier: TierTarget, IsUserProvided: m.UserProvided || origin == fromMaterial}
	if origin == fromWeb {
		s.Confidence, s.Tier, s.IsUserProvided = trustWeb, TierBroader, m.UserProvided
	}
	if s.Domain == "" {
		s.Domain = "upload"
	}
	return c.shelf.add("material:"+itoa(i), s)
}

func titleOf(m Material) string {
	title := strings.TrimSpace(m.Title)
	if title == "" {
		title = strings.TrimSpace(m.URL)
	}
	if title == "" {
		title = "supplied text"
	}
	if m.Where != "" {
		title += ", " + m.Where
	}
	return cut(title, 200)
}

func domainOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}
