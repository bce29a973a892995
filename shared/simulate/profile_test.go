package simulate

import (
	"math"
	"testing"
)

func TestParseProfile(t *testing.T) {
	p := ParseProfile("A quiet person.\nAge: 64\nGENDER : Female\n- **Region**: Pacific\nSmokes: No; Drinks: Yes\nSee https://example.org/x\nA very long key that is really a sentence about something else: no")
	for k, want := range map[string]string{"age": "64", "Gender": "Female", "region": "Pacific", "smokes": "No", "drinks": "Yes"} {
		if got, ok := p.Get(k); !ok || got != want {
			t.Errorf("%s = %q", k, got)
		}
	}
	if len(p.Fields) != 5 {
		t.Errorf("%+v", p.Fields)
	}
}

func groupsOf(d dimension, labels ...string) (out []group) {
	for i, l := range labels {
		out = append(out, readGroup(d, l, i == len(labels)-1))
	}
	return out
}

// Profile values find their breakdown group, however either is written.
func TestMatchGroup(t *testing.T) {
	ages := groupsOf(dimAge, "18-29", "30-44", "45-60", "> 60")
	old := groupsOf(dimAge, "18 - 29", "30 - 44", "45 - 59", "60")
	wide := groupsOf(dimAge, "18 - 34", "35 - 64", "65 and up")
	sex := groupsOf(dimGender, "Female", "Male")
	educ := groupsOf(dimEducation, "College or more", "High school or less", "Some college")
	educ3 := groupsOf(dimEducation, "College", "High school or less", "Some college")
	regions := groupsOf(dimRegion, "Northeast", "Midwest", "South", "West")
	divisions := groupsOf(dimRegion, "New England", "Pacific", "South Atlantic")
	for _, c := range []struct {
		d      dimension
		value  string
		groups []group
		want   int
	}{
		{dimAge, "64", ages, 3}, {dimAge, "> 60", ages, 3}, {dimAge, "60+", ages, 3}, {dimAge, "60", ages, 2}, {dimAge, "61", ages, 3}, {dimAge, "45-60", ages, 2},
		{dimAge, "32 years old", ages, 1}, {dimAge, "18 to 29", ages, 0}, {dimAge, "under 30", ages, 0}, {dimAge, "over 60", ages, 3}, {dimAge, "17", ages, -1}, {dimAge, "young", ages, -1},
		{dimAge, "72", old, 3}, {dimAge, "> 60", old, 3}, {dimAge, "45-60", old, 2},
		{dimAge, "> 60", wide, 2}, {dimAge, "18-29", wide, 0}, {dimAge, "30-44", wide, 1}, {dimAge, "64", wide, 1},
		{dimGender, "woman", sex, 0}, {dimGender, "F", sex, 0}, {dimGender, "M", sex, 1}, {dimGender, "Non-binary", sex, -1},
		{dimEducation, "Bachelor degree", educ, 0}, {dimEducation, "Graduate degree", educ, 0}, {dimEducation, "Some college or Associate degree", educ, 2},
		{dimEducation, "High school degree", educ, 1}, {dimEducation, "Less than high school degree", educ, 1}, {dimEducation, "Master's degree", educ3, 0}, {dimEducation, "College graduate", educ3, 0},
		{dimRegion, "Pacific", regions, 3}, {dimRegion, "Texas", regions, 2}, {dimRegion, "East North Central", regions, 1}, {dimRegion, "the South", regions, 2},
		{dimRegion, "Portland, Oregon", divisions, 1}, {dimRegion, "Ontario", regions, -1},
	} {
		if got := matchGroup(c.d, c.value, c.groups); got != c.want {
			t.Errorf("%s %q: group %d, want %d", c.d, c.value, got, c.want)
		}
	}
}

func TestReadPopulation(t *testing.T) {
	for text, want := range map[string]population{
		"US adults 18+":                  {country: "US", age: span{18, math.Inf(1)}, hasAge: true},
		"US adult men 18+":               {country: "US", age: span{18, math.Inf(1)}, hasAge: true, sex: "m"},
		"Adults 18+ in Germany":          {country: "DE", age: span{18, math.Inf(1)}, hasAge: true},
		"Residents of Norway aged 15+":   {country: "NO", age: span{15, math.Inf(1)}, hasAge: true},
		"Chilean adults 18-70":           {country: "CL", age: span{18, 70}, hasAge: true},
		"California registered voters":   {country: "US", age: span{18, math.Inf(1)}, hasAge: true},
		"Adults in New York":             {country: "US", age: span{18, math.Inf(1)}, hasAge: true},
		"Women aged 25 to 40 in the UK":  {country: "GB", age: span{25, 40}, hasAge: true, sex: "f"},
		"people who answered the survey": {},
		"":                               {},
		"US adults 18+, online panel (SurveyMonkey Audience)": {country: "US", age: span{18, math.Inf(1)}, hasAge: true},
	} {
		if got := readPopulation(text); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// A Mind outside the population is only related; what the profile does not say
// is no reason (M-341).
func TestPopulationFitM341(t *testing.T) {
	q, e := find(t, "us-steak-risk-2014", "doneness")
	men, em := find(t, "us-men-masculinity-2018", "q0007_0004")
	for _, c := range []struct {
		profile string
		want    State
		q       surveyQuestion
		e       *Evidence
	}{
		{"", Grounded, q, e}, {"Age: 64\nGender: Female\nRegion: Pacific", Grounded, q, e}, {"Country: USA", Grounded, q, e}, {"Location: Texas", Grounded, q, e},
		{"Country: Germany", Related, q, e}, {"Age: 15", Related, q, e}, {"Location: Lyon, France", Related, q, e}, {"Country: DE", Related, q, e},
		{"Gender: Female", Related, men, em}, {"Gender: Male", Grounded, men, em},
	} {
		a := answer(t, ask(t, c.q.asked(), Policy{}), Respondent{ID: "m", Profile: ParseProfile(c.profile), Evidence: []*Evidence{c.e}})
		if a.State != c.want || (c.want == Related && len(a.Warnings) == 0) || a.SourceIDs[0] != c.e.ID {
			t.Errorf("%q: %s %v", c.profile, a.State, a.Warnings)
		}
	}
}

// A warning of a country says where the country came from, and a Mind without
// one is not silently taken for the source's people (M-341).
func TestCountryIsSaidM341(t *testing.T) {
	const asked = "Do you own a car?"
	us := published(t, "A survey", asked, OptionShare{"Yes", .7}, OptionShare{"No", .3})
	uk := published(t, "A survey", asked, OptionShare{"Yes", .7}, OptionShare{"No", .3})
	uk.Population = "UK adults"
	uk.Digest = uk.digest()
	any := published(t, "A survey", asked, OptionShare{"Yes", .7}, OptionShare{"No", .3})
	any.Population = "people who answered"
	any.Digest = any.digest()
	const abroad = "the source asked people in another country (GB, not US"
	for _, c := range []struct {
		profile string
		e       *Evidence
		state   State
		want    string
	}{
		{"Region: Pacific", uk, Related, abroad + "; country read from Region: Pacific)"},
		{"City: Austin, Texas", uk, Related, abroad + "; country read from City: Austin, Texas)"},
		{"Country: USA\nRegion: Pacific", uk, Related, abroad + ")"},
		{"Region: Pacific\nCountry: UK", uk, Grounded, ""},
		{"Region: Pacific\nCountry: Fiji", us, Grounded, unknownPopulation},
		{"Region: Pacific", us, Grounded, ""},
		{"Age: 34", us, Grounded, unknownPopulation},
		{"", uk, Grounded, unknownPopulation},
		{"", any, Grounded, ""},
	} {
		a := answer(t, ask(t, cat(asked, yesNo...), Policy{}), Respondent{ID: "m", Profile: ParseProfile(c.profile), Evidence: []*Evidence{c.e}})
		if a.State != c.state || (c.want == "") != (len(a.Warnings) == 0) || c.want != "" && a.Warnings[0] != c.want {
			t.Errorf("%q by %s: %s %q, want %s %q", c.profile, c.e.Population, a.State, a.Warnings, c.state, c.want)
		}
	}
}
