package audience

import (
	"context"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/persona"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// mindEvidence is the evidence that members of another population answer from.
type mindEvidence struct{ ref *blobs.Ref }

// visual are the dimensions that a portrait shows: who changes there is another
// person to look at (M-144).
var visual = []string{"age", "gender", "representation"}

// people decides who changes, and writes the persons.
func (p *planning) people(ctx context.Context) (change, error) {
	if p.reach == ReachAdditive {
		return p.grow(ctx)
	}
	in := p.input(len(p.cohort.Members))
	config := in.Config
	for _, a := range in.Axes {
		if !slices.Contains(p.narrowed, a.Name) {
			continue
		}
		if o, ok := p.staying(a); ok {
			in.Config.TargetOverrides = append(slices.Clone(in.Config.TargetOverrides), o)
		}
	}
	var res allocate.Result
	var moves []allocate.Move
	var err error
	switch {
	case len(p.cohort.Members) == 0:
	case p.reach == ReachPivot:
		res, err = allocate.Allocate(in)
	default:
		res, moves, err = allocate.Again(in, p.now(in.Axes))
	}
	if err != nil {
		return change{}, err
	}
	out := change{Reach: p.reach}
	g := p.ground(config, res)
	given, err := p.evidence(ctx)
	if err != nil {
		return change{}, err
	}
	if given != nil {
		out.Evidence = given.ref
	}
	out.Recasts = p.recasts(g, res, moves, out.Evidence)
	return p.keep(ctx, out, g, p.recast(res, out.Recasts))
}

// keep puts what the change points to into blobs.
func (p *planning) keep(ctx context.Context, out change, g Ground, cohort Cohort) (change, error) {
	var err error
	if out.Ground, err = p.s.PutGround(ctx, p.o.Workspace, g); err != nil {
		return out, err
	}
	if p.a.Cohort != nil || len(cohort.Axes) > 0 {
		if out.Cohort, err = p.s.PutCohort(ctx, p.o.Workspace, cohort); err != nil {
			return out, err
		}
	}
	if out.Before, err = p.s.PutCohort(ctx, p.o.Workspace, p.cohort); err != nil {
		return out, err
	}
	out.Adjustment, err = p.adjustment(ctx)
	return out, err
}

// now is what each member stands for, for the axes of the allocation.
func (p *planning) now(axes []allocate.Axis) [][]string {
	out := make([][]string, len(p.cohort.Members))
	for k, m := range p.cohort.Members {
		out[k] = make([]string, len(axes))
		for x, a := range axes {
			out[k][x] = p.fitting(a, m, p.cohort.label(m, a.Name))
		}
	}
	return out
}

// fitting is the segment that somebody stands for when the bands of age were cut
// anew: that which holds the age.
func (p *planning) fitting(a allocate.Axis, m CohortMember, label string) string {
	if !slices.Contains(p.narrowed, a.Name) || slices.ContainsFunc(a.Segments, func(s allocate.Segment) bool { return s.Label == label }) {
		return label
	}
	age := p.minds[m.MindID].Identity
	if age == nil {
		return label
	}
	for _, s := range a.Segments {
		if low, high, ok := ageBand(s.Label); ok && age.Age >= low && age.Age <= high {
			return s.Label
		}
	}
	return label
}

// label is the segment that a member has of an axis, also of a dropped one; empty
// when it has none.
func (c Cohort) label(m CohortMember, axis string) string {
	i := slices.IndexFunc(c.Axes, func(a CohortAxis) bool { return a.Name == axis })
	if i < 0 || i >= len(m.Segments) || m.Segments[i] < 0 || int(m.Segments[i]) >= len(c.Axes[i].Segments) {
		return ""
	}
	return c.Axes[i].Segments[m.Segments[i]]
}

// recasts writes a new version of everybody who changes: with another population
// all, as other persons; with a trait all, as who they are; else those whose cell
// differs (M-144).
func (p *planning) recasts(g Ground, res allocate.Result, moves []allocate.Move, evidence *blobs.Ref) []recast {
	type who struct {
		at        int
		refreshed bool
	}
	var list []who
	byMember := make(map[int]bool, len(moves)) // refreshed
	for _, m := range moves {
		byMember[m.Member] = slices.ContainsFunc(m.Changes, func(c allocate.Change) bool { return slices.Contains(visual, c.Dimension) })
	}
	for k := range p.cohort.Members {
		refreshed, moved := byMember[k]
		switch {
		case p.reach == ReachPivot:
			list = append(list, who{k, true})
		case moved || p.reach == ReachTrait:
			list = append(list, who{k, refreshed})
		}
	}
	dims := map[string]string{}
	for _, d := range g.Composed.Distributions {
		dims[d.Name] = d.Dimension
	}
	specs := make([]persona.Spec, len(list))
	for i, w := range list {
		var cell []int16
		if w.at < len(res.Cells) {
			cell = res.Cells[w.at]
		}
		specs[i] = p.ofGroup(SpecOf(g, res.Axes, cell, p.cohort.Members[w.at].Index, dims), p.cohort.Members[w.at])
	}
	out := make([]recast, len(list))
	for i, person := range persona.Write(specs) {
		m := p.minds[p.cohort.Members[list[i].at].MindID]
		out[i] = recastOf(m, person, list[i].refreshed, p.reach == ReachPivot, evidence)
	}
	return out
}

// groups are those of the cohort with what holds for everybody from now on; another
// population has none.
func (p *planning) groups() []CohortGroup {
	if p.reach == ReachPivot {
		return nil
	}
	out := slices.Clone(p.cohort.Groups)
	for i, g := range out {
		out[i].Required = slices.Clone(g.Required)
		for _, r := range p.context.Required {
			if !slices.Contains(p.old.Context.Required, r) && !slices.Contains(g.Required, r) {
				out[i].Required = append(out[i].Required, r)
			}
		}
	}
	return out
}

// ofGroup is what a person is written from, as one of those that an instruction
// added.
func (p *planning) ofGroup(spec persona.Spec, m CohortMember) persona.Spec {
	groups := p.groups()
	if m.Group < 1 || m.Group > len(groups) {
		return spec
	}
	g := groups[m.Group-1]
	spec.Population, spec.Roles, spec.Required = g.Population, g.Roles, g.Required
	if g.Country != "" {
		spec.Country, spec.Region, spec.Locale = g.Country, g.Region, g.Locale
	}
	return spec
}

// recastOf is the new version of a Mind. One that evolves keeps its name, its
// portrait and who it is; one that is refreshed is another person under the same
// id. forget drops what it knew.
func recastOf(m mind.Mind, person persona.Person, refreshed, forget bool, evidence *blobs.Ref) recast {
	c := memberFor(person, m.ID, 0)
	name := c.Name
	if !refreshed {
		name = m.Name
		c.PersonaContext = strings.ReplaceAll(c.PersonaContext, person.Name, m.Name)
		c.Description = strings.ReplaceAll(c.Description, person.Name, m.Name)
	}
	out := recast{Refreshed: refreshed, Recast: mind.Recast{ID: m.ID, Revision: mind.Revision{
		Description: &c.Description, Discipline: &c.Discipline, PersonaContext: &c.PersonaContext, Forget: forget, Redraw: refreshed, Evidence: evidence}}}
	if refreshed {
		out.Name, out.Identity = &name, &c.Identity
	}
	return out
}

// recast is the cohort under a new allocation. Axes that are no longer allocated
// stay behind the others, for those whose person is as it was.
func (p *planning) recast(res allocate.Result, recasts []recast) Cohort {
	rewritten := make(map[string]bool, len(recasts))
	for _, r := range recasts {
		rewritten[r.ID] = true
	}
	out := Cohort{Groups: p.groups()}
	dims := map[string]string{}
	for _, d := range p.composed.Distributions {
		dims[d.Name] = d.Dimension
	}
	for _, a := range res.Axes {
		axis := CohortAxis{Name: a.Name, Dimension: dims[a.Name]}
		for _, s := range a.Segments {
			axis.Segments = append(axis.Segments, s.Label)
		}
		out.Axes = append(out.Axes, axis)
	}
	var dropped []int
	for i, a := range p.cohort.Axes {
		if !slices.ContainsFunc(out.Axes, func(o CohortAxis) bool { return o.Name == a.Name }) {
			a.Dropped = true
			out.Axes, dropped = append(out.Axes, a), append(dropped, i)
		}
	}
	for k, m := range p.cohort.Members {
		row := CohortMember{MindID: m.MindID, Index: m.Index, Weight: 1, Segments: make([]int16, 0, len(out.Axes))}
		if len(out.Groups) > 0 {
			row.Group = m.Group
		}
		if k < len(res.Cells) {
			row.Segments = append(row.Segments, res.Cells[k]...)
		}
		if k < len(res.Weights) {
			row.Weight = res.Weights[k]
		}
		for _, i := range dropped {
			at := int16(-1)
			if !rewritten[m.MindID] && i < len(m.Segments) {
				at = m.Segments[i]
			}
			row.Segments = append(row.Segments, at)
		}
		out.Members = append(out.Members, row)
	}
	return out
}

// standing is the cohort as far as a change came: who has its new version stands
// for the new segments, who has not for the old ones.
func (c change) standing(before, planned Cohort, applied, made int) Cohort {
	open := map[string]bool{}
	for _, r := range c.Recasts[min(applied, len(c.Recasts)):] {
		open[r.ID] = true
	}
	unmade := map[string]bool{}
	for _, m := range c.New[min(made, len(c.New)):] {
		unmade[m.ID] = true
	}
	old := make(map[string]CohortMember, len(before.Members))
	for _, m := range before.Members {
		old[m.MindID] = m
	}
	out := Cohort{Axes: slices.Clone(planned.Axes), Groups: planned.Groups}
	for _, m := range planned.Members {
		if unmade[m.MindID] {
			continue
		}
		was, known := old[m.MindID]
		if !open[m.MindID] || !known {
			out.Members = append(out.Members, m)
			continue
		}
		row := CohortMember{MindID: m.MindID, Index: m.Index, Weight: was.Weight, Group: m.Group}
		for i, a := range out.Axes {
			row.Segments = append(row.Segments, out.Axes[i].place(before.label(was, a.Name)))
		}
		out.Members = append(out.Members, row)
	}
	return out
}

// place is the position of a segment in an axis, added behind the others when it
// is new there; -1 for none.
func (a *CohortAxis) place(label string) int16 {
	if label == "" {
		return -1
	}
	i := slices.Index(a.Segments, label)
	if i < 0 {
		a.Segments = append(slices.Clone(a.Segments), label)
		i = len(a.Segments) - 1
	}
	return int16(i)
}
