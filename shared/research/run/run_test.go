package run_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

func questionnaire() []run.Item {
	return []run.Item{
		choice("owns", "Do you own a car?", "Yes", "No"),
		when(several("brands", "Which brands do you drive?", "A", "B", "Other"), "owns", []string{"Yes"}, nil),
		scale("likes", "How much do you like driving? (1-5)"),
		words("why", "Why is that?"),
	}
}

// A run goes from its confirmation to its results: every item in order, every Mind
// once, each answer with its evidence (M-71, M-74, M-323).
func TestARunGoesThrough_M71(t *testing.T) {
	w := open(t, setting{minds: 60})
	before := w.left()
	s := w.start(w.draft(questionnaire()...))
	if s.Status != run.Queued || !s.ExecutionStarted || s.Replayed || s.QuestionCount != 4 || *s.EstimatedResponses != 240 || s.Audiences[0].MindCount != 60 {
		t.Errorf("%+v", s)
	}
	if r := w.get(s.RunID); r.Status != run.Queued || r.ExecutionPlan != nil || r.Progress.Total != 4 {
		t.Errorf("%+v", r)
	}
	w.work()
	r := w.get(s.RunID)
	if r.Status != run.Completed || r.Progress.Settled != 4 || r.Progress.Pct != 100 || len(r.Artifacts) != 4 || r.Failure != nil || r.CompletedAt == nil {
		raw, _ := json.Marshal(r)
		t.Fatalf("%s", raw[:min(len(raw), 3000)])
	}
	var plan struct {
		Modules []struct{ Questions []run.Item }
	}
	w.must(json.Unmarshal(r.ConfirmedPlan, &plan))
	if len(plan.Modules[0].Questions) != 4 || len(r.ExecutionPlan.Items) != 4 || len(r.QuestionAudit) != 4 || r.QuestionAudit[0].Text != "Do you own a car?" {
		t.Error("the plan, the execution plan or the audit is not whole")
	}
	if !r.ExecutionPlan.Engine.Simulated || len(r.ExecutionPlan.MindIDs) != 60 || r.ExecutionPlan.Seed != "run:"+r.RunID {
		t.Errorf("%+v", r.ExecutionPlan)
	}
	used := 0
	for _, a := range r.Artifacts {
		used += a.Base.Answered
	}
	if got := before - w.left(); got != int64(used) {
		t.Errorf("%d charged for %d answers", got, used)
	}
	for who, n := range w.engine.asked {
		if n != 1 {
			t.Errorf("%s: asked %d times", who, n)
		}
	}
}

// A Mind sees its own earlier answers of the run, in order, and nothing of others (M-74).
func TestAMindRemembersItsOwnAnswers_M74(t *testing.T) {
	w := open(t, setting{minds: 55})
	w.engine.answer = func(q simulate.Question, r simulate.Respondent) (simulate.Answer, error) {
		return picks(q, int(r.Slot)%len(q.Options)), nil
	}
	w.went(choice("a", "First?", "x", "y", "z"), choice("b", "Second?", "u", "v"), choice("c", "Third?", "p", "q"))
	for _, r := range w.engine.seen {
		for i, e := range r.Earlier {
			want := []simulate.Earlier{{Question: "First?", Option: []string{"x", "y", "z"}[r.Slot%3]}, {Question: "Second?", Option: []string{"u", "v"}[r.Slot%2]}}[i]
			if !reflect.DeepEqual(e, want) {
				t.Fatalf("slot %d remembers %+v, not %+v", r.Slot, e, want)
			}
		}
	}
	if n := len(w.engine.seen[len(w.engine.seen)-1].Earlier); n != 2 {
		t.Errorf("the last item came with %d earlier answers", n)
	}
}

// Conditions route exactly: in and not in, chains, failed sources; who is not asked
// costs nothing and is named with the reason (M-180, M-183, M-184, M-185).
func TestRouting_M183(t *testing.T) {
	w := open(t, setting{minds: 12})
	place := map[string]int{}
	for i, m := range w.minds {
		place[m.ID] = i
	}
	w.engine.answer = func(q simulate.Question, r simulate.Respondent) (simulate.Answer, error) {
		i := place[r.ID]
		switch q.Text {
		case "Source?": // 0, 3, 6, 9 yes; 1, 4, 7, 10 no; the others fail
			if i%3 == 2 {
				return simulate.Answer{}, errors.New("no")
			}
			return picks(q, i%3), nil
		case "Several?":
			return picks(q, []int{0, 1}[:1+i%2]...), nil
		}
		return picks(q, 0), nil
	}
	before := w.left()
	r := w.went(
		choice("source", "Source?", "Yes", "No"),
		when(several("several", "Several?", "A", "B", "C"), "source", []string{"Yes"}, nil),
		when(choice("not", "Not?", "u", "v"), "source", nil, []string{"Yes"}),
		when(choice("chain", "Chain?", "u", "v"), "several", nil, []string{"B"}),
		when(choice("nobody", "Nobody?", "u", "v"), "several", []string{"C"}, nil),
		when(choice("after", "After?", "u", "v"), "nobody", nil, []string{"u"}),
	)
	reasons := func(item int) string {
		a := r.Artifacts[item]
		out := make([]byte, 12)
		for i, m := range w.minds {
			switch reason := a.Routing.NotAskedReasons[m.ID]; reason {
			case "":
				out[i] = 'q'
			default:
				out[i] = reason[0]
			}
		}
		return string(out)
	}
	for item, want := range []string{1: "qcsqcsqcsqcs", 2: "cqscqscqscqs", 3: "qcsccsqcsccs", 4: "ccsccsccsccs", 5: "ccsccsccsccs"} {
		if item == 0 {
			continue
		}
		if got := reasons(item); got != want {
			t.Errorf("%s: %s, not %s", r.Artifacts[item].ItemID, got, want)
		}
		ro := r.Artifacts[item].Routing
		if ro.AskedCount+ro.NotAskedCount != 12 || ro.AskedCount != strings.Count(want, "q") || !slices.IsSortedFunc(ro.NotAskedMindIDs, func(a, b string) int { return place[a] - place[b] }) {
			t.Errorf("%+v", ro)
		}
	}
	if r.Artifacts[0].Routing != nil {
		t.Error("an item without a condition has a routing")
	}
	for _, i := range []int{4, 5} {
		if a := r.Artifacts[i]; a.Kind != run.NotAsked || a.Status != run.NotAsked || string(a.Answers) != "[]" || a.Base.NotAsked != 12 || a.Base.EffectiveN != nil {
			t.Errorf("%+v", a)
		}
	}
	if r.Status != run.Partial || r.Progress != (run.Progress{Total: 6, Settled: 6, Partial: 1, Skipped: 2, Pct: 100}) {
		t.Errorf("%s %+v", r.Status, r.Progress)
	}
	if got := before - w.left(); got != 8+4+4+2 {
		t.Errorf("%d charged", got)
	}
}

// The allowance may end in flight: the run stops before an item that it does not
// cover for everybody, what is finished stays, and the rest is not charged (M-72, M-73).
func TestPlanLimitedInFlight_M72(t *testing.T) {
	w := open(t, setting{minds: 10})
	s := w.start(w.draft(questionnaire()...))
	spend, err := w.Accounts.ReserveResponses(w.ctx, w.left()-25, w.Clock.Now())
	w.must(err)
	w.must(w.Store.Transact(w.ctx, "", spend))
	w.engine.answer = func(q simulate.Question, r simulate.Respondent) (simulate.Answer, error) { return picks(q, 0), nil }
	w.work()
	r := w.get(s.RunID)
	if r.Status != run.PlanLimited || !r.UpgradeRequired || r.Progress.Settled != 2 || len(r.Artifacts) != 2 || r.Failure == nil || r.Failure.Code != run.PlanLimited {
		t.Errorf("%s %+v %+v", r.Status, r.Progress, r.Failure)
	}
	if w.left() != 5 {
		t.Errorf("%d left", w.left())
	}
	// Before the start nothing is queued and nothing written.
	_, err = w.runs.Start(w.ctx, run.StartRequest{StudyID: w.study, DraftID: w.draft(questionnaire()...), Revision: 1, Confirmed: true})
	has(t, err, fault.PlanLimit)
	if f := fault.From(err); f.Data["status"] != run.PlanLimited || f.Data["executionStarted"] != false || f.Data["upgradeRequired"] != true {
		t.Errorf("%+v", f.Data)
	}
	if jobs := w.Engine.Take(); len(jobs) != 0 {
		t.Error("something started")
	}
}

// A start refuses with the first check that fails, in order, and writes nothing (M-89).
func TestChecksInOrder_M89(t *testing.T) {
	w := open(t, setting{minds: 2})
	plan := func(more string) string {
		var p map[string]any
		w.must(json.Unmarshal([]byte(`{"modules":[{"id":"m","name":"M","questions":[{"id":"q1","moduleId":"m","position":1,"text":"One?","response":{"type":"qualitative"},"attachmentIds":[],"origin":"author","readOnly":false}]}]`+more+`}`), &p))
		return w.planned(p)
	}
	good := run.StartRequest{StudyID: w.study, Revision: 1, Confirmed: true}
	advanced := `,"methods":[{"methodId":"kano","executable":%v,"requiresAdvancedMethodOptIn":true,"configuration":{},"configurationComplete":%v,"missing":[%s]}]`
	for _, c := range []struct {
		name string
		plan string
		with func(*run.StartRequest)
		code fault.Code
	}{
		{"no such Study", "", func(r *run.StartRequest) { r.StudyID = "00000000-0000-4000-8000-00000000ffff" }, fault.NotFound},
		{"no such draft", "", func(r *run.StartRequest) { r.DraftID = "00000000-0000-4000-8000-00000000ffff" }, fault.NotFound},
		{"stale before confirmed", "", func(r *run.StartRequest) { r.Revision, r.Confirmed = 2, false }, fault.StaleRevision},
		{"not confirmed before opt-in", fmt.Sprintf(advanced, false, false, `"/features"`), func(r *run.StartRequest) { r.Confirmed = false }, fault.ConfirmationRequired},
		{"opt-in before executable", fmt.Sprintf(advanced, false, false, `"/features"`), nil, fault.AdvancedOptInRequired},
		{"executable before complete", fmt.Sprintf(advanced, false, false, `"/features"`), func(r *run.StartRequest) { r.AdvancedOptIn = true }, fault.MethodNotExecutable},
		{"complete before respondents", fmt.Sprintf(advanced, true, false, `"/features"`), func(r *run.StartRequest) {
			r.AdvancedOptIn = true
			r.AudienceIDs = []string{"00000000-0000-4000-8000-00000000ffff"}
		}, fault.PlanIncomplete},
		{"open question", `,"confirmationQuestions":[{"questionId":"c1","kind":"clarification","text":"?","required":true,"answer":null}]`, nil, fault.PlanIncomplete},
		{"respondents before connection", "", func(r *run.StartRequest) {
			r.AudienceIDs = []string{"00000000-0000-4000-8000-00000000ffff"}
			r.ModelConnection = &study.ModelConnection{ID: "x", Revision: 1}
		}, fault.NoRespondents},
		{"connection before stimulus", "", func(r *run.StartRequest) { r.ModelConnection = &study.ModelConnection{ID: "x", Revision: 1} }, fault.FeatureDisabled},
		{"bad key", "", func(r *run.StartRequest) { r.IdempotencyKey = "k" }, fault.Validation},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := good
			r.DraftID = plan(c.plan)
			if c.with != nil {
				c.with(&r)
			}
			_, err := w.runs.Start(w.ctx, r)
			has(t, err, c.code)
		})
	}
	// A picture that cannot be read is refused before anything is charged (M-77).
	q := words("q", "What do you see?")
	q.AttachmentIDs = []string{"pic"}
	seen := w.planned(map[string]any{"modules": []any{map[string]any{"id": "m", "questions": []run.Item{q}}}, "attachments": []any{map[string]any{"id": "pic", "name": "P", "path": "nowhere.png"}}})
	good.DraftID = seen
	_, err := w.runs.Start(w.ctx, good)
	has(t, err, fault.StimulusUnavailable)
	if runs, _, err := w.runs.List(w.ctx, w.study, 20, ""); err != nil || len(runs) != 0 {
		t.Error(runs, err)
	}
	if jobs := w.Engine.Take(); slices.ContainsFunc(jobs, func(s researchtest.Started) bool { return s.Machine == run.Machine }) {
		t.Error("a run started")
	}
	// Another account sees nothing of it.
	_, err = w.runs.Start(w.As(t, "other", account.Premium), good)
	has(t, err, fault.NotFound)
}

// One draft confirms one run: the same confirmation replays, another is refused (M-79).
func TestConfirmTwice_M79(t *testing.T) {
	w := open(t, setting{minds: 2})
	d := w.draft(questionnaire()...)
	first := w.start(d)
	if again := w.start(d); !again.Replayed || again.RunID != first.RunID {
		t.Errorf("%+v", again)
	}
	r := run.StartRequest{StudyID: w.study, DraftID: d, Revision: 1, Confirmed: true, IdempotencyKey: "22222222-2222-4222-8222-222222222222"}
	_, err := w.runs.Start(w.ctx, r)
	has(t, err, fault.DraftAlreadyConfirmed)
	r.DraftID = w.draft(questionnaire()...)
	one, err := w.runs.Start(w.ctx, r)
	w.must(err)
	two, err := w.runs.Start(w.ctx, r)
	if err != nil || !two.Replayed || two.RunID != one.RunID || two.Key != r.IdempotencyKey {
		t.Errorf("%+v %v", two, err)
	}
	r.AdvancedOptIn = true
	_, err = w.runs.Start(w.ctx, r)
	has(t, err, fault.IdempotencyConflict)
	w.work()
	runs, next, err := w.runs.List(w.ctx, w.study, 1, "")
	if err != nil || len(runs) != 1 || next == "" {
		t.Fatal(runs, next, err)
	}
	if id, err := w.runs.Newest(w.ctx, w.study); err != nil || id != runs[0].RunID {
		t.Error(id, err)
	}
}

// Cancelled, a run keeps what is finished, gives back the rest, and answers the same
// again; one that has ended cannot be cancelled.
func TestCancel_M71(t *testing.T) {
	w := open(t, setting{minds: 120})
	before := w.left()
	w.engine.answer = func(q simulate.Question, r simulate.Respondent) (simulate.Answer, error) { return picks(q, 0), nil }
	s := w.start(w.draft(questionnaire()...))
	in := input(t, w.Engine.Take()[0].Input)
	_, err := w.runs.Prepare(w.ctx, in)
	w.must(err)
	step, err := w.runs.Next(w.ctx, in, 0)
	w.must(err)
	w.must(w.runs.AnswerSpan(w.ctx, in, step.Spans[0]))
	for range 2 {
		if c, err := w.runs.Cancel(w.ctx, s.RunID); err != nil || c.Status != run.Cancelled {
			t.Fatal(c, err)
		}
	}
	w.must(w.runs.AnswerSpan(w.ctx, in, step.Spans[1]))
	if next, err := w.runs.Next(w.ctx, in, 1); err != nil || !next.Done {
		t.Error(next, err)
	}
	r := w.get(s.RunID)
	if r.Status != run.Cancelled || len(r.Artifacts) != 1 || r.Artifacts[0].Status != run.Cancelled || r.Artifacts[0].Base.Answered != 50 || w.left() != before-50 {
		t.Errorf("%s %+v %d", r.Status, r.Artifacts[0].Base, before-w.left())
	}
	done := w.went(choice("a", "One?", "x", "y"))
	if _, err := w.runs.Cancel(w.ctx, done.RunID); err == nil {
		t.Error("a run that ended was cancelled")
	}
	if started, failed, err := w.Jobs.Sweep(w.ctx, nil); started+failed != 0 || err != nil {
		t.Error("a job is still open", started, failed, err)
	}
}

// A run waits while an Audience is being changed, holds it from start to settle, and
// lets it go (M-45).
func TestLease_M45(t *testing.T) {
	w := open(t, setting{minds: 3})
	id := mustAudience(w)
	if ok, err := w.Audiences.Acquire(w.ctx, id, "change"); !ok || err != nil {
		t.Fatal(ok, err)
	}
	w.start(w.draft(questionnaire()...))
	in := input(t, w.Engine.Take()[0].Input)
	if waiting, err := w.runs.Prepare(w.ctx, in); !waiting || err != nil {
		t.Fatal(waiting, err)
	}
	w.must(w.Audiences.Release(w.ctx, id, "change"))
	if waiting, err := w.runs.Prepare(w.ctx, in); waiting || err != nil {
		t.Fatal(waiting, err)
	}
	if ok, _ := w.Audiences.Acquire(w.ctx, id, "change"); ok {
		t.Fatal("an Audience was changed under its run")
	}
	w.must(carry(w.ctx, w.runs, in))
	if ok, err := w.Audiences.Acquire(w.ctx, id, "change"); !ok || err != nil {
		t.Fatal("the Audience was not let go", err)
	}
}

// A run answers from the Minds as they were at its start, and fails who is gone.
func TestMindsArePinned_M301(t *testing.T) {
	w := open(t, setting{minds: 4})
	s := w.start(w.draft(words("a", "One?"), words("b", "Two?")))
	in := input(t, w.Engine.Take()[0].Input)
	_, err := w.runs.Prepare(w.ctx, in)
	w.must(err)
	other := "Age: 99\nGender: Male"
	_, err = w.Minds.Change(w.ctx, w.minds[0].ID, func(m *mind.Mind) error {
		m.PersonaContext = other
		m.UpdatedAt = m.UpdatedAt.Add(time.Second)
		return nil
	}, nil)
	w.must(err)
	w.must(carry(w.ctx, w.runs, in))
	for _, r := range w.engine.seen {
		if r.ID == w.minds[0].ID && strings.Contains(r.Profile.Raw, "99") {
			t.Error("a Mind answered from what it became")
		}
	}
	if r := w.get(s.RunID); r.Status != run.Completed {
		t.Error(r.Status)
	}
	w.engine.version = "9.9.9"
	w.start(w.draft(words("a", "One?")))
	in = input(t, w.Engine.Take()[0].Input)
	w.engine.version = ""
	_, err = w.runs.Prepare(w.ctx, in)
	w.must(err)
	step, err := w.runs.Next(w.ctx, in, 0)
	w.must(err)
	if err := w.runs.AnswerSpan(w.ctx, in, step.Spans[0]); !errors.Is(err, run.ErrEngineChanged) {
		t.Error(err)
	}
	status, err := w.runs.Fail(w.ctx, in, "EngineChanged")
	if err != nil || status != run.Failed {
		t.Error(status, err)
	}
}

// Events rise by one, page by a cursor, and end with the run and its comparison.
func TestEvents(t *testing.T) {
	w := open(t, setting{minds: 3})
	r := w.went(questionnaire()...)
	var all []run.Event
	after := 0
	for {
		page, next, err := w.runs.Events(w.ctx, r.RunID, after, 3)
		w.must(err)
		all = append(all, page...)
		if next == nil {
			break
		}
		after = *next
	}
	for i, e := range all {
		if e.Sequence != i+1 {
			t.Fatalf("event %d has sequence %d", i, e.Sequence)
		}
	}
	if all[0].Type != "run.queued" || all[1].Type != "run.started" || all[len(all)-2].Type != "run.settled" || all[len(all)-1].Type != "consistency.saved" {
		t.Errorf("%+v", all)
	}
	_, _, err := w.runs.Events(w.ctx, r.RunID, 0, 501)
	has(t, err, fault.Validation)
	_, _, err = w.runs.Events(w.As(t, "other", account.Premium), r.RunID, 0, 10)
	has(t, err, fault.NotFound)
}

// The same run over the same Minds is the same, byte for byte (M-344).
func TestReplayIsIdentical_M344(t *testing.T) {
	w := open(t, setting{minds: 70})
	s := w.start(w.draft(questionnaire()...))
	in := input(t, w.Engine.Take()[0].Input)
	queued := w.rows(s.RunID)
	w.must(carry(w.ctx, w.runs, in))
	one, err := json.Marshal(w.get(s.RunID))
	w.must(err)
	for _, it := range w.rows(s.RunID) {
		w.must(w.Store.Delete(w.ctx, it.Key))
	}
	for _, it := range queued {
		_, err := w.Store.Put(w.ctx, it)
		w.must(err)
	}
	w.must(carry(w.ctx, run.New(w.deps), in))
	two, err := json.Marshal(w.get(s.RunID))
	w.must(err)
	if !bytes.Equal(one, two) {
		t.Errorf("%d and %d bytes differ", len(one), len(two))
	}
}

// Answers that fit no reply are left out and linked, figures stay (M-326).
func TestLargeRunsLinkTheirAnswers_M326(t *testing.T) {
	w := open(t, setting{minds: 60, deps: func(d *run.Deps) { d.ReplyBytes = 40 << 10 }})
	r := w.went(questionnaire()...)
	if r.AnswersURL == nil || !strings.HasPrefix(*r.AnswersURL, "http") {
		t.Fatalf("%v", r.AnswersURL)
	}
	for _, a := range r.Artifacts {
		if string(a.Answers) != "[]" || a.Base.Answered == 0 && a.Kind != run.NotAsked {
			t.Errorf("%s: %+v %.80s", a.ItemID, a.Base, a.Answers)
		}
	}
}

func input(t testing.TB, raw json.RawMessage) run.JobInput {
	t.Helper()
	var in run.JobInput
	if err := json.Unmarshal(raw, &in); err != nil {
		t.Fatal(err)
	}
	return in
}

func mustAudience(w *world) string {
	w.t.Helper()
	st, err := w.studies.Get(w.ctx, w.study)
	w.must(err)
	return st.Audiences[0].ID
}

// rows are all records of a run.
func (w *world) rows(id string) []records.Item {
	w.t.Helper()
	page, err := w.Store.Query(w.ctx, records.Query{PK: "w#" + account.From(w.ctx).Workspace + "#run#" + id})
	w.must(err)
	return page.Items
}
