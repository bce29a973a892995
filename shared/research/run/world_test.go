package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// world is a domain with runs, whose jobs go step by step as a test says.
type world struct {
	*researchtest.World
	t       testing.TB
	ctx     context.Context
	runs    *run.Service
	studies *study.Service
	drafts  *drafts
	engine  *engine
	study   string
	deps    run.Deps
	minds   []mind.Mind
}

// counted gives ids one after the other, so that two worlds are alike.
type counted struct {
	mu sync.Mutex
	n  int
}

func (c *counted) NewID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return fmt.Sprintf("00000000-0000-4000-8000-%012x", c.n)
}

type setting struct {
	minds     int
	audiences [][]int // places of minds; nil: one of all
	plan      account.Plan
	wrap      func(records.Store) records.Store
	deps      func(*run.Deps)
}

func open(t testing.TB, o setting) *world {
	t.Helper()
	if o.plan == "" {
		o.plan = account.Team
	}
	w := &world{t: t, engine: &engine{Respondents: simulate.NewOffline(), asked: map[string]int{}}}
	w.World = researchtest.Open(t, researchtest.Options{Respondents: w.engine, Wrap: o.wrap})
	w.ctx = w.As(t, "lab", o.plan)
	w.studies = study.New(study.Deps{Records: w.Store, Blobs: w.Blobs, Clock: w.Clock, IDs: clock.RandomIDs{}, Accounts: w.Accounts,
		Minds: w.Minds, Audiences: w.Audiences, Leases: w.Audiences, Jobs: w.Jobs, Respondents: w.engine, PublicURL: "http://127.0.0.1:8080"})
	w.drafts = &drafts{store: w.Store}
	w.deps = run.Deps{Records: w.Store, Blobs: w.Blobs, Clock: w.Clock, IDs: &counted{}, Accounts: w.Accounts, Jobs: w.Jobs,
		Studies: w.studies, Minds: w.Minds, Drafts: w.drafts, Leases: w.Audiences, PublicURL: "http://127.0.0.1:8080"}
	if o.deps != nil {
		o.deps(&w.deps)
	}
	w.runs = run.New(w.deps)
	ids := make([]string, o.minds)
	for i := range ids {
		made, err := w.Minds.Create(w.ctx, mind.CreateRequest{Name: fmt.Sprintf("Mind %04d", i), Mode: mind.ModeClone,
			PersonaContext: fmt.Sprintf("Age: %d\nGender: %s\nLikes to cook on weekends.", 20+i%50, []string{"Female", "Male"}[i%2])})
		w.must(err)
		ids[i] = made.Mind.ID
		if i%100 == 99 {
			w.Run(t)
		}
	}
	w.Run(t)
	minds, err := w.Minds.GetMany(w.ctx, ids)
	w.must(err)
	w.minds = minds
	if o.audiences == nil {
		all := make([]int, o.minds)
		for i := range all {
			all[i] = i
		}
		o.audiences = [][]int{all}
	}
	r := study.CreateRequest{Name: "Study"}
	for n, places := range o.audiences {
		a := audience.CreateRequest{Name: fmt.Sprintf("Audience %d", n+1)}
		for _, i := range places {
			a.MindIDs = append(a.MindIDs, ids[i])
		}
		made, err := w.Audiences.Create(w.ctx, a)
		w.must(err)
		r.AudienceIDs = append(r.AudienceIDs, made.Audience.ID)
	}
	made, err := w.studies.Create(w.ctx, r)
	w.must(err)
	w.study = made.Study.ID
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// draft is a plan of these items, at revision 1.
func (w *world) draft(items ...run.Item) string {
	w.t.Helper()
	return w.planned(map[string]any{"modules": []any{map[string]any{"id": "main", "name": "Main", "readOnly": false, "questions": items}}})
}

func (w *world) planned(plan map[string]any) string {
	w.t.Helper()
	plan["version"], plan["studyLocale"] = 1, "en"
	raw, err := json.Marshal(plan)
	w.must(err)
	return w.drafts.add(w.study, raw)
}

func (w *world) start(draft string) run.Started {
	w.t.Helper()
	s, err := w.runs.Start(w.ctx, run.StartRequest{StudyID: w.study, DraftID: draft, Revision: 1, Confirmed: true})
	w.must(err)
	return s
}

// work carries every started run out, as its machine does.
func (w *world) work() {
	w.t.Helper()
	for _, s := range w.Engine.Take() {
		w.must(w.carry(s))
	}
}

func (w *world) carry(s researchtest.Started) error {
	if s.Machine != run.Machine {
		return w.Step(w.ctx, s)
	}
	var in run.JobInput
	if err := json.Unmarshal(s.Input, &in); err != nil {
		return err
	}
	return carry(w.ctx, w.runs, in)
}

// carry does the steps of the machine.
func carry(ctx context.Context, runs *run.Service, in run.JobInput) error {
	if waiting, err := runs.Prepare(ctx, in); err != nil || waiting {
		return errors.Join(err, map[bool]error{true: errWaiting}[waiting])
	}
	for after := 0; ; {
		step, err := runs.Next(ctx, in, after)
		if err != nil {
			return err
		}
		if step.Done {
			break
		}
		for _, span := range slices.Backward(step.Spans) { // any order will do
			if err := runs.AnswerSpan(ctx, in, span); err != nil {
				return err
			}
		}
		after = step.Position
	}
	if _, err := runs.Conclude(ctx, in); err != nil {
		return err
	}
	return runs.Review(ctx, in)
}

var errWaiting = errors.New("an Audience is being changed")

func (w *world) get(id string) run.StudyRun {
	w.t.Helper()
	r, err := w.runs.Get(w.ctx, id)
	w.must(err)
	return r
}

// went carries a draft of these items out.
func (w *world) went(items ...run.Item) run.StudyRun {
	w.t.Helper()
	s := w.start(w.draft(items...))
	w.work()
	return w.get(s.RunID)
}

func (w *world) left() int64 {
	w.t.Helper()
	n, err := w.Accounts.ResponsesLeft(w.ctx)
	w.must(err)
	return *n
}

func choice(id, text string, options ...string) run.Item {
	q := run.Item{ID: id, ModuleID: "main", Text: text, AttachmentIDs: []string{}, Origin: "author"}
	q.Response.Type, q.Response.CategoricalOptions = "categorical", options
	return q
}

func scale(id, text string) run.Item {
	q := choice(id, text)
	q.Response.Type, q.Response.ScaleRange = "scale", []int{1, 5}
	return q
}

func words(id, text string) run.Item {
	q := choice(id, text)
	q.Response.Type = "qualitative"
	return q
}

func several(id, text string, options ...string) run.Item {
	q := choice(id, text, options...)
	q.Response.Type = "multiselect"
	return q
}

func when(q run.Item, source string, in, notIn []string) run.Item {
	q.AskIf = &run.AskIf{QuestionID: source, AnswerIn: in, AnswerNotIn: notIn}
	return q
}

func answersOf(t testing.TB, a run.Artifact) []run.Answer {
	t.Helper()
	var out []run.Answer
	if err := json.Unmarshal(a.Answers, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// engine is the offline engine, or answers as a test says.
type engine struct {
	simulate.Respondents
	mu      sync.Mutex
	asked   map[string]int // "Mind id / question" to how often
	seen    []simulate.Respondent
	answer  func(q simulate.Question, r simulate.Respondent) (simulate.Answer, error)
	asks    func(q simulate.Question)
	version string
	name    string // another than the offline engine's
}

func (e *engine) Info() simulate.Info {
	i := e.Respondents.Info()
	if e.name != "" {
		i.Name = e.name
	}
	if e.version != "" {
		i.Version = e.version
	}
	return i
}

func (e *engine) Ask(ctx context.Context, q simulate.Question, p simulate.Policy) (simulate.Asked, error) {
	if e.asks != nil {
		e.asks(q)
	}
	a, err := e.Respondents.Ask(ctx, q, p)
	if err != nil {
		return nil, err
	}
	return asked{e, q, a}, nil
}

type asked struct {
	e *engine
	q simulate.Question
	a simulate.Asked
}

func (a asked) Answer(ctx context.Context, r simulate.Respondent) (simulate.Answer, error) {
	a.e.mu.Lock()
	a.e.asked[r.ID+" / "+a.q.Text]++
	if !*load {
		a.e.seen = append(a.e.seen, r)
	}
	answer := a.e.answer
	a.e.mu.Unlock()
	if answer != nil {
		return answer(a.q, r)
	}
	return a.a.Answer(ctx, r)
}

// picks is an answer of an option by place.
func picks(q simulate.Question, at ...int) simulate.Answer {
	a := simulate.Answer{Status: simulate.Answered, State: simulate.Grounded}
	switch q.Type {
	case simulate.Categorical:
		a.Option = q.Options[at[0]]
	case simulate.Multiselect:
		for _, i := range at {
			a.Options = append(a.Options, q.Options[i])
		}
	case simulate.Scale:
		n := float64(q.Min + at[0])
		a.Number = &n
	default:
		a.Text = "Words."
	}
	return a
}

// drafts keeps plans as the real ones do: a row each, whose version guards it.
type drafts struct {
	store records.Store
	mu    sync.Mutex
	n     int
	plans map[string]run.Draft
}

func (d *drafts) add(study string, plan json.RawMessage) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n++
	id := fmt.Sprintf("11111111-0000-4000-8000-%012d", d.n)
	if d.plans == nil {
		d.plans = map[string]run.Draft{}
	}
	d.plans[id] = run.Draft{ID: id, StudyID: study, Revision: 1, Plan: plan}
	return id
}

func draftKey(id string) records.Key { return records.Key{PK: "draft#" + id, SK: "confirmed"} }

func (d *drafts) Latest(ctx context.Context, studyID, id string) (run.Draft, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	x, ok := d.plans[id]
	if !ok || x.StudyID != studyID {
		return run.Draft{}, fault.New(fault.NotFound, "No draft with this id.")
	}
	it, err := d.store.Get(ctx, draftKey(id))
	if err == nil {
		x.RunID = it.Fields["run"]
		return x, nil
	}
	if errors.Is(err, records.ErrNotFound) {
		return x, nil
	}
	return x, err
}

func (d *drafts) Confirm(_ context.Context, x run.Draft, runID string) ([]records.Action, error) {
	return []records.Action{records.PutItem(records.Item{Key: draftKey(x.ID), Fields: map[string]string{"run": runID}}, records.NotExists())}, nil
}

func has(t testing.TB, err error, code fault.Code, words ...string) {
	t.Helper()
	if !fault.Is(err, code) {
		t.Fatalf("%v, not %s", err, code)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%v does not name %q", err, w)
		}
	}
}
