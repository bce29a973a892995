package run_test

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// TestSourceIsSeen holds that the content of a plan's Source goes with every item,
// that a model reads it as data, and that no item's text changes (M-75).
func TestSourceIsSeen(t *testing.T) {
	w := open(t, setting{minds: 2})
	var seen []simulate.Question
	w.engine.asks = func(q simulate.Question) { seen = append(seen, q) }
	const content = "Oat drink with calcium, 1 litre, 1.99 euros."
	plan := map[string]any{
		"source":  map[string]any{"kind": "prompt", "label": "The concept", "content": content},
		"modules": []any{map[string]any{"id": "main", "name": "Main", "questions": []run.Item{choice("a", "Would you buy it?", "Yes", "No"), words("b", "Why?")}}},
	}
	w.start(w.planned(plan))
	w.work()
	if len(seen) < 2 {
		t.Fatal(seen)
	}
	for _, q := range seen {
		if q.Material == nil || q.Material.Text != content || q.Material.Label != "The concept" || strings.Contains(q.Text, "Oat") {
			t.Errorf("%+v", q)
		}
	}
}
