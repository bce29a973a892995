package kano

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// example is one pair of answers for each category.
var example = map[Category]Pair{
	A: {Like, Neutral, 1}, O: {Like, Dislike, 1}, M: {Expect, Dislike, 1},
	I: {Neutral, LiveWith, 1}, R: {Dislike, Like, 1}, Q: {Like, Like, 1},
}

func pairs(counts map[Category]int) []Pair {
	var out []Pair
	for _, c := range Order {
		for range counts[c] {
			out = append(out, example[c])
		}
	}
	return out
}

// M-202: the whole evaluation table, rows with, columns without the feature.
func TestTheEvaluationTable(t *testing.T) {
	want := []string{"QAAAO", "RIIIM", "RIIIM", "RIIIM", "RRRRQ"}
	for f, row := range want {
		for d, c := range row {
			if got, err := Classify(Answer(f), Answer(d)); err != nil || string(got) != string(c) {
				t.Errorf("%d with, %d without: %s, want %c", f, d, got, c)
			}
		}
	}
	for _, bad := range [][2]Answer{{-1, 0}, {0, 5}} {
		if _, err := Classify(bad[0], bad[1]); err == nil {
			t.Errorf("%v was classified", bad)
		}
	}
}

// M-204: the worked example.
func TestTheWorkedExampleOfKano(t *testing.T) {
	f, err := Analyse(pairs(map[Category]int{A: 35, O: 25, M: 15, I: 20, R: 3, Q: 2}), Options{Seed: 3, Resamples: 500})
	if err != nil {
		t.Fatal(err)
	}
	if f.Mode != A || f.Group != A || f.Counts[A] != 35 || f.Counts[Q] != 2 || f.N != 100 {
		t.Errorf("%+v", f)
	}
	if math.Abs(*f.Better.Estimate-.6316) > 5e-5 || math.Abs(*f.Worse.Estimate+.4211) > 5e-5 {
		t.Errorf("better %v worse %v", *f.Better.Estimate, *f.Worse.Estimate)
	}
	if math.Abs(*f.Strength-.10) > 1e-12 {
		t.Errorf("strength %v", *f.Strength)
	}
	// |35 - 25| = 10 against 1.65 sqrt(60 x 140 / 200) = 10.69: close, but both
	// rules say A.
	if f.Category != A || !f.Close {
		t.Errorf("category %s, close %v", f.Category, f.Close)
	}
	if ci := f.Better.CI95; ci == nil || ci[0] > .6316 || ci[1] < .6316 || ci[1]-ci[0] > .3 {
		t.Errorf("range of better %v", ci)
	}
	if f.Unclear || f.Reversed || len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], "told apart") {
		t.Errorf("%v", f.Warnings)
	}
}

func TestTiesGoToWhatCountsForMore(t *testing.T) {
	for _, c := range []struct {
		counts      map[Category]int
		mode, group Category
	}{
		{map[Category]int{A: 5, O: 5, M: 5, I: 5}, M, M},
		{map[Category]int{A: 5, O: 5, I: 5}, O, O},
		{map[Category]int{A: 5, I: 5}, A, I}, // want = rest: not more, so the rest decides
		{map[Category]int{A: 4, O: 4, M: 4, I: 11}, I, M},
		{map[Category]int{R: 6, Q: 6}, R, R},
	} {
		f, err := Analyse(pairs(c.counts), Options{})
		if err != nil || f.Mode != c.mode || f.Group != c.group {
			t.Errorf("%v: mode %s group %s, want %s %s", c.counts, f.Mode, f.Group, c.mode, c.group)
		}
	}
}

func TestTheFongTest(t *testing.T) {
	if !Close(35, 25, 100) || Close(36, 25, 100) || Close(60, 20, 100) || !Close(10, 10, 20) {
		t.Error("1.65 sqrt((a+b)(2n-a-b)/2n) is not what was computed")
	}
	f, _ := Analyse(pairs(map[Category]int{M: 60, I: 20, A: 20}), Options{})
	if f.Category != M || f.Close {
		t.Errorf("60 of 100 against 20 is %s", f.Category)
	}
	// The mode says A, the larger side says I, and 30 against 28 decides nothing.
	f, _ = Analyse(pairs(map[Category]int{A: 30, O: 15, I: 28, R: 27}), Options{})
	if f.Mode != A || f.Group != I || f.Category != Mixed {
		t.Errorf("mode %s, group %s, category %s", f.Mode, f.Group, f.Category)
	}
}

func TestWarningsOfAFeature(t *testing.T) {
	f, _ := Analyse(pairs(map[Category]int{A: 80, Q: 20}), Options{})
	if !f.Unclear || len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], "unclear") {
		t.Errorf("a fifth questionable: %+v", f.Warnings)
	}
	f, _ = Analyse(pairs(map[Category]int{A: 90, Q: 10}), Options{})
	if f.Unclear {
		t.Error("a tenth is not more than a tenth")
	}
	f, _ = Analyse(pairs(map[Category]int{R: 30, A: 10, I: 40}), Options{})
	if !f.Reversed {
		t.Error("a feature wanted absent was not called so")
	}
	f, _ = Analyse(pairs(map[Category]int{R: 30, Q: 10}), Options{})
	if f.Better.Estimate != nil || f.Worse.Estimate != nil {
		t.Error("better and worse without a base")
	}
}

func TestContinuousScores(t *testing.T) {
	f, _ := Analyse([]Pair{{Like, Dislike, 1}, {Expect, LiveWith, 1}, {Dislike, Like, 2}}, Options{})
	if *f.Functional != (4+2-4)/4. || *f.Dysfunct != (4+2-4)/4. {
		t.Errorf("%v %v", *f.Functional, *f.Dysfunct)
	}
}

func TestFewAnswersKeepCountsOnly(t *testing.T) {
	var few *stats.Insufficient
	if _, err := Analyse(nil, Options{}); !errors.As(err, &few) {
		t.Errorf("nobody: %v", err)
	}
	f, err := Analyse(pairs(map[Category]int{A: 5, O: 4}), Options{Resamples: 100})
	if err != nil || f.Category != A || f.Better.CI95 != nil || f.StrengthSE != nil {
		t.Errorf("nine answers: %+v %v", f, err)
	}
	if _, err := Analyse([]Pair{{Like, Like, math.NaN()}}, Options{}); err == nil {
		t.Error("a weight that is no number")
	}
}

func TestLawsOfKano(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		in := make([]Pair, n)
		for i := range in {
			in[i] = Pair{Answer(rapid.IntRange(0, 4).Draw(t, "f")), Answer(rapid.IntRange(0, 4).Draw(t, "d")), 1}
		}
		f, err := Analyse(in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for _, c := range Order {
			sum += f.Counts[c]
			if f.Counts[c] > f.Counts[f.Mode] {
				t.Fatal("the mode is not the largest")
			}
		}
		if sum != n {
			t.Fatal("an answer was lost")
		}
		if b := f.Better.Estimate; b != nil && (*b < 0 || *b > 1 || *f.Worse.Estimate > 0 || *f.Worse.Estimate < -1) {
			t.Fatal("better or worse out of range")
		}
		for i := range in {
			in[i].Weight = 2.5
		}
		if g, _ := Analyse(in, Options{}); g.Category != f.Category || math.Abs(g.EffectiveN-float64(n)) > 1e-9 {
			t.Fatal("equal weights changed the category")
		}
	})
}
