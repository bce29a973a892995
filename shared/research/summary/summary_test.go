package summary

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs/folder"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const studyID = "550e8400-e29b-41d4-a716-446655440000"

// studies are settled questions, and who may open their Study.
type studies struct {
	owner string
	list  []study.Settled
	reads atomic.Int64 // questions are read side by side
}

func (s *studies) Outline(ctx context.Context, id string) (study.Outline, error) {
	if account.From(ctx).Account != s.owner {
		return study.Outline{}, fault.New(fault.NotFound, "No Study with this id.")
	}
	o := study.Outline{Study: study.Study{ID: id, WorkspaceURL: "https://mindgate.example/s"}}
	for _, q := range s.list {
		o.Questions = append(o.Questions, study.OutlineQuestion{ID: q.QuestionID, MessageID: q.MessageID, Settled: true, Status: q.Status, SettledAt: q.SettledAt, Answered: q.All.Base.Answered})
	}
	return o, nil
}

func (s *studies) Settled(_ context.Context, _ string, ids []string, use func(study.Settled) error) error {
	s.reads.Add(1)
	for _, q := range s.list {
		if q.QuestionID == ids[0] {
			return use(q)
		}
	}
	return nil
}

type world struct {
	*Service
	t     *testing.T
	ctx   context.Context
	of    *studies
	store *broken
	clock *clock.Held
}

// broken is a store whose transactions a test lets fail, as a kill before them would.
type broken struct {
	*sqlite.Store
	before func() error
}

func (b *broken) Transact(ctx context.Context, token string, actions ...records.Action) error {
	if b.before != nil {
		if err := b.before(); err != nil {
			return err
		}
	}
	return b.Store.Transact(ctx, token, actions...)
}

func open(t *testing.T, m model.Client, list ...study.Settled) *world {
	t.Helper()
	w := &world{t: t, of: &studies{owner: "anna", list: list}, clock: clock.Hold(start)}
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "records.db"), sqlite.Options{Clock: w.clock, CursorKey: []byte(strings.Repeat("k", 32))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	files, err := folder.Open(filepath.Join(dir, "blobs"), folder.Options{Clock: w.clock, LinkKey: []byte(strings.Repeat("l", 32)), BaseURL: "https://mindgate.example"})
	if err != nil {
		t.Fatal(err)
	}
	w.store = &broken{Store: store}
	w.Service = New(Deps{Records: w.store, Blobs: files, Clock: w.clock, Studies: w.of, Model: m})
	w.ctx = w.as("anna")
	// The Study's own row, whose deletion ends its summaries.
	if err := store.Transact(w.ctx, "", records.PutItem(records.Item{Key: records.Key{PK: studyPK("ws-anna", studyID), SK: "study"}})); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) as(name string) context.Context {
	return account.With(w.t.Context(), account.Principal{Account: name, Workspace: "ws-" + name, Scopes: []string{"*"}})
}

func (w *world) refresh(length string, force bool) Summary {
	w.t.Helper()
	s, err := w.Refresh(w.ctx, Request{StudyID: studyID, Length: length, Force: force})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// asked is a question that groups of Minds answered; answer gives what Mind i of
// Audience a says. Every Audience has so many Minds.
func asked(id, text string, q simulate.Question, state simulate.State, audiences, each int, answer func(a, i int) simulate.Answer) study.Settled {
	q.Text = text
	out := study.Settled{QuestionID: id, MessageID: "m-" + id, RunID: "r-" + id, Text: text, Question: q, Status: study.Completed, SettledAt: clock.Stamp(start)}
	var all simulate.Tally
	total := map[string]int{}
	for a := range audiences {
		var t simulate.Tally
		g := study.Group{ID: fmt.Sprintf("a%d", a), Name: fmt.Sprintf("Audience %d", a+1), Counts: map[string]int{}}
		for i := range each {
			x := answer(a, i)
			x.Status, x.State = simulate.Answered, state
			if state != simulate.Unsupported {
				x.Citations = []simulate.Citation{{SourceID: "s1", Source: "Steak survey", Dates: "May 2014", URL: "https://example.org/a_(b)"}}
			}
			t.Add(x.Status, x.State)
			all.Add(x.Status, x.State)
			labels := x.Options
			if x.Option != "" {
				labels = []string{x.Option}
			}
			if x.Number != nil {
				labels = []string{plain(*x.Number)}
			}
			for _, l := range labels {
				g.Counts[l]++
				total[l]++
			}
			out.Minds = append(out.Minds, study.MindAnswer{MindID: fmt.Sprintf("m%d-%d", a, i), Audiences: []int{a}, Weights: []float64{1}, Answer: &x})
		}
		n := float64(each)
		g.Base, g.Evidence = study.Base{Participating: each, Asked: each, Answered: each, EffectiveN: &n}, t.Summary()
		out.Audiences = append(out.Audiences, g)
	}
	n := float64(audiences * each)
	out.All = study.Group{Base: study.Base{Participating: audiences * each, Asked: audiences * each, Answered: audiences * each, EffectiveN: &n}, Counts: total, Evidence: all.Summary()}
	return out
}

var steak = simulate.Question{Type: simulate.Categorical, Options: []string{"Rare", "Medium", "Well Done"}}

// differing is answered differently by two Audiences; blank by everybody by chance.
func differing() study.Settled {
	return asked("q1", "How do you like your steak?", steak, simulate.Grounded, 2, 20, func(a, i int) simulate.Answer {
		return simulate.Answer{Option: steak.Options[min(2, a+i/15)]}
	})
}

func blank() study.Settled {
	return asked("q2", "Which brand is best?", simulate.Question{Type: simulate.Categorical, Options: []string{"Alpha", "Beta"}}, simulate.Unsupported, 2, 20, func(_, i int) simulate.Answer {
		return simulate.Answer{Option: []string{"Alpha", "Alpha", "Beta"}[i%3]}
	})
}

func kinds(s Summary) (out []string) {
	for _, raw := range s.Blocks {
		var b struct{ Kind string }
		_ = json.Unmarshal(raw, &b)
		out = append(out, b.Kind)
	}
	return out
}

func block(t *testing.T, s Summary, kind string, nth int) map[string]any {
	t.Helper()
	for _, raw := range s.Blocks {
		var b map[string]any
		if err := json.Unmarshal(raw, &b); err != nil {
			t.Fatal(err)
		}
		if b["kind"] == kind {
			if nth == 0 {
				return b
			}
			nth--
		}
	}
	t.Fatalf("no block %s", kind)
	return nil
}

func worded(t *testing.T, s Summary) string {
	t.Helper()
	by, _ := block(t, s, kindProvenance, 0)["wordedBy"].(string)
	return by
}

// M-324: none at first; refresh writes and stores; reading writes nothing; equal
// answers give equal bytes; a new settled question makes it stale.
func TestStoredAndStale_M324(t *testing.T) {
	w := open(t, nil, differing())
	s, err := w.Get(w.ctx, studyID)
	if err != nil || s.Text != nil || !s.Metadata.IsStale || s.Metadata.GeneratedAt != nil || len(s.Blocks) != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	made := w.refresh("", false)
	if !made.Metadata.Refreshed || made.Metadata.IsStale || made.Metadata.Length != Standard || made.Metadata.CoveredMessageIDs[0] != "m-q1" || worded(t, made) != fixedSentences {
		t.Fatalf("%+v", made.Metadata)
	}
	reads := w.of.reads.Load()
	w.clock.Advance(time.Hour)
	again := w.refresh(Standard, false)
	if again.Metadata.Refreshed || *again.Metadata.GeneratedAt != *made.Metadata.GeneratedAt || w.of.reads.Load() != reads {
		t.Error("what is covered must not be written again")
	}
	forced := w.refresh(Standard, true)
	if !forced.Metadata.Refreshed || *forced.Text != *made.Text || *forced.Metadata.GeneratedAt == *made.Metadata.GeneratedAt {
		t.Error("force writes anew, and equal answers give equal words")
	}
	w.of.list = append(w.of.list, blank())
	stale, err := w.Get(w.ctx, studyID)
	if err != nil || !stale.Metadata.IsStale || len(stale.Metadata.CoveredMessageIDs) != 1 || *stale.Text != *made.Text {
		t.Errorf("%+v, %v", stale.Metadata, err)
	}
	if now := w.refresh("", false); now.Metadata.IsStale || len(now.Metadata.CoveredMessageIDs) != 2 {
		t.Errorf("%+v", now.Metadata)
	}
}

// M-343: the text leads with the evidence; a question that nothing supports has
// counts and no finding, no test and no share in the key findings.
func TestLeadsWithEvidence_M343(t *testing.T) {
	w := open(t, nil, differing(), blank())
	s := w.refresh(Detailed, false)
	if !strings.HasPrefix(*s.Text, "**50% of answers rest on published or imported figures, 50% on nothing") || !strings.Contains(*s.Text, "All answers are synthetic") {
		t.Error(*s.Text)
	}
	if q := block(t, s, kindQuestion, 1); q["finding"] != nil || q["suppressed"] != true || q["figures"].(map[string]any)["dominantCategory"] != nil {
		t.Errorf("%v", q)
	}
	if d := block(t, s, kindDifferences, 1); d["tested"] != false || d["reason"] != study.NoEvidence {
		t.Errorf("%v", d)
	}
	if k := block(t, s, kindFindings, 0)["findings"].([]any); len(k) != 1 {
		t.Errorf("%v", k)
	}
	none := open(t, nil, blank()).refresh(Standard, false)
	if !strings.HasPrefix(*none.Text, "**No finding:") || none.Metadata.Evidence.Sufficient || strings.Contains(*none.Text, "Most frequent") {
		t.Error(*none.Text)
	}
	for _, k := range kinds(none) {
		if k == kindFindings {
			t.Error("a finding stands where nothing supports one")
		}
	}
}

// Audiences are tested with the correction of Holm when they share no Mind and have
// ten answers each, and described else.
func TestDifferences_M210(t *testing.T) {
	s := open(t, nil, differing()).refresh(Standard, false)
	d := block(t, s, kindDifferences, 0)
	tests := d["tests"].([]any)
	if d["tested"] != true || d["correction"] != "holm" || len(tests) != 1 || !strings.Contains(*s.Text, "differ beyond chance") || !strings.Contains(*s.Text, "points more often than") {
		t.Fatalf("%v\n%s", d, *s.Text)
	}
	for _, p := range tests[0].(map[string]any)["pairs"].([]any) {
		if p := p.(map[string]any); p["pAdjusted"].(float64) < p["p"].(float64) {
			t.Error("Holm only raises")
		}
	}
	shared := differing()
	shared.Minds[0].Audiences, shared.Minds[0].Weights = []int{0, 1}, []float64{1, 1}
	small := asked("q1", "How do you like your steak?", steak, simulate.Grounded, 2, 9, func(a, _ int) simulate.Answer { return simulate.Answer{Option: steak.Options[a]} })
	for _, c := range []struct {
		q    study.Settled
		want string
	}{{shared, study.SharedMinds}, {small, study.FewAnswers}} {
		if d := study.Differences(c.q); d.Reason != c.want || len(d.Tests) != 0 {
			t.Errorf("%+v, want %s", d, c.want)
		}
	}
	number := func(x float64) *float64 { return &x }
	scale := asked("q3", "Rate it", simulate.Question{Type: simulate.Scale, Min: 1, Max: 5}, simulate.Grounded, 3, 12, func(a, i int) simulate.Answer {
		return simulate.Answer{Number: number(float64(1 + a + i%2))}
	})
	multi := asked("q4", "Pick all", simulate.Question{Type: simulate.Multiselect, Options: []string{"A", "B", "C"}}, simulate.Grounded, 2, 30, func(a, i int) simulate.Answer {
		out := []string{"B"}
		if a == 0 || i == 0 {
			out = append(out, "A")
		}
		return simulate.Answer{Options: out}
	})
	d3, d4 := study.Differences(scale), study.Differences(multi)
	if len(d3.Tests) != 1 || d3.Tests[0].Kind != "welch_anova" || len(d3.Tests[0].Pairs) != 3 {
		t.Errorf("%+v", d3)
	}
	if len(d4.Tests) != 3 || !study.Significant(d4.Tests[0].Pairs[0]) || d4.Tests[1].P != nil || len(d4.Tests[1].Pairs) != 0 {
		t.Errorf("%+v", d4)
	}
}

// Every number of the text stands in the blocks' figures: weights and effective base
// are those of M-127, and no share of nobody is a nought (M-211).
func TestFiguresAreWeighted_M127(t *testing.T) {
	q := differing()
	n, sum := 12.5, 50.0
	q.All.Weighted, q.All.Weight, q.All.Base.EffectiveN = map[string]float64{"Rare": 35, "Medium": 10, "Well Done": 5}, sum, &n
	s := open(t, nil, q).refresh(Standard, false)
	d := block(t, s, kindQuestion, 0)["figures"].(map[string]any)
	first := d["distribution"].([]any)[0].(map[string]any)
	if first["pct"] != 70.0 || d["dominantCategory"] != "Rare" || !strings.Contains(*s.Text, "effective base 12.5") {
		t.Errorf("%v\n%s", d, *s.Text)
	}
	// Wilson at 70 % of 12.5: (p + z²/2n ± z√(p(1-p)/n + z²/4n²))/(1 + z²/n).
	ci := first["ci95"].([]any)
	z, p := 1.959964, .7
	mid, half := (p+z*z/(2*n))/(1+z*z/n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))/(1+z*z/n)
	if math.Abs(ci[0].(float64)-100*(mid-half)) > 1e-9 || math.Abs(ci[1].(float64)-100*(mid+half)) > 1e-9 {
		t.Errorf("%v", ci)
	}
	failed := differing()
	failed.QuestionID, failed.Minds, failed.Audiences = "q9", nil, nil
	failed.All = study.Group{Base: study.Base{Asked: 4, Failed: 4}, Counts: map[string]int{"Rare": 0}, Evidence: (simulate.Tally{}).Summary()}
	f := findingOf(failed)
	for _, x := range f.groups[0].Distribution {
		if x.Pct != nil || x.CI95 != nil {
			t.Error("nobody answered: null, not nought")
		}
	}
}

// A Study without a settled answer, another account, an unknown length.
func TestRefusals_M3(t *testing.T) {
	w := open(t, nil)
	if _, err := w.Refresh(w.ctx, Request{StudyID: studyID}); !fault.Is(err, fault.NotEnoughContent) {
		t.Error(err)
	}
	if _, err := w.Refresh(w.ctx, Request{StudyID: studyID, Length: "long"}); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
	for _, read := range []func(context.Context) error{
		func(ctx context.Context) error { _, err := w.Get(ctx, studyID); return err },
		func(ctx context.Context) error { _, err := w.Refresh(ctx, Request{StudyID: studyID}); return err },
	} {
		if err := read(w.as("bert")); !fault.Is(err, fault.NotFound) {
			t.Error(err)
		}
	}
}

// A kill before the write leaves what was stored; the next refresh writes all.
func TestKilledBeforeTheWrite(t *testing.T) {
	w := open(t, nil, differing())
	was := w.refresh("", false)
	w.of.list = append(w.of.list, blank())
	killed := errors.New("killed")
	w.store.before = func() error { return killed }
	if _, err := w.Refresh(w.ctx, Request{StudyID: studyID}); !errors.Is(err, killed) {
		t.Fatal(err)
	}
	w.store.before = nil
	if s, err := w.Get(w.ctx, studyID); err != nil || *s.Text != *was.Text || !s.Metadata.IsStale {
		t.Fatalf("%+v, %v", s.Metadata, err)
	}
	if s := w.refresh("", false); len(s.Metadata.CoveredMessageIDs) != 2 {
		t.Errorf("%+v", s.Metadata)
	}
	// The Study was deleted while its summary was written: nothing is left of it.
	w.store.before = func() error {
		w.store.before = nil
		return w.store.Store.Transact(w.ctx, "", records.DeleteItem(records.Key{PK: studyPK("ws-anna", studyID), SK: "study"}))
	}
	if _, err := w.Refresh(w.ctx, Request{StudyID: studyID, Force: true}); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

// A slow refresh does not replace one that covers more.
func TestLaterCoverageStays(t *testing.T) {
	w := open(t, nil, differing())
	w.store.before = func() error {
		w.store.before = nil
		w.of.list = append(w.of.list, blank())
		w.refresh("", false)
		w.of.list = w.of.list[:1]
		return nil
	}
	if s := w.refresh("", false); len(s.Metadata.CoveredMessageIDs) != 2 {
		t.Errorf("%+v", s.Metadata)
	}
}

// M-324: heatmap blocks outlive a refresh.
func TestHeatmapsAreKept_M324(t *testing.T) {
	w := open(t, nil, differing())
	r := row{Length: Standard, Version: "old", Body: &body{Text: "x", Blocks: []json.RawMessage{json.RawMessage(`{"kind":"heatmap","asset":"a"}`), json.RawMessage(`{"kind":"evidence"}`)}}}
	if _, err := w.Service.store(w.ctx, "ws-anna", studyID, r); err != nil {
		t.Fatal(err)
	}
	s := w.refresh("", false)
	if k := kinds(s); k[len(k)-1] != "heatmap" || strings.Count(strings.Join(k, " "), kindEvidence) != 1 {
		t.Error(k)
	}
}

// The fixed sentences are written in the language of most questions.
func TestLanguages(t *testing.T) {
	for text, want := range map[string]string{
		"Wie mögen Sie Ihr Steak und warum ist das so?": "beruhen auf veröffentlichten",
		"Comment aimez-vous votre steak, et pourquoi ?": "reposent sur des chiffres",
		"¿Cómo le gusta el filete y por qué?":           "se apoyan en cifras",
		"How do you like your steak, and why is that?":  "rest on published",
		"ステーキの焼き加減はどれが好きですか。":                           "rest on published",
	} {
		q := differing()
		q.Text = text
		if s := open(t, nil, q).refresh(Detailed, false); !strings.Contains(*s.Text, want) || strings.Contains(*s.Text, "%!") {
			t.Errorf("%s: %s", text, *s.Text)
		}
	}
	for name, w := range languages {
		if w.lang != name || len(w.limits) != 3 || w.more == "" || w.p(.01) == "" {
			t.Error(name)
		}
	}
}

// What others wrote stands in the text as text, in one line.
func TestTextsOfOthersAreInert(t *testing.T) {
	q := differing()
	q.Text = "Rate it\n\n# Ignore all\n[x](javascript:alert(1)) <b>|"
	s := open(t, nil, q).refresh(Detailed, false)
	if strings.Contains(*s.Text, "\n# Ignore") || strings.Contains(*s.Text, "[x](") || strings.Contains(*s.Text, " <b>") {
		t.Error(*s.Text)
	}
}

// Lengths tell less or more of the same.
func TestLengths(t *testing.T) {
	w := open(t, nil, differing(), blank())
	brief, standard, detailed := w.refresh(Short, false), w.refresh(Standard, false), w.refresh(Detailed, false)
	if !(len(*brief.Text) < len(*standard.Text) && len(*standard.Text) < len(*detailed.Text)) || brief.Metadata.Length != Brief || len(brief.Blocks) != len(detailed.Blocks) {
		t.Error(len(*brief.Text), len(*standard.Text), len(*detailed.Text))
	}
	if s, err := w.Get(w.ctx, studyID); err != nil || s.Metadata.Length != Detailed {
		t.Errorf("%+v, %v", s.Metadata, err)
	}
	w.refresh(Brief, false) // is there: read, and the latest from now on
	if s, err := w.Get(w.ctx, studyID); err != nil || s.Metadata.Length != Brief {
		t.Errorf("%+v, %v", s.Metadata, err)
	}
}

// writer is a model that says what a test wants.
type writes struct {
	say   string
	err   error
	asked int
	saw   model.Request
}

func (w *writes) Info() model.Info { return model.Info{Provider: "openai", Model: "small"} }
func (w *writes) Complete(_ context.Context, r model.Request) (model.Response, error) {
	w.asked++
	w.saw = r
	return model.Response{Text: w.say}, w.err
}
func (w *writes) Stream(ctx context.Context, r model.Request, _ func(string) error) (model.Response, error) {
	return w.Complete(ctx, r)
}

// A model words findings; a number that does not stand in the figures of its own
// question, a quantity in words, a failure, leave the fixed sentence. Blocks and
// figures are never the model's.
func TestModelWordsAndChangesNoFigure_M340(t *testing.T) {
	plainly := open(t, nil, differing()).refresh(Standard, false)
	for name, c := range map[string]struct {
		say  string
		err  error
		kept bool
	}{
		"faithful":        {say: `{"findings":[{"question":1,"text":"Medium leads among the Minds at 50%, ahead of Rare."}]}`, kept: true},
		"another figure":  {say: `{"findings":[{"question":1,"text":"Medium leads at 51%."}]}`},
		"part of one":     {say: `{"findings":[{"question":1,"text":"Medium leads at 5%."}]}`},
		"another's":       {say: `{"findings":[{"question":1,"text":"Medium leads at 13%."}]}`},
		"in words":        {say: `{"findings":[{"question":1,"text":"Half of the Minds choose Medium."}]}`},
		"people":          {say: `{"findings":[{"question":1,"text":"Most people choose Medium."}]}`},
		"other question":  {say: `{"findings":[{"question":7,"text":"Medium leads at 50%."}]}`},
		"nonsense":        {say: `nonsense`},
		"a model failing": {err: errors.New("down")},
	} {
		m := &writes{say: c.say, err: c.err}
		s := open(t, m, differing()).refresh(Standard, false)
		if kept := worded(t, s) == "openai/small"; kept != c.kept || kept != strings.Contains(*s.Text, "ahead of Rare") {
			t.Errorf("%s: %s", name, *s.Text)
		}
		if !c.kept && *s.Text != *plainly.Text {
			t.Errorf("%s: the fixed sentences must stay", name)
		}
		last := len(s.Blocks) - 1 // says who worded it
		one, _ := json.Marshal(s.Blocks[:last])
		two, _ := json.Marshal(plainly.Blocks[:last])
		if string(one) != string(two) {
			t.Errorf("%s: blocks changed", name)
		}
	}
	m := &writes{say: `{"findings":[]}`}
	open(t, m, blank()).refresh(Standard, false)
	if m.asked != 0 {
		t.Error("where nothing supports a finding, no model is asked for one")
	}
}

// A large summary goes to the blob store and comes back whole.
func TestLargeSummary(t *testing.T) {
	var list []study.Settled
	for i := range 200 {
		q := asked(fmt.Sprintf("q%03d", i), strings.Repeat("Long question ", 60), steak, simulate.Grounded, 4, 3, func(_, i int) simulate.Answer { return simulate.Answer{Option: steak.Options[i%3]} })
		list = append(list, q)
	}
	w := open(t, nil, list...)
	made := w.refresh(Detailed, false)
	s, err := w.Get(w.ctx, studyID)
	if err != nil || *s.Text != *made.Text || len(s.Blocks) != len(made.Blocks) || len(s.Metadata.CoveredMessageIDs) != 200 {
		t.Fatal(err)
	}
	size := len(*s.Text)
	for _, b := range s.Blocks {
		size += len(b)
	}
	if size < inlineLimit || size > 3<<20 {
		t.Error(size)
	}
}
