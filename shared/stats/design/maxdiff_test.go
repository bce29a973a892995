package design

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// Every design of the table keeps b k = v r and shows every pair lambda times.
func TestBIBD(t *testing.T) {
	for _, w := range []struct{ v, k, b, r, lambda int }{
		{6, 3, 10, 5, 2}, {7, 3, 7, 3, 1}, {7, 4, 7, 4, 2}, {9, 3, 12, 4, 1}, {10, 4, 15, 6, 2},
		{11, 5, 11, 5, 2}, {13, 4, 13, 4, 1}, {16, 4, 20, 5, 1}, {21, 5, 21, 5, 1},
	} {
		t.Run(fmt.Sprintf("%d,%d", w.v, w.k), func(t *testing.T) {
			blocks, ok := BIBD(w.v, w.k)
			if !ok || len(blocks) != w.b {
				t.Fatalf("%d blocks, %v", len(blocks), ok)
			}
			seen, pairs := make([]int, w.v), square(w.v)
			for _, block := range blocks {
				if len(block) != w.k {
					t.Fatalf("block %v", block)
				}
				for _, i := range block {
					seen[i]++
					for _, j := range block {
						pairs[i][j]++
					}
				}
			}
			for i := range w.v {
				if seen[i] != w.r {
					t.Errorf("item %d stands in %d blocks", i, seen[i])
				}
				for j := range w.v {
					if i != j && pairs[i][j] != w.lambda {
						t.Errorf("items %d and %d meet %d times", i, j, pairs[i][j])
					}
				}
			}
			// It is what a study of this many views gets.
			d, err := MaxDiff{Items: w.v, Size: w.k, Seen: w.r, Versions: 3, Seed: 1}.Make()
			if err != nil || !d.Report.Exact || d.Report.Pairs[0][1] != 3*w.lambda {
				t.Errorf("%v, exact %v, pair %d", err, d.Report.Exact, d.Report.Pairs[0][1])
			}
		})
	}
	if _, ok := BIBD(8, 4); ok {
		t.Error("a design outside the table")
	}
}

// M-202: ceil(seen·items/size) sets, each item at least seen times a member and
// never twice in a set, pairs and places about even, all comparable.
func TestNearBalancedDesigns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := MaxDiff{Items: rapid.IntRange(5, 60).Draw(t, "items"), Seen: rapid.IntRange(3, 6).Draw(t, "seen"),
			Versions: rapid.IntRange(1, 6).Draw(t, "versions"), Seed: rapid.Uint64().Draw(t, "seed")}
		m.Size = rapid.IntRange(3, min(5, max(3, m.Items/2))).Draw(t, "size")
		d, err := m.Make()
		if err != nil {
			t.Fatal(err)
		}
		r := d.Report
		if len(d.Versions) != m.Versions || len(d.Versions[0]) != m.Sets() || m.Sets() != (m.Seen*m.Items+m.Size-1)/m.Size {
			t.Fatalf("%d versions of %d sets", len(d.Versions), len(d.Versions[0]))
		}
		if r.FewestShown < m.Seen || r.MostShown > m.Seen+1 || !r.Connected {
			t.Fatalf("items are seen %d to %d times, connected %v", r.FewestShown, r.MostShown, r.Connected)
		}
		for _, sets := range d.Versions {
			for _, set := range sets {
				in := map[int]bool{}
				for _, i := range set {
					if in[i] {
						t.Fatalf("set %v", set)
					}
					in[i] = true
				}
			}
		}
		for i, places := range r.Positions {
			low, high := places[0], places[0]
			for _, n := range places {
				low, high = min(low, n), max(high, n)
			}
			if high-low > 4 {
				t.Fatalf("item %d stands in the places %v times", i, places)
			}
		}
	})
}

func TestPairsAreEven(t *testing.T) {
	for _, m := range []MaxDiff{{Items: 8, Size: 4, Seen: 3, Versions: 4}, {Items: 12, Size: 4, Seen: 3, Versions: 8}, {Items: 20, Size: 5, Seen: 3, Versions: 16}} {
		d, err := m.Make()
		if err != nil {
			t.Fatal(err)
		}
		low, high := 1<<30, 0
		for i := range m.Items {
			for j := range i {
				low, high = min(low, d.Report.Pairs[i][j]), max(high, d.Report.Pairs[i][j])
			}
		}
		if high-low > 4 {
			t.Errorf("%+v: pairs meet %d to %d times", m, low, high)
		}
	}
}

func TestMaxDiffDeterministicFromSeed(t *testing.T) {
	m := MaxDiff{Items: 14, Size: 4, Seen: 3, Versions: 4, Seed: 2}
	one, _ := m.Make()
	two, _ := m.Make()
	m.Seed = 3
	three, _ := m.Make()
	if !reflect.DeepEqual(one, two) || reflect.DeepEqual(one, three) {
		t.Error("a design does not follow its seed alone")
	}
}

func TestBadMaxDiffDesigns(t *testing.T) {
	for _, m := range []MaxDiff{{Items: 4, Size: 4, Seen: 3, Versions: 1}, {Items: 8, Size: 1, Seen: 3, Versions: 1}, {Items: 8, Size: 4, Versions: 1}, {Items: 8, Size: 4, Seen: 3}} {
		if _, err := m.Make(); err == nil {
			t.Errorf("%+v is taken", m)
		}
	}
}

func BenchmarkMaxDiff(b *testing.B) {
	for _, versions := range []int{4, 8, 16} {
		b.Run(fmt.Sprint(versions), func(b *testing.B) {
			for b.Loop() {
				if _, err := (MaxDiff{Items: 60, Size: 4, Seen: 3, Versions: versions}).Make(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
