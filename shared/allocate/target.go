package allocate

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// margin is an axis that is allocated: its usable segments, their shares and
// the seats each gets.
type margin struct {
	Axis
	use    []int     // index in Axis.Segments of every usable segment
	share  []float64 // fractions, sum 1
	quota  []int     // seats, sum n
	ranked []int     // usable segments from low to high; nil when they have no order
	even   bool      // quotas are what rounding alone gives
}

func (m *margin) label(s int) string { return m.Segments[m.use[s]].Label }

// find is the usable segment with this label, -1 when there is none.
func (m *margin) find(label string) int {
	for s, i := range m.use {
		if m.Segments[i].Label == label {
			return s
		}
	}
	return -1
}

func (m *margin) has(label string) bool {
	return slices.ContainsFunc(m.Segments, func(s Segment) bool { return s.Label == label })
}

var tiers = map[string]int{"target": 0, "broader": 1, "general": 2, "global": 3}

// margins chooses the axes and gives every usable segment its seats of n.
func margins(in Input, n int) (used []*margin, relaxed bool, err error) {
	if err := checkAxes(in.Axes); err != nil {
		return nil, false, err
	}
	axes, err := chosen(in.Axes, in.Config)
	if err != nil {
		return nil, false, err
	}
	overrides, err := overridesOf(in.Axes, in.Config.TargetOverrides)
	if err != nil {
		return nil, false, err
	}
	for _, a := range axes {
		m := &margin{Axis: a}
		if err := m.normalise(overrides[a.Name]); err != nil {
			return nil, false, err
		}
		m.quota = quotas(n, m.share)
		floor := in.Config.MinSegmentCount
		if in.Mode == SegmentCoverage {
			floor = max(floor, 2)
		}
		if floorAt(m.quota, m.share, n, floor) {
			relaxed = true
		}
		if in.Mode == Balanced {
			represent(m.quota, m.share, n)
		}
		m.even = proportional(m.quota, m.share, n)
		m.ranked = rankOf(a, m.use)
		used = append(used, m)
	}
	return used, relaxed, nil
}

func checkAxes(axes []Axis) error {
	names := make(map[string]bool, len(axes))
	for _, a := range axes {
		if names[a.Name] {
			return fault.New(fault.Validation, "Two axes are named %q: an axis is named once; rename or merge them.", a.Name)
		}
		names[a.Name] = true
		if len(a.Segments) > math.MaxInt16 {
			return fault.New(fault.Validation, "Axis %q has more than 32,767 segments: group them.", a.Name)
		}
		labels := make(map[string]bool, len(a.Segments))
		for _, s := range a.Segments {
			if labels[s.Label] {
				return fault.New(fault.Validation, "Axis %q has two segments %q: a label stands once in its axis.", a.Name, s.Label)
			}
			labels[s.Label] = true
			if math.IsNaN(s.Pct) || math.IsInf(s.Pct, 0) || s.Pct < 0 {
				return fault.New(fault.Validation, "Segment %q of axis %q has no usable share: pct is a number of at least 0.", s.Label, a.Name)
			}
		}
	}
	return nil
}

// chosen is the axes to allocate, in their order: those named, and of those the
// first by tier, then by order, when their number is capped (M-123). An axis
// without segments (nothing is known) is none.
func chosen(axes []Axis, c Config) ([]Axis, error) {
	wanted := make(map[string]bool, len(c.DistributionNames))
	for _, n := range c.DistributionNames {
		if !slices.ContainsFunc(axes, func(a Axis) bool { return a.Name == n }) {
			return nil, unknown("cohortAllocation.distributionNames", "axis", n, names(axes))
		}
		wanted[n] = true
	}
	at := make([]int, 0, len(axes))
	for i, a := range axes {
		if len(a.Segments) > 0 && (len(wanted) == 0 || wanted[a.Name]) {
			at = append(at, i)
		}
	}
	if c.MaxDistributions > 0 && len(at) > c.MaxDistributions {
		rank := func(i int) int {
			if r, ok := tiers[axes[i].Tier]; ok {
				return r
			}
			return len(tiers)
		}
		sort.SliceStable(at, func(x, y int) bool { return rank(at[x]) < rank(at[y]) })
		at = at[:c.MaxDistributions]
		sort.Ints(at)
	}
	out := make([]Axis, len(at))
	for x, i := range at {
		out[x] = axes[i]
	}
	return out, nil
}

func names(axes []Axis) []string {
	out := make([]string, len(axes))
	for i, a := range axes {
		out[i] = a.Name
	}
	return out
}

func unknown(field, kind, name string, known []string) error {
	const shown = 20
	hint := strings.Join(known[:min(len(known), shown)], ", ")
	return fault.New(fault.AllocationUnsatisfiable, "%s names the %s %q, which this population has not: use one of %s, spelled exactly.", field, kind, name, hint).
		With("unknown", name)
}

func overridesOf(axes []Axis, overrides []Override) (map[string]map[string]float64, error) {
	out := make(map[string]map[string]float64, len(overrides))
	for _, o := range overrides {
		i := slices.IndexFunc(axes, func(a Axis) bool { return a.Name == o.Distribution })
		if i < 0 {
			return nil, unknown("cohortAllocation.targetOverrides", "axis", o.Distribution, names(axes))
		}
		shares := make(map[string]float64, len(o.Segments))
		for _, s := range o.Segments {
			j := slices.IndexFunc(axes[i].Segments, func(x Segment) bool { return x.Label == s.Label })
			if j < 0 {
				known := make([]string, len(axes[i].Segments))
				for k, x := range axes[i].Segments {
					known[k] = x.Label
				}
				return nil, unknown("cohortAllocation.targetOverrides", "segment", s.Label, known)
			}
			if barred := axes[i].Segments[j].Barred; barred != "" && s.Pct > 0 {
				return nil, fault.New(fault.AllocationUnsatisfiable, "cohortAllocation.targetOverrides asks for %g %% of %q in %q, but nobody may be in it (%s): drop the override or the constraint.",
					s.Pct, s.Label, o.Distribution, barred).With("conflicts", []map[string]any{{"distribution": o.Distribution, "segment": s.Label, "reason": barred}})
			}
			shares[s.Label] = s.Pct
		}
		out[o.Distribution] = shares
	}
	return out, nil
}

// normalise leaves out barred and empty segments and brings the shares to 1. An
// override sets the final share of the segments it names; the others fill up
// what is left in their own proportion. Overrides above 100 together, or of all
// segments, are brought to 100 themselves.
func (m *margin) normalise(override map[string]float64) error {
	var named, others float64
	pct := make([]float64, 0, len(m.Segments))
	fixed := make([]bool, 0, len(m.Segments))
	for i, s := range m.Segments {
		p, isFixed := override[s.Label]
		if !isFixed {
			p = s.Pct
		}
		if s.Barred != "" || p <= 0 {
			continue
		}
		m.use = append(m.use, i)
		pct, fixed = append(pct, p), append(fixed, isFixed)
		if isFixed {
			named += p
		} else {
			others += p
		}
	}
	if len(m.use) == 0 {
		return m.nobody()
	}
	m.share = make([]float64, len(pct))
	rest := math.Max(0, 100-named)
	for i, p := range pct {
		switch {
		case fixed[i] && others > 0:
			m.share[i] = p / math.Max(100, named)
		case fixed[i]:
			m.share[i] = p / named
		case named > 0:
			m.share[i] = p / others * (rest / 100)
		default:
			m.share[i] = p / others
		}
	}
	// Segments that an override leaves nothing are out.
	kept := 0
	for i := range m.use {
		if m.share[i] > 0 {
			m.use[kept], m.share[kept] = m.use[i], m.share[i]
			kept++
		}
	}
	m.use, m.share = m.use[:kept], m.share[:kept]
	return nil
}

// nobody is the refusal of an axis none of whose segments may be filled.
func (m *margin) nobody() error {
	conflicts := make([]map[string]any, 0, len(m.Segments))
	for _, s := range m.Segments {
		reason := s.Barred
		if reason == "" {
			reason = "its share is 0"
		}
		conflicts = append(conflicts, map[string]any{"distribution": m.Name, "segment": s.Label, "reason": reason})
	}
	return fault.New(fault.AllocationUnsatisfiable, "Axis %q has no segment that a member may be in: each is barred by a constraint or has no share. Loosen the constraint, or leave the axis out with excludeDistributions.", m.Name).
		With("conflicts", conflicts)
}
