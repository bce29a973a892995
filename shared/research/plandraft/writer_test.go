package plandraft_test

import (
	"context"
	"errors"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/planner"
	"github.com/mindgate-dev/mindgate/shared/research/plandraft"
)

// scribe writes one question, or fails.
type scribe struct {
	err   error
	calls int
}

func (s *scribe) Draft(_ context.Context, in planner.Input) (planner.Plan, error) {
	s.calls++
	if s.err != nil {
		return planner.Plan{}, s.err
	}
	return planner.FromModel(in, []planner.Question{{Text: "What decides which bread you buy?", Response: planner.Response{Type: planner.Qualitative}}}, "test:scripted")
}

// M-82: a model writes what a request leaves open, once a key; questions that a
// request states are asked word for word, and a model that fails leaves the plan to
// the rules.
func TestAWriterWritesWhatIsLeftOpen_M82(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	id := w.study(t, ctx, "Bread")
	by := &scribe{}
	w.deps.Writer = by
	w.Service = plandraft.New(w.deps)

	aim := plandraft.Request{StudyID: id, Request: "We want to learn how people choose bread."}
	d := w.preview(t, ctx, aim)
	if items := d.DraftReview.Items(); len(items) != 1 || items[0].Text != "What decides which bread you buy?" || d.DraftReview.Planner.Kind != planner.ByModel {
		t.Errorf("%+v", d.DraftReview)
	}
	if again := w.preview(t, ctx, aim); !again.Replayed || again.DraftPlanID != d.DraftPlanID || by.calls != 1 {
		t.Errorf("written again: %d calls, %+v", by.calls, again)
	}
	if d := w.preview(t, ctx, plandraft.Request{StudyID: id, Request: cars}); d.DraftReview.Planner.Kind != planner.ByRules || by.calls != 1 {
		t.Errorf("stated questions were rewritten: %+v", d.DraftReview.Planner)
	}
	by.err = errors.New("out of reach")
	if d := w.preview(t, ctx, plandraft.Request{StudyID: id, Request: "We want to learn how people choose butter."}); d.DraftReview.Planner.Kind != planner.ByRules || !planner.Unwritten(d.DraftReview) {
		t.Errorf("%+v", d.DraftReview)
	}
}
