package study

import (
	"context"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// step is one action of a transaction with the answer to its refusal; a nil
// refused gives the refusal of the whole to the caller as it came.
type step struct {
	action  records.Action
	refused func() error
}

// commit does all steps or none. The answer to the first refused step is
// returned; token makes a repeated commit harmless.
func (s *Service) commit(ctx context.Context, token string, steps []step) error {
	_, err := s.tryCommit(ctx, token, steps)
	return err
}

// tryCommit is commit that tells a refusal, after which nothing was written,
// from errors that leave it open.
func (s *Service) tryCommit(ctx context.Context, token string, steps []step) (refused bool, err error) {
	actions := make([]records.Action, len(steps))
	for i, st := range steps {
		actions[i] = st.action
	}
	err = s.d.Records.Transact(ctx, token, actions...)
	var cancelled *records.CanceledError
	if !errors.As(err, &cancelled) {
		return false, err
	}
	for i, st := range steps {
		switch {
		case !cancelled.Failed(i):
		case st.refused == nil:
			return true, err
		default:
			return true, st.refused()
		}
	}
	return true, err
}

// merged joins the changes of one counter, since an item may occur in one
// action of a transaction only.
func merged(steps []step) []step {
	at := map[records.Key]int{}
	var out []step
	for _, st := range steps {
		if st.action.Kind == records.ActAdd {
			if i, ok := at[st.action.Item.Key]; ok {
				out[i].action.Delta.By += st.action.Delta.By
				continue
			}
			at[st.action.Item.Key] = len(out)
		}
		out = append(out, st)
	}
	return out
}
