package training_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/webpage"
	"github.com/mindgate-dev/mindgate/shared/websearch"
)

// pages is a small web of plain texts.
type pages struct {
	mu    sync.Mutex
	texts map[string]string
	got   map[string]int
	hook  func(url string)
}

func (p *pages) Page(_ context.Context, url string, _ webpage.Validators) (webpage.Fetched, error) {
	if p.hook != nil {
		p.hook(url)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got[url]++
	text, ok := p.texts[url]
	if !ok {
		return webpage.Fetched{}, &webpage.Refused{Code: webpage.Status, Message: "the server answered 404"}
	}
	return webpage.Fetched{URL: url, MediaType: "text/plain; charset=utf-8", Filename: "page.txt", Size: int64(len(text)), Body: io.NopCloser(strings.NewReader(text))}, nil
}

func (p *pages) File(ctx context.Context, url string) (webpage.Fetched, error) {
	return p.Page(ctx, url, webpage.Validators{})
}

// engine finds pages by the first word of a query.
type engine map[string][]string

func (engine) Name() string { return "test" }

func (e engine) Search(_ context.Context, query string, count int) (out []websearch.Result, err error) {
	for _, url := range e[query] {
		if len(out) < count {
			out = append(out, websearch.Result{Title: "About " + query, URL: url})
		}
	}
	return out, nil
}

// web makes a world with the real knowledge over a small web.
func web(t *testing.T) (*researchtest.World, *pages, context.Context) {
	t.Helper()
	p := &pages{got: map[string]int{}, texts: map[string]string{
		"https://tea.example.com/a":  "Oolong is my favourite tea. I always drink oolong at six in the morning, before my shift at the harbour.",
		"https://tea.example.com/b":  "Milk does not belong into green tea. We stopped serving it in 2019 because nobody asked for it.",
		"https://milk.example.com/c": "Oat milk is what most of our guests order, and they pay forty cents more for it.",
	}}
	e := engine{"tea": {"https://tea.example.com/a", "https://tea.example.com/b"}, "milk": {"https://milk.example.com/c", "https://tea.example.com/gone"}}
	w := researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Pages: p, Search: e})
	return w, p, w.As(t, "lab", account.Team)
}

// From topics to an answer with its source, over the real knowledge.
func TestTrainedFromTheWeb(t *testing.T) {
	w, _, ctx := web(t)
	c, err := w.Minds.Create(ctx, mind.CreateRequest{Name: "Harbour Cafe", Mode: "keywords", Keywords: []string{"tea", "milk"}})
	if err != nil {
		t.Fatal(err)
	}
	w.Run(t)
	m, err := w.Minds.Get(ctx, c.Mind.ID)
	if err != nil {
		t.Fatal(err)
	}
	if !m.ReadyToChat() || len(m.Knowledge) != 3 || m.KnowledgeItems != 4 || !strings.Contains(m.Training.Message, "1 of 4 sources could not be read") {
		t.Fatalf("ready %v, knows %d of %d items: %s", m.ReadyToChat(), len(m.Knowledge), m.KnowledgeItems, m.Training.Message)
	}
	reply, err := w.Minds.Chat(ctx, mind.ChatRequest{MindID: m.ID, Message: "When do you drink oolong?", SourcePolicy: mind.PolicyKnowledgeOnly})
	if err != nil || !strings.Contains(reply.Content, "six in the morning") || len(reply.Metadata.Citations) == 0 {
		t.Errorf("%s %+v, %v", reply.Content, reply.Metadata, err)
	}

	// Trained again: every page is looked at again, and known once.
	if _, err := w.Minds.Retrain(ctx, m.ID); err != nil {
		t.Fatal(err)
	}
	w.Run(t)
	if m, _ = w.Minds.Get(ctx, m.ID); !m.ReadyToChat() || len(m.Knowledge) != 3 || m.KnowledgeItems != 4 || m.PromptVersion != 2 {
		t.Errorf("trained again: ready %v, knows %d of %d items, prompt %d", m.ReadyToChat(), len(m.Knowledge), m.KnowledgeItems, m.PromptVersion)
	}
}

// A page whose task gave up ends the training, whose own job is closed by that
// and by nothing before.
func TestAPageThatWasGivenUp(t *testing.T) {
	w, p, ctx := web(t)
	const url = "https://www.example.com/about"
	p.texts[url] = "We repair wooden boats, and we never use plastic."
	c, err := w.Minds.Create(ctx, mind.CreateRequest{Name: "Page", Mode: "link", ContextLink: url})
	if err != nil {
		t.Fatal(err)
	}
	for _, again := range []bool{false, true} {
		if again {
			if _, err := w.Minds.Retrain(ctx, c.Mind.ID); err != nil {
				t.Fatal(err)
			}
		}
		job := w.Engine.Take()[0]
		if _, err := w.Training.Collect(ctx, c.Mind.ID, job.Name); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := w.Training.Prompt(ctx, c.Mind.ID, job.Name); err != nil {
				t.Fatal(err)
			}
		}
		m, _ := w.Minds.Get(ctx, c.Mind.ID)
		if tr := w.Minds.TrainingOf(m); tr.Status != mind.Failed || tr.Error.Code != mind.CollectionFailed {
			t.Fatalf("%+v", tr)
		}
		w.Clock.Advance(jobs.Grace + time.Second)
		if started, _, err := w.Jobs.Sweep(t.Context(), nil); started != 0 || err != nil {
			t.Errorf("%d jobs are open, %v", started, err)
		}
	}
	if _, err := w.Minds.Retrain(ctx, c.Mind.ID); err != nil {
		t.Fatal(err)
	}
	w.Run(t)
	if m, _ := w.Minds.Get(ctx, c.Mind.ID); !m.ReadyToChat() || len(m.Knowledge) != 1 {
		t.Errorf("%+v", m.Training)
	}
}

func TestALinkThatIsReadLater(t *testing.T) {
	w, p, ctx := web(t)
	const url = "https://www.example.com/about"
	c, err := w.Minds.Create(ctx, mind.CreateRequest{Name: "Page", Mode: "link", ContextLink: url})
	if err != nil {
		t.Fatal(err)
	}
	w.Run(t)
	m, _ := w.Minds.Get(ctx, c.Mind.ID)
	if tr := w.Minds.TrainingOf(m); tr.Status != mind.Failed || tr.Error.Code != mind.CollectionFailed || !strings.Contains(*tr.Message, "404") {
		t.Fatalf("%+v %s", tr, m.Training.Message)
	}
	p.texts[url] = "We repair wooden boats, and we never use plastic."
	if _, err := w.Minds.Retrain(ctx, m.ID); err != nil {
		t.Fatal(err)
	}
	w.Run(t)
	if m, _ = w.Minds.Get(ctx, m.ID); !m.ReadyToChat() || len(m.Knowledge) != 1 || !strings.Contains(m.SystemPrompt, "wooden boats") {
		t.Errorf("%s\n%s", m.Training.Message, m.SystemPrompt)
	}
}

// A refresh over the real knowledge: what it reads is not known before the new
// version is, and what the old one knew goes with it (M-23).
func TestRefreshFromTheWeb_M23(t *testing.T) {
	for name, fails := range map[string]bool{"committed": false, "dropped": true} {
		t.Run(name, func(t *testing.T) {
			w, p, ctx := web(t)
			c, err := w.Minds.Create(ctx, mind.CreateRequest{Name: "Cafe", Mode: "keywords", Keywords: []string{"tea"}})
			if err != nil {
				t.Fatal(err)
			}
			w.Run(t)
			before, _ := w.Minds.Get(ctx, c.Mind.ID)
			topics := []string{"milk"}
			if _, err := w.Minds.Refresh(ctx, c.Mind.ID, mind.Revision{Keywords: &topics, Forget: true}); err != nil {
				t.Fatal(err)
			}
			looked := false
			p.hook = func(url string) {
				looked = true
				m, err := w.Minds.Get(ctx, c.Mind.ID)
				if err != nil || !m.ReadyToChat() || len(m.Knowledge) != 2 || m.SystemPrompt != before.SystemPrompt {
					t.Errorf("while it reads %s: ready %v, knows %d, %v", url, m.ReadyToChat(), len(m.Knowledge), err)
				}
			}
			job := w.Engine.Take()[0]
			if fails {
				collected, err := w.Training.Collect(ctx, c.Mind.ID, job.Name)
				if err != nil {
					t.Fatal(err)
				}
				for i, item := range collected.Items {
					if _, err := w.Training.Ingest(ctx, c.Mind.ID, job.Name, item, i, len(collected.Items)); err != nil {
						t.Fatal(err)
					}
				}
				err = w.Training.Fail(ctx, c.Mind.ID, job.Name, mind.TimedOut)
				if err != nil {
					t.Fatal(err)
				}
			} else if err := w.Step(ctx, job); err != nil {
				t.Fatal(err)
			}
			after, err := w.Minds.Get(ctx, c.Mind.ID)
			if err != nil || !after.ReadyToChat() || !looked {
				t.Fatal(err, after.Training)
			}
			items, total, err := w.Knowledge.List(ctx, after.ID, 100, 0)
			if err != nil {
				t.Fatal(err)
			}
			rs, err := w.Minds.Respondents(ctx, []string{after.ID})
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, passage := range rs[0].Passages {
				all = append(all, passage.Text)
			}
			text := strings.Join(all, " ")
			switch {
			case fails && (len(after.Knowledge) != 2 || !strings.Contains(text, "Oolong") || strings.Contains(text, "Oat milk") || after.SystemPrompt != before.SystemPrompt):
				t.Errorf("dropped: it knows %d, of %d items: %s", len(after.Knowledge), total, text)
			case !fails && (len(after.Knowledge) != 1 || strings.Contains(text, "Oolong") || !strings.Contains(text, "Oat milk") || after.PromptVersion != before.PromptVersion+1):
				t.Errorf("committed: it knows %d, of %d items %+v: %s", len(after.Knowledge), total, items, text)
			}
		})
	}
}

// A Mind that is deleted while one of its pages is read leaves nothing behind: no
// row, no content, no picture.
func TestDeletedWhileItReads(t *testing.T) {
	w, p, ctx := web(t)
	c, err := w.Minds.Create(ctx, mind.CreateRequest{Name: "Cafe", Mode: "keywords", Keywords: []string{"tea"}})
	if err != nil {
		t.Fatal(err)
	}
	training := w.Engine.Take()[0]
	var once sync.Once
	p.hook = func(string) {
		once.Do(func() {
			if err := w.Minds.Delete(ctx, c.Mind.ID); err != nil {
				t.Error(err)
			}
			w.Run(t) // the clean-up overtakes the training
		})
	}
	for range 2 {
		if err := w.Step(ctx, training); err != nil {
			t.Fatalf("the training: %v", err)
		}
	}
	if _, err := w.Minds.Get(ctx, c.Mind.ID); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	for _, pk := range []string{"mind#" + c.Mind.ID, "knowledge#" + c.Mind.ID, "patterns#" + c.Mind.ID} {
		page, err := w.Store.Query(ctx, records.Query{PK: account.WorkspacePrefix(c.Mind.Workspace) + pk})
		if err != nil || len(page.Items) != 0 {
			t.Errorf("%s: %d rows are left, %v: %s", pk, len(page.Items), err, fmt.Sprint(page.Items))
		}
	}
}
