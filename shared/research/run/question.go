package run

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// asking is an item as one Mind sees it: its version, and the text with the Mind's
// own price where the method puts one in.
type asking struct {
	variant int
	text    string
	price   *float64
}

// question is the item in the engine's words. The text and the answer format are
// those that were confirmed or prepared (M-75).
func (x *execution) question(q Item, a asking) simulate.Question {
	_, r, version := q.variant(a.variant)
	out := simulate.Question{
		Text: a.text, Type: simulate.QuestionType(r.Type), Options: r.CategoricalOptions,
		MinSelections: r.MinSelections, MaxSelections: r.MaxSelections, Exclusive: r.ExclusiveOptions, TopLow: r.ScaleTop == "low",
		TopK: r.TopK, Minimum: r.Minimum, Maximum: r.Maximum, Integer: r.Integer, Unit: r.Unit,
	}
	if len(r.ScaleRange) == 2 {
		out.Min, out.Max = r.ScaleRange[0], r.ScaleRange[1]
	}
	for point, label := range r.ScaleLabels {
		if n, err := strconv.Atoi(point); err == nil {
			if out.ScaleLabels == nil {
				out.ScaleLabels = map[int]string{}
			}
			out.ScaleLabels[n] = label
		}
	}
	if x.Source != nil {
		out.Material = &simulate.Material{Label: x.Source.Label, Text: x.Source.Content}
	}
	if q.MethodID != "" {
		out.Battery = x.battery(q, a)
		if out.Battery != nil && version != "" {
			out.Battery.Task = q.ID + "/" + version
		}
	}
	return out
}

// battery says what an item that a method wrote has in common with its others.
func (x *execution) battery(q Item, a asking) *simulate.Battery {
	var c struct {
		Product       string            `json:"product"`
		Subject       string            `json:"subject"`
		Currency      string            `json:"currency"`
		Prices        []float64         `json:"prices"`
		QuestionOrder []string          `json:"questionOrder"`
		Features      []method.Labelled `json:"features"`
		Items         []method.Labelled `json:"items"`
		Attributes    []struct {
			ID     string `json:"id"`
			Label  string `json:"label"`
			Kind   string `json:"kind"`
			Levels []struct {
				ID    string   `json:"id"`
				Label string   `json:"label"`
				Value *float64 `json:"value"`
			} `json:"levels"`
		} `json:"attributes"`
	}
	if json.Unmarshal(x.configuration(q.MethodID), &c) != nil {
		return nil
	}
	n := slices.IndexFunc(x.of(q.MethodID), func(i Item) bool { return i.ID == q.ID })
	b := &simulate.Battery{Method: q.MethodID, Subject: c.Product, Task: q.ID, Currency: c.Currency}
	switch q.MethodID {
	case method.VanWestendorp:
		order := c.QuestionOrder
		if len(order) != 4 {
			order = []string{simulate.RoleTooCheap, simulate.RoleCheap, simulate.RoleExpensive, simulate.RoleTooExpensive}
		}
		if b.Role = simulate.RoleIntent; n < len(order) {
			b.Role = order[n]
		}
		b.Price = a.price
	case method.GaborGranger:
		b.Role, b.Grid = simulate.RoleIntent, c.Prices
		if at := max(n, 0); a.variant >= 0 || at < len(c.Prices) {
			if a.variant >= 0 {
				at = a.variant
			}
			if at < len(c.Prices) {
				b.Price = &c.Prices[at]
			}
		}
	case method.Kano:
		b.Role = simulate.RoleWith
		if n%2 == 1 {
			b.Role = simulate.RoleWithout
		}
		if n/2 < len(c.Features) {
			b.Subject = c.Features[n/2].Label
		}
	case method.MaxDiff, method.RankedPrefs, method.TURF:
		for _, i := range c.Items {
			b.Items = append(b.Items, i.Label)
		}
	case method.Conjoint:
		for _, at := range c.Attributes {
			one := simulate.Attribute{ID: at.ID, Label: at.Label, Kind: at.Kind}
			for _, l := range at.Levels {
				one.Levels = append(one.Levels, simulate.Level{ID: l.ID, Label: l.Label, Value: l.Value})
			}
			b.Attributes = append(b.Attributes, one)
		}
		if a.variant >= 0 && a.variant < len(q.Variants) {
			for _, alt := range q.Variants[a.variant].Alternatives {
				b.Alternatives = append(b.Alternatives, simulate.Alternative{ID: alt.ID, Levels: alt.Levels})
			}
		}
	default:
		return nil
	}
	return b
}

// short is an answer as later items and figures need it.
func short(a simulate.Answer, r method.Response, variant int) own {
	o := own{E: string(a.State), V: max(variant, 0), W: a.Warnings}
	switch a.Status {
	case simulate.Answered:
		o.S = string(stateAnswered)
	case simulate.CannotAnswer:
		return own{S: string(stateCannot), V: o.V}
	default:
		return own{S: string(stateFailed), V: o.V}
	}
	at := func(labels ...string) {
		for _, l := range labels {
			o.O = append(o.O, slices.Index(r.CategoricalOptions, l))
		}
	}
	switch r.Type {
	case "categorical":
		at(a.Option)
	case "multiselect":
		at(a.Options...)
	case "ranking":
		at(a.Ranking...)
	case "best_worst":
		at(a.Best, a.Worst)
	case "scale", "numeric":
		o.N = a.Number
	default:
		o.T = a.Text
	}
	if slices.Contains(o.O, -1) || o.N == nil && (r.Type == "scale" || r.Type == "numeric") {
		return own{S: string(stateFailed), V: o.V} // outside the contract of the item
	}
	return o
}

// earlier is an answer as its Mind remembers it.
func (o own) earlier(q Item) simulate.Earlier {
	text, r, _ := q.variant(variantIn(q, o))
	e := simulate.Earlier{Question: text, Number: o.N, Text: o.T}
	labels := o.labels(r.CategoricalOptions)
	switch {
	case len(labels) == 0:
	case r.Type == "categorical":
		e.Option = labels[0]
	case r.Type == "multiselect":
		e.Options = labels
	case r.Type == "ranking":
		e.Ranking = labels
	case len(labels) == 2:
		e.Best, e.Worst = labels[0], labels[1]
	}
	return e
}

func (o own) labels(options []string) []string {
	out := make([]string, 0, len(o.O))
	for _, at := range o.O {
		if at >= 0 && at < len(options) {
			out = append(out, options[at])
		}
	}
	return out
}

// value is an answer as methods take it.
func (o own) value(q Item, asked bool) method.Value {
	v := method.Value{Asked: asked, Answered: o.S == string(stateAnswered), Evidence: o.E}
	_, r, version := q.variant(variantIn(q, o))
	v.Version = version
	if !v.Answered {
		return v
	}
	if o.N != nil {
		v.Number = *o.N
	}
	labels := o.labels(r.CategoricalOptions)
	switch {
	case len(labels) == 0:
	case r.Type == "categorical":
		v.Option = labels[0]
	case r.Type == "multiselect":
		v.Options = labels
	case r.Type == "ranking":
		v.Ranking = labels
	case len(labels) == 2:
		v.Best, v.Worst = labels[0], labels[1]
	}
	return v
}
