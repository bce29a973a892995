package grounding

import (
	"regexp"
	"strconv"
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

// grown raises the youngest age to that of the occupation which all members have, and
// of the years that the brief asks them to have worked: nobody is a doctor at 20. A
// range of the brief is narrowed by it, which s.grew tells in words. Ages that the
// brief gives shares of stand as they are.
func (s *scope) grown(b brief.Brief) {
	for _, f := range b.Figures {
		if f.Axis == AxisAge {
			return
		}
	}
	need, role := rolesNeed(b)
	from, why := need.Age, "what "+lowerFirst(role)+" are asked for: the skill levels of ISCO-08 and the years that such schooling takes"
	if n := yearsWorked(b.Text); n > 0 {
		if role == "" {
			from, why = youngestWorker+n, itoa(n)+" years of work, counted from "+itoa(youngestWorker)
		} else {
			from, why = need.Age+n, why+", and "+itoa(n)+" years of work after them"
		}
	}
	if from <= s.min || from > s.max {
		return
	}
	s.min = from
	if s.ageQuote != "" {
		s.grew = "The ages of the brief are counted from " + itoa(from) + " on, by " + why + "."
	}
}

// youngestWorker is the age from which years of work are counted where the occupation
// says none.
const youngestWorker = 18

// worked finds the years of experience that everybody has, where the words ask for so
// many or more: "with at least 10 years' experience".
var worked = regexp.MustCompile(`(?i)(?:\bwith|\bhaving|\bmit|\bavec|\bcon|\bcom|\bmet)\s+(?:(?:at least|a minimum of|more than|over|mindestens|über|mehr als|au moins|plus de|al menos|más de|almeno|più di|pelo menos|mais de|minstens|meer dan)\s+)?(\d{1,2})\s*\+?\s*(?:or more\s+)?(?:years?|Jahren?|ans|años|anni|anos|jaar)['’]?\s+(?:of\s+|d['’]|de\s+|di\s+|in\s+)?(?:(?:work|working|professional)\s+)?(?:experience|(?:Berufs|Praxis)?erfahrung|expérience|experiencia|esperienza|experiência|(?:werk)?ervaring)`)

// yearsWorked is 0 where no such years are asked for, or only of a part.
func yearsWorked(text string) int {
	if strings.Contains(text, "%") {
		return 0
	}
	m := worked.FindAllStringSubmatch(text, 2)
	if len(m) != 1 {
		return 0
	}
	n, _ := strconv.Atoi(m[0][1])
	return n
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
