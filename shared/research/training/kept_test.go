package training_test

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// A page that is down when its Mind is trained again keeps its earlier text, and
// the status says so; once it is back, nothing is said any more (M-24).
func TestAPageThatIsDownIsNoNews(t *testing.T) {
	w, p, ctx := web(t)
	const url = "https://www.example.com/about"
	text := "We repair wooden boats, and we never use plastic."
	p.texts[url] = text
	c, err := w.Minds.Create(ctx, mind.CreateRequest{Name: "Page", Mode: "link", ContextLink: url})
	if err != nil {
		t.Fatal(err)
	}
	train := func() mind.Mind {
		t.Helper()
		w.Run(t)
		m, err := w.Minds.Get(ctx, c.Mind.ID)
		if err != nil || !m.ReadyToChat() || !strings.Contains(m.SystemPrompt, "wooden boats") {
			t.Fatalf("ready %v: %q, %v", m.ReadyToChat(), m.SystemPrompt, err)
		}
		return m
	}
	if m := train(); strings.Contains(m.Training.Message, "again") {
		t.Errorf("the first training: %s", m.Training.Message)
	}
	for _, down := range []bool{true, true, false} {
		delete(p.texts, url)
		if !down {
			p.texts[url] = text
		}
		if _, err := w.Minds.Retrain(ctx, c.Mind.ID); err != nil {
			t.Fatal(err)
		}
		said := "The page at www.example.com could not be read again, and the text that was read before was kept: "
		if m := train(); strings.Contains(m.Training.Message, said) != down {
			t.Errorf("down %v: %s", down, m.Training.Message)
		}
	}
}
