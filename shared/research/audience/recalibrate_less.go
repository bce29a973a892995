package audience

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// bounded is an instruction whose bounds are shares where they do not hold yet;
// where they hold nothing is asked for.
func bounded(in brief.Instruction, c grounding.Composed) (brief.Instruction, error) {
	for _, b := range in.Limits {
		axis, labels := segmentsFor(c, b.Figure)
		i := standing(c, axis)
		if axis == "" || i < 0 {
			if !b.Least {
				return in, invalid("instruction", "No axis of this Audience tells who is %s from the others, so a bound has nothing to hold. Write the share, for example \"%g %% %s\", which makes it an axis.", b.Label, b.Pct, strings.ToLower(b.Label))
			}
			in.Figures = append(in.Figures, b.Figure)
			continue
		}
		have := 0.0
		for _, s := range labels {
			if k := slices.IndexFunc(c.Distributions[i].Distribution, func(o grounding.Share) bool { return o.Label == s.Label }); k >= 0 {
				have += c.Distributions[i].Distribution[k].Pct
			}
		}
		have = 100 * have / weightOf(c.Distributions[i])
		if b.Least && have >= b.Pct-1e-9 || !b.Least && have <= b.Pct+1e-9 {
			continue
		}
		in.Figures = append(in.Figures, b.Figure)
	}
	in.Limits = nil
	in.Brief.Figures = slices.Clone(in.Figures)
	in.Axes = slices.DeleteFunc(slices.Clone(in.Axes), func(a string) bool {
		return !slices.ContainsFunc(in.Figures, func(f brief.Figure) bool { return f.Axis == a }) &&
			!slices.ContainsFunc(in.Brief.Axes, func(t brief.Term) bool { return t.Axis == a })
	})
	return in, nil
}

// less is a brief without those whom an instruction leaves out.
func less(b, w brief.Brief, text string) brief.Brief {
	was := b
	gone := func(axis, label string) {
		b.Figures = slices.DeleteFunc(slices.Clone(b.Figures), func(f brief.Figure) bool { return f.Axis == axis && (label == "" || strings.EqualFold(f.Label, label)) })
	}
	if a := w.Age; a != nil {
		b.Age = agesWithout(b.Age, *a)
		gone(brief.AxisAge, "")
	}
	if len(w.Genders) > 0 {
		var others []string
		for _, g := range []string{"woman", "man"} {
			if !slices.Contains(w.Genders, g) && (len(b.Genders) == 0 || slices.Contains(b.Genders, g)) {
				others = append(others, g)
			}
		}
		if len(others) == 1 {
			b.Genders, b.GenderQuotes = others, []string{map[string]string{"woman": "women", "man": "men"}[others[0]]}
		}
		gone(brief.AxisGender, "")
	}
	b.Excluded = slices.Clone(b.Excluded)
	for _, p := range w.Places {
		b.Excluded = append(b.Excluded, brief.Trait{Axis: brief.AxisGeography, Label: p.Name, Category: brief.Geographic, Quote: p.Quote})
		gone(brief.AxisGeography, p.Name)
	}
	for _, t := range w.Roles {
		b.Excluded = append(b.Excluded, brief.Trait{Axis: t.Axis, Label: t.Label, Category: brief.Demographic, Quote: t.Quote})
		gone(t.Axis, t.Label)
	}
	for _, t := range append(slices.Clone(w.Traits), w.Excluded...) {
		b.Excluded = append(b.Excluded, t)
		gone(t.Axis, t.Label)
	}
	b.Text = strings.TrimSpace(b.Text + "\n" + text)
	b.Size, b.Contradictions = nil, nil
	b.Population = restated(b.Population, was, b)
	return b
}

// agesWithout is a range of ages without another one, where it stays one range.
func agesWithout(have *brief.AgeRange, gone brief.AgeRange) *brief.AgeRange {
	out := brief.AgeRange{}
	if have != nil {
		out = *have
	}
	switch {
	case gone.Max == 0 || out.Max > 0 && gone.Max >= out.Max: // the upper end goes
		out.Max = gone.Min - 1
	case gone.Min <= out.Min:
		out.Min = gone.Max + 1
	default:
		return have
	}
	switch {
	case out.Min > 0 && out.Max > 0:
		out.Quote = fmt.Sprintf("aged %d to %d", out.Min, out.Max)
	case out.Max > 0:
		out.Quote = fmt.Sprintf("aged up to %d", out.Max)
	default:
		out.Quote = fmt.Sprintf("aged %d and over", out.Min)
	}
	return &out
}
