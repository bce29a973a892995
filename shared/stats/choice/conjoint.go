package choice

import (
	"fmt"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// Answer is one conjoint task as a member answered it.
type Answer struct {
	Member       int
	Alternatives [][]int // a level an attribute, without the none option
	Chosen       int     // into Alternatives; len(Alternatives) is none
	Holdout      bool    // not estimated from, only predicted
}

// Study is the answers of a choice-based conjoint.
type Study struct {
	Attributes []Attribute
	Price      int  // the attribute that is the price; -1: there is none
	None       bool // tasks end with a none option
	Members    int  // answers name members 0..Members-1
	Weights    []float64
	Answers    []Answer

	// Bayes, if given, draws members' utilities by hierarchical Bayes instead of
	// taking their modes.
	Bayes *Chain
}

// WTP is what a level is worth in units of the price, against the mean of its
// attribute's levels: -(part-worth / slope of price). Amount is nil with a
// Reason; SE is by the delta method.
type WTP struct {
	Amount, SE *float64
	Reason     string
}

// Analysis is what a conjoint reports.
type Analysis struct {
	Fit        Fit
	Coding     *Coding
	Population Population
	PartWorths [][]stats.Estimate // by attribute and level, errors by member
	None       *stats.Estimate    // utility of the none option
	Importance []stats.Estimate   // 0..1; each member's ranges, then the mean
	WTP        [][]WTP            // nil rows for the price itself
	Rho2       *float64
	HitRate    *float64 // share of holdout choices that the member's utilities name
	Holdouts   int
	NoneOnly   []int // members who chose none in every task
	SamePlace  []int // members who chose the same place in every task
	Warnings   []string

	study  Study
	within []bool
}

// Precision is Orme's n·t·a/c below which level effects are loosely known
// (Orme 2010): choices times alternatives over the largest number of levels.
const Precision = 500

// Analyse estimates a study. It refuses (stats.Insufficient) fewer choices than
// could identify the model and a study in which nobody chose a product.
func Analyse(s Study) (Analysis, error) {
	coding, err := NewCoding(s.Attributes, s.None)
	if err != nil {
		return Analysis{}, err
	}
	if s.Weights != nil && len(s.Weights) != s.Members {
		return Analysis{}, fmt.Errorf("choice: %d weights for %d members", len(s.Weights), s.Members)
	}
	if b := s.Bayes; b != nil && (b.Burn < 0 || b.Keep < 1 || b.Thin < 1) {
		return Analysis{}, fmt.Errorf("choice: a chain of %d burnt rounds and %d kept, one in %d", b.Burn, b.Keep, b.Thin)
	}
	tasks, holdouts, err := s.tasks(coding)
	if err != nil {
		return Analysis{}, err
	}
	a := Analysis{Coding: coding, study: s, within: make([]bool, s.Members)}
	a.look(tasks)
	answered := 0
	for _, w := range a.within {
		if w {
			answered++
		}
	}
	if answered > 0 && len(a.NoneOnly) == answered {
		return Analysis{}, &stats.Insufficient{Reason: "Every member chose none in every task, so nothing says which product they would rather have."}
	}
	// A none option adds comparisons but none among products, so it does not count.
	free := 0
	for _, t := range tasks {
		free += len(t.X) - 1
		if s.None {
			free--
		}
	}
	if free < coding.Parameters() {
		return Analysis{}, &stats.Insufficient{Reason: fmt.Sprintf(
			"%d answered tasks with %d comparisons of products cannot carry %d parameters; ask more members or tasks.", len(tasks), free, coding.Parameters())}
	}
	if a.Fit, err = MNL(tasks); err != nil {
		return Analysis{}, err
	}
	if s.Bayes != nil {
		a.Population = Hierarchical(tasks, s.Members, a.Fit, *s.Bayes)
	} else {
		a.Population = Individuals(tasks, s.Members, a.Fit)
	}
	infer := a.Fit.Members >= stats.FewAnswers && !a.Fit.Separated
	a.partWorths(infer)
	a.importance()
	a.willingness(infer)
	if r, ok := a.Fit.Rho2(); ok {
		a.Rho2 = &r
	}
	a.hits(holdouts)
	a.warn(tasks)
	return a, nil
}

// tasks codes the answers; equal alternatives share a row.
func (s Study) tasks(c *Coding) (estimate, holdout []Task, err error) {
	rows := map[uint64][]float64{}
	var none []float64
	if s.None {
		none = c.NoneRow()
	}
	for i, an := range s.Answers {
		if an.Member < 0 || an.Member >= s.Members {
			return nil, nil, fmt.Errorf("choice: answer %d is of member %d of %d", i, an.Member, s.Members)
		}
		t := Task{Member: an.Member, Chosen: an.Chosen}
		if s.Weights != nil {
			if !(s.Weights[an.Member] > 0) {
				continue
			}
			t.Weight = s.Weights[an.Member]
		}
		for _, levels := range an.Alternatives {
			if !valid(levels, s.Attributes) {
				return nil, nil, fmt.Errorf("choice: answer %d shows an alternative that is not of these attributes: %v", i, levels)
			}
			k := uint64(0)
			for a, l := range levels {
				k = k*uint64(s.Attributes[a].Levels) + uint64(l)
			}
			row := rows[k]
			if row == nil {
				if row, err = c.Row(levels); err != nil {
					return nil, nil, err
				}
				rows[k] = row
			}
			t.X = append(t.X, row)
		}
		if s.None {
			t.X = append(t.X, none)
		}
		if len(t.X) < 2 || t.Chosen < 0 || t.Chosen >= len(t.X) {
			return nil, nil, fmt.Errorf("choice: answer %d chose %d of %d alternatives", i, t.Chosen, len(t.X))
		}
		if an.Holdout {
			holdout = append(holdout, t)
		} else {
			estimate = append(estimate, t)
		}
	}
	return estimate, holdout, nil
}

func valid(levels []int, attributes []Attribute) bool {
	if len(levels) != len(attributes) {
		return false
	}
	for a, l := range levels {
		if l < 0 || l >= attributes[a].Levels {
			return false
		}
	}
	return true
}

// look finds who answered and whose answers carry little.
func (a *Analysis) look(tasks []Task) {
	type seen struct {
		place, tasks int
		same, none   bool
	}
	of := make([]seen, a.study.Members)
	for _, t := range tasks {
		o := &of[t.Member]
		isNone := a.study.None && t.Chosen == len(t.X)-1
		if o.tasks == 0 {
			*o = seen{place: t.Chosen, same: true, none: true}
		}
		o.tasks++
		o.same = o.same && t.Chosen == o.place
		o.none = o.none && isNone
		a.within[t.Member] = true
	}
	for m, o := range of {
		switch {
		case o.tasks == 0:
		case o.none:
			a.NoneOnly = append(a.NoneOnly, m)
		case o.same && o.tasks >= 4:
			a.SamePlace = append(a.SamePlace, m)
		}
	}
}

func (a *Analysis) warn(tasks []Task) {
	add := func(format string, args ...any) { a.Warnings = append(a.Warnings, fmt.Sprintf(format, args...)) }
	switch n := a.Fit.Members; {
	case n < stats.FewAnswers:
		add("Only %d members answered; there is no inference below %d.", n, stats.FewAnswers)
	case n < stats.ManyAnswers:
		add("Only %d members answered; figures move a lot below %d.", n, stats.ManyAnswers)
	}
	if a.Fit.Separated {
		add("Answers separate the alternatives completely or leave a level unidentified: utilities are held by a ridge of .01 and have no interval.")
	}
	if n := len(a.NoneOnly); n > 0 {
		add("%d members chose none in every task; they are left out of importance.", n)
	}
	if n := len(a.SamePlace); n > 0 {
		add("%d members chose the same place in every task.", n)
	}
	if !a.Population.Converged {
		add("The spread of utilities over members had not settled after %d rounds.", emRounds)
	}
	largest, shown := 0, 0
	for _, at := range a.study.Attributes {
		largest = max(largest, at.Levels)
	}
	for _, t := range tasks {
		shown += len(t.X)
		if a.study.None {
			shown--
		}
	}
	if v := float64(shown) / float64(largest); v < Precision {
		add("Alternatives shown over the most levels of an attribute are %.0f; below %d level effects are loosely known.", v, Precision)
	}
}
