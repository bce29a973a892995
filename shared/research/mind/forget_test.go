package mind_test

import (
	"context"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// What is deleted leaves the prompt with the write that forgets it: the words of
// the text, its name and its patterns (M-20, M-24).
func TestDeletedKnowledgeLeavesThePrompt(t *testing.T) {
	var known *knowledge.Service
	w := researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Patterns: func(ctx context.Context, id string, limit int) ([]mind.Pattern, error) {
		found, _, err := known.Patterns(ctx, id, limit, 0)
		var out []mind.Pattern
		for _, p := range found {
			out = append(out, mind.Pattern{Aspect: p.Aspect, Quote: p.Quote, ItemID: *p.ItemID})
		}
		return out, err
	}})
	known = w.Knowledge
	ctx := w.As(t, "lab", account.Team)
	give := func(id, text string) string {
		t.Helper()
		added, err := w.Knowledge.Add(ctx, knowledge.AddRequest{MindID: id, Text: text, RegeneratePrompt: of(true)})
		if err != nil {
			t.Fatal(err)
		}
		w.Run(t)
		return added.Item.ID
	}
	prompt := func(id string) mind.Mind {
		t.Helper()
		m, err := w.Minds.Get(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	const secret, stays = "I always drink oat milk from Zanzibar.", "I prefer the night train to every aeroplane."
	m := create(t, w, ctx, mind.CreateRequest{Name: "Blank", Mode: "manual"}).Mind
	first, second := give(m.ID, secret), give(m.ID, stays)
	if p := prompt(m.ID); !strings.Contains(p.SystemPrompt, "Zanzibar") || !strings.Contains(p.SystemPrompt, "night train") || !p.ReadyToChat() {
		t.Fatalf("before: %q", p.SystemPrompt)
	}
	version := prompt(m.ID).PromptVersion
	if err := w.Knowledge.Delete(ctx, m.ID, first); err != nil {
		t.Fatal(err)
	}
	p := prompt(m.ID)
	if strings.Contains(p.SystemPrompt, "Zanzibar") || !strings.Contains(p.SystemPrompt, "night train") || !p.ReadyToChat() || p.PromptVersion != version+1 {
		t.Errorf("after the first: version %d, %q", p.PromptVersion, p.SystemPrompt)
	}
	if !strings.Contains(p.Training.Message, "taken away") {
		t.Errorf("the status does not say why the prompt changed: %s", p.Training.Message)
	}
	// Nothing but the name is left: no prompt, and no answer.
	if err := w.Knowledge.Delete(ctx, m.ID, second); err != nil {
		t.Fatal(err)
	}
	p = prompt(m.ID)
	if tr := w.Minds.TrainingOf(p); p.SystemPrompt != "" || tr.ReadyToChat || tr.Status != mind.Failed || tr.Error.Code != mind.ProfileGenFailed {
		t.Errorf("after the last: %q, %+v", p.SystemPrompt, tr)
	}

	// What the owner wrote stays to the letter.
	const own = "You are Ada, who speaks of oat milk from Zanzibar whenever she can."
	m = create(t, w, ctx, mind.CreateRequest{Name: "Ada", Mode: "manual"}).Mind
	item := give(m.ID, secret)
	if _, err := w.Minds.Update(ctx, m.ID, mind.Patch{SystemPrompt: of(own)}); err != nil {
		t.Fatal(err)
	}
	if err := w.Knowledge.Delete(ctx, m.ID, item); err != nil {
		t.Fatal(err)
	}
	if p := prompt(m.ID); p.SystemPrompt != own || !p.ReadyToChat() {
		t.Errorf("the owner's prompt became %q", p.SystemPrompt)
	}
}
