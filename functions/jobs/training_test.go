package jobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	jobtasks "github.com/mindgate-dev/mindgate/functions/jobs"
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs/folder"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/workflow"
	"github.com/mindgate-dev/mindgate/statemachines"
)

func domain(t *testing.T) (*research.Research, *researchtest.Engine, context.Context) {
	t.Helper()
	c := clock.Hold(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "r.db"), sqlite.Options{Clock: c, CursorKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	files, err := folder.Open(filepath.Join(dir, "blobs"), folder.Options{Clock: c})
	if err != nil {
		t.Fatal(err)
	}
	guard, err := fetch.NewGuard(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := &researchtest.Engine{}
	r := research.New(research.Deps{
		Records: store, Blobs: files, Workflow: e, Clock: c, IDs: clock.RandomIDs{},
		Respondents: simulate.NewOffline(), Guard: guard, PublicURL: "http://127.0.0.1:8080", Plans: account.DefaultPlans(),
	})
	secret, _, err := r.Accounts.CreateKey(t.Context(), "lab", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Accounts.Authenticate(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	return r, e, account.With(t.Context(), p)
}

func call(t *testing.T, tasks workflow.Tasks, name string, payload json.RawMessage) {
	t.Helper()
	for range 2 { // a repeated task changes nothing
		if _, err := tasks[name](t.Context(), payload); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

func failure(input json.RawMessage, name string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"job": %s, "error": %q}`, input, name))
}

func TestTrainingTasks_M24(t *testing.T) {
	for _, tt := range []struct{ error, code string }{{"Internal", mind.InternalFailure}, {"States.Timeout", mind.TimedOut}, {"Sandbox.Timedout", mind.TimedOut}} {
		r, e, ctx := domain(t)
		tasks := jobtasks.Tasks(r)
		c, err := r.Minds.Create(ctx, mind.CreateRequest{Name: "Ada", Mode: mind.ModeClone, PersonaContext: "A nurse."})
		if err != nil {
			t.Fatal(err)
		}
		job := e.Take()[0]
		call(t, tasks, "MindTrainingCollect", job.Input)
		call(t, tasks, "MindTrainingFail", failure(job.Input, tt.error))
		call(t, tasks, "MindTrainingPrompt", job.Input) // too late: it is settled
		m, err := r.Minds.Get(ctx, c.Mind.ID)
		if err != nil {
			t.Fatal(err)
		}
		if tr := r.Minds.TrainingOf(m); tr.Status != mind.Failed || tr.Error.Code != tt.code || !tr.Error.Retryable || tr.ReadyToChat {
			t.Errorf("%s: %+v", tt.error, tr)
		}
	}
}

// The jobs of a Mind beside its training: portrait, vectors, clean-up.
func TestMindTasks(t *testing.T) {
	r, e, ctx := domain(t)
	tasks := jobtasks.Tasks(r)
	c, err := r.Minds.Create(ctx, mind.CreateRequest{Name: "Ada", Mode: mind.ModeManual})
	if err != nil {
		t.Fatal(err)
	}
	started := func() json.RawMessage {
		t.Helper()
		jobs := e.Take()
		if len(jobs) != 1 {
			t.Fatalf("%d jobs were started", len(jobs))
		}
		return jobs[0].Input
	}
	open := func() bool {
		m, err := r.Minds.Get(ctx, c.Mind.ID)
		return err == nil && (m.Drawing != nil || m.Rebuilding != nil)
	}
	for _, fail := range []bool{false, true} {
		if ok, _, err := r.Minds.RegenerateImage(ctx, c.Mind.ID, true, ""); err != nil || !ok {
			t.Fatal(ok, err)
		}
		input := started()
		if fail {
			call(t, tasks, "MindPortraitFail", failure(input, "Internal"))
		}
		call(t, tasks, "MindPortrait", input)
		if open() {
			t.Error("the request for a portrait is open")
		}
		if _, err := r.Minds.RegenerateEmbeddings(ctx, c.Mind.ID); err != nil {
			t.Fatal(err)
		}
		input = started()
		if fail {
			call(t, tasks, "MindReembedFail", failure(input, "Internal"))
		}
		call(t, tasks, "MindReembed", json.RawMessage(fmt.Sprintf(`{"job": %s, "cursor": ""}`, input)))
		if open() {
			t.Error("the request for vectors is open")
		}
	}
	if err := r.Minds.Delete(ctx, c.Mind.ID); err != nil {
		t.Fatal(err)
	}
	call(t, tasks, "MindDelete", started())
	if left, err := r.Minds.Left(ctx, []string{c.Mind.ID}); err != nil || len(left) != 0 {
		t.Errorf("left to clean up: %v, %v", left, err)
	}
}

func TestIngestTasks(t *testing.T) {
	r, e, ctx := domain(t)
	tasks := jobtasks.Tasks(r)
	c, err := r.Minds.Create(ctx, mind.CreateRequest{Name: "Ada", Mode: mind.ModeManual})
	if err != nil {
		t.Fatal(err)
	}
	add := func(text string) (string, json.RawMessage) {
		it, err := r.Knowledge.AddFile(ctx, knowledge.AddFileRequest{MindID: c.Mind.ID, Filename: "a.txt", Body: strings.NewReader(text)})
		if err != nil {
			t.Fatal(err)
		}
		return it.ID, e.Take()[0].Input
	}
	good, input := add("I buy oat milk.")
	call(t, tasks, "KnowledgeIngest", input)
	call(t, tasks, "KnowledgeIngestFail", failure(input, "Internal")) // too late: it is settled
	if s, err := r.Knowledge.Status(ctx, c.Mind.ID, good); err != nil || s.Status != knowledge.Completed {
		t.Errorf("%+v, %v", s, err)
	}
	bad, input := add("I buy soy milk.")
	call(t, tasks, "KnowledgeIngestFail", failure(input, "Internal"))
	if s, err := r.Knowledge.Status(ctx, c.Mind.ID, bad); err != nil || s.Status != knowledge.Failed || s.Error == "" {
		t.Errorf("%+v, %v", s, err)
	}
}

// A task works under the plan that its account has (M-105), also when it is told
// of a whole job that failed.
func TestTasksHaveThePlanOfTheirAccount_M105(t *testing.T) {
	r, e, ctx := domain(t)
	c, err := r.Minds.Create(ctx, mind.CreateRequest{Name: "Ada", Mode: mind.ModeClone, PersonaContext: "A nurse."})
	if err != nil {
		t.Fatal(err)
	}
	input := e.Take()[0].Input
	var seen []account.Principal
	look := jobtasks.Acting(r, func(ctx context.Context, _ json.RawMessage) (map[string]string, error) {
		seen = append(seen, account.From(ctx))
		return map[string]string{"mind": c.Mind.ID}, nil
	})
	for _, payload := range []json.RawMessage{input, failure(input, "Internal")} {
		if _, err := look(t.Context(), payload); err != nil {
			t.Fatal(err)
		}
	}
	want := account.From(ctx)
	for _, p := range seen {
		if p.Plan != want.Plan || p.Plan == "" || p.Account != want.Account || p.Workspace != want.Workspace || p.Method != "internal" {
			t.Errorf("%+v", p)
		}
	}
}

// Who settles an expired job is known for every machine.
func TestEveryMachineExpires(t *testing.T) {
	r, _, _ := domain(t)
	expired := jobtasks.Expired(r)
	machines, err := statemachines.All()
	if err != nil {
		t.Fatal(err)
	}
	for m := range machines {
		if expired[m] == nil {
			t.Errorf("nobody settles an expired job of %s", m)
		}
	}
}
