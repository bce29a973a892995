package allocate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

func must(t *testing.T, in Input) Result {
	t.Helper()
	r, err := Allocate(in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// refused checks that a call is refused with this code and that its text names
// all of these.
func refused(t *testing.T, in Input, code fault.Code, names ...string) *fault.Error {
	t.Helper()
	_, err := Allocate(in)
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	for _, n := range names {
		if !strings.Contains(f.Message, n) {
			t.Errorf("%q does not name %q", f.Message, n)
		}
	}
	return f
}

func segments(pairs ...any) (out []Segment) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, Segment{Label: pairs[i].(string), Pct: float64(pairs[i+1].(int))})
	}
	return out
}

func gender() Axis {
	return Axis{Name: "Gender", Dimension: "gender", Tier: "target", Status: "sourced", Segments: segments("Woman", 60, "Man", 40)}
}

func age() Axis {
	return Axis{Name: "Age", Dimension: "age", Tier: "target", Status: "sourced", Ordered: true,
		Segments: segments("18-24", 10, "25-34", 30, "35-44", 35, "45-64", 25)}
}

// M-121: barred segments are out, the rest is brought to 100, seats go by
// largest remainder; the audit keeps what the source says beside what was aimed at.
func TestBarredSegmentsAreOut(t *testing.T) {
	a := age()
	a.Segments[3].Barred = "the population is 18 to 44"
	r := must(t, Input{Axes: []Axis{a}, Members: 20})
	want := []struct {
		pct   float64
		seats int
	}{{100. * 10 / 75, 3}, {40, 8}, {100. * 35 / 75, 9}, {0, 0}}
	for i, w := range want {
		got := r.Audit.Axes[0].Segments[i]
		near(t, got.Label, got.NormalizedTargetPct, w.pct, 1e-9)
		if got.TargetCount != w.seats || got.AchievedCount != w.seats || *got.SourcePct != a.Segments[i].Pct {
			t.Errorf("%s: %+v", got.Label, got)
		}
	}
	for i := range a.Segments {
		a.Segments[i].Barred = "aged 70 and over only"
	}
	f := refused(t, Input{Axes: []Axis{a}, Members: 20}, fault.AllocationUnsatisfiable, "Age")
	if n := len(f.Data["conflicts"].([]map[string]any)); n != 4 {
		t.Errorf("%d conflicts named", n)
	}
}

// M-121: equal fractions go to the larger share, then to the earlier segment.
func TestTiesOfRemainders(t *testing.T) {
	for _, c := range []struct {
		n    int
		pct  []float64
		want []int
	}{
		{10, []float64{25, 25, 25, 25}, []int{3, 3, 2, 2}},
		{10, []float64{15, 25, 60}, []int{1, 3, 6}},
		{1, []float64{50, 50}, []int{1, 0}},
		{3, []float64{100. / 3, 100. / 3, 100. / 3}, []int{1, 1, 1}},
		{7, []float64{10, 20, 70}, []int{1, 1, 5}},
		{20, []float64{51, 49}, []int{10, 10}},
	} {
		if got := quotas(c.n, fractions(c.pct)); !slices.Equal(got, c.want) {
			t.Errorf("%d by %v: %v, want %v", c.n, c.pct, got, c.want)
		}
	}
}

// M-121, M-123: an override is the final share of the segments it names; the
// others keep their proportion in what is left. Unknown names are refused.
func TestOverrides(t *testing.T) {
	override := func(segs ...OverrideShare) Config {
		return Config{TargetOverrides: []Override{{"Age", segs}}}
	}
	r := must(t, Input{Axes: []Axis{age()}, Members: 100, Config: override(OverrideShare{"18-24", 55})})
	if got := tally(r, 0); !slices.Equal(got, []int{55, 15, 18, 12}) {
		t.Errorf("seats %v", got)
	}
	near(t, "source share", *r.Audit.Axes[0].Segments[0].SourcePct, 10, 0)
	near(t, "target share", r.Audit.Axes[0].Segments[0].NormalizedTargetPct, 55, 1e-9)
	// All named, 200 together: brought to 100.
	r = must(t, Input{Axes: []Axis{gender()}, Members: 10, Config: Config{TargetOverrides: []Override{
		{"Gender", []OverrideShare{{"Woman", 100}, {"Man", 100}}}}}})
	if got := tally(r, 0); !slices.Equal(got, []int{5, 5}) {
		t.Errorf("seats %v", got)
	}
	// A segment set to 0 is out; one set to 100 leaves the others nothing.
	r = must(t, Input{Axes: []Axis{age()}, Members: 10, Config: override(OverrideShare{"18-24", 0}, OverrideShare{"25-34", 100})})
	if got := tally(r, 0); !slices.Equal(got, []int{0, 10, 0, 0}) {
		t.Errorf("seats %v", got)
	}
	in := Input{Axes: []Axis{age()}, Members: 10}
	in.Config = override(OverrideShare{"65+", 10})
	refused(t, in, fault.AllocationUnsatisfiable, "65+", "45-64")
	in.Config = Config{TargetOverrides: []Override{{Distribution: "Region"}}}
	refused(t, in, fault.AllocationUnsatisfiable, "Region", "Age")
	in.Config = Config{DistributionNames: []string{"age"}}
	refused(t, in, fault.AllocationUnsatisfiable, "age", "Age")
	in.Axes[0].Segments[0].Barred = "25 and over"
	in.Config = override(OverrideShare{"18-24", 20})
	refused(t, in, fault.AllocationUnsatisfiable, "18-24", "25 and over")
}

// M-123: axes by exact name; a cap keeps the first by tier, then by order.
func TestChoiceOfAxes(t *testing.T) {
	axes := []Axis{axisOf("a", 50, 50), axisOf("b", 50, 50), axisOf("c", 50, 50), axisOf("d", 50, 50), {Name: "unknown"}}
	for i, tier := range []string{"global", "target", "general", "target"} {
		axes[i].Tier = tier
	}
	for _, c := range []struct {
		config Config
		want   []string
	}{
		{Config{}, []string{"a", "b", "c", "d"}},
		{Config{MaxDistributions: 2}, []string{"b", "d"}},
		{Config{MaxDistributions: 3}, []string{"b", "c", "d"}},
		{Config{DistributionNames: []string{"c", "a"}}, []string{"a", "c"}},
		{Config{DistributionNames: []string{"c", "a"}, MaxDistributions: 1}, []string{"c"}},
	} {
		r := must(t, Input{Axes: axes, Members: 8, Config: c.config})
		if got := names(r.Axes); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.config, got, c.want)
		}
	}
}

// M-122: floors are taken from the largest; one that does not fit is relaxed.
func TestFloors(t *testing.T) {
	rare := axisOf("a", 90, 6, 2, 2)
	r := must(t, Input{Axes: []Axis{rare}, Members: 20, Config: Config{MinSegmentCount: 3}})
	if got := tally(r, 0); !slices.Equal(got, []int{11, 3, 3, 3}) || r.Audit.MinSegmentRelaxed {
		t.Errorf("seats %v, relaxed %v", got, r.Audit.MinSegmentRelaxed)
	}
	r = must(t, Input{Axes: []Axis{rare}, Members: 10, Config: Config{MinSegmentCount: 3}})
	if got := tally(r, 0); !slices.Equal(got, []int{4, 2, 2, 2}) || !r.Audit.MinSegmentRelaxed {
		t.Errorf("seats %v, relaxed %v", got, r.Audit.MinSegmentRelaxed)
	}
}

// M-127: a disproportionate cohort carries weights that bring every share back,
// and says how many people it is worth; a proportional one carries none.
func TestWeightsOfCoverage(t *testing.T) {
	rare := axisOf("a", 90, 6, 2, 2)
	r := must(t, Input{Axes: []Axis{rare}, Members: 20, Mode: SegmentCoverage})
	if got := tally(r, 0); !slices.Equal(got, []int{14, 2, 2, 2}) {
		t.Fatalf("seats %v", got)
	}
	for m, row := range r.Cells {
		want := rare.Segments[row[0]].Pct / 100 / (float64(tally(r, 0)[row[0]]) / 20)
		near(t, "weight", r.Weights[m], want, 1e-9)
		near(t, "audit weight", r.Audit.Axes[0].Segments[row[0]].Weight, want, 1e-9)
	}
	// (14*1.285714 + 2*.6 + 4*.2)^2 / (14*1.285714^2 + 2*.36 + 4*.04)
	near(t, "effective n", r.EffectiveN, 400/(14*(.9*20/14)*(.9*20/14)+2*.36+4*.04), 1e-9)
	r = must(t, Input{Axes: []Axis{axisOf("a", 51, 49)}, Members: 20, Mode: Balanced})
	near(t, "weight", r.Audit.Axes[0].Segments[0].Weight, 1.02, 1e-12)
	if r.EffectiveN != 20 || slices.Max(r.Weights) != 1 {
		t.Errorf("a proportional cohort: effective %v, weights to %v", r.EffectiveN, slices.Max(r.Weights))
	}
	// Several axes: weighted shares are the target shares on each.
	r = must(t, Input{Axes: []Axis{rare, axisOf("b", 97, 3), age()}, Members: 40, Mode: SegmentCoverage})
	for x, a := range r.Audit.Axes {
		for s, seg := range a.Segments {
			got := 0.0
			for m, row := range r.Cells {
				if int(row[x]) == s {
					got += r.Weights[m]
				}
			}
			near(t, seg.Label, got/sum(r.Weights)*100, seg.NormalizedTargetPct, 1e-6)
		}
	}
}

// Weights beyond five times their mean are cut, and the audit says what that costs.
func TestWeightsAreTrimmed(t *testing.T) {
	// One of ten stands for 60 %: 6 times the mean.
	col := make([]int16, 10)
	col[0] = 1
	w, trim := weigh(10, [][]int16{col}, [][]float64{{.4, .6}})
	if trim == nil || trim.Trimmed != 1 || trim.MaxMarginShift < 1 {
		t.Fatalf("trim %+v", trim)
	}
	near(t, "mean", sum(w)/10, 1, 1e-9)
}

// M-127, balanced: half a member is enough to be represented.
func TestBalancedRepresentsHalfAMember(t *testing.T) {
	a := axisOf("a", 44, 44, 4, 4, 4)
	r := must(t, Input{Axes: []Axis{a}, Members: 14, Mode: Balanced})
	if got := tally(r, 0); !slices.Equal(got, []int{6, 5, 1, 1, 1}) {
		t.Errorf("seats %v", got)
	}
	if r.EffectiveN == 14 {
		t.Error("a segment lost more than a seat, but no weights are carried")
	}
}

// M-124, aligned: ordered axes stand low with low, exactly; unordered ones stay
// independent.
func TestAligned(t *testing.T) {
	income := Axis{Name: "Income", Segments: segments("High", 20, "Middle", 50, "Low", 30)} // falling: turned round
	r := must(t, Input{Axes: []Axis{income, age(), gender()}, Members: 40, Config: Config{JointStrategy: Aligned}})
	want := [][]int{{0, 0, 0, 8}, {0, 4, 14, 2}, {4, 8, 0, 0}}
	if got := joint(r, 0, 1); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("joint %v, want %v", got, want)
	}
	if r.Audit.JointAssumption != "stated" || r.Audit.JointStrategy != Aligned {
		t.Errorf("assumption %s, strategy %s", r.Audit.JointAssumption, r.Audit.JointStrategy)
	}
	for s, row := range joint(r, 2, 1) {
		for u, n := range row {
			want := float64([]int{24, 16}[s]*[]int{4, 12, 14, 10}[u]) / 40
			near(t, "gender x age", float64(n), want, 1)
		}
	}
	r = must(t, Input{Axes: []Axis{gender(), axisOf("b", 50, 50)}, Members: 40, Config: Config{JointStrategy: Aligned}})
	if r.Audit.JointAssumption != Independent && r.Audit.JointAssumption != "stated" {
		t.Errorf("assumption %s", r.Audit.JointAssumption)
	}
}

// M-124, observed: reviewed pair tables are kept, impossible cells stay empty,
// and it is the default when they are there.
func TestObserved(t *testing.T) {
	pair := Pair{A: "Age", B: "Gender", Cells: []PairCell{
		{"18-24", "Woman", .10}, {"18-24", "Man", 0},
		{"25-34", "Woman", .10}, {"25-34", "Man", .20},
		{"35-44", "Woman", .30}, {"35-44", "Man", .05},
		{"45-64", "Woman", .10}, {"45-64", "Man", .15}}}
	axes := []Axis{gender(), age(), axisOf("c", 30, 30, 40), axisOf("d", 50, 50)}
	want := [][]int{{10, 10, 30, 10}, {0, 20, 5, 15}}
	for _, unit := range []float64{1, 100} { // fractions and percent
		p := Pair{A: pair.A, B: pair.B}
		for _, c := range pair.Cells {
			p.Cells = append(p.Cells, PairCell{c.A, c.B, c.Share * unit})
		}
		r := must(t, Input{Axes: axes, Members: 100, Pairs: []Pair{p}})
		if got := joint(r, 0, 1); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("joint %v, want %v", got, want)
		}
		if r.Audit.JointStrategy != Observed || r.Audit.JointAssumption != Observed {
			t.Errorf("strategy %s, assumption %s", r.Audit.JointStrategy, r.Audit.JointAssumption)
		}
	}
	r := must(t, Input{Axes: axes, Members: 100, Pairs: []Pair{pair}, Config: Config{JointStrategy: Independent}})
	if r.Audit.JointAssumption != Independent || joint(r, 0, 1)[1][0] == 0 {
		t.Error("independence was asked for")
	}
}

// Cells that a table leaves out for being small keep what is missing to the
// whole; with nothing missing they are impossible.
func TestUnlistedCells(t *testing.T) {
	axes := []Axis{axisOf("a", 50, 50), axisOf("b", 50, 50)}
	listed := func(x, y float64) []Pair {
		return []Pair{{A: "a", B: "b", Cells: []PairCell{{"a-0", "b-0", x}, {"a-1", "b-1", y}}}}
	}
	r := must(t, Input{Axes: axes, Members: 100, Pairs: listed(.45, .45)})
	if got := joint(r, 0, 1); got[0][1] != 5 || got[1][0] != 5 {
		t.Errorf("small cells: %v", got)
	}
	r = must(t, Input{Axes: axes, Members: 100, Pairs: listed(.5, .5)})
	if got := joint(r, 0, 1); got[0][1] != 0 || got[1][0] != 0 {
		t.Errorf("impossible cells: %v", got)
	}
}

// An observed table whose zeros the quotas contradict is said to, and the
// margins still hold.
func TestObservedZerosOutOfReach(t *testing.T) {
	axes := []Axis{axisOf("a", 80, 20), axisOf("b", 50, 50)}
	p := Pair{A: "a", B: "b", Cells: []PairCell{{"a-0", "b-0", .5}, {"a-1", "b-1", .5}}}
	r := must(t, Input{Axes: axes, Members: 20, Pairs: []Pair{p}})
	if got := r.Audit.JointConsistency.Raking; len(got) != 1 || !strings.Contains(got[0], "a x b") {
		t.Errorf("raking notes %q", got)
	}
	if got := tally(r, 0); !slices.Equal(got, []int{16, 4}) {
		t.Errorf("seats %v", got)
	}
}

// M-125: relations are hard; trades repair them while every margin stays.
func TestRelations(t *testing.T) {
	work := Axis{Name: "Work", Segments: segments("Student", 10, "Employed", 70, "Retired", 20)}
	relations := []Relation{
		{Type: Subset, Axis: "Work", Segment: "Student", Target: "Age", TargetSegments: []string{"18-24", "25-34"}, Stated: true},
		{Type: Excludes, Axis: "Work", Segment: "Retired", Target: "Age", TargetSegments: []string{"18-24", "25-34", "35-44"}, Stated: true},
		{Type: Subset, Axis: "c", Segment: "c-0", Target: "Gender", TargetSegments: []string{"Woman"}},
	}
	for _, strategy := range []string{Independent, Aligned, Observed} {
		r := must(t, Input{Axes: []Axis{age(), gender(), work, axisOf("c", 30, 70), axisOf("d", 20, 30, 50)}, Members: 60,
			Relations: relations, Config: Config{JointStrategy: strategy}})
		for _, a := range r.Audit.SegmentRelations {
			if a.Status != "satisfied" || a.Violations != 0 {
				t.Errorf("%s: %+v", strategy, a)
			}
		}
		by := joint(r, 2, 0)
		if by[0][2]+by[0][3]+by[2][0]+by[2][1]+by[2][2] > 0 {
			t.Errorf("%s: work by age %v", strategy, by)
		}
	}
}

// M-125: what cannot hold is refused when the caller stated it, naming what
// conflicts; a relation that was found in data is reported unsatisfied.
func TestImpossibleRelations(t *testing.T) {
	in := Input{Axes: []Axis{age(), gender()}, Members: 40, Relations: []Relation{
		{Type: Subset, Axis: "Gender", Segment: "Woman", Target: "Age", TargetSegments: []string{"18-24"}, Stated: true}}}
	f := refused(t, in, fault.AllocationUnsatisfiable, "Woman", "18-24", "24", "4")
	if f.Data["conflicts"] == nil || f.Code.Status() != 422 {
		t.Errorf("data %v, status %d", f.Data, f.Code.Status())
	}
	in.Relations[0].Stated = false
	r := must(t, in)
	a := r.Audit.SegmentRelations[0]
	if a.Status != "unsatisfied" || a.Violations != 20 || a.Reason == "" {
		t.Errorf("%+v", a)
	}
	// Two stated relations that hold alone but not together.
	in.Relations = []Relation{
		{Type: Subset, Axis: "Gender", Segment: "Woman", Target: "Age", TargetSegments: []string{"25-34", "35-44"}, Stated: true},
		{Type: Subset, Axis: "Gender", Segment: "Man", Target: "Age", TargetSegments: []string{"25-34", "35-44"}, Stated: true}}
	refused(t, in, fault.AllocationUnsatisfiable)
	// Unknown names.
	in.Relations = []Relation{{Type: Subset, Axis: "Sex", Segment: "Woman", Target: "Age", Stated: true}}
	refused(t, in, fault.AllocationUnsatisfiable, "Sex")
	in.Relations[0].Stated = false
	if a := must(t, in).Audit.SegmentRelations[0]; a.Status != "not_applied" || a.Reason == "" {
		t.Errorf("%+v", a)
	}
	in.Relations = []Relation{{Type: Subset, Axis: "Gender", Segment: "Female", Target: "Age", TargetSegments: []string{"18-24"}, Stated: true}}
	refused(t, in, fault.AllocationUnsatisfiable, "Female", "Woman")
}

// M-125: a functional dependency holds in every member, its mapping given or
// read off the pair table.
func TestDependencies(t *testing.T) {
	city := Axis{Name: "City", Segments: segments("Berlin", 30, "Hamburg", 20, "Vienna", 50)}
	country := Axis{Name: "Country", Segments: segments("DE", 50, "AT", 50)}
	axes := []Axis{gender(), country, city, axisOf("c", 40, 60)}
	values := map[string]string{"Berlin": "DE", "Hamburg": "DE", "Vienna": "AT"}
	pair := Pair{A: "City", B: "Country", Cells: []PairCell{{"Berlin", "DE", .3}, {"Hamburg", "DE", .2}, {"Vienna", "AT", .5}}}
	for name, in := range map[string]Input{
		"given": {Axes: axes, Members: 50, Dependencies: []Dependency{{From: "City", To: "Country", Values: values, Stated: true}}},
		"read":  {Axes: axes, Members: 50, Dependencies: []Dependency{{From: "City", To: "Country"}}, Pairs: []Pair{pair}, Config: Config{JointStrategy: Independent}},
	} {
		r := must(t, in)
		if a := r.Audit.SegmentRelations[0]; a.Status != "satisfied" || a.Type != "functionalDependency" {
			t.Errorf("%s: %+v", name, a)
		}
		for _, row := range r.Cells {
			if values[city.Segments[row[2]].Label] != country.Segments[row[1]].Label {
				t.Errorf("%s: %v", name, row)
			}
		}
	}
	country.Segments[0].Pct = 70
	country.Segments[1].Pct = 30
	refused(t, Input{Axes: []Axis{country, city}, Members: 50, Dependencies: []Dependency{{From: "City", To: "Country", Values: values, Stated: true}}},
		fault.AllocationUnsatisfiable, "City", "Country")
}

// M-126: real persons get no profile; coverage says who was left out and why.
func TestRealPersons(t *testing.T) {
	in := Input{Axes: []Axis{gender()}, Members: 12, RealPersons: []int{0, 5}}
	r := must(t, in)
	if got := tally(r, 0); !slices.Equal(got, []int{6, 4}) || r.Audit.MemberCount != 10 {
		t.Errorf("seats %v of %d", got, r.Audit.MemberCount)
	}
	if r.Coverage != (Coverage{MemberCount: 12, AllocatedMemberCount: 10, ExcludedRealPersonCount: 2}) {
		t.Errorf("coverage %+v", r.Coverage)
	}
	profiles := Profiles(r)
	if len(profiles) != 10 || profiles[0].MemberIndex != 1 {
		t.Errorf("%d profiles, first of member %d", len(profiles), profiles[0].MemberIndex)
	}
	in.RealPersons = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	if r := must(t, in); *r.Coverage.SkipReason != "real_persons" || len(Profiles(r)) != 0 {
		t.Errorf("coverage %+v", r.Coverage)
	}
	off := false
	if r := must(t, Input{Axes: []Axis{gender()}, Members: 3, Config: Config{Enabled: &off}}); *r.Coverage.SkipReason != "disabled" || len(r.Cells) != 3 {
		t.Errorf("coverage %+v", r.Coverage)
	}
	if r := must(t, Input{Members: 3}); *r.Coverage.SkipReason != "no_axes" {
		t.Errorf("coverage %+v", r.Coverage)
	}
}

// Every block of 32 home slots is a small balanced cohort, a short last one too.
func TestBlocksAreBalanced(t *testing.T) {
	in := Input{Axes: population(6), Members: 300}
	r := must(t, in)
	for from := 0; from < in.Members; from += block {
		to := min(from+block, in.Members)
		for x, a := range r.Audit.Axes {
			got := make([]int, len(a.Segments))
			for _, row := range r.Cells[from:to] {
				got[row[x]]++
			}
			for s, seg := range a.Segments {
				want := float64(seg.TargetCount*(to-from)) / float64(in.Members)
				if d := math.Abs(float64(got[s]) - want); d > 1.5 {
					t.Errorf("block at %d, %s: %d for %.2f", from, seg.Label, got[s], want)
				}
			}
		}
	}
}

// M-120: same input and seed, same bytes, on any machine; another seed, other
// members. The digest changes only when the method does.
func TestBytesAreFixed(t *testing.T) {
	in := Input{Axes: population(8), Members: 200, Config: Config{Seed: "seed"}, Mode: SegmentCoverage}
	digest := func() string {
		raw, err := json.Marshal(must(t, in).Cells)
		if err != nil {
			t.Fatal(err)
		}
		h := sha256.Sum256(raw)
		return hex.EncodeToString(h[:8])
	}
	first := digest()
	if again := digest(); again != first {
		t.Errorf("%s, then %s", first, again)
	}
	if want := "52164ba78a428d26"; first != want {
		t.Errorf("digest %s, want %s", first, want)
	}
	in.Config.Seed = "other"
	if digest() == first {
		t.Error("another seed gave the same members")
	}
}

// The audit and the profiles have the contract's shapes.
func TestContractShape(t *testing.T) {
	raw, err := os.Open("../catalog/contract/minds/schemas.json")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	doc, err := jsonschema.UnmarshalJSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("mem:schemas.json", doc); err != nil {
		t.Fatal(err)
	}
	id := "mem:schemas.json"
	if named, ok := doc.(map[string]any)["$id"].(string); ok {
		id = named
		if err := c.AddResource(id, doc); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := c.Compile(id + "#/$defs/CohortAllocation")
	if err != nil {
		t.Fatal(err)
	}
	off := false
	for name, in := range map[string]Input{
		"full": {Axes: []Axis{gender(), age(), axisOf("c", 97, 3)}, Members: 40, Mode: SegmentCoverage, RealPersons: []int{3},
			Relations: []Relation{{Type: Subset, Axis: "c", Segment: "c-1", Target: "Gender", TargetSegments: []string{"Man"}}},
			Discovery: map[string]any{"pairsTested": 3}},
		"off": {Axes: []Axis{gender()}, Members: 4, Config: Config{Enabled: &off}},
	} {
		r := must(t, in)
		text, err := json.Marshal(map[string]any{"config": in.Config, "audit": r.Audit, "profiles": Profiles(r)})
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Input that no caller should send is refused in words, not answered.
func TestBadInput(t *testing.T) {
	for name, in := range map[string]Input{
		"no members":     {Axes: []Axis{gender()}},
		"too many":       {Axes: []Axis{gender()}, Members: 7000},
		"axis twice":     {Axes: []Axis{gender(), gender()}, Members: 5},
		"label twice":    {Axes: []Axis{{Name: "a", Segments: segments("x", 1, "x", 2)}}, Members: 5},
		"not a number":   {Axes: []Axis{{Name: "a", Segments: []Segment{{Label: "x", Pct: math.NaN()}}}}, Members: 5},
		"infinite":       {Axes: []Axis{{Name: "a", Segments: []Segment{{Label: "x", Pct: math.Inf(1)}}}}, Members: 5},
		"negative":       {Axes: []Axis{{Name: "a", Segments: []Segment{{Label: "x", Pct: -1}}}}, Members: 5},
		"floor":          {Axes: []Axis{gender()}, Members: 5, Config: Config{MinSegmentCount: 21}},
		"strategy":       {Axes: []Axis{gender()}, Members: 5, Config: Config{JointStrategy: "joint"}},
		"override twice": {Axes: []Axis{gender()}, Members: 5, Config: Config{TargetOverrides: []Override{{Distribution: "Gender"}, {Distribution: "Gender"}}}},
		"relation type":  {Axes: []Axis{gender(), age()}, Members: 5, Relations: []Relation{{Type: "implies", Axis: "Age", Target: "Gender", Stated: true}}},
	} {
		t.Run(name, func(t *testing.T) { refused(t, in, fault.Validation) })
	}
}

// The largest input that the limits allow still ends, with bounded memory.
func TestWideInput(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds")
	}
	axes := make([]Axis, 200)
	for x := range axes {
		pct := make([]float64, 40)
		for i := range pct {
			pct[i] = float64(1 + (i*7+x)%11)
		}
		axes[x] = axisOf("axis"+strings.Repeat("x", x), pct...)
	}
	r := must(t, Input{Axes: axes, Members: 100})
	if r.Audit.JointConsistency.UntrackedPairs == 0 {
		t.Error("the joint cells should be over the bound")
	}
	for _, a := range r.Audit.Axes {
		if a.MaxDeviation != 0 {
			t.Errorf("%s is off", a.Distribution)
		}
	}
}
