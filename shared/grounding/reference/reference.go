// Package reference holds the population figures that ship with the program: for
// each country the people by single year of age and sex, and where a source was
// read, work, schooling, households, regions and town or country.
//
// Every figure was read from a file and carries its source; nothing here is
// remembered or estimated by hand. docs/grounding.md says what is shipped and how
// each raw file became a line of figures.jsonl.
package reference

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"sort"
	"sync"
)

// Oldest is the last single year of age; it stands for 100 and over.
const Oldest = 100

// The ids of the sources that a section has no field for.
const (
	PeopleSource    = "wpp2019"
	LabourSource    = "ilostat"
	UrbanSource     = "wdi-urban"
	EducationSource = "wdi-education"
	RegionsSource   = "csse-regions"
)

// Source is where a figure was read.
type Source struct {
	ID        string `json:"-"`
	Title     string `json:"title"`
	Publisher string `json:"publisher"`
	URL       string `json:"url"`
	Published string `json:"published"` // year
	Licence   string `json:"licence"`
	Read      string `json:"read"` // which file, and what was done with it
}

// Country is what is known of one country. A nil section was not found.
type Country struct {
	Code           string      `json:"country"` // ISO 3166-1 alpha-2
	Name           string      `json:"name"`
	People         People      `json:"people"`
	Labour         *Labour     `json:"labour"`
	Urban          *Urban      `json:"urban"`
	Education      *Education  `json:"education"`
	Households     *Households `json:"households"`
	Regions        *Counted    `json:"regions"`
	Representation *Counted    `json:"representation"`
}

// People counts women and men by single year of age, index 0 to Oldest, in units
// of Unit persons.
type People struct {
	Year  int       `json:"year"`
	Unit  int       `json:"unit"`
	Women []float64 `json:"women"`
	Men   []float64 `json:"men"`
}

// Labour is the state of work by sex in the age bands 15-24, 25-54, 55-64 and
// 65+, each {employed, unemployed} in percent of all people of the band; the rest
// is outside the labour force. UnemploymentFrom is the oldest year used.
type Labour struct {
	Year             int          `json:"year"`
	UnemploymentFrom int          `json:"unemploymentFrom"`
	Women            [][2]float64 `json:"women"`
	Men              [][2]float64 `json:"men"`
}

// LabourBand is the index of the band of an age, -1 below 15.
func LabourBand(age int) int {
	switch {
	case age < 15:
		return -1
	case age < 25:
		return 0
	case age < 55:
		return 1
	case age < 65:
		return 2
	}
	return 3
}

// Urban is the percent of people that live in towns, as the country defines them.
type Urban struct {
	Year    int     `json:"year"`
	Percent float64 `json:"percent"`
}

// Education is schooling of the people of 25 and over, in percent.
type Education struct {
	Year                 int     `json:"year"`
	UpperSecondaryOrMore float64 `json:"upperSecondaryOrMore"`
	BachelorOrMore       float64 `json:"bachelorOrMore"`
}

// Households is the percent of households with 1, 2, 3, 4, 5 and 6 or more people.
type Households struct {
	Year    int       `json:"year"`
	Source  string    `json:"source"`
	Percent []float64 `json:"percent"`
}

// Counted is people by label, the largest first. Year 0 is not stated.
type Counted struct {
	Year   int     `json:"year"`
	Source string  `json:"source"`
	People []Count `json:"people"`
}

// Count is one label and its number of people.
type Count struct {
	Label string  `json:"label"`
	Count float64 `json:"count"`
}

//go:embed figures.jsonl
var figures []byte

//go:embed sources.json
var sources []byte

var sourceList = sync.OnceValue(func() map[string]Source {
	m := map[string]Source{}
	if err := json.Unmarshal(sources, &m); err != nil {
		panic("reference: " + err.Error()) // embedded: a test reads it
	}
	for id, s := range m {
		s.ID = id
		m[id] = s
	}
	return m
})

// SourceOf gives a source by its id.
func SourceOf(id string) (Source, bool) {
	s, ok := sourceList()[id]
	return s, ok
}

// lines finds each country's line without reading it: most callers want one.
var lines = sync.OnceValue(func() map[string][]byte {
	m := map[string][]byte{}
	for line := range bytes.Lines(figures) {
		if code, ok := bytes.CutPrefix(line, []byte(`{"country":"`)); ok && len(code) > 2 {
			m[string(code[:2])] = line
		}
	}
	return m
})

// countries reads each line once, when it is first asked for.
var countries = sync.OnceValue(func() map[string]func() *Country {
	m := map[string]func() *Country{}
	for code, line := range lines() {
		m[code] = sync.OnceValue(func() *Country {
			c, err := parse(line)
			if err != nil {
				panic(err) // embedded: a test reads every line
			}
			return c
		})
	}
	return m
})

// Of gives a country by its ISO 3166-1 alpha-2 code, in capitals. What it returns
// is shared: do not change it.
func Of(code string) (*Country, bool) {
	read, ok := countries()[code]
	if !ok {
		return nil, false
	}
	return read(), true
}

func parse(line []byte) (*Country, error) {
	c := new(Country)
	if err := json.Unmarshal(line, c); err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	if len(c.People.Women) != Oldest+1 || len(c.People.Men) != Oldest+1 {
		return nil, fmt.Errorf("reference: %s has %d and %d ages", c.Code, len(c.People.Women), len(c.People.Men))
	}
	return c, nil
}

// Names gives the English name of each country by its code.
var Names = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for code, line := range lines() {
		var c struct {
			Name string `json:"name"`
		}
		// The name stands second: the rest of the line is not read.
		if end := bytes.Index(line, []byte(`,"people"`)); end > 0 && json.Unmarshal(append(line[:end:end], '}'), &c) == nil {
			m[code] = c.Name
		}
	}
	return m
})

// Codes lists the countries, in order.
func Codes() []string {
	all := make([]string, 0, 200)
	for code := range lines() {
		all = append(all, code)
	}
	sort.Strings(all)
	return all
}

// world adds up all countries: what stands for people of nowhere in particular.
var world = sync.OnceValue(func() *Country {
	w := &Country{Name: "the world", People: People{Unit: 1, Women: make([]float64, Oldest+1), Men: make([]float64, Oldest+1)}}
	for _, code := range Codes() {
		c, ok := Of(code)
		if !ok {
			continue
		}
		w.People.Year = c.People.Year
		for age := range w.People.Women {
			w.People.Women[age] += c.People.Women[age] * float64(c.People.Unit)
			w.People.Men[age] += c.People.Men[age] * float64(c.People.Unit)
		}
	}
	return w
})

// World gives the people of all countries together; it has no other section.
func World() *Country { return world() }

// Persons counts the people of the ages min to max, both inside, by sex.
func (c *Country) Persons(min, max int) (women, men float64) {
	for age := max; age >= min; age-- {
		if age < 0 || age > Oldest {
			continue
		}
		women += c.People.Women[age]
		men += c.People.Men[age]
	}
	return women * float64(c.People.Unit), men * float64(c.People.Unit)
}
