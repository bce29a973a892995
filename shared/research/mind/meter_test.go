package mind_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// meterless is a store whose counter of responses cannot be reached.
type meterless struct {
	records.Store
	down bool
}

func (m *meterless) Transact(ctx context.Context, token string, actions ...records.Action) error {
	for _, a := range actions {
		if m.down && strings.HasPrefix(a.Item.SK, "responses#") {
			return records.ErrUnavailable
		}
	}
	return m.Store.Transact(ctx, token, actions...)
}

// Without its meter nothing is generated and nothing charged (section 2, 503).
func TestNothingIsGeneratedWithoutTheMeter(t *testing.T) {
	engine := &scripted{reply: simulate.Reply{Text: "Yes."}}
	var store *meterless
	w := researchtest.Open(t, researchtest.Options{Respondents: engine, Wrap: func(s records.Store) records.Store {
		store = &meterless{Store: s}
		return store
	}})
	ctx := w.As(t, "lab", account.Free)
	m := trained(t, w, ctx, clone("Ada"))
	store.down = true
	_, err := w.Minds.Chat(ctx, mind.ChatRequest{MindID: m.ID, Message: "Hi"})
	if f := fault.From(err); f.Code != fault.UsageMeteringUnavailable || !f.Retryable() {
		t.Errorf("%v", err)
	}
	if engine.asked.ID != "" {
		t.Error("the engine was asked")
	}
	store.down = false
	if n := left(t, w, ctx); n != 30 {
		t.Errorf("%d of 30 are left", n)
	}
}

// The allowance is that of the plan at the time of the call (M-105), and a Mind
// that is deleted makes room for another (M-101).
func TestTheAllowanceOfMinds_M101_M105(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Free)
	var ids []string
	for range 3 {
		ids = append(ids, create(t, w, ctx, mind.CreateRequest{Name: "Blank " + string(rune('a'+len(ids))), Mode: "manual"}).Mind.ID)
	}
	more := mind.CreateRequest{Name: "One more", Mode: "manual"}
	f := fault.From(func() error { _, err := w.Minds.Create(ctx, more); return err }())
	if f == nil || f.Code != fault.PlanLimit || f.Data["limitType"] != "minds" || f.Data["limit"] != int64(3) || f.Data["current"] != int64(3) || f.Data["currentPlan"] != "free" {
		t.Fatalf("M-102: %+v", f)
	}
	if err := w.Minds.Delete(ctx, ids[0]); err != nil {
		t.Fatal(err)
	}
	create(t, w, ctx, more)
	more.Name = "Another"
	if _, err := w.Minds.Create(ctx, more); !fault.Is(err, fault.PlanLimit) {
		t.Errorf("a fourth: %v", err)
	}
	p := account.From(ctx)
	p.Plan = account.Premium // as the next call's credential proves it
	create(t, w, account.With(ctx, p), more)
}

// dying ends its process while it answers: nothing is settled any more.
type dying struct{ scripted }

func (d *dying) Reply(context.Context, simulate.Respondent, string, simulate.Policy) (simulate.Reply, error) {
	runtime.Goexit()
	return simulate.Reply{}, nil
}

// A process that ends between the reservation and the reply costs nothing (M-73).
func TestAKillWhileAnsweringChargesNothing_M73(t *testing.T) {
	w := researchtest.With(t, &dying{})
	ctx := w.As(t, "lab", account.Free)
	m := trained(t, w, ctx, clone("Ada"))
	var gone sync.WaitGroup
	gone.Go(func() { _, _ = w.Minds.Chat(ctx, mind.ChatRequest{MindID: m.ID, Message: "Hi"}) })
	gone.Wait()
	if n := left(t, w, ctx); n != 29 {
		t.Fatalf("%d left while it is being answered", n)
	}
	w.Clock.Advance(16 * time.Minute)
	if _, err := w.Accounts.SweepAdvances(context.WithoutCancel(ctx)); err != nil {
		t.Fatal(err)
	}
	if n := left(t, w, ctx); n != 30 {
		t.Errorf("%d of 30 are left", n)
	}
}
