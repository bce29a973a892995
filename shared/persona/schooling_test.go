package persona

import (
	"fmt"
	"testing"
)

// Labels that deny a schooling are read as what is below it.
func TestSchoolingLabels(t *testing.T) {
	for label, want := range map[string]level{
		"Below upper secondary": eduLower, "Less than high school": eduLower, "No high school diploma": eduLower, "Lower secondary school": eduLower,
		"Less than upper secondary": eduLower, "Ohne Berufsausbildung": eduLower, "Keine abgeschlossene Berufsausbildung": eduLower, "Kein Abitur": eduLower,
		"Without a high school diploma": eduLower, "Sans le baccalauréat": eduLower, "Primary or lower secondary": eduLower,
		"Upper secondary": eduUpper, "High school diploma": eduUpper, "Berufsausbildung": eduUpper, "Abitur": eduUpper, "Some college": eduShort,
		"Upper secondary or short tertiary": eduUpper, "No formal education": eduNone, "Bachelor's degree or higher": eduBachelor, "No degree": eduUpper,
	} {
		if got, _ := find(eduCues, label); got != want {
			t.Errorf("%s: level %d, want %d", label, got, want)
		}
	}
}

// The rows of the list ask for what ISCO-08 and ISCED say of their group, and what is
// learned in years of apprenticeship is nothing for who finished no upper secondary.
func TestOccupationsFitTheSchooling(t *testing.T) {
	by := map[string]*occupation{}
	for _, o := range occupations() {
		by[o.key] = o
		if least := skill(o.major); o.education < least && o.key != "businessowner" {
			t.Errorf("%s of group %d asks for %d, its group for %d", o.key, o.major, o.education, least)
		}
	}
	for _, key := range []string{"civilservant", "carpenter", "electrician", "plumber", "mechanic", "machinist", "hairdresser", "baker", "accountant", "bankclerk", "officeclerk", "nurse"} {
		if by[key].education < eduUpper {
			t.Errorf("%s asks for %d", key, by[key].education)
		}
	}
	for _, label := range []string{"Below upper secondary", "Less than high school", "Ohne Berufsausbildung", "Lower secondary"} {
		var specs []Spec
		for i := range 300 {
			specs = append(specs, Spec{Seed: "schooling " + label, Index: i, Country: "DE", Locale: "de", Cell: []Assigned{
				{Axis: "Gender", Dimension: "gender", Segment: "Women"}, {Axis: "Age", Dimension: "age", Segment: "30-49"}, {Axis: "Education", Dimension: "education", Segment: label}, {Axis: "Employment", Dimension: "employment", Segment: "Employed full-time"}}})
		}
		for _, p := range Write(specs) {
			if o := findOccupation(p.Occupation); o == nil || o.education > eduLower {
				t.Errorf("%s: %s", label, p.Occupation)
				break
			}
		}
	}
}

// Who asks for carpenters of a country asks for no school leaving certificate: there
// they learn at work (ISCO-08 skill level 2 is ISCED 2 to 4).
func TestCraftsAreAlsoLearnedAtWork(t *testing.T) {
	for _, role := range []string{"Carpenters", "electricians", "Hairdressers", "bakers"} {
		if n, ok := NeedsOf(role); !ok || n.Schooled {
			t.Errorf("%s: %s", role, fmt.Sprint(n, ok))
		}
	}
	for _, role := range []string{"Bank clerks", "nurses", "police officers"} {
		if n, ok := NeedsOf(role); !ok || !n.Schooled {
			t.Errorf("%s: %s", role, fmt.Sprint(n, ok))
		}
	}
}
