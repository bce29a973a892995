package allocate

import (
	"slices"
	"testing"
)

// M-144: a new share moves as many members as it must, on that axis alone.
func TestAgainMovesTheFewest(t *testing.T) {
	in := Input{Axes: []Axis{gender(), age(), axisOf("c", 30, 30, 40)}, Members: 60, Config: Config{Seed: "s"}}
	first := must(t, in)
	in.Axes[0].Segments = segments("Woman", 50, "Man", 50)
	r, moves, err := Again(in, labels(first))
	if err != nil {
		t.Fatal(err)
	}
	if len(moves) != 6 { // 36 women become 30
		t.Errorf("%d members moved", len(moves))
	}
	for _, m := range moves {
		if len(m.Changes) != 1 || m.Changes[0] != (Change{"Gender", "gender", "Woman", "Man"}) || m.New {
			t.Errorf("%+v", m)
		}
	}
	moved := make(map[int]bool)
	for _, m := range moves {
		moved[m.Member] = true
	}
	for m := range first.Cells {
		if !moved[m] && !slices.Equal(first.Cells[m], r.Cells[m]) {
			t.Errorf("member %d changed unsaid", m)
		}
	}
	if got := tally(r, 0); !slices.Equal(got, []int{30, 30}) {
		t.Errorf("seats %v", got)
	}
}

// M-144: two axes changed at once share the members who change.
func TestAgainSharesMovers(t *testing.T) {
	in := Input{Axes: []Axis{axisOf("a", 60, 40), axisOf("b", 60, 40)}, Members: 50}
	first := must(t, in)
	in.Axes = []Axis{axisOf("a", 50, 50), axisOf("b", 44, 56)}
	r, moves, err := Again(in, labels(first))
	if err != nil {
		t.Fatal(err)
	}
	if len(moves) != 8 { // 5 leave a-0, 8 leave b-0, the 5 among the 8
		t.Errorf("%d members moved", len(moves))
	}
	if got := tally(r, 1); !slices.Equal(got, []int{22, 28}) {
		t.Errorf("seats %v", got)
	}
}

// M-144: a segment that vanishes moves its members, a new axis all of them, a
// dropped axis none.
func TestAgainWithOtherAxes(t *testing.T) {
	in := Input{Axes: []Axis{gender(), age()}, Members: 20}
	first := must(t, in)
	now := labels(first)

	vanished := Input{Axes: []Axis{gender(), age()}, Members: 20}
	vanished.Axes[1].Segments[3].Barred = "at most 44"
	_, moves, err := Again(vanished, now)
	if err != nil {
		t.Fatal(err)
	}
	if len(moves) != tally(first, 1)[3] {
		t.Errorf("%d moved, %d stood in the barred segment", len(moves), tally(first, 1)[3])
	}

	added := Input{Axes: []Axis{gender(), age(), axisOf("Income", 40, 60)}, Members: 20}
	withIncome := make([][]string, len(now))
	for m := range now {
		withIncome[m] = append(slices.Clone(now[m]), "")
	}
	_, moves, err = Again(added, withIncome)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		if len(m.Changes) != 1 || m.Changes[0].Axis != "Income" || m.Changes[0].From != "" {
			t.Errorf("%+v", m)
		}
	}
	if len(moves) != 20 {
		t.Errorf("%d moved", len(moves))
	}

	onlyAge := make([][]string, len(now))
	for m := range now {
		onlyAge[m] = now[m][1:]
	}
	if _, moves, err = Again(Input{Axes: []Axis{age()}, Members: 20}, onlyAge); err != nil || len(moves) != 0 {
		t.Errorf("%d moved by a dropped axis (%v)", len(moves), err)
	}
}

// Growth: members beyond the standing ones are new, and where the quotas allow
// it nobody else changes.
func TestAgainGrows(t *testing.T) {
	in := Input{Axes: []Axis{gender(), age()}, Members: 20}
	now := labels(must(t, in))
	in.Members = 40
	r, moves, err := Again(in, now)
	if err != nil {
		t.Fatal(err)
	}
	if len(moves) != 20 || !moves[0].New || moves[0].Member != 20 {
		t.Errorf("%d moves, first %+v", len(moves), moves[0])
	}
	if got := tally(r, 0); !slices.Equal(got, []int{24, 16}) {
		t.Errorf("seats %v", got)
	}
	in.Members = 10
	if _, _, err := Again(in, now); err == nil {
		t.Error("a cohort does not shrink")
	}
}

// M-125 under M-144: rules hold in the refitted cohort too, at the least change.
func TestAgainKeepsRules(t *testing.T) {
	work := Axis{Name: "Work", Segments: segments("Student", 10, "Employed", 90)}
	in := Input{Axes: []Axis{age(), work, gender()}, Members: 60, Relations: []Relation{
		{Type: Subset, Axis: "Work", Segment: "Student", Target: "Age", TargetSegments: []string{"18-24"}, Stated: true}}}
	first := must(t, in)
	in.Axes[0].Segments = segments("18-24", 15, "25-34", 25, "35-44", 35, "45-64", 25)
	in.Axes[1].Segments = segments("Student", 15, "Employed", 85)
	r, moves, err := Again(in, labels(first))
	if err != nil {
		t.Fatal(err)
	}
	if a := r.Audit.SegmentRelations[0]; a.Status != "satisfied" {
		t.Errorf("%+v", a)
	}
	if len(moves) != 3 { // the three who become 18-24 become students too
		t.Errorf("%d members moved", len(moves))
	}
}

// An axis that nothing is new about keeps its people, also where somebody has
// left or rounding anew would move them.
func TestAgainKeepsAxes(t *testing.T) {
	in := Input{Axes: []Axis{gender(), age()}, Members: 20}
	now := labels(must(t, in))[3:] // three were deleted
	in.Members = 17
	in.Axes[0].Segments = segments("Woman", 50, "Man", 50)
	in.Keep = []string{"Age"}
	r, moves, err := Again(in, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		if len(m.Changes) != 1 || m.Changes[0].Axis != "Gender" {
			t.Errorf("%+v", m)
		}
	}
	if r.Audit.Axes[1].MaxDeviation != 0 || tally(r, 0)[0]+tally(r, 0)[1] != 17 {
		t.Errorf("%+v", r.Audit.Axes)
	}
}
