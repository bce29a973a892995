package persona

import (
	"fmt"
	"strings"
)

// assumedKey begins the key of a field that nobody assigned: a reader of the
// profile that looks for "occupation" does not find it, and one who quotes it
// says what it is.
const assumedKey = "Assumed "

// Keys in the order of the profile.
const (
	keyAge        = "Age"
	keyGender     = "Gender"
	keyOccupation = "Occupation"
	keyHousehold  = "Household"
	keyIncome     = "Household income figure"
	keyCity       = "City"
)

// assignedFields are the lines of what was assigned besides age and gender, in
// the order of the axes. Labels stay as they are written, so that a breakdown by
// the same axis is found.
func (f *facts) assignedFields(rest []Assigned) []Field {
	area := f.fields
	var out []Field
	put := func(k, v string) {
		if v != "" {
			out = append(out, Field{k, v})
		}
	}
	put("Representation", f.representation)
	put("Country", f.countryLabel)
	put("Region", f.region)
	out = append(out, area...)
	put("Education", f.educationLabel)
	put("Employment", f.workLabel)
	put("Household income", f.incomeOf)
	for _, a := range rest {
		put(a.Axis, strings.TrimSpace(a.Segment))
	}
	for _, g := range f.groups {
		put("Group", g)
	}
	return out
}

// fill puts the fields together and adds what the person lacks.
func (f *facts) fill(p *Person, d drawer, job *occupation) {
	var out []Field
	seen := map[string]bool{}
	put := func(k, v string) {
		k, v = plainKey(k), plainValue(v)
		for base, n := k, 2; seen[strings.ToLower(k)]; n++ { // two axes of one name
			k = fmt.Sprintf("%s %d", base, n)
		}
		if k == "" || v == "" {
			return
		}
		seen[strings.ToLower(k)] = true
		out = append(out, Field{k, v})
	}
	assume := func(k, v string) {
		if v != "" {
			put(assumedKey+lowerFirst(k), v)
		}
	}
	if f.ageSet {
		put(keyAge, fmt.Sprint(p.Age))
		if !numeric(f.ageLabel) {
			put("Age group", f.ageLabel)
		}
	} else {
		assume(keyAge, fmt.Sprint(p.Age))
	}
	put(keyGender, p.Gender)
	jobAssumed := false
	for _, a := range f.assumed {
		jobAssumed = jobAssumed || a == keyOccupation
	}
	named := false
	for _, x := range f.fields {
		named = named || strings.EqualFold(x.Key, keyOccupation)
	}
	if (job != nil || f.title != "") && !jobAssumed && !named {
		put(keyOccupation, p.Occupation)
	}
	for _, x := range f.fields {
		put(x.Key, x.Value)
	}
	if f.parent != 0 && !f.saysParent() {
		put("Children", map[int]string{1: "yes", -1: "no"}[f.parent])
	}
	put("Population", f.s.Population)
	if jobAssumed {
		assume(keyOccupation, p.Occupation)
	}
	if city := f.city(d); city != "" && (job == nil || job.industry != "agriculture") {
		assume(keyCity, city)
		f.assume(keyCity)
	}
	if h := f.household(d); h != "" {
		assume(keyHousehold, h)
		f.assume(keyHousehold)
	}
	if money := f.income.figure(d.even("income"), f.home()); money != "" {
		assume(keyIncome, money)
		f.assume(keyIncome)
	}
	p.Fields, p.Assumed, p.Conflicts = out, f.assumed, f.conflicts
}

// saysParent reports whether an axis says of children already.
func (f *facts) saysParent() bool {
	for _, a := range f.s.Cell {
		if dimensionOf(a) == "parent" {
			return true
		}
	}
	return false
}

func numeric(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && strings.Trim(s, "0123456789") == ""
}

var (
	valueMarks = strings.NewReplacer("\n", " ", "\r", " ", ";", ",", "|", "/", "：", " ")
	keyMarks   = strings.NewReplacer("\n", " ", "\r", " ", ";", " ", "|", " ", ":", " ", "：", " ", "?", "", "!", "", ".", " ")
)

// plainValue keeps a value on its line: what would end it cannot stand in it.
func plainValue(s string) string {
	s = strings.Trim(strings.Join(strings.Fields(valueMarks.Replace(s)), " "), "*_ .,")
	if r := []rune(s); len(r) > longestValue {
		s = strings.TrimSpace(string(r[:longestValue-1])) + "…"
	}
	return s
}

// longestValue is how many characters a value of a profile has at most: a label is
// short, and a text in its place is no trait.
const longestValue = 300

// married reports whether an axis says that the person is.
func (f *facts) married() bool {
	for _, a := range f.s.Cell {
		if _, ok := find(maritalAxes, a.Axis); ok {
			m, known := find(maritalCues, a.Segment)
			return known && m == married
		}
	}
	return false
}

// plainKey keeps a key one that a profile is read by: up to eight words and 80
// characters.
func plainKey(s string) string {
	w := strings.Fields(strings.Trim(keyMarks.Replace(s), "*_- •–\t"))
	if len(w) > 8 {
		w = w[:8]
	}
	r := []rune(strings.Join(w, " "))
	if len(r) > 80 {
		r = r[:80]
	}
	return strings.TrimSpace(string(r))
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// household says who lives with the person, where parenthood was assigned: the
// figures fit the size that was.
func (f *facts) household(d drawer) string {
	if f.parent == 0 {
		return ""
	}
	size := f.size
	if f.sizeMore > 0 && d.at("household more") < .35 {
		size++
	}
	if f.parent < 0 {
		if size < 1 {
			return ""
		}
		return phrasesOf(f.lang).people(size, 0)
	}
	if size == 1 {
		f.conflict("children in a household of one person")
		return phrasesOf(f.lang).people(1, 0)
	}
	most := min(5, max(1, (f.age-19)/2)) // children that a person of this age may have
	couple := f.married()
	if couple && size == 2 {
		return "" // both are grown: the children live elsewhere
	}
	alone := d.at("adults") < .18 && !couple
	if size < 2 {
		size = 2 + min(most, 1+d.weighted("children", []int{42, 42, 13, 3}))
		if alone {
			size--
		}
	}
	adults := 2
	if size == 2 || alone && size < 5 {
		adults = 1
	}
	children := min(size-adults, most)
	adults = size - children
	return phrasesOf(f.lang).people(adults, children)
}
