package consistency

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/simulate"
)

func value(t *testing.T, f Figure) float64 {
	t.Helper()
	if f.Value == nil {
		t.Fatalf("no figure: %+v", f)
	}
	return *f.Value
}

func TestSpreadByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		got  Figure
		want float64
		n    int
	}{
		{"even against even", Spread([]int{5, 5}, []float64{.5, .5}), 1, 10},
		{"all alike", Spread([]int{10, 0}, []float64{.5, .5}), 0, 10},
		{"one to three against even", Spread([]int{1, 3}, []float64{.5, .5}), .8112781, 4}, // H(1/4) in bits
		{"agreeing with both", Acquiescence([][2]float64{{1, 1}, {1, 1}}), .5, 2},
		{"balanced", Acquiescence([][2]float64{{1, 0}, {.25, .75}}), 0, 2},
		{"one of two agrees with both", AgreesWithBoth([][2]float64{{.75, 1}, {1, 0}}), .5, 2},
		{"one of two in a straight line", StraightLining([][]float64{{3, 3, 3}, {3, 4, 3}, {1, 1}}), .5, 2},
		{"a first place that draws", OrderEffect([]int{8, 2}, []int{5, 5}), .3, 10},
	} {
		if v := value(t, c.got); math.Abs(v-c.want) > 1e-6 || c.got.N != c.n {
			t.Errorf("%s: %v of %d, not %v of %d", c.name, v, c.got.N, c.want, c.n)
		}
	}
	for name, f := range map[string]Figure{
		"no grounded distribution": Spread([]int{1, 2}, nil), "a published certainty": Spread([]int{1, 2}, []float64{1, 0}),
		"nobody": Spread([]int{0, 0}, []float64{.5, .5}), "no pairs": Acquiescence(nil), "no rows": StraightLining([][]float64{{1, 1}}),
	} {
		if f.Value != nil {
			t.Errorf("%s has a figure: %v", name, *f.Value)
		}
	}
}

// Grounded offline answers vary as published (respondents: spread .9 to 1.1), and
// no Mind draws a straight line on purpose.
func TestSpreadOfOfflineAnswers(t *testing.T) {
	qs, es := librarySlice(t, 0, 20)
	items := of(qs...)
	panel := answered(t, items, 200, es)
	low, high, n := math.Inf(1), 0.0, 0
	for i, q := range qs {
		if q.Type != simulate.Categorical {
			continue
		}
		counts := make([]int, len(q.Options))
		grounded := make([]float64, len(q.Options))
		for j := range q.Options {
			grounded[j] = es[i].Options[j].Share
			for _, m := range panel {
				if m.Answers[i] != nil && m.Answers[i].Option == q.Options[j] {
					counts[j]++
				}
			}
		}
		v := value(t, Spread(counts, grounded))
		low, high, n = math.Min(low, v), math.Max(high, v), n+1
	}
	t.Logf("ratio of entropies over %d grounded questions: %.3f to %.3f", n, low, high)
	if low < .8 || high > 1.2 {
		t.Errorf("ratios from %.3f to %.3f", low, high)
	}
}

func TestReversedAndBatteries(t *testing.T) {
	items := of(scale("How satisfied are you with your job?", 1, 5), scale("How dissatisfied are you with your job?", 1, 5),
		scale("How important is the price?", 1, 5), choice("Do you own a car?", yesNo...))
	c, err := New(items, "en")
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Reversed(); len(got) != 1 || got[0] != [2]int{0, 1} {
		t.Errorf("reversed pairs %v", got)
	}
	if got := c.Batteries(); len(got) != 1 || len(got[0]) != 3 {
		t.Errorf("batteries %v", got)
	}
	minds := []Mind{{ID: "a", Answers: []*simulate.Earlier{num(5), num(5), num(5), opt("Yes")}}, {ID: "b", Answers: []*simulate.Earlier{num(1), nil, num(2), nil}}}
	if rows := c.Places(minds, []int{0, 1, 2}); len(rows) != 1 || value(t, StraightLining(rows)) != 1 {
		t.Errorf("rows %v", rows)
	}
}

type judge func(m Mind, found []Flag) ([]Flag, error)

func (j judge) Look(_ context.Context, _ []Item, m Mind, found []Flag) ([]Flag, error) {
	return j(m, found)
}

// M-192: the invariants hold whatever a judge says.
func TestInvariantsM192(t *testing.T) {
	items := of(scale("How satisfied are you with your job?", 1, 5), scale("Overall, how satisfied are you with your job?", 1, 5))
	minds := []Mind{
		{ID: "a", Answers: []*simulate.Earlier{num(5), num(1)}}, {ID: "b", Answers: []*simulate.Earlier{num(5), num(5)}}, {ID: "c", Answers: []*simulate.Earlier{nil, num(2)}},
	}
	calls := 0
	for name, j := range map[string]judge{
		"none": nil,
		"a talker": func(m Mind, _ []Flag) ([]Flag, error) {
			return []Flag{{Item: "q1", WithItem: "q2", Reason: strings.Repeat("ü", 900)}, {Item: "q2", WithItem: "q1", Reason: "again"}, {Item: "q9", WithItem: "q1", Reason: "no such item"}, {MindID: "x", Item: "q2", WithItem: WithProfile, Reason: " "}}, nil
		},
		"one that fails at b": func(m Mind, _ []Flag) ([]Flag, error) {
			if m.ID == "b" {
				calls++
				return nil, errors.New("no answer")
			}
			return nil, nil
		},
		"one that always fails": func(Mind, []Flag) ([]Flag, error) { return nil, errors.New("no answer") },
	} {
		c, err := New(items, "de")
		if err != nil {
			t.Fatal(err)
		}
		var look Judge
		if j != nil {
			look = j
		}
		byItem, r := c.Run(context.Background(), minds, look)
		n := 0
		pairs := map[string]bool{}
		for item, list := range byItem {
			for _, f := range list {
				n++
				if f.Item != item || f.Item != "q2" || f.WithItem != "q1" || utf8.RuneCountInString(f.Reason) > MaxReason || f.RuleID == "" || f.MindID == "x" {
					t.Errorf("%s: flag %+v", name, f)
				}
				if key := f.MindID + f.Item + f.WithItem; pairs[key] {
					t.Errorf("%s: %+v twice", name, f)
				} else {
					pairs[key] = true
				}
			}
		}
		if r.CheckedMinds+r.UncheckedMinds != 3 || r.FlaggedMinds > r.CheckedMinds || r.FlagCount != n {
			t.Errorf("%s: %+v with %d flags", name, r, n)
		}
		want := map[string]string{"none": StatusChecked, "a talker": StatusChecked, "one that fails at b": StatusIncomplete, "one that always fails": StatusFailed}[name]
		if r.Status != want {
			t.Errorf("%s: %s, not %s", name, r.Status, want)
		}
	}
	if calls != attempts {
		t.Errorf("a failing judge was asked %d times", calls)
	}
}

// M-190: answers are never changed, and any answers can be checked.
func TestAnswersStayM190(t *testing.T) {
	items := mixed()
	c, err := New(items, "fr")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		m := Mind{ID: "m", Profile: simulate.ParseProfile(rapid.SampledFrom([]string{"", "Age: 40", "Gender: Male\nAge: 7"}).Draw(rt, "profile"))}
		var before []simulate.Earlier
		for range rapid.IntRange(0, len(items)+1).Draw(rt, "answers") {
			e := simulate.Earlier{Option: rapid.SampledFrom([]string{"", "Yes", "No", "Never", "Daily", "x"}).Draw(rt, "option")}
			if rapid.Bool().Draw(rt, "number") {
				v := rapid.Float64Range(-5, 200).Draw(rt, "v")
				e.Number = &v
			}
			if rapid.Bool().Draw(rt, "none") {
				e.Options = []string{"Bus", "None of these"}
			}
			before = append(before, e)
			m.Answers = append(m.Answers, &e)
		}
		for _, f := range c.Check(m) {
			if f.Item == "" || f.WithItem == "" || utf8.RuneCountInString(f.Reason) > MaxReason {
				rt.Fatalf("%+v", f)
			}
		}
		for i := range before {
			a, b := before[i], *m.Answers[i]
			if a.Option != b.Option || (a.Number == nil) != (b.Number == nil) || a.Number != nil && *a.Number != *b.Number || len(a.Options) != len(b.Options) {
				rt.Fatalf("answer %d was changed", i)
			}
		}
	})
}

// M-191: the reasons are in the study's language, others in English.
func TestReasonsInTheStudysLanguage(t *testing.T) {
	items := of(scale("Wie zufrieden sind Sie mit Ihrer Bank?", 1, 5), scale("Wie zufrieden sind Sie mit Ihrer Bank?", 1, 5))
	for locale, want := range map[string]string{"de-AT": "Antwortet auf dasselbe", "fr": "Répond différemment", "es_MX": "Responde de forma", "ja": "Answers the same thing", "": "Answers the same thing"} {
		c, err := New(items, locale)
		if err != nil {
			t.Fatal(err)
		}
		flags := c.Check(Mind{ID: "m", Answers: []*simulate.Earlier{num(1), num(5)}})
		if len(flags) != 1 || !strings.HasPrefix(flags[0].Reason, want) {
			t.Errorf("%s: %v", locale, flags)
		}
	}
}

// A condition that was not met is a contradiction of routing, whatever it is on.
func TestUnmetConditions(t *testing.T) {
	items := of(choice("Which drink?", "Tea", "Milk"), scale("How strong should it be?", 1, 5))
	items[1].Gate = &Gate{Item: "q1", AnswerNotIn: []string{"Milk"}}
	c, err := New(items, "")
	if err != nil {
		t.Fatal(err)
	}
	if f := c.Check(Mind{Answers: []*simulate.Earlier{opt("Milk"), num(2)}}); len(f) != 1 || f[0].RuleID != RuleRouting {
		t.Errorf("%v", f)
	}
	if f := c.Check(Mind{Answers: []*simulate.Earlier{opt("Tea"), num(2)}}); len(f) != 0 {
		t.Errorf("%v", f)
	}
}
