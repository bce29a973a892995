package simulate

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// ParseProfile reads "Key: value" lines ("Age: 64", "Household income = ..." is
// not one). Several pairs may stand on one line, parted by ";" or "|". What is
// no pair is prose: sentences that the Mind has on record about itself. A pair
// may be followed by them on its line ("Age: 34. I own a bakery.").
func ParseProfile(personaContext string) Profile {
	p := Profile{Raw: personaContext}
	var prose []string
	for _, line := range strings.FieldsFunc(personaContext, func(r rune) bool { return r == '\n' || r == '\r' }) {
		var fields []Field
		var rest []string
		for _, piece := range strings.FieldsFunc(line, func(r rune) bool { return r == ';' || r == '|' }) {
			f, after, ok := readField(piece)
			if ok {
				fields = append(fields, f)
			}
			if after = strings.TrimSpace(after); after != "" {
				rest = append(rest, after)
			}
		}
		p.Fields = append(p.Fields, fields...)
		switch {
		case len(fields) == 0:
			prose = append(prose, strings.TrimSpace(line))
		case len(rest) > 0:
			prose = append(prose, strings.Join(rest, "\n"))
		}
	}
	p.Prose = strings.TrimSpace(strings.Join(prose, "\n"))
	return p
}

// readField reads one pair; after is what stands beside it, or all of it when it
// is none.
func readField(piece string) (f Field, after string, ok bool) {
	line := strings.TrimLeft(strings.TrimSpace(piece), "-*•– \t")
	key, value, ok := strings.Cut(line, ":")
	if !ok {
		key, value, ok = strings.Cut(line, "：")
	}
	key = strings.Trim(key, "*_ \t")
	value = strings.TrimSpace(value)
	if !ok || fold(key) == "" || value == "" || strings.HasPrefix(value, "//") || len(strings.Fields(key)) > 8 || len([]rune(key)) > 80 ||
		strings.ContainsAny(key, ".!?") && len(sentences(key)) > 1 || speaksOfSelf(key) {
		return Field{}, piece, false
	}
	if s := sentences(value); len(s) > 1 {
		for i, t := range s[1:] {
			if speaksOfSelf(t) {
				value, after = strings.Join(s[:i+1], " "), strings.Join(s[i+1:], " ")
				break
			}
		}
	}
	value = strings.Trim(value, "*_ \t.,")
	if value == "" {
		return Field{}, piece, false
	}
	return Field{Key: fold(key), Value: value}, after, true
}

// speaksOfSelf reports a text that opens in the first person: "I own a bakery".
func speaksOfSelf(s string) bool {
	ws := words(s)
	if len(ws) == 0 {
		return false
	}
	switch ws[0].text {
	case "i", "i'm", "i've", "i'd", "i'll", "we", "we're", "we've", "ich", "wir", "je", "nous", "yo", "nosotros":
		return true
	case "my", "our": // "My age: 34" is a pair
		return strings.Contains(s, " is ") || strings.Contains(s, " are ")
	}
	return false
}

// PersonaID is the source id of what a Mind's own persona text says.
const PersonaID = "persona"

// PersonaPassages are the sentences that the persona text and the description
// hold about the Mind: the prose of the first whole, of the second what is in
// the Mind's own voice.
func PersonaPassages(p Profile, description string) []Passage {
	var out []Passage
	if p.Prose != "" {
		out = append(out, Passage{ID: PersonaID, Text: p.Prose})
	}
	var own []string
	for _, s := range sentences(description) {
		if speaksOfSelf(s) || ownVoice.MatchString(s) {
			own = append(own, s)
		}
	}
	if len(own) > 0 {
		out = append(out, Passage{ID: PersonaID, Text: strings.Join(own, "\n")})
	}
	return out
}

var ownVoice = expression.Of(`(?:^|[^\pL])(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Ww]e|[Oo]ur)(?:$|[^\pL])`)

// Get gives the first value of a field whose key is one of the names.
func (p Profile) Get(names ...string) (string, bool) {
	for _, n := range names {
		n = fold(n)
		for _, f := range p.Fields {
			if f.Key == n {
				return f.Value, true
			}
		}
	}
	return "", false
}

// dimension is the profile field family that a breakdown may be by.
type dimension string

const (
	dimAge       dimension = "age"
	dimGender    dimension = "gender"
	dimEducation dimension = "education"
	dimRegion    dimension = "region"
	dimIncome    dimension = "income"
)

// dimensionKeys are the profile keys that speak of a dimension, best first.
var dimensionKeys = map[dimension][]string{
	dimAge:       {"age", "age group", "age range", "age bracket", "age band", "age (years)", "edad", "âge", "alter"},
	dimGender:    {"gender", "sex", "gender identity", "género", "genero", "sexo", "genre", "sexe", "geschlecht"},
	dimEducation: {"education", "education level", "level of education", "highest education", "degree", "schooling", "qualification", "educ"},
	dimRegion:    {"region", "census region", "location (census region)", "location", "geography", "state", "area", "province", "city", "lives in", "residence", "country"},
	dimIncome:    {"income", "household income", "annual income", "income band", "income level", "hhi"},
}

// dimensionOf names the family of a breakdown's dimension; ok is false for one
// that is compared by its own key.
func dimensionOf(name string) (dimension, bool) {
	name = fold(name)
	for _, d := range []dimension{dimAge, dimGender, dimEducation, dimRegion, dimIncome} {
		for _, k := range dimensionKeys[d] {
			if k == name {
				return d, true
			}
		}
	}
	return dimension(name), false
}

// values are all that the profile says of a dimension, best key first.
func (p Profile) values(d dimension) []string {
	keys, ok := dimensionKeys[d]
	if !ok {
		keys = []string{string(d)}
	}
	var out []string
	for _, k := range keys {
		if v, ok := p.Get(k); ok {
			out = append(out, v)
		}
	}
	return out
}
