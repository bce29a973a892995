package allocate

import (
	"fmt"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Ranks of a forbidden cell: a rule that the caller stated goes before one that
// was found in data.
const (
	found  = uint8(1)
	stated = uint8(2)
)

// rule is a relation or a dependency compiled to two axes: cells in which nobody
// may stand.
type rule struct {
	audit RelationAudit
	i, j  int // axes, positions in the cohort; -1 when not applied
	cells [][2]int
}

func (r *rule) rank() uint8 {
	if r.audit.Stated {
		return stated
	}
	return found
}

// compile turns relations and dependencies into rules. One that names an axis
// or a label that the population has not is refused when stated, and else noted.
func compile(in Input, used []*margin) ([]*rule, error) {
	rules := make([]*rule, 0, len(in.Relations)+len(in.Dependencies))
	for _, x := range in.Relations {
		r, err := relation(in, used, x)
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	for _, x := range in.Dependencies {
		r, err := dependency(in, used, x)
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func position(used []*margin, name string) int {
	return slices.IndexFunc(used, func(m *margin) bool { return m.Name == name })
}

// place finds the two axes of a rule. The reason says why it cannot be applied.
func place(in Input, used []*margin, from, to string) (i, j int, reason string, err error) {
	for _, name := range []string{from, to} {
		if !slices.ContainsFunc(in.Axes, func(a Axis) bool { return a.Name == name }) {
			return -1, -1, fmt.Sprintf("the population has no axis %q", name), unknown("segmentRelations", "axis", name, names(in.Axes))
		}
	}
	if from == to {
		return -1, -1, "both sides are the same axis", fault.New(fault.AllocationUnsatisfiable, "A relation of axis %q names that axis on both sides: relate two axes.", from)
	}
	i, j = position(used, from), position(used, to)
	if i < 0 || j < 0 {
		return -1, -1, "an axis of it is not allocated", nil
	}
	return i, j, "", nil
}

func relation(in Input, used []*margin, x Relation) (*rule, error) {
	r := &rule{i: -1, j: -1, audit: RelationAudit{Type: x.Type, Distribution: x.Axis, Segment: x.Segment,
		Target: x.Target, TargetSegments: x.TargetSegments, Stated: x.Stated, Status: "not_applied"}}
	if x.Type != Subset && x.Type != Excludes {
		if x.Stated {
			return nil, fault.New(fault.Validation, "A segment relation has the type %q: it is subset or excludes.", x.Type)
		}
		r.audit.Reason = "its type is neither subset nor excludes"
		return r, nil
	}
	i, j, reason, err := place(in, used, x.Axis, x.Target)
	if err != nil && x.Stated {
		return nil, err
	}
	if reason != "" {
		r.audit.Reason = reason
		return r, nil
	}
	if !used[i].has(x.Segment) {
		return r, r.noLabel(x.Stated, used[i], x.Segment)
	}
	for _, l := range x.TargetSegments {
		if !used[j].has(l) {
			return r, r.noLabel(x.Stated, used[j], l)
		}
	}
	r.i, r.j = i, j
	s := used[i].find(x.Segment)
	if s < 0 {
		return r, nil // nobody is in the segment, so it holds
	}
	for t := range used[j].use {
		if slices.Contains(x.TargetSegments, used[j].label(t)) == (x.Type == Excludes) {
			r.cells = append(r.cells, [2]int{s, t})
		}
	}
	return r, nil
}

func (r *rule) noLabel(refuse bool, m *margin, label string) error {
	if refuse {
		known := make([]string, len(m.Segments))
		for i, s := range m.Segments {
			known[i] = s.Label
		}
		return unknown("segmentRelations", "segment", label, known)
	}
	r.audit.Reason = fmt.Sprintf("axis %q has no segment %q", m.Name, label)
	return nil
}

func dependency(in Input, used []*margin, x Dependency) (*rule, error) {
	r := &rule{i: -1, j: -1, audit: RelationAudit{Type: "functionalDependency", Distribution: x.From, Target: x.To,
		Stated: x.Stated, Status: "not_applied"}}
	i, j, reason, err := place(in, used, x.From, x.To)
	if err != nil && x.Stated {
		return nil, err
	}
	if reason != "" {
		r.audit.Reason = reason
		return r, nil
	}
	values := x.Values
	if len(values) == 0 {
		values = mapping(in.Pairs, x.From, x.To)
	}
	if len(values) == 0 {
		r.audit.Reason = "no mapping of its values is given"
		if x.Stated {
			return nil, fault.New(fault.AllocationUnsatisfiable, "%q is said to decide %q, but no mapping of its values is given: send the values, or the pair table of both axes.", x.From, x.To)
		}
		return r, nil
	}
	r.i, r.j = i, j
	for s := range used[i].use {
		to, ok := values[used[i].label(s)]
		if !ok {
			continue // a value that the rule does not speak of
		}
		if !used[j].has(to) {
			r.i, r.j, r.cells = -1, -1, nil
			return r, r.noLabel(x.Stated, used[j], to)
		}
		for t := range used[j].use {
			if used[j].label(t) != to {
				r.cells = append(r.cells, [2]int{s, t})
			}
		}
	}
	return r, nil
}

// mapping reads a dependency off the pair table: the one value of to that each
// value of from is seen with most.
func mapping(pairs []Pair, from, to string) map[string]string {
	for _, p := range pairs {
		forward := p.A == from && p.B == to
		if !forward && (p.A != to || p.B != from) {
			continue
		}
		best := make(map[string]float64)
		out := make(map[string]string)
		for _, c := range p.Cells {
			a, b := c.A, c.B
			if !forward {
				a, b = b, a
			}
			if c.Share > best[a] {
				best[a], out[a] = c.Share, b
			}
		}
		return out
	}
	return nil
}

// settle counts what stands and gives the audit rows. A stated rule that is
// broken is the caller's conflict.
func settle(rules []*rule, col [][]int16) (rows []RelationAudit, conflicts []map[string]any) {
	rows = make([]RelationAudit, 0, len(rules))
	for _, r := range rules {
		if r.i >= 0 {
			r.audit.Status, r.audit.Violations = "satisfied", r.count(col)
			if r.audit.Violations > 0 {
				r.audit.Status = "unsatisfied"
				if r.audit.Reason == "" {
					r.audit.Reason = "no arrangement was found that keeps every quota and every rule"
				}
				if r.audit.Stated {
					conflicts = append(conflicts, r.conflict())
				}
			}
		}
		rows = append(rows, r.audit)
	}
	return rows, conflicts
}

func (r *rule) count(col [][]int16) int {
	if len(col) == 0 {
		return 0
	}
	barred := make(map[[2]int]bool, len(r.cells))
	for _, c := range r.cells {
		barred[c] = true
	}
	n := 0
	for m := range col[r.i] {
		if barred[[2]int{int(col[r.i][m]), int(col[r.j][m])}] {
			n++
		}
	}
	return n
}

func (r *rule) conflict() map[string]any {
	c := map[string]any{"type": r.audit.Type, "distribution": r.audit.Distribution, "targetDistribution": r.audit.Target,
		"violations": r.audit.Violations, "reason": r.audit.Reason}
	if r.audit.Segment != "" {
		c["segment"] = r.audit.Segment
		c["targetSegments"] = r.audit.TargetSegments
	}
	return c
}

// refusal names what cannot hold together.
func refusal(conflicts []map[string]any) error {
	c := conflicts[0]
	what := fmt.Sprintf("%v %v of %v", c["type"], c["distribution"], c["targetDistribution"])
	if s, ok := c["segment"]; ok {
		what = fmt.Sprintf("%q of %q %s %v of %q", s, c["distribution"], verb(c["type"]), c["targetSegments"], c["targetDistribution"])
	}
	return fault.New(fault.AllocationUnsatisfiable, "The quotas and the stated relations cannot hold together: %s, but %v. Change a share, the size or the relation.", what, c["reason"]).
		With("conflicts", conflicts)
}

func verb(t any) string {
	if t == Excludes {
		return "excludes"
	}
	return "is a subset of"
}

// feasible tests each rule alone against the quotas of its two axes: the most
// people who can stand outside its forbidden cells, by maximum flow. What is
// short is the number of members for whom the rule must break.
func (r *rule) feasible(used []*margin) (short int) {
	a, b := used[r.i], used[r.j]
	barred := make(map[[2]int]bool, len(r.cells))
	for _, c := range r.cells {
		barred[c] = true
	}
	rows, columns := len(a.use), len(b.use)
	f := newFlow(rows+columns+2, rows*columns+rows+columns)
	for s, n := range a.quota {
		f.add(rows+columns, s, n, 0)
		for t := range b.use {
			if !barred[[2]int{s, t}] {
				f.add(s, rows+t, n, 0)
			}
		}
	}
	for t, n := range b.quota {
		f.add(rows+t, rows+columns+1, n, 0)
	}
	return total(a.quota) - f.run(rows+columns, rows+columns+1)
}

// explain says in figures why a rule alone cannot hold.
func (r *rule) explain(used []*margin, short int) string {
	a, b := used[r.i], used[r.j]
	if r.audit.Segment == "" {
		return fmt.Sprintf("the quotas of both axes leave %d members without a matching value", short)
	}
	need := a.quota[a.find(r.audit.Segment)]
	room := 0
	for t := range b.use {
		if slices.Contains(r.audit.TargetSegments, b.label(t)) == (r.audit.Type == Subset) {
			room += b.quota[t]
		}
	}
	return fmt.Sprintf("%q needs %d members and only %d have a segment of %q that the relation allows", r.audit.Segment, need, room, r.audit.Target)
}
