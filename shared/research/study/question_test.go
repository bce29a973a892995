package study_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

const steak = "How do you like your steak prepared? Rare / Medium Rare / Medium / Medium Well / Well Done"

// The main job: 120 Minds in two Audiences that share 20 of them, asked a
// question that all know a published distribution of. Each Mind is asked once
// (M-73), counts in each of its Audiences, and every answer says what it rests
// on (M-340 to M-343).
func TestAskSettles_M73_M340(t *testing.T) {
	w := newWorld(t, account.Team)
	ids := w.minds(w.ctx, 120)
	w.teach(w.ctx, ids, doneness)
	s := w.study(w.ctx, "Steak", w.audience(w.ctx, "First", ids[:70]), w.audience(w.ctx, "Second", ids[50:]))
	got := w.ask(w.ctx, s.ID, steak)
	if got.Status != study.Completed || got.Type != "categorical" || got.TotalMinds != 120 || got.AnsweredCount != 120 {
		t.Fatalf("%s %s asked %d answered %d", got.Status, got.Type, got.TotalMinds, got.AnsweredCount)
	}
	for id, n := range w.engine.asked {
		if n != 1 {
			t.Fatalf("Mind %s was asked %d times", id, n)
		}
	}
	if len(got.Audiences) != 2 || got.Audiences[0].Base.Answered != 70 || got.Audiences[1].Base.Answered != 70 {
		t.Fatalf("%+v", got.Audiences)
	}
	for _, a := range got.Audiences {
		sum := 0
		for label, n := range a.Counts {
			sum += n
			if want := 100 * float64(n) / 70; a.Percentages[label] != want {
				t.Errorf("%s: %v%%, want %v", label, a.Percentages[label], want)
			}
		}
		if sum != a.Base.Answered || len(a.Answers) != 70 || a.Base.Participating != 70 || *a.Base.EffectiveN != 70 {
			t.Errorf("counts sum to %d, base %+v, %d answers (M-327)", sum, a.Base, len(a.Answers))
		}
		if a.Evidence.Grounded != 70 || !a.Evidence.Sufficient || a.Evidence.Headline == "" {
			t.Errorf("%+v", a.Evidence)
		}
		for _, m := range a.Answers {
			p := m.AnswerProvenance
			if m.EvidenceState == nil || *m.EvidenceState != "grounded" || len(p.SourceIDs) == 0 || len(m.CitationSources) == 0 ||
				p.Engine.Name != simulate.EngineName || !p.Engine.Simulated || p.Origin != "cited_sources" {
				t.Fatalf("an answer without what it rests on: %+v %+v", m, p)
			}
		}
	}
	// A Mind of both Audiences gives the same answer in both (M-344).
	in := map[string]string{}
	for _, a := range got.Audiences {
		for _, m := range a.Answers {
			if have, ok := in[m.MindID]; ok && have != m.Value {
				t.Errorf("Mind %s answered %q and %q", m.MindID, have, m.Value)
			}
			in[m.MindID] = m.Value
		}
	}
	left, err := w.Accounts.ResponsesLeft(w.ctx)
	w.must(err)
	if *left != 10000-120 {
		t.Errorf("%d responses left; one a Mind and question is charged (M-73)", *left)
	}
	runs, next, err := w.Studies.Runs(w.ctx, s.ID, 20, "")
	w.must(err)
	if len(runs) != 1 || next != "" || runs[0].Status != study.Completed || runs[0].Progress != (study.Progress{Total: 1, Settled: 1, Pct: 100}) {
		t.Errorf("%+v", runs)
	}
	run, err := w.Studies.Run(w.ctx, runs[0].RunID)
	w.must(err)
	if *run.QuestionID != got.QuestionID || run.CompletedAt == nil {
		t.Errorf("%+v", run)
	}
	events, _, err := w.Studies.RunEvents(w.ctx, run.RunID, 0, 100)
	w.must(err)
	var kinds []string
	for i, e := range events {
		kinds = append(kinds, e.Type)
		if e.Sequence != i+1 {
			t.Errorf("sequence %d at %d", e.Sequence, i)
		}
	}
	if fmt.Sprint(kinds) != "[run.queued run.started item.started item.settled run.settled]" {
		t.Error(kinds)
	}
}

// M-343: with nothing behind the answers, counts stay and no finding is named.
func TestNoFinding_M343(t *testing.T) {
	w := newWorld(t, account.Team)
	s := w.study(w.ctx, "Blank", w.audience(w.ctx, "A", w.minds(w.ctx, 12)))
	got := w.ask(w.ctx, s.ID, "Which of these brands would you trust with a space mission: Alpha / Beta / Gamma")
	a := got.Audiences[0]
	if a.Evidence.Sufficient || a.Evidence.Unsupported == 0 || a.Value != "No finding: the evidence is insufficient" || a.Base.Answered != 12 || len(a.Counts) != 3 {
		t.Fatalf("%+v", a)
	}
	for _, m := range a.Answers {
		if *m.EvidenceState == "unsupported" && (m.AnswerProvenance.Origin != "unsupported" || !m.AnswerProvenance.Unsupported) {
			t.Errorf("M-342: %+v", m.AnswerProvenance)
		}
	}
	an, err := w.Studies.Analytics(w.ctx, s.ID)
	w.must(err)
	c := an.Categorical[0]
	if c.DominantCategory != nil || c.CrossAudienceDivergence != nil || c.Base != 12 || len(c.Distribution) != 3 {
		t.Errorf("%+v", c)
	}
}

// M-341, M-73: what could not be answered counts as failed, is in no base, and
// is refunded; a chunk that was answered stays.
func TestPartial_M73_M211(t *testing.T) {
	w := newWorld(t, account.Team)
	ids := w.minds(w.ctx, 60)
	w.teach(w.ctx, ids, doneness)
	s := w.study(w.ctx, "Partial", w.audience(w.ctx, "A", ids))
	var n atomic.Int64
	w.engine.fail = func(r simulate.Respondent) (simulate.Answer, error, bool) {
		switch n.Add(1) % 3 {
		case 0:
			return simulate.Answer{}, errors.New("boom"), true
		case 1:
			return simulate.Answer{Status: simulate.CannotAnswer, Reason: simulate.ReasonNoEvidence}, nil, true
		}
		return simulate.Answer{}, nil, false
	}
	got := w.ask(w.ctx, s.ID, steak)
	b := got.Audiences[0].Base
	if got.Status != study.Partial || b.Asked != 60 || b.Answered+b.Failed != 60 || b.Failed == 0 {
		t.Fatalf("%s %+v", got.Status, b)
	}
	left, err := w.Accounts.ResponsesLeft(w.ctx)
	w.must(err)
	if int(*left) != 10000-b.Answered {
		t.Errorf("%d left with %d answered", *left, b.Answered)
	}
	// Everybody fails: failed, nothing charged, no share of nobody.
	w.engine.fail = func(simulate.Respondent) (simulate.Answer, error, bool) {
		return simulate.Answer{Status: simulate.CannotAnswer, Reason: simulate.ReasonNoEvidence}, nil, true
	}
	got = w.ask(w.ctx, s.ID, steak)
	a := got.Audiences[0]
	if got.Status != study.Failed || got.Error == nil || a.Percentages != nil || a.Value != "No answers" || a.Evidence.CannotAnswer != 60 {
		t.Fatalf("%s %v %+v", got.Status, got.Error, a)
	}
	now, err := w.Accounts.ResponsesLeft(w.ctx)
	w.must(err)
	if *now != *left {
		t.Errorf("a question that nobody answered cost %d", *left-*now)
	}
}

// M-47: the ready subset is asked; only when it is empty the question is
// refused, and every Mind that is not ready is named.
func TestReadySubset_M47(t *testing.T) {
	w := newWorld(t, account.Team)
	ready := w.minds(w.ctx, 3)
	made, err := w.Minds.Create(w.ctx, mind.CreateRequest{Name: "Manual", Mode: mind.ModeManual})
	w.must(err)
	s := w.study(w.ctx, "Mixed", w.audience(w.ctx, "A", append(ready, made.Mind.ID)))
	_, err = w.Studies.Ask(w.ctx, study.AskRequest{StudyID: s.ID, Question: "Do you eat steak?"})
	if rows, _ := fault.From(err).Data["notReady"].([]map[string]any); !fault.Is(err, fault.PanelMindsNotReady) || len(rows) != 1 || rows[0]["mindId"] != made.Mind.ID {
		t.Fatalf("one of four is not ready: %v %v", err, rows)
	}
	got := w.askWith(w.ctx, study.AskRequest{StudyID: s.ID, Question: "Do you eat steak?", ReadyOnly: true})
	if b := got.Audiences[0].Base; b.Participating != 4 || b.Asked != 3 || b.NotAsked != 1 {
		t.Errorf("%+v", b)
	}
	s = w.study(w.ctx, "Nobody", w.audience(w.ctx, "B", []string{made.Mind.ID}))
	_, err = w.Studies.Ask(w.ctx, study.AskRequest{StudyID: s.ID, Question: "Do you eat steak?", ReadyOnly: true})
	if !fault.Is(err, fault.PanelMindsNotReady) {
		t.Fatal(err)
	}
	rows := fault.From(err).Data["notReady"].([]map[string]any)
	if len(rows) != 1 || rows[0]["mindId"] != made.Mind.ID || rows[0]["trainingStatus"] == "" {
		t.Error(rows)
	}
}

// M-72: an allowance that does not cover all selected Minds refuses the question
// before it starts; nothing is written and nothing charged.
func TestPlanLimit_M72(t *testing.T) {
	w := newWorld(t, account.Free)
	s := w.study(w.ctx, "Free", w.audience(w.ctx, "A", w.minds(w.ctx, 3)))
	for range 10 {
		w.ask(w.ctx, s.ID, "Do you eat steak?")
	}
	_, err := w.Studies.Ask(w.ctx, study.AskRequest{StudyID: s.ID, Question: "Do you eat steak?"})
	f := fault.From(err)
	if f.Code != fault.PlanLimit || f.Data["limitType"] != "responses" || f.Data["limit"] != int64(30) || f.Data["requested"] != int64(3) {
		t.Fatalf("%v %v", err, f.Data)
	}
	d, err := w.Studies.Get(w.ctx, s.ID)
	w.must(err)
	if d.QuestionCount != 10 || len(d.Messages) != 10 {
		t.Errorf("%d questions, %d messages", d.QuestionCount, len(d.Messages))
	}
	// The next month has its own allowance.
	w.clock.Advance(31 * 24 * time.Hour)
	w.ask(w.ctx, s.ID, "Do you eat steak?")
}

// The checks of M-89 that apply, in their order; a refused question leaves
// nothing behind.
func TestAskRefusals_M89(t *testing.T) {
	w := newWorld(t, account.Team)
	ids := w.minds(w.ctx, 2)
	a, b := w.audience(w.ctx, "A", ids[:1]), w.audience(w.ctx, "B", ids[1:])
	s := w.study(w.ctx, "S", a)
	empty := w.study(w.ctx, "Empty")
	for name, c := range map[string]struct {
		r    study.AskRequest
		code fault.Code
	}{
		"no such Study":      {study.AskRequest{StudyID: "00000000-0000-4000-8000-000000000000", Question: "Why?"}, fault.NotFound},
		"blank":              {study.AskRequest{StudyID: s.ID, Question: " \n"}, fault.Validation},
		"policy":             {study.AskRequest{StudyID: s.ID, Question: "Why?", SourcePolicy: "free"}, fault.Validation},
		"key":                {study.AskRequest{StudyID: s.ID, Question: "Why?", ClientRequestID: "x"}, fault.Validation},
		"no Audience":        {study.AskRequest{StudyID: empty.ID, Question: "Why?"}, fault.NoRespondents},
		"not attached":       {study.AskRequest{StudyID: s.ID, Question: "Why?", AudienceIDs: []string{b.ID}}, fault.Validation},
		"connection":         {study.AskRequest{StudyID: s.ID, Question: "Why?", ModelConnection: &study.ModelConnection{ID: a.ID, Revision: 1}}, fault.FeatureDisabled},
		"model":              {study.AskRequest{StudyID: s.ID, Question: "Why?", Model: "m", Provider: "openai"}, fault.FeatureDisabled},
		"private attachment": {study.AskRequest{StudyID: s.ID, Question: "Why?", Attachments: []study.Asset{{URL: "https://127.0.0.1/x.png"}}}, fault.UnsafeURL},
		"private link":       {study.AskRequest{StudyID: s.ID, Question: "Why?", Links: []study.Evidence{{Label: "x", URL: "http://localhost/"}}}, fault.UnsafeURL},
		"attachment":         {study.AskRequest{StudyID: s.ID, Question: "Why?", Attachments: []study.Asset{{URL: "https://mindgate.example/api/v1/uploads/00000000-0000-4000-8000-000000000000?ticket=x"}}}, fault.StimulusUnavailable},
		"inline attachment":  {study.AskRequest{StudyID: s.ID, Question: "Why?", Attachments: []study.Asset{{URL: "data:image/png;base64,iVBORw0KGgo="}}}, fault.UnsafeURL},
		"attached knowledge": {study.AskRequest{StudyID: s.ID, Question: "Why?", SourcePolicy: "knowledge_only", Attachments: []study.Asset{{Path: "chat/x/y.png"}}}, fault.Validation},
		"many attachments":   {study.AskRequest{StudyID: s.ID, Question: "Why?", Attachments: make([]study.Asset, 21)}, fault.Validation},
		"upload":             {study.AskRequest{StudyID: s.ID, Question: "Why?", Attachments: []study.Asset{{Path: "chat/x/y.png"}}}, fault.StimulusUnavailable},
		"link":               {study.AskRequest{StudyID: s.ID, Question: "Why?", Links: []study.Evidence{{Label: "x", URL: "https://example.com/"}}}, fault.StimulusUnavailable},
		"keyword":            {study.AskRequest{StudyID: s.ID, Question: "Why?", Keywords: []study.Evidence{{Label: "steak"}}}, fault.StimulusUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := w.Studies.Ask(w.ctx, c.r); !fault.Is(err, c.code) {
				t.Errorf("got %v, want %s", err, c.code)
			}
		})
	}
	if d, err := w.Studies.Get(w.ctx, s.ID); err != nil || d.QuestionCount != 0 || len(w.queue.take()) != 0 {
		t.Errorf("something was left behind: %+v %v", d, err)
	}
}

// Section 6: a clientRequestId never asks twice and refuses other input; the
// tool's derived key lasts 5 minutes.
func TestAskIdempotent_M90(t *testing.T) {
	w := newWorld(t, account.Team)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 2)))
	ask := func(r study.AskRequest) study.Asked {
		t.Helper()
		r.StudyID = s.ID
		a, err := w.Studies.Ask(w.ctx, r)
		w.must(err)
		return a
	}
	keyed := study.AskRequest{Question: "Do you eat steak?", ClientRequestID: "6F1D2C3A-1111-4222-8333-444455556666"}
	first := ask(keyed)
	w.clock.Advance(1000 * time.Hour)
	if again := ask(keyed); !again.Replayed || again.Run.RunID != first.Run.RunID || again.ClientRequestID != "6f1d2c3a-1111-4222-8333-444455556666" {
		t.Errorf("%+v", again)
	}
	keyed.Question = "Do you eat fish?"
	keyed.StudyID = s.ID
	if _, err := w.Studies.Ask(w.ctx, keyed); !fault.Is(err, fault.IdempotencyConflict) {
		t.Error(err)
	}
	derived := study.AskRequest{Question: "Do you eat steak?", Derive: true}
	one := ask(derived)
	w.clock.Advance(5*time.Minute - time.Millisecond)
	if two := ask(derived); two.Run.RunID != one.Run.RunID || !two.Replayed || two.ClientRequestID != one.ClientRequestID {
		t.Error("asked twice within 5 minutes")
	}
	w.clock.Advance(2 * time.Millisecond)
	if three := ask(derived); three.Run.RunID == one.Run.RunID {
		t.Error("a later equal call must ask again")
	}
	changed := derived
	changed.HistoryMode = "last5"
	if other := ask(changed); other.Replayed {
		t.Error("a change of any argument is another call")
	}
	if a, b := ask(study.AskRequest{Question: "x?"}), ask(study.AskRequest{Question: "x?"}); a.Run.RunID == b.Run.RunID {
		t.Error("without a key every call asks")
	}
	w.run()
}

// M-74: no history unless it is asked for, then only the Mind's own answers, the
// newest five, oldest first.
func TestHistory_M74(t *testing.T) {
	w := newWorld(t, account.Team)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 55)))
	for i := range 7 {
		w.ask(w.ctx, s.ID, fmt.Sprintf("Question number %d: do you eat steak?", i))
		w.clock.Advance(time.Second)
	}
	for _, r := range w.engine.seen {
		if len(r.Earlier) != 0 {
			t.Fatal("history without being asked")
		}
	}
	for mode, want := range map[string]int{"last5": 5, "followup_only": 1} {
		w.engine.seen = nil
		_, err := w.Studies.Ask(w.ctx, study.AskRequest{StudyID: s.ID, Question: "Why?", HistoryMode: mode, SourcePolicy: "knowledge_only"})
		w.must(err)
		w.run()
		for _, r := range w.engine.seen {
			if len(r.Earlier) != want {
				t.Fatalf("%s: %d earlier answers", mode, len(r.Earlier))
			}
			if mode == "last5" && (r.Earlier[0].Question >= r.Earlier[4].Question || r.Earlier[4].Option == "" && r.Earlier[4].Text == "") {
				t.Fatalf("order or content: %+v", r.Earlier)
			}
		}
		w.clock.Advance(time.Second)
	}
}

// M-70: a text that is an objective and asks nothing is declined when the caller
// wants that; nothing is submitted and nothing charged.
func TestPlanningRequired_M70(t *testing.T) {
	w := newWorld(t, account.Team)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 1)))
	r := study.AskRequest{StudyID: s.ID, Question: "Understand what keeps young families from buying our oat drink.", RouteResearchBrief: true}
	a, err := w.Studies.Ask(w.ctx, r)
	w.must(err)
	if !a.PlanningRequired || a.Run != nil || len(a.ProposedQuestions) != 1 || len(w.queue.take()) != 0 {
		t.Fatalf("%+v", a)
	}
	if left, _ := w.Accounts.ResponsesLeft(w.ctx); *left != 10000 {
		t.Error(*left)
	}
	r.RouteResearchBrief = false
	a, err = w.Studies.Ask(w.ctx, r)
	w.must(err)
	if a.PlanningRequired || a.Classification.Type != "qualitative" {
		t.Errorf("%+v", a)
	}
	w.run()
}

// The longest text with the longest options still fits its row, answers and all.
func TestLongestQuestion(t *testing.T) {
	w := newWorld(t, account.Team)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 2)))
	for _, text := range []string{
		strings.Repeat("<", 20000),
		"Which one? " + strings.Repeat(strings.Repeat("\u0001<", 90)+" / ", 105) + "end",
		strings.Repeat("🙂", 19999) + "?",
	} {
		got := w.ask(w.ctx, s.ID, text)
		if got.Status == study.Running || got.Status == study.Queued {
			t.Errorf("%.20s: %s", text, got.Status)
		}
	}
	if _, err := w.Studies.Ask(w.ctx, study.AskRequest{StudyID: s.ID, Question: strings.Repeat("x", 20001)}); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
}

// A panel above what one row takes goes to a blob, chunk by chunk.
func TestWidePanel(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 400 Minds")
	}
	w := newWorld(t, account.Enterprise)
	ids := w.minds(w.ctx, 400)
	a := w.audience(w.ctx, "A", ids)
	r := study.CreateRequest{Name: "Wide", AudienceIDs: []string{a.ID}}
	made, err := w.Studies.Create(w.ctx, r)
	w.must(err)
	long := strings.Repeat("y", 9000) // 50 of them are above 300 KB: the chunk goes to a blob
	w.engine.fail = func(simulate.Respondent) (simulate.Answer, error, bool) {
		return simulate.Answer{Status: simulate.Answered, Text: long, State: simulate.Stated}, nil, true
	}
	got := w.ask(w.ctx, made.Study.ID, "Tell me about steak in your own words")
	if got.AnsweredCount != 400 || got.Status != study.Completed {
		t.Fatalf("%s %d", got.Status, got.AnsweredCount)
	}
	answers, err := w.Studies.Answers(w.ctx, made.Study.ID, got.MessageID, false)
	w.must(err)
	if list := answers.OutputData.Audiences[0].Answers; len(list) != 400 || list[399].Value != long {
		t.Error(len(list))
	}
	preview, err := w.Studies.Answers(w.ctx, made.Study.ID, got.MessageID, true)
	w.must(err)
	if list := preview.OutputData.Audiences[0]; len(list.Answers) != 5 || list.Base.Answered != 400 {
		t.Error(len(list.Answers), list.Base)
	}
}
