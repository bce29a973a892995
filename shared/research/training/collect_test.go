package training_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// A search engine that hangs costs a training a bounded time, and not the training.
func TestAHangingSearchEngineFailsNoTraining_M24(t *testing.T) {
	w := open(t, nil)
	w.hangs, w.patience = true, 20*time.Millisecond
	w.rewire(true)
	m := w.create(t, mind.CreateRequest{Name: "Tea", Mode: "keywords", Keywords: []string{"tea"}})
	w.Run(t)
	if m := w.get(t, m.ID); !m.ReadyToChat() || !strings.Contains(w.message(t, m.ID), "did not answer in time") || w.looked != 1 {
		t.Errorf("%s, after %d searches", w.message(t, m.ID), w.looked)
	}
}
