package simulate

import (
	"strings"
	"testing"
)

// A row of a table whose columns are named answers, quoted with their names; one
// without says nothing, since which figure is which is not known (M-27).
func TestRowsOfTablesAnswerM27(t *testing.T) {
	report := []Passage{
		{ID: "f", Source: "report.pdf", Where: "page 2", Text: "Passengers by month\nOf 640 passengers asked, 41 percent wanted more crossings.\nMonth | Passengers Share\nMay 7,002 | 41\nJuly 11,870 | 39\nNovember 4,930 | 39"},
		{ID: "f", Source: "report.pdf", Where: "page 3", Text: "What was lent\nThing | Loans Repairs\nCarpet cleaner 418 9\nHedge trimmer 305 21\nPressure washer 288 14"},
		{ID: "f", Source: "report.pdf", Where: "page 4", Text: "| Year | Visitors |\n|---|---|\n| 2021 | 1,440 |\n| 2022 | 1,502 |"},
	}
	for _, k := range []struct{ ask, head, row string }{ // row "" = is not known
		{"How many passengers in July?", "Month | Passengers Share", "July 11,870 | 39"},
		{"How many passengers in November?", "Month | Passengers Share", "November 4,930 | 39"},
		{"How many passengers travelled in May?", "Month | Passengers Share", "May 7,002 | 41"},
		{"What was the share in November?", "Month | Passengers Share", "November 4,930 | 39"},
		{"How many repairs did the hedge trimmer need?", "Thing | Loans Repairs", "Hedge trimmer 305 21"},
		{"How many visitors were there in 2022?", "Year Visitors", "2022 1,502"},
		{"How many passengers in August?", "", ""},
		{"How many passengers complained in July?", "", ""},
		{"How many ferries in July?", "", ""},
		{"How many visitors were there in 2023?", "", ""},
		{"How many repairs did the carpet trimmer need?", "", ""},
		{"Who repaired the hedge trimmer?", "", ""},
	} {
		for name, r := range map[string]Respondent{"index": {ID: "m", Recall: newIndex(t, nil, report)}, "no index": {ID: "m", Passages: report}} {
			rep, err := NewOffline().Reply(t.Context(), r, k.ask, Policy{ResponseForm: "concise"})
			switch {
			case err != nil:
				t.Fatal(err)
			case k.row == "" && rep.State != Unsupported, !strings.Contains(rep.Text, "“"+k.head+"” “"+k.row+"”") && k.row != "":
				t.Errorf("%s (%s): %q", k.ask, name, rep.Text)
			}
		}
	}
	for _, k := range []struct{ head, row string }{
		{"Month", "July 11,870"},
		{"Month of travel Passengers Share", "July 11,870 39"}, // which are the columns?
		{"Passengers rose in July.", "July 11,870 39 40"},
		{"Month Passengers", "July 11,870 39"},
		{"Month Passengers", "July rose"},
	} {
		if n := (&page{}).tableFrom("", k.head, []string{k.row}); n != 0 {
			t.Errorf("%q over %q is taken for a table", k.head, k.row)
		}
	}
}

// The report of the first steps in the README, as it arrives: its tables without
// columns, its subject named by the title alone.
func TestReportOfTheReadmeAnswersM27(t *testing.T) {
	report := []Passage{
		{Where: "page 1", Text: "Lending and repair at the Quarry"},
		{Where: "page 1", Text: "Lane library of things\nThis report tells how a neighbourhood lent its tools in its third year. All names and figures are made up for tests."},
		{Where: "page 1", Text: "Members\nAt the end of the year 1,312 households were members, up from 1,047. Half of them live within ten minutes on foot.\nMost members came through a neighbour; the leaflet in the tram brought fewer than forty."},
		{Where: "page 2", Text: "What was lent\nThe carpet cleaner was lent most often, 418 times, before the hedge trimmer with 305 and the pressure washer with 288.\nAn average loan lasted three and a half days. Nobody borrowed the ice cream maker between November and February.\nThing | Loans Repairs\nCarpet cleaner 418 9\nHedge trimmer 305 21\nPressure washer 288 14"},
		{Where: "page 3", Text: "Repairs\nVolunteers mended 163 things on the first Saturday of each month. The commonest fault was a broken switch.\nA repair cost 4.70 euros in spare parts on average, against 61 euros for a new thing."},
		{Where: "page 4", Text: "Outlook\nNext year the library moves into the old signal box beside platform two, which is dry and has a ramp."},
	}
	for i := range report {
		report[i].ID, report[i].Source = "r", "report.pdf"
	}
	r := Respondent{ID: "m", Recall: newIndex(t, nil, report)}
	for ask, want := range map[string]string{ // "" = is not known
		"How often did people lend the carpet cleaner?":     "418 times",
		"How many times was the carpet cleaner lent?":       "418 times",
		"How many members does the library have?":           "1,312 households",
		"How many households are members?":                  "1,312 households",
		"How much does a repair cost?":                      "4.70 euros",
		"What did a repair cost in spare parts on average?": "4.70 euros",
		"Where does the library of things move next year?":  "signal box",
		"How many repairs for the hedge trimmer?":           "Hedge trimmer 305 21",
		"Who mended things?":                                "Volunteers",
		"How long does a loan last?":                        "three and a half days",
		"What does the library cost?":                       "",
		"How many books does the library have?":             "",
		"How many staff does the library have?":             "",
		"How many members does the club have?":              "",
		"When does the library open?":                       "",
		"Who moves into the signal box?":                    "",
	} {
		rep, err := NewOffline().Reply(t.Context(), r, ask, Policy{})
		if err != nil || !strings.Contains(rep.Text, want) || (want == "") != (rep.State == Unsupported) {
			t.Errorf("%s: %q %v", ask, rep.Text, err)
		}
	}
}
