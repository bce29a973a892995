package audience

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Machines that change an Audience, and how long after its last heartbeat a
// recalibration is cleared as failed (M-146).
const (
	RecalibrationMachine = "audience-recalibration"
	ResearchMachine      = "audience-research"
	RecalibrationLife    = 30 * time.Minute
)

// Modes of a recalibration: what the caller asked for.
const (
	ModeRefresh       = "refresh"
	ModeInstruction   = "instruction"
	ModeQuery         = "query"
	ModeDeepen        = "deepen"
	ModeDistributions = "distributions"
	modeResearch      = "research" // phase 2 of a creation
)

// Reaches: how deep a change went (M-140).
const (
	ReachComposition = "composition"
	ReachEvidence    = "evidence"
	ReachTrait       = "trait"
	ReachPivot       = "pivot"
	ReachAdditive    = "additive"
	ReachSelection   = "selection"
	ReachDeepen      = "deepen"
)

// Stages of a change. Each is entered by one write, and repeating one changes
// nothing more.
const (
	stageGather  = ""         // sources are read
	stageWait    = "wait"     // for the runs of the Audience
	stageApply   = "apply"    // members get their new versions, new ones are made
	stageFinish  = "finish"   // the Audience is written
	stageRest    = "rest"     // until the new versions are trained; the Audience is still held
	stageRelease = "released" // done
)

// recalibration is the stored row of a change. Everything large stands in blobs.
type recalibration struct {
	ID         string    `json:"id"` // of the execution too
	Workspace  string    `json:"workspace"`
	Owner      string    `json:"owner"`
	AudienceID string    `json:"audienceId"`
	Mode       string    `json:"mode"`
	Status     string    `json:"status"` // queued | processing | completed | failed
	Stage      string    `json:"stage,omitempty"`
	Request    blobs.Ref `json:"request"` // a RecalibrateRequest
	Adds       int       `json:"adds,omitempty"`
	HeldMinds  int       `json:"heldMinds,omitempty"`
	AlsoHolds  []string  `json:"alsoHolds,omitempty"` // other Audiences of its members, which must not change under a run either

	Gathered bool      `json:"gathered,omitempty"`
	Readings []reading `json:"readings,omitempty"`
	Notes    []string  `json:"notes,omitempty"`

	Plan      *blobs.Ref `json:"plan,omitempty"`    // a change
	Watched   *blobs.Ref `json:"watched,omitempty"` // ids of the members who get a new version
	Reach     string     `json:"reach,omitempty"`
	FirstSlot int64      `json:"firstSlot,omitempty"`
	Applied   int        `json:"applied,omitempty"` // of the plan's recasts
	Made      int        `json:"made,omitempty"`    // of the plan's new members
	Evolved   int        `json:"evolved,omitempty"`
	Refreshed int        `json:"refreshed,omitempty"`
	RestUntil time.Time  `json:"restUntil,omitzero"`
	BeatAt    time.Time  `json:"beatAt"` // last heartbeat

	Error     *OperationError `json:"error,omitempty"`
	CreatedAt time.Time       `json:"createdAt"`
	ExpiresAt time.Time       `json:"expiresAt"`

	version int64
}

func (o recalibration) settled() bool {
	return o.Status == OperationCompleted || o.Status == OperationFailed
}

func (o recalibration) machine() string {
	if o.Mode == modeResearch {
		return ResearchMachine
	}
	return RecalibrationMachine
}

// RecalibrationJob is the input of an execution.
type RecalibrationJob struct {
	Job       string `json:"job"`
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
	Audience  string `json:"audience"`
}

func (o recalibration) job(now time.Time) jobs.Job {
	input, _ := json.Marshal(RecalibrationJob{Job: o.ID, Workspace: o.Workspace, Account: o.Owner, Audience: o.AudienceID})
	return jobs.Job{ID: o.ID, Machine: o.machine(), Workspace: o.Workspace, Account: o.Owner, Input: input,
		QueuedAt: now, Deadline: now.Add(RecalibrationLife)}
}

func (o recalibration) put(conds ...records.Cond) (records.Action, error) {
	body, err := json.Marshal(o)
	return records.PutItem(records.Item{Key: recalibrationKey(o.Workspace, o.ID), Body: body, ExpiresAt: o.ExpiresAt}, conds...), err
}

// recalibration reads a change of the caller's; found is false when there is none.
func (s *Service) recalibration(ctx context.Context, id string) (o recalibration, found bool, err error) {
	p := account.From(ctx)
	it, err := s.d.Records.Get(ctx, recalibrationKey(p.Workspace, id))
	if errors.Is(err, records.ErrNotFound) {
		return o, false, nil
	}
	if err != nil {
		return o, false, err
	}
	if err := json.Unmarshal(it.Body, &o); err != nil {
		return o, false, err
	}
	o.version = it.Version
	return o, o.Owner == p.Account, nil
}

// advance writes a change that was read, with the extra actions, in one
// transaction. errMoved when it is no longer what was read.
func (s *Service) advance(ctx context.Context, o *recalibration, extra ...records.Action) error {
	row, err := o.put(records.VersionIs(o.version))
	if err != nil {
		return err
	}
	err = s.d.Records.Transact(ctx, "", append([]records.Action{row}, extra...)...)
	var lost *records.CanceledError
	switch {
	case errors.As(err, &lost) && lost.Failed(0):
		return errMoved
	case errors.Is(err, records.ErrTooLarge):
		return fault.New(fault.Validation, "With this the Audience would take more than the 400 KB that one may: its members, its sources and its adjustments.").Because(err)
	}
	if err == nil {
		o.version++
	}
	return err
}

// change is everything that a recalibration will write, decided once, so that one
// that is taken up again does the same.
type change struct {
	Reach      string              `json:"reach"`
	Ground     *GroundingRef       `json:"ground,omitempty"`
	Cohort     *blobs.Ref          `json:"cohort,omitempty"`
	Before     *blobs.Ref          `json:"before,omitempty"` // the cohort that stood
	Recasts    []recast            `json:"recasts,omitempty"`
	New        []mind.CohortMember `json:"new,omitempty"`
	Evidence   *blobs.Ref          `json:"evidence,omitempty"`
	Adjustment *SourceRecord       `json:"adjustment,omitempty"`
	Sources    []SourceRecord      `json:"sources,omitempty"`
}

// recast is a new version of a member, and what it counts as.
type recast struct {
	mind.Recast
	Refreshed bool `json:"refreshed,omitempty"` // else evolved
}

// operationError is a failure in words that may be shown.
func operationError(why *fault.Error) *OperationError {
	e := &OperationError{Code: string(why.Code), Message: why.Message, Retryable: why.Retryable() || why.Code == fault.Internal}
	if e.Code == string(fault.Internal) {
		e.Message = "The Audience could not be recalibrated because of a mistake on our side. Its grounding is as it was; try again."
	}
	return e
}
