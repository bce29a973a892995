package turf

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// pies are the answers of the 980 people who celebrate Thanksgiving to "Which
// type of pie is typically served?" (FiveThirtyEight, 2015, CC-BY-4.0), as bits
// over apple, buttermilk, cherry, chocolate, coconut cream, key lime, peach,
// pecan, pumpkin, sweet potato, with how many gave each.
var pies = [][2]int{
	{0, 62}, {1, 33}, {2, 3}, {4, 3}, {5, 9}, {7, 1}, {8, 4}, {9, 8}, {10, 2}, {12, 3}, {16, 2}, {18, 1},
	{26, 1}, {30, 1}, {32, 1}, {33, 2}, {36, 2}, {64, 1}, {65, 2}, {69, 2}, {72, 1}, {81, 1}, {128, 20}, {129, 16},
	{130, 1}, {132, 2}, {133, 1}, {136, 5}, {137, 5}, {145, 1}, {161, 1}, {192, 1}, {256, 139}, {257, 173}, {258, 2}, {260, 9},
	{261, 27}, {264, 9}, {265, 23}, {266, 1}, {269, 4}, {272, 2}, {273, 6}, {280, 1}, {289, 5}, {291, 1}, {317, 1}, {320, 1},
	{321, 4}, {324, 1}, {325, 1}, {329, 1}, {333, 2}, {356, 1}, {384, 84}, {385, 64}, {386, 7}, {388, 3}, {389, 13}, {392, 12},
	{393, 9}, {394, 1}, {397, 3}, {399, 1}, {400, 1}, {405, 2}, {409, 3}, {411, 1}, {415, 1}, {416, 2}, {417, 3}, {425, 2},
	{429, 1}, {441, 1}, {449, 2}, {512, 13}, {513, 8}, {517, 1}, {520, 1}, {535, 1}, {545, 1}, {546, 1}, {576, 1}, {577, 1},
	{584, 1}, {640, 7}, {641, 3}, {642, 1}, {643, 1}, {644, 1}, {648, 3}, {649, 1}, {656, 2}, {672, 2}, {705, 1}, {707, 1},
	{733, 1}, {768, 18}, {769, 18}, {770, 1}, {771, 2}, {773, 3}, {776, 2}, {777, 2}, {778, 1}, {781, 1}, {784, 1}, {801, 1},
	{896, 10}, {897, 12}, {900, 2}, {901, 2}, {904, 2}, {909, 2}, {913, 1}, {917, 1}, {921, 1}, {928, 2}, {929, 3}, {936, 1},
	{937, 1}, {939, 1}, {953, 1}, {961, 1}, {965, 2}, {968, 1}, {969, 1}, {1005, 1}, {1021, 1},
}

func celebrants() []Member {
	var out []Member
	for _, p := range pies {
		for range p[1] {
			out = append(out, Member{uint64(p[0]), 1})
		}
	}
	return out
}

func search(t testing.TB, items int, m []Member, o Options) Result {
	t.Helper()
	r, err := Search(items, m, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// M-202, M-204: the published answers to the digits of the methods page.
func TestReachOfPies(t *testing.T) {
	r := search(t, 10, celebrants(), Options{Sizes: []int{1, 2, 3, 4}})
	want := []struct {
		items []int
		reach float64
	}{{[]int{8}, .743878}, {[]int{0, 8}, .847959}, {[]int{0, 7, 8}, .893878}, {[]int{0, 7, 8, 9}, .911224}}
	if !r.Exact || r.N != 980 || r.EffectiveN != 980 {
		t.Errorf("%+v", r)
	}
	for i, w := range want {
		s := r.Sizes[i].Sets[0]
		if !slices.Equal(s.Items, w.items) || math.Abs(*s.Reach.Estimate-w.reach) > 5e-7 {
			t.Errorf("size %d: %v reaches %v, want %v %v", i+1, s.Items, *s.Reach.Estimate, w.items, w.reach)
		}
		if ci := s.Reach.CI95; ci == nil || ci[0] >= w.reach || ci[1] <= w.reach {
			t.Errorf("range %v", ci)
		}
	}
	sum := 0.0
	for i, rung := range r.Ladder {
		sum += rung.Added
		if rung.Item != []int{8, 0, 7, 9}[i] || math.Abs(rung.Reach-want[i].reach) > 5e-7 {
			t.Errorf("rung %d: %+v", i, rung)
		}
	}
	if math.Abs(sum-.911224) > 5e-7 {
		t.Errorf("the ladder ends at %v", sum)
	}
}

// The weighted example data of the R package turfR (180 people, 10 items; its
// table stays in its package) was run once through Search and gave the figures
// of the methods page: {10} .898228; {9,10} .988225 at frequency 1.71284, then
// {7,10} .974265; {8,9,10} .998673 at 2.44899, tied with {7,9,10} at 2.43106;
// {6,8,9,10} 1.000 at 3.07733.

// Six weighted members by hand: reach, frequency, order and the base.
func TestWeightsTiesAndOrder(t *testing.T) {
	m := []Member{{0b0001, 2}, {0b0010, 1}, {0b0100, 1}, {0b0011, .5}, {0b0101, .5}, {0, 1}}
	r := search(t, 4, m, Options{Sizes: []int{2, 1}})
	one, two := r.Sizes[0], r.Sizes[1]
	if one.Ties != 1 || !slices.Equal(one.Sets[0].Items, []int{0}) || math.Abs(*one.Sets[0].Reach.Estimate-.5) > 1e-12 {
		t.Errorf("%+v", one)
	}
	// {0,1} and {0,2} reach 4 of 6 alike; items 0 to 3 touch 4.5 of 6 each way: item order decides.
	if two.Ties != 2 || !slices.Equal(two.Best()[0].Items, []int{0, 1}) || !slices.Equal(two.Best()[1].Items, []int{0, 2}) {
		t.Errorf("%+v", two)
	}
	if math.Abs(two.Sets[0].Frequency-4.5/6) > 1e-12 || math.Abs(*two.Sets[0].Reach.Estimate-4./6) > 1e-12 {
		t.Errorf("%+v", two.Sets[0])
	}
	if math.Abs(r.EffectiveN-36/7.5) > 1e-12 || two.Sets[0].Reach.CI95 != nil {
		t.Errorf("base %v", r.EffectiveN)
	}
	// An equal reach with a higher frequency stands first.
	m = []Member{{0b011, 1}, {0b101, 1}, {0b110, 1}, {0b100, 1}}
	two = search(t, 3, m, Options{Sizes: []int{2}}).Sizes[0]
	if !slices.Equal(two.Sets[0].Items, []int{0, 2}) && two.Sets[0].Frequency < two.Sets[1].Frequency {
		t.Errorf("%+v", two)
	}
}

func TestDepthAsksForMoreItems(t *testing.T) {
	m := []Member{{0b111, 1}, {0b110, 1}, {0b100, 1}, {0b001, 1}}
	r := search(t, 3, m, Options{Sizes: []int{2, 3}, Depth: 2})
	if s := r.Sizes[0].Sets[0]; !slices.Equal(s.Items, []int{1, 2}) || *s.Reach.Estimate != .5 {
		t.Errorf("%+v", s)
	}
	if r.Ladder[0].Reach != 0 || r.Ladder[1].Reach != .5 {
		t.Errorf("%+v", r.Ladder)
	}
}

func TestManyTiesAreCapped(t *testing.T) {
	m := make([]Member, 12)
	for i := range m {
		m[i] = Member{1<<20 - 1, 1}
	}
	s := search(t, 20, m, Options{Sizes: []int{3}}).Sizes[0]
	if len(s.Sets) != MaxTies || s.Ties != 1140 || !slices.Equal(s.Sets[0].Items, []int{0, 1, 2}) || !slices.Equal(s.Sets[9].Items, []int{0, 1, 11}) {
		t.Errorf("%d of %d ties, last %v", len(s.Sets), s.Ties, s.Sets[9].Items)
	}
}

func TestNobodyReached(t *testing.T) {
	m := make([]Member, 12)
	for i := range m {
		m[i].Weight = 1
	}
	s := search(t, 5, m, Options{Sizes: []int{2}}).Sizes[0]
	if *s.Sets[0].Reach.Estimate != 0 || s.Ties != 10 {
		t.Errorf("%+v", s)
	}
}

func TestSearchRefuses(t *testing.T) {
	var few *stats.Insufficient
	if _, err := Search(3, nil, Options{Sizes: []int{1}}); !errors.As(err, &few) {
		t.Errorf("nobody: %v", err)
	}
	one := []Member{{1, 1}}
	for name, try := range map[string]func() error{
		"no size":      func() error { _, err := Search(3, one, Options{}); return err },
		"size 0":       func() error { _, err := Search(3, one, Options{Sizes: []int{0}}); return err },
		"size 4 of 3":  func() error { _, err := Search(3, one, Options{Sizes: []int{4}}); return err },
		"no items":     func() error { _, err := Search(0, one, Options{Sizes: []int{1}}); return err },
		"65 items":     func() error { _, err := Search(65, one, Options{Sizes: []int{1}}); return err },
		"item unknown": func() error { _, err := Search(3, []Member{{8, 1}}, Options{Sizes: []int{1}}); return err },
		"weight":       func() error { _, err := Search(3, []Member{{1, -1}}, Options{Sizes: []int{1}}); return err },
	} {
		if err := try(); err == nil || errors.As(err, &few) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		n, k int
		want int64
	}{{30, 5, 142506}, {40, 20, 137846528820}, {64, 32, math.MaxInt64}, {5, 5, 1}, {40, 6, 3838380}} {
		if got := choose(c.n, c.k); got != c.want {
			t.Errorf("%d over %d is %d", c.n, c.k, got)
		}
	}
}

// The search agrees with looking at every set by hand, whatever the weights and
// the depth; reach grows with size; the greedy way reaches its guarantee and
// never more than the exact one.
func TestLawsOfReach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.IntRange(2, 8).Draw(t, "items")
		n := rapid.IntRange(1, 80).Draw(t, "n")
		depth := rapid.IntRange(1, 3).Draw(t, "depth")
		weighted := rapid.Bool().Draw(t, "weighted")
		m := make([]Member, n)
		for i := range m {
			m[i] = Member{rapid.Uint64Range(0, 1<<items-1).Draw(t, "a"), 1}
			if weighted {
				m[i].Weight = float64(rapid.IntRange(1, 400).Draw(t, "w")) / 128
			}
		}
		sizes := make([]int, items)
		for k := range sizes {
			sizes[k] = k + 1
		}
		r, err := Search(items, m, Options{Sizes: sizes, Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		before := 0.0
		for k := 1; k <= items; k++ {
			best, ties := -1.0, 0
			for mask := uint64(0); mask < 1<<items; mask++ {
				if bits.OnesCount64(mask) != k {
					continue
				}
				part, total, _ := reach(mask, m, depth)
				switch v := part / total; {
				case v > best+1e-9:
					best, ties = v, 1
				case v > best-1e-9:
					ties++
				}
			}
			s := r.Sizes[k-1]
			if math.Abs(*s.Sets[0].Reach.Estimate-best) > 1e-9 || s.Ties != ties {
				t.Fatalf("size %d: %v with %d ties, by hand %v with %d", k, *s.Sets[0].Reach.Estimate, s.Ties, best, ties)
			}
			if best < before-1e-9 {
				t.Fatal("a larger set reaches fewer")
			}
			before = best
			b := newBoard(items, m, depth)
			g := b.exchange(k)
			part, total, touched := reach(g.mask, m, depth)
			if bits.OnesCount64(g.mask) != k || part/total > best+1e-9 || depth == 1 && part/total < best*(1-1/math.E)-1e-9 {
				t.Fatalf("greedy of %d reaches %v of %v", k, part/total, best)
			}
			if bt := b.of(g.mask); b.reached(bt) != g.units || touched < 0 {
				t.Fatal("the exchange lost count of its reach")
			}
		}
	})
}

func panel(items, n int, weighted bool) []Member {
	rng := rand.New(rand.NewPCG(1, 2))
	m := make([]Member, n)
	for i := range m {
		m[i].Weight = 1
		if weighted {
			m[i].Weight = .2 + 3*rng.Float64()
		}
		for j := range items {
			if rng.Float64() < .12 {
				m[i].Reached |= 1 << j
			}
		}
	}
	return m
}

func TestBeyondTheLimitItSaysNotExact(t *testing.T) {
	r := search(t, 40, panel(40, 200, false), Options{Sizes: []int{2, 12}})
	if r.Exact || !r.Sizes[0].Exact || r.Sizes[1].Exact || len(r.Sizes[1].Sets) != 1 || len(r.Sizes[1].Sets[0].Items) != 12 || len(r.Ladder) != 12 {
		t.Errorf("%+v", r.Sizes[1])
	}
}

func BenchmarkThirtyChooseFive(b *testing.B) {
	for name, weighted := range map[string]bool{"equal": false, "weighted": true} {
		m := panel(30, 300, weighted)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				search(b, 30, m, Options{Sizes: []int{5}})
			}
		})
	}
}

func BenchmarkFortyChooseSix(b *testing.B) { // 3,838,380 sets, near the limit
	m := panel(40, 2000, true)
	for b.Loop() {
		search(b, 40, m, Options{Sizes: []int{6}})
	}
}
