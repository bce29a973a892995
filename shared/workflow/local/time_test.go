package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// sleeps waits until the engine sleeps for exactly due.
func sleeps(t *testing.T, r *rig, h *clock.Held, due time.Time) {
	t.Helper()
	eventually(t, "the engine to sleep until "+due.String(), func() bool {
		r.e.timers.mu.Lock()
		asleep := r.e.timers.sleep
		r.e.timers.mu.Unlock()
		return asleep.Equal(due) && h.Waiting() == 1
	})
}

// Interval 2, rate 3: the attempts come at 0, 2, 8 and 26 s.
func TestRetryBacksOff(t *testing.T) {
	var times []time.Duration
	var mu sync.Mutex
	var h *clock.Held
	r, h := heldRig(t, machineOf(taskState("A", "Fails", `{"try":"{% $states.context.State.RetryCount %}"}`,
		payloadOut+`,"Retry":[{"ErrorEquals":["States.TaskFailed"],"IntervalSeconds":2,"BackoffRate":3,"MaxAttempts":3}],"End":true`)),
		workflow.Tasks{"Fails": func(_ context.Context, p json.RawMessage) (json.RawMessage, error) {
			mu.Lock()
			defer mu.Unlock()
			times = append(times, h.Now().Sub(start))
			if want := fmt.Sprintf(`{"try":%d}`, len(times)-1); string(p) != want {
				t.Errorf("payload %s, want %s", p, want)
			}
			return nil, workflow.Errorf("Transient", "again")
		}})
	r.run()
	r.start("m", "x", `{}`)
	at := time.Duration(0)
	for _, d := range []time.Duration{2 * time.Second, 6 * time.Second, 18 * time.Second} {
		at += d
		sleeps(t, r, h, start.Add(at))
		h.Advance(d - time.Millisecond)
		h.Advance(time.Millisecond)
	}
	if x := r.wait("m", "x"); x.Error != "Transient" {
		t.Errorf("%+v", x)
	}
	if got := fmt.Sprint(times); got != "[0s 2s 8s 26s]" {
		t.Errorf("attempts at %s", got)
	}
}

// A wait that passed while the process was down fires at once; one that has
// not goes on to its own time.
func TestWaitsSurviveARestart(t *testing.T) {
	h := clock.Hold(start)
	wait := machineOf(`"A":{"Type":"Wait","Seconds":"{% $states.input.s %}","End":true}`)
	r := newRig(t, map[string]string{"m": wait}, nil, func(o *Options) { o.Clock = h })
	r.run()
	r.start("m", "short", `{"s":10}`)
	sleeps(t, r, h, start.Add(10*time.Second))
	r.start("m", "long", `{"s":100}`)
	eventually(t, "both to wait", func() bool { return openSteps(t, r) == 2 })
	r.close()
	h.Advance(50 * time.Second)
	r.open()
	r.run()
	r.wait("m", "short")
	sleeps(t, r, h, start.Add(100*time.Second))
	h.Advance(50 * time.Second)
	r.wait("m", "long")
}

func openSteps(t *testing.T, r *rig) (n int) {
	t.Helper()
	if err := r.e.journal.db.QueryRow(`SELECT count(*) FROM steps WHERE status = 0`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestWaitUntilTimestamp(t *testing.T) {
	r, h := heldRig(t, machineOf(`"A":{"Type":"Wait","Timestamp":"2026-03-01T09:00:30Z","End":true}`), nil)
	r.run()
	r.start("m", "x", `{}`)
	sleeps(t, r, h, start.Add(30*time.Second))
	h.Advance(30 * time.Second)
	if x := r.wait("m", "x"); x.StoppedAt.Sub(x.StartedAt) != 30*time.Second {
		t.Errorf("%+v", x)
	}
}

// A task past its time is told by its context, and the step goes on without it.
func TestTaskTimesOut(t *testing.T) {
	told := make(chan error, 1)
	r, h := heldRig(t, machineOf(taskState("A", "Slow", `{}`, payloadOut+`,"Catch":[{"ErrorEquals":["States.Timeout"],"Output":"late","Next":"Z"}],"End":true`)+`,"Z":{"Type":"Pass","End":true}`),
		workflow.Tasks{"Slow": func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			<-ctx.Done()
			told <- context.Cause(ctx)
			return nil, ctx.Err()
		}})
	r.run()
	r.start("m", "x", `{}`)
	sleeps(t, r, h, start.Add(time.Minute))
	h.Advance(time.Minute)
	if x := r.wait("m", "x"); string(x.Output) != `"late"` {
		t.Errorf("%+v", x)
	}
	if err := <-told; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the task was told %v", err)
	}
}

const tokenMachine = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
 "A":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke.waitForTaskToken","Arguments":{"FunctionName":"${Ask}","Payload":{"token":"{% $states.context.Task.Token %}"}},"TimeoutSeconds":60,"Output":"{% $states.result %}",
  "Retry":[{"ErrorEquals":["Again"],"MaxAttempts":2,"IntervalSeconds":5}],"Catch":[{"ErrorEquals":["States.Timeout"],"Output":"timeout","Next":"Z"}],"Next":"Z"},
 "Z":{"Type":"Pass","End":true}}}`

// asker is a task that hands its tokens out.
func asker() (workflow.Task, chan string) {
	tokens := make(chan string, 100)
	return func(_ context.Context, p json.RawMessage) (json.RawMessage, error) {
		var in struct{ Token string }
		if err := json.Unmarshal(p, &in); err != nil {
			return nil, err
		}
		tokens <- in.Token
		return nil, nil
	}, tokens
}

// At most one answer; a late one is refused; the result is bare.
func TestTokenTakesOneAnswer(t *testing.T) {
	task, tokens := asker()
	r, _ := heldRig(t, tokenMachine, workflow.Tasks{"Ask": task})
	r.run()
	r.start("m", "x", `{}`)
	token := <-tokens
	if len(token) < 40 {
		t.Errorf("token %q is short", token)
	}
	var accepted, refused atomic.Int64
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			switch err := r.e.Succeed(context.Background(), token, json.RawMessage(fmt.Sprint(i))); {
			case err == nil:
				accepted.Add(1)
			case errors.Is(err, workflow.ErrTokenClosed):
				refused.Add(1)
			default:
				t.Error(err)
			}
		}()
	}
	wg.Wait()
	x := r.wait("m", "x")
	if accepted.Load() != 1 || refused.Load() != 19 || x.Status != workflow.Succeeded {
		t.Errorf("%d accepted, %d refused, %s", accepted.Load(), refused.Load(), x.Status)
	}
	if err := r.e.Fail(context.Background(), token, "Late", ""); !errors.Is(err, workflow.ErrTokenClosed) {
		t.Errorf("late answer: %v", err)
	}
}

// A failed answer is retried with a new token; the old one is closed.
func TestTokenIsNewForEachAttempt(t *testing.T) {
	task, tokens := asker()
	r, h := heldRig(t, tokenMachine, workflow.Tasks{"Ask": task})
	r.run()
	r.start("m", "x", `{}`)
	first := <-tokens
	if err := r.e.Fail(context.Background(), first, "Again", "please"); err != nil {
		t.Fatal(err)
	}
	sleeps(t, r, h, start.Add(5*time.Second))
	h.Advance(5 * time.Second)
	second := <-tokens
	if first == second {
		t.Error("the same token twice")
	}
	if err := r.e.Succeed(context.Background(), first, json.RawMessage(`1`)); !errors.Is(err, workflow.ErrTokenClosed) {
		t.Errorf("the old token: %v", err)
	}
	if err := r.e.Succeed(context.Background(), second, json.RawMessage(`{"a":"<b>"}`)); err != nil {
		t.Fatal(err)
	}
	if x := r.wait("m", "x"); !sameJSON(t, x.Output, `{"a":"<b>"}`) {
		t.Errorf("%s", x.Output)
	}
}

// The time-out of a token counts from its first dispatch, over a restart; the
// same token is sent out again.
func TestTokenTimesOutOverARestart(t *testing.T) {
	task, tokens := asker()
	h := clock.Hold(start)
	r := newRig(t, map[string]string{"m": tokenMachine}, workflow.Tasks{"Ask": task}, func(o *Options) { o.Clock = h })
	r.run()
	r.start("m", "x", `{}`)
	first := <-tokens
	sleeps(t, r, h, start.Add(time.Minute))
	r.close()
	h.Advance(40 * time.Second)
	r.open()
	r.run()
	if again := <-tokens; again != first {
		t.Error("another token for the same attempt")
	}
	sleeps(t, r, h, start.Add(time.Minute))
	h.Advance(20 * time.Second)
	if x := r.wait("m", "x"); string(x.Output) != `"timeout"` {
		t.Errorf("%+v", x)
	}
	if err := r.e.Succeed(context.Background(), first, json.RawMessage(`1`)); !errors.Is(err, workflow.ErrTokenClosed) {
		t.Errorf("answer after the time-out: %v", err)
	}
}

// An answer that races the time-out: whoever is journalled first wins, and the
// answerer learns which.
func TestAnswerRacesTheTimeout(t *testing.T) {
	task, tokens := asker()
	r, h := heldRig(t, tokenMachine, workflow.Tasks{"Ask": task})
	r.run()
	answered := 0
	for i := range 30 {
		name := fmt.Sprint("x", i)
		r.start("m", name, `{}`)
		token := <-tokens
		now := h.Now()
		sleeps(t, r, h, now.Add(time.Minute))
		outcome := make(chan error, 1)
		answer := func() { outcome <- r.e.Succeed(context.Background(), token, json.RawMessage(`"answer"`)) }
		late := func() { h.Advance(time.Minute) }
		var both sync.WaitGroup
		if i%2 == 0 {
			both.Go(answer)
			both.Go(late)
		} else {
			both.Go(late)
			both.Go(answer)
		}
		both.Wait()
		err := <-outcome
		x := r.wait("m", name)
		want := `"timeout"`
		if err == nil {
			want = `"answer"`
			answered++
		}
		if string(x.Output) != want {
			t.Fatalf("output %s, but the answer got %v", x.Output, err)
		}
	}
	t.Logf("%d of 30 answers won", answered)
}

// An answer written by another process, also while nobody runs.
func TestTokenAnsweredElsewhere(t *testing.T) {
	task, tokens := asker()
	r, _ := heldRig(t, tokenMachine, workflow.Tasks{"Ask": task})
	r.run()
	other, err := Open(context.Background(), Options{Path: r.opt.Path})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	r.start("m", "x", `{}`)
	if err := other.Succeed(context.Background(), <-tokens, json.RawMessage(`1`)); err != nil {
		t.Fatal(err)
	}
	r.wait("m", "x")
	r.start("m", "y", `{}`)
	token := <-tokens
	r.close()
	if err := other.Succeed(context.Background(), token, json.RawMessage(`2`)); err != nil {
		t.Fatal(err)
	}
	r.open()
	r.run()
	if x := r.wait("m", "y"); string(x.Output) != "2" {
		t.Errorf("%+v", x)
	}
	if len(tokens) > 0 {
		t.Error("sent out again although it was answered")
	}
}

// The one test with real seconds.
func TestRealSecond(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"m": machineOf(`"A":{"Type":"Wait","Seconds":1,"End":true}`)}, nil, nil)
	r.run()
	r.start("m", "x", `{}`)
	if x := r.wait("m", "x"); x.StoppedAt.Sub(x.StartedAt) < time.Second {
		t.Errorf("waited %s", x.StoppedAt.Sub(x.StartedAt))
	}
}
