package formation

import "github.com/mindgate-dev/mindgate/shared/fault"

// The checks of M-320: what does not add up is an error, never an empty or a
// wrong answer.

func (p Page) check() error {
	if p.Total < p.Offset+len(p.Rows) && len(p.Rows) > 0 || len(p.Rows) > p.Limit || p.AudienceID == "" {
		return malformed()
	}
	if next := p.Next(); next != nil && *next != p.Offset+len(p.Rows) {
		return malformed()
	}
	for _, r := range p.Rows {
		if r.ID == "" || r.Subgroups == nil || r.Status != Building && r.Status != Ready && r.Status != Failed {
			return malformed()
		}
		for i, b := range r.Subgroups {
			if b.ID == "" || b.Position != i || b.Count.Memberships < 0 {
				return malformed()
			}
		}
	}
	return nil
}

func (d Detail) check(id string) error {
	if d.ID != id || d.Subgroups == nil || d.Status == Ready && len(d.Subgroups) == 0 {
		return malformed()
	}
	seen := map[string]bool{}
	for i, b := range d.Subgroups {
		if b.ID == "" || b.Position != i || b.Memberships == nil || b.IsAuxiliary != (b.Definition == nil) {
			return malformed()
		}
		for _, m := range b.Memberships {
			if seen[m.MindID] || m.Confidence != nil && (*m.Confidence < 0 || *m.Confidence > 1) {
				return malformed()
			}
			seen[m.MindID] = true
		}
	}
	return nil
}

func (p Preview) check() error {
	if _, err := p.Hypothesis.checked(); err != nil {
		return fault.New(fault.PreviewFailed, "No split could be proposed that a Formation can be created from. State the buckets yourself and create the Formation with them.").Because(err)
	}
	if p.MemberCount < 1 || p.SoftWarn != (p.MemberCount >= SoftMembers) || p.HardCapExceeded != (p.MemberCount > MaxMembers) || p.Phase != Hypothesizing {
		return malformed()
	}
	return nil
}
