package persona

// Needs are what a role asks of everybody who has it.
type Needs struct {
	Age       int  // years, the youngest who usually have it
	Schooled  bool // upper secondary education at least
	Graduated bool // a tertiary degree
}

// NeedsOf gives what a role asks for, by the list of occupations: the skill levels of
// ISCO-08 with what the International Labour Organization maps them to in ISCED, and
// the years that such schooling takes. ok is false when the list does not know it.
func NeedsOf(role string) (n Needs, ok bool) {
	o := findOccupation(role)
	if o == nil {
		return Needs{}, false
	}
	return Needs{Age: o.age, Schooled: o.least() >= eduUpper, Graduated: o.education >= eduBachelor}, true
}

// least is the schooling below which nobody has the occupation. Crafts are learned in
// an apprenticeship or at work, by country: ISCO-08 skill level 2 is ISCED 2 to 4. So
// nobody is drawn to one without upper secondary schooling, and nobody is barred.
func (o *occupation) least() level {
	if o.major == 7 || o.key == "hairdresser" {
		return min(o.education, eduLower)
	}
	return o.education
}
