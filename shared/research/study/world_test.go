package study_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs/folder"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// world is the domain over a store of its own, with a clock that stands still
// and jobs that run only when the test says so.
type world struct {
	*research.Research
	t      testing.TB
	ctx    context.Context
	clock  *clock.Held
	queue  *queue
	engine *engine
	store  *sqlite.Store
	faults *faults
	ids    *ids
}

// faults is the store with what a test lets happen before a transaction; an
// error of it stands for the store's own.
type faults struct {
	*sqlite.Store
	before func(actions []records.Action) error
	after  func(actions []records.Action) error
	get    func(records.Key) (done func())
	batch  func(keys []records.Key) // before a BatchGet
}

func (f *faults) Get(ctx context.Context, k records.Key) (records.Item, error) {
	if f.get != nil {
		defer f.get(k)()
	}
	return f.Store.Get(ctx, k)
}

func (f *faults) BatchGet(ctx context.Context, keys []records.Key) ([]records.Item, error) {
	if f.batch != nil {
		f.batch(keys)
	}
	return f.Store.BatchGet(ctx, keys)
}

func (f *faults) Transact(ctx context.Context, token string, actions ...records.Action) error {
	if f.before != nil {
		if err := f.before(actions); err != nil {
			return err
		}
	}
	err := f.Store.Transact(ctx, token, actions...)
	if err == nil && f.after != nil {
		err = f.after(actions)
	}
	return err
}

// ids makes ids; a test may look in at each.
type ids struct {
	clock.RandomIDs
	before func()
}

func (i *ids) NewID() string {
	if i.before != nil {
		i.before()
	}
	return i.RandomIDs.NewID()
}

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newWorld(t testing.TB, plan account.Plan) *world {
	t.Helper()
	return newWorldOf(t, plan, 0)
}

// newWorldOf is newWorld whose replies hold at most so many bytes of JSON.
func newWorldOf(t testing.TB, plan account.Plan, replyBytes int) *world {
	t.Helper()
	w := &world{t: t, clock: clock.Hold(start), queue: &queue{}, engine: &engine{Respondents: simulate.NewOffline()}, ids: &ids{}}
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "records.db"), sqlite.Options{Clock: w.clock, CursorKey: []byte(strings.Repeat("k", 32))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	w.store, w.faults = store, &faults{Store: store}
	files, err := folder.Open(filepath.Join(dir, "blobs"), folder.Options{Clock: w.clock, LinkKey: []byte(strings.Repeat("l", 32)), BaseURL: "https://mindgate.example"})
	if err != nil {
		t.Fatal(err)
	}
	guard, err := fetch.NewGuard(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.Research = research.New(research.Deps{Records: w.faults, Blobs: files, Workflow: w.queue, Clock: w.clock, IDs: w.ids,
		Respondents: w.engine, Guard: guard, PublicURL: "https://mindgate.example", ReplyBytes: replyBytes, Plans: account.DefaultPlans()})
	w.ctx = w.as("anna", plan)
	return w
}

// as gives the context of a caller in a workspace of its own name.
func (w *world) as(name string, plan account.Plan) context.Context {
	return account.With(w.t.Context(), account.Principal{Account: "acc-" + name, Workspace: "ws-" + name, Name: name, Plan: plan, Scopes: []string{"*"}, Method: "api_key"})
}

// queue takes starts and runs nothing by itself.
type queue struct {
	mu   sync.Mutex
	jobs []queued
}

type queued struct {
	machine, name string
	input         json.RawMessage
}

func (q *queue) Start(_ context.Context, machine, name string, input json.RawMessage) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, queued{machine, name, input})
	return nil
}
func (q *queue) Stop(context.Context, string, string, string) error { return nil }
func (q *queue) Describe(context.Context, string, string) (workflow.Execution, error) {
	return workflow.Execution{}, workflow.ErrNotFound
}
func (q *queue) Succeed(context.Context, string, json.RawMessage) error { return nil }
func (q *queue) Fail(context.Context, string, string, string) error     { return nil }

func (q *queue) take() []queued {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := q.jobs
	q.jobs = nil
	return out
}

// engine is the offline engine, or one that fails where a test says so.
type engine struct {
	simulate.Respondents
	mu      sync.Mutex
	asked   map[string]int // Mind id to how often it was asked
	fail    func(r simulate.Respondent) (simulate.Answer, error, bool)
	version string
	seen    []simulate.Respondent
}

func (e *engine) Info() simulate.Info {
	i := e.Respondents.Info()
	if e.version != "" {
		i.Version = e.version
	}
	return i
}

func (e *engine) Ask(ctx context.Context, q simulate.Question, p simulate.Policy) (simulate.Asked, error) {
	a, err := e.Respondents.Ask(ctx, q, p)
	if err != nil {
		return nil, err
	}
	return asked{e, a}, nil
}

type asked struct {
	e *engine
	a simulate.Asked
}

func (a asked) Answer(ctx context.Context, r simulate.Respondent) (simulate.Answer, error) {
	a.e.mu.Lock()
	if a.e.asked == nil {
		a.e.asked = map[string]int{}
	}
	a.e.asked[r.ID]++
	a.e.seen = append(a.e.seen, r)
	fail := a.e.fail
	a.e.mu.Unlock()
	if fail != nil {
		if out, err, hit := fail(r); hit {
			return out, err
		}
	}
	return a.a.Answer(ctx, r)
}

// run works the queue until it is empty.
func (w *world) run() {
	w.t.Helper()
	for jobs := w.queue.take(); len(jobs) > 0; jobs = w.queue.take() {
		for _, j := range jobs {
			w.work(j)
		}
	}
}

func (w *world) work(j queued) {
	w.t.Helper()
	var in struct{ Job, Workspace, Account, Mind, Item string }
	w.must(json.Unmarshal(j.input, &in))
	ctx := account.With(w.t.Context(), account.Principal{Account: in.Account, Workspace: in.Workspace, Scopes: []string{"*"}, Method: "internal"})
	switch j.machine {
	case study.Machine:
		job := jobInput(w.t, j)
		chunks, err := w.Studies.Prepare(ctx, job)
		w.must(err)
		for _, n := range chunks {
			_, err := w.Studies.AnswerChunk(ctx, job, n)
			w.must(err)
		}
		_, err = w.Studies.Settle(ctx, job)
		w.must(err)
	case "mind-training":
		_, err := w.Training.Collect(ctx, in.Mind, in.Job)
		w.must(err)
		w.must(w.Training.Prompt(ctx, in.Mind, in.Job))
	case knowledge.Machine:
		w.must(w.Knowledge.Ingest(ctx, in.Mind, in.Item, in.Job))
	default:
		w.t.Fatalf("no worker for %s", j.machine)
	}
}

func jobInput(t testing.TB, j queued) study.JobInput {
	t.Helper()
	var in study.JobInput
	if err := json.Unmarshal(j.input, &in); err != nil {
		t.Fatal(err)
	}
	return in
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// minds makes n trained Minds.
func (w *world) minds(ctx context.Context, n int) []string {
	w.t.Helper()
	ids := make([]string, n)
	for i := range ids {
		made, err := w.Minds.Create(ctx, mind.CreateRequest{Name: fmt.Sprintf("Mind %03d", i), Mode: mind.ModeClone,
			PersonaContext: fmt.Sprintf("Age: %d\nGender: %s\nLikes to cook on weekends and has an opinion about steak.", 20+i%50, []string{"Female", "Male"}[i%2])})
		w.must(err)
		ids[i] = made.Mind.ID
	}
	w.run()
	return ids
}

// teach gives every Mind a published distribution.
func (w *world) teach(ctx context.Context, ids []string, doc string) {
	w.t.Helper()
	for _, id := range ids {
		_, err := w.Knowledge.AddFile(ctx, knowledge.AddFileRequest{MindID: id, Filename: "survey.json", Body: strings.NewReader(doc)})
		w.must(err)
	}
	w.run()
}

func (w *world) audience(ctx context.Context, name string, ids []string) audience.Audience {
	w.t.Helper()
	a, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: name, MindIDs: ids})
	w.must(err)
	return a.Audience
}

func (w *world) study(ctx context.Context, name string, audiences ...audience.Audience) study.Study {
	w.t.Helper()
	r := study.CreateRequest{Name: name}
	for _, a := range audiences {
		r.AudienceIDs = append(r.AudienceIDs, a.ID)
	}
	made, err := w.Studies.Create(ctx, r)
	w.must(err)
	return made.Study
}

// ask puts a question and works it off.
func (w *world) ask(ctx context.Context, studyID, question string) study.QuestionResult {
	w.t.Helper()
	return w.askWith(ctx, study.AskRequest{StudyID: studyID, Question: question})
}

func (w *world) askWith(ctx context.Context, r study.AskRequest) study.QuestionResult {
	w.t.Helper()
	a, err := w.Studies.Ask(ctx, r)
	w.must(err)
	w.run()
	return w.result(ctx, r.StudyID, *a.Run.QuestionID)
}

func (w *world) result(ctx context.Context, studyID, questionID string) study.QuestionResult {
	w.t.Helper()
	st, err := w.Studies.Status(ctx, studyID, questionID)
	w.must(err)
	for _, list := range [][]study.QuestionResult{st.Active, st.Recent, st.FailedQuestions} {
		for _, q := range list {
			if q.QuestionID == questionID {
				return q
			}
		}
	}
	w.t.Fatal("the question is nowhere")
	return study.QuestionResult{}
}

const doneness = `{"question":"How do you like your steak prepared?","options":[{"label":"Rare","share":0.05},{"label":"Medium Rare","share":0.38},{"label":"Medium","share":0.3},{"label":"Medium Well","share":0.17},{"label":"Well Done","share":0.1}],"n":430,"source":"Steak survey","dates":"May 2014","population":"Adults, United States"}`

// giveBack refunds responses outside any question.
func (w *world) giveBack(ctx context.Context, n int64, at time.Time) error {
	a, err := w.Accounts.RefundResponses(ctx, n, at)
	if err != nil {
		return err
	}
	return w.store.Transact(ctx, "", a)
}
