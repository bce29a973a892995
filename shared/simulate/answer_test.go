package simulate

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

var yesNo = []string{"Yes", "No"}

func cat(text string, opts ...string) Question {
	return Question{Text: text, Type: Categorical, Options: opts}
}

// stated: the Mind's own record answers (M-341), or it does not.
func TestStatedFromRecordM341(t *testing.T) {
	steak := cat("How do you like your steak prepared?", "Rare", "Medium rare", "Medium", "Medium well", "Well done")
	steak.Ordinal = true
	smoke := cat("Do you ever smoke cigarettes?", yesNo...)
	for _, c := range []struct {
		name, profile, passage string
		q                      Question
		want                   string // "" = not stated
	}{
		{"field", "Smokes: No", "", smoke, "No"},
		{"field, synonym", "Steak: well", "", steak, "Well done"},
		{"field of another topic", "Eats steak: Yes", "", smoke, ""},
		{"demographic", "Age: 33", "", cat("Which age group are you in?", "18-29", "30-44", "45+"), "30-44"},
		{"demographic", "Gender: woman", "", cat("What is your gender?", "Male", "Female", "Other"), "Female"},
		{"sentence", "", "I like my steak medium rare, with salt.", steak, "Medium rare"},
		{"negated sentence", "", "I never like my steak rare.", steak, ""},
		{"two options", "", "I like my steak rare or medium.", steak, ""},
		{"somebody else", "", "Most people like their steak medium rare.", steak, ""},
		{"by name", "", "Mia likes her steak medium.", steak, "Medium"},
		{"no longer", "", "I used to like my steak rare.", steak, ""},
		{"yes", "", "I smoke cigarettes on weekends.", smoke, "Yes"},
		{"no", "", "I don't smoke cigarettes.", smoke, "No"},
		{"a wish", "", "I want to smoke cigarettes less.", smoke, ""},
		{"a question", "", "Do I smoke cigarettes?", smoke, ""},
		{"another clause", "", "I have no car and my sister smokes cigarettes.", smoke, ""},
		{"denies the other", "", "I have no car, but I smoke cigarettes.", smoke, "Yes"},
		{"a field of fact", "Car: Yes", "", cat("Do you like your car?", yesNo...), ""},
		{"off topic", "", "I bought a car.", smoke, ""},
	} {
		r := Respondent{ID: "m1", Name: "Mia Berg", Slot: 5, Profile: ParseProfile(c.profile)}
		if c.passage != "" {
			r.Passages = []Passage{{ID: "k1", Text: "Notes. " + c.passage + " More."}}
		}
		a := answer(t, ask(t, c.q, Policy{}), r)
		switch {
		case c.want == "" && a.State == Stated:
			t.Errorf("%s: stated %q from %q", c.name, a.Option, c.passage)
		case c.want != "" && (a.State != Stated || a.Option != c.want):
			t.Errorf("%s: %s %q, want %q", c.name, a.State, a.Option, c.want)
		case c.want != "" && c.passage != "" && (len(a.SourceIDs) != 1 || a.Citations[0].Quote != c.passage):
			t.Errorf("%s: sources %v %v", c.name, a.SourceIDs, a.Citations)
		}
	}
	three := 3.0
	size := Question{Text: "How satisfied are you with your household size?", Type: Scale, Min: 1, Max: 5}
	if a := answer(t, ask(t, size, Policy{}), Respondent{ID: "m", Profile: ParseProfile("Household size: 4")}); a.State == Stated {
		t.Errorf("a size is no satisfaction: %+v", a)
	}
	a := answer(t, ask(t, Question{Text: "Rate it", Type: Scale, Min: 1, Max: 5}, Policy{}), Respondent{ID: "m", Earlier: []Earlier{{Question: "rate it?", Number: &three}}})
	if a.State != Stated || *a.Number != 3 {
		t.Errorf("an earlier answer to the same wording stands: %+v", a)
	}
}

// Options map one to one by label, synonym or scale, or not at all.
func TestMapOptions(t *testing.T) {
	for _, c := range []struct {
		asked, published string
		want             string // asked->published indexes, "" = no mapping
		quality          float64
	}{
		{"Rare|Medium rare|Medium|Medium well|Well done", "Rare|Medium rare|Medium|Medium well|Well", "[0 1 2 3 4]", 1},
		{"No|Yes", "Yes|No", "[1 0]", 1},
		{"yes|no|not sure", "Yes|No|Don't know", "[0 1 2]", 1},
		{"Yes|No|Unsure", "Yes|No", "[0 1 -1]", 1},
		{"Yes|No", "Yes|No|No answer", "[0 1]", 1},
		{"Strongly agree|Agree|Neither agree nor disagree|Disagree|Strongly disagree", "Completely agree|Somewhat agree|Neutral|Somewhat disagree|Completely disagree", "[0 1 2 3 4]", byLoose},
		{"Very likely|Somewhat likely|Somewhat unlikely|Very unlikely", "Very likely|Somewhat likely|Somewhat unlikely|Very unlikely", "[0 1 2 3]", 1},
		{"Very satisfied|Satisfied|Dissatisfied|Very dissatisfied", "Very happy|Happy|Unhappy|Very unhappy", "[0 1 2 3]", 1},
		{"Support|Oppose", "Favor|Not favor", "[0 1]", byLoose},
		{"Never|Rarely|Sometimes|Often", "Never|Seldom|Occasionally|Frequently", "[0 1 2 3]", 1},
		{"A great deal|Some|Not much|Not at all", "A lot|Some|Not much|Not at all", "[0 1 2 3]", 1},
		{"Extremely worried|Very worried|Somewhat worried|Not too worried|Not at all worried", "Not at all worried|Not so worried|Somewhat worried|Very worried|Extremely worried", "[4 3 2 1 0]", 1},
		{"Tea|Coffee", "Yes|No", "", 0},
		{"Tea|Coffee|Juice", "Tea|Coffee", "", 0},
		{"Tea|Coffee", "Tea|Coffee|Juice", "", 0},
		{"Low|Medium|High", "Never|Sometimes|Often", "[0 1 2]", byPosition},
	} {
		a, p := readLabels(strings.Split(c.asked, "|")), readLabels(strings.Split(c.published, "|"))
		m, ok := mapOptions(a, p, direction(a) != 0, direction(p) != 0)
		if got := fmt.Sprint(m.to); ok != (c.want != "") || (ok && (got != c.want || m.quality != c.quality)) {
			t.Errorf("%s -> %s: %s %.2f %v, want %s", c.asked, c.published, got, m.quality, ok, c.want)
		}
	}
}

// One question in other words: the same, near, or another one.
func TestQuestionMatch(t *testing.T) {
	for _, c := range []struct {
		survey, id string
		q          Question
		want       State
	}{
		{"us-steak-risk-2014", "doneness", cat("How do you like your steak cooked?", "Well done", "Medium well", "Medium", "Medium rare", "Rare"), Grounded},
		{"us-steak-risk-2014", "doneness", cat("How do you like your steak prepared? (Rare / Medium rare / Medium / Medium well / Well done)", "Rare", "Medium rare", "Medium", "Medium well", "Well done"), Grounded},
		{"us-steak-risk-2014", "smoke", cat("Do you smoke cigarettes?", yesNo...), Grounded},
		{"us-steak-risk-2014", "smoke", cat("Do you smoke?", yesNo...), Related},
		{"us-steak-risk-2014", "smoke", cat("Do you ever drink alcohol?", yesNo...), Unsupported},
		{"us-pew-chatgpt-2025", "used", cat("have you ever used chatgpt", yesNo...), Grounded},
		{"us-pew-chatgpt-2025", "used", cat("Have you ever used Gemini?", yesNo...), Unsupported},
		{"ca-election-study-2011", "abortion", cat("Should abortion be legal?", yesNo...), Related},
		{"ca-election-study-2011", "abortion", cat("Should abortion be banned?", yesNo...), Grounded},
		{"us-citizens-voting-2020", "Q8_8", cat("Do you distrust the police?", "A lot", "Some", "Not much", "Not at all"), Unsupported},
		{"us-pew-energy-2018", "coal_mining", cat("Do you favor or oppose expanding nuclear power plants as a source of energy in this country?", "Favor", "Oppose"), Unsupported},
		{"us-earthquake-worry-2015", "worry", Question{Text: "How worried are you about earthquakes?", Type: Scale, Min: 1, Max: 5}, Related},
	} {
		_, e := find(t, c.survey, c.id)
		a := answer(t, ask(t, c.q, Policy{}), Respondent{ID: "m", Evidence: []*Evidence{e}})
		if a.State != c.want {
			t.Errorf("%q with %q: %s, want %s", c.q.Text, e.Question, a.State, c.want)
		}
	}
	// Turned round: what was published for "banned: Yes" is read for "legal: No".
	_, e := find(t, "ca-election-study-2011", "abortion")
	a := answer(t, ask(t, cat("Should abortion be legal?", yesNo...), Policy{}), Respondent{ID: "m", Evidence: []*Evidence{e}})
	if a.Probabilities[0] < .55 {
		t.Errorf("mirrored probabilities: %v", a.Probabilities)
	}
}

// Each library question matches no other with a different wording as the same.
func TestLibraryQuestionsAreApart(t *testing.T) {
	type item struct {
		p *prepared
		c *compiled
	}
	var all []item
	for _, s := range library(t) {
		for _, q := range s.Questions {
			p, err := newPrepared(q.asked(), Policy{})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, item{p, compile(q.evidence(t, s))})
		}
	}
	for i := range all {
		for j := range all {
			if all[i].p.topic.folded == all[j].p.topic.folded {
				continue
			}
			if m := all[i].p.match(all[j].c); m != nil && m.score >= .7 {
				t.Errorf("%.2f: %q is taken for %q", m.score, all[j].c.Question, all[i].p.q.Text)
			}
		}
	}
}

func TestPolicies(t *testing.T) {
	q, e := find(t, "us-steak-risk-2014", "smoke")
	given := *e
	given.Origin = OriginAudience
	ctx := context.Background()
	pic := q.asked()
	pic.StimulusKinds = []string{"text", "image"}
	if a := answer(t, ask(t, pic, Policy{}), Respondent{ID: "m", Evidence: []*Evidence{e}}); a.Status != CannotAnswer || a.Reason != ReasonNeedsVision || a.State != "" {
		t.Errorf("an image cannot be seen: %+v", a)
	}
	if a := answer(t, ask(t, q.asked(), Policy{Strict: true}), Respondent{ID: "m"}); a.Status != CannotAnswer || a.Reason != ReasonNoEvidence {
		t.Errorf("strict: %+v", a)
	}
	if a := answer(t, ask(t, q.asked(), Policy{KnowledgeOnly: true}), Respondent{ID: "m", Evidence: []*Evidence{&given}}); a.State != Unsupported {
		t.Errorf("knowledge_only takes nothing of the Audience (M-27): %+v", a)
	}
	if a := answer(t, ask(t, q.asked(), Policy{}), Respondent{ID: "m", Evidence: []*Evidence{&given}}); a.State != Grounded || a.Citations[0].Origin != OriginAudience {
		t.Errorf("%+v", a)
	}
	for _, bad := range []Question{{}, {Text: "x", Type: "essay"}, {Text: "x", Type: Categorical, Options: []string{"a"}}, {Text: "x", Type: Scale, Min: 5, Max: 1}, {Text: "x", Type: Multiselect, Options: yesNo, MinSelections: 3}} {
		if _, err := NewOffline().Ask(ctx, bad, Policy{}); !fault.Is(err, fault.Validation) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := ask(t, q.asked(), Policy{}).Answer(gone, Respondent{}); err == nil {
		t.Error("a cancelled context must stop")
	}
}

// Traits move an ordered question, and say so.
func TestTrait(t *testing.T) {
	q := Question{Text: "How important is the price of a car?", Type: Scale, Min: 1, Max: 10}
	a := ask(t, q, Policy{})
	sum := func(profile string) (s float64, st State) {
		for i := range 64 {
			x := answer(t, a, Respondent{ID: fmt.Sprint(i), Slot: int64(i), Profile: ParseProfile(profile)})
			s, st = s+*x.Number, x.State
		}
		return s / 64, st
	}
	high, st1 := sum("Price sensitivity: high")
	low, st2 := sum("Price sensitivity: low")
	none, st3 := sum("Age: 30")
	if st1 != Trait || st2 != Trait || st3 != Unsupported || high <= none+.3 || low >= none-.3 {
		t.Errorf("high %.2f %s, none %.2f %s, low %.2f %s", high, st1, none, st3, low, st2)
	}
}

func TestMultiselect(t *testing.T) {
	q, e := find(t, "us-pew-social-2023", "platforms")
	a := ask(t, q.asked(), Policy{})
	count := map[string]float64{}
	for i := range 64 {
		x := answer(t, a, Respondent{ID: fmt.Sprint(i), Slot: int64(i), Evidence: []*Evidence{e}})
		if x.State != Grounded || len(x.Probabilities) != len(q.Options) {
			t.Fatalf("%+v", x)
		}
		for _, o := range x.Options {
			count[o]++
		}
	}
	for _, o := range e.Options {
		if d := count[o.Label]/64 - o.Share; d > 1.0/32+1e-6 || d < -1.0/32-1e-6 {
			t.Errorf("%s: %.3f drawn, %.3f published", o.Label, count[o.Label]/64, o.Share)
		}
	}
	lim := q.asked()
	lim.Options = append(lim.Options, "None of these")
	lim.MinSelections, lim.MaxSelections, lim.Exclusive = 1, 3, []string{"None of these"}
	a = ask(t, lim, Policy{})
	for i := range 200 {
		x := answer(t, a, Respondent{ID: fmt.Sprint(i), Slot: int64(i)})
		if len(x.Options) < 1 || len(x.Options) > 3 || (len(x.Options) > 1 && strings.Contains(strings.Join(x.Options, "|"), "None of these")) {
			t.Fatalf("%v", x.Options)
		}
	}
}

// Open answers are extracts with their source, or plainly nothing.
func TestOpenText(t *testing.T) {
	r := Respondent{ID: "m1", Passages: []Passage{
		{ID: "k1", Text: "I moved to Leeds in 2019. The coffee at the station is too bitter for me. My sister lives in York."},
		{ID: "k2", Text: "Coffee prices went up twice this year. I now brew at home."},
	}}
	a := answer(t, ask(t, Question{Text: "What do you think of the coffee?", Type: Qualitative}, Policy{}), r)
	if a.State != Stated || !strings.Contains(a.Text, "coffee at the station") || !reflect.DeepEqual(a.SourceIDs[:1], []string{"k1"}) {
		t.Errorf("%+v", a)
	}
	for _, s := range strings.SplitAfter(a.Text, ". ") {
		if !strings.Contains(r.Passages[0].Text+r.Passages[1].Text, strings.TrimSpace(s)) {
			t.Errorf("%q is no extract", s)
		}
	}
	b := answer(t, ask(t, Question{Text: "Why do elephants sleep so little?", Type: Qualitative}, Policy{}), r)
	if b.State != Unsupported || len(b.SourceIDs) != 0 || strings.Contains(strings.ToLower(b.Text), "elephant") {
		t.Errorf("nothing near, nothing said: %+v", b)
	}
	if c := answer(t, ask(t, Question{Text: "Why do elephants sleep so little?", Type: Qualitative}, Policy{Strict: true}), r); c.Status != CannotAnswer {
		t.Errorf("%+v", c)
	}
}

func TestReply(t *testing.T) {
	q, e := find(t, "us-steak-risk-2014", "doneness")
	r := Respondent{ID: "m1", Name: "Mia", Slot: 9, Profile: ParseProfile("Age: 64\nOccupation: Nurse"), Evidence: []*Evidence{e},
		Passages: []Passage{{ID: "k1", Text: "I take the night train to work. Trains are late on Mondays."}}}
	say := func(m string, p Policy) Reply {
		t.Helper()
		out, err := NewOffline().Reply(context.Background(), r, m, p)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	// M-344: the same answer as in a Study.
	form, ok := FromEvidence("How do you like your steak prepared?", e)
	if !ok {
		t.Fatal("no form")
	}
	study := answer(t, ask(t, form, Policy{}), r)
	if got := say("How do you like your steak prepared?", Policy{}); got.State != Grounded || !strings.HasPrefix(got.Text, study.Message) || got.SourceIDs[0] != e.ID {
		t.Errorf("%+v, in a Study %q", got, study.Message)
	}
	if d := answer(t, ask(t, q.asked(), Policy{}), r); d.Option != study.Option {
		t.Errorf("%q and %q", d.Option, study.Option)
	}
	if got := say("How do you feel about trains?", Policy{}); got.State != Stated || !strings.Contains(got.Text, "Trains are late") || got.SourceIDs[0] != "k1" {
		t.Errorf("%+v", got)
	}
	if got := say("What is your occupation?", Policy{}); got.State != Stated || !strings.Contains(got.Text, "Nurse") {
		t.Errorf("%+v", got)
	}
	if got := say("Hello", Policy{}); got.State != Trait || !strings.Contains(got.Text, "Mia") {
		t.Errorf("%+v", got)
	}
	// M-27: knowledge_only with nothing found is a fallback without facts.
	if got := say("What do you know about volcanoes?", Policy{KnowledgeOnly: true}); !got.Fallback || got.State != Unsupported || len(got.SourceIDs) != 0 {
		t.Errorf("%+v", got)
	}
	if got := say("What do you know about volcanoes?", Policy{}); got.Fallback || got.State != Unsupported {
		t.Errorf("%+v", got)
	}
	if _, err := NewOffline().Reply(context.Background(), r, "  ", Policy{}); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
}

// M-343: the roll-up, its verdict and its headline.
func TestSummaryM343(t *testing.T) {
	many := func(n int, s State) (out []Answer) {
		for range n {
			out = append(out, Answer{Status: Answered, State: s})
		}
		return out
	}
	s := Summarise(append(many(12, Grounded), many(2, Related)...))
	if s.Headline != "86% of answers rest on published or imported figures, 14% on related evidence." || !s.Sufficient {
		t.Errorf("%+v", s)
	}
	if s := Summarise(many(1, Grounded)); s.Headline != "100% of answers rest on published or imported figures." {
		t.Error(s.Headline)
	}
	if s := Summarise(nil); s.Headline != "No Mind was asked." || s.Sufficient {
		t.Errorf("%+v", s)
	}
	if s := Summarise(append(many(5, Grounded), many(5, Unsupported)...)); !s.Sufficient {
		t.Error("half is not more than half")
	}
	u := Summarise(append(many(4, Stated), many(6, Unsupported)...))
	if u.Sufficient || !strings.HasPrefix(u.Headline, "No finding") {
		t.Errorf("%+v", u)
	}
	var tally Tally
	tally.Merge(s)
	tally.Add(CannotAnswer, "")
	if x := tally.Summary(); x.CannotAnswer != 1 || x.Grounded != 12 {
		t.Errorf("%+v", x)
	}
}
