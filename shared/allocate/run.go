package allocate

import (
	"context"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// attempts is how many seeded starts are tried while a rule is still broken.
const attempts = 4

// maxMembers is the most that a call may ask for (the contract's schema).
const maxMembers = 6000

// Allocate makes a cohort: every member a segment of every axis, every margin
// exact. It refuses with ALLOCATION_UNSATISFIABLE (422), naming what conflicts,
// when an axis cannot be filled or stated relations cannot hold; relations that
// were found in data are then reported as unsatisfied.
func Allocate(in Input) (Result, error) { return AllocateContext(context.Background(), in) }

// AllocateContext is Allocate for a caller who may leave: the search ends within a
// sweep of one axis after ctx does, and its error is that of ctx.
func AllocateContext(ctx context.Context, in Input) (Result, error) {
	p, err := prepare(in, nil)
	if err != nil || p.skip != "" {
		return p.skipped(), err
	}
	var best *cohort
	for attempt := range attempts {
		d := newDice(in.Config.Seed, uint64(attempt))
		c := newCohort(p.n, p.used, p.aims)
		c.left = func() bool { return ctx.Err() != nil }
		c.start(d, p.strategy)
		c.count()
		// Two axes rounded under control cannot be bettered.
		if len(p.used) > 2 || c.broken() > 0 {
			c.search(d)
		}
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		if best == nil || c.broken() < best.broken() {
			best = c
		}
		if best.broken() == 0 {
			break
		}
	}
	best.reorder(best.interleave(newDice(in.Config.Seed, attempts)))
	return p.result(best)
}

// plan is a checked input.
type plan struct {
	in       Input
	n        int // members to allocate
	places   []int
	used     []*margin
	relaxed  bool
	rules    []*rule
	strategy string
	aims     []*aim
	skip     string
}

func prepare(in Input, now [][]string) (*plan, error) {
	p := &plan{in: in}
	if in.Members < 1 || in.Members > maxMembers {
		return p, fault.New(fault.Validation, "memberCount is a number from 1 to %d; %d was given.", maxMembers, in.Members)
	}
	if err := in.Config.Check(); err != nil {
		return p, err
	}
	real := make(map[int]bool, len(in.RealPersons))
	for _, m := range in.RealPersons {
		if m >= 0 && m < in.Members {
			real[m] = true
		}
	}
	for m := range in.Members {
		if !real[m] {
			p.places = append(p.places, m)
		}
	}
	p.n = len(p.places)
	p.strategy = in.Config.JointStrategy
	if p.strategy == "" {
		p.strategy = Independent
		if len(in.Pairs) > 0 {
			p.strategy = Observed
		}
	}
	switch {
	case !in.Config.enabled():
		p.skip = "disabled"
		return p, nil
	case p.n == 0:
		p.skip = "real_persons"
		return p, nil
	}
	var err error
	if p.used, p.relaxed, err = margins(in, p.n); err != nil {
		return p, err
	}
	if len(p.used) == 0 {
		p.skip = "no_axes"
		return p, nil
	}
	p.keep(now)
	if p.rules, err = compile(in, p.used); err != nil {
		return p, err
	}
	p.aims = aims(in, p.used, p.rules, p.strategy)
	return p, p.conflicts()
}

// conflicts refuses stated rules that the quotas of their two axes rule out.
func (p *plan) conflicts() error {
	var named []map[string]any
	for _, r := range p.rules {
		if r.i < 0 || len(r.cells) == 0 {
			continue
		}
		short := r.feasible(p.used)
		if short == 0 {
			continue
		}
		r.audit.Reason = r.explain(p.used, short)
		if r.audit.Stated {
			r.audit.Violations = short
			named = append(named, r.conflict())
		}
	}
	if len(named) > 0 {
		return refusal(named)
	}
	return nil
}

// skipped is the result of a cohort that is not allocated.
func (p *plan) skipped() Result {
	r := Result{Cells: make([][]int16, max(0, min(p.in.Members, maxMembers))), Weights: ones(max(0, min(p.in.Members, maxMembers)))}
	r.EffectiveN = float64(len(r.Cells))
	r.Coverage = Coverage{MemberCount: p.in.Members, ExcludedRealPersonCount: p.in.Members - p.n, SkipReason: &p.skip}
	r.Audit = Audit{MemberCount: max(1, p.in.Members), JointStrategy: p.strategy, JointAssumption: Independent, Axes: []AxisAudit{},
		SegmentRelations: []RelationAudit{}, JointConsistency: JointConsistency{Discovery: p.discovery(), Pairs: []PairAudit{}}, EffectiveN: r.EffectiveN}
	return r
}

func ones(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

func (p *plan) discovery() any {
	if len(p.in.Discovery) == 0 {
		return "unknown"
	}
	return p.in.Discovery
}

// result turns columns into rows, weighs them and writes the audit.
func (p *plan) result(c *cohort) (Result, error) {
	relations, conflicts := settle(p.rules, c.col)
	if len(conflicts) > 0 {
		return Result{}, refusal(conflicts)
	}
	r := Result{Cells: make([][]int16, p.in.Members), Axes: make([]Axis, len(p.used)),
		Weights: ones(p.in.Members),
		Coverage: Coverage{MemberCount: p.in.Members, AllocatedMemberCount: p.n,
			ExcludedRealPersonCount: p.in.Members - p.n}}
	for x, m := range p.used {
		r.Axes[x] = m.Axis
	}
	for m := range r.Cells {
		r.Cells[m] = slices.Repeat([]int16{-1}, len(p.used))
	}
	for k, m := range p.places {
		for x, u := range p.used {
			r.Cells[m][x] = int16(u.use[c.col[x][k]])
		}
	}
	var trim *WeightTrim
	if !p.even() {
		shares := make([][]float64, len(p.used))
		for x, m := range p.used {
			shares[x] = m.share
		}
		var w []float64
		w, trim = weigh(p.n, c.col, shares)
		for k, m := range p.places {
			r.Weights[m] = w[k]
		}
	}
	r.EffectiveN = effective(r.Weights)
	r.Audit = p.audit(c, relations, trim)
	r.Audit.EffectiveN = r.EffectiveN
	return r, nil
}

// even tells whether all quotas are proportional, so that no weights are needed.
func (p *plan) even() bool {
	return !slices.ContainsFunc(p.used, func(m *margin) bool { return !m.even })
}

// Profiles gives the contract's profiles of the allocated members.
func Profiles(r Result) []Profile {
	out := make([]Profile, 0, len(r.Cells))
	for m, row := range r.Cells {
		if len(row) == 0 || row[0] < 0 {
			continue
		}
		p := Profile{MemberIndex: m, Assignments: make([]Assignment, len(row))}
		for x, s := range row {
			a := r.Axes[x]
			p.Assignments[x] = Assignment{Distribution: a.Name, Segment: a.Segments[s].Label, SourceIdx: a.Segments[s].SourceIdx,
				Dimension: a.Dimension, Canonical: a.Segments[s].Canonical}
		}
		out = append(out, p)
	}
	return out
}
