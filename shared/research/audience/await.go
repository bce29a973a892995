package audience

import (
	"context"
	"time"
)

// Patience is how long a call waits for its own operation (M-55), and reserve how
// much of the caller's time is left for the answer.
const (
	Patience  = 20 * time.Second
	reserve   = 3 * time.Second
	firstPoll = 50 * time.Millisecond
	lastPoll  = time.Second
)

// Await reads an operation of the caller until it is settled, or for 20 seconds,
// or for the time that the call has.
func (s *Service) Await(ctx context.Context, jobID string) (Outcome, error) {
	until := s.d.Clock.Now().Add(Patience)
	if deadline, ok := ctx.Deadline(); ok {
		if left := time.Until(deadline) - reserve; left < Patience {
			until = s.d.Clock.Now().Add(left)
		}
	}
	for wait := firstPoll; ; wait = min(wait*3/2, lastPoll) {
		o, err := s.operation(ctx, "operationId", jobID)
		if err != nil {
			return Outcome{}, err
		}
		if o.settled() || !s.d.Clock.Now().Add(wait).Before(until) {
			return s.outcome(ctx, o)
		}
		if err := s.d.Clock.Sleep(ctx, wait); err != nil {
			return Outcome{}, err
		}
	}
}
