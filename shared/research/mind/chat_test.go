package mind_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// scripted answers as it is told and remembers what it was asked.
type scripted struct {
	reply  simulate.Reply
	err    error
	policy simulate.Policy
	asked  simulate.Respondent
}

func (s *scripted) Info() simulate.Info { return simulate.Info{Name: "scripted", Version: "1"} }

func (s *scripted) Ask(context.Context, simulate.Question, simulate.Policy) (simulate.Asked, error) {
	return nil, errors.New("not asked")
}

func (s *scripted) Reply(_ context.Context, r simulate.Respondent, _ string, p simulate.Policy) (simulate.Reply, error) {
	s.asked, s.policy = r, p
	return s.reply, s.err
}

func left(t *testing.T, w *researchtest.World, ctx context.Context) int64 {
	t.Helper()
	n, err := w.Accounts.ResponsesLeft(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return *n
}

func TestChat(t *testing.T) {
	engine := &scripted{reply: simulate.Reply{Text: "Email first.", State: simulate.Stated, SourceIDs: []string{"s"}}}
	w := researchtest.With(t, engine)
	ctx := w.As(t, "lab", account.Free)
	m := create(t, w, ctx, clone("Ada")).Mind
	ask := func(r mind.ChatRequest) (mind.ChatReply, error) {
		r.MindID = m.ID
		if r.Message == "" {
			r.Message = "Which channel first?"
		}
		return w.Minds.Chat(ctx, r)
	}

	_, err := ask(mind.ChatRequest{})
	f := fault.From(err)
	if f.Code != fault.SparkNotReady || f.Data["trainingStatus"] != mind.Queued || left(t, w, ctx) != 30 {
		t.Fatalf("M-20, while it trains: %+v", f)
	}
	w.Run(t)

	reply, err := ask(mind.ChatRequest{})
	if err != nil {
		t.Fatal(err)
	}
	md := reply.Metadata
	if reply.Content != "Email first." || reply.MessageID == "" || reply.MindName != "Ada" || md.SourcePolicy != "auto" {
		t.Errorf("%+v", reply)
	}
	if md.AnswerProvenance.Origin != "mind_knowledge" || !md.Engine.Simulated || md.Engine.Name != "scripted" || md.EvidenceState != simulate.Stated {
		t.Errorf("M-340, M-342: %+v", md)
	}
	if n := left(t, w, ctx); n != 29 {
		t.Errorf("one response is charged, %d of 30 are left", n)
	}
	if engine.asked.Slot != m.Slot || engine.asked.ID != m.ID {
		t.Errorf("the engine was given %+v", engine.asked)
	}

	engine.err = errors.New("engine away")
	if _, err := ask(mind.ChatRequest{}); err == nil || left(t, w, ctx) != 29 {
		t.Errorf("M-73, a failed generation: %v, %d left", err, left(t, w, ctx))
	}
	engine.err = nil

	if _, err := ask(mind.ChatRequest{SourcePolicy: mind.PolicyKnowledgeOnly}); err != nil || !engine.policy.KnowledgeOnly {
		t.Errorf("M-27, asked for: %v", err)
	}
	for name, r := range map[string]mind.ChatRequest{
		"blank":          {Message: " \n"},
		"too long":       {Message: strings.Repeat("x", 32_001)},
		"unknown policy": {SourcePolicy: "web"},
		"another's name": {MindName: "quantum chromodynamics"},
	} {
		if _, err := ask(r); !fault.Is(err, fault.Validation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ask(mind.ChatRequest{Connection: &mind.ConnectionRef{ID: m.ID, Revision: 1}}); !fault.Is(err, fault.FeatureDisabled) {
		t.Errorf("M-302, a model connection: %v", err)
	}
	if n := left(t, w, ctx); n != 28 {
		t.Errorf("refusals are charged: %d left", n)
	}
	if _, err := w.Accounts.TakeResponses(ctx, 28, w.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	_, err = ask(mind.ChatRequest{})
	if f := fault.From(err); f.Code != fault.PlanLimit || f.Data["limitType"] != "responses" || f.Data["periodEnd"] == nil {
		t.Errorf("M-102, the allowance is used up: %+v", f)
	}
}

func TestAStoredPolicyIsNeverLoosened_M27(t *testing.T) {
	engine := &scripted{reply: simulate.Reply{Text: "I can speak only as myself.", Fallback: true}}
	w := researchtest.With(t, engine)
	ctx := w.As(t, "lab", account.Team)
	r := clone("Ada")
	r.SourcePolicy = mind.PolicyKnowledgeOnly
	m := create(t, w, ctx, r).Mind
	w.Run(t)
	reply, err := w.Minds.Chat(ctx, mind.ChatRequest{MindID: m.ID, Message: "Hi", SourcePolicy: mind.PolicyAuto})
	if err != nil || !engine.policy.KnowledgeOnly || reply.Metadata.SourcePolicy != mind.PolicyKnowledgeOnly {
		t.Errorf("%+v, %v", reply, err)
	}
	md := reply.Metadata
	if !md.KnowledgeRetrieval.Fallback || md.AnswerProvenance.Origin != "unsupported" || !md.AnswerProvenance.Unsupported {
		t.Errorf("nothing found must show as fallback: %+v", md)
	}
}

func TestThirtyCompletionsAMinute_M106(t *testing.T) {
	w := researchtest.With(t, &scripted{reply: simulate.Reply{Text: "Yes."}})
	ctx := w.As(t, "lab", account.Team)
	m := create(t, w, ctx, clone("Ada")).Mind
	w.Run(t)
	chat := func() error {
		_, err := w.Minds.Chat(ctx, mind.ChatRequest{MindID: m.ID, Message: "Hi"})
		return err
	}
	for i := range 30 {
		if err := chat(); err != nil {
			t.Fatalf("completion %d: %v", i+1, err)
		}
	}
	if f := fault.From(chat()); f.Code != fault.RateLimited || f.Data["retryAfter"] != 60 {
		t.Errorf("completion 31: %+v", f)
	}
	if n := left(t, w, ctx); n != 10_000-30 {
		t.Errorf("a refused completion is charged: %d left", n)
	}
	w.Clock.Advance(time.Minute)
	if err := chat(); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}

func TestProvenance_M342(t *testing.T) {
	cited := []simulate.Citation{{SourceID: "s"}}
	for _, tt := range []struct {
		state     simulate.State
		citations []simulate.Citation
		want      string
	}{
		{simulate.Stated, cited, "mind_knowledge"},
		{simulate.Grounded, nil, "audience_grounding"},
		{simulate.Related, cited, "cited_sources"},
		{simulate.Trait, nil, "mind_personality"},
		{simulate.Unsupported, nil, "unsupported"},
	} {
		p := mind.ProvenanceOf(tt.state, nil, tt.citations)
		if p.Origin != tt.want || p.Unsupported != (tt.want == "unsupported") || p.SourceIDs == nil {
			t.Errorf("%s: %+v", tt.state, p)
		}
	}
}
