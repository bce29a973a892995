package choice

import (
	"fmt"
	"reflect"
	"testing"
)

// Members who differ much are found again, further from the mean than their
// modes are; equal seeds give equal draws.
func TestHierarchicalBayes(t *testing.T) {
	study, planted, each := simulation{levels: []int{3, 3}, price: []float64{1, 2, 4}, members: 80, tasks: 12, versions: 8, alternatives: 3, spread: 1.5, seed: 20}.answer(t)
	modes, err := Analyse(study)
	if err != nil {
		t.Fatal(err)
	}
	chain := Short(5)
	study.Bayes = &chain
	a, err := Analyse(study)
	if err != nil {
		t.Fatal(err)
	}
	var own, mode, truth []float64
	for m, b := range a.Population.B {
		own, mode, truth = append(own, b...), append(mode, modes.Population.B[m]...), append(truth, each[m]...)
	}
	r, rm := correlation(own, truth), correlation(mode, truth)
	var size, sizeOfModes float64
	for i, v := range own {
		size += v * v
		sizeOfModes += mode[i] * mode[i]
	}
	t.Logf("r = %.3f, of modes %.3f; squares %.0f and %.0f", r, rm, size, sizeOfModes)
	if r < .85 || r < rm-.02 || size <= sizeOfModes {
		t.Errorf("r = %.3f, of modes %.3f; squares %.0f and %.0f", r, rm, size, sizeOfModes)
	}
	if c := correlation(a.Population.Mean, planted); c < .95 {
		t.Errorf("r = %.3f of the population's mean", c)
	}
	if again, _ := Analyse(study); !reflect.DeepEqual(again.Population.B, a.Population.B) {
		t.Error("the same seed gives other utilities")
	}
	chain.Seed = 6
	if other, _ := Analyse(study); reflect.DeepEqual(other.Population.B, a.Population.B) {
		t.Error("another seed gives the same utilities")
	}
}

func BenchmarkHierarchical(b *testing.B) {
	for _, n := range []int{300, 600, 1200} {
		s := benchmarked(b, n)
		c, _ := NewCoding(s.Attributes, s.None)
		tasks, _, _ := s.tasks(c)
		fit, err := MNL(tasks)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Hierarchical(tasks, n, fit, Short(1))
			}
		})
	}
}
