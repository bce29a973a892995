// Package jobs keeps one row for every queued job, so that nothing that was
// acknowledged is lost when the process ends between the commit and the start
// of its state machine: a sweeper starts what was left, and fails what is past
// its deadline.
package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// Grace is how long a queued job is left to its own start before the sweeper
// starts it.
const Grace = 30 * time.Second

// Job is one execution of a state machine. ID is the execution's name.
type Job struct {
	ID        string          `json:"id"`
	Machine   string          `json:"machine"`
	Workspace string          `json:"workspace"`
	Account   string          `json:"account"`
	Input     json.RawMessage `json:"input"` // ids only
	QueuedAt  time.Time       `json:"queuedAt"`
	Deadline  time.Time       `json:"deadline"`
}

// Service opens, starts, closes and sweeps jobs.
type Service struct {
	records records.Store
	engine  workflow.Engine
	clock   clock.Clock
	log     *slog.Logger
	held    atomic.Pointer[time.Time] // since when this process runs the jobs; nil: somebody always does
}

// New makes a Service. A nil log discards.
func New(store records.Store, engine workflow.Engine, c clock.Clock, log *slog.Logger) *Service {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Service{records: store, engine: engine, clock: c, log: log}
}

// Open is the job's row; it goes into the transaction that commits the queued
// record.
func (s *Service) Open(j Job) records.Action {
	body, _ := json.Marshal(j) // a Job of valid JSON input always encodes
	return records.PutItem(records.Item{
		Key:  key(j),
		G1PK: openPK, G1SK: clock.Stamp(j.QueuedAt) + "#" + j.ID,
		Body: body,
	}, records.NotExists())
}

// Close removes the row; it goes into the transaction that settles the record,
// which happens only if the job is still open.
func (s *Service) Close(j Job) records.Action {
	return records.DeleteItem(key(j), records.Exists())
}

// Discard removes the row whether or not the job is still open; it goes into the
// transaction that takes the job's record away.
func (s *Service) Discard(j Job) records.Action { return records.DeleteItem(key(j)) }

// StillOpen is the condition that the job has not been closed; what the job has
// to see goes into one transaction with it.
func (s *Service) StillOpen(j Job) records.Action { return records.Check(key(j), records.Exists()) }

// Start begins the execution after the commit. A failure is logged and given
// back, but is no reason to fail the call: the sweeper tries again.
func (s *Service) Start(ctx context.Context, j Job) error {
	// The record is committed: a caller that hangs up now must not stop the start.
	err := s.engine.Start(context.WithoutCancel(ctx), j.Machine, j.ID, j.Input)
	if err != nil {
		s.log.WarnContext(ctx, "job left for the sweeper", "machine", j.Machine, "job", j.ID, "workspace", j.Workspace, "error", err)
	}
	return err
}

// Input reads a job's input into v.
func Input(j Job, v any) error {
	if err := json.Unmarshal(j.Input, v); err != nil {
		return fmt.Errorf("jobs: the input of %s %s cannot be read: %w", j.Machine, j.ID, err)
	}
	return nil
}
