package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Sums of equal weights differ as the counts do; shares decide, not the scale of the
// weights, and a smaller effective base raises what chance alone gives (M-127).
func TestDivergeWeighted_M127(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := [][]int{rapid.SliceOfN(rapid.IntRange(1, 40), 3, 3).Draw(t, "a"), rapid.SliceOfN(rapid.IntRange(1, 40), 3, 3).Draw(t, "b")}
		sums, bases := [][]float64{floats(counts[0]), floats(counts[1])}, make([]float64, 2)
		for i, g := range counts {
			for _, c := range g {
				bases[i] += float64(c)
			}
		}
		plain, _ := Diverge(counts, 7)
		same, ok := DivergeWeighted(sums, bases, 7)
		if !ok || same.Mean != plain.Mean || same.NoiseFloor != plain.NoiseFloor {
			t.Fatalf("%+v, %+v", plain, same)
		}
	})
	d, ok := DivergeWeighted([][]float64{{50, 50}, {9, 1}}, []float64{40, 40}, 7)
	if !ok || math.Abs(d.Mean-.1468) > 5e-5 {
		t.Errorf("%v", d.Mean)
	}
	few, _ := DivergeWeighted([][]float64{{50, 50}, {9, 1}}, []float64{10, 10}, 7)
	if few.Mean != d.Mean || few.NoiseFloor <= d.NoiseFloor {
		t.Errorf("%v, %v", few, d)
	}
	if _, ok := DivergeWeighted([][]float64{{0, 0}, {1, 2}}, []float64{0, 3}, 7); ok {
		t.Error("one group with answers differs from none")
	}
}

// Two points at the mean weights of their answers, with the base of the answers
// themselves, are described and compared as the answers are.
func TestGroupOnItsOwnBase_M127(t *testing.T) {
	values, weights := []float64{1, 1, 4, 4, 4}, []float64{2, .5, 1, .5, 3}
	summed := Group{Values: values, Weights: []float64{1.25, 1.25, 1.5, 1.5, 1.5}, Effective: Kish(weights)}
	one, two := Describe(values, weights, 1, 5), DescribeGroup(summed, 1, 5)
	if math.Abs(*one.Mean-*two.Mean) > 1e-12 || math.Abs(*one.SD-*two.SD) > 1e-12 || one.EffectiveN != two.EffectiveN {
		t.Errorf("%v %v, %v %v", *one.Mean, *one.SD, *two.Mean, *two.SD)
	}
	other := Group{Values: []float64{1, 2, 3, 2}}
	_, a, _ := MeanDifference(Group{Values: values, Weights: weights}, other)
	_, b, _ := MeanDifference(summed, other)
	if math.Abs(a.Low-b.Low) > 1e-9 || math.Abs(a.High-b.High) > 1e-9 {
		t.Errorf("%v, %v", a, b)
	}
}
