package mind

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

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

// PictureOf gives the portrait of a Mind to its owner, or with a share id to
// anybody while the link is active. NOT_FOUND without one.
func (s *Service) PictureOf(ctx context.Context, id, shareID string) (Portrait, error) {
	var m Mind
	var err error
	if shareID != "" {
		m, err = s.Behind(ctx, id, shareID)
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
