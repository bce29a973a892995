package audience

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// Kinds and states of an operation.
const (
	KindPreview  = "preview"
	KindCreation = "creation"

	OperationQueued     = "queued"
	OperationProcessing = "processing"
	OperationCompleted  = "completed"
	OperationFailed     = "failed"
)

// OperationLife is how long an operation can be read (M-55).
const OperationLife = 7 * 24 * time.Hour

// CreationMachine is the state machine of an operation, and CreationTime the
// longest one execution of it takes.
const (
	CreationMachine = "audience-creation"
	CreationTime    = 30 * time.Minute
)

// Operation is a preview or a creation as callers see it.
type Operation struct {
	JobID     string          `json:"jobId"`
	Kind      string          `json:"kind"`     // preview | creation
	Status    string          `json:"status"`   // queued | processing | completed | failed
	Progress  int             `json:"progress"` // 0..100
	StatusURL string          `json:"statusUrl"`
	Error     *OperationError `json:"error"`
	CreatedAt string          `json:"createdAt"`
	ExpiresAt string          `json:"expiresAt"`
}

// OperationError says why an operation failed, and whether the same arguments may
// yet succeed.
type OperationError struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
}

// operation is the stored row. Everything large stands in blobs.
type operation struct {
	ID        string `json:"id"` // the jobId
	Workspace string `json:"workspace"`
	Owner     string `json:"owner"`
	Kind      string `json:"kind"`
	Status    string `json:"status"`
	Progress  int    `json:"progress,omitempty"`
	// Execution is the one that may change the operation; a retry after a failure
	// is a new one of the same operation.
	Execution string    `json:"execution"`
	Request   blobs.Ref `json:"request"` // an admitted
	Name      string    `json:"name"`
	Mode      string    `json:"mode"`             // as applied
	Stated    int       `json:"stated,omitempty"` // size that was asked for; 0: automatic

	Gathered bool       `json:"gathered,omitempty"` // Readings is complete
	Readings []reading  `json:"readings,omitempty"`
	Notes    []string   `json:"notes,omitempty"`
	Plan     *blobs.Ref `json:"plan,omitempty"` // a plan, once it is made

	AudienceID string `json:"audienceId,omitempty"`
	HasRow     bool   `json:"hasRow,omitempty"`  // the Audience is there
	Planned    int    `json:"planned,omitempty"` // members
	Made       int    `json:"made,omitempty"`    // members, in the order of the plan
	FirstSlot  int64  `json:"firstSlot,omitempty"`
	HeldMinds  int    `json:"heldMinds,omitempty"`
	HeldOne    bool   `json:"heldOne,omitempty"` // one Audience is counted and not there yet

	Result    *blobs.Ref      `json:"result,omitempty"` // of a preview
	Error     *OperationError `json:"error,omitempty"`
	CreatedAt time.Time       `json:"createdAt"`
	ExpiresAt time.Time       `json:"expiresAt"`

	version int64
}

// admitted is the request as it was taken, with what was decided about it.
type admitted struct {
	Request    BriefRequest `json:"request"`
	Inputs     string       `json:"inputs"`
	Allocation string       `json:"allocation"`
}

func (o operation) settled() bool {
	return o.Status == OperationCompleted || o.Status == OperationFailed
}

// job is the execution that works on the operation.
func (o operation) job(now time.Time) jobs.Job {
	input, _ := json.Marshal(CreationJob{Job: o.Execution, Workspace: o.Workspace, Account: o.Owner, Operation: o.ID})
	return jobs.Job{ID: o.Execution, Machine: CreationMachine, Workspace: o.Workspace, Account: o.Owner,
		Input: input, QueuedAt: now, Deadline: now.Add(CreationTime)}
}

// CreationJob is the input of an execution.
type CreationJob struct {
	Job       string `json:"job"`
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
	Operation string `json:"operation"`
}

// put writes an operation under a condition.
func (o operation) put(conds ...records.Cond) (records.Action, error) {
	body, err := json.Marshal(o)
	return records.PutItem(records.Item{Key: operationKey(o.Workspace, o.ID), Body: body, ExpiresAt: o.ExpiresAt}, conds...), err
}

// operation reads one of the caller's own. NOT_FOUND else, also after a week.
func (s *Service) operation(ctx context.Context, field, id string) (operation, error) {
	id, err := lookup.ID(field, id)
	if err != nil {
		return operation{}, err
	}
	p := account.From(ctx)
	it, err := s.d.Records.Get(ctx, operationKey(p.Workspace, id))
	if err != nil && !errors.Is(err, records.ErrNotFound) {
		return operation{}, err
	}
	var o operation
	if err == nil {
		if err := json.Unmarshal(it.Body, &o); err != nil {
			return operation{}, err
		}
	}
	if err != nil || o.Owner != p.Account {
		return operation{}, fault.New(fault.NotFound, "No operation with this id. Operations can be read for 7 days; repeat the arguments of the call to start anew.")
	}
	o.version = it.Version
	return o, nil
}

// errMoved says that an operation is no longer this execution's, or that somebody
// else has just taken this step: what is stored tells the rest.
var errMoved = errors.New("audience: the operation has moved on")

// running reads an operation for a step of an execution. mine is false when the
// step has nothing to do: settled, given to another execution, or gone.
func (s *Service) running(ctx context.Context, j CreationJob) (o operation, mine bool, err error) {
	o, err = s.operation(ctx, "operation", j.Operation)
	if fault.Is(err, fault.NotFound) {
		return o, false, nil
	}
	return o, err == nil && !o.settled() && o.Execution == j.Job, err
}

// step writes an operation that was read, with the extra actions, in one
// transaction. errMoved when it is no longer what was read.
func (s *Service) step(ctx context.Context, o *operation, extra ...records.Action) error {
	row, err := o.put(records.VersionIs(o.version))
	if err != nil {
		return err
	}
	err = s.d.Records.Transact(ctx, "", append([]records.Action{row}, extra...)...)
	var lost *records.CanceledError
	if errors.As(err, &lost) && lost.Failed(0) {
		return errMoved
	}
	if err == nil {
		o.version++
		s.told(ctx, *o)
	}
	return err
}

// view is the operation as callers see it.
func (s *Service) view(o operation) Operation {
	return Operation{
		JobID: o.ID, Kind: o.Kind, Status: o.Status, Progress: o.Progress, Error: o.Error,
		StatusURL: s.d.PublicURL + "/api/v1/audiences/from-brief/jobs/" + o.ID,
		CreatedAt: clock.Stamp(o.CreatedAt), ExpiresAt: clock.Stamp(o.ExpiresAt),
	}
}
