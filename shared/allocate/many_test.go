package allocate

import (
	"fmt"
	"testing"
)

// A hundred axes are affordable, and every margin of them is exact (M-121).
func TestManyAxes_M121(t *testing.T) {
	in := Input{Members: 200}
	for a := range 100 {
		axis := Axis{Name: fmt.Sprintf("Axis %d", a)}
		for s := range 10 {
			axis.Segments = append(axis.Segments, Segment{Label: fmt.Sprint(s), Pct: 10})
		}
		in.Axes = append(in.Axes, axis)
	}
	res, err := Allocate(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range res.Audit.Axes {
		for _, s := range a.Segments {
			if s.AchievedCount != 20 {
				t.Fatalf("%s %s: %d", a.Distribution, s.Label, s.AchievedCount)
			}
		}
	}
}
