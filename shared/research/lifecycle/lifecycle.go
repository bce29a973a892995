// Package lifecycle tells the open workspaces of an account that something of
// theirs has changed. Events are hints: whoever gets one reads the state again
// (M-290).
package lifecycle

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Domains of what changes.
const (
	Drafts    = "audience_drafts"
	Audiences = "audiences"
	Minds     = "minds"
)

// All is every domain, in their order.
func All() []string { return []string{Drafts, Audiences, Minds} }

// Times of events. Changes within one step are one event, which is told when the
// step is over, so that nothing that happened in it is missed.
const (
	step      = 500 * time.Millisecond
	remember  = 5 * time.Minute // how far back a client may take up again
	kept      = remember + time.Minute
	heartbeat = 15 * time.Second
	// overlap is read again with each look: rows of other processes, whose clocks
	// differ a little, may appear behind what was read last.
	overlap = 3 * time.Second
	maxIDs  = 50 // in one event; more are told as "anything of this domain"
)

// Deps is what a Service works with.
type Deps struct {
	Records records.Store
	Clock   clock.Clock
	IDs     clock.IDs
	// Poll is how often a connection looks for events of other processes; 0 is
	// every five seconds. Those of this process wake it.
	Poll time.Duration
	Log  *slog.Logger
}

// Service keeps and tells events.
type Service struct {
	d    Deps
	name string // of this process, so that no two write the same row

	mu      sync.Mutex
	at      int64                         // the step that open is of
	open    map[owner]map[string][]string // ids by domain; nil: anything of it
	waiting map[owner]map[int]context.CancelFunc
	next    int
}

type owner struct{ workspace, account string }

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Poll <= 0 {
		d.Poll = 5 * time.Second
	}
	return &Service{d: d, name: d.IDs.NewID()[:8], open: map[owner]map[string][]string{}, waiting: map[owner]map[int]context.CancelFunc{}}
}
