package chat_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/chat"
)

// Whatever transaction the process ends at, before or after it took hold: the
// next call finds the message answered once or not at all, the price is that of
// what was answered, and no reply is lost to the history.
func TestKilledAtAnyPoint(t *testing.T) {
	for at := 1; at <= 2; at++ { // the message written down; the reply committed
		for _, after := range []bool{false, true} {
			for _, same := range []bool{true, false} {
				t.Run(fmt.Sprintf("transaction %d, after %v, the same message %v", at, after, same), func(t *testing.T) {
					w := newWorld(t)
					ctx := w.As(t, "lab", account.Team)
					c := w.withMind(t, ctx, "Ada")
					w.say(t, ctx, c.ID, "The first?")
					deps := w.deps
					deps.Records = &breaking{Store: w.Store, at: at, after: after}
					if _, err := chat.New(deps).Send(ctx, chat.SendRequest{ChatID: c.ID, Message: "The second?"}); !errors.Is(err, errBroken) {
						t.Fatal(err)
					}
					w.Clock.Advance(3 * time.Minute) // the lease of the dead has ended
					next := "The second?"
					if !same {
						next = "The third?"
					}
					if got := w.say(t, ctx, c.ID, next); got.Content != "Ada on: "+next {
						t.Errorf("%q", got.Content)
					}
					w.say(t, ctx, c.ID, "The last?")
					seen := map[string]int{}
					for _, e := range w.engine.last(t).policy.History {
						seen[e.Question]++
						if e.Text != "Ada on: "+e.Question {
							t.Errorf("%q was replied to with %q", e.Question, e.Text)
						}
					}
					committed := at == 2 && after // the reply was in place: saying it again is a new message
					written := at == 2 || after   // the message was written down
					want := map[string]int{"The first?": 1}
					switch {
					case committed && same:
						want["The second?"] = 2
					case same:
						want["The second?"] = 1
					case written:
						want["The second?"], want["The third?"] = 1, 1
					default:
						want["The third?"] = 1
					}
					total := int64(1) // the last
					for q, n := range want {
						total += int64(n)
						if seen[q] != n {
							t.Errorf("%q stands %d times in the history, want %d", q, seen[q], n)
						}
					}
					if len(seen) != len(want) {
						t.Errorf("the history: %v", seen)
					}
					if left := w.left(t, ctx); left != 10_000-total {
						t.Errorf("%d responses used, want %d", 10_000-left, total)
					}
				})
			}
		}
	}
}

// Within its lease nobody takes a message over.
func TestALeaseHolds(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	c := w.withMind(t, ctx, "Ada")
	deps := w.deps
	deps.Records = &breaking{Store: w.Store, at: 2}
	if _, err := chat.New(deps).Send(ctx, chat.SendRequest{ChatID: c.ID, Message: "The second?"}); !errors.Is(err, errBroken) {
		t.Fatal(err)
	}
	deps.Records = w.Store
	deps.Boot, deps.BootEnded = "now", func(boot string) bool { return boot == "then" }
	before := w.engine.times()
	done := make(chan error, 1)
	go func() {
		_, err := chat.New(deps).Send(ctx, chat.SendRequest{ChatID: c.ID, Message: "The second?"})
		done <- err
	}()
	for {
		select {
		case err := <-done:
			if w.engine.times() != before {
				t.Error("it was answered within the lease of another call")
			}
			if err == nil {
				t.Error("no refusal")
			}
			return
		default:
			if w.Clock.Waiting() > 0 {
				w.Clock.Advance(500 * time.Millisecond)
			}
			runtime.Gosched()
		}
	}
}

// Locally the lease of an ended run is free at once.
func TestALeaseOfAnEndedRun(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	c := w.withMind(t, ctx, "Ada")
	deps := w.deps
	deps.Boot, deps.BootEnded = "then", func(string) bool { return false }
	deps.Records = &breaking{Store: w.Store, at: 2}
	if _, err := chat.New(deps).Send(ctx, chat.SendRequest{ChatID: c.ID, Message: "The second?"}); !errors.Is(err, errBroken) {
		t.Fatal(err)
	}
	deps.Records = w.Store
	deps.Boot, deps.BootEnded = "now", func(boot string) bool { return boot == "then" }
	sent, err := chat.New(deps).Send(ctx, chat.SendRequest{ChatID: c.ID, Message: "The second?"})
	if err != nil || sent.Content != "Ada on: The second?" {
		t.Errorf("%+v, %v", sent, err)
	}
	if left := w.left(t, ctx); left != 10_000-1 {
		t.Errorf("%d left", left)
	}
}

// A deletion that breaks off is ended by the sweep.
func TestADeletionThatBreaksOff(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	c := w.withMind(t, ctx, "Ada")
	for range 3 {
		w.say(t, ctx, c.ID, "Which bread?")
	}
	deps := w.deps
	deps.Records = &breaking{Store: w.Store, at: 2}
	if err := chat.New(deps).Delete(ctx, c.ID); err != nil {
		t.Fatalf("it is deleted as far as anybody sees: %v", err)
	}
	if n := w.rows(t, ctx, c.ID); n == 0 {
		t.Fatal("nothing broke off")
	}
	w.Clock.Advance(2 * time.Minute)
	if n, err := w.Service.Sweep(ctx); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n := w.rows(t, ctx, c.ID); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}
