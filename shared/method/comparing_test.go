package method

import (
	"encoding/json"
	"slices"
	"testing"
)

const compareAll = `{"segments":{"formationId":"7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"},"itemIds":["brand","rating","mood","features","why"]}`

var compared = []Item{
	{ID: "brand", Response: Response{Type: "categorical", CategoricalOptions: []string{"A", "B", "C"}}},
	{ID: "rating", Response: Response{Type: "scale", ScaleRange: []int{1, 7}}},
	{ID: "mood", Response: five([5]string{"bad", "poor", "fair", "good", "great"})},
	{ID: "features", Response: Response{Type: "multiselect", CategoricalOptions: []string{"X", "Y"}}},
	{ID: "why", Response: Response{Type: "qualitative"}},
}

// twoSegments of 40: the first prefers A, rates high and picks X.
func twoSegments() Answers {
	in := asked(compared, 80, func(m, i int, it Item, _ Variant) Value {
		high := m < 40
		switch it.ID {
		case "brand":
			if high == (m%4 != 0) {
				return Value{Option: "A"}
			}
			return Value{Option: "B"}
		case "rating":
			return Value{Number: map[bool]float64{true: 5, false: 3}[high] + float64(m%3)}
		case "mood":
			return Value{Number: 3 + float64(m%2)}
		case "features":
			if high {
				return Value{Options: []string{"X"}}
			}
			return Value{Options: []string{"Y"}}
		}
		return Value{}
	})
	a, b := Segment{ID: "keen", Label: "Keen"}, Segment{ID: "cool", Label: "Cool"}
	for m := range 80 {
		if m < 40 {
			a.Members = append(a.Members, m)
		} else {
			b.Members = append(b.Members, m)
		}
	}
	in.Segments = []Segment{a, b}
	return in
}

// M-202: each kind of item is compared by its own test, corrected over all.
func TestSegmentsAreCompared(t *testing.T) {
	c := calculate(t, SegmentCompare, compareAll, twoSegments())
	fits(t, shape(t, "Calculation"), "segments", c)
	r := result[SegmentsResult](t, c)
	tests := map[string]string{}
	for _, x := range r.Comparisons {
		tests[x.ItemID] = string(x.Test)
		if x.P != nil && (x.PAdjusted == nil || *x.PAdjusted < *x.P-1e-15) {
			t.Errorf("%s: p %v, adjusted %v", x.ItemID, *x.P, x.PAdjusted)
		}
		if x.Test == "descriptive" && (x.P != nil || x.Statistic != nil) {
			t.Errorf("%+v", x)
		}
	}
	for item, want := range map[string]string{"brand": "chi2", "rating": "welch_t", "mood": "mann_whitney", "features": "chi2", "why": "descriptive"} {
		if got := tests[item]; got != want {
			t.Errorf("%s is compared by %s, want %s", item, got, want)
		}
	}
	if len(r.Comparisons) != 6 { // the multiselect has two options
		t.Errorf("%d comparisons", len(r.Comparisons))
	}
	rating := r.Comparisons[1]
	if *rating.P > 1e-6 || rating.Effect.Name != "hedges_g" || rating.Segments[0].N != 40 || len(rating.Segments[0].Figures["differsFrom"].([]any)) != 1 {
		t.Errorf("%+v", rating)
	}
	if more := r.Comparisons[0].Segments[0].Figures["higherThan"].(map[string]any)["A"]; !slices.Equal(more.([]any), []any{"cool"}) {
		t.Errorf("%v", more)
	}
	if mood := r.Comparisons[2]; *mood.P < .5 {
		t.Errorf("no difference was planted in mood, p is %v", *mood.P)
	}
}

// M-202: segments that share members are refused, thin ones described.
func TestSegmentsThatCannotBeTested(t *testing.T) {
	s := shape(t, "Calculation")
	in := twoSegments()
	in.Segments[1].Members = append(in.Segments[1].Members, 0)
	c := calculate(t, SegmentCompare, compareAll, in)
	fits(t, s, "overlap", c)
	if c.Status != StatusRefused || c.Results != nil || c.Reason == "" {
		t.Errorf("%+v", c)
	}
	in = twoSegments()
	in.Segments = in.Segments[:1]
	if c := calculate(t, SegmentCompare, compareAll, in); c.Status != StatusInsufficientBase {
		t.Errorf("%+v", c)
	}
	in = twoSegments()
	in.Segments[1].Members = in.Segments[1].Members[:9]
	c = calculate(t, SegmentCompare, compareAll, in)
	fits(t, s, "thin", c)
	for _, x := range result[SegmentsResult](t, c).Comparisons {
		if x.Test != "descriptive" || x.P != nil {
			t.Errorf("nine members were tested: %+v", x)
		}
	}
	// One item without evidence is described, the others stay.
	in = twoSegments()
	for m := range in.Values["rating"] {
		in.Values["rating"][m].Evidence = "unsupported"
	}
	r := result[SegmentsResult](t, calculate(t, SegmentCompare, compareAll, in))
	if r.Comparisons[1].Test != "descriptive" || r.Comparisons[0].Test != "chi2" {
		t.Errorf("%s %s", r.Comparisons[1].Test, r.Comparisons[0].Test)
	}
	if _, err := Calculate(SegmentCompare, json.RawMessage(`{"segments":{"formationId":"7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"},"itemIds":["gone"]}`), twoSegments()); err == nil {
		t.Error("an item that is not there")
	}
}
