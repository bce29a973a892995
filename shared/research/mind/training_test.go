package mind_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

func TestTraining_M20_M24(t *testing.T) {
	no := false
	for name, tt := range map[string]struct {
		r    mind.CreateRequest
		says []string
	}{
		"clone":       {clone("Ada"), []string{"persona context", "no search provider"}},
		"source only": {mind.CreateRequest{Name: "Ada", Mode: "clone", PersonaContext: "A nurse.", IncludeWebSearch: &no}, []string{"left out, as asked"}},
		"keywords":    {mind.CreateRequest{Name: "Pricing Expert", Mode: "keywords", Keywords: []string{"SaaS pricing"}}, []string{"topics", "not researched"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := researchtest.New(t)
			ctx := w.As(t, "lab", account.Team)
			c := create(t, w, ctx, tt.r)
			job := c.Mind.Training.JobID
			if job == "" || job == c.Mind.ID {
				t.Fatalf("a training has an id of its own: %q", job)
			}
			w.Clock.Advance(time.Second)
			for range 2 { // a repeated task changes nothing
				if got, err := w.Training.Collect(ctx, c.Mind.ID, job); err != nil || len(got.Items) != 0 || got.Rebuild {
					t.Fatal(got, err)
				}
			}
			running, _ := w.Minds.Get(ctx, c.Mind.ID)
			if tr := w.Minds.TrainingOf(running); tr.Status != mind.Running || tr.ReadyToChat || *tr.StartedAt != "2026-11-30T12:00:01.000Z" || tr.CompletedAt != nil {
				t.Errorf("while it runs: %+v", tr)
			}
			rows, _, _ := w.Minds.List(ctx, 20, 0)
			if *rows[0].TrainingStatus != mind.Running {
				t.Errorf("the list says %s while the record says running", *rows[0].TrainingStatus)
			}
			for range 2 {
				if err := w.Training.Prompt(ctx, c.Mind.ID, job); err != nil {
					t.Fatal(err)
				}
			}
			m, _ := w.Minds.Get(ctx, c.Mind.ID)
			tr := w.Minds.TrainingOf(m)
			if tr.Status != mind.Completed || !tr.ReadyToChat || tr.Error != nil || m.PromptVersion != 1 || len(m.SystemPrompt) < 50 {
				t.Errorf("at the end: %+v, prompt version %d", tr, m.PromptVersion)
			}
			for _, s := range tt.says {
				if !strings.Contains(*tr.Message, s) {
					t.Errorf("the message does not say %q: %s", s, *tr.Message)
				}
			}
			rows, _, _ = w.Minds.List(ctx, 20, 0)
			if !rows[0].ReadyToChat {
				t.Error("the list does not show the Mind as ready")
			}
			// Neither a late failure nor the step of another job changes it.
			if err := w.Training.Fail(ctx, m.ID, job, mind.InternalFailure); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Training.Collect(ctx, m.ID, "another"); err != nil {
				t.Fatal(err)
			}
			if after, _ := w.Minds.Get(ctx, m.ID); after.Training.Status != mind.Completed {
				t.Errorf("a settled training became %s", after.Training.Status)
			}
		})
	}
}

func TestTrainingPastItsDeadline_M24(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	c := create(t, w, ctx, clone("Ada"))
	expired := map[string]func(context.Context, jobs.Job) error{mind.Machine: w.Training.Expire}
	w.Clock.Advance(mind.TrainingTime - time.Second)
	if _, failed, err := w.Jobs.Sweep(t.Context(), expired); failed != 0 || err != nil {
		t.Fatalf("failed early: %d, %v", failed, err)
	}
	w.Clock.Advance(time.Second)
	if _, failed, err := w.Jobs.Sweep(t.Context(), expired); failed != 1 || err != nil {
		t.Fatalf("at the deadline: %d, %v", failed, err)
	}
	m, _ := w.Minds.Get(ctx, c.Mind.ID)
	tr := w.Minds.TrainingOf(m)
	if tr.Status != mind.Failed || tr.Error.Code != mind.TimedOut || !tr.Error.Retryable || len(w.Engine.Stopped) != 1 {
		t.Errorf("%+v, stopped %v", tr, w.Engine.Stopped)
	}
	if started, failed, err := w.Jobs.Sweep(t.Context(), expired); started+failed != 0 || err != nil {
		t.Errorf("the job is still open: %d, %d, %v", started, failed, err)
	}
}

func TestRegeneratePrompt_M21(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	manual := create(t, w, ctx, mind.CreateRequest{Name: "Blank", Mode: "manual"}).Mind
	if w.Minds.TrainingOf(manual).ReadyToChat {
		t.Fatal("ready without a prompt")
	}
	if bare, err := w.Minds.RegeneratePrompt(ctx, manual.ID, ""); !fault.Is(err, fault.PromptGenerationFailed) {
		t.Fatalf("with nothing but a name: %+v, %v", bare, err)
	}
	if _, err := w.Minds.Retrain(ctx, manual.ID); err != nil {
		t.Fatal(err)
	}
	w.Run(t)
	bare, _ := w.Minds.Get(ctx, manual.ID)
	if tr := w.Minds.TrainingOf(bare); tr.ReadyToChat || tr.Status != mind.Failed || tr.Error.Code != mind.ProfileGenFailed || !tr.Error.Retryable {
		t.Fatalf("M-24, trained with nothing but a name: %+v", tr)
	}
	if _, err := w.Minds.RegeneratePrompt(ctx, manual.ID, strings.Repeat("x", 16_001)); !fault.Is(err, fault.Validation) {
		t.Errorf("an override too long: %v", err)
	}
	p, err := w.Minds.RegeneratePrompt(ctx, manual.ID, "Age: 40\nA baker from Lyon.")
	if err != nil {
		t.Fatal(err)
	}
	m, _ := w.Minds.Get(ctx, manual.ID)
	if !m.ReadyToChat() || p.PromptLength < 50 || !strings.Contains(p.SystemPrompt, "baker") || m.PersonaContext == "" || m.KnowledgeVersion != 1 {
		t.Errorf("%+v, %+v", p, m)
	}
	queued := create(t, w, ctx, clone("Ada")).Mind
	if _, err := w.Minds.RegeneratePrompt(ctx, queued.ID, ""); !fault.Is(err, fault.RetrainInFlight) {
		t.Errorf("while it trains: %v", err)
	}
}

func TestForeignMindsDoNotExist_M3(t *testing.T) {
	w := researchtest.New(t)
	ctx, other := w.As(t, "lab", account.Team), w.As(t, "other", account.Team)
	id := create(t, w, ctx, clone("Ada")).Mind.ID
	_, foreign := w.Minds.Get(other, id)
	_, missing := w.Minds.Get(other, key)
	a, b := fault.From(foreign), fault.From(missing)
	if a.Code != fault.NotFound || a.Message != b.Message || len(a.Data) != len(b.Data) {
		t.Errorf("a foreign id: %v; one that does not exist: %v", foreign, missing)
	}
	if ms, err := w.Minds.GetMany(other, []string{id, key}); len(ms) != 0 || err != nil {
		t.Errorf("%v, %v", ms, err)
	}
	if _, err := w.Minds.Respondents(other, []string{id}); !fault.Is(err, fault.NotFound) {
		t.Errorf("respondents: %v", err)
	}
	if _, err := w.Minds.RegeneratePrompt(other, id, "x"); !fault.Is(err, fault.NotFound) {
		t.Errorf("regenerate: %v", err)
	}
	if m, err := w.Minds.Get(ctx, strings.ToUpper(id)); err != nil || m.ID != id {
		t.Errorf("an id in capitals: %v", err)
	}
}
