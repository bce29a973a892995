package segment

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// A form program's export: time stamps, questions as headings, all ticked options
// in one cell, sentences with commas that are no lists.
func TestOptionsInOneCell(t *testing.T) {
	for _, sep := range []string{", ", ";"} {
		s := people(120, []string{"Timestamp", "How old are you?", "What is your gender?", "Which drinks do you like?", "How often?", "Where do you live?", "Any comments?"}, func(i int) []string {
			var likes []string
			for k, d := range []string{"Tea", "Coffee", "Juice, fresh", "Milk"} {
				if sep == ", " && k == 2 {
					d = "Juice"
				}
				if (i/(k+1))%2 == 0 {
					likes = append(likes, d)
				}
			}
			return []string{fmt.Sprintf("2024/05/%02d 10:%02d:00", 1+i%20, i%60), []string{"18-24", "25-34", "35-44", "45+"}[i%4], []string{"Woman", "Man", "Prefer not to say"}[i%3], strings.Join(likes, sep),
				[]string{"Never, but open to it", "Never, and not open to it", "Often"}[i%3], []string{"Berlin, Germany", "Hamburg, Germany", "Bern, Switzerland"}[i%3], fmt.Sprintf("This is what I, person %d, think about it", i)}
		})
		p := review1(t, s, Options{FileName: "form.csv"})
		for key, want := range map[string]Kind{"Timestamp": KindDate, "How old are you?": KindPopulation, "What is your gender?": KindPopulation, "Which drinks do you like?": KindOutcome, "How often?": KindOutcome, "Any comments?": KindOpenText} {
			if v := variable(t, p, key); v.Kind != want {
				t.Errorf("%q: %s is %s, want %s", sep, key, v.Kind, want)
			}
		}
		g := groupOf(t, p, "Which drinks")
		if g.Shape != ShapeMulti || len(g.Items) != 4 || len(g.Keys) != 1 {
			t.Errorf("%q: %+v", sep, g)
		}
		found := false
		for _, e := range p.Evidence {
			if e.Question == "How often?" && e.Multiselect {
				t.Errorf("%q: a sentence with a comma is no list", sep)
			}
			if e.Question != "Which drinks do you like?" {
				continue
			}
			found = true
			tea := -1.0
			for _, o := range e.Options {
				if o.Label == "Tea" {
					tea = o.Share
				}
			}
			if valid := *e.N; !e.Multiselect || math.Abs(tea-60/float64(valid)) > 1e-9 {
				t.Errorf("%q: tea %v of %d", sep, tea, valid)
			}
		}
		if !found {
			t.Errorf("%q: no evidence on drinks", sep)
		}
	}
}

// Sheets of other fields: an employee survey, business buyers, patients coded in
// numbers.
func TestOtherFields(t *testing.T) {
	pick := func(i int, of ...string) string { return of[i%len(of)] }
	staff := review1(t, people(80, []string{"EmployeeID", "Department", "Tenure (years)", "Job level", "Location", "I would recommend my employer", "My manager listens to me", "My manager gives feedback", "eNPS", "What should we change?"}, func(i int) []string {
		likert := func(k int) string {
			return pick(i/k, "Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree")
		}
		return []string{fmt.Sprintf("E%05d", 100+i), pick(i, "Sales", "R&D", "Finance"), fmt.Sprint(i % 40), pick(i, "Junior", "Senior", "Manager"), pick(i/2, "Berlin", "London"), likert(1), likert(2), likert(3), fmt.Sprint(i % 11), fmt.Sprintf("More time for the work number %d please", i)}
	}), Options{FileName: "staff.xlsx"})
	for key, want := range map[string]Role{"EmployeeID": Identifier, "Department": Structural, "Location": Structural, "Job level": Structural, "I would recommend my employer": Driver, "eNPS": Outcome, "What should we change?": Other} {
		if v := variable(t, staff, key); v.Role != want {
			t.Errorf("staff: %s is %s (%s), want %s", key, v.Role, v.Kind, want)
		}
	}
	b2b := review1(t, people(60, []string{"Record ID", "Company size", "Industry", "Annual revenue", "Role", "Country", "Do you use a CRM?", "Which vendor do you use?"}, func(i int) []string {
		return []string{fmt.Sprint(88000 + i), pick(i, "1-9 employees", "10-49 employees", "50-249 employees", "250+ employees"), pick(i, "Retail", "Software", "Logistics"), pick(i, "under $1m", "$1m-$10m", "$10m+"), pick(i, "CEO", "CFO", "Buyer"), pick(i/3, "Germany", "France"), pick(i, "Yes", "No"), pick(i, "A", "B", "C")}
	}), Options{FileName: "b2b.csv"})
	for key, dim := range map[string]string{"Company size": dimCompany, "Industry": dimIndustry, "Annual revenue": dimRevenue, "Country": grounding.AxisGeography} {
		if v := variable(t, b2b, key); v.Dimension != dim || v.Role != Structural {
			t.Errorf("b2b: %s is %s of %q", key, v.Role, v.Dimension)
		}
	}
	if got := fmt.Sprint(values(variable(t, b2b, "Company size"))); got != "[1-9 employees 10-49 employees 50-249 employees 250+ employees]" {
		t.Errorf("sizes %s", got)
	}
	coded := review1(t, people(300, []string{"caseid", "sex", "age", "region", "q1", "q2", "finalwt"}, func(i int) []string {
		age := fmt.Sprint(18 + i%60)
		if i%50 == 0 {
			age = "-99"
		}
		return []string{fmt.Sprint(5000 + i), pick(i, "1", "2"), age, pick(i, "1", "2", "3", "4"), pick(i, "1", "2", "3", "4", "5"), pick(i/2, "0", "1"), fmt.Sprintf("%.3f", .6+float64(i%9)/10)}
	}), Options{FileName: "coded.csv"})
	if v := variable(t, coded, "age"); v.Missing["-99"] != 6 || len(v.Distribution) != 5 || !strings.HasPrefix(v.Distribution[0].Value, "18") {
		t.Errorf("coded: ages %v, missing %v", values(v), v.Missing)
	}
	if coded.Weights == nil || !strings.Contains(strings.Join(coded.Warnings, " "), "only numbers as values") {
		t.Errorf("coded: weights %v, warnings %v", coded.Weights, coded.Warnings)
	}
	if fmt.Sprint(coded.SegmentationColumns) != "[sex age region]" {
		t.Errorf("coded: chosen %v", coded.SegmentationColumns)
	}
}

// M-132: ages in years are bands, also of a file of few ages: nobody stands for one
// year. A household of few sizes is not banded.
func TestAgesInYearsAreBands_M132(t *testing.T) {
	s := &sheet{header: [][]string{{"id", "Age", "People in the household", "Do you like tea?"}}}
	for i := range 210 {
		s.rows = append(s.rows, []string{strconv.Itoa(1000 + i), strconv.Itoa(25 + i%21), strconv.Itoa(1 + i%5), []string{"Yes", "No"}[i%2]})
	}
	pv := review1(t, s, Options{FileName: "x.csv"})
	for _, v := range pv.Variables {
		want := map[string]int{"Age": 5, "People in the household": 5}[v.Label]
		if want > 0 && len(v.Distribution) != want {
			t.Errorf("%s has %d segments: %+v", v.Label, len(v.Distribution), v.Distribution)
		}
		if v.Label == "Age" && !strings.Contains(v.Distribution[0].Value, "-") {
			t.Errorf("%+v", v.Distribution)
		}
	}
}
