package grounding

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/brief"
)

// imperatives are words of a text that speaks to its reader. What they ask for is
// no evidence of anything.
var imperatives = []string{"ignore", "disregard", "instruction", "instructions", "system prompt", "you must", "you are", "respond with", "answer with", "pretend", "output"}

// askModel lets the extractor add what the rules did not read, under the same
// checks as theirs: a claim whose quote does not stand in its material, or whose
// quote does not hold the figure and the label, is dropped.
func (c *composer) askModel(ctx context.Context, materials []Material) error {
	if c.in.Model == nil || len(materials) == 0 {
		return nil
	}
	claims, err := c.in.Model.Extract(ctx, c.in.Brief.Text, materials)
	if err != nil {
		return fmt.Errorf("grounding: the model could not read the material: %w", err)
	}
	if len(claims) > 500 {
		claims = claims[:500]
	}
	type key struct {
		material int
		axis     string
	}
	var keys []key
	groups := map[key][]Claim{}
	texts := map[int]string{}
	for _, k := range claims {
		if k.Material < 0 || k.Material >= len(materials) {
			continue
		}
		text, ok := texts[k.Material]
		if !ok {
			text = strings.Join(strings.Fields(materials[k.Material].Text), " ")
			texts[k.Material] = text
		}
		axis := c.axisClaimed(k.Axis)
		if axis == "" || !holds(text, k, axis) {
			continue
		}
		at := key{k.Material, axis}
		if groups[at] == nil {
			keys = append(keys, at)
		}
		k.Label = labelOn(axis, k.Label)
		if !slices.ContainsFunc(groups[at], func(x Claim) bool { return fold(x.Label) == fold(k.Label) }) {
			groups[at] = append(groups[at], k)
		}
	}
	for _, at := range keys {
		if c.readAlready(at.material, at.axis) {
			continue
		}
		var shares []Share
		for _, k := range groups[at] {
			shares = append(shares, Share{Label: k.Label, Pct: k.Pct})
		}
		origin := fromMaterial
		if at.material >= len(c.in.Material) {
			origin = fromWeb
		}
		c.offer(materials[at.material], at.material, origin, at.axis, shares, true, clip(groups[at][0].Quote, 500), trustModel)
	}
	return nil
}

// readAlready reports whether the rules took an axis from a material: what they
// read needs no second reading.
func (c *composer) readAlready(material int, axis string) bool {
	source, ok := c.shelf.at["material:"+itoa(material)]
	if !ok {
		return false
	}
	return slices.ContainsFunc(c.all, func(k candidate) bool {
		return k.dist.Name == axis && citedBy(k.dist) == source
	})
}

// axisClaimed is the axis that a claim may be about: one of the population's.
func (c *composer) axisClaimed(name string) string {
	if axis := axisNamed(name); axis != "" {
		return axis
	}
	for _, t := range c.in.Brief.Axes {
		if fold(name) == fold(t.Label) || fold(name) == fold(t.Axis) {
			return axisName(t)
		}
	}
	for _, t := range c.in.Brief.Traits {
		if fold(name) == fold(t.Axis) {
			return t.Axis
		}
	}
	for _, topic := range c.in.Topics {
		if name != "" && fold(name) == fold(topic) {
			return capital(strings.TrimSpace(topic))
		}
	}
	return ""
}

func labelOn(axis, label string) string {
	label = cut(label, 80)
	switch axis {
	case AxisGender:
		if g := genderOf(label); g != "" {
			return g
		}
	case AxisAge:
		if b, ok := parseBand(label); ok {
			return b.String()
		}
	case AxisEmployment:
		if e := employmentWords[fold(label)]; e != "" {
			return e
		}
	case AxisHousehold:
		if alone[fold(label)] {
			return "1 person"
		}
	case brief.AxisUrbanity:
		if u := urbanWords[fold(label)]; u != "" {
			return u
		}
	}
	return label
}

// alone are the words for a household of one.
var alone = map[string]bool{"live alone": true, "lives alone": true, "living alone": true, "single household": true, "single person household": true, "one person household": true, "1": true, "one person": true}

// holds reports whether a claim stands in the text: its quote verbatim (white
// space aside), and in the quote the very figure and the label.
func holds(text string, k Claim, axis string) bool {
	quote := strings.Join(strings.Fields(k.Quote), " ")
	if quote == "" || len(quote) > 2000 || math.IsNaN(k.Pct) || k.Pct < 0 || k.Pct > 100 || strings.TrimSpace(k.Label) == "" || !strings.Contains(text, quote) {
		return false
	}
	folded := fold(quote)
	if containsAny(folded, imperatives) {
		return false
	}
	fields := strings.Fields(quote)
	words := make([]string, len(fields))
	for i, f := range fields {
		words[i] = strings.Trim(fold(f), ".")
	}
	found := false
	for i := range fields {
		if pct, _, ok := percentAt(fields, words, i); ok && math.Abs(pct-k.Pct) < .051 {
			found = true
		} else if p, ok := number100(strings.Trim(fields[i], ",;:|()")); ok && math.Abs(p-k.Pct) < .051 && strings.ContainsAny(quote, "%|,\t;") {
			found = true // a cell of a table
		}
	}
	if !found {
		return false
	}
	switch axis {
	case AxisGender:
		g := genderOf(k.Label)
		return g != "" && slices.ContainsFunc(words, func(w string) bool { return genderWords[w] == g })
	case AxisAge:
		b, ok := parseBand(k.Label)
		if !ok {
			return false
		}
		return strings.Contains(folded, itoa(b.from)) && (b.to >= 100 || strings.Contains(folded, itoa(b.to)))
	}
	return strings.Contains(" "+folded+" ", " "+fold(k.Label)+" ")
}
