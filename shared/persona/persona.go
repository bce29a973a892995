// Package persona writes a believable, consistent person for a cell of a cohort:
// a name that fits place, birth years and gender, an exact age inside the band,
// an occupation that education, age and status allow, a household, a place. It
// contradicts nothing that was assigned, says what it filled in by assumption,
// and makes up no opinion, brand or attitude. The same Spec gives the same
// Person, whoever else stands in the cohort.
package persona

import "strings"

// Assigned is one segment of one axis that the allocation gave to a member.
type Assigned struct {
	Axis      string // the axis as the Audience names it: "Age", "Household income"
	Dimension string // its key: age, gender, representation, geography, education, employment, income, household_size, or a slug
	Segment   string // the label, as written
	Canonical string // the segment's canonical form, when one is known: an ISO 3166 code, "woman", "employed"
}

// Spec is what is known of one person before it is written.
type Spec struct {
	Seed       string // of the cohort; the same for all its members
	Index      int    // position in the cohort, from 0; never changes
	Cell       []Assigned
	Country    string   // ISO 3166-1 alpha-2, when the whole cohort lives in one
	Region     string   // inside Country, as written
	Locale     string   // BCP 47, of the brief: the prose is in its language
	Population string   // the noun phrase of the brief
	Roles      []string // what every member is: "nurses", "CFOs"
	Required   []string // further facts that hold for every member: "parent", "retired"
	Register   string   // one of Registers; empty: drawn
}

// Field is one "Key: value" line of the persona context. What was filled in by
// assumption has a key that says so: "Assumed occupation".
type Field struct{ Key, Value string }

// Person is one written member.
type Person struct {
	Name           string // as people there write it; a Latin form in brackets beside another script
	Age            int    // years
	Gender         string // woman, man, non-binary, or as assigned; empty: not assigned
	Representation string // as assigned
	Occupation     string // a title in the brief's language, or what the person does instead of paid work
	Discipline     string // the field of work
	Description    string // one line
	Fields         []Field
	Prose          string   // first-person sentences that only restate what was assigned
	Register       string   // one of Registers
	Assumed        []string // what nobody assigned: "Occupation", "Household"
	// Conflicts name what in the cell no person can be, in words: the cell was
	// kept as it is. Allocation should bar such cells.
	Conflicts []string
}

// Registers are the voices that a person may speak in. Neither gender nor
// representation has a part in which one it is.
var Registers = []string{"plain", "brief", "warm", "formal", "chatty"}

// Write writes the people of one cohort. Names are unique among specs of one
// Seed and different Index, up to Index 1,023 in every country and beyond where
// a middle initial can tell people apart.
func Write(specs []Spec) []Person {
	out := make([]Person, len(specs))
	for i, s := range specs {
		out[i] = write(s)
	}
	return out
}

func write(s Spec) Person {
	s.Index = max(s.Index, 0)
	f := read(s)
	d := drawer{seed: s.Seed, index: s.Index}
	p := Person{Register: s.Register, Conflicts: f.conflicts}
	if p.Register == "" {
		p.Register = Registers[d.weighted("register", []int{40, 15, 15, 15, 15})]
	}
	job := f.occupation()
	f.settleAge(d, job)
	if job == nil && (f.works() || f.work == workUnknown && f.age >= 18 && f.age < 66) && f.title == "" && !f.trade {
		job = f.drawOccupation(d)
	}
	if f.work == workUnknown && job == nil && f.title == "" && (f.age < 18 || f.age >= 66) {
		f.work, f.workAssumed = retired, true
		if f.age < 18 {
			f.work = student
		}
		f.assume(keyOccupation)
	}
	p.Age = f.age
	p.Gender, p.Representation = f.genderField(), f.representation
	p.Name = f.name(d)
	p.Occupation = f.occupationText(job)
	if job != nil {
		p.Discipline = job.industry
	}
	if f.industry != "" {
		p.Discipline = f.industry
	}
	f.fill(&p, d, job)
	p.Prose = f.prose(d, job)
	p.Description = f.describe(p)
	f.regional(&p)
	return p
}

// Context is the persona context of the Mind: the fields, a line each, then the
// prose.
func (p Person) Context() string {
	var b strings.Builder
	for _, f := range p.Fields {
		b.WriteString(f.Key + ": " + f.Value + "\n")
	}
	b.WriteString(p.Prose)
	return strings.TrimSpace(b.String())
}
