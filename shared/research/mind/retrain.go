package mind

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
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

// Revision is a new version of a Mind that Refresh trains while the present one
// goes on answering. What is nil stays.
type Revision struct {
	Description    *string   `json:"description,omitempty"`
	Discipline     *string   `json:"discipline,omitempty"`
	PersonaContext *string   `json:"personaContext,omitempty"`
	Keywords       *[]string `json:"keywords,omitempty"`
	// Forget drops the knowledge of the present version with the commit of the
	// new one: only what this training gathers is kept.
	Forget bool `json:"forget,omitempty"`
	// Redraw makes a new portrait.
	Redraw bool `json:"redraw,omitempty"`
}

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

// RegenerateImage queues a portrait, or says why it was not queued: one exists
// and force was not given, or one is being drawn. A picture that the Mind was
// given by its address counts as one. personaContext steers the portrait alone;
// blank is none.
func (s *Service) RegenerateImage(ctx context.Context, id string, force bool, personaContext string) (enqueued bool, skippedReason string, err error) {
	personaContext = strings.TrimSpace(personaContext)
	if err := checkLength("personaContext", personaContext, maxPersona); err != nil {
		return false, "", err
	}
	var job jobs.Job
	_, err = s.Change(ctx, id, func(m *Mind) error {
		switch {
		case m.Drawing != nil:
			skippedReason = "A portrait of this Mind is being drawn already."
			return errSettled
		case !force && m.HasPicture():
			skippedReason = "This Mind already has a portrait. Send force true to replace it."
			return errSettled
		}
		job = s.job(*m, PortraitMachine, PortraitTime)
		m.Drawing = &Drawing{JobID: job.ID, Force: force, Context: personaContext}
		return nil
	}, func(Mind) ([]records.Action, error) { return []records.Action{s.d.Jobs.Open(job)}, nil })
	if skippedReason != "" && errors.Is(err, errSettled) {
		return false, skippedReason, nil
	}
	if err != nil {
		return false, "", err
	}
	_ = s.d.Jobs.Start(ctx, job)
	return true, "", nil
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
	now := s.d.Clock.Now()
	id := s.d.IDs.NewID()
	input, _ := json.Marshal(map[string]string{"job": id, "workspace": m.Workspace, "account": m.Owner, "mind": m.ID})
	return jobs.Job{ID: id, Machine: machine, Workspace: m.Workspace, Account: m.Owner, Input: input, QueuedAt: now, Deadline: now.Add(time)}
}

// HasPicture reports whether the Mind has a portrait, given or drawn.
func (m Mind) HasPicture() bool { return m.ProfileImageURL != "" || m.Portrait != nil }

// picture is the address of what stands for a Mind: what it was given, else its
// portrait, else "".
func (s *Service) picture(r listRow) string {
	if r.Image == "" && r.Portrait != nil {
		return s.portraitURL(r.ID, *r.Portrait)
	}
	return r.Image
}

// portraitURL changes with the picture, so that caches may keep it.
func (s *Service) portraitURL(id string, p Portrait) string {
	return fmt.Sprintf("%s/portrait?v=%d-%.8s", s.URL(id), p.Number, p.PNG.SHA256)
}

// Drawn installs a portrait. Without force it goes to a Mind without a picture
// only. What it replaces stands in the open request (Drawing.Old) until it is
// deleted and Undrawn. installed is false when the Mind is gone, or the picture
// is not wanted any more.
func (s *Service) Drawn(ctx context.Context, mindID, jobID string, force bool, p Portrait) (installed bool, err error) {
	_, err = s.Change(ctx, mindID, func(m *Mind) error {
		request := m.Drawing != nil && m.Drawing.JobID == jobID
		if !request && m.Training.JobID != jobID || request && m.Drawing.Done || m.HasPicture() && !force {
			return errSettled
		}
		if m.Portrait != nil {
			if m.Drawing == nil {
				m.Drawing = &Drawing{JobID: jobID}
			}
			m.Drawing.Old = append(slices.Clone(m.Drawing.Old), m.Portrait.PNG, m.Portrait.SVG)
		}
		if m.Drawing != nil && m.Drawing.JobID == jobID {
			m.Drawing.Done = true
		}
		if m.Training.JobID == jobID {
			m.Training.Redraw = false
		}
		m.Portrait, m.ProfileImageURL = &p, ""
		return nil
	}, nil)
	if gone(err) {
		return false, nil
	}
	return err == nil, err
}

// Undrawn closes a request for a portrait, whatever came of it.
func (s *Service) Undrawn(ctx context.Context, mindID, jobID string) error {
	_, err := s.Change(ctx, mindID, func(m *Mind) error {
		if m.Drawing == nil || m.Drawing.JobID != jobID {
			return errSettled
		}
		m.Drawing = nil
		return nil
	}, s.discarding(jobID))
	return ended(err)
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

// discarding removes the job's row, if it is still there.
func (s *Service) discarding(jobID string) func(Mind) ([]records.Action, error) {
	return func(m Mind) ([]records.Action, error) {
		return []records.Action{s.d.Jobs.Discard(jobs.Job{ID: jobID, Workspace: m.Workspace})}, nil
	}
}

// PictureOf gives the portrait of a Mind to its owner, or with a share id to
// anybody while the link is active. NOT_FOUND without one.
func (s *Service) PictureOf(ctx context.Context, id, shareID string) (Portrait, error) {
	var m Mind
	var err error
	if shareID != "" {
		if m, err = s.behind(ctx, shareID); err == nil && m.ID != strings.ToLower(id) {
			return Portrait{}, fault.New(fault.NotFound, "Nothing is shared under this link.")
		}
	} else if m, err = s.Get(ctx, id); err == nil && account.From(ctx).Account == "" {
		err = notFound()
	}
	if err != nil {
		return Portrait{}, err
	}
	if m.Portrait == nil {
		return Portrait{}, fault.New(fault.NotFound, "This Mind has no generated portrait. Ask for one with regenerate_image.")
	}
	return *m.Portrait, nil
}
