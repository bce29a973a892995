package simulate

import (
	"strings"
)

// ParseProfile reads "Key: value" lines ("Age: 64", "Household income = ..." is
// not one). Several pairs may stand on one line, parted by ";" or "|". Text
// that is no pair stays in Raw only.
func ParseProfile(personaContext string) Profile {
	p := Profile{Raw: personaContext}
	for _, line := range strings.FieldsFunc(personaContext, func(r rune) bool { return r == '\n' || r == '\r' || r == ';' || r == '|' }) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-*•– \t")
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			key, value, ok = strings.Cut(line, "：")
		}
		key = strings.Trim(key, "*_ \t")
		value = strings.Trim(value, "*_ \t.,")
		if !ok || key == "" || value == "" || strings.HasPrefix(value, "//") || len(strings.Fields(key)) > 8 || len([]rune(key)) > 80 {
			continue
		}
		p.Fields = append(p.Fields, Field{Key: fold(key), Value: value})
	}
	return p
}

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
