package choice

import (
	"fmt"
	"math"
)

// Rule turns utilities into shares.
type Rule string

// ShareOfPreference is the mean over members of exp(u)/sum exp(u); FirstChoice
// gives a member's whole vote to the best alternative.
const (
	ShareOfPreference Rule = "share_of_preference"
	FirstChoice       Rule = "first_choice"
)

// Shares are the shares of a scenario's alternatives, weighted over members;
// where the study had a none option it comes last. They sum to 1.
func (a *Analysis) Shares(alternatives [][]int, rule Rule) ([]float64, error) {
	if rule != ShareOfPreference && rule != FirstChoice {
		return nil, fmt.Errorf("choice: no rule %q", rule)
	}
	var x [][]float64
	for _, levels := range alternatives {
		row, err := a.Coding.Row(levels)
		if err != nil {
			return nil, err
		}
		x = append(x, row)
	}
	if a.study.None {
		x = append(x, a.Coding.NoneRow())
	}
	if len(x) == 0 {
		return nil, fmt.Errorf("choice: a scenario takes at least one alternative")
	}
	out := make([]float64, len(x))
	total := 0.0
	for m, b := range a.Population.B {
		if b == nil {
			continue
		}
		one := firsts
		if rule == ShareOfPreference {
			one = softmax
		}
		w := a.weight(m)
		total += w
		for j, s := range one(x, b) {
			out[j] += w * s
		}
	}
	for j := range out {
		out[j] /= total
	}
	return out, nil
}

func softmax(x [][]float64, b []float64) []float64 {
	u := make([]float64, len(x))
	most := math.Inf(-1)
	for j, row := range x {
		u[j] = dot(row, b)
		most = math.Max(most, u[j])
	}
	sum := 0.0
	for j := range u {
		u[j] = math.Exp(u[j] - most)
		sum += u[j]
	}
	for j := range u {
		u[j] /= sum
	}
	return u
}

// firsts gives the best alternative 1, or 1/n to each of n that tie.
func firsts(x [][]float64, b []float64) []float64 {
	const same = 1e-9
	u := make([]float64, len(x))
	most := math.Inf(-1)
	for j, row := range x {
		u[j] = dot(row, b)
		most = math.Max(most, u[j])
	}
	ties := 0.0
	for j := range u {
		if u[j] >= most-same {
			ties++
		}
	}
	for j := range u {
		if u[j] >= most-same {
			u[j] = 1 / ties
		} else {
			u[j] = 0
		}
	}
	return u
}
