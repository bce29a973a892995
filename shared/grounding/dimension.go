package grounding

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/mindgate-dev/mindgate/shared/brief"
)

// The keys of the core pool, in the order in which coverage lists them (M-46).
const (
	DimAge            = "age"
	DimGender         = "gender"
	DimRepresentation = "representation"
	DimGeography      = "geography"
	DimEducation      = "education"
	DimEmployment     = "employment"
	DimIncome         = "income"
	DimHousehold      = "household_size"
)

// core is the pool that every population is described by.
var core = []struct{ key, axis, category string }{
	{DimAge, AxisAge, Demographic},
	{DimGender, AxisGender, Demographic},
	{DimRepresentation, AxisRepresentation, Demographic},
	{DimGeography, AxisGeography, Geographic},
	{DimEducation, AxisEducation, Demographic},
	{DimEmployment, AxisEmployment, Demographic},
	{DimIncome, AxisIncome, Demographic},
	{DimHousehold, AxisHousehold, Demographic},
}

// dimensionNames are the words, folded, under which a table or a question asks for
// a dimension. A name must be one of these as a whole: "age of the company" is no age.
var dimensionNames = map[string]string{
	"age": DimAge, "ages": DimAge, "age group": DimAge, "age groups": DimAge, "age band": DimAge, "age range": DimAge, "age bracket": DimAge, "age of respondents": DimAge,
	"alter": DimAge, "altersgruppe": DimAge, "altersgruppen": DimAge, "age en annees": DimAge, "tranche d age": DimAge, "tranches d age": DimAge,
	"edad": DimAge, "grupo de edad": DimAge, "grupos de edad": DimAge, "eta": DimAge, "fascia d eta": DimAge, "fasce d eta": DimAge, "classi di eta": DimAge,
	"idade": DimAge, "faixa etaria": DimAge, "leeftijd": DimAge, "leeftijdsgroep": DimAge, "wiek": DimAge, "alder": DimAge, "aldersgrupp": DimAge,

	"gender": DimGender, "sex": DimGender, "gender identity": DimGender, "geschlecht": DimGender, "sexe": DimGender, "genre": DimGender,
	"sexo": DimGender, "genero": DimGender, "sesso": DimGender, "genere": DimGender, "geslacht": DimGender, "plec": DimGender, "kon": DimGender,

	"representation": DimRepresentation, "ethnicity": DimRepresentation, "ethnic group": DimRepresentation, "race": DimRepresentation, "race ethnicity": DimRepresentation, "race and ethnicity": DimRepresentation,

	"geography": DimGeography, "region": DimGeography, "regions": DimGeography, "country": DimGeography, "countries": DimGeography, "state": DimGeography, "states": DimGeography, "place": DimGeography,
	"bundesland": DimGeography, "bundeslander": DimGeography, "land": DimGeography, "pays": DimGeography, "pais": DimGeography, "paese": DimGeography, "regione": DimGeography, "province": DimGeography,

	"education": DimEducation, "education level": DimEducation, "level of education": DimEducation, "highest education": DimEducation, "educational attainment": DimEducation, "highest qualification": DimEducation,
	"bildung": DimEducation, "bildungsabschluss": DimEducation, "niveau d etudes": DimEducation, "nivel de estudios": DimEducation, "titolo di studio": DimEducation, "opleiding": DimEducation,

	"employment": DimEmployment, "employment status": DimEmployment, "work status": DimEmployment, "working status": DimEmployment, "labour force status": DimEmployment, "labor force status": DimEmployment,
	"erwerbsstatus": DimEmployment, "beschaftigung": DimEmployment, "situation professionnelle": DimEmployment, "situacion laboral": DimEmployment,

	"household income": DimIncome, "income": DimIncome, "annual household income": DimIncome, "annual income": DimIncome, "monthly household income": DimIncome, "income band": DimIncome, "income group": DimIncome,
	"haushaltseinkommen": DimIncome, "einkommen": DimIncome, "revenu": DimIncome, "revenu du menage": DimIncome, "ingresos": DimIncome, "reddito": DimIncome, "inkomen": DimIncome,

	"household size": DimHousehold, "size of household": DimHousehold, "people in household": DimHousehold, "persons in household": DimHousehold, "number of people in household": DimHousehold,
	"haushaltsgrosse": DimHousehold, "taille du menage": DimHousehold, "tamano del hogar": DimHousehold,
}

// otherAxes are axes beyond the core pool that a table may be headed by.
var otherAxes = map[string]string{
	"urbanity": brief.AxisUrbanity, "urban rural": brief.AxisUrbanity, "area type": brief.AxisUrbanity, "type of area": brief.AxisUrbanity, "settlement type": brief.AxisUrbanity, "place of residence": brief.AxisUrbanity,
	"parental status": brief.AxisParents, "children": brief.AxisParents, "children in household": brief.AxisParents,
	"marital status": brief.AxisMarital, "familienstand": brief.AxisMarital, "etat civil": brief.AxisMarital, "estado civil": brief.AxisMarital,
	"housing tenure": brief.AxisTenure, "tenure": brief.AxisTenure, "occupation": brief.AxisOccupation, "job title": brief.AxisOccupation, "industry": brief.AxisIndustry, "sector": brief.AxisIndustry, "branche": brief.AxisIndustry,
	"company size": brief.AxisCompanySize, "employees": brief.AxisCompanySize, "number of employees": brief.AxisCompanySize, "firm size": brief.AxisCompanySize, "unternehmensgrosse": brief.AxisCompanySize,
	"revenue": brief.AxisRevenue, "company revenue": brief.AxisRevenue, "seniority": brief.AxisSeniority, "department": brief.AxisDepartment, "work arrangement": brief.AxisWorkMode,
	"party": brief.AxisParty, "party affiliation": brief.AxisParty, "party identification": brief.AxisParty, "language": brief.AxisLanguage, "migration background": brief.AxisMigration,
	"study level": brief.AxisStudyLevel, "field of study": brief.AxisSubject, "diet": brief.AxisDiet, "generation": brief.AxisGeneration, "religion": "Religion",
}

// fold makes names comparable: lower case, no accents, single spaces between words.
func fold(s string) string {
	if out, ok := foldASCII(s); ok {
		return out
	}
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == 'ß':
			b.WriteString("ss")
			gap = false
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '+' || r == '%':
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(unicode.ToLower(r))
		default:
			gap = true
		}
	}
	return b.String()
}

// foldASCII is fold for what needs no tables of Unicode.
func foldASCII(s string) (string, bool) {
	buf := make([]byte, 0, len(s))
	gap := false
	for i := range len(s) {
		ch := s[i]
		switch {
		case ch >= utf8.RuneSelf:
			return "", false
		case ch >= 'a' && ch <= 'z', ch >= '0' && ch <= '9', ch == '+', ch == '%':
		case ch >= 'A' && ch <= 'Z':
			ch += 'a' - 'A'
		default:
			gap = true
			continue
		}
		if gap && len(buf) > 0 {
			buf = append(buf, ' ')
		}
		gap = false
		buf = append(buf, ch)
	}
	return string(buf), true
}

// slug is the key of an axis outside the core pool.
func slug(name string) string { return strings.ReplaceAll(fold(name), " ", "_") }

// DimensionOf gives the key of the dimension that an axis belongs to: one of the
// core pool where the name says so in one of the languages known, else a slug.
func DimensionOf(axis string) string {
	f := fold(axis)
	if key, ok := dimensionNames[f]; ok {
		return key
	}
	for _, d := range core {
		if f == fold(d.axis) {
			return d.key
		}
	}
	return slug(axis)
}

// axisNamed is the axis that a heading names, "" when it names none that is known.
func axisNamed(heading string) string {
	f := fold(heading)
	if key, ok := dimensionNames[f]; ok {
		return coreAxis(key)
	}
	return otherAxes[f]
}

func coreAxis(key string) string {
	for _, d := range core {
		if d.key == key {
			return d.axis
		}
	}
	return ""
}

// categoryOf places an axis; given is what the brief says of it.
func categoryOf(axis, given string) string {
	if given != "" {
		return given
	}
	key := DimensionOf(axis)
	for _, d := range core {
		if d.key == key {
			return d.category
		}
	}
	switch axis {
	case brief.AxisUrbanity:
		return Geographic
	case brief.AxisIndustry, brief.AxisCompanySize, brief.AxisRevenue, brief.AxisSeniority, brief.AxisBuyingRole, brief.AxisDepartment:
		return Firmographic
	case brief.AxisBehaviour, brief.AxisFrequency, brief.AxisOwnership, brief.AxisDevice, brief.AxisDiet, brief.AxisVoteChoice, brief.AxisVoter:
		return Behavioral
	case brief.AxisAttitude, brief.AxisParty:
		return Psychographic
	}
	return Demographic
}

// Annotate fills in what the contract's shape does not carry: the dimension, the
// order of the segments and their canonical words. It changes nothing that a
// snapshot writes.
func (d *Distribution) Annotate() {
	d.Dimension = DimensionOf(d.Name)
	switch d.Dimension {
	case DimAge, DimEducation, DimIncome, DimHousehold:
		d.Ordered = true
	default:
		d.Ordered = d.Ordered || d.Name == brief.AxisCompanySize || d.Name == brief.AxisSeniority
	}
	for i := range d.Distribution {
		if s := &d.Distribution[i]; s.Canonical == "" {
			s.Canonical = canonicalOf(d.Dimension, s.Label)
		}
	}
}
