package main

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"
)

// ages writes the same number of people for every age.
func ages(country, sex string, thousands float64) string {
	return country + "," + sex + strings.Repeat(fmt.Sprintf(",%v", thousands), 101) + "\n"
}

func folder(labour string) fstest.MapFS {
	head := "country,sex"
	for age := range 101 {
		head += fmt.Sprintf(",%d", age)
	}
	return fstest.MapFS{
		"countries.csv":  {Data: []byte("country,name\nXA,Example\n")},
		"population.csv": {Data: []byte(head + "\n" + ages("XA", "f", 2) + ages("XA", "m", 3))},
		"labour.csv":     {Data: []byte("country,sex,measure,age,year,percent\n" + labour)},
		"urban.csv":      {Data: []byte("country,year,urban_percent\nXA,2024,70.126\n")},
	}
}

// Ten years at 15-24, thirty at 25-54 and ten at 55-64, equally many people: a
// participation of 72 in all with 50 and 80 in the younger ones leaves 70.
func TestParticipationLateInLifeIsWhatIsLeft(t *testing.T) {
	var rows strings.Builder
	for _, sex := range []string{"f", "m"} {
		for _, r := range []string{"employment,15-24,2023,45", "unemployment,15-24,2023,10", "participation,25-54,2023,80", "unemployment,25-54,2022,5", "participation,15-64,2023,72", "unemployment,55-64,2023,0", "participation,65+,2023,8"} {
			rows.WriteString("XA," + sex + "," + r + "\n")
		}
	}
	out, err := generate(folder(rows.String()))
	if err != nil {
		t.Fatal(err)
	}
	want := `"labour":{"year":2023,"unemploymentFrom":2022,"women":[[45,5],[76,4],[70,0],[8,0]],"men":[[45,5],[76,4],[70,0],[8,0]]},"urban":{"year":2024,"percent":70.13}}`
	if !strings.Contains(string(out), want) {
		t.Errorf("%s", out)
	}
	if !strings.HasPrefix(string(out), `{"country":"XA","name":"Example","people":{"year":2020,"unit":10,"women":[200,`) {
		t.Errorf("%.120s", out)
	}
}

func TestACountryWithoutAllRatesHasNoLabour(t *testing.T) {
	out, err := generate(folder("XA,f,employment,15-24,2023,45\n"))
	if err != nil || strings.Contains(string(out), "labour") {
		t.Errorf("%v %s", err, out)
	}
}

func TestTablesThatAreNoneAreRefused(t *testing.T) {
	f := folder("")
	delete(f, "population.csv")
	if _, err := generate(f); err == nil {
		t.Error("no people")
	}
	if two(math.Pi) != 3.14 {
		t.Error(two(math.Pi))
	}
}
