package model_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/modeltest"
)

// noted is a clock that does not wait and notes for how long it would have.
type noted struct {
	clock.Held
	mu    sync.Mutex
	waits []time.Duration
}

func (n *noted) Now() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
func (n *noted) Sleep(ctx context.Context, d time.Duration) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.waits = append(n.waits, d)
	return ctx.Err()
}

func e(k model.Kind, after ...time.Duration) error {
	x := &model.Error{Kind: k}
	if len(after) > 0 {
		x.RetryAfter = after[0]
	}
	return x
}

// What passes is repeated after a jittered wait that doubles, never sooner than
// the provider asks; what does not pass is not.
func TestRetrying(t *testing.T) {
	ms := time.Millisecond
	for name, c := range map[string]struct {
		fails []error
		calls int
		waits []time.Duration // with Random at its highest
		ok    bool
	}{
		"at once":           {[]error{nil}, 1, nil, true},
		"rate limit":        {[]error{e(model.KindRateLimited), nil}, 2, []time.Duration{100 * ms}, true},
		"doubling":          {[]error{e(model.KindOverloaded), e(model.KindTimeout), e(model.KindUnavailable), nil}, 4, []time.Duration{100 * ms, 200 * ms, 400 * ms}, true},
		"capped":            {[]error{e(model.KindTruncated), e(model.KindTruncated), e(model.KindTruncated), e(model.KindTruncated), nil}, 5, []time.Duration{100 * ms, 200 * ms, 400 * ms, 500 * ms}, true},
		"given up":          {[]error{e(model.KindOverloaded)}, 5, []time.Duration{100 * ms, 200 * ms, 400 * ms, 500 * ms}, false},
		"Retry-After":       {[]error{e(model.KindRateLimited, 300*ms), nil}, 2, []time.Duration{300 * ms}, true},
		"Retry-After, long": {[]error{e(model.KindRateLimited, time.Hour), nil}, 1, nil, false},
		"auth":              {[]error{e(model.KindAuth), nil}, 1, nil, false},
		"quota":             {[]error{e(model.KindQuota), nil}, 1, nil, false},
		"unknown model":     {[]error{e(model.KindUnknownModel), nil}, 1, nil, false},
		"bad request":       {[]error{e(model.KindInvalid), nil}, 1, nil, false},
		"filtered":          {[]error{e(model.KindFiltered), nil}, 1, nil, false},
		"malformed":         {[]error{e(model.KindMalformed), nil}, 1, nil, false},
		"something else":    {[]error{errors.New("x"), nil}, 1, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			m, clk := modeltest.Fails(c.fails...), &noted{}
			r := model.Retrying(m, model.RetryPolicy{Attempts: 5, Base: 100 * ms, Cap: 500 * ms, Clock: clk, Random: func() float64 { return 1 }})
			_, err := r.Complete(t.Context(), model.Request{})
			if (err == nil) != c.ok || len(m.Asked()) != c.calls {
				t.Errorf("%v after %d calls", err, len(m.Asked()))
			}
			if len(clk.waits) != len(c.waits) {
				t.Fatalf("waits %v", clk.waits)
			}
			for i := range c.waits {
				if clk.waits[i] != c.waits[i] {
					t.Errorf("waits %v, want %v", clk.waits, c.waits)
				}
			}
		})
	}
}

// Full jitter draws from nothing upwards.
func TestRetryJitter(t *testing.T) {
	clk := &noted{}
	r := model.Retrying(modeltest.Fails(e(model.KindOverloaded), nil), model.RetryPolicy{Base: time.Second, Clock: clk, Random: func() float64 { return 0 }})
	if _, err := r.Complete(t.Context(), model.Request{}); err != nil || clk.waits[0] != 0 {
		t.Errorf("%v %v", clk.waits, err)
	}
}

// A job's calls share its retries, however many clients they go through.
func TestRetryBudget(t *testing.T) {
	down := modeltest.Fails(e(model.KindOverloaded))
	p := model.RetryPolicy{Attempts: 4, Clock: &noted{}}
	r := model.Retrying(down, p)
	ctx := model.WithBudget(t.Context(), model.NewBudget(5))
	for range 4 {
		if _, err := r.Complete(ctx, model.Request{}); !model.IsKind(err, model.KindOverloaded) {
			t.Error(err)
		}
	}
	if n := len(down.Asked()); n != 4+5 {
		t.Errorf("%d calls", n)
	}
	p.Budget = model.NewBudget(0)
	down = modeltest.Fails(e(model.KindOverloaded))
	if _, err := model.Retrying(down, p).Complete(t.Context(), model.Request{}); err == nil || len(down.Asked()) != 1 {
		t.Error("the client's own budget")
	}
}

// No wait goes past the caller's deadline, and a caller who went away is no fault
// of the provider's.
func TestRetryEndsWithItsCaller(t *testing.T) {
	clk := &noted{}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(time.Hour))
	defer cancel()
	m := modeltest.Fails(e(model.KindOverloaded, 10*time.Second))
	if _, err := model.Retrying(m, model.RetryPolicy{Clock: pastDeadline{clk}}).Complete(ctx, model.Request{}); !model.IsKind(err, model.KindOverloaded) || len(clk.waits) != 0 {
		t.Errorf("%v %v", err, clk.waits)
	}
	gone, stop := context.WithCancel(t.Context())
	m = &modeltest.Client{Answer: func(int, model.Request) (model.Response, error) {
		stop()
		return model.Response{}, e(model.KindOverloaded)
	}}
	if _, err := model.Retrying(m, model.RetryPolicy{Clock: clk}).Complete(gone, model.Request{}); !errors.Is(err, context.Canceled) || len(m.Asked()) != 1 {
		t.Error(err)
	}
}

type pastDeadline struct{ *noted }

func (pastDeadline) Now() time.Time { return time.Now().Add(2 * time.Hour) }

// One attempt that takes too long is a time-out and is repeated.
func TestAttemptTimeout(t *testing.T) {
	m := &slow{}
	r := model.Retrying(m, model.RetryPolicy{Timeout: time.Millisecond, Clock: &noted{}})
	res, err := r.Complete(t.Context(), model.Request{})
	if err != nil || res.Text != "late" || m.n != 2 {
		t.Errorf("%+v %v after %d", res, err, m.n)
	}
}

type slow struct {
	modeltest.Client
	n int
}

func (s *slow) Complete(ctx context.Context, _ model.Request) (model.Response, error) {
	if s.n++; s.n == 1 {
		<-ctx.Done()
		return model.Response{}, ctx.Err()
	}
	return model.Response{Text: "late"}, nil
}

// A stream of which something was given on is not begun again.
func TestStreamIsNotRepeatedInTheMiddle(t *testing.T) {
	m := &broken{}
	r := model.Retrying(m, model.RetryPolicy{Clock: &noted{}})
	got := ""
	take := func(s string) error { got += s; return nil }
	if _, err := r.Stream(t.Context(), model.Request{}, take); !model.IsKind(err, model.KindTruncated) || m.n != 1 || got != "half" {
		t.Errorf("%v after %d, %q", err, m.n, got)
	}
	early := modeltest.Fails(e(model.KindOverloaded), nil)
	got = ""
	if _, err := model.Retrying(early, model.RetryPolicy{Clock: &noted{}}).Stream(t.Context(), model.Request{}, take); err != nil || got != "OK" {
		t.Errorf("%v %q", err, got)
	}
}

type broken struct {
	modeltest.Client
	n int
}

func (b *broken) Stream(_ context.Context, _ model.Request, delta func(string) error) (model.Response, error) {
	b.n++
	_ = delta("half")
	return model.Response{}, e(model.KindTruncated)
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, " 1.5 ": 1500 * time.Millisecond, "-3": 0, "NaN": 0, "1e99": 24 * time.Hour, "soon": 0,
		"Mon, 30 Nov 2026 12:00:30 GMT": 30 * time.Second, "Mon, 30 Nov 2026 11:00:00 GMT": 0,
	} {
		if got := model.RetryAfter(value, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

// Every attempt is counted, and what a failed one used too.
func TestMetered(t *testing.T) {
	m := modeltest.Fails(&model.Error{Kind: model.KindTruncated, Usage: model.Usage{Input: 5}}, nil)
	m.Answer = func(n int, _ model.Request) (model.Response, error) {
		if n == 0 {
			return model.Response{}, &model.Error{Kind: model.KindTruncated, Usage: model.Usage{Input: 5}}
		}
		return model.Response{Usage: model.Usage{Input: 7, Output: 2, CachedInput: 3}}, nil
	}
	var sum model.Usage
	c := model.Retrying(model.Metered(m, func(_ context.Context, who model.Info, u model.Usage) {
		if who.Model != "scripted" {
			t.Error(who)
		}
		sum = sum.Plus(u)
	}), model.RetryPolicy{Clock: &noted{}})
	if _, err := c.Complete(t.Context(), model.Request{}); err != nil || sum != (model.Usage{Input: 12, Output: 2, CachedInput: 3}) {
		t.Errorf("%+v %v", sum, err)
	}
}
