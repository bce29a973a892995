package mind

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

const noPromptMessage = "This Mind has no prompt yet. Give it knowledge or a persona, then regenerate its prompt."

// errSettled says that a training is no longer the job's to change; a repeated
// task ends here, with nothing changed.
var errSettled = errors.New("mind: this training is settled")

// shownStatus is the training state as everybody sees it: completed without a
// prompt is failed (M-20).
func (m Mind) shownStatus() string {
	if m.Training.Status == Completed && m.SystemPrompt == "" {
		return Failed
	}
	return m.Training.Status
}

// TrainingOf gives the training state of a Mind.
func (s *Service) TrainingOf(m Mind) Training {
	t := Training{
		Status: m.shownStatus(), ReadyToChat: m.ReadyToChat(), Message: optional(m.Training.Message),
		StartedAt: stamp(m.Training.StartedAt), CompletedAt: stamp(m.Training.CompletedAt), Error: m.Training.Error,
	}
	if t.Status == Failed && t.Error == nil {
		t.Error = &TrainingError{Code: ProfileGenFailed, Retryable: true}
	}
	return t
}

// Owns reports whether the training may still be changed by this job.
func (m Mind) Owns(jobID string) bool {
	return m.Training.JobID == jobID && m.InTraining()
}

// Begin marks a training as running. mine is false when it is no longer the
// job's, or the Mind is gone: then the job has nothing to do. Repeating it
// changes nothing.
func (s *Service) Begin(ctx context.Context, mindID, jobID string) (m Mind, mine bool, err error) {
	if m, mine, err = s.Owned(ctx, mindID, jobID); err != nil || !mine || m.Training.Status == Running {
		return m, mine, err
	}
	m, err = s.Change(ctx, mindID, func(m *Mind) error {
		if !m.Owns(jobID) {
			return errSettled
		}
		m.Training.Status = Running
		if m.Training.StartedAt.IsZero() {
			m.Training.StartedAt = s.d.Clock.Now()
		}
		m.Training.Message = "Collecting what the Mind was given."
		return nil
	}, nil)
	if gone(err) {
		return m, false, nil
	}
	return m, err == nil, err
}

// Owned reads a Mind for a step of its training. mine is false when the
// training is settled, or the Mind is gone.
func (s *Service) Owned(ctx context.Context, mindID, jobID string) (m Mind, mine bool, err error) {
	m, err = s.Get(ctx, mindID)
	if gone(err) {
		return Mind{}, false, nil
	}
	return m, err == nil && m.Owns(jobID), err
}

// Found is what a collection found: the items to read, the one of them that
// the training cannot do without, and what was left out, in words.
type Found struct {
	Items    []string
	Required string
	Notes    []string
}

// Gathered keeps what the collection of a training found; the first result
// stands, so that a repeated collection changes nothing.
func (s *Service) Gathered(ctx context.Context, mindID, jobID string, g Found) (Mind, error) {
	m, err := s.Change(ctx, mindID, func(m *Mind) error {
		if !m.Owns(jobID) || m.Training.Collected {
			return errSettled
		}
		t := &m.Training
		t.Collected, t.Items, t.Required, t.Notes = true, g.Items, g.Required, g.Notes
		return nil
	}, nil)
	if gone(err) {
		return s.settledAs(ctx, mindID)
	}
	return m, err
}

func (s *Service) settledAs(ctx context.Context, mindID string) (Mind, error) {
	m, err := s.Get(ctx, mindID)
	if gone(err) {
		return Mind{}, nil
	}
	return m, err
}

// Progress says how far a training has come. Steps only go up: a late or
// repeated task leaves the message of a later step as it is.
func (s *Service) Progress(ctx context.Context, mindID, jobID string, step int, message string) error {
	_, err := s.Change(ctx, mindID, func(m *Mind) error {
		if !m.Owns(jobID) || step <= m.Training.Step {
			return errSettled
		}
		m.Training.Step, m.Training.Message = step, message
		return nil
	}, nil)
	return ended(err)
}

// Steps after every source.
const (
	IndexStep = 1 << 20
	lastStep  = 1 << 21
)

// Finish writes the system prompt and settles the training: prompt, revision,
// what was learned and the end of the job are one transaction. Too little to
// write from is PROFILE_GEN_FAILED. A model that fails does not leave the Mind
// without a prompt: it is written by rules, and the message says so.
func (s *Service) Finish(ctx context.Context, mindID, jobID string, notes ...string) error {
	for range rewrites {
		m, mine, err := s.Owned(ctx, mindID, jobID)
		if err != nil || !mine {
			return err
		}
		if s.d.Model != nil { // which takes its time
			if err := s.Progress(ctx, mindID, jobID, lastStep, "Writing its prompt."); err != nil {
				return err
			}
		}
		from := m.material()
		var w Written
		if !m.Training.KeepPrompt {
			w, err = s.written(ctx, m.revised())
			if errors.Is(err, errNoModel) {
				s.d.Log.WarnContext(ctx, "prompt written by rules", "workspace", m.Workspace, "mind", m.ID, "error", err)
				w, err = s.writeOffline(ctx, m.revised())
			}
			if errors.Is(err, errTooLittle) {
				return s.Fail(ctx, mindID, jobID, ProfileGenFailed, "")
			}
			if err != nil {
				return err
			}
		}
		_, err = s.Change(ctx, mindID, func(m *Mind) error {
			if !m.Owns(jobID) {
				return errSettled
			}
			if m.material() != from {
				return errStale
			}
			now := s.d.Clock.Now()
			*m = m.revised()
			if m.Training.KeepPrompt {
				m.Training.Status, m.Training.Error = Completed, nil
			} else {
				m.install(w.Prompt)
			}
			if m.Training.StartedAt.IsZero() {
				m.Training.StartedAt = now
			}
			m.Training.CompletedAt = now
			m.Training.Message = sentences(trainedOn(*m), m.Training.Notes, notes, []string{w.Note})
			return nil
		}, s.discarding(jobID))
		if errors.Is(err, errStale) {
			continue
		}
		return ended(err)
	}
	return records.ErrConflict
}

// sentences makes one text of them; empty ones are left out.
func sentences(first string, more ...[]string) string {
	out := []string{first}
	for _, s := range slices.Concat(more...) {
		if s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, " ")
}

// Fail settles a training as failed for a reason of section 2's in-band codes.
// message is for the caller; empty is what the code says. A refresh leaves the
// version that answers as it is, and drops its own (M-23).
func (s *Service) Fail(ctx context.Context, mindID, jobID, code, message string) error {
	if message == "" {
		message = failureMessage(code)
	}
	_, err := s.Change(ctx, mindID, func(m *Mind) error {
		if !m.Owns(jobID) {
			return errSettled
		}
		m.Training.Status = Failed
		m.Training.CompletedAt = s.d.Clock.Now()
		m.Training.Message = message
		m.Training.Error = &TrainingError{Code: code, Retryable: true}
		m.Pending = nil
		return nil
	}, s.discarding(jobID))
	return ended(err)
}

// Remark adds a sentence to the message of a settled training, once.
func (s *Service) Remark(ctx context.Context, mindID, jobID, sentence string) error {
	_, err := s.Change(ctx, mindID, func(m *Mind) error {
		if m.Training.JobID != jobID || strings.Contains(m.Training.Message, sentence) {
			return errSettled
		}
		m.Training.Message = strings.TrimSpace(m.Training.Message + " " + sentence)
		return nil
	}, nil)
	return ended(err)
}

// gone reports the two ways in which a task finds that there is nothing left to
// do: its work is settled, or its Mind was deleted.
func gone(err error) bool { return errors.Is(err, errSettled) || fault.Is(err, fault.NotFound) }

// ended turns those into success.
func ended(err error) error {
	if gone(err) {
		return nil
	}
	return err
}

// install makes a prompt that was written for the Mind its prompt, and the Mind
// ready.
func (m *Mind) install(prompt string) {
	m.SystemPrompt, m.OwnPrompt = prompt, false
	m.PromptVersion++
	m.Training.Status = Completed
	m.Training.Error = nil
}

// trainedOn names what the prompt was written from.
func trainedOn(m Mind) string {
	from := []string{"name"}
	if m.Description != "" {
		from = append(from, "description")
	}
	if m.Discipline != "" {
		from = append(from, "discipline")
	}
	if len(m.Keywords) > 0 {
		from = append(from, "topics")
	}
	if strings.TrimSpace(m.PersonaContext) != "" {
		from = append(from, "persona context")
	}
	if len(m.Knowledge) > 0 {
		from = append(from, "knowledge")
	}
	if len(from) == 1 {
		return "Trained on its name alone."
	}
	return "Trained on its " + strings.Join(from[:len(from)-1], ", ") + " and " + from[len(from)-1] + "."
}

func failureMessage(code string) string {
	switch code {
	case TimedOut:
		return "The training took longer than 30 minutes and was ended. Train the Mind again."
	case CollectionFailed:
		return "What the Mind should learn from could not be collected. Train the Mind again, or give it knowledge."
	case ProfileGenFailed:
		return noPromptMessage
	}
	return "The training ended with a mistake on our side. Train the Mind again."
}

// HostOf is the host of a link, for messages.
func HostOf(link string) string {
	if u, err := url.Parse(link); err == nil && u.Host != "" {
		return u.Hostname()
	}
	return "the given address"
}
