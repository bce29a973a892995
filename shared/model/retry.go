package model

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
)

// RetryPolicy says how a failed call is repeated. Zero values stand for the
// figures in brackets.
type RetryPolicy struct {
	Attempts int           // calls in all, the first included (4)
	Base     time.Duration // longest first wait; each further one may be twice as long (500 ms)
	Cap      time.Duration // longest wait (20 s); a longer Retry-After ends the call at once
	Timeout  time.Duration // of one attempt (60 s)
	Budget   *Budget       // retries of all calls together; a context's own goes before it
	Clock    clock.Clock
	Random   func() float64 // 0 to 1, safe for concurrent use; nil: the system's
}

// Retrying repeats what fails for the moment: rate limits, overload, time-outs and
// servers that fail. It is the one place where that happens; adapters do not. Waits
// are drawn evenly from nothing to a bound that doubles (full jitter: Brooker,
// "Exponential Backoff and Jitter", 2015), and are never shorter than the provider
// asks for. A stream is repeated only as long as none of it was given on.
func Retrying(c Client, p RetryPolicy) Client {
	if p.Attempts <= 0 {
		p.Attempts = 4
	}
	if p.Base <= 0 {
		p.Base = 500 * time.Millisecond
	}
	if p.Cap <= 0 {
		p.Cap = 20 * time.Second
	}
	if p.Timeout <= 0 {
		p.Timeout = time.Minute
	}
	if p.Clock == nil {
		p.Clock = clock.System{}
	}
	if p.Random == nil {
		p.Random = rand.Float64
	}
	return &retrying{c, p}
}

type retrying struct {
	Client
	p RetryPolicy
}

func (c *retrying) Complete(ctx context.Context, r Request) (Response, error) {
	return c.do(ctx, func(ctx context.Context) (Response, bool, error) {
		res, err := c.Client.Complete(ctx, r)
		return res, true, err
	})
}

func (c *retrying) Stream(ctx context.Context, r Request, delta func(string) error) (Response, error) {
	return c.do(ctx, func(ctx context.Context) (Response, bool, error) {
		given := false
		res, err := c.Client.Stream(ctx, r, func(s string) error {
			given = true
			return delta(s)
		})
		return res, !given, err
	})
}

func (c *retrying) CallTool(ctx context.Context, r Request, t Tool) (Response, error) {
	return c.do(ctx, func(ctx context.Context) (Response, bool, error) {
		res, err := callTool(ctx, c.Client, r, t)
		return res, true, err
	})
}

// do makes up to p.Attempts attempts; attempt tells whether it may be repeated.
func (c *retrying) do(ctx context.Context, attempt func(context.Context) (Response, bool, error)) (Response, error) {
	bound := c.p.Base
	for n := 1; ; n++ {
		one, cancel := context.WithTimeout(ctx, c.p.Timeout)
		res, again, err := attempt(one)
		over := one.Err() != nil
		cancel()
		if err == nil {
			return res, nil
		}
		if ctx.Err() != nil {
			return res, ctx.Err()
		}
		if over && errors.Is(err, context.DeadlineExceeded) {
			err = &Error{Kind: KindTimeout}
		}
		var e *Error
		if !errors.As(err, &e) || !e.Retryable() || !again || n >= c.p.Attempts || e.RetryAfter > c.p.Cap {
			return res, err
		}
		wait := max(time.Duration(c.p.Random()*float64(bound)), e.RetryAfter)
		if by, ok := ctx.Deadline(); ok && c.p.Clock.Now().Add(wait).After(by) {
			return res, err
		}
		if !budgetOf(ctx, c.p.Budget).take() {
			return res, err
		}
		if c.p.Clock.Sleep(ctx, wait) != nil {
			return res, ctx.Err()
		}
		bound = min(2*bound, c.p.Cap)
	}
}

func callTool(ctx context.Context, c Client, r Request, t Tool) (Response, error) {
	if tc, ok := c.(ToolCaller); ok {
		return tc.CallTool(ctx, r, t)
	}
	return Response{}, &Error{Kind: KindUnsupported}
}

// RetryAfter reads the header of that name: seconds or a date (RFC 9110, 10.2.3).
// What is neither, or past, is 0.
func RetryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		if !(s > 0) {
			return 0
		}
		return time.Duration(min(s, 86400) * float64(time.Second))
	}
	for _, layout := range []string{time.RFC1123, time.RFC850, time.ANSIC} {
		if t, err := time.Parse(layout, value); err == nil {
			return max(0, t.Sub(now))
		}
	}
	return 0
}
