package grounding

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/persona"
)

// rolesNeed is what every member brings along because of the occupation that the
// brief gives all of them: of several occupations the least that any asks for.
func rolesNeed(b brief.Brief) (need persona.Needs, role string) {
	for _, t := range b.Roles {
		if t.Axis != brief.AxisOccupation {
			continue
		}
		n, ok := persona.NeedsOf(t.Label)
		if !ok {
			return persona.Needs{}, ""
		}
		if role == "" {
			need, role = n, t.Label
			continue
		}
		need = persona.Needs{Age: min(need.Age, n.Age), Schooled: need.Schooled && n.Schooled, Graduated: need.Graduated && n.Graduated}
		role += " and " + lowerFirst(t.Label)
	}
	return need, role
}

// grown raises the youngest age to that of the occupation which all members have:
// nobody is a doctor at 20. It is for briefs
// that name no age; the reason of the axis says from which age it counts.
func (s *scope) grown(b brief.Brief) {
	need, role := rolesNeed(b)
	if role == "" || need.Age <= s.min || need.Age > s.max {
		return
	}
	s.min = need.Age
}

// schooled takes the schooling that the occupation of all members does not allow
// out of figures that count everybody. Figures that the brief or a person gives
// stand as they are.
func (c *composer) schooled(d *Distribution) {
	need, role := rolesNeed(c.in.Brief)
	if role == "" || !need.Schooled {
		return
	}
	kept := d.Distribution[:0:0]
	for _, s := range d.Distribution {
		if s.Label == EducationLow || s.Label == EducationMiddle && need.Graduated {
			continue
		}
		kept = append(kept, s)
	}
	if len(kept) == 0 || len(kept) == len(d.Distribution) {
		return
	}
	d.Distribution = kept
	wholeAgain(d)
	if len(kept) == 1 { // nothing is left of the figures
		d.Status = Assumed
		d.Reason = "What " + lowerFirst(role) + " are asked for (skill levels of ISCO-08): schooling below it is taken out."
		return
	}
	d.Reason = strings.TrimSpace(d.Reason + " Without schooling below what " + lowerFirst(role) + " are asked for (skill levels of ISCO-08).")
}
