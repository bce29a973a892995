package model

import (
	"context"
	"errors"
)

// Metered reports what every call of c used, failed ones too as far as it is
// known. The hook gets no content and must not block for long. Put it below
// Retrying, so that each attempt counts.
func Metered(c Client, report func(ctx context.Context, who Info, u Usage)) Client {
	return &metered{Client: c, report: report}
}

// Tallied is Metered that also reports a call that was answered by a server which
// says nothing of what it used. Each call of c is reported once at the most.
func Tallied(c Client, report func(ctx context.Context, who Info, u Usage)) Client {
	return &metered{Client: c, report: report, answered: true}
}

type metered struct {
	Client
	report   func(context.Context, Info, Usage)
	answered bool // each answer counts
}

func (m *metered) Complete(ctx context.Context, r Request) (Response, error) {
	return m.count(ctx)(m.Client.Complete(ctx, r))
}

func (m *metered) Stream(ctx context.Context, r Request, delta func(string) error) (Response, error) {
	return m.count(ctx)(m.Client.Stream(ctx, r, delta))
}

func (m *metered) CallTool(ctx context.Context, r Request, t Tool) (Response, error) {
	return m.count(ctx)(callTool(ctx, m.Client, r, t))
}

func (m *metered) count(ctx context.Context) func(Response, error) (Response, error) {
	return func(res Response, err error) (Response, error) {
		used := res.Usage
		var e *Error
		if errors.As(err, &e) && used == (Usage{}) {
			used = e.Usage
		}
		if used != (Usage{}) || m.answered && err == nil {
			m.report(ctx, m.Info(), used)
		}
		return res, err
	}
}
