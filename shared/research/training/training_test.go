package training_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

const page = "https://www.example.com/about"

func sources(links ...string) (out []knowledge.Source) {
	for _, l := range links {
		out = append(out, knowledge.Source{Link: l, Keyword: "k"})
	}
	return out
}

func TestTheFourModesCollect_M24(t *testing.T) {
	no := false
	for name, tt := range map[string]struct {
		r        mind.CreateRequest
		engine   bool
		broken   error
		read     []string
		says     string
		saysNot  string
		requires string
	}{
		"keywords":                   {mind.CreateRequest{Mode: "keywords", Keywords: []string{"tea", "milk"}}, true, nil, []string{"https://a.test", "https://b.test"}, "knowledge", "not researched", ""},
		"keywords without an engine": {mind.CreateRequest{Mode: "keywords", Keywords: []string{"tea"}}, false, nil, nil, "The topics were not researched: no search provider is set up.", "knowledge", ""},
		"keywords, left out":         {mind.CreateRequest{Mode: "keywords", Keywords: []string{"tea"}, IncludeWebSearch: &no}, true, nil, nil, "Web research was left out, as asked.", "knowledge", ""},
		"keywords, engine away":      {mind.CreateRequest{Mode: "keywords", Keywords: []string{"tea"}}, true, errors.New("away"), nil, "the search provider could not be reached", "knowledge", ""},
		"clone of a real person":     {mind.CreateRequest{Mode: "clone", PersonaContext: "A nurse.", IsRealPerson: true}, true, nil, []string{"https://a.test", "https://b.test"}, "persona context and knowledge", "", ""},
		"clone with nothing to seek": {mind.CreateRequest{Mode: "clone", PersonaContext: "A nurse."}, true, nil, nil, "names no field and no topic", "", ""},
		"clone with a page":          {mind.CreateRequest{Mode: "clone", PersonaContext: "A nurse.", ContextLink: page}, false, nil, []string{page}, "knowledge", "", ""},
		"link":                       {mind.CreateRequest{Mode: "link", ContextLink: page}, true, nil, []string{page}, "knowledge", "research", page},
		"link, research left out":    {mind.CreateRequest{Mode: "link", ContextLink: page, IncludeWebSearch: &no}, true, nil, []string{page}, "knowledge", "", page},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, nil)
			w.rewire(tt.engine)
			w.found, w.broken = sources("https://a.test", "https://b.test"), tt.broken
			tt.r.Name = "Ada"
			m := w.create(t, tt.r)
			w.Run(t)
			m = w.get(t, m.ID)
			if !m.ReadyToChat() || !slices.Equal(m.Training.Items, tt.read) || len(m.Knowledge) != len(tt.read) || m.Training.Required != tt.requires {
				t.Errorf("ready %v, items %v, knowledge %v, required %q", m.ReadyToChat(), m.Training.Items, m.Knowledge, m.Training.Required)
			}
			msg := w.message(t, m.ID)
			if !strings.Contains(msg, tt.says) || tt.saysNot != "" && strings.Contains(msg, tt.saysNot) {
				t.Errorf("it says: %s", msg)
			}
			for _, item := range tt.read {
				if !strings.Contains(m.SystemPrompt, "What "+item+" says.") {
					t.Errorf("the prompt does not know %s: %s", item, m.SystemPrompt)
				}
			}
		})
	}
}

func TestCollectionFailed_M24(t *testing.T) {
	w := open(t, nil)
	w.bad[page] = "The page answers 404."
	m := w.create(t, mind.CreateRequest{Name: "Page", Mode: "link", ContextLink: page})
	w.Run(t)
	tr := w.Minds.TrainingOf(w.get(t, m.ID))
	if tr.Status != mind.Failed || tr.Error.Code != mind.CollectionFailed || !tr.Error.Retryable || tr.ReadyToChat || tr.CompletedAt == nil ||
		*tr.Message != "The page at www.example.com could not be read: The page answers 404." {
		t.Fatalf("%+v, %v", tr, *tr.Message)
	}
	// The page is back: another training succeeds.
	delete(w.bad, page)
	if _, err := w.Minds.Retrain(w.ctx, m.ID); err != nil {
		t.Fatal(err)
	}
	w.Run(t)
	if m := w.get(t, m.ID); !m.ReadyToChat() || len(m.Knowledge) != 1 {
		t.Errorf("trained again: %+v", w.Minds.TrainingOf(m))
	}
	// Of many sources, some may fail.
	w.found = sources("https://a.test", "https://b.test", "https://c.test")
	w.bad["https://b.test"] = "It is too large."
	k := w.create(t, mind.CreateRequest{Name: "Tea", Mode: "keywords", Keywords: []string{"tea"}})
	w.Run(t)
	if m := w.get(t, k.ID); !m.ReadyToChat() || len(m.Knowledge) != 2 || !strings.Contains(w.message(t, k.ID), "1 of 3 sources could not be read") {
		t.Errorf("%s", w.message(t, k.ID))
	}
}

func TestProgressIsToldAndNeverGoesBack(t *testing.T) {
	w := open(t, nil)
	w.found = sources("https://a.test", "https://b.test", "https://c.test")
	m := w.create(t, mind.CreateRequest{Name: "Tea", Mode: "keywords", Keywords: []string{"tea"}})
	job := w.Engine.Take()[0].Name
	c, err := w.Training.Collect(w.ctx, m.ID, job)
	if err != nil || len(c.Items) != 3 {
		t.Fatal(c, err)
	}
	read := func(i int) {
		t.Helper()
		if done, err := w.Training.Ingest(w.ctx, m.ID, job, c.Items[i], i, 3); err != nil || !done {
			t.Fatal(done, err)
		}
	}
	read(1)
	if got := w.message(t, m.ID); got != "Reading source 2 of 3." {
		t.Error(got)
	}
	read(0) // began later, or is repeated
	if got := w.message(t, m.ID); got != "Reading source 2 of 3." {
		t.Error(got)
	}
	w.unready = 2
	for range 2 {
		if done, err := w.Training.Ingest(w.ctx, m.ID, job, c.Items[2], 2, 3); err != nil || done {
			t.Fatal("an item that needs more time must go on", done, err)
		}
	}
	read(2)
	// What the engine finds meanwhile changes nothing: the first collection stands.
	w.found = sources("https://z.test")
	if again, err := w.Training.Collect(w.ctx, m.ID, job); err != nil || !slices.Equal(again.Items, c.Items) {
		t.Errorf("a repeated collection: %v, %v", again, err)
	}
}

// An item whose task gave up does not stay open behind the training.
func TestAnItemThatWasGivenUpIsSettled(t *testing.T) {
	w := open(t, nil)
	w.found = sources("https://a.test")
	m := w.create(t, mind.CreateRequest{Name: "Tea", Mode: "keywords", Keywords: []string{"tea"}})
	job := w.Engine.Take()[0].Name
	if _, err := w.Training.Collect(w.ctx, m.ID, job); err != nil {
		t.Fatal(err)
	}
	if err := w.Training.Prompt(w.ctx, m.ID, job); err != nil {
		t.Fatal(err)
	}
	if st := w.status["https://a.test"]; st.Status != knowledge.Failed || !w.get(t, m.ID).ReadyToChat() {
		t.Errorf("%+v", st)
	}
}

func TestRetrain_M22(t *testing.T) {
	w := open(t, nil)
	m := w.create(t, mind.CreateRequest{Name: "Page", Mode: "link", ContextLink: page})
	if _, err := w.Minds.Retrain(w.ctx, m.ID); !fault.Is(err, fault.RetrainInFlight) {
		t.Fatalf("while queued: %v", err)
	}
	w.Run(t)
	w.steps = 3
	tr, err := w.Minds.Retrain(w.ctx, m.ID)
	if err != nil || tr.Status != mind.Queued || tr.ReadyToChat || tr.CompletedAt != nil {
		t.Fatalf("M-23, asked for: %+v, %v", tr, err)
	}
	if _, err := w.Minds.Retrain(w.ctx, m.ID); !fault.Is(err, fault.RetrainInFlight) {
		t.Errorf("again at once: %v", err)
	}
	if _, err := w.Minds.Refresh(w.ctx, m.ID, mind.Revision{}); !fault.Is(err, fault.RetrainInFlight) {
		t.Errorf("a refresh behind it: %v", err)
	}
	w.Run(t)
	m = w.get(t, m.ID)
	if !m.ReadyToChat() || m.PromptVersion != 2 || w.embedded != 3 || w.reads[page] != 2 || len(m.Knowledge) != 1 {
		t.Errorf("prompt version %d, %d steps of the index, %d reads", m.PromptVersion, w.embedded, w.reads[page])
	}
	if _, err := w.Minds.Retrain(w.ctx, "00000000-0000-4000-8000-000000000000"); !fault.Is(err, fault.NotFound) {
		t.Errorf("no such Mind: %v", err)
	}
}

// Of many retrainings at once one wins, and there is one job.
func TestTwoRetrainingsAtOnce_M22(t *testing.T) {
	w := open(t, nil)
	m := w.create(t, mind.CreateRequest{Name: "Ada", Mode: "clone", PersonaContext: "A nurse."})
	w.Run(t)
	const callers = 16
	errs := make(chan error, callers)
	for range callers {
		go func() { _, err := w.Minds.Retrain(w.ctx, m.ID); errs <- err }()
	}
	won := 0
	for range callers {
		switch err := <-errs; {
		case err == nil:
			won++
		case !fault.Is(err, fault.RetrainInFlight):
			t.Errorf("%v", err)
		}
	}
	if started := w.Engine.Take(); won != 1 || len(started) != 1 {
		t.Errorf("%d won, %d were started", won, len(started))
	}
}

// The present version answers while the new one is trained, and after it failed;
// the new one comes in one write (M-23).
func TestRefreshKeepsAnswering_M23(t *testing.T) {
	w := open(t, nil)
	w.found = sources("https://old.test")
	m := w.create(t, mind.CreateRequest{Name: "Ada", Mode: "keywords", Keywords: []string{"tea"}, Description: "Drinks tea."})
	w.Run(t)
	before := w.get(t, m.ID)

	w.found = sources("https://new.test")
	persona, about, topics := "Age: 40\nA vegan.", "Drinks oat milk.", []string{"oat milk"}
	tr, err := w.Minds.Refresh(w.ctx, m.ID, mind.Revision{PersonaContext: &persona, Description: &about, Keywords: &topics, Forget: true, Redraw: true})
	if err != nil || tr.Status != mind.Queued || !tr.ReadyToChat {
		t.Fatalf("queued: %+v, %v", tr, err)
	}
	job := w.Engine.Take()[0]
	c, err := w.Training.Collect(w.ctx, m.ID, job.Name)
	if err != nil || !slices.Equal(c.Items, []string{"https://new.test"}) || !c.Rebuild {
		t.Fatal(c, err)
	}
	if _, err := w.Training.Ingest(w.ctx, m.ID, job.Name, c.Items[0], 0, 1); err != nil {
		t.Fatal(err)
	}
	during := w.get(t, m.ID)
	if tr := w.Minds.TrainingOf(during); tr.Status != mind.Running || !tr.ReadyToChat {
		t.Errorf("running: %+v", tr)
	}
	if during.SystemPrompt != before.SystemPrompt || during.PromptVersion != before.PromptVersion || during.KnowledgeVersion != before.KnowledgeVersion ||
		during.PersonaContext != before.PersonaContext || during.Description != before.Description || !slices.Equal(during.Knowledge, before.Knowledge) {
		t.Error("the version that answers changed under a refresh")
	}
	if r, err := w.Minds.Respondents(w.ctx, []string{m.ID}); err != nil || len(r) != 1 {
		t.Errorf("it does not answer: %v", err)
	}
	if err := w.Step(w.ctx, job); err != nil {
		t.Fatal(err)
	}
	after := w.get(t, m.ID)
	if after.PromptVersion != before.PromptVersion+1 || after.PersonaContext != persona || after.Description != about || !strings.Contains(after.SystemPrompt, "vegan") ||
		len(after.Knowledge) != 1 || after.Knowledge[0].ItemID != "https://new.test" || after.KnowledgeVersion <= before.KnowledgeVersion || after.Pending != nil {
		t.Errorf("committed: %+v", after)
	}
	if after.Portrait.Number != 2 || !slices.Equal(w.deleted, []string{"https://old.test"}) || len(after.Retired) != 0 {
		t.Errorf("portrait %d, deleted %v, retired %v", after.Portrait.Number, w.deleted, after.Retired)
	}
}

func TestAFailedRefreshIsDropped_M23(t *testing.T) {
	w := open(t, nil)
	w.found = sources("https://old.test")
	m := w.create(t, mind.CreateRequest{Name: "Ada", Mode: "keywords", Keywords: []string{"tea"}})
	w.Run(t)
	before := w.get(t, m.ID)
	w.found = sources("https://new.test", "https://old.test")
	persona := "A vegan."
	if _, err := w.Minds.Refresh(w.ctx, m.ID, mind.Revision{PersonaContext: &persona}); err != nil {
		t.Fatal(err)
	}
	job := w.Engine.Take()[0]
	c, err := w.Training.Collect(w.ctx, m.ID, job.Name)
	if err != nil {
		t.Fatal(err)
	}
	for i, item := range c.Items {
		if _, err := w.Training.Ingest(w.ctx, m.ID, job.Name, item, i, len(c.Items)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := w.Training.Fail(w.ctx, m.ID, job.Name, mind.InternalFailure); err != nil {
			t.Fatal(err)
		}
	}
	after := w.get(t, m.ID)
	tr := w.Minds.TrainingOf(after)
	if tr.Status != mind.Failed || tr.Error.Code != mind.InternalFailure || !tr.ReadyToChat {
		t.Errorf("the failure must show, and the old version answer: %+v", tr)
	}
	if after.SystemPrompt != before.SystemPrompt || after.PersonaContext != before.PersonaContext || after.Pending != nil ||
		len(after.Knowledge) != 1 || after.Knowledge[0].ItemID != "https://old.test" || !slices.Equal(w.deleted, []string{"https://new.test"}) {
		t.Errorf("%+v, deleted %v", after, w.deleted)
	}
	// A Mind without a prompt has no earlier version: it is not ready.
	manual := w.create(t, mind.CreateRequest{Name: "Blank", Mode: "manual"})
	if tr, err := w.Minds.Refresh(w.ctx, manual.ID, mind.Revision{}); err != nil || tr.ReadyToChat {
		t.Errorf("%+v, %v", tr, err)
	}
}

func TestAFreshWorldNeedsNoShelf(t *testing.T) {
	w := researchtest.New(t) // the real knowledge, as the hosts wire it
	ctx := w.As(t, "lab", "team")
	c, err := w.Minds.Create(ctx, mind.CreateRequest{Name: "Tea", Mode: "keywords", Keywords: []string{"tea"}})
	if err != nil {
		t.Fatal(err)
	}
	w.Run(t)
	m, err := w.Minds.Get(ctx, c.Mind.ID)
	if err != nil || !m.ReadyToChat() || m.Portrait == nil {
		t.Errorf("%+v, %v", w.Minds.TrainingOf(m), err)
	}
}
