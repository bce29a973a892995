package allocate

import "testing"

// M-60, M-61: sizes by mode, the limiting cell, the cut to the cap; M-46:
// assumed shares drive none.
func TestSize(t *testing.T) {
	assumed := axisOf("z", 94, 6)
	assumed.Status = "assumed"
	barred := axisOf("b", 50, 44, 6)
	barred.Segments[2].Barred = "out"
	for name, c := range map[string]struct {
		axes    []Axis
		mode    string
		limit   int
		n, hint int
	}{
		"no axes, balanced":            {nil, Balanced, 1000, 6, 3},
		"no axes, coverage":            {nil, SegmentCoverage, 1000, 10, 3},
		"no axes, depth":               {nil, BenchmarkDepth, 1000, 20, 3},
		"25 %, balanced":               {[]Axis{axisOf("a", 75, 25)}, Balanced, 1000, 6, 4},
		"10 %, balanced":               {[]Axis{axisOf("a", 90, 10)}, Balanced, 1000, 10, 10},
		"6 %, balanced is compact":     {[]Axis{axisOf("a", 94, 6)}, Balanced, 1000, 17, 17},
		"5 %, balanced":                {[]Axis{axisOf("a", 95, 5)}, Balanced, 1000, 20, 20},
		"below 5 % does not limit":     {[]Axis{axisOf("a", 60, 36, 4)}, Balanced, 1000, 6, 3},
		"12 %, coverage":               {[]Axis{axisOf("a", 88, 12)}, SegmentCoverage, 1000, 17, 9},
		"5 %, coverage":                {[]Axis{axisOf("a", 95, 5)}, SegmentCoverage, 1000, 40, 20},
		"5 %, depth":                   {[]Axis{axisOf("a", 95, 5)}, BenchmarkDepth, 1000, 100, 20},
		"5 %, depth, plan of 60":       {[]Axis{axisOf("a", 95, 5)}, BenchmarkDepth, 60, 60, 20},
		"plan of 3":                    {[]Axis{axisOf("a", 95, 5)}, Balanced, 3, 3, 20},
		"plan of 0":                    {nil, Balanced, 0, 0, 3},
		"assumed shares do not limit":  {[]Axis{assumed}, Balanced, 1000, 6, 3},
		"barred segments do not limit": {[]Axis{barred}, Balanced, 1000, 6, 3},
		"smallest of several axes":     {[]Axis{axisOf("a", 75, 25), axisOf("b", 92, 8)}, Balanced, 1000, 13, 13},
		"empty mode is balanced":       {nil, "", 1000, 6, 3},
	} {
		if n, hint := Size(c.axes, c.mode, c.limit); n != c.n || hint != c.hint {
			t.Errorf("%s: %d and %d, want %d and %d", name, n, hint, c.n, c.hint)
		}
	}
}
