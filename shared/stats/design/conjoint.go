// Package design lays out the tasks of choice experiments: which products a
// conjoint shows together, and which items a best-worst question compares. All
// designs follow from their seed.
package design

import (
	"fmt"
	"math/rand/v2"
)

// Level names a level of an attribute, both counted from 0.
type Level struct{ Attribute, Level int }

// Direction says whether an attribute's levels have an order everybody shares.
type Direction int

// Unordered levels are a matter of taste; of HigherBetter the last level is the
// best, of LowerBetter (prices) the first.
const (
	Unordered Direction = iota
	HigherBetter
	LowerBetter
)

// Conjoint says what a choice design must hold.
type Conjoint struct {
	Levels       []int       // levels of each attribute
	Directions   []Direction // nil: all unordered
	Linear       [][]float64 // numbers of an attribute with one slope; nil entries and nil: part-worths
	Alternatives int         // per task, without none
	Tasks        int         // per version
	Holdouts     int         // fixed tasks, the same for every version
	Versions     int
	None         bool
	Prohibited   [][2]Level // levels that never meet in a product
	DEfficient   bool       // exchange levels for information; else balanced overlap
	Seed         uint64

	dominated bool // no task is free of dominated products, so they are allowed
}

// Choice is one task: a level an attribute, an alternative a row.
type Choice [][]int

// ConjointDesign holds the tasks of each version and the common holdouts.
type ConjointDesign struct {
	Versions [][]Choice
	Holdouts []Choice
	Report   ConjointReport
}

// ConjointReport says how good a design is over all its versions.
type ConjointReport struct {
	LevelCounts [][]int     // by attribute and level
	PairCounts  []PairCount // by pair of attributes
	DError      float64     // det(I⁻¹)^(1/K) with utilities of zero; I sums over all tasks
	Efficiency  float64     // DError of a perfectly balanced, orthogonal, least overlapping design over DError: 0..1
	Overlap     float64     // mean over attributes and tasks of the share of alternatives that repeat a level
	Dominated   int         // tasks in which a product is worse than another for everybody
	Parameters  int
}

// PairCount says how often the levels of two attributes met in a product.
type PairCount struct {
	A, B   int // attributes, A < B
	Counts [][]int
}

// Tries for a task and, within it, for its alternatives.
const attempts = 60

// Make draws a design. No task holds two equal products, nor one that is worse
// than another for everybody; only where the attributes leave too few such tasks
// (few levels, many alternatives) the second rule is given up, and the report counts
// it. It refuses prohibitions that leave no products for a task or a level
// that nothing can tell from others.
func (c Conjoint) Make() (ConjointDesign, error) {
	if err := c.check(); err != nil {
		return ConjointDesign{}, err
	}
	d, err := c.draw()
	if c.Directions != nil && (err != nil || d.Report.Efficiency < identified) {
		c.dominated = true
		d, err = c.draw()
	}
	if err != nil {
		return ConjointDesign{}, err
	}
	if d.Report.Efficiency < identified {
		return ConjointDesign{}, fmt.Errorf("design: the tasks cannot tell all levels apart; prohibit fewer pairs of levels, or ask more tasks or versions")
	}
	return d, nil
}

// identified is the efficiency below which a design leaves a level confounded
// with others.
const identified = 1e-3

func (c Conjoint) draw() (ConjointDesign, error) {
	var d ConjointDesign
	g := newGenerator(c, rand.New(rand.NewPCG(c.Seed, 0x636f6e6a6f696e74)))
	for range c.Versions {
		version, err := g.version(c.Tasks)
		if err != nil {
			return ConjointDesign{}, err
		}
		d.Versions = append(d.Versions, version)
	}
	if c.Holdouts > 0 {
		// A generator of their own, so that the versions do not depend on them.
		h := newGenerator(c, rand.New(rand.NewPCG(c.Seed, 0x686f6c646f757473)))
		var err error
		if d.Holdouts, err = h.version(c.Holdouts); err != nil {
			return ConjointDesign{}, err
		}
	}
	if c.DEfficient {
		c.exchange(d.Versions)
	}
	d.Report = c.Measure(d.Versions)
	return d, nil
}

func (c Conjoint) check() error {
	if len(c.Levels) < 2 {
		return fmt.Errorf("design: a conjoint takes at least 2 attributes")
	}
	products := 1
	for a, n := range c.Levels {
		if n < 2 {
			return fmt.Errorf("design: attribute %d has %d levels; it takes 2 or more", a, n)
		}
		if products < 1<<30 {
			products *= n
		}
	}
	if c.Alternatives < 2 || c.Tasks < 1 || c.Versions < 1 || c.Holdouts < 0 {
		return fmt.Errorf("design: %d versions of %d tasks and %d holdouts with %d alternatives", c.Versions, c.Tasks, c.Holdouts, c.Alternatives)
	}
	if products < c.Alternatives {
		return fmt.Errorf("design: %d products exist for tasks of %d alternatives", products, c.Alternatives)
	}
	if c.Directions != nil && len(c.Directions) != len(c.Levels) || c.Linear != nil && len(c.Linear) != len(c.Levels) {
		return fmt.Errorf("design: directions and numbers are given an attribute each, or not at all")
	}
	for _, p := range c.Prohibited {
		for _, l := range p {
			if l.Attribute < 0 || l.Attribute >= len(c.Levels) || l.Level < 0 || l.Level >= c.Levels[l.Attribute] {
				return fmt.Errorf("design: a prohibited pair names level %d of attribute %d", l.Level, l.Attribute)
			}
		}
		if p[0].Attribute == p[1].Attribute {
			return fmt.Errorf("design: a prohibited pair names attribute %d twice", p[0].Attribute)
		}
	}
	return nil
}

// dominates says that everybody would take x over y: as good on every ordered
// attribute, better on one, and alike on the others.
func (c Conjoint) dominates(x, y []int) bool {
	if c.Directions == nil {
		return false
	}
	better := false
	for a := range x {
		d := x[a] - y[a]
		switch c.Directions[a] {
		case LowerBetter:
			d = -d
		case Unordered:
			if d != 0 {
				return false
			}
		}
		if d < 0 {
			return false
		}
		better = better || d > 0
	}
	return better
}

// fits says that alternative j may stand in the task beside those up to upto.
func (c Conjoint) fits(task Choice, j, upto int) bool {
	for i := range upto {
		if i == j {
			continue
		}
		if same(task[i], task[j]) {
			return false
		}
		if !c.dominated && (c.dominates(task[i], task[j]) || c.dominates(task[j], task[i])) {
			return false
		}
	}
	return true
}

func same(x, y []int) bool {
	for a := range x {
		if x[a] != y[a] {
			return false
		}
	}
	return true
}

func (c Conjoint) someDominated(task Choice) bool {
	for i := range task {
		for j := range task {
			if i != j && c.dominates(task[i], task[j]) {
				return true
			}
		}
	}
	return false
}
