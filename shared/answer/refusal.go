package answer

import (
	"context"
	"errors"
	"math"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/model"
)

// count tells what a call used, a failed one too as far as it is known.
func (e *Engine) count(ctx context.Context, used model.Usage, err error) {
	var failed *model.Error
	if used == (model.Usage{}) && errors.As(err, &failed) {
		used = failed.Usage
	}
	if e.o.Used != nil && used != (model.Usage{}) {
		e.o.Used(ctx, e.client.Info(), used)
	}
}

// refusal turns a failed call into one of the service's refusals. What a caller
// can mend on a connection of its own is told; what only the operator can is not
// (M-11). Refusals from below, such as of a connection that was revoked, stand.
func (e *Engine) refusal(err error) error {
	var f *fault.Error
	var m *model.Error
	if errors.As(err, &f) || !errors.As(err, &m) {
		return err
	}
	switch m.Kind {
	case model.KindFiltered:
		return fault.New(fault.MalformedResponse, "The model declined to answer. Word the question in another way.").Because(err)
	case model.KindRateLimited, model.KindOverloaded:
		out := fault.New(fault.RateLimited, "The model's provider takes no more calls for the moment. Try again a little later.").Because(err)
		if m.RetryAfter > 0 {
			out = out.With("retryAfter", int(math.Ceil(m.RetryAfter.Seconds())))
		}
		return out
	case model.KindTimeout:
		return fault.New(fault.DeadlineExceeded, "The model gave no answer in time. Try again, or ask for a concise answer.").Because(err)
	case model.KindTruncated, model.KindMalformed, model.KindUnavailable:
		return fault.New(fault.MalformedResponse, "The model's provider gave no usable answer. Try again a little later.").Because(err)
	}
	if e.o.Own {
		return fault.New(fault.ModelConnectionUnverified, "The model connection does not work any more: %s. Mend it and have it verified again.", m.Kind.Words()).
			With("errorCode", string(m.Kind)).Because(err)
	}
	return err
}
