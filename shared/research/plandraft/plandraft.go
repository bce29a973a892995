// Package plandraft keeps the drafts of research plans: durable, versioned, one
// history a draft, and never research before somebody confirms one (M-79). What a
// plan must hold to is judged by the planner; this package adds who may see it,
// which revision counts and what a repeated call gives.
package plandraft

import (
	"context"
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/planner"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// What is kept: the newest revisions of a draft and the newest drafts of a Study.
const (
	KeptRevisions = 20
	KeptDrafts    = 50
)

// The states of a draft.
const (
	Open      = "open"
	Confirmed = "confirmed"
)

const maxKey = 200

// Service is the domain of plan drafts. Every method acts for the principal of its
// context; the drafts of a Study are open to whoever may open the Study.
type Service struct {
	d    Deps
	once *idempotency.Table
}

// Deps is what a Service works with. A nil Log discards, a nil Guard refuses every
// address, without a Writer plans are made by rules alone; nothing else may be nil.
type Deps struct {
	Records records.Store
	Blobs   blobs.Store
	Clock   clock.Clock
	IDs     clock.IDs
	Studies Studies
	Guard   AddressGuard
	Writer  Writer
	Log     *slog.Logger
}

// Writer writes the questions of a request that states an aim and none; a language
// model. Its errors leave the plan to the rules.
type Writer interface {
	Draft(ctx context.Context, in planner.Input) (planner.Plan, error)
}

// Studies opens Studies by id or name, for the caller alone.
type Studies interface {
	Resolve(ctx context.Context, id, name string) (study.Study, error)
}

// AddressGuard decides whether an address may be fetched at all (UNSAFE_URL if not).
type AddressGuard interface {
	CheckAddress(ctx context.Context, rawURL string) error
}

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{d: d, once: idempotency.New(d.Records, idempotency.Options{Clock: d.Clock, IDs: d.IDs})}
}

// Request is one call of plan_study_questions. Exactly one mode holds (M-80): a new
// draft from Request or Questions, a revision of DraftID at Revision, exact Edits of
// it, or a read of its newest revision.
type Request struct {
	StudyID, StudyName string

	Request      string               `json:"request,omitempty"`
	Questions    []planner.Question   `json:"questions,omitempty"`
	Methods      []planner.Selection  `json:"methods,omitempty"`
	Edits        *planner.Edits       `json:"edits,omitempty"`
	LoadLatest   bool                 `json:"loadLatest,omitempty"`
	DraftID      string               `json:"draftPlanId,omitempty"`
	Revision     int                  `json:"revision,omitempty"`
	Refinement   string               `json:"refinement,omitempty"`
	Answers      []planner.Answered   `json:"answers,omitempty"`
	Reformats    []planner.Reformat   `json:"questionResponses,omitempty"`
	Locale       string               `json:"studyLocale,omitempty"`
	SourcePolicy string               `json:"sourcePolicy,omitempty"`
	Overrides    []planner.Override   `json:"mindSourcePolicyOverrides"` // null: not said
	Source       *planner.Source      `json:"source,omitempty"`
	Attachments  []planner.Attachment `json:"attachments"` // null: not said; empty clears
	Assignments  []planner.Assignment `json:"questionAttachments,omitempty"`
	Suggest      *bool                `json:"suggestQuestionStimuli,omitempty"`

	IdempotencyKey string `json:"-"` // 1..200; empty: it follows from the arguments
}

// Draft is one revision of a draft; JSON is PlanDraft.
type Draft struct {
	StudyID          string       `json:"studyId"`
	DraftPlanID      string       `json:"draftPlanId"`
	Revision         int          `json:"revision"`
	Status           string       `json:"status"`
	ConfirmedRunID   *string      `json:"confirmedRunId"`
	Replayed         bool         `json:"replayed"`
	ExecutionStarted bool         `json:"executionStarted"` // never here
	DraftReview      planner.Plan `json:"draftReview"`
	NextAction       string       `json:"nextAction"`
	WorkspaceURL     string       `json:"workspaceUrl"`
}
