// Package brief reads what a population brief says: who is meant, how many, with
// which shares, and what the study wants to learn of them. It is rules alone: no
// model, no store, no clock, so the same text gives the same Brief on every host.
//
// Nothing is claimed without a Quote: the words of the text that say it, exactly as
// they stand there. What is not said stays empty; gaps are for shared/grounding to
// fill and to call assumed.
package brief

// Names of the axes that every population has. Other axes carry the name that the
// brief gives them, with a capital first letter ("Party", "Company size").
const (
	AxisAge            = "Age"
	AxisGender         = "Gender"
	AxisRepresentation = "Representation"
	AxisGeography      = "Geography"
	AxisEducation      = "Education"
	AxisEmployment     = "Employment"
	AxisIncome         = "Household income"
	AxisHousehold      = "Household size"
)

// Axes beyond the core pool that the rules know by name.
const (
	AxisUrbanity    = "Urbanity"
	AxisParents     = "Parental status"
	AxisMarital     = "Marital status"
	AxisTenure      = "Housing tenure"
	AxisOccupation  = "Occupation"
	AxisIndustry    = "Industry"
	AxisCompanySize = "Company size"
	AxisRevenue     = "Company revenue"
	AxisSeniority   = "Seniority"
	AxisBuyingRole  = "Buying role"
	AxisDepartment  = "Department"
	AxisWorkMode    = "Work arrangement"
	AxisJobTenure   = "Job tenure"
	AxisCondition   = "Condition"
	AxisStage       = "Disease stage"
	AxisTreatment   = "Treatment"
	AxisCareRole    = "Care role"
	AxisParty       = "Party"
	AxisVoter       = "Voter status"
	AxisVoteChoice  = "Past vote"
	AxisStudyLevel  = "Study level"
	AxisSubject     = "Field of study"
	AxisLanguage    = "Language"
	AxisMigration   = "Migration background"
	AxisDevice      = "Device ownership"
	AxisDiet        = "Diet"
	AxisGeneration  = "Generation"
	AxisBehaviour   = "Behaviour"
	AxisAttitude    = "Attitude"
	AxisOwnership   = "Ownership"
	AxisFrequency   = "Frequency"
)

// Categories of traits and axes, as the contract names them.
const (
	Demographic   = "demographic"
	Geographic    = "geographic"
	Psychographic = "psychographic"
	Behavioral    = "behavioral"
	Firmographic  = "firmographic"
)

// Brief is what a text says of a population.
type Brief struct {
	Text       string // as given
	Language   string // ISO 639-1 of the text; "" where it is not plain
	Population string // the noun phrase that names who is meant, as written; "" where none was found
	Name       string // a name for the Audience, ≤100 characters, never empty for a text that has letters

	Size    *Stated   // how many people are asked for
	Age     *AgeRange // eligibility, not shares
	Genders []string  // eligibility: woman | man | non-binary; empty where any may take part
	// GenderQuotes are the words that say so, one for each of Genders.
	GenderQuotes []string
	Places       []Place // where they live; several places are alternatives
	Roles        []Term  // occupations, roles and statuses that all of them have
	Firm         *Firm   // the companies that they work for or buy for
	Traits       []Trait // what all (Required) or some of them are or do
	Excluded     []Trait // who is left out ("no students")
	Figures      []Figure
	Reported     []Figure // shares that the text tells of the past or of other people: no quotas
	Unread       []string // shares of which it could not be read what they are of
	Ties         []Tie    // segments that belong together
	Axes         []Term   // dimensions asked for by name ("by income and education")
	Outcomes     []Term   // what the study wants to measure: never allocated (M-53)
	Topics       []Term   // subject matter, for search and for matching

	Contradictions []Problem
}

// Stated is a number of people.
type Stated struct {
	N     int
	Quote string
}

// AgeRange is who is old enough and young enough, in full years, both inside. 0 is open.
type AgeRange struct {
	Min, Max int
	Quote    string
}

// Kinds of places.
const (
	KindCountry = "country"
	KindRegion  = "region"
	KindCity    = "city"
	KindBloc    = "bloc"
)

// Place is one place of the brief.
type Place struct {
	Name    string   // in English where the rules know it, else as written
	Country string   // ISO 3166-1 alpha-2; "" for a bloc or where it is not plain
	Region  string   // the region that holds a city, or the region itself; "" where it is not known
	Kind    string   // country | region | city | bloc
	Members []string // of a bloc: its countries, alpha-2
	Urban   string   // urban | suburban | rural where the words say so of this place
	Quote   string
}

// Term is a thing that the text names.
type Term struct {
	Label     string // in plain words, as a chart would show it
	Canonical string // a slug that is the same in all languages where the rules know the thing, else made of Label
	Axis      string // the axis that it is a segment of, where one is plain
	Quote     string
}

// Trait is what people of the population are, have, think or do.
type Trait struct {
	Axis     string // the dimension, e.g. Parental status
	Label    string // the segment, e.g. Parents
	Category string // demographic | geographic | psychographic | behavioral | firmographic
	Required bool   // all have it; false where the brief says most, some, a mix
	Quote    string
}

// Figure is a share that the brief states itself.
type Figure struct {
	Axis  string  // canonical name
	Label string  // segment: Woman, Man, Non-binary, 25-34, Austria, or the words of the brief
	Pct   float64 // 0..100
	Of    string  // the part of the population that it is a share of ("of the women"); "" for all
	Quote string
}

// Firm is what the brief says of companies.
type Firm struct {
	Industries []Term
	Sizes      []Term // Label is "100-499", "500+", "Under 50": employees
	Revenue    []Term // Label as written, e.g. "over £50m"
	Seniority  []Term
}

// Problem is a contradiction, in words for the user: what speaks against what, and
// how to mend it.
type Problem struct {
	Message string
	Quotes  []string
}

// Reaches of an adjustment (M-143).
const (
	ReachAdditive    = "additive"
	ReachComposition = "composition"
	ReachTrait       = "trait"
	ReachPivot       = "pivot"
)

// Instruction is what an adjustment of an Audience asks for.
type Instruction struct {
	Reach    string   // additive | composition | trait | pivot
	Add      int      // members to add; 0 where it is no additive one or says no number
	Brief    Brief    // what the instruction's own words say
	Axes     []string // axes that it names or sets
	Figures  []Figure // shares that it sets
	Limits   []Limit  // shares that are bounds
	Without  *Brief   // who nobody is from now on; nil where it leaves out nobody
	Refused  string   // why nothing can be done with it, with what can be said instead; "" else
	Replaces string   // pivot: what of the old population gives way ("place", "role", "age"); "" else
}

// referenceYear turns years of birth and generations into ages where the caller has
// no clock.
const referenceYear = 2026

// Read reads a brief in any language. It never fails: a text that says nothing of a
// population gives a Brief that says nothing. Time is linear in the text. Years of
// birth are turned into ages of 2026; ReadIn takes another year.
func Read(text string) Brief { return ReadIn(text, referenceYear) }

// ReadIn is Read in the year that ages are reckoned in.
func ReadIn(text string, year int) Brief {
	r := newReader(text, year)
	r.read()
	return *r.out
}

// ReadInstruction reads an adjustment of the population that of describes (M-143).
// Rules in order: an addition of people, a share or an axis, another population or
// place, else a trait.
func ReadInstruction(text string, of Brief) Instruction { return readInstruction(text, of) }

// read runs the rules, those first whose words others could take for theirs: a
// share before a gender, the size of a company before that of the population.
func (r *reader) read() {
	r.shares()
	r.listAxes()
	r.setReportsAside()
	r.exclusions()
	r.companies()
	r.describe(population)
	if r.nobody() {
		// "how working mothers in Spain choose shoes": whom it is about stands in the aim
		r.describe(outcome)
	}
	if r.nobody() {
		r.describe(background)
	}
	r.heads()
	r.settleAge()
	r.axesAsked()
	r.outcomes()
	r.topics()
	r.populationPhrase()
	r.problems()
}

// describe reads who is meant from parts of one kind.
func (r *reader) describe(z zone) {
	if z == population {
		r.households(z)
	}
	r.findAges(z)
	if z == population {
		r.findSizes()
	}
	r.findPlaces(z)
	r.genders(z)
	if z == population {
		r.tenures(z)
	}
	r.terms(z)
	if z == population {
		r.lines()
		r.clauses(z)
	}
}

// nobody reports whether nothing was said of whom the population is.
func (r *reader) nobody() bool {
	b := r.out
	return len(r.ages)+len(r.soft)+len(b.Places)+len(b.Genders)+len(b.Roles)+len(b.Traits) == 0 && b.Firm == nil
}
