package design

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.8g, want %.8g", what, got, want)
	}
}

// Two attributes of two levels, each task a product and its mirror image: by
// hand, the information of a task is [[1, ±1], [±1, 1]], of both together 2I.
func TestPerfectDesignByHand(t *testing.T) {
	c := Conjoint{Levels: []int{2, 2}, Alternatives: 2}
	r := c.Measure([][]Choice{{{{0, 0}, {1, 1}}, {{0, 1}, {1, 0}}}})
	near(t, "D-error", r.DError, .5, 1e-12)
	near(t, "efficiency", r.Efficiency, 1, 1e-12)
	near(t, "overlap", r.Overlap, 0, 0)
	if !reflect.DeepEqual(r.LevelCounts, [][]int{{2, 2}, {2, 2}}) || !reflect.DeepEqual(r.PairCounts[0].Counts, [][]int{{1, 1}, {1, 1}}) {
		t.Errorf("%+v", r)
	}
	r = c.Measure([][]Choice{{{{0, 0}, {1, 1}}, {{0, 0}, {1, 1}}}})
	if !math.IsInf(r.DError, 1) || r.Efficiency != 0 {
		t.Errorf("a confounded design has D-error %v and efficiency %v", r.DError, r.Efficiency)
	}
}

// Three levels once each in a task of three: by hand the information is
// ZZ'/3 = [[2, 1], [1, 2]]/3, its determinant 1/3. With a none option the task
// compares four, so ZZ'/4, and none has 3/16.
func TestBoundByHand(t *testing.T) {
	c := Conjoint{Levels: []int{3, 3}, Alternatives: 3}
	latin := [][]Choice{{{{0, 0}, {1, 1}, {2, 2}}, {{0, 1}, {1, 2}, {2, 0}}, {{0, 2}, {1, 0}, {2, 1}}}}
	r := c.Measure(latin)
	near(t, "efficiency", r.Efficiency, 1, 1e-12)
	near(t, "D-error", r.DError, math.Pow(9*9/9.0, -.25), 1e-9) // 3 tasks: (3²/3)² and the fourth root
	c.None = true
	r = c.Measure(latin)
	near(t, "efficiency with none", r.Efficiency, 1, 1e-12)
	block := 9 * 3.0 / 16 // det of 3 ZZ'/4
	near(t, "D-error with none", r.DError, math.Pow(block*block*3*3/16, -.2), 1e-9)
}

func designs(d ConjointDesign) []Choice {
	var all []Choice
	for _, v := range d.Versions {
		all = append(all, v...)
	}
	return append(all, d.Holdouts...)
}

// hold fails on a task with equal, prohibited or dominated products.
func hold(t *testing.T, c Conjoint, d ConjointDesign) {
	t.Helper()
	banned := c.banned()
	for _, task := range designs(d) {
		if len(task) != c.Alternatives {
			t.Fatalf("a task has %d alternatives", len(task))
		}
		for i, product := range task {
			for j, other := range task {
				if i != j && (same(product, other) || c.dominates(product, other)) {
					t.Errorf("task %v holds equal or dominated products", task)
				}
			}
			for a, l := range product {
				if l < 0 || l >= c.Levels[a] {
					t.Fatalf("task %v has a level that does not exist", task)
				}
				for b, m := range product {
					if banned[[2]Level{{a, l}, {b, m}}] {
						t.Errorf("task %v holds a prohibited pair", task)
					}
				}
			}
		}
	}
}

func spread(counts []int) (low, high int) {
	low = counts[0]
	for _, n := range counts {
		low, high = min(low, n), max(high, n)
	}
	return low, high
}

// Both designs show levels about equally often, keep the rules of a task and
// reach their efficiency; D-efficient designs are better than balanced ones.
func TestDesigns(t *testing.T) {
	for name, c := range map[string]Conjoint{
		"plain":    {Levels: []int{3, 4, 3, 4}, Alternatives: 3, Tasks: 10, Versions: 4},
		"none":     {Levels: []int{2, 5, 3}, Alternatives: 4, Tasks: 8, Versions: 4, None: true, Holdouts: 2},
		"ordered":  {Levels: []int{3, 4, 3, 5}, Directions: []Direction{Unordered, HigherBetter, HigherBetter, LowerBetter}, Alternatives: 3, Tasks: 12, Versions: 8},
		"linear":   {Levels: []int{3, 3, 5}, Linear: [][]float64{nil, nil, {1, 2, 4, 5, 8}}, Alternatives: 3, Tasks: 10, Versions: 4},
		"largest":  {Levels: []int{7, 7, 7, 7, 7, 7, 7, 7}, Alternatives: 5, Tasks: 12, Versions: 4},
		"smallest": {Levels: []int{2, 2}, Alternatives: 2, Tasks: 8, Versions: 4},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(3) {
				c.Seed = seed
				c.DEfficient = false
				balanced, err := c.Make()
				if err != nil {
					t.Fatal(err)
				}
				c.DEfficient = true
				efficient, err := c.Make()
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range []ConjointDesign{balanced, efficient} {
					hold(t, c, d)
					if len(d.Versions) != c.Versions || len(d.Versions[0]) != c.Tasks || len(d.Holdouts) != c.Holdouts || d.Report.Dominated != 0 {
						t.Fatalf("%d versions, %d holdouts, %d dominated", len(d.Versions), len(d.Holdouts), d.Report.Dominated)
					}
				}
				for a, counts := range balanced.Report.LevelCounts {
					if low, high := spread(counts); float64(high-low) > .1*float64(high)+1 {
						t.Errorf("seed %d: attribute %d is shown %v times", seed, a, counts)
					}
				}
				if e := balanced.Report.Efficiency; e < .65 || e > 1+1e-9 {
					t.Errorf("seed %d: balanced efficiency %.3f", seed, e)
				}
				least := .95
				if c.Linear != nil || c.Directions != nil {
					least = .8 // the bound lets a linear attribute use its ends alone, and dominance forbids
				}
				if e := efficient.Report.Efficiency; e < least || e > 1+1e-9 || e < balanced.Report.Efficiency {
					t.Errorf("seed %d: D-efficiency %.3f, balanced %.3f", seed, e, balanced.Report.Efficiency)
				}
				if seed == 0 {
					t.Logf("efficiency %.3f and %.3f, overlap %.3f and %.3f", balanced.Report.Efficiency, efficient.Report.Efficiency, balanced.Report.Overlap, efficient.Report.Overlap)
				}
			}
		})
	}
}

// Within one version, what a member sees, every level comes up too.
func TestEveryMemberSeesEveryLevel(t *testing.T) {
	c := Conjoint{Levels: []int{3, 4, 5}, Alternatives: 3, Tasks: 10, Versions: 6, Seed: 5}
	d, err := c.Make()
	if err != nil {
		t.Fatal(err)
	}
	for v := range d.Versions {
		for a, counts := range c.Measure(d.Versions[v : v+1]).LevelCounts {
			if low, _ := spread(counts); low < 2 {
				t.Errorf("version %d shows levels of attribute %d %v times", v, a, counts)
			}
		}
	}
}

// The rank-two formulas agree with the determinant and inverse computed anew.
func TestExchangeAgreesWithDeterminant(t *testing.T) {
	c := Conjoint{Levels: []int{3, 4, 3}, Linear: [][]float64{nil, nil, {1, 2, 4}}, Alternatives: 3, Tasks: 6, Versions: 2, None: true, Seed: 2}
	d, err := c.Make()
	if err != nil {
		t.Fatal(err)
	}
	code := c.coder()
	logDet := func() float64 {
		var chol mat.Cholesky
		if !chol.Factorize(c.information(code, d.Versions)) {
			t.Fatal("singular")
		}
		return chol.LogDet()
	}
	var chol mat.Cholesky
	chol.Factorize(c.information(code, d.Versions))
	inverse := mat.NewSymDense(code.k, nil)
	if err := chol.InverseTo(inverse); err != nil {
		t.Fatal(err)
	}
	x := &exchanger{c: c, code: code, m: flatten(inverse), k: code.k, delta: make([]float64, code.k),
		y: make([]float64, code.k), my: make([]float64, code.k), md: make([]float64, code.k)}
	changes := 0
	for _, version := range d.Versions {
		for _, task := range version {
			for j := range task {
				for a := range c.Levels {
					n, old, before := 4.0, task[j][a], logDet()
					code.centred(task, j, x.y)
					x.times(x.y, x.my)
					yy := dot(x.y, x.my)
					for l := range c.Levels[a] {
						code.difference(a, old, l, x.delta)
						r := ratio(code.quadratic(a, x.delta, x.m), dot(x.delta, x.my), yy, n)
						task[j][a] = l
						near(t, "ratio of determinants", math.Log(r), logDet()-before, 1e-9)
						task[j][a] = old
					}
					if x.improve(task, j, a) {
						changes++
					}
				}
			}
		}
	}
	chol.Factorize(c.information(code, d.Versions))
	_ = chol.InverseTo(inverse)
	for i, v := range flatten(inverse) {
		if math.Abs(v-x.m[i]) > 1e-9 {
			t.Fatalf("the inverse drifted: %v for %v after %d changes", x.m[i], v, changes)
		}
	}
	if changes == 0 {
		t.Error("nothing was exchanged")
	}
}

// Few levels and many alternatives leave no task without a dominated product:
// then it is allowed, and counted.
func TestDominanceIsGivenUpWhereItMust(t *testing.T) {
	for name, c := range map[string]Conjoint{
		"no task":       {Levels: []int{2, 2}, Directions: []Direction{Unordered, LowerBetter}, Alternatives: 3, Tasks: 10, Versions: 4, None: true},
		"only one task": {Levels: []int{2, 2}, Directions: []Direction{HigherBetter, LowerBetter}, Alternatives: 2, Tasks: 8, Versions: 4},
	} {
		for _, efficient := range []bool{false, true} {
			c.DEfficient = efficient
			d, err := c.Make()
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if d.Report.Dominated == 0 || d.Report.Efficiency < .5 {
				t.Errorf("%s: %d dominated, efficiency %.3f", name, d.Report.Dominated, d.Report.Efficiency)
			}
		}
	}
}

func TestProhibitedPairs(t *testing.T) {
	c := Conjoint{Levels: []int{3, 3, 4}, Alternatives: 3, Tasks: 10, Versions: 4,
		Prohibited: [][2]Level{{{0, 0}, {1, 1}}, {{2, 3}, {0, 2}}, {{1, 0}, {2, 0}}}}
	for _, c.DEfficient = range []bool{false, true} {
		d, err := c.Make()
		if err != nil {
			t.Fatal(err)
		}
		hold(t, c, d)
		if d.Report.PairCounts[0].Counts[0][1] != 0 || d.Report.Efficiency < .7 {
			t.Errorf("pairs %v, efficiency %.3f", d.Report.PairCounts[0].Counts, d.Report.Efficiency)
		}
	}
	// Level 0 of both attributes only ever together: nothing tells them apart.
	c = Conjoint{Levels: []int{2, 2}, Alternatives: 2, Tasks: 10, Versions: 4, Prohibited: [][2]Level{{{0, 0}, {1, 1}}, {{0, 1}, {1, 0}}}}
	if _, err := c.Make(); err == nil {
		t.Error("a confounded design is made")
	}
	c.Prohibited = append(c.Prohibited, [2]Level{{0, 0}, {1, 0}})
	if _, err := c.Make(); err == nil {
		t.Error("one product makes a task of two")
	}
}

func TestBadDesigns(t *testing.T) {
	good := Conjoint{Levels: []int{2, 3}, Alternatives: 2, Tasks: 8, Versions: 4}
	for name, spoil := range map[string]func(*Conjoint){
		"one attribute": func(c *Conjoint) { c.Levels = []int{3} },
		"one level":     func(c *Conjoint) { c.Levels = []int{3, 1} },
		"alternatives":  func(c *Conjoint) { c.Alternatives = 1 },
		"too many":      func(c *Conjoint) { c.Alternatives = 7 },
		"tasks":         func(c *Conjoint) { c.Tasks = 0 },
		"directions":    func(c *Conjoint) { c.Directions = []Direction{Unordered} },
		"pair":          func(c *Conjoint) { c.Prohibited = [][2]Level{{{0, 0}, {1, 3}}} },
		"same pair":     func(c *Conjoint) { c.Prohibited = [][2]Level{{{0, 0}, {0, 1}}} },
	} {
		c := good
		spoil(&c)
		if _, err := c.Make(); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := good.Make(); err != nil {
		t.Error(err)
	}
}

func TestDeterministicFromSeed(t *testing.T) {
	c := Conjoint{Levels: []int{3, 4, 3}, Alternatives: 3, Tasks: 8, Versions: 4, Holdouts: 1, DEfficient: true, Seed: 8}
	one, _ := c.Make()
	two, _ := c.Make()
	c.Seed = 9
	three, _ := c.Make()
	if !reflect.DeepEqual(one, two) || reflect.DeepEqual(one, three) {
		t.Error("a design does not follow its seed alone")
	}
	c.Seed, c.Holdouts = 8, 0
	if four, _ := c.Make(); !reflect.DeepEqual(one.Versions, four.Versions) {
		t.Error("holdouts change the versions")
	}
}

// Whatever the attributes, tasks keep their rules.
func TestRulesHoldForAnyDesign(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		c := Conjoint{Alternatives: rapid.IntRange(2, 4).Draw(r, "alternatives"), Tasks: rapid.IntRange(8, 12).Draw(r, "tasks"),
			Versions: 4, None: rapid.Bool().Draw(r, "none"), DEfficient: rapid.Bool().Draw(r, "efficient"), Seed: rapid.Uint64().Draw(r, "seed")}
		for range rapid.IntRange(2, 5).Draw(r, "attributes") {
			c.Levels = append(c.Levels, rapid.IntRange(3, 7).Draw(r, "levels"))
			c.Directions = append(c.Directions, Direction(rapid.IntRange(0, 2).Draw(r, "direction")))
		}
		d, err := c.Make()
		if err != nil {
			r.Fatal(err)
		}
		if d.Report.Dominated == 0 {
			hold(t, c, d)
		}
		if e := d.Report.Efficiency; e <= 0 || e > 1+1e-9 {
			r.Fatalf("efficiency %v", e)
		}
	})
}

func BenchmarkConjoint(b *testing.B) {
	for _, versions := range []int{4, 8, 16} {
		c := Conjoint{Levels: []int{7, 7, 7, 7, 7, 7, 7, 7}, Alternatives: 5, Tasks: 12, Versions: versions, None: true, DEfficient: true}
		b.Run(fmt.Sprint(versions), func(b *testing.B) {
			for b.Loop() {
				if _, err := c.Make(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
