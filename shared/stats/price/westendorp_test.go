package price

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// ten is the worked example: ten people whose curves tie exactly at the point of
// marginal expensiveness and touch over three prices at the optimum.
func ten() []Judgement {
	tc := []float64{2, 3, 3, 4, 4, 5, 5, 6, 6, 7}
	ch := []float64{4, 5, 5, 6, 7, 7, 8, 8, 9, 10}
	ex := []float64{7, 8, 9, 9, 10, 11, 11, 12, 13, 14}
	tex := []float64{9, 10, 11, 12, 13, 13, 14, 15, 16, 18}
	out := make([]Judgement, len(tc))
	for i := range tc {
		out[i] = Judgement{TooCheap: tc[i], Cheap: ch[i], Expensive: ex[i], TooExpensive: tex[i], Weight: 1}
	}
	return out
}

func is(t *testing.T, name string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-9 {
		t.Errorf("%s is %v, want %v", name, deref(got), want)
	}
}

func deref(p *float64) any {
	if p == nil {
		return nil
	}
	return *p
}

// M-202, M-204: the four points of the worked example under every rule of ties,
// on stated prices and interpolated.
func TestTheWorkedExampleOfTheMeter(t *testing.T) {
	opp := map[TieRule]float64{TieMin: 7, TieMax: 9, TieMean: 8, TieMedian: 8, "": 7}
	for rule, want := range opp {
		for _, lines := range []bool{false, true} {
			m, err := Westendorp(ten(), MeterOptions{Tie: rule, Interpolate: lines})
			if err != nil {
				t.Fatal(err)
			}
			is(t, "PMC", m.PMC, 5)
			is(t, "PME", m.PME, 11)
			is(t, "IDP", m.IDP, 8)
			is(t, "OPP "+string(rule), m.OPP, want)
			if m.Valid != 10 || m.Invalid != 0 || len(m.Warnings) != 0 {
				t.Errorf("%d valid, %d invalid, %v", m.Valid, m.Invalid, m.Warnings)
			}
		}
	}
}

// At price 11 three of ten find it too expensive and seven expensive: the curves
// meet there, though 0.3 >= 1 - 0.7 is false in floating point. Scaled weights
// must not move the point either.
func TestATieInFloatingPointIsATie(t *testing.T) {
	rising, falling := .3, .7
	if falling = 1 - falling; rising >= falling {
		t.Fatal("this machine adds exactly; the trap is gone")
	}
	for _, w := range []float64{1, 3, .1, 1. / 3, .7} {
		answers := ten()
		for i := range answers {
			answers[i].Weight = w
		}
		m, err := Westendorp(answers, MeterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		is(t, "PME", m.PME, 11)
		is(t, "OPP", m.OPP, 7)
		if math.Abs(m.EffectiveN-10) > 1e-9 {
			t.Errorf("weights of %v give a base of %v", w, m.EffectiveN)
		}
	}
}

func TestInvalidOrdersAreCountedAndLeftOut(t *testing.T) {
	bad := Judgement{TooCheap: 5, Cheap: 4, Expensive: 9, TooExpensive: 12, Weight: 1}
	for _, c := range []struct{ bad, warnings int }{{1, 0}, {2, 1}, {4, 1}} {
		answers := ten()
		for range c.bad {
			answers = append(answers, bad)
		}
		m, err := Westendorp(answers, MeterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if m.Invalid != c.bad || m.Valid != 10 || len(m.Warnings) != c.warnings {
			t.Errorf("%d bad: %d invalid of %d, warnings %v", c.bad, m.Invalid, m.Valid+m.Invalid, m.Warnings)
		}
		is(t, "PME", m.PME, 11)
	}
	// Equal prices are no strict order.
	m, _ := Westendorp(append(ten(), Judgement{3, 3, 9, 12, 0, 0, 1}), MeterOptions{})
	if m.Invalid != 1 {
		t.Error("too cheap = cheap was taken as valid")
	}
}

func TestTheIntentsOfNewtonMillerSmith(t *testing.T) {
	cheapIntent := []int{5, 4, 4, 3, 5, 4, 3, 4, 5, 4}
	expensiveIntent := []int{3, 2, 3, 2, 2, 3, 1, 2, 3, 2}
	answers := ten()
	for i := range answers {
		answers[i].IntentCheap, answers[i].IntentExpensive = cheapIntent[i], expensiveIntent[i]
	}
	m, err := Westendorp(answers, MeterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Trial == nil || m.Trial.ReachPrice != 8 || math.Abs(m.Trial.Reach-.315) > 5e-4 || m.Trial.RevenuePrice != 8 || math.Abs(m.Trial.Revenue-2.52) > 5e-3 || m.Trial.N != 10 {
		t.Errorf("%+v", m.Trial)
	}
	answers[0].IntentCheap = 0
	if m, _ = Westendorp(answers, MeterOptions{}); m.Trial.N != 9 {
		t.Error("a member without an intent is in the trial")
	}
	if m, _ = Westendorp(ten(), MeterOptions{}); m.Trial != nil {
		t.Error("there is a trial without intents")
	}
}

func TestTheMeterRefuses(t *testing.T) {
	var few *stats.Insufficient
	if m, err := Westendorp(ten()[:9], MeterOptions{}); !errors.As(err, &few) || m.PMC != nil || m.OPP != nil {
		t.Errorf("nine judgements: %v", err)
	}
	if _, err := Westendorp(nil, MeterOptions{}); !errors.As(err, &few) {
		t.Errorf("none: %v", err)
	}
	if _, err := Westendorp(ten(), MeterOptions{Tie: "first"}); err == nil || errors.As(err, &few) {
		t.Errorf("an unknown rule: %v", err)
	}
	bad := ten()
	bad[3].Cheap = math.NaN()
	if _, err := Westendorp(bad, MeterOptions{}); err == nil || errors.As(err, &few) {
		t.Errorf("a price that is no number: %v", err)
	}
	for i := range bad {
		bad[i].Cheap, bad[i].Weight = ten()[i].Cheap, 0
	}
	if _, err := Westendorp(bad, MeterOptions{}); !errors.As(err, &few) {
		t.Errorf("no weight at all: %v", err)
	}
}

func TestTheBootstrapOfThePointsRepeats(t *testing.T) {
	a, err := Westendorp(ten(), MeterOptions{Seed: 7, Resamples: 300})
	if err != nil {
		t.Fatal(err)
	}
	b, _ := Westendorp(ten(), MeterOptions{Seed: 7, Resamples: 300})
	if a.OPPCI == nil || *a.OPPCI != *b.OPPCI || *a.PMECI != *b.PMECI {
		t.Errorf("%v and %v", a.OPPCI, b.OPPCI)
	}
	if a.OPPCI[0] > 7 || a.OPPCI[1] < 7 || a.PMECI[0] > 11 || a.PMECI[1] < 11 {
		t.Errorf("ranges %v %v leave their points out", *a.OPPCI, *a.PMECI)
	}
}

// The points keep their order of definition and move with the currency.
func TestLawsOfTheMeter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(10, 40).Draw(t, "n")
		answers := make([]Judgement, n)
		scaled := make([]Judgement, n)
		for i := range answers {
			a := rapid.IntRange(1, 20).Draw(t, "a")
			b := a + rapid.IntRange(1, 9).Draw(t, "b")
			c := b + rapid.IntRange(1, 9).Draw(t, "c")
			d := c + rapid.IntRange(1, 9).Draw(t, "d")
			answers[i] = Judgement{float64(a), float64(b), float64(c), float64(d), 0, 0, 1}
			scaled[i] = Judgement{float64(4 * a), float64(4 * b), float64(4 * c), float64(4 * d), 0, 0, .5}
		}
		m, err := Westendorp(answers, MeterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if m.PMC == nil || m.PME == nil || m.IDP == nil || m.OPP == nil {
			t.Fatal("curves from 0 to 1 did not cross")
		}
		if *m.PMC > *m.IDP || *m.PMC > *m.OPP || *m.PME < *m.IDP || *m.PME < *m.OPP {
			t.Fatalf("points out of order: %v %v %v %v", *m.PMC, *m.OPP, *m.IDP, *m.PME)
		}
		for i := 1; i < len(m.Curves); i++ {
			a, b := m.Curves[i-1], m.Curves[i]
			if b.TooCheap > a.TooCheap || b.Cheap > a.Cheap || b.Expensive < a.Expensive || b.TooExpensive < a.TooExpensive {
				t.Fatal("a curve turns")
			}
		}
		s, _ := Westendorp(scaled, MeterOptions{})
		if *s.OPP != 4**m.OPP || *s.PMC != 4**m.PMC || *s.PME != 4**m.PME || *s.IDP != 4**m.IDP {
			t.Fatal("the points depend on the unit of money")
		}
	})
}

func BenchmarkMeterOfAThousand(b *testing.B) {
	answers := make([]Judgement, 1000)
	for i := range answers {
		f := float64(i%97) / 10
		answers[i] = Judgement{TooCheap: 2 + f, Cheap: 4 + 1.3*f, Expensive: 8 + 1.6*f, TooExpensive: 11 + 2*f, Weight: 1}
	}
	for b.Loop() {
		if _, err := Westendorp(answers, MeterOptions{Resamples: 1000}); err != nil {
			b.Fatal(err)
		}
	}
}
