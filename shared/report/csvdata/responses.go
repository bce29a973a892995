package csvdata

import "fmt"

// Item is one question of a study's raw data. Its two columns are named after
// ID and ID + "_evidence".
type Item struct{ ID string }

// Row is one Mind with its answers, one for each item in order.
type Row struct {
	MindID   string
	MindName string
	Audience string
	Answers  []ItemAnswer
}

// ItemAnswer is an answer as a cell (Empty when there is none; several options
// joined by "; ") with what it rests on: an evidence state, cannot_answer,
// not_asked or failed.
type ItemAnswer struct {
	Value    Cell
	Evidence string
}

// Responses lays out raw data: one row a Mind; each item with its evidence
// beside it; and on every row that the data are simulated and by what (M-225).
func Responses(engine, version string, items []Item, rows []Row) (Table, error) {
	t := Table{Header: []string{"mind_id", "mind_name", "audience"}}
	for _, it := range items {
		t.Header = append(t.Header, it.ID, it.ID+"_evidence")
	}
	t.Header = append(t.Header, "simulated", "engine", "engine_version")
	for n, r := range rows {
		if len(r.Answers) != len(items) {
			return Table{}, fmt.Errorf("csvdata: row %d has %d answers for %d items", n, len(r.Answers), len(items))
		}
		row := make([]Cell, 0, len(t.Header))
		row = append(row, Text(r.MindID), Text(r.MindName), Text(r.Audience))
		for _, a := range r.Answers {
			row = append(row, a.Value, Text(a.Evidence))
		}
		t.Rows = append(t.Rows, append(row, Bool(true), Text(engine), Text(version)))
	}
	return t, nil
}
