package chat

import (
	"context"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// step is one action of a transaction with the answer to its refusal; a nil
// refused means that something changed between our reading and our write.
type step struct {
	action  records.Action
	refused func() error
}

// errChanged says that nothing was written since a record is another one by now:
// read again and decide anew.
var errChanged = errors.New("chat: changed meanwhile")

// commit does all steps or none.
func (s *Service) commit(ctx context.Context, steps []step) error {
	actions := make([]records.Action, len(steps))
	for i, st := range steps {
		actions[i] = st.action
	}
	err := s.d.Records.Transact(ctx, "", actions...)
	var cancelled *records.CanceledError
	if !errors.As(err, &cancelled) {
		return err
	}
	for i, st := range steps {
		if cancelled.Failed(i) && st.refused != nil {
			return st.refused()
		}
	}
	return errChanged
}
