package allocate

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func drawShares(t *rapid.T, name string, most int) []float64 {
	return rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0.01, 60), rapid.Map(rapid.IntRange(1, 50), func(i int) float64 { return float64(i) })), 1, most).Draw(t, name)
}

func fractions(pct []float64) []float64 {
	out := make([]float64, len(pct))
	for i, p := range pct {
		out[i] = p / sum(pct)
	}
	return out
}

// M-121: quotas sum to N, each is within 1 of its share, and a larger share
// never has fewer seats.
func TestQuotasProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		share := fractions(drawShares(t, "pct", 30))
		n := rapid.IntRange(1, 1000).Draw(t, "n")
		q := quotas(n, share)
		if total(q) != n {
			t.Fatalf("quotas %v sum to %d, not %d", q, total(q), n)
		}
		for i := range q {
			if d := math.Abs(float64(q[i]) - float64(n)*share[i]); d >= 1+1e-8 {
				t.Fatalf("quota %d is %v away from its share", i, d)
			}
			for j := range q {
				if share[i] > share[j]+1e-9 && q[i] < q[j] {
					t.Fatalf("share %v has %d, share %v has %d", share[i], q[i], share[j], q[j])
				}
			}
		}
	})
}

// Growth: a cohort k times as large keeps whole quotas in proportion, and no
// segment of a grown cohort is further than one seat from where it should be.
func TestQuotasGrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.IntRange(1, 20), 1, 12).Draw(t, "counts")
		k := rapid.IntRange(1, 20).Draw(t, "k")
		n := total(counts)
		grown := quotas(k*n, fractions(floats(counts)))
		for i, c := range counts {
			if grown[i] != k*c {
				t.Fatalf("%d times %v is %v", k, counts, grown)
			}
		}
	})
}

// M-122: every segment has its floor, or the relaxed one; the sum stays.
func TestFloorsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		share := fractions(drawShares(t, "pct", 30))
		n, m := rapid.IntRange(1, 300).Draw(t, "n"), rapid.IntRange(0, 20).Draw(t, "m")
		q := quotas(n, share)
		plain := slices.Clone(q)
		relaxed := floorAt(q, share, n, m)
		if relaxed != (len(share)*m > n) {
			t.Fatalf("relaxed %v with %d segments, floor %d, n %d", relaxed, len(share), m, n)
		}
		if relaxed {
			m = n / len(share)
		}
		if total(q) != n {
			t.Fatalf("sum %d, not %d", total(q), n)
		}
		for i := range q {
			if q[i] < m {
				t.Fatalf("segment %d has %d, floor %d", i, q[i], m)
			}
			if plain[i] < m && q[i] != m {
				t.Fatalf("a raised segment has %d, more than the floor %d", q[i], m)
			}
		}
	})
}

// M-127, balanced: a segment that half a member stands behind is there, as long
// as there are places; seats come from rounded-up segments before others.
func TestRepresentProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		share := fractions(drawShares(t, "pct", 30))
		n := rapid.IntRange(1, 300).Draw(t, "n")
		q := quotas(n, share)
		represent(q, share, n)
		if total(q) != n {
			t.Fatalf("sum %d, not %d", total(q), n)
		}
		small := 0
		for i, p := range share {
			if float64(n)*p >= .5 && q[i] == 0 {
				small++
			}
		}
		if small > 0 && slices.Max(q) > 1 {
			t.Fatalf("%d segments are missing although another has %d", small, slices.Max(q))
		}
	})
}

// M-124: two axes are rounded under control: both margins exact, every cell the
// floor or the ceiling of its figure, whatever the table.
func TestControlledRoundingProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 400).Draw(t, "n")
		rows := quotas(n, fractions(drawShares(t, "rows", 12)))
		columns := quotas(n, fractions(drawShares(t, "columns", 12)))
		seed := make([][]float64, len(rows))
		for i := range seed {
			seed[i] = rapid.SliceOfN(rapid.Float64Range(.01, 10), len(columns), len(columns)).Draw(t, "seed")
		}
		r := Rake(seed, floats(rows), floats(columns))
		if !r.Converged {
			t.Skip("slow fit")
		}
		never := func(int, int) bool { return false }
		table := round(r.Table, rows, columns, never, newDice("s", 0).jitter(0))
		got := make([]int, len(columns))
		for i := range rows {
			if total(table[i]) != rows[i] {
				t.Fatalf("row %d has %d, not %d", i, total(table[i]), rows[i])
			}
			for j, v := range table[i] {
				got[j] += v
				if d := math.Abs(float64(v) - r.Table[i][j]); d >= 1+1e-6 {
					t.Fatalf("cell %d,%d is %d for %v", i, j, v, r.Table[i][j])
				}
			}
		}
		if !slices.Equal(got, columns) {
			t.Fatalf("columns %v, want %v", got, columns)
		}
	})
}

// A table with zeros keeps its totals too, even where they cannot be reached.
func TestRoundingKeepsTotalsWithZeros(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 100).Draw(t, "n")
		rows := quotas(n, fractions(drawShares(t, "rows", 6)))
		columns := quotas(n, fractions(drawShares(t, "columns", 6)))
		zero := rapid.SliceOfN(rapid.Bool(), len(rows)*len(columns), len(rows)*len(columns)).Draw(t, "zero")
		barred := func(i, j int) bool { return zero[i*len(columns)+j] }
		seed := make([][]float64, len(rows))
		for i := range seed {
			seed[i] = make([]float64, len(columns))
			for j := range seed[i] {
				if !barred(i, j) {
					seed[i][j] = 1
				}
			}
		}
		table := round(Rake(seed, floats(rows), floats(columns)).Table, rows, columns, barred, newDice("s", 0).jitter(0))
		got := make([]int, len(columns))
		for i := range rows {
			if total(table[i]) != rows[i] {
				t.Fatalf("row %d has %d, not %d", i, total(table[i]), rows[i])
			}
			for j, v := range table[i] {
				got[j] += v
			}
		}
		if !slices.Equal(got, columns) {
			t.Fatalf("columns %v, want %v", got, columns)
		}
	})
}

func drawInput(t *rapid.T, most int) Input {
	k := rapid.IntRange(1, most).Draw(t, "axes")
	in := Input{Members: rapid.IntRange(1, 120).Draw(t, "members"), Config: Config{Seed: rapid.StringMatching(`[a-z]{0,8}`).Draw(t, "seed")}}
	in.Mode = rapid.SampledFrom([]string{"", Balanced, SegmentCoverage, BenchmarkDepth}).Draw(t, "mode")
	in.Config.JointStrategy = rapid.SampledFrom([]string{"", Independent, Aligned, Observed}).Draw(t, "strategy")
	in.Config.MinSegmentCount = rapid.IntRange(0, 4).Draw(t, "floor")
	for x := range k {
		a := axisOf(fmt.Sprint("axis", x), drawShares(t, "pct", 7)...)
		a.Ordered = rapid.Bool().Draw(t, "ordered")
		in.Axes = append(in.Axes, a)
	}
	if k > 1 && rapid.Bool().Draw(t, "pair") {
		p := Pair{A: in.Axes[1].Name, B: in.Axes[0].Name}
		for _, s := range in.Axes[1].Segments {
			for _, o := range in.Axes[0].Segments {
				if rapid.IntRange(0, 3).Draw(t, "listed") > 0 {
					p.Cells = append(p.Cells, PairCell{s.Label, o.Label, float64(rapid.IntRange(0, 9).Draw(t, "share"))})
				}
			}
		}
		in.Pairs = []Pair{p}
		in.Relations = []Relation{{Type: rapid.SampledFrom([]string{Subset, Excludes}).Draw(t, "type"),
			Axis: in.Axes[0].Name, Segment: in.Axes[0].Segments[0].Label, Target: in.Axes[k-1].Name, TargetSegments: []string{in.Axes[k-1].Segments[0].Label}}}
	}
	for m := range in.Members {
		if rapid.IntRange(0, 15).Draw(t, "real") == 0 {
			in.RealPersons = append(in.RealPersons, m)
		}
	}
	return in
}

// M-120, M-121, M-124, M-126, M-127: whatever the strategy, the mode, the rules
// found in data and the real persons among them, every margin is exact, the
// weighted shares are the target shares, and the same input gives the same bytes.
func TestAllocateProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t, 4)
		r, err := Allocate(in)
		if err != nil {
			t.Fatal(err)
		}
		if r.Coverage.AllocatedMemberCount == 0 {
			return
		}
		allocated := 0
		for m, row := range r.Cells {
			real := slices.Contains(in.RealPersons, m)
			for _, s := range row {
				if (s < 0) != real {
					t.Fatalf("member %d, real %v, has %v", m, real, row)
				}
			}
			if !real {
				allocated++
			}
		}
		if allocated != r.Coverage.AllocatedMemberCount || allocated+r.Coverage.ExcludedRealPersonCount != in.Members {
			t.Fatalf("coverage %+v with %d allocated", r.Coverage, allocated)
		}
		for x, a := range r.Audit.Axes {
			seats := 0
			count := tally(r, x)
			for s, seg := range a.Segments {
				seats += seg.TargetCount
				if seg.AchievedCount != seg.TargetCount || count[s] != seg.AchievedCount {
					t.Fatalf("%s: target %d, achieved %d, stands %d", seg.Label, seg.TargetCount, seg.AchievedCount, count[s])
				}
			}
			if seats != allocated || a.MaxDeviation != 0 {
				t.Fatalf("%d seats for %d members, deviation %d", seats, allocated, a.MaxDeviation)
			}
		}
		again, _ := Allocate(in)
		one, _ := json.Marshal(r)
		two, _ := json.Marshal(again)
		if string(one) != string(two) {
			t.Fatal("the same input gave other bytes")
		}
	})
}

// M-124: with two axes and nothing else every joint cell is the floor or the
// ceiling of what independence of the quotas wants.
func TestTwoAxesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := Input{Axes: []Axis{axisOf("a", drawShares(t, "a", 9)...), axisOf("b", drawShares(t, "b", 9)...)},
			Members: rapid.IntRange(1, 300).Draw(t, "n")}
		r, err := Allocate(in)
		if err != nil {
			t.Fatal(err)
		}
		rows, columns := tally(r, 0), tally(r, 1)
		for s, row := range joint(r, 0, 1) {
			for u, n := range row {
				if want := float64(rows[s]*columns[u]) / float64(in.Members); math.Abs(float64(n)-want) >= 1+1e-6 {
					t.Fatalf("cell %d,%d is %d, wanted %v", s, u, n, want)
				}
			}
		}
	})
}

// M-144: under new quotas margins are exact, members stay in their places, and
// no more members change than the largest surplus demands of one axis.
func TestAgainProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := Input{Axes: []Axis{axisOf("a", drawShares(t, "a", 5)...), axisOf("b", drawShares(t, "b", 5)...)},
			Members: rapid.IntRange(1, 80).Draw(t, "n"), Config: Config{Seed: "s"}}
		first, err := Allocate(in)
		if err != nil {
			t.Fatal(err)
		}
		now := labels(first)
		same, moves, err := Again(in, now)
		if err != nil || len(moves) != 0 || fmt.Sprint(same.Cells) != fmt.Sprint(first.Cells) {
			t.Fatalf("unchanged quotas moved %d members (%v)", len(moves), err)
		}
		next := in
		next.Axes = slices.Clone(in.Axes)
		next.Axes[0] = axisOf("a", drawShares(t, "next", 5)...)
		second, moves, err := Again(next, now)
		if err != nil {
			t.Fatal(err)
		}
		old, new := tally(first, 0), tally(second, 0)
		surplus := 0
		for s, n := range old {
			if s < len(new) {
				surplus += max(0, n-new[s])
			} else {
				surplus += n
			}
		}
		if len(moves) != surplus {
			t.Fatalf("%d members moved, %d had to", len(moves), surplus)
		}
		for x, a := range second.Audit.Axes {
			if a.MaxDeviation != 0 {
				t.Fatalf("axis %d is off by %d", x, a.MaxDeviation)
			}
		}
	})
}

// labels is what each member stands for, as Again reads it.
func labels(r Result) [][]string {
	out := make([][]string, len(r.Cells))
	for m, row := range r.Cells {
		out[m] = make([]string, len(row))
		for x, s := range row {
			if s >= 0 {
				out[m][x] = r.Axes[x].Segments[s].Label
			}
		}
	}
	return out
}
