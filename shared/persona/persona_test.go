package persona_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/persona"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

var allCountries = strings.Fields("US GB IE CA AU NZ ZA NG KE IN DE AT CH LU FR BE NL ES MX AR CO CL PE PT BR IT PL CZ SK HU RO BG HR SI SE NO DK FI EE LV GR RU UA TR IL EG SA AE MA JP CN TW KR VN TH ID")

// Names are unique in a cohort of 1,000, in every country, of one age group and
// gender, in mixed ones, and in two scripts.
func TestNamesAreUnique(t *testing.T) {
	for c, country := range allCountries {
		for g, gender := range []string{"woman", "man"} {
			for _, band := range []string{[]string{"18-24", "45-54", "75+"}[(c+g)%3]} {
				specs := make([]persona.Spec, 1000)
				for i := range specs {
					specs[i] = persona.Spec{Seed: "s", Index: i, Country: country, Locale: "en", Cell: []persona.Assigned{a("Age", "age", band, "")}}
					if gender != "" {
						specs[i].Cell = append(specs[i].Cell, a("Gender", "gender", gender, gender))
					}
				}
				unique(t, country+gender+band, persona.Write(specs))
			}
		}
	}
	many := make([]persona.Spec, 4000)
	for i := range many {
		many[i] = persona.Spec{Seed: "s", Index: i, Country: "US"}
	}
	unique(t, "beyond 1,024", persona.Write(many))
	specs := make([]persona.Spec, 1024)
	for i := range specs { // everything at once
		specs[i] = persona.Spec{Seed: "m", Index: i, Country: allCountries[i*7%len(allCountries)], Locale: "en", Cell: []persona.Assigned{a("Gender", "gender", []string{"woman", "man", "non-binary"}[i%3], ""), a("Representation", "representation", []string{"Asian", "Hispanic", "White", "Migration background"}[i%4], "")}}
	}
	unique(t, "mixed", persona.Write(specs))
}

func unique(t *testing.T, what string, people []persona.Person) {
	t.Helper()
	seen := map[string]int{}
	for i, p := range people {
		if len(strings.TrimSpace(p.Name)) < 2 || strings.HasPrefix(p.Name, " ") || strings.HasSuffix(p.Name, " ") {
			t.Fatalf("%s: %d has the name %q", what, i, p.Name)
		}
		if j, ok := seen[p.Name]; ok {
			t.Fatalf("%s: %d and %d are both %s", what, j, i, p.Name)
		}
		seen[p.Name] = i
	}
}

// Each person depends only on its own spec: a cohort that grew, shrank or was
// shuffled changes nobody.
func TestGrowthChangesNobody(t *testing.T) {
	all := persona.Write(germanParents(300))
	for _, n := range []int{1, 60} {
		for i, p := range persona.Write(germanParents(n)) {
			if !reflect.DeepEqual(p, all[i]) {
				t.Fatalf("of %d: %d changed", n, i)
			}
		}
	}
	alone := persona.Write(germanParents(300)[217:218])[0]
	if !reflect.DeepEqual(alone, all[217]) {
		t.Error("a person alone is another one")
	}
}

// Gender and representation decide neither occupation nor age nor voice.
func TestGenderAndRepresentationDecideNothingElse(t *testing.T) {
	var first []persona.Person
	for _, gender := range []string{"woman", "man", "non-binary"} {
		for _, group := range []string{"White", "Black or African American", "Hispanic or Latino", "Asian"} {
			var specs []persona.Spec
			for i := range 200 {
				specs = append(specs, persona.Spec{Seed: "x", Index: i, Country: "US", Locale: "en", Roles: []string{"parents"}, Cell: []persona.Assigned{a("Age", "age", "25-54", ""), a("Gender", "gender", gender, gender),
					a("Representation", "representation", group, ""), a("Education", "education", []string{"High school", "Bachelor's degree"}[i%2], ""), a("Employment", "employment", "Employed full-time", "")}})
			}
			people := persona.Write(specs)
			if first == nil {
				first = people
				continue
			}
			for i, p := range people {
				q := first[i]
				if p.Occupation != q.Occupation || p.Age != q.Age || p.Register != q.Register || p.Prose != q.Prose || p.Description != q.Description {
					t.Fatalf("%s %s, %d: %s, %d, %s against %s, %d, %s", gender, group, i, p.Occupation, p.Age, p.Register, q.Occupation, q.Age, q.Register)
				}
			}
		}
	}
}

// What a profile says of a person is what was assigned or what is plain, never a
// taste, a view, a brand or a trait of a group.
var stereotype = regexp.MustCompile(`(?i)\b(loves?|likes?|enjoys?|hates?|passionate|believes?|prefers?|favou?rites?|hardworking|hard-working|traditional|spicy|exotic|urban youth|thug|nagging|emotional|bossy|docile|submissive|lazy|frugal|stingy|religious|macho|feminine|masculine|tech-savvy|technophobe|grumpy|frail|feisty|sassy|ghetto|immigrant|foreign|siesta|beer|tea|kebab|iphone|nike|amazon|tesla|ikea|conservative|liberal|left-wing|right-wing)\b`)

func TestNoStereotypes(t *testing.T) {
	for _, country := range allCountries {
		for _, locale := range []string{"en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv"} {
			var specs []persona.Spec
			for i := range 24 {
				specs = append(specs, persona.Spec{Seed: country, Index: i, Country: country, Locale: locale, Cell: []persona.Assigned{a("Age", "age", []string{"18-24", "35-44", "65+"}[i%3], ""), a("Gender", "gender", []string{"woman", "man", "non-binary"}[i/3%3], ""),
					a("Employment", "employment", []string{"Employed full-time", "Retired", "Student", "Unemployed", "Homemaker", "Self-employed"}[i%6], "")}})
			}
			for _, p := range persona.Write(specs) {
				text := p.Context() + p.Description + p.Discipline
				if m := stereotype.FindString(text); m != "" {
					t.Errorf("%s: %q in %s", country, m, text)
				}
				if strings.Contains(text, "%!") || strings.Contains(text, "%[") || strings.Contains(text, "  ") {
					t.Errorf("%s: %s", country, text)
				}
			}
		}
	}
}

// Roles become exactly that occupation, in the person's gender.
//
//nolint:misspell // other languages
func TestRolesAreTheOccupation(t *testing.T) {
	for _, c := range []struct{ locale, gender, role, want string }{
		{"en", "man", "nurses", "nurse"}, {"de", "woman", "nurses", "Krankenpflegerin"}, {"de", "man", "Krankenschwestern", "Krankenpfleger"}, {"fr", "woman", "infirmières", "infirmière"},
		{"fr", "man", "enseignants", "enseignant"}, {"es", "woman", "enfermeras", "enfermera"}, {"it", "man", "infermieri", "infermiere"}, {"pt", "woman", "professores", "professora"},
		{"nl", "man", "leraren", "leraar"}, {"pl", "woman", "pielęgniarki", "pielęgniarka"}, {"sv", "man", "sjuksköterskor", "sjuksköterska"},
		{"en", "woman", "CFOs", "chief financial officer"}, {"en", "woman", "chief financial officers", "chief financial officer"}, {"en", "woman", "software engineers", "software developer"},
		{"en", "man", "dairy farmers", "dairy farmer"}, {"en", "man", "orthopaedic surgeons", "orthopaedic surgeon"}, {"en", "woman", "surgeons", "surgeon"}, {"en", "non-binary", "IT decision makers", "IT manager"},
		{"en", "woman", "nurses in intensive care", "nurse"}, {"en", "woman", "midwives", "midwife"}, {"de", "non-binary", "Lehrer", "Lehrer:in"}, {"en", "woman", "small business owners", "small business owner"},
		{"en", "woman", "childcare workers", "preschool teacher"}, {"en", "man", "full-time male nurses", "nurse"}, {"en", "woman", "retired teachers", "retired"},
	} {
		p := persona.Write([]persona.Spec{{Seed: "r", Locale: c.locale, Country: "DE", Roles: []string{c.role}, Cell: []persona.Assigned{a("Age", "age", "35-44", ""), a("Gender", "gender", c.gender, c.gender)}}})[0]
		if p.Occupation != c.want {
			t.Errorf("%s, %s, %s: %q, not %q", c.locale, c.role, c.gender, p.Occupation, c.want)
		}
		for _, what := range p.Assumed {
			if what == "Occupation" {
				t.Errorf("%s: called an assumption", c.role)
			}
		}
	}
	for _, group := range []string{"cat owners", "gamers", "working parents", "mothers", "retirees", "smokers", "Berlin commuters"} {
		p := persona.Write([]persona.Spec{{Seed: "r", Locale: "en", Roles: []string{group}}})[0]
		if strings.Contains(p.Occupation, "owner") || strings.Contains(p.Occupation, "gamer") || strings.Contains(p.Occupation, "parent") {
			t.Errorf("%s work as %s", group, p.Occupation)
		}
	}
}

// An axis that only sounds like a core one is kept as it is written.
func TestAxesThatOnlySoundLikeIt(t *testing.T) {
	for _, c := range [][2]string{{"Usage", "25-34 times"}, {"Agency use", "18 or more"}, {"Sexual orientation", "Heterosexual"}, {"Job satisfaction", "Satisfied"}, {"Real estate plans", "Yes"}, {"Urban mobility", "Daily"}, {"Role in purchase decision", "Sole decision maker"}, {"Degree of worry", "Master"}} {
		p := persona.Write([]persona.Spec{{Seed: "k", Locale: "en", Country: "GB", Cell: []persona.Assigned{a(c[0], "", c[1], ""), a("Age", "age", "30-39", "")}}})[0]
		profile := simulate.ParseProfile(p.Context())
		if v, _ := profile.Get(c[0]); v != c[1] {
			t.Errorf("%s: %q in %s", c[0], v, p.Context())
		}
		if _, ok := profile.Get("occupation"); ok || p.Gender != "" || p.Age < 30 || p.Age > 39 || strings.Contains(p.Description, c[1]) {
			t.Errorf("%s was read as another axis: %s", c[0], p.Context())
		}
	}
}

func TestAgeBands(t *testing.T) {
	for _, c := range []struct {
		label  string
		lo, hi int
	}{{"25-34", 25, 34}, {"25–34 Jahre", 25, 34}, {"65+", 65, 84}, {"65 and over", 65, 84}, {"over 65", 66, 84}, {"under 25", 18, 24}, {"18 to 24", 18, 24}, {"34", 34, 34}, {"34 years", 34, 34}, {"75 Jahre und älter", 75, 89}, {"Gen Z", 18, 29}, {"bis 29", 18, 29}, {"30歳以上", 30, 84}} {
		lo, hi := 200, 0
		for i := range 400 {
			p := persona.Write([]persona.Spec{{Seed: "a", Index: i, Cell: []persona.Assigned{a("Age", "age", c.label, "")}}})[0]
			lo, hi = min(lo, p.Age), max(hi, p.Age)
		}
		if lo != c.lo || hi > c.hi || hi < c.hi-4 {
			t.Errorf("%s: %d to %d", c.label, lo, hi)
		}
	}
}

// Ages cover a band evenly: of 320 people in a band of ten years, each year has
// 32, give or take what the ends of strata move.
func TestAgesAreEven(t *testing.T) {
	count := map[int]int{}
	for i := range 320 {
		count[persona.Write([]persona.Spec{{Seed: "e", Index: i, Cell: []persona.Assigned{a("Age", "age", "30-39", "")}}})[0].Age]++
	}
	for y := 30; y <= 39; y++ {
		if count[y] < 24 || count[y] > 40 {
			t.Errorf("%d people of %d", count[y], y)
		}
	}
}

// The engine that answers reads back what stands here: every field by its key,
// and the prose as prose (M-341).
func TestContextIsReadBackM341(t *testing.T) {
	for _, p := range append(persona.Write(germanParents(60)), persona.Write(abroad())...) {
		profile := simulate.ParseProfile(p.Context())
		if profile.Prose != p.Prose {
			t.Errorf("prose %q read as %q", p.Prose, profile.Prose)
		}
		if len(profile.Fields) != len(p.Fields) {
			t.Fatalf("%d fields read of %d: %s", len(profile.Fields), len(p.Fields), p.Context())
		}
		for _, f := range p.Fields {
			if got, ok := profile.Get(f.Key); !ok || got != f.Value {
				t.Errorf("%s: %q read as %q", f.Key, f.Value, got)
			}
		}
	}
}

// Hostile labels end no line and add no field.
func TestHostileLabels(t *testing.T) {
	p := persona.Write([]persona.Spec{{Seed: "h", Locale: "en", Region: "X\nIncome: 1 million; Age: 99|Gender: man", Cell: []persona.Assigned{a("Mood: bad\nAge", "mood", "fine; Gender: man\nI hate this. I am 99 years old.", ""), a("", "", "", ""), a("Age", "age", "30-39", "")}}})[0]
	for _, f := range simulate.ParseProfile(p.Context()).Fields {
		if f.Key == "income" || f.Key == "gender" || f.Key == "age" && f.Value == "99" {
			t.Errorf("a label wrote %v in %s", f, p.Context())
		}
	}
}

var (
	count2 = regexp.MustCompile(`^(\d+) adults?(?:, (\d+) child)?`)
	money  = regexp.MustCompile(`^([\d,]+) `)
)

// Nothing in a person contradicts the cell or itself.
func TestPeopleAreCoherent(t *testing.T) {
	bands := []string{"18-24", "25-34", "35-44", "45-54", "55-64", "65+"}
	educations := map[string]int{"No formal education": 0, "Lower secondary": 17, "High school": 17, "Bachelor's degree": 21, "Master's degree": 23, "Doctorate": 27, "": 0}
	standings := []string{"Employed full-time", "Employed part-time", "Self-employed", "Unemployed", "Retired", "Student", "Homemaker", "Unable to work", ""}
	sizes := []string{"1 person", "2", "3", "4", "5+", ""}
	incomes := []string{"Under $25,000", "$25,000-$49,999", "$50k–99k", "$100,000 or more", "Lowest quintile", ""}
	names := []string{"No formal education", "Lower secondary", "High school", "Bachelor's degree", "Master's degree", "Doctorate", ""}
	rapid.Check(t, func(r *rapid.T) {
		band, edu := rapid.SampledFrom(bands).Draw(r, "band"), rapid.SampledFrom(names).Draw(r, "education")
		standing, size, income := rapid.SampledFrom(standings).Draw(r, "work"), rapid.SampledFrom(sizes).Draw(r, "size"), rapid.SampledFrom(incomes).Draw(r, "income")
		gender, parent := rapid.SampledFrom([]string{"woman", "man", "non-binary"}).Draw(r, "gender"), rapid.Bool().Draw(r, "parent")
		s := persona.Spec{Seed: rapid.StringMatching(`[a-z]{1,6}`).Draw(r, "seed"), Index: rapid.IntRange(0, 5000).Draw(r, "index"), Country: rapid.SampledFrom(allCountries).Draw(r, "country"), Locale: "en"}
		for axis, v := range map[string]string{"Age": band, "Gender": gender, "Education": edu, "Employment": standing, "Household income": income, "Household size": size} {
			if v != "" {
				s.Cell = append(s.Cell, a(axis, map[string]string{"Household income": "income", "Household size": "household_size"}[axis], v, ""))
			}
		}
		if parent {
			s.Required = []string{"parent"}
		}
		p := persona.Write([]persona.Spec{s})[0]
		lo, _ := strconv.Atoi(band[:2])
		hi := 95
		if len(band) > 3 {
			hi, _ = strconv.Atoi(band[3:])
		}
		fields := map[string]string{}
		for _, f := range p.Fields {
			fields[f.Key] = f.Value
		}
		impossible := len(p.Conflicts) > 0
		switch {
		case p.Age < lo || p.Age > hi:
			r.Fatalf("age %d in %s", p.Age, band)
		case p.Gender != gender:
			r.Fatalf("gender %s", p.Gender)
		case fields["Education"] != edu || fields["Employment"] != standing || fields["Household income"] != income || fields["Household size"] != size:
			r.Fatalf("assigned facts changed: %v", fields)
		case !impossible && p.Age < educations[edu]:
			r.Fatalf("%s at %d", edu, p.Age)
		case standing == "Retired" && p.Age < 55 && !impossible:
			r.Fatalf("retired at %d", p.Age)
		case standing == "Retired" && p.Occupation != "retired", standing == "Student" && p.Occupation != "in education":
			r.Fatalf("%s: %s", standing, p.Occupation)
		case parent && size == "1 person" && !impossible:
			r.Fatal("children in a household of one went unsaid")
		}
		if o := persona.OccupationOf(p.Occupation); o != nil {
			if p.Age < o.Age {
				r.Fatalf("%s at %d", p.Occupation, p.Age)
			}
			if e, ok := map[string]int{"No formal education": 0, "Lower secondary": 1, "High school": 2, "Bachelor's degree": 4, "Master's degree": 5, "Doctorate": 6}[edu]; ok && o.Education > e {
				r.Fatalf("%s with %s", p.Occupation, edu)
			}
		}
		if h := fields["Assumed household"]; h != "" {
			m := count2.FindStringSubmatch(h)
			if m == nil {
				r.Fatalf("household %q", h)
			}
			adults, _ := strconv.Atoi(m[1])
			children, _ := strconv.Atoi("0" + m[2])
			n, _ := strconv.Atoi(strings.TrimRight(strings.Fields(size + " 0")[0], "+"))
			if n > 0 && adults+children != n && !(size == "5+" && adults+children == 6) {
				r.Fatalf("%s of %s", h, size)
			}
			if parent && children == 0 && size != "1 person" || !parent && children > 0 || adults < 1 {
				r.Fatalf("%s, parent %v", h, parent)
			}
		}
		if m := money.FindStringSubmatch(fields["Assumed household income figure"]); m != nil {
			v, _ := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
			ends := map[string][2]float64{"Under $25,000": {0, 24999}, "$25,000-$49,999": {25000, 49999}, "$50k–99k": {50000, 99000}, "$100,000 or more": {100000, 1e9}}[income]
			if v < ends[0] || v > ends[1] {
				r.Fatalf("%v in %s", v, income)
			}
		}
		for _, what := range p.Assumed {
			if fields["Assumed "+strings.ToLower(what[:1])+what[1:]] == "" {
				r.Fatalf("%s is assumed but not in the fields %v", what, fields)
			}
		}
		if strings.Contains(p.Prose, p.Occupation) && p.Occupation != "" && fields["Assumed occupation"] != "" {
			r.Fatalf("the prose tells an assumption: %s", p.Prose)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	for _, n := range []int{250, 500, 1000, 2000} {
		specs := germanParents(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for range b.N {
				persona.Write(specs)
			}
		})
	}
}
