package mind

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Machines of what can be asked of a Mind beside a training, and the longest
// runs of each.
const (
	PortraitMachine = "mind-portrait"
	PortraitTime    = 15 * time.Minute

	EmbeddingsMachine = "mind-embeddings"
	EmbeddingsTime    = 2 * time.Hour
)

// Retrain queues a training that collects anew and rebuilds prompt and index;
// until it ends the Mind does not answer. RETRAIN_IN_FLIGHT while one is queued
// or running (M-22): of two at once, one wins.
func (s *Service) Retrain(ctx context.Context, id string) (Training, error) {
	return s.again(ctx, id, Retraining, nil)
}

// Refresh queues a training of a new version while the present one answers
// (M-23): the new one is committed in one write, or dropped. A Mind that has no
// prompt yet has nothing to answer with, and is retrained instead.
// RETRAIN_IN_FLIGHT, VALIDATION.
func (s *Service) Refresh(ctx context.Context, id string, r Revision) (Training, error) {
	for _, l := range []struct {
		field string
		text  *string
		limit int
	}{{"description", r.Description, maxDescription}, {"discipline", r.Discipline, maxDiscipline}, {"personaContext", r.PersonaContext, maxPersona}} {
		if l.text == nil {
			continue
		}
		if err := checkLength(l.field, *l.text, l.limit); err != nil {
			return Training{}, err
		}
	}
	if r.Keywords != nil {
		keywords, err := checkKeywords(*r.Keywords)
		if err != nil {
			return Training{}, err
		}
		r.Keywords = &keywords
	}
	return s.again(ctx, id, Refreshing, &r)
}

func (s *Service) again(ctx context.Context, id, kind string, r *Revision) (Training, error) {
	var job jobs.Job
	m, err := s.Change(ctx, id, func(m *Mind) error {
		if m.InTraining() {
			return fault.New(fault.RetrainInFlight, "This Mind is being trained already. Poll get_mind_status; train it again once that shows completed or failed.").
				With("trainingStatus", m.Training.Status)
		}
		now := s.d.Clock.Now()
		job = s.job(*m, Machine, TrainingTime)
		m.Training = TrainingState{Status: Queued, Kind: kind, JobID: job.ID, QueuedAt: now, Message: "Waiting to be trained again.", Redraw: r != nil && r.Redraw}
		m.Pending = nil
		if r != nil {
			m.Pending = &Pending{Revision: *r}
		}
		return nil
	}, func(Mind) ([]records.Action, error) { return []records.Action{s.d.Jobs.Open(job)}, nil })
	if err != nil {
		return Training{}, err
	}
	_ = s.d.Jobs.Start(ctx, job) // committed: a failed start is logged, and the sweeper starts it
	return s.TrainingOf(m), nil
}

// RegenerateEmbeddings queues a rebuild of every vector and gives the number of
// items that it is for; a rebuild that is queued already is joined. Only a
// store that cannot take the job refuses: QUEUE_UNAVAILABLE.
func (s *Service) RegenerateEmbeddings(ctx context.Context, id string) (queuedItems int, err error) {
	var job jobs.Job
	m, err := s.Change(ctx, id, func(m *Mind) error {
		if m.Rebuilding != nil {
			queuedItems = m.Rebuilding.Items
			return errSettled
		}
		job = s.job(*m, EmbeddingsMachine, EmbeddingsTime)
		m.Rebuilding = &Rebuilding{JobID: job.ID, Items: len(m.Knowledge)}
		return nil
	}, func(Mind) ([]records.Action, error) { return []records.Action{s.d.Jobs.Open(job)}, nil })
	switch {
	case errors.Is(err, errSettled):
		return queuedItems, nil
	case errors.Is(err, records.ErrUnavailable), errors.Is(err, records.ErrConflict):
		return 0, fault.New(fault.QueueUnavailable, "The rebuild could not be queued; nothing was changed. Try again in a few seconds.").With("retryAfter", 5).Because(err)
	case err != nil:
		return 0, err
	}
	_ = s.d.Jobs.Start(ctx, job)
	return m.Rebuilding.Items, nil
}

// job is a job of a Mind with an id of its own.
func (s *Service) job(m Mind, machine string, time time.Duration) jobs.Job {
	return s.jobOf(m, s.d.IDs.NewID(), machine, time)
}

// jobOf is the job of a Mind with this id.
func (s *Service) jobOf(m Mind, id, machine string, time time.Duration) jobs.Job {
	now := s.d.Clock.Now()
	input, _ := json.Marshal(map[string]string{"job": id, "workspace": m.Workspace, "account": m.Owner, "mind": m.ID})
	return jobs.Job{ID: id, Machine: machine, Workspace: m.Workspace, Account: m.Owner, Input: input, QueuedAt: now, Deadline: now.Add(time)}
}

// Rebuilt closes a rebuild of vectors, whatever came of it.
func (s *Service) Rebuilt(ctx context.Context, mindID, jobID string) error {
	_, err := s.Change(ctx, mindID, func(m *Mind) error {
		if m.Rebuilding == nil || m.Rebuilding.JobID != jobID {
			return errSettled
		}
		m.Rebuilding = nil
		return nil
	}, s.discarding(jobID))
	return ended(err)
}

// Forgotten notes that the items of a replaced version are deleted.
func (s *Service) Forgotten(ctx context.Context, mindID string) error {
	_, err := s.Change(ctx, mindID, func(m *Mind) error {
		if len(m.Retired) == 0 {
			return errSettled
		}
		m.Retired = nil
		return nil
	}, nil)
	return ended(err)
}

// discarding removes the job's row with the write that ends its work. Whether
// the work is still the job's, the record says.
func (s *Service) discarding(jobID string) func(Mind) ([]records.Action, error) {
	return func(m Mind) ([]records.Action, error) {
		return []records.Action{s.d.Jobs.Discard(jobs.Job{ID: jobID, Workspace: m.Workspace})}, nil
	}
}
