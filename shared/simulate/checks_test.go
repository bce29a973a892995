package simulate

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// The deterministic checks of the engine's design, in its numbering.

func ask(t testing.TB, q Question, p Policy) Asked {
	t.Helper()
	a, err := NewOffline().Ask(context.Background(), q, p)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func answer(t testing.TB, a Asked, r Respondent) Answer {
	t.Helper()
	out, err := a.Answer(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func find(t testing.TB, surveyID, questionID string) (surveyQuestion, *Evidence) {
	t.Helper()
	for _, s := range library(t) {
		for _, q := range s.Questions {
			if s.ID == surveyID && q.ID == questionID {
				return q, q.evidence(t, s)
			}
		}
	}
	t.Fatalf("no question %s/%s", surveyID, questionID)
	return surveyQuestion{}, nil
}

// shareOfOptions draws n Minds from slot start on and gives each option's share.
func shareOfOptions(t testing.TB, a Asked, q Question, base Respondent, start int64, n int) ([]float64, State) {
	t.Helper()
	out := make([]float64, len(q.Options))
	var st State
	for i := range n {
		r := base
		r.ID, r.Slot = fmt.Sprintf("mind-%d", start+int64(i)), start+int64(i)
		x := answer(t, a, r)
		st = x.State
		for j, o := range q.Options {
			if x.Option == o {
				out[j] += 1 / float64(n)
			}
		}
	}
	return out, st
}

func score(p []OptionShare, q []float64) float64 {
	d := 0.0
	for i := range p {
		d += math.Abs(p[i].Share - q[i])
	}
	return 100 * (1 - d/2)
}

// Check 1 (M-344): the same answer in any order, from many goroutines, from a
// new engine, and whoever else is there; options may be rotated.
func TestCheck1Deterministic(t *testing.T) {
	q, e := find(t, "us-steak-risk-2014", "doneness")
	var minds []Respondent
	for i := range 60 {
		r := Respondent{ID: fmt.Sprint("m", i), Slot: int64(i), Profile: ParseProfile(fmt.Sprintf("Age: %d\nGender: %s", 18+i, []string{"Female", "Male"}[i%2]))}
		if i%3 > 0 {
			r.Evidence = []*Evidence{e}
		}
		minds = append(minds, r)
	}
	encode := func(a Answer) string { b, _ := json.Marshal(a); return string(b) }
	want := make([]string, len(minds))
	first := ask(t, q.asked(), Policy{})
	for i, r := range minds {
		want[i] = encode(answer(t, first, r))
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for round := range 100 {
		a := first
		if round%2 == 0 {
			a = ask(t, q.asked(), Policy{}) // a restart
		}
		got := make([]string, len(minds))
		var wg sync.WaitGroup
		for _, i := range rng.Perm(len(minds))[:len(minds)-round%7] { // and some members missing
			wg.Add(1)
			go func() {
				defer wg.Done()
				x, err := a.Answer(context.Background(), minds[i])
				if err == nil {
					got[i] = encode(x)
				}
			}()
		}
		wg.Wait()
		for i := range got {
			if got[i] != "" && got[i] != want[i] {
				t.Fatalf("round %d, Mind %d: %s, not %s", round, i, got[i], want[i])
			}
		}
	}
	rotated := q.asked()
	rotated.Options = append(append([]string(nil), rotated.Options[2:]...), rotated.Options[:2]...)
	reversed := q.asked()
	for i, j := 0, len(reversed.Options)-1; i < j; i, j = i+1, j-1 {
		reversed.Options[i], reversed.Options[j] = reversed.Options[j], reversed.Options[i]
	}
	ra, va := ask(t, rotated, Policy{}), ask(t, reversed, Policy{})
	for i, r := range minds {
		x := answer(t, first, r).Option
		if answer(t, ra, r).Option != x || answer(t, va, r).Option != x {
			t.Errorf("Mind %d answers another option when they are shown in another order", i)
		}
	}
}

// Check 2: 64 consecutively slotted members of one cell miss the grounded
// shares by at most 1/32 in each option, whatever the shares and the topic.
func TestCheck2Exactness(t *testing.T) {
	texts := []string{"Which colour of tin do you take?", "How much do you trust the parliament and the church?"}
	rapid.Check(t, func(rt *rapid.T) {
		k := rapid.IntRange(2, 8).Draw(rt, "k")
		e := Evidence{Question: rapid.SampledFrom(texts).Draw(rt, "text"), ID: "k1", Source: "a survey"}
		sum := 0.0
		for i := range k {
			v := rapid.Float64Range(0, 1).Draw(rt, "w") + .001
			sum += v
			e.Options = append(e.Options, OptionShare{Label: fmt.Sprint("answer ", string(rune('a'+i))), Share: v})
		}
		q := Question{Text: e.Question, Type: Categorical, Ordinal: rapid.Bool().Draw(rt, "ordinal")}
		for i := range e.Options {
			e.Options[i].Share /= sum
			q.Options = append(q.Options, e.Options[i].Label)
		}
		start := int64(rapid.IntRange(0, 50).Draw(rt, "octet")) * octet
		got, st := shareOfOptions(t, ask(t, q, Policy{}), q, Respondent{Evidence: []*Evidence{&e}}, start, 64)
		if st != Grounded {
			rt.Fatal(st)
		}
		for i, o := range e.Options {
			if d := math.Abs(got[i] - o.Share); d > 1.0/32+1e-6 {
				rt.Fatalf("option %d: %.4f drawn, %.4f published", i, got[i], o.Share)
			}
		}
	})
}

// Check 2, from any slot: a window that cuts an octet may miss by a little more.
func TestCheck2AnyStart(t *testing.T) {
	q, e := find(t, "us-steak-risk-2014", "doneness")
	a := ask(t, q.asked(), Policy{})
	far, all, worst := 0, 0, 0.0
	for start := int64(0); start < 300; start++ {
		got, _ := shareOfOptions(t, a, q.asked(), Respondent{Evidence: []*Evidence{e}}, start, 64)
		for i, o := range e.Options {
			d := math.Abs(got[i] - o.Share)
			worst = math.Max(worst, d)
			all++
			if d > 1.0/32+1e-6 {
				far++
			}
		}
	}
	t.Logf("from any slot: %d of %d shares are off by more than 1/32, the worst by %.4f", far, all, worst)
	if float64(far) > .01*float64(all) || worst > 2.0/32 {
		t.Errorf("%d of %d shares off by more than 1/32, worst %.4f", far, all, worst)
	}
}

// Check 3: on the library, grounded answers come near the published shares;
// answers without evidence say so, score like guessing, and give no finding.
func TestCheck3Library(t *testing.T) {
	var grounded, bare, subgroup, topline, uniform, floor, withN mean
	for _, s := range library(t) {
		for _, q := range s.Questions {
			if q.Type != string(Categorical) {
				continue
			}
			e := q.evidence(t, s)
			a := ask(t, q.asked(), Policy{})
			got, st := shareOfOptions(t, a, q.asked(), Respondent{Evidence: []*Evidence{e}}, 0, 50)
			if st != Grounded {
				t.Errorf("%s/%s is %s with its own survey in the knowledge", s.ID, q.ID, st)
			}
			sc := score(e.Options, got)
			grounded.add(sc)
			if e.N != nil {
				u, f := baselines(e.Options, 50, *e.N)
				uniform.add(u)
				floor.add(f)
				withN.add(sc)
			}
			got, st = shareOfOptions(t, a, q.asked(), Respondent{}, 0, 50)
			if st != Unsupported {
				t.Errorf("%s/%s is %s without any evidence", s.ID, q.ID, st)
			}
			bare.add(score(e.Options, got))
			for _, b := range e.Breakdowns {
				if b.N != nil && *b.N < 80 {
					continue
				}
				truth := make([]OptionShare, len(b.Shares))
				for i, v := range b.Shares {
					truth[i].Share = v
				}
				me := Respondent{Evidence: []*Evidence{e}, Profile: ParseProfile(b.Dimension + ": " + b.Group)}
				got, _ := shareOfOptions(t, a, q.asked(), me, 0, 64)
				subgroup.add(score(truth, got))
				// The tested dimension left out: only the topline and the others are known.
				left := *e
				left.Digest, left.Breakdowns = "", nil
				for _, o := range e.Breakdowns {
					if o.Dimension != b.Dimension {
						left.Breakdowns = append(left.Breakdowns, o)
					}
				}
				me.Evidence = []*Evidence{&left}
				got, _ = shareOfOptions(t, ask(t, q.asked(), Policy{}), q.asked(), me, 0, 64)
				topline.add(score(truth, got))
			}
		}
	}
	skill := (withN.value() - uniform.value()) / (floor.value() - uniform.value())
	t.Logf("score over the library: grounded %.1f (n %d, skill %.2f), subgroups %.1f (n %d), subgroups with their dimension left out %.1f, no evidence %.1f",
		grounded.value(), grounded.n, skill, subgroup.value(), subgroup.n, topline.value(), bare.value())
	if grounded.value() < 90 || skill < .8 || subgroup.value() < 90 || topline.value() < 90 {
		t.Error("grounded answers score below 90, or skill below .8")
	}
	if bare.value() < 72 || bare.value() > 77 {
		t.Errorf("answers without evidence score %.1f; the shape of a question is worth about 72 to 76", bare.value())
	}
}

type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v float64)  { m.sum += v; m.n++ }
func (m mean) value() float64  { return m.sum / float64(m.n) }
func sq(p float64) float64     { return math.Sqrt(2 * p * (1 - p) / math.Pi) }
func inv(a, b float64) float64 { return math.Sqrt(1/a + 1/b) }

// baselines are the scores of even guessing and of a perfect Audience.
func baselines(p []OptionShare, minds, n int) (uniform, floor float64) {
	even := make([]float64, len(p))
	noise := 0.0
	for i := range p {
		even[i] = 1 / float64(len(p))
		noise += sq(p[i].Share) * inv(float64(minds), float64(n)) / 2
	}
	return score(p, even), 100 * (1 - noise)
}

// Check 4: better evidence scores better.
func TestCheck4Calibration(t *testing.T) {
	var grounded, related, bare mean
	for _, s := range library(t) {
		for _, q := range s.Questions {
			if q.Type != string(Categorical) {
				continue
			}
			e := q.evidence(t, s)
			far := *e
			far.Digest, far.Population = "", "Adults 18+ in Chile"
			a := ask(t, q.asked(), Policy{})
			run := func(m *mean, want State, ev *Evidence) {
				r := Respondent{Profile: ParseProfile("Country: Japan")}
				if ev != nil {
					r.Evidence = []*Evidence{ev}
				}
				got, st := shareOfOptions(t, a, q.asked(), r, 0, 64)
				if st != want {
					t.Errorf("%s/%s: %s, not %s", s.ID, q.ID, st, want)
				}
				m.add(score(e.Options, got))
			}
			near := *e
			near.Digest, near.Population = "", ""
			run(&grounded, Grounded, &near)
			run(&related, Related, &far)
			run(&bare, Unsupported, nil)
		}
	}
	t.Logf("mean score: grounded %.1f, related %.1f, unsupported %.1f (n %d each)", grounded.value(), related.value(), bare.value(), bare.n)
	if !(grounded.value() > related.value() && related.value() > bare.value()) {
		t.Error("the states are not calibrated")
	}
}

// Check 5: grounded answers are as spread as the published ones.
func TestCheck5Spread(t *testing.T) {
	entropy := func(p []float64) float64 {
		h := 0.0
		for _, v := range p {
			if v > 0 {
				h -= v * math.Log(v)
			}
		}
		return h
	}
	var ratio, sds mean
	for _, s := range library(t) {
		for _, q := range s.Questions {
			if q.Type != string(Categorical) {
				continue
			}
			e := q.evidence(t, s)
			got, _ := shareOfOptions(t, ask(t, q.asked(), Policy{}), q.asked(), Respondent{Evidence: []*Evidence{e}}, 0, 64)
			p := make([]float64, len(e.Options))
			for i, o := range e.Options {
				p[i] = o.Share
			}
			ratio.add(entropy(got) / entropy(p))
			if q.Ordinal {
				sds.add(sdOf(got) / sdOf(p))
			}
		}
	}
	t.Logf("entropy ratio %.3f, sd ratio %.3f", ratio.value(), sds.value())
	if ratio.value() < .9 || ratio.value() > 1.1 || sds.value() < .9 || sds.value() > 1.1 {
		t.Error("grounded answers are too alike or too mixed")
	}
}

func sdOf(p []float64) float64 {
	m, v := 0.0, 0.0
	for i, x := range p {
		m += float64(i) * x
	}
	for i, x := range p {
		v += (float64(i) - m) * (float64(i) - m) * x
	}
	return math.Sqrt(v)
}

// Check 9: evidence with its labels shuffled is worth no more than guessing:
// nothing else leaks the truth.
func TestCheck9ShuffledLabels(t *testing.T) {
	var shuffled, uniform mean
	rng := rand.New(rand.NewPCG(3, 3))
	for _, s := range library(t) {
		for _, q := range s.Questions {
			if q.Type != string(Categorical) {
				continue
			}
			e := *q.evidence(t, s)
			truth := append([]OptionShare(nil), e.Options...)
			for range 5 {
				wrong := e
				wrong.Digest, wrong.Breakdowns = "", nil
				wrong.Options = append([]OptionShare(nil), truth...)
				for i, j := range rng.Perm(len(truth)) {
					wrong.Options[i].Share = truth[j].Share
				}
				got, _ := shareOfOptions(t, ask(t, q.asked(), Policy{}), q.asked(), Respondent{Evidence: []*Evidence{&wrong}}, 0, 64)
				shuffled.add(score(truth, got))
				u, _ := baselines(truth, 64, 1000)
				uniform.add(u)
			}
		}
	}
	t.Logf("shuffled labels %.1f, even guessing %.1f", shuffled.value(), uniform.value())
	if shuffled.value() > uniform.value()+3 {
		t.Errorf("shuffled labels still score %.1f", shuffled.value())
	}
}

// Check 10: groups under ten people never enter a distribution.
func TestCheck10SmallGroups(t *testing.T) {
	_, err := ParseEvidence([]byte(`{"question":"Q?","options":[{"label":"Yes","share":0.5},{"label":"No","share":0.5}],"breakdowns":[{"dimension":"age","group":"18-29","n":9,"shares":[1,0]}]}`))
	if err == nil {
		t.Error("a group of nine was taken")
	}
}

func BenchmarkAnswer300(b *testing.B) {
	q, e := find(b, "us-steak-risk-2014", "doneness")
	minds := make([]Respondent, 300)
	for i := range minds {
		minds[i] = Respondent{ID: fmt.Sprint("m", i), Slot: int64(i), Evidence: []*Evidence{e},
			Profile:  ParseProfile(fmt.Sprintf("Age: %d\nGender: Female\nRegion: Pacific\nEducation: Some college", 18+i%60)),
			Passages: []Passage{{ID: "k", Text: "I live near the sea. I cook at home most days. Steak is for Sundays."}}}
	}
	b.ResetTimer()
	for b.Loop() {
		a := ask(b, q.asked(), Policy{})
		for _, m := range minds {
			answer(b, a, m)
		}
	}
}
