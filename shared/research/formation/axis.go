package formation

import (
	"context"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/segment"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// axis is one way in which members are known to differ: an allocated axis of the
// cohort, or a field that their profiles share.
type axis struct {
	name     string
	dim      string // key of its dimension
	segments []part
}

// part is one segment and how many members have it.
type part struct {
	label   string
	members int
}

// populated are the segments that anybody has.
func (a axis) populated() int {
	n := 0
	for _, p := range a.segments {
		if p.members > 0 {
			n++
		}
	}
	return n
}

// entropy is the normalised Shannon entropy over the populated segments, 0..1.
func (a axis) entropy() float64 {
	total, k := 0, 0
	for _, p := range a.segments {
		total += p.members
		if p.members > 0 {
			k++
		}
	}
	if k < 2 {
		return 0
	}
	h := 0.0
	for _, p := range a.segments {
		if p.members > 0 {
			q := float64(p.members) / float64(total)
			h -= q * math.Log(q)
		}
	}
	return h / math.Log(float64(k))
}

// axesOf are the active axes of an Audience: those of its cohort, and for what
// the cohort leaves out, the fields that most members' profiles have.
func (s *Service) axesOf(ctx context.Context, a audience.Audience) ([]axis, error) {
	c, err := s.d.Audiences.CohortOf(ctx, a)
	if err != nil {
		return nil, err
	}
	if c != nil && len(c.Axes) > 0 {
		return cohortAxes(*c, a.MemberIDs), nil
	}
	minds, err := s.d.Minds.GetMany(ctx, a.MemberIDs)
	if err != nil {
		return nil, err
	}
	return fieldAxes(minds), nil
}

func cohortAxes(c audience.Cohort, members []string) []axis {
	in := make(map[string]bool, len(members))
	for _, id := range members {
		in[id] = true
	}
	out := make([]axis, len(c.Axes))
	for i, ax := range c.Axes {
		out[i] = axis{name: ax.Name, dim: dimensionOf(ax.Name, ax.Dimension), segments: make([]part, len(ax.Segments))}
		for k, label := range ax.Segments {
			out[i].segments[k].label = label
		}
	}
	for _, m := range c.Members {
		if !in[m.MindID] {
			continue
		}
		for i, at := range m.Segments {
			if i < len(out) && at >= 0 && int(at) < len(out[i].segments) {
				out[i].segments[at].members++
			}
		}
	}
	return out
}

func dimensionOf(name, given string) string {
	if given != "" && given != "none" {
		return given
	}
	return grounding.DimensionOf(name)
}

// ageBands part adults where no axis says how.
var ageBands = []string{"18-24", "25-34", "35-44", "45-54", "55-64", "65+"}

// genders are the buckets of a default where no axis has any.
var genders = []string{"Woman", "Man", "Non-binary"}

// fieldAxes are the profile fields that at least half of the Minds have, with 2
// to 15 values; ages come in bands.
func fieldAxes(minds []mind.Mind) []axis {
	type field struct {
		name  string
		seen  int
		parts map[string]int
		order []string
	}
	fields := map[string]*field{}
	var order []string
	for _, m := range minds {
		had := map[string]bool{}
		for _, f := range simulate.ParseProfile(m.PersonaContext).Fields {
			if had[f.Key] || len([]rune(f.Value)) > maxLabel {
				continue
			}
			had[f.Key] = true
			x := fields[f.Key]
			if x == nil {
				x = &field{name: strings.ToUpper(f.Key[:1]) + f.Key[1:], parts: map[string]int{}}
				fields[f.Key] = x
				order = append(order, f.Key)
			}
			v := f.Value
			if grounding.DimensionOf(f.Key) == grounding.DimAge {
				v = bandFor(v)
			}
			if v == "" {
				continue
			}
			k := caseless(v)
			at := slices.IndexFunc(x.order, func(l string) bool { return caseless(l) == k })
			if at < 0 {
				if len(x.order) > 4*maxBuckets {
					continue
				}
				x.order = append(x.order, v)
			}
			x.parts[k]++
			x.seen++
		}
	}
	var out []axis
	for _, k := range order {
		x := fields[k]
		if len(x.order) < minBuckets || len(x.order) > maxBuckets || x.seen*2 < len(minds) {
			continue
		}
		ax := axis{name: x.name, dim: grounding.DimensionOf(x.name)}
		if ax.dim == grounding.DimAge {
			sort.SliceStable(x.order, func(i, j int) bool { return slices.Index(ageBands, x.order[i]) < slices.Index(ageBands, x.order[j]) })
		}
		for _, l := range x.order {
			ax.segments = append(ax.segments, part{l, x.parts[caseless(l)]})
		}
		out = append(out, ax)
	}
	return out
}

// bandFor is the band of a stated age, "" when none is stated.
func bandFor(value string) string {
	lo, hi, ok := span(value)
	if !ok {
		return ""
	}
	mid := lo
	if !math.IsInf(hi, 1) && !math.IsInf(lo, -1) {
		mid = (lo + hi) / 2
	}
	for _, b := range ageBands {
		if l, h, _ := span(b); mid >= l && mid < h+1 {
			return b
		}
	}
	return ""
}

// span reads a number or a range of numbers.
func span(s string) (lo, hi float64, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if n, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSuffix(s, " years old"), " years"), 64); err == nil {
		return n, n, true
	}
	return segment.Band(s)
}

// place is what a bucket stands for: segments of one axis.
type place struct {
	Axis   string   `json:"axis,omitempty"` // folded name; "" when the bucket stands for none
	Dim    string   `json:"dim,omitempty"`
	Labels []string `json:"labels,omitempty"`
}

var definedAs = regexp.MustCompile(`^Members whose (.+) is (.+)\.$`)

// either joins the definitions of buckets that were merged.
const either = " Or: "

// definition states a segment as M-158 does.
func definition(axis, label string) string { return "Members whose " + axis + " is " + label + "." }

// defined reads a definition of that form.
func defined(text string) place {
	var p place
	for _, d := range strings.Split(text, either) {
		m := definedAs.FindStringSubmatch(d)
		if m == nil || p.Axis != "" && caseless(m[1]) != p.Axis {
			return place{}
		}
		p.Axis, p.Dim, p.Labels = caseless(m[1]), grounding.DimensionOf(m[1]), append(p.Labels, m[2])
	}
	return p
}

// places finds for each bucket the segments it stands for: its definition says
// so, or its label is a segment of the axis that most buckets are of, the first
// of those that the intent names. One label alone proves nothing.
func places(h Hypothesis, axes []axis) []place {
	out := make([]place, len(h.Subgroups))
	for i, b := range h.Subgroups {
		out[i] = defined(b.Definition)
	}
	best, most := -1, 0
	for i, ax := range axes {
		n := 0
		for k, b := range h.Subgroups {
			if ax.find(b.Label) >= 0 || out[k].Axis == caseless(ax.name) {
				n++
			}
		}
		if n > most || n == most && n > 0 && named(h.Intent, ax.name) && !named(h.Intent, axes[best].name) {
			best, most = i, n
		}
	}
	if best < 0 || most < 2 {
		return out
	}
	ax := axes[best]
	for i, b := range h.Subgroups {
		if at := ax.find(b.Label); out[i].Axis == "" && at >= 0 {
			out[i] = place{caseless(ax.name), ax.dim, []string{ax.segments[at].label}}
		}
	}
	return out
}

func named(text, name string) bool { return strings.Contains(phrase(text), phrase(name)) }

// find is the segment that a label names.
func (a axis) find(label string) int {
	k := same(a.dim, label)
	return slices.IndexFunc(a.segments, func(p part) bool { return same(a.dim, p.label) == k })
}

// same folds what means the same in a dimension.
func same(dim, label string) string {
	k := caseless(label)
	if dim != grounding.DimGender {
		return k
	}
	switch k {
	case "woman", "women", "female", "females", "f":
		return "woman"
	case "man", "men", "male", "males", "m":
		return "man"
	case "non-binary", "nonbinary", "non binary", "diverse":
		return "non-binary"
	}
	return k
}

// holds reports whether a member's value lies in one of the segments.
func (p place) holds(value string) bool {
	l, h, fine := span(value)
	for _, label := range p.Labels {
		if same(p.Dim, value) == same(p.Dim, label) {
			return true
		}
		if lo, hi, ok := span(label); ok && fine && l >= lo && h <= hi+.999 {
			return true
		}
	}
	return false
}
