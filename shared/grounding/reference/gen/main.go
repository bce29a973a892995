// Command gen makes figures.jsonl of the tables that the figures were read from.
//
//	go run ./shared/grounding/reference/gen -from FOLDER -to shared/grounding/reference/figures.jsonl
//
// FOLDER holds one comma-separated file a source, as docs/grounding.md tells:
//
//	countries.csv       country, name
//	population.csv      country, sex (f, m), 0 to 100: thousands of people by single year of age
//	labour.csv          country, sex, measure (employment, unemployment, participation), age, year, percent
//	urban.csv           country, year, urban_percent
//	education.csv       country, year, upper_secondary_or_more, bachelor_or_more
//	households.csv      country, source, year, 1, 2, 3, 4, 5, 6+
//	regions.csv         country, region, population
//	representation.csv  country, source, year, label, people
package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/mindgate-dev/mindgate/shared/grounding/reference"
)

func main() {
	from := flag.String("from", "", "folder of the tables")
	to := flag.String("to", "shared/grounding/reference/figures.jsonl", "file to write")
	flag.Parse()
	out, err := generate(os.DirFS(*from))
	if err == nil {
		err = os.WriteFile(filepath.Clean(*to), out, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// country is a line of figures.jsonl, with the empty sections left out.
type country struct {
	Code           string      `json:"country"`
	Name           string      `json:"name"`
	People         people      `json:"people"`
	Labour         *labour     `json:"labour,omitempty"`
	Urban          *urban      `json:"urban,omitempty"`
	Education      *education  `json:"education,omitempty"`
	Households     *households `json:"households,omitempty"`
	Regions        *counted    `json:"regions,omitempty"`
	Representation *counted    `json:"representation,omitempty"`
}

type (
	people struct {
		Year  int   `json:"year"`
		Unit  int   `json:"unit"`
		Women []int `json:"women"`
		Men   []int `json:"men"`
	}
	labour     = reference.Labour
	urban      = reference.Urban
	education  = reference.Education
	households = reference.Households
	counted    struct {
		Year   int     `json:"year,omitempty"`
		Source string  `json:"source,omitempty"`
		People []count `json:"people"`
	}
	count struct {
		Label string `json:"label"`
		Count int    `json:"count"`
	}
)

// peopleYear is the year of the population table.
const peopleYear = 2020

// labourYear is the year of employment and participation; unemployment may be older.
const labourYear = 2023

type table struct {
	rows []map[string]string
	err  error
}

func read(folder fs.FS, name string, needed bool) table {
	f, err := folder.Open(name)
	if errors.Is(err, fs.ErrNotExist) && !needed {
		return table{}
	}
	if err != nil {
		return table{err: err}
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil || len(all) == 0 {
		return table{err: fmt.Errorf("%s: %w", name, errors.Join(err, errors.New("no table")))}
	}
	var t table
	for _, row := range all[1:] {
		m := map[string]string{}
		for i, head := range all[0] {
			m[head] = row[i]
		}
		t.rows = append(t.rows, m)
	}
	return t
}

// generate makes the lines, one a country, in the order of their codes.
func generate(folder fs.FS) ([]byte, error) {
	var bad error
	load := func(name string, needed bool) []map[string]string {
		t := read(folder, name, needed)
		bad = errors.Join(bad, t.err)
		return t.rows
	}
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		bad = errors.Join(bad, err)
		return v
	}
	all := map[string]*country{}
	for _, r := range load("countries.csv", true) {
		all[r["country"]] = &country{Code: r["country"], Name: r["name"]}
	}
	thousands := map[string]*[2][]float64{}
	for _, r := range load("population.csv", true) {
		if thousands[r["country"]] == nil {
			thousands[r["country"]] = new([2][]float64)
		}
		ages := make([]float64, reference.Oldest+1)
		for age := range ages {
			ages[age] = number(r[strconv.Itoa(age)])
		}
		thousands[r["country"]][sexOf(r["sex"])] = ages
	}
	rates := map[string]map[string]rate{}
	for _, r := range load("labour.csv", false) {
		if rates[r["country"]] == nil {
			rates[r["country"]] = map[string]rate{}
		}
		rates[r["country"]][r["sex"]+" "+r["measure"]+" "+r["age"]] = rate{number(r["percent"]), int(number(r["year"]))}
	}
	for _, r := range load("urban.csv", false) {
		if c := all[r["country"]]; c != nil {
			c.Urban = &urban{Year: int(number(r["year"])), Percent: two(number(r["urban_percent"]))}
		}
	}
	for _, r := range load("education.csv", false) {
		if c := all[r["country"]]; c != nil {
			c.Education = &education{Year: int(number(r["year"])), UpperSecondaryOrMore: two(number(r["upper_secondary_or_more"])), BachelorOrMore: two(number(r["bachelor_or_more"]))}
		}
	}
	for _, r := range load("households.csv", false) {
		if c := all[r["country"]]; c != nil {
			h := &households{Year: int(number(r["year"])), Source: r["source"]}
			for _, size := range []string{"1", "2", "3", "4", "5", "6+"} {
				h.Percent = append(h.Percent, two(number(r[size])))
			}
			c.Households = h
		}
	}
	for _, r := range load("regions.csv", false) {
		if c := all[r["country"]]; c != nil {
			if c.Regions == nil {
				c.Regions = &counted{}
			}
			c.Regions.People = append(c.Regions.People, count{r["region"], int(number(r["population"]))})
		}
	}
	for _, r := range load("representation.csv", false) {
		if c := all[r["country"]]; c != nil {
			if c.Representation == nil {
				c.Representation = &counted{Year: int(number(r["year"])), Source: r["source"]}
			}
			c.Representation.People = append(c.Representation.People, count{r["label"], int(number(r["people"]))})
		}
	}
	if bad != nil {
		return nil, bad
	}
	codes := make([]string, 0, len(all))
	for code := range all {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	var out bytes.Buffer
	for _, code := range codes {
		c, t := all[code], thousands[code]
		if t == nil || len(t[0]) == 0 || len(t[1]) == 0 {
			return nil, fmt.Errorf("%s has no people of one sex", code)
		}
		c.People = rounded(t)
		c.Labour = labourOf(rates[code], t)
		line, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		out.Write(append(line, '\n'))
	}
	return out.Bytes(), nil
}

func sexOf(s string) int {
	if s == "m" {
		return 1
	}
	return 0
}

// rounded counts people in hundreds, in tens where there are fewer than five million.
func rounded(thousands *[2][]float64) people {
	total := 0.0
	for _, ages := range thousands {
		for _, n := range ages {
			total += n
		}
	}
	p := people{Year: peopleYear, Unit: 100}
	if total < 5000 {
		p.Unit = 10
	}
	for age := range thousands[0] {
		p.Women = append(p.Women, int(math.Round(thousands[0][age]*1000/float64(p.Unit))))
		p.Men = append(p.Men, int(math.Round(thousands[1][age]*1000/float64(p.Unit))))
	}
	return p
}

type rate struct {
	percent float64
	year    int
}

// labourOf works the state of work out of rates of participation and
// unemployment, for each sex and the ages 15-24, 25-54, 55-64 and 65+. The source
// has no participation of 55-64: it is what is left of 15-64 when the two younger
// bands are taken out, weighted by people. nil when a rate is missing, and when what
// is left does not lie between the bands on either side.
func labourOf(rates map[string]rate, thousands *[2][]float64) *labour {
	out := &labour{Year: labourYear, UnemploymentFrom: labourYear}
	for sex, key := range []string{"f ", "m "} {
		need := func(name string) (float64, bool) {
			r, ok := rates[key+name]
			return r.percent, ok && r.year == labourYear
		}
		jobless := func(age string, fallback float64) (float64, bool) {
			r, ok := rates[key+"unemployment "+age]
			if !ok {
				return fallback, fallback >= 0
			}
			out.UnemploymentFrom = min(out.UnemploymentFrom, r.year)
			return r.percent, true
		}
		young, ok1 := need("employment 15-24")
		middle, ok2 := need("participation 25-54")
		whole, ok3 := need("participation 15-64")
		old, ok4 := need("participation 65+")
		u1, ok5 := jobless("15-24", -1)
		u2, ok6 := jobless("25-54", -1)
		u3, ok7 := jobless("55-64", -1)
		u4, _ := jobless("65+", 0)
		if !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6 && ok7) {
			return nil
		}
		n := func(from, to int) (sum float64) {
			for age := from; age <= to; age++ {
				sum += thousands[sex][age]
			}
			return sum
		}
		force := young / (1 - u1/100)
		a, b, c := n(15, 24), n(25, 54), n(55, 64)
		late := (whole*(a+b+c) - force*a - middle*b) / c
		if late < old || late > min(middle+5, 100) {
			return nil // the two sources count different people: better nothing
		}
		var bands [][2]float64
		for _, x := range [][2]float64{{force, u1}, {middle, u2}, {late, u3}, {old, u4}} {
			bands = append(bands, [2]float64{two(x[0] * (1 - x[1]/100)), two(x[0] * x[1] / 100)})
		}
		if sex == 0 {
			out.Women = bands
		} else {
			out.Men = bands
		}
	}
	return out
}

func two(v float64) float64 { return math.Round(v*100) / 100 }
