// Package training makes a Mind from its sources: it collects them, has each
// read and embedded, writes the prompt and draws the portrait. It also rebuilds
// vectors, and clears up after deleted Minds. It stands above mind and knowledge,
// and its methods are the tasks of the machines mind-training, mind-portrait,
// mind-embeddings and mind-delete.
//
// A step reads the record first and ends quietly when the training is no longer
// its job's, or the Mind is gone; a repeated step changes nothing more.
package training

import (
	"context"
	"log/slog"
	"runtime"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/portrait"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Knowledge is what a training needs of a Mind's knowledge; *knowledge.Service
// has it, and says what each method promises.
type Knowledge interface {
	Search(ctx context.Context, keywords []string) (found []knowledge.Source, notes []string, err error)
	Gather(ctx context.Context, mindID string, sources []knowledge.Source) ([]string, error)
	IngestNow(ctx context.Context, mindID, itemID, jobID string) error
	Status(ctx context.Context, mindID, itemID string) (knowledge.Status, error)
	Reembed(ctx context.Context, mindID, from string, until time.Time) (next string, err error)
	GiveUp(ctx context.Context, mindID, itemID, jobID, reason string) error
	Delete(ctx context.Context, mindID, itemID string) error
	DeleteOf(ctx context.Context, mindID string) error
}

// Accounts gives the principal under which an expired job is settled.
type Accounts interface {
	Internal(ctx context.Context, workspace, account string) (account.Principal, error)
}

// Deps is what a Service works with.
type Deps struct {
	Minds     *mind.Service
	Knowledge Knowledge
	Accounts  Accounts
	Blobs     blobs.Store
	Clock     clock.Clock
	// Searches tells whether there is a search engine to ask.
	Searches bool
	// ResearchTime bounds what a training looks up on the web, all tries together:
	// a search engine that hangs must not use up the time of the task. 0 is a minute.
	ResearchTime time.Duration
	// Draw makes pictures; nil is portrait.Draw.
	Draw func(portrait.Spec) (portrait.Picture, error)
	// Forget takes deleted Minds out of all that names them, Audiences among
	// them; it may be repeated.
	Forget func(ctx context.Context, mindIDs []string) error
	// Cleaners remove what other packages keep of a deleted Mind, such as chats;
	// each may be repeated.
	Cleaners []func(ctx context.Context, mindID string) error
	Log      *slog.Logger
}

// Service runs the steps.
type Service struct {
	d       Deps
	drawing chan struct{} // pictures being drawn
}

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.ResearchTime <= 0 {
		d.ResearchTime = time.Minute
	}
	if d.Draw == nil {
		d.Draw = portrait.Draw
	}
	return &Service{d: d, drawing: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))}
}

// slice is how long one task of a loop works before it hands over to the next,
// so that it ends well within the time of a function.
const slice = 40 * time.Second
