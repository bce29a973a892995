package segment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// anySheet draws a sheet of the kinds of columns that people have.
func anySheet(t *rapid.T) *sheet {
	n := rapid.IntRange(2, 80).Draw(t, "rows")
	width := rapid.IntRange(1, 12).Draw(t, "columns")
	pools := map[string][]string{
		"age": {"18-29", "30-44", "45-60", "> 60", "", "NA"}, "gender": {"Male", "Female", "", "Prefer not to say"},
		"likert": {"Strongly agree", "Agree", "Disagree", "No answer", ""}, "number": nil, "id": nil, "weight": nil, "tick": {"Not selected", "Option", ""},
		"text": {"", "I like it because it is cheap and near", "no idea", "x"}, "dirty": {"<br>a ", "a", " A", "\ufffd", "b\x00", "1,234", "-99"},
	}
	names := []string{"age", "gender", "likert", "number", "id", "weight", "tick", "text", "dirty"}
	s := &sheet{header: [][]string{nil}}
	kinds := make([]string, width)
	for i := range width {
		kinds[i] = rapid.SampledFrom(names).Draw(t, "kind")
		name := kinds[i]
		if rapid.Bool().Draw(t, "numbered") {
			name = fmt.Sprintf("%s_%d", name, i)
		}
		if rapid.IntRange(0, 9).Draw(t, "unnamed") == 0 {
			name = ""
		}
		s.header[0] = append(s.header[0], name)
	}
	for r := range n {
		row := make([]string, width)
		for i, k := range kinds {
			switch k {
			case "number":
				row[i] = fmt.Sprint(rapid.IntRange(-2, 200).Draw(t, "n"))
			case "id":
				row[i] = fmt.Sprint(100000 + r)
			case "weight":
				row[i] = fmt.Sprintf("%.2f", rapid.Float64Range(.3, 2).Draw(t, "w"))
			default:
				row[i] = rapid.SampledFrom(pools[k]).Draw(t, "v")
			}
		}
		if rapid.IntRange(0, 20).Draw(t, "short") == 0 {
			row = row[:rapid.IntRange(0, width).Draw(t, "len")]
		}
		s.rows = append(s.rows, row)
	}
	return s
}

// M-131, M-132: whatever the sheet, either a refusal or a preview that adds up.
func TestPreviewAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySheet(t)
		p, err := Analyze(context.Background(), s, Options{FileName: "a.csv"})
		if err != nil {
			var f *fault.Error
			if !errors.As(err, &f) || f.Code != fault.Validation && f.Code != fault.NotRespondentData {
				t.Fatal(err)
			}
			return
		}
		if err := p.Check(nil); err != nil {
			t.Fatal(err)
		}
		if p.RespondentCount+p.ExcludedRowCount != p.RowCount {
			t.Fatal("rows")
		}
		if n := p.RecommendedMindCount; n < 1 || n > 300 || n >= p.RespondentCount {
			t.Fatalf("recommended %d of %d", n, p.RespondentCount)
		}
		for _, v := range p.Variables {
			sum, share := v.OtherRespondentCount, 0.0
			for _, d := range v.Distribution {
				sum += d.RespondentCount
				share += d.SharePct
			}
			missing := 0
			for _, m := range v.Missing {
				missing += m
			}
			if sum != v.ValidRespondentCount || v.ValidRespondentCount+missing != p.RespondentCount {
				t.Fatalf("%s: %d valid, %d in values, %d missing of %d", v.Key, v.ValidRespondentCount, sum, missing, p.RespondentCount)
			}
			if v.OtherRespondentCount == 0 && len(v.Distribution) > 0 && p.Weights == nil && math.Abs(share-100) > .01 {
				t.Fatalf("%s: shares make %v", v.Key, share)
			}
			if (v.Role == Identifier || v.Role == Other) && len(v.Distribution) > 0 {
				t.Fatalf("%s shows values of %s", v.Key, v.Kind)
			}
		}
		for _, c := range p.Combinations {
			if c.RespondentCount < minCell {
				t.Fatalf("a profile of %d respondents is shown", c.RespondentCount)
			}
		}
		for _, pt := range p.DependencyDiscovery.PairTables {
			for _, cell := range pt.Cells {
				if cell[0] < 0 || cell[1] < 0 {
					t.Fatalf("%v points nowhere", pt)
				}
			}
		}
		for _, e := range p.Evidence {
			for _, b := range e.Breakdowns {
				if *b.N < minGroup {
					t.Fatalf("a group of %d in evidence", *b.N)
				}
			}
		}
		// The same rows give the same bytes, and the chosen keys can be passed back.
		again, err := Analyze(context.Background(), s.fresh(), Options{FileName: "a.csv"})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := text(p), text(again); a != b {
			t.Fatalf("two reviews of one sheet differ:\n%s\n%s", a, b)
		}
		if len(p.SegmentationColumns) > 0 {
			named, err := Analyze(context.Background(), s.fresh(), Options{FileName: "a.csv", Columns: p.SegmentationColumns})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(named.SegmentationColumns, p.SegmentationColumns) || named.RespondentCount != p.RespondentCount {
				t.Fatalf("passed back %v, got %v", p.SegmentationColumns, named.SegmentationColumns)
			}
		}
	})
}

func (s *sheet) fresh() *sheet { return &sheet{header: s.header, rows: s.rows} }

func text(p *Preview) string {
	b, err := json.Marshal(p)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// M-132: the order of rows changes no count.
func TestRowOrderChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySheet(t)
		a, err := Analyze(context.Background(), s, Options{FileName: "a.csv"})
		if err != nil {
			return
		}
		turned := s.fresh()
		turned.rows = slices.Clone(s.rows)
		slices.Reverse(turned.rows)
		b, err := Analyze(context.Background(), turned, Options{FileName: "a.csv"})
		if err != nil {
			t.Fatal(err)
		}
		if a.RespondentCount != b.RespondentCount || !slices.Equal(a.SegmentationColumns, b.SegmentationColumns) {
			t.Fatalf("%d %v, turned %d %v", a.RespondentCount, a.SegmentationColumns, b.RespondentCount, b.SegmentationColumns)
		}
	})
}

// people gives a sheet of n respondents.
func people(n int, header []string, row func(i int) []string) *sheet {
	s := &sheet{header: [][]string{header}}
	for i := range n {
		s.rows = append(s.rows, row(i))
	}
	return s
}

func refusal(t *testing.T, err error, code fault.Code, words ...string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	for _, w := range words {
		if !strings.Contains(f.Message, w) {
			t.Errorf("message %q does not say %q", f.Message, w)
		}
	}
}

// M-133: screeners and programming grids hold questions, not respondents.
func TestGridsAreRefused(t *testing.T) {
	grids := map[string]*sheet{
		"programming grid": {header: [][]string{{"Code", "Question text", "Type", "Answer options", "Route"}}, rows: [][]string{
			{"S1", "How old are you?", "Single code", "1. Under 18; 2. 18-24; 3. 25-34; 4. 35+", "If 1 terminate"},
			{"S2", "Are you male or female?", "Single code", "1. Male; 2. Female; 3. Other", "Continue"},
			{"Q1", "Which of these brands do you know?", "Multi code", "A; B; C; D; None of these", "Ask all"},
			{"Q2", "How likely are you to buy brand A in the next month?", "Scale", "1 = not at all, 5 = very likely", "Ask if Q1 = A"},
		}},
		"screener": {header: [][]string{{"#", "Question", "Answers", "Action"}}, rows: [][]string{
			{"1", "Do you work in market research?", "Yes / No", "Yes: terminate"},
			{"2", "How many coffees do you drink a day?", "None / 1-2 / 3 or more", "None: screen out"},
			{"3", "In which region do you live?", "North / South / East / West", "Quota"},
		}},
		"German grid": {header: [][]string{{"Nr", "Fragetext", "Antwortoptionen", "Filterführung"}}, rows: [][]string{
			{"1", "Wie alt sind Sie in Jahren?", "offen; 18-99; keine Angabe", "alle, wenn unter 18 Screen out"},
			{"2", "Wie oft kaufen Sie online ein?", "täglich; wöchentlich; monatlich; nie", "Einfachnennung, alle"},
			{"3", "Welche Marken kennen Sie?", "A; B; C; D", "Mehrfachnennung"},
		}},
	}
	for name, s := range grids {
		t.Run(name, func(t *testing.T) {
			_, err := Analyze(context.Background(), s, Options{FileName: "grid.xlsx"})
			refusal(t, err, fault.NotRespondentData, "create_audience_from_brief")
		})
	}
	// A sheet of respondents with long answers is none.
	s := people(40, []string{"ID", "Gender", "Age", "Why do you like it?", "Comments", "Type"}, func(i int) []string {
		return []string{fmt.Sprint(1000 + i), []string{"Male", "Female"}[i%2], fmt.Sprint(18 + i), fmt.Sprintf("Because it is %d times better; cheaper; nearer than others, isn't it?", i), "Would you call me back please?", "single"}
	})
	p := review1(t, s, Options{FileName: "a.csv"})
	if v := variable(t, p, "Why do you like it?"); v.Kind != KindOpenText {
		t.Errorf("long answers are %s", v.Kind)
	}
}

// M-130: keys that are not there are named with the closest ones; what cannot
// shape a cohort is refused.
func TestUnknownKeys(t *testing.T) {
	s := people(30, []string{"Respondent ID", "Gender", "Age group", "Region", "Likes"}, func(i int) []string {
		return []string{fmt.Sprint(90001 + i), []string{"Male", "Female"}[i%2], []string{"18-34", "35-54", "55+"}[i%3], []string{"North", "South"}[i%2], []string{"A", "B", "C"}[i%3]}
	})
	_, err := Analyze(context.Background(), s.fresh(), Options{Columns: []string{"age grup", "Region"}})
	refusal(t, err, fault.Validation, "age grup", "“Age group”", "segmentationColumns")
	_, err = Analyze(context.Background(), s.fresh(), Options{Columns: []string{"Respondent ID"}})
	refusal(t, err, fault.Validation, "an identifier", "Respondent ID")
	p := review1(t, s.fresh(), Options{Columns: []string{"likes", "Gender"}})
	if !slices.Equal(p.SegmentationColumns, []string{"Gender", "Likes"}) || !strings.Contains(strings.Join(p.Warnings, " "), "no longer held out") {
		t.Errorf("chosen %v, %v", p.SegmentationColumns, p.Warnings)
	}
	for _, e := range p.Evidence {
		if e.Question == "Likes" {
			t.Error("a chosen variable is still held out")
		}
	}
}

// M-132: completed is what the status says, else who is described at all; fewer
// than two are refused.
func TestCompletedRows(t *testing.T) {
	s := people(40, []string{"Status", "Gender", "Q1"}, func(i int) []string {
		return []string{[]string{"Complete", "Screened out", "Partial", "Complete"}[i%4], []string{"Male", "Female"}[i%2], []string{"Yes", "No"}[i%3%2]}
	})
	if p := review1(t, s, Options{}); p.RespondentCount != 20 || p.ExcludedRowCount != 20 {
		t.Errorf("%d completed", p.RespondentCount)
	}
	finished := people(10, []string{"Finished", "Gender"}, func(i int) []string { return []string{[]string{"True", "False"}[i%2], []string{"Male", "Female"}[i%2]} })
	if p := review1(t, finished, Options{}); p.RespondentCount != 5 {
		t.Errorf("%d finished", p.RespondentCount)
	}
	_, err := Analyze(context.Background(), people(3, []string{"Gender", "Q1"}, func(i int) []string { return []string{[]string{"Male", "", "NA"}[i], "Yes"} }), Options{})
	refusal(t, err, fault.Validation, "1 completed respondents of 3")
	_, err = Analyze(context.Background(), people(1, []string{"Gender"}, func(int) []string { return []string{"Male"} }), Options{})
	refusal(t, err, fault.Validation)
	_, err = Analyze(context.Background(), &sheet{header: [][]string{{"", ""}}}, Options{})
	refusal(t, err, fault.Validation, "header")
}

// M-132: numbers of more than 30 values come as quintiles, categories beyond 30
// as a count of others.
func TestBandsAndTails(t *testing.T) {
	s := people(1000, []string{"Age", "City", "Gender"}, func(i int) []string {
		return []string{fmt.Sprint(18 + i%70), fmt.Sprintf("Town %02d", i%45), []string{"Male", "Female"}[i%2]}
	})
	p := review1(t, s, Options{})
	age := variable(t, p, "Age")
	if len(age.Distribution) != 5 || age.Distribution[0].Value != "18-31" || age.Distribution[4].Value != "74-87" {
		t.Errorf("ages %v", age.Distribution)
	}
	for _, d := range age.Distribution {
		if d.SharePct < 19 || d.SharePct > 21.5 {
			t.Errorf("a fifth is %v", d)
		}
	}
	city := variable(t, p, "City")
	if len(city.Distribution) != 30 || city.OtherRespondentCount == 0 || city.ValidRespondentCount != 1000 {
		t.Errorf("cities %d, others %d", len(city.Distribution), city.OtherRespondentCount)
	}
}

// Quintiles of a long stream hold to a hundredth of its ranks.
func TestSketchQuantiles(t *testing.T) {
	var s sketch
	const n = 200_000
	for i := range n {
		s.add(float64((i * 7919) % n))
	}
	for i, b := range quintiles(s.counted()) {
		if want := float64(n*(i+1)) / 5; math.Abs(b-want) > n/100 {
			t.Errorf("fifth %d at %v, want %v", i+1, b, want)
		}
	}
	var d distinctSketch
	for i := range 50_000 {
		d.add(fmt.Sprint("r", i))
		d.add(fmt.Sprint("r", i))
	}
	if c := d.count(); math.Abs(float64(c)-50_000) > 2500 {
		t.Errorf("%d different cells of 50000", c)
	}
}

// Joint figures of few people are not shown, and what is shown of pairs is their
// share of the whole.
func TestSmallCells(t *testing.T) {
	s := people(100, []string{"Gender", "Region"}, func(i int) []string {
		region := "North"
		if i < 3 {
			region = "South"
		} else if i%2 == 0 {
			region = "West"
		}
		return []string{[]string{"Male", "Female"}[i%2], region}
	})
	p := review1(t, s, Options{})
	for _, pr := range p.Pairs {
		for _, c := range pr.Cells {
			if c.BSegment == "South" {
				t.Errorf("a cell of under 5 is shown: %+v", c)
			}
		}
	}
	for _, c := range p.Combinations {
		if strings.Contains(c.ID, "South") {
			t.Errorf("a profile of under 5 is shown: %+v", c)
		}
	}
	if len(p.Combinations) != 2 || p.Combinations[0].ID != "Gender=Female | Region=North" {
		t.Errorf("profiles %v", p.Combinations)
	}
}

func TestLabels(t *testing.T) {
	for in, want := range map[string]string{
		"A <br>B<br><br>C": "A B C", "fan of the Expanded Universe?Œæ": "fan of the Expanded Universe?", "It?s what you didn?t do": "It's what you didn't do",
		"a\u00a0 b\u200b": "a b", "Ben &amp; Jerry&#39;s": "Ben & Jerry's", "x\x00\x1fy\ufffd": "xy", "Really? sure": "Really? sure", "Über 60": "Über 60", "a < b > c": "a < b > c",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"<br>", "It?s", "é", "\xff\xfe", "?Œæ", "&lt;b&gt;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Clean(s)
		if strings.ContainsAny(once, "\x00\n\r\t") || strings.Contains(once, "  ") {
			t.Errorf("%q stays in %q", once, s)
		}
		band(folded(once))
		parseNumber(once)
	})
}

func TestBandsAreOrdered(t *testing.T) {
	for _, want := range [][]string{
		{"under 18", "18-24", "25-34", "65 and up"}, {"less than $25k", "$25k-$50k", "$50k-$100k", "$100k+"}, {"1-9 employees", "10-49 employees", "250+ employees"},
		{"unter 20", "20 bis 39 jahre", "über 60"}, {"never, but open to it", "never, and not open to it"}, {"strongly agree", "somewhat agree", "neither agree nor disagree", "somewhat disagree", "strongly disagree"},
		{"very satisfied", "satisfied", "neutral", "dissatisfied", "very dissatisfied"}, {"daily", "weekly", "monthly", "never", "don't know"}, {"0", "1", "2", "10"},
		{"moins de 25 ans", "25-34 ans", "plus de 60 ans"}, {"did not complete high school", "high school or g.e.d.", "some college", "associate's degree", "college graduate", "post graduate degree"},
	} {
		mixed := slices.Clone(want)
		slices.Reverse(mixed)
		at, ok := ordered(mixed)
		if !ok {
			t.Errorf("%v has no order", want)
			continue
		}
		var got []string
		for _, i := range at {
			got = append(got, mixed[i])
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	if _, ok := ordered([]string{"apples", "pears", "plums"}); ok {
		t.Error("fruit has an order")
	}
}

// A codebook and a table of shares hold no respondents either.
func TestCodebooksAndTablesOfSharesAreRefused(t *testing.T) {
	variable := &sheet{header: [][]string{{"Variable", "Label", "Values", "Base"}}}
	for i := range 39 {
		variable.rows = append(variable.rows, []string{fmt.Sprintf("q%d", i), fmt.Sprintf("Question %d", i), "1-5", "All"})
	}
	for name, s := range map[string]*sheet{
		"codebook": variable,
		"German routing": {header: [][]string{{"Question No.", "Frage", "Antwort", "Weiter mit"}}, rows: [][]string{
			{"1", "Alter", "Zahl", "2"}, {"2", "Geschlecht", "m/w/d", "3"}, {"3", "Wohnort", "Text", "Ende"},
		}},
		"shares": {header: [][]string{{"Segment", "Share"}}, rows: [][]string{{"18-29", "20"}, {"30-44", "30"}, {"45-64", "30"}, {"65+", "20"}}},
	} {
		_, err := Analyze(context.Background(), s, Options{FileName: name + ".csv"})
		if err == nil {
			t.Errorf("%s was taken for respondents", name)
			continue
		}
		refusal(t, err, fault.NotRespondentData, "create_audience_from_brief")
	}
	// One column that is called after a share makes no table of shares.
	people := people(40, []string{"ID", "Gender", "Share"}, func(i int) []string {
		return []string{fmt.Sprint(1000 + i), []string{"Male", "Female"}[i%2], fmt.Sprint(i % 7)}
	})
	if _, err := Analyze(context.Background(), people, Options{FileName: "people.csv"}); err != nil {
		t.Errorf("respondents: %v", err)
	}
}
