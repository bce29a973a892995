package grounding

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding/reference"
)

// adult is the youngest age of a population whose brief names none.
const adult = 18

// oldestWorker ends the ages of people in work where the brief names none: labour
// figures do not divide 65 and over, of whom most in work are under 75.
const oldestWorker = 74

// scope is who the brief means, in the terms that reference figures know: ages,
// sexes and countries, and in words what they do not know.
type scope struct {
	min, max  int    // full years, both inside; max is reference.Oldest when open
	ageQuote  string // "" when the brief names no age
	genders   []string
	genderQ   string
	shares    map[string]float64 // stated gender shares, 0 to 1; nil when none
	countries []weighted
	place     Place
	spots     []spot   // regions and towns that all live in, one or several; none when whole countries are meant
	codes     []string // of the countries meant, those without figures too
	employed  string   // the words that say all are in work; "" when not said
	status    string   // another stated state of work (Retired, Student), its label
	parents   string   // the words that say all are parents; "" when not said
	narrow    []string
	atWork    bool                             // chosen by occupation, trade or rank
	guess     string                           // what is assumed of the ages, in words; "" when the brief names them or nothing is
	grew      string                           // why the ages of the brief begin later than it says; "" where they do not
	byAge     [reference.Oldest + 1][2]float64 // people by age: women, men
	gap       [reference.Oldest + 1]bool       // ages inside the range that the brief leaves out
	worldwide bool
}

// weighted is one country of the population and its part of it, 0 to 1.
type weighted struct {
	country *reference.Country
	part    float64
	stated  bool // by the brief's own figures, not by numbers of people
}

func newScope(b brief.Brief) *scope {
	s := &scope{min: adult, max: reference.Oldest, genders: []string{Woman, Man}}
	if b.Age != nil {
		s.ageQuote = b.Age.Quote
		s.min, s.max = max(b.Age.Min, 0), reference.Oldest
		if b.Age.Max > 0 {
			s.max = min(b.Age.Max, reference.Oldest)
		}
		if b.Age.Min <= 0 && s.max >= adult {
			s.min = adult // "up to 35": grown people
		}
		if s.min > s.max {
			s.min, s.max, s.ageQuote = adult, reference.Oldest, ""
		}
	}
	s.agesOfShares(b)
	if g := eligibleGenders(b); len(g) > 0 {
		s.genders, s.genderQ = g, strings.Join(b.GenderQuotes, ", ")
		if s.genderQ == "" {
			s.genderQ = strings.ToLower(strings.Join(g, ", "))
		}
	}
	s.readStatuses(b)
	if s.ageQuote == "" {
		s.guessAges(b)
	}
	s.grown(b)
	s.readPlaces(b)
	s.readGaps(b)
	s.shares = genderShares(b)
	s.count()
	return s
}

// agesOfShares takes the ages from stated shares that come to the whole: they say who
// is meant as a range would.
func (s *scope) agesOfShares(b brief.Brief) {
	sum, from, to := 0.0, reference.Oldest, 0
	var quotes []string
	for _, f := range b.Figures {
		in, ok := parseBand(f.Label)
		if f.Axis != AxisAge || f.Of != "" || !ok {
			continue
		}
		sum += f.Pct
		from, to = min(from, in.from), max(to, in.to)
		if !contains(quotes, f.Quote) {
			quotes = append(quotes, f.Quote)
		}
	}
	if sum < 99 || sum > 101 || from > to {
		return
	}
	if s.ageQuote == "" || from >= s.min && to <= s.max {
		s.min, s.max, s.ageQuote = from, to, strings.Join(quotes, "; ")
	}
}

func eligibleGenders(b brief.Brief) []string {
	var out []string
	for _, g := range b.Genders {
		if label := genderOf(g); label != "" {
			out = append(out, label)
		}
	}
	return out
}

// genderShares are the brief's stated shares of the whole population, completed
// by the other sex, 0 to 1.
func genderShares(b brief.Brief) map[string]float64 {
	m := map[string]float64{}
	sum := 0.0
	for _, f := range b.Figures {
		if label := genderOf(f.Label); f.Axis == AxisGender && f.Of == "" && label != "" {
			if _, twice := m[label]; !twice {
				m[label] = f.Pct / 100
				sum += f.Pct / 100
			}
		}
	}
	if len(m) == 0 || sum > 1.0001 {
		return nil
	}
	if rest := 1 - sum; rest > 1e-9 {
		for _, other := range []string{Man, Woman, NonBinary} {
			if _, stated := m[other]; !stated {
				m[other] = rest
				break
			}
		}
	}
	return m
}

// inWork are the axes whose segments only people in work have.
var inWork = map[string]bool{
	brief.AxisIndustry: true, brief.AxisCompanySize: true, brief.AxisRevenue: true, brief.AxisSeniority: true,
	brief.AxisBuyingRole: true, brief.AxisDepartment: true, brief.AxisWorkMode: true, brief.AxisJobTenure: true,
}

// outOfWork marks occupations that are none.
var outOfWork = []string{"student", "pupil", "retire", "pension", "unemploy", "jobless", "homemaker", "housewi", "trainee", "rentner"}

func (s *scope) readStatuses(b brief.Brief) {
	terms := b.Roles
	for _, t := range b.Traits {
		if t.Required {
			terms = append(terms[:len(terms):len(terms)], brief.Term{Label: t.Label, Axis: t.Axis, Quote: t.Quote})
		}
	}
	for _, t := range terms {
		folded := fold(t.Label + " " + t.Canonical)
		switch {
		case t.Axis == AxisEmployment && employmentWords[fold(t.Label)] == Employed:
			s.employed = t.Quote
		case t.Axis == AxisEmployment && containsAny(folded, []string{"self employed", "freelanc", "full time", "part time", "employee", "worker", "civil servant"}) && !containsAny(folded, outOfWork):
			s.employed = t.Quote
		case t.Axis == AxisEmployment:
			s.status = t.Label
		case t.Axis == brief.AxisParents && !strings.Contains(folded, "childless") && !strings.Contains(folded, "no child") && !strings.Contains(folded, "not "):
			s.parents = t.Quote
		case t.Axis == brief.AxisOccupation && !containsAny(folded, outOfWork), inWork[t.Axis]:
			s.employed = t.Quote
		}
		s.atWork = s.atWork || t.Axis == brief.AxisOccupation || inWork[t.Axis]
		if t.Axis != AxisAge && t.Axis != AxisGender && t.Axis != AxisGeography {
			s.narrow = append(s.narrow, t.Quote)
		}
	}
	for _, t := range b.Excluded {
		if _, country := countryCode(t.Label); t.Axis != AxisAge && t.Axis != AxisGender && !(country && t.Axis == AxisGeography) {
			s.narrow = append(s.narrow, "not "+lowerFirst(t.Label))
		}
	}
	if f := b.Firm; f != nil && s.employed == "" && s.status == "" {
		for _, terms := range [][]brief.Term{f.Seniority, f.Industries, f.Sizes, f.Revenue} {
			if len(terms) > 0 {
				s.employed = terms[0].Quote
				break
			}
		}
	}
	if f := b.Firm; f != nil {
		for _, terms := range [][]brief.Term{f.Seniority, f.Industries, f.Sizes, f.Revenue} {
			for _, t := range terms {
				s.narrow = append(s.narrow, t.Quote)
				s.atWork = true
			}
		}
	}
	if s.status != "" && s.employed == "" {
		return
	}
	s.status = ""
}

func containsAny(s string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// count adds the people of the ages and sexes meant up by single year of age: of
// all countries in their parts, in work only where the brief asks for it, and in
// the gender shares that it states.
func (s *scope) count() {
	countries := s.countries
	if len(countries) == 0 {
		s.worldwide = true
		countries = []weighted{{country: reference.World(), part: 1}}
	}
	var total [2]float64
	for _, w := range countries {
		of := [2][]float64{w.country.People.Women, w.country.People.Men}
		sum := 0.0
		var here [reference.Oldest + 1][2]float64
		for age := s.min; age <= s.max; age++ {
			if s.gap[age] {
				continue
			}
			for sex, label := range []string{Woman, Man} {
				if len(s.genders) < 2 && !contains(s.genders, label) && !contains(s.genders, NonBinary) {
					continue
				}
				n := of[sex][age]
				if s.employed != "" {
					n *= workRate(w.country, sex, age)
					if s.ageQuote == "" && s.max == oldestWorker && age >= 65 {
						n *= olderOver(of[sex]) // all in work of 65 and over
					}
				}
				here[age][sex] = n
				sum += n
			}
		}
		if sum == 0 {
			continue
		}
		for age := s.min; age <= s.max; age++ {
			for sex := range 2 {
				n := here[age][sex] / sum * w.part
				s.byAge[age][sex] += n
				total[sex] += n
			}
		}
	}
	if s.shares == nil {
		return
	}
	for sex, label := range []string{Woman, Man} {
		if total[sex] == 0 {
			continue
		}
		for age := range s.byAge {
			s.byAge[age][sex] *= s.shares[label] / total[sex]
		}
	}
}

// guessAges bounds the ages of people whose state of life speaks of them, where the
// brief names none. Everybody's ages would be plainly wrong for students, and the
// bounds are an assumption that is said to be one.
func (s *scope) guessAges(b brief.Brief) {
	says := fold(s.status)
	for _, t := range b.Roles {
		says += " " + fold(t.Label+" "+t.Canonical)
	}
	switch {
	case containsAny(says, []string{"high school", "pupil", "schuler", "secondary school student"}):
		s.min, s.max, s.guess = 14, 18, "pupils are taken to be 14 to 18"
	case strings.Contains(says, "student"):
		s.min, s.max, s.guess = 18, 29, "students are taken to be 18 to 29"
	case containsAny(says, []string{"retire", "pension", "rentner"}):
		s.min, s.guess = 60, "retired people are taken to be 60 and over"
	case s.parents != "":
		s.min, s.max, s.guess = 20, 59, "parents with children at home are taken to be 20 to 59"
	case s.employed != "":
		s.max = oldestWorker
	}
}

// olderOver is the people of 65 and over by those of 65 to 74.
func olderOver(people []float64) float64 {
	young, old := 0.0, 0.0
	for age := 65; age < len(people); age++ {
		if age <= oldestWorker {
			young += people[age]
		}
		old += people[age]
	}
	if young == 0 {
		return 1
	}
	return old / young
}

// workRate is the part of a sex and age that is in work, 0 to 1; 1 where the
// country has no figures, so that the ages stand as they are.
func workRate(c *reference.Country, sex, age int) float64 {
	if c.Labour == nil {
		return 1
	}
	i := reference.LabourBand(age)
	if i < 0 {
		return 0
	}
	return [2][][2]float64{c.Labour.Women, c.Labour.Men}[sex][i][0] / 100
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// general reports whether the population is everybody of an age, a sex and a
// place: whom reference figures count.
func (s *scope) general() bool { return len(s.narrow) == 0 && len(s.spots) == 0 }

// people says who is counted, in words: "people of 25 to 45 in Germany".
func (s *scope) people() string {
	who := "people"
	if len(s.genders) == 1 {
		switch s.genders[0] {
		case Woman:
			who = "women"
		case Man:
			who = "men"
		}
	}
	return who + " of " + s.ages() + " in " + s.where()
}

func (s *scope) ages() string {
	if s.max >= reference.Oldest {
		return itoa(s.min) + " and over"
	}
	return itoa(s.min) + " to " + itoa(s.max)
}

func (s *scope) where() string {
	if s.worldwide {
		return "the world"
	}
	names := make([]string, 0, len(s.countries))
	for _, w := range s.countries {
		if name := w.country.Name; name == "United States" || name == "United Kingdom" || name == "Netherlands" || name == "Philippines" {
			names = append(names, "the "+name)
		} else {
			names = append(names, name)
		}
	}
	if len(names) > 4 {
		return itoa(len(names)) + " countries"
	}
	return inWords(names)
}
