package simulate

import (
	"encoding/csv"
	"math"
	"os"
	"testing"
)

// respondents reads the steak survey: two header rows, blanks where a question
// was not answered. FiveThirtyEight, CC BY 4.0.
func respondents(t *testing.T) (rows [][]string, column map[string]int) {
	t.Helper()
	f, err := os.Open("testdata/steak-risk-survey.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column = map[string]int{}
	for i, h := range all[0] {
		column[h] = i
	}
	return all[2:], column
}

// sharesOf counts the answers of rows that keep holds; n is their number.
func sharesOf(rows [][]string, at int, options []OptionShare, keep func([]string) bool) (p []float64, n int) {
	p = make([]float64, len(options))
	for _, r := range rows {
		if !keep(r) {
			continue
		}
		for i, o := range options {
			if r[at] == o.Label {
				p[i]++
				n++
			}
		}
	}
	for i := range p {
		p[i] /= math.Max(1, float64(n))
	}
	return p, n
}

// Check 3, cross cells: topline and one-dimensional breakdowns, learnt on two
// thirds of the respondents, predict the cells age x gender of the other third
// at least as well as the topline alone.
func TestCheck3CrossCells(t *testing.T) {
	rows, col := respondents(t)
	var learn, test [][]string
	for i, r := range rows {
		if i%3 == 2 {
			test = append(test, r)
		} else {
			learn = append(learn, r)
		}
	}
	groups := map[string][]string{"Age": {"18-29", "30-44", "45-60", "> 60"}, "Gender": {"Female", "Male"}}
	var combined mean
	var lossTop, lossAll mean
	for _, id := range []string{"doneness", "smoke", "alcohol", "gamble", "speed"} {
		q, e := find(t, "us-steak-risk-2014", id)
		at := col[q.Text]
		fit := Evidence{Question: q.Text, Options: append([]OptionShare(nil), e.Options...)}
		p, _ := sharesOf(learn, at, fit.Options, func([]string) bool { return true })
		for i := range p {
			fit.Options[i].Share = p[i]
		}
		for _, d := range []string{"Age", "Gender"} {
			for _, g := range groups[d] {
				p, n := sharesOf(learn, at, fit.Options, func(r []string) bool { return r[col[d]] == g })
				fit.Breakdowns = append(fit.Breakdowns, Breakdown{Dimension: d, Group: g, N: &n, Shares: p})
			}
		}
		c := compile(&fit)
		for _, age := range groups["Age"] {
			for _, sex := range groups["Gender"] {
				truth, n := sharesOf(test, at, fit.Options, func(r []string) bool { return r[col["Age"]] == age && r[col["Gender"]] == sex })
				if n < minGroup {
					continue
				}
				got, used := c.shares(ParseProfile("Age: " + age + "\nGender: " + sex))
				if len(used) != 2 {
					t.Fatalf("%s %s: groups %v", age, sex, used)
				}
				combined.add(score(fit.Options, got)) // spread away from the topline, for the log
				for i := range truth {
					lossAll.add(-truth[i] * float64(n) * math.Log(math.Max(got[i], 1e-3)))
					lossTop.add(-truth[i] * float64(n) * math.Log(math.Max(fit.Options[i].Share, 1e-3)))
				}
			}
		}
	}
	t.Logf("%d cells: log loss topline %.1f, topline with age and gender %.1f; likeness to the topline %.1f", combined.n, lossTop.sum, lossAll.sum, combined.value())
	if lossAll.sum > lossTop.sum*1.002 {
		t.Error("breakdowns predict held-out people worse than the topline")
	}
}
