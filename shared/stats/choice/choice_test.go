package choice

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// One parameter by hand: A is chosen 30 of 40 times from {A, B}, so that b is
// the log of odds ln 3, its variance 1/(n p q) = 1/7.5, and by member (each of
// the 40 with one choice) the same.
func TestLogitByHand(t *testing.T) {
	var tasks []Task
	for m := range 40 {
		c := 0
		if m >= 30 {
			c = 1
		}
		tasks = append(tasks, Task{Member: m, X: [][]float64{{1}, {0}}, Chosen: c})
	}
	f, err := MNL(tasks)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "b", f.B[0], math.Log(3), 1e-9)
	near(t, "model error", f.ModelSE()[0], 1/math.Sqrt(7.5), 1e-9)
	near(t, "error by member", f.RobustSE()[0], 1/math.Sqrt(7.5), 1e-9)
	near(t, "LL", f.LogLik, 30*math.Log(.75)+10*math.Log(.25), 1e-9)
	near(t, "LL0", f.LogLik0, 40*math.Log(.5), 1e-9)
	r, _ := f.Rho2()
	near(t, "rho2", r, 1-f.LogLik/f.LogLik0, 1e-12)
	// The same choices by 10 members of four alike tasks each vary four times as much.
	for i := range tasks {
		tasks[i].Member = i / 4
	}
	tasks[28].Chosen, tasks[29].Chosen, tasks[30].Chosen, tasks[31].Chosen = 1, 1, 1, 1 // member 7 of one mind
	tasks[32].Chosen, tasks[33].Chosen = 0, 0
	f, _ = MNL(tasks)
	// 30 of 40 again: seven members give 4(1-p), one 2-4p, two -4p each.
	meat := 7*1.0 + 9 + 1 + 9
	near(t, "error of clusters", f.RobustSE()[0], math.Sqrt(meat)/7.5, 1e-9)
}

func TestTooFewAnswersRefuse(t *testing.T) {
	_, err := MNL([]Task{{X: [][]float64{{1, 0, 0}, {0, 1, 0}}}})
	var none *stats.Insufficient
	if !errors.As(err, &none) || !strings.Contains(none.Reason, "3 parameters") {
		t.Errorf("one choice for three parameters: %v", err)
	}
	if _, err := MNL(nil); !errors.As(err, &none) {
		t.Errorf("no choice: %v", err)
	}
	s, _, _ := simulation{levels: []int{4, 4, 4}, members: 2, tasks: 10, versions: 2, alternatives: 3, seed: 1}.answer(t)
	s.Answers = append(s.Answers[:2], s.Answers[10:12]...)
	if _, err := Analyse(s); !errors.As(err, &none) || !strings.Contains(none.Reason, "9 parameters") {
		t.Errorf("8 comparisons for 9 parameters: %v", err) // M-202
	}
}

func TestBadTasks(t *testing.T) {
	for name, task := range map[string]Task{
		"chosen": {X: [][]float64{{1}, {0}}, Chosen: 2}, "one alternative": {X: [][]float64{{1}}},
		"member": {Member: -1, X: [][]float64{{1}, {0}}}, "columns": {X: [][]float64{{1}, {0, 1}}},
		"weight": {X: [][]float64{{1}, {0}}, Weight: math.NaN()}, "nothing": {},
	} {
		if _, err := MNL([]Task{task}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	two := []Attribute{{Levels: 2}, {Levels: 2}}
	for name, s := range map[string]Study{
		"level":      {Attributes: two, Members: 1, Answers: []Answer{{Alternatives: [][]int{{0, 0}, {0, 2}}}}},
		"attributes": {Attributes: two, Members: 1, Answers: []Answer{{Alternatives: [][]int{{0, 0}, {0}}}}},
		"none":       {Attributes: two, Members: 1, Answers: []Answer{{Alternatives: [][]int{{0, 0}, {1, 1}}, Chosen: 2}}},
		"member":     {Attributes: two, Members: 1, Answers: []Answer{{Member: 1, Alternatives: [][]int{{0, 0}, {1, 1}}}}},
		"weights":    {Attributes: two, Members: 1, Weights: []float64{1, 1}},
		"one level":  {Attributes: []Attribute{{Levels: 1}}},
		"numbers":    {Attributes: []Attribute{{Levels: 2, Linear: true}}},
		"one number": {Attributes: []Attribute{{Levels: 2, Linear: true, Values: []float64{3, 3}}}},
	} {
		_, err := Analyse(s)
		var none *stats.Insufficient
		if err == nil || errors.As(err, &none) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCoding(t *testing.T) {
	c, err := NewCoding([]Attribute{{Levels: 3}, {Levels: 3, Linear: true, Values: []float64{2, 3, 6}}}, true)
	if err != nil {
		t.Fatal(err)
	}
	if c.Parameters() != 4 {
		t.Fatalf("%d parameters", c.Parameters())
	}
	for _, w := range []struct {
		levels []int
		row    []float64
	}{{[]int{0, 0}, []float64{1, 0, -1, 0}}, {[]int{1, 1}, []float64{0, 1, -.5, 0}}, {[]int{2, 2}, []float64{-1, -1, 1, 0}}} {
		if row, err := c.Row(w.levels); err != nil || !reflect.DeepEqual(row, w.row) {
			t.Errorf("%v is coded %v, %v", w.levels, row, err)
		}
	}
	if got := c.NoneRow(); !reflect.DeepEqual(got, []float64{0, 0, 0, 1}) {
		t.Errorf("none is coded %v", got)
	}
	b := []float64{.5, .2, -1, 9}
	if got, want := c.PartWorths(b), [][]float64{{.5, .2, -.7}, {1, .5, -1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("part-worths %v", got)
	}
	near(t, "slope", c.Slope(1, b), -.5, 1e-12)
}

// A row's utility is the sum of its levels' part-worths, whatever the coding.
func TestUtilityIsTheSumOfPartWorths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var attributes []Attribute
		for range rapid.IntRange(1, 5).Draw(t, "attributes") {
			a := Attribute{Levels: rapid.IntRange(2, 7).Draw(t, "levels"), Linear: rapid.Bool().Draw(t, "linear")}
			for i := range a.Levels {
				a.Values = append(a.Values, float64(i*i)+rapid.Float64Range(0, .9).Draw(t, "value"))
			}
			attributes = append(attributes, a)
		}
		c, err := NewCoding(attributes, false)
		if err != nil {
			t.Fatal(err)
		}
		b := make([]float64, c.Parameters())
		for i := range b {
			b[i] = rapid.Float64Range(-3, 3).Draw(t, "b")
		}
		parts := c.PartWorths(b)
		levels := make([]int, len(attributes))
		want := 0.0
		for a := range levels {
			levels[a] = rapid.IntRange(0, attributes[a].Levels-1).Draw(t, "level")
			want += parts[a][levels[a]]
			sum := 0.0
			for l, v := range parts[a] {
				sum += v
				if math.Abs(v-dot(c.Contrast(a, l), b)) > 1e-9 {
					t.Fatalf("contrast and part-worth of level %d differ", l)
				}
			}
			if !attributes[a].Linear && math.Abs(sum) > 1e-9 {
				t.Fatalf("part-worths sum to %v", sum)
			}
		}
		row, err := c.Row(levels)
		if err != nil || math.Abs(dot(row, b)-want) > 1e-9 {
			t.Fatalf("utility %v, part-worths %v, %v", dot(row, b), want, err)
		}
	})
}

// The aggregate model finds planted utilities (r > .95) and its errors cover them.
func TestRecoversPlantedUtilities(t *testing.T) {
	study, planted, _ := simulation{levels: []int{3, 4, 3, 4}, none: true, members: 200, tasks: 10, versions: 8, alternatives: 3, seed: 2}.answer(t)
	a, err := Analyse(study)
	if err != nil {
		t.Fatal(err)
	}
	r := correlation(a.Fit.B, planted)
	t.Logf("r = %.4f", r)
	if r < .95 {
		t.Errorf("r = %.4f with the planted utilities", r)
	}
	beyond := 0
	for i, se := range a.Fit.RobustSE() {
		if math.Abs(a.Fit.B[i]-planted[i]) > 3*se {
			beyond++
		}
	}
	if beyond > 0 {
		t.Errorf("%d of %d utilities lie beyond three errors", beyond, len(planted))
	}
}

// With members that differ, each member's utilities follow their own: better
// than the sample's mean does, and holdouts are named far beyond chance.
func TestIndividualUtilitiesFollowTheMember(t *testing.T) {
	study, planted, each := simulation{levels: []int{3, 4, 3}, price: []float64{2, 3, 4}, members: 200, tasks: 10, holdouts: 2, versions: 8, alternatives: 3, spread: 1, seed: 3}.answer(t)
	a, err := Analyse(study)
	if err != nil {
		t.Fatal(err)
	}
	if r := correlation(a.Population.Mean, planted); r < .95 {
		t.Errorf("r = %.3f of the population's mean", r)
	}
	var x, y, common []float64
	for m, b := range a.Population.B {
		x, y, common = append(x, b...), append(y, each[m]...), append(common, a.Fit.B...)
	}
	own, mean := correlation(x, y), correlation(common, y)
	t.Logf("utilities of members: r = %.3f, the sample's mean for all %.3f; hit rate %.3f; %d rounds", own, mean, *a.HitRate, a.Population.Rounds)
	if own < mean+.1 || own < .8 {
		t.Errorf("r = %.3f with members' utilities, %.3f with the mean alone", own, mean)
	}
	if a.Holdouts != 400 || *a.HitRate < .5 {
		t.Errorf("%d holdouts, hit rate %v", a.Holdouts, *a.HitRate)
	}
	if !a.Population.Converged {
		t.Error("the rounds did not settle")
	}
}

// M-204: a re-read is identical.
func TestDeterministic(t *testing.T) {
	study, _, _ := simulation{levels: []int{3, 3}, none: true, members: 40, tasks: 8, alternatives: 3, spread: 1, seed: 4}.answer(t)
	one, _ := Analyse(study)
	two, _ := Analyse(study)
	if !reflect.DeepEqual(one.Population.B, two.Population.B) || !reflect.DeepEqual(one.PartWorths, two.PartWorths) {
		t.Error("two analyses of one study differ")
	}
}

// M-205: a weight of two counts as two members of the same answers.
func TestWeightsCountAsCopies(t *testing.T) {
	study, _, _ := simulation{levels: []int{3, 3}, members: 30, tasks: 8, versions: 3, alternatives: 3, spread: .5, seed: 5}.answer(t)
	copies := study
	copies.Answers, copies.Members = nil, 0
	study.Weights = make([]float64, study.Members)
	for m := range study.Members {
		study.Weights[m] = float64(1 + m%2)
		for range 1 + m%2 {
			for _, an := range study.Answers {
				if an.Member == m {
					an.Member = copies.Members
					copies.Answers = append(copies.Answers, an)
				}
			}
			copies.Members++
		}
	}
	a, err := Analyse(study)
	b, err2 := Analyse(copies)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for i := range a.Fit.B {
		near(t, "b", a.Fit.B[i], b.Fit.B[i], 1e-8)
		near(t, "model error", a.Fit.ModelSE()[i], b.Fit.ModelSE()[i], 1e-8)
	}
	near(t, "LL", a.Fit.LogLik, b.Fit.LogLik, 1e-7)
	near(t, "effective base", *a.PartWorths[0][0].EffectiveN, 45.0*45/75, 1e-9)
	for i := range a.Importance {
		near(t, "importance", *a.Importance[i].Estimate, *b.Importance[i].Estimate, .02)
	}
}

// Everything that is reported, on one study.
func TestReport(t *testing.T) {
	study, planted, _ := simulation{levels: []int{3, 4, 3}, price: []float64{2, 3, 5}, none: true, members: 150, tasks: 10, versions: 6, alternatives: 3, spread: .3, seed: 6}.answer(t)
	a, err := Analyse(study)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, e := range a.Importance {
		sum += *e.Estimate
		if e.CI95 == nil || e.N != 150 {
			t.Errorf("importance %+v", e)
		}
	}
	near(t, "importance together", sum, 1, 1e-9)
	for at, row := range a.PartWorths {
		for l, e := range row {
			if e.SE == nil || *e.SE <= 0 || e.N != 150 || *e.EffectiveN != 150 {
				t.Errorf("part-worth %d of %d: %+v", l, at, e)
			}
		}
	}
	if a.None == nil || a.None.SE == nil || a.HitRate != nil || *a.Rho2 <= 0 {
		t.Errorf("none %v, hit rate %v, rho2 %v", a.None, a.HitRate, *a.Rho2)
	}
	if a.WTP[2] != nil {
		t.Error("price is worth a price")
	}
	slope := planted[5] / 1.5 // 2 to 5 is three units, coded -1 to 1
	for l, w := range a.WTP[0] {
		if w.Amount == nil {
			t.Fatalf("level %d: %s", l, w.Reason)
		}
		want := planted[0]
		switch l {
		case 1:
			want = planted[1]
		case 2:
			want = -planted[0] - planted[1]
		}
		if want = -want / slope; math.Abs(*w.Amount-want) > 3.5**w.SE {
			t.Errorf("level %d is worth %.3f ± %.3f, planted %.3f", l, *w.Amount, *w.SE, want)
		}
	}
	for _, rule := range []Rule{ShareOfPreference, FirstChoice} {
		shares, err := a.Shares([][]int{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}, rule)
		total := 0.0
		for _, s := range shares {
			total += s
		}
		if err != nil || len(shares) != 4 || math.Abs(total-1) > 1e-9 {
			t.Errorf("%s: %v, %v", rule, shares, err)
		}
	}
	if shares, _ := a.Shares([][]int{{1, 1, 1}, {1, 1, 1}}, FirstChoice); math.Abs(shares[0]-shares[1]) > 1e-12 {
		t.Errorf("equal products have shares %v", shares)
	}
	if _, err := a.Shares([][]int{{9, 0, 0}}, FirstChoice); err == nil {
		t.Error("a level that does not exist is taken")
	}
	if _, err := a.Shares([][]int{{0, 0, 0}}, "most"); err == nil {
		t.Error("a rule that does not exist is taken")
	}
}

func TestImportanceByHand(t *testing.T) {
	got := Ranges([][]float64{{1, 0, -1}, {.5, -.5}, {.25, .25, -.75}})
	for i, want := range []float64{.5, .25, .25} {
		near(t, fmt.Sprintf("importance %d", i), got[i], want, 1e-12)
	}
	near(t, "importance of nothing", Ranges([][]float64{{0, 0}, {0, 0}})[0], .5, 1e-12)
}

// Willingness to pay is never shown where price has no certain, linear slope.
func TestNoPriceNoWillingness(t *testing.T) {
	base := simulation{levels: []int{2, 3}, members: 60, tasks: 8, versions: 4, alternatives: 2, seed: 7}
	reasons := func(s Study) string {
		a, err := Analyse(s)
		if err != nil {
			t.Fatal(err)
		}
		if w := a.WTP[0][0]; w.Amount == nil {
			return w.Reason
		}
		return ""
	}
	s, _, _ := base.answer(t)
	if got := reasons(s); got != "no attribute is the price" {
		t.Errorf("without a price: %q", got)
	}
	s.Price = 1
	if got := reasons(s); got != "price is not linear" {
		t.Errorf("part-worth price: %q", got)
	}
	base.price = []float64{1, 2, 3}
	s, _, _ = base.answer(t)
	if got := reasons(s); got != "" {
		t.Errorf("a price that repels: %q", got)
	}
	for i, v := range s.Attributes[1].Values { // a price that attracts
		s.Attributes[1].Values[i] = 4 - v
	}
	if got := reasons(s); got != "the slope of price is not significantly negative" {
		t.Errorf("a price that attracts: %q", got)
	}
	base.members = 8
	s, _, _ = base.answer(t)
	if got := reasons(s); got != "fewer than 10 members answered" {
		t.Errorf("eight members: %q", got)
	}
}

// Everybody takes the one with the better first attribute: no finite maximum.
func TestSeparation(t *testing.T) {
	s, _, _ := simulation{levels: []int{2, 2}, members: 40, tasks: 8, versions: 4, alternatives: 3, seed: 8}.answer(t)
	for i, an := range s.Answers {
		best := 0
		for j, levels := range an.Alternatives {
			if levels[0] < an.Alternatives[best][0] || levels[0] == an.Alternatives[best][0] && levels[1] < an.Alternatives[best][1] {
				best = j
			}
		}
		s.Answers[i].Chosen = best
	}
	a, err := Analyse(s)
	if err != nil {
		t.Fatal(err)
	}
	if !a.Fit.Separated || a.PartWorths[0][0].SE != nil || !strings.Contains(strings.Join(a.Warnings, " "), "ridge") {
		t.Errorf("separated %v, %v, %q", a.Fit.Separated, a.PartWorths[0][0].SE, a.Warnings)
	}
	if !(*a.PartWorths[0][0].Estimate > *a.PartWorths[1][0].Estimate && *a.PartWorths[1][0].Estimate > 0) {
		t.Errorf("part-worths %v %v", *a.PartWorths[0][0].Estimate, *a.PartWorths[1][0].Estimate)
	}
}

// A column that never varies within a task cannot be known.
func TestSingularInformation(t *testing.T) {
	var tasks []Task
	for m := range 40 {
		tasks = append(tasks, Task{Member: m, X: [][]float64{{1, 1}, {0, 1}}, Chosen: m % 3 / 2})
	}
	f, err := MNL(tasks)
	if err != nil || !f.Separated || f.B[1] != 0 {
		t.Errorf("%v, separated %v, b %v", err, f.Separated, f.B)
	}
}

func TestNoneOnlyMembers(t *testing.T) {
	s, _, _ := simulation{levels: []int{3, 3}, none: true, members: 40, tasks: 8, versions: 4, alternatives: 3, seed: 9}.answer(t)
	for i := range s.Answers {
		if s.Answers[i].Member < 3 {
			s.Answers[i].Chosen = 3
		}
	}
	a, err := Analyse(s)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a.NoneOnly, []int{0, 1, 2}) || a.Importance[0].N != 37 || !strings.Contains(strings.Join(a.Warnings, " "), "3 members chose none") {
		t.Errorf("none only %v, importance of %d, %q", a.NoneOnly, a.Importance[0].N, a.Warnings)
	}
	for i := range s.Answers {
		s.Answers[i].Chosen = 3
	}
	_, err = Analyse(s)
	var none *stats.Insufficient
	if !errors.As(err, &none) {
		t.Errorf("a study of none alone: %v", err)
	}
}

func TestSamePlaceIsFlagged(t *testing.T) {
	s, _, _ := simulation{levels: []int{3, 3}, members: 40, tasks: 8, versions: 4, alternatives: 3, seed: 10}.answer(t)
	for i := range s.Answers {
		if s.Answers[i].Member == 5 {
			s.Answers[i].Chosen = 1
		}
	}
	a, err := Analyse(s)
	if err != nil || !reflect.DeepEqual(a.SamePlace, []int{5}) || !strings.Contains(strings.Join(a.Warnings, " "), "same place") {
		t.Errorf("%v, same place %v, %q", err, a.SamePlace, a.Warnings)
	}
	for i := range s.Answers { // everybody, always the first
		s.Answers[i].Chosen = 0
	}
	if a, err = Analyse(s); err != nil || len(a.SamePlace) != 40 {
		t.Errorf("%v, %d of 40", err, len(a.SamePlace))
	}
}

// M-204: no inference below 10 members, a warning below 30.
func TestSmallBases(t *testing.T) {
	for members, want := range map[int]string{8: "no inference", 20: "Only 20", 400: ""} {
		s, _, _ := simulation{levels: []int{2, 3}, members: members, tasks: 8, versions: 4, alternatives: 2, seed: 11}.answer(t)
		a, err := Analyse(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(a.Warnings, " "); want == "" && strings.Contains(got, "Only") || !strings.Contains(got, want) {
			t.Errorf("%d members warn %q", members, got)
		}
		if (members < 10) != (a.PartWorths[0][0].SE == nil) || (members < 10) != (a.Importance[0].SE == nil) {
			t.Errorf("%d members: %+v", members, a.PartWorths[0][0])
		}
	}
}

// Members without answers have no utilities and move nothing.
func TestMembersWithoutAnswers(t *testing.T) {
	s, _, _ := simulation{levels: []int{2, 3}, members: 30, tasks: 8, versions: 4, alternatives: 2, seed: 12}.answer(t)
	s.Members = 35
	a, err := Analyse(s)
	if err != nil || a.Fit.Members != 30 || a.Population.B[34] != nil || a.Importance[0].N != 30 {
		t.Errorf("%v, %d members, importance of %d", err, a.Fit.Members, a.Importance[0].N)
	}
}

func benchmarked(b *testing.B, members int) Study {
	s, _, _ := simulation{levels: []int{4, 4, 3, 3, 5}, none: true, members: members, tasks: 12, versions: 8, alternatives: 3, spread: 1, seed: 13}.answer(b)
	return s
}

// The aggregate model alone, at 1x, 2x and 4x of 300 members and 12 tasks.
func BenchmarkMNL(b *testing.B) {
	for _, n := range []int{300, 600, 1200} {
		s := benchmarked(b, n)
		c, _ := NewCoding(s.Attributes, s.None)
		tasks, _, _ := s.tasks(c)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := MNL(tasks); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The whole analysis, utilities of each member included.
func BenchmarkAnalyse(b *testing.B) {
	for _, n := range []int{300, 600, 1200} {
		s := benchmarked(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Analyse(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The largest conjoint of the contract: 8 attributes of 7 levels.
func BenchmarkLargest(b *testing.B) {
	s, _, _ := simulation{levels: []int{7, 7, 7, 7, 7, 7, 7, 7}, none: true, members: 300, tasks: 12, versions: 8, alternatives: 5, spread: 1, seed: 14}.answer(b)
	for b.Loop() {
		if _, err := Analyse(s); err != nil {
			b.Fatal(err)
		}
	}
}
