// Package summary writes what a Study found: semantic blocks with every figure, its
// base and what it rests on, and a text over them that leads with the evidence. It
// is written from settled answers alone, without a model by fixed sentences, so that
// equal answers give equal words. A model may word what is found and never what a
// figure is. Where the evidence carries no finding none is drawn (M-343).
package summary

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// The lengths of a summary; short is brief under its other name.
const (
	Brief    = "brief"
	Short    = "short"
	Standard = "standard"
	Detailed = "detailed"
)

// Studies gives what is summarised, to who may open the Study.
type Studies interface {
	Outline(ctx context.Context, studyID string) (study.Outline, error)
	Settled(ctx context.Context, studyID string, ids []string, use func(study.Settled) error) error
}

// Planned gives the items of planned runs in the form of questions; ids are its own.
type Planned interface {
	Items(ctx context.Context, studyID string) ([]study.OutlineQuestion, error)
	Settled(ctx context.Context, studyID string, ids []string, use func(study.Settled) error) error
	// Outcomes are what was computed of the runs, oldest first.
	Outcomes(ctx context.Context, studyID string) ([]run.Outcome, error)
}

// Deps is what a Service works with. Planned, Model and Log may be nil.
type Deps struct {
	Records records.Store
	Blobs   blobs.Store
	Clock   clock.Clock
	Studies Studies
	Planned Planned
	Model   model.Client // words findings; nil: fixed sentences do
	Log     *slog.Logger
}

// Service is the domain of summaries. Every method acts for the principal of its
// context; a Study that the caller may not open has no summary for the caller.
type Service struct{ d Deps }

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{d: d}
}

// Request says which summary is wanted.
type Request struct {
	StudyID string
	Length  string // empty: standard
	Force   bool   // write it anew though nothing new is covered
}

// Summary is a stored summary, or none: then Text is nil.
type Summary struct {
	StudyID      string            `json:"studyId"`
	Text         *string           `json:"summary"` // Markdown
	Blocks       []json.RawMessage `json:"blocks"`  // each an object with a kind; unknown kinds are kept
	Metadata     Metadata          `json:"metadata"`
	WorkspaceURL string            `json:"workspaceUrl,omitempty"`
}

// Metadata says what a summary covers.
type Metadata struct {
	IsStale           bool                   `json:"isStale"` // something settled that it does not cover
	GeneratedAt       *string                `json:"generatedAt"`
	Length            string                 `json:"length,omitempty"`
	Refreshed         bool                   `json:"refreshed"` // written by this call
	CoveredMessageIDs []string               `json:"coveredMessageIds"`
	Evidence          *study.EvidenceSummary `json:"evidence,omitempty"`
}
