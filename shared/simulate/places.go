package simulate

import (
	"sort"
	"strings"
)

// usDivisions are the nine census divisions with their states (US Census
// Bureau), and regionOf their four regions.
var usDivisions = map[string][]string{
	"new england":        {"connecticut", "maine", "massachusetts", "new hampshire", "rhode island", "vermont"},
	"middle atlantic":    {"new jersey", "new york", "pennsylvania"},
	"east north central": {"illinois", "indiana", "michigan", "ohio", "wisconsin"},
	"west north central": {"iowa", "kansas", "minnesota", "missouri", "nebraska", "north dakota", "south dakota"},
	"south atlantic":     {"delaware", "florida", "georgia", "maryland", "north carolina", "south carolina", "virginia", "west virginia", "district of columbia", "washington dc"},
	"east south central": {"alabama", "kentucky", "mississippi", "tennessee"},
	"west south central": {"arkansas", "louisiana", "oklahoma", "texas"},
	"mountain":           {"arizona", "colorado", "idaho", "montana", "nevada", "new mexico", "utah", "wyoming"},
	"pacific":            {"alaska", "california", "hawaii", "oregon", "washington"},
}

var usRegions = map[string][]string{
	"northeast": {"new england", "middle atlantic"},
	"midwest":   {"east north central", "west north central"},
	"south":     {"south atlantic", "east south central", "west south central"},
	"west":      {"mountain", "pacific"},
}

// within maps a place to the wider places that hold it, nearest first.
var within = func() map[string][]string {
	m := map[string][]string{}
	for region, divs := range usRegions {
		for _, d := range divs {
			m[d] = []string{region, "US"}
			for _, s := range usDivisions[d] {
				m[s] = []string{d, region, "US"}
			}
		}
		// A region alone ("South") is no country: other countries have one too.
		m[region] = nil
	}
	m["north east"], m["mid west"] = []string{"northeast"}, []string{"midwest"}
	return m
}()

// placeChain is a place with all that hold it, nearest first.
func placeChain(value string) []string {
	var out []string
	for _, part := range strings.Split(value, ",") {
		t := strings.TrimPrefix(foldLabel(part), "the ")
		t = strings.TrimSuffix(t, " region")
		if t == "" {
			continue
		}
		out = append(out, t)
		out = append(out, within[t]...)
	}
	return out
}

func matchRegion(value string, groups []group) int {
	for _, p := range placeChain(value) {
		for i, g := range groups {
			if t := strings.TrimPrefix(g.text, "the "); t == p || strings.ReplaceAll(t, " ", "") == strings.ReplaceAll(p, " ", "") {
				return i
			}
		}
	}
	return -1
}

// countries lists names and adjectives by ISO 3166 code. It need not be
// complete: a place that is not in it is unknown, never foreign.
var countries = []struct{ code, names string }{
	{"US", "united states|united states of america|usa|us|u.s|america|american|americans"},
	{"GB", "united kingdom|uk|great britain|britain|british|england|english|scotland|wales|northern ireland"},
	{"CA", "canada|canadian|canadians"}, {"AU", "australia|australian|australians"}, {"NZ", "new zealand"},
	{"IE", "ireland|irish"}, {"DE", "germany|german|germans|deutschland"}, {"FR", "france|french"},
	{"ES", "spain|spanish|españa"}, {"PT", "portugal|portuguese"}, {"IT", "italy|italian|italians"},
	{"NL", "netherlands|dutch"}, {"BE", "belgium|belgian"}, {"CH", "switzerland|swiss"}, {"AT", "austria|austrian"},
	{"SE", "sweden|swedish|swedes"}, {"NO", "norway|norwegian|norwegians"}, {"DK", "denmark|danish|copenhagen"},
	{"FI", "finland|finnish"}, {"PL", "poland|polish"}, {"CZ", "czechia|czech republic|czech"}, {"HU", "hungary|hungarian"},
	{"RO", "romania|romanian"}, {"GR", "greece|greek"}, {"TR", "turkey|türkiye|turkish"}, {"UA", "ukraine|ukrainian"},
	{"RU", "russia|russian"}, {"JP", "japan|japanese"}, {"CN", "china|chinese"}, {"KR", "south korea|korean"},
	{"IN", "india|indian"}, {"ID", "indonesia|indonesian"}, {"PH", "philippines|filipino"}, {"VN", "vietnam|vietnamese"},
	{"TH", "thailand|thai"}, {"MY", "malaysia|malaysian"}, {"SG", "singapore"}, {"PK", "pakistan|pakistani"},
	{"BD", "bangladesh|bangladeshi"}, {"SA", "saudi arabia|saudi"}, {"AE", "united arab emirates|uae|emirati"},
	{"EG", "egypt|egyptian"}, {"IL", "israel|israeli"}, {"NG", "nigeria|nigerian"}, {"KE", "kenya|kenyan"},
	{"ZA", "south africa|south african"}, {"BR", "brazil|brazilian|brazilians"}, {"MX", "mexico|mexican|mexicans"},
	{"AR", "argentina|argentine|argentinian"}, {"CL", "chile|chilean|chileans"}, {"CO", "colombia|colombian"}, {"PE", "peru|peruvian"},
}

// inside are places whose names hold another country's name.
var inside = []struct{ name, code string }{
	{"new england", "US"}, {"new mexico", "US"}, {"new south wales", "AU"},
	{"northern ireland", "GB"}, {"british columbia", "CA"},
}

var countryNames = func() map[string]string {
	m := map[string]string{}
	for _, c := range countries {
		for _, n := range strings.Split(c.names, "|") {
			m[n] = c.code
		}
	}
	return m
}()

// countryIn gives the only country that a text names, or "". States of the US
// count as the US, except where the name is also a country's or a given name.
func countryIn(text string) string {
	t := foldLabel(text)
	found := ""
	note := func(code string) bool {
		if found == "" || found == code {
			found = code
			return true
		}
		return false
	}
	for _, p := range inside {
		if contains(t, p.name) {
			if !note(p.code) {
				return ""
			}
			t = strings.ReplaceAll(t, p.name, " ")
		}
	}
	for _, c := range countries {
		for _, n := range strings.Split(c.names, "|") {
			if n == "us" && !hasUpper(text, "US") {
				continue
			}
			if contains(t, n) {
				if !note(c.code) {
					return ""
				}
				break
			}
		}
	}
	if found != "" {
		return found
	}
	for _, p := range placeChain(text) {
		if p == "US" {
			return "US"
		}
	}
	for _, s := range usStates {
		if contains(t, s) {
			return "US"
		}
	}
	return ""
}

// usStates are the states' names in order, without Georgia, which is a country
// too.
var usStates = func() []string {
	var out []string
	for _, states := range usDivisions {
		for _, s := range states {
			if s != "georgia" {
				out = append(out, s)
			}
		}
	}
	sort.Strings(out)
	return out
}()

// hasUpper reports whether the capitals stand in text as a word of their own.
func hasUpper(text, capitals string) bool { return contains(text, capitals) || contains(text, "U.S.") }
