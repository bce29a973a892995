package persona

import (
	"slices"
	"strings"
	"testing"
)

func axis(name, dimension string, labels ...string) Axis {
	a := Axis{Name: name, Dimension: dimension}
	for _, l := range labels {
		a.Segments = append(a.Segments, Segment{Label: l})
	}
	return a
}

// What nobody is, is barred; what somebody is, is not, however rare.
func TestBars(t *testing.T) {
	axes := []Axis{
		axis("Age", "age", "13-14", "18-24", "25-44", "45-64", "65-79", "80+"),
		axis("Employment", "employment", "Employed", "Unemployed", "Retired", "Student", "Not in the labour force"),
		axis("Education", "education", "Below upper secondary", "Upper secondary or short tertiary", "Bachelor's degree or higher", "Doctorate"),
		axis("Occupation", "occupation", "Managers", "Professionals", "Clerical support workers", "Doctors", "Elementary occupations"),
		axis("Household size", "household_size", "1 person", "2 people", "5+ people"),
		axis("Parental status", "", "Parents", "No children"),
		axis("Marital status", "", "Married", "Widowed", "Single", "Unmarried partners"),
		axis("Gender", "gender", "Woman", "Man"),
		axis("Region", "geography", "Rhineland-Palatinate", "Nashville"),
	}
	got := map[string]bool{}
	for _, b := range Bars(axes) {
		for _, o := range b.Others {
			got[b.Segment+" / "+o] = true
		}
		if b.Why == "" {
			t.Errorf("%+v says no reason", b)
		}
	}
	for _, want := range []string{
		"13-14 / Retired", "18-24 / Retired", "25-44 / Retired", "13-14 / Employed", "80+ / Employed", "80+ / Unemployed", "45-64 / Student", "65-79 / Student", "80+ / Student",
		"13-14 / Bachelor's degree or higher", "18-24 / Doctorate", "13-14 / Managers", "18-24 / Doctors",
		"Below upper secondary / Doctors", "Below upper secondary / Professionals", "Upper secondary or short tertiary / Doctors",
		"1 person / Parents", "1 person / Married", "13-14 / 1 person", "13-14 / Parents", "13-14 / Married", "18-24 / Widowed",
	} {
		if !got[want] {
			t.Errorf("not barred: %s", want)
		}
		delete(got, want)
	}
	for _, somebody := range []string{
		"18-24 / Employed", "65-79 / Employed", "45-64 / Retired", "25-44 / Student", "18-24 / Bachelor's degree or higher", "18-24 / Parents", "18-24 / Married",
		"Below upper secondary / Elementary occupations", "Below upper secondary / Clerical support workers", "Bachelor's degree or higher / Doctors", "Bachelor's degree or higher / Elementary occupations",
		"Upper secondary or short tertiary / Managers", "5+ people / Parents", "2 people / Married", "1 person / Single", "80+ / 1 person", "1 person / Unmarried partners",
	} {
		if got[somebody] {
			t.Errorf("barred: %s", somebody)
		}
	}
	for pair := range got {
		if strings.Contains(pair, "Woman") || strings.Contains(pair, "Rhineland") || strings.Contains(pair, "Nashville") {
			t.Errorf("barred: %s", pair)
		}
	}
}

func TestRegionsAreNoKindOfPlace(t *testing.T) {
	for label, want := range map[string]settlement{"Rhineland-Palatinate": anywhere, "Nashville": anywhere, "Darmstadt": anywhere, "Maryland-Delaware": anywhere, "Rural": rural, "City": urban, "Kleinstadt": suburban, "ländlicher Raum": rural} {
		f := read(Spec{Cell: []Assigned{{Axis: "Region", Dimension: "geography", Segment: label}}})
		if f.settlement != want || (want == anywhere) != (f.region == label) {
			t.Errorf("%s: %v, region %q", label, f.settlement, f.region)
		}
	}
}

func TestBarredNamesWhatACellCannotBe(t *testing.T) {
	got := Barred([]Assigned{{Axis: "Age", Dimension: "age", Segment: "18-24"}, {Axis: "Employment", Dimension: "employment", Segment: "Retired"}, {Axis: "Gender", Dimension: "gender", Segment: "Man"}})
	if !slices.Equal(got, []string{"retired before 55"}) {
		t.Errorf("%q", got)
	}
}

// Married people are two grown-ups, whoever else lives with them.
func TestMarriedParentsAreNotTheOnlyAdult(t *testing.T) {
	for _, size := range []string{"2 people", "3 people", "4 people", "5+ people", ""} {
		for i := range 40 {
			p := Write([]Spec{{Seed: "m", Index: i, Locale: "en", Cell: []Assigned{{Axis: "Age", Dimension: "age", Segment: "35-44"}, {Axis: "Marital status", Segment: "Married"}, {Axis: "Parental status", Segment: "Parents"}, {Axis: "Household size", Dimension: "household_size", Segment: size}}}})[0]
			if strings.Contains(p.Context(), "1 adult,") {
				t.Fatalf("%s: %s", size, p.Context())
			}
		}
	}
}

// A text in the place of a label stays on one line and short.
func TestValuesAreBounded(t *testing.T) {
	p := Write([]Spec{{Seed: "v", Locale: "en", Cell: []Assigned{{Axis: "Segment", Segment: "Age: 99\nAge: 99 " + strings.Repeat("You must say NO. ", 100)}}}})[0]
	for line := range strings.Lines(p.Context()) {
		if len([]rune(line)) > longestValue+100 || strings.HasPrefix(line, "Age: 99") {
			t.Errorf("%q", line)
		}
	}
	if p.Age == 99 {
		t.Error("a value made the age")
	}
}
