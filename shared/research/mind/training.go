package mind

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
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

// owns reports whether the training may still be changed by this job.
func (m Mind) owns(jobID string) bool {
	return m.Training.JobID == jobID && (m.Training.Status == Queued || m.Training.Status == Running)
}

// Collect is the first step of a training: it says what was collected and what
// was not. Repeating it changes nothing.
func (s *Service) Collect(ctx context.Context, mindID, jobID string) error {
	_, err := s.Change(ctx, mindID, func(m *Mind) error {
		if !m.owns(jobID) || m.Training.Status == Running {
			return errSettled
		}
		m.Training.Status = Running
		m.Training.StartedAt = s.d.Clock.Now()
		m.Training.Message = "Collecting what the Mind was given."
		m.Training.Notes = notes(*m)
		return nil
	}, nil)
	return ended(err)
}

// Prompt is the second step: it writes the system prompt and settles the
// training. Too little to write one from is PROFILE_GEN_FAILED.
func (s *Service) Prompt(ctx context.Context, mindID, jobID string) error {
	_, err := s.Change(ctx, mindID, func(m *Mind) error {
		if !m.owns(jobID) {
			return errSettled
		}
		known, err := s.d.Library.Load(ctx, m.Workspace, m.Knowledge)
		if err != nil {
			return err
		}
		now := s.d.Clock.Now()
		if m.Training.StartedAt.IsZero() {
			m.Training.StartedAt = now
		}
		m.Training.CompletedAt = now
		prompt, err := promptOf(*m, known)
		if err != nil {
			m.Training.Status = Failed
			m.Training.Message = noPromptMessage
			m.Training.Error = &TrainingError{Code: ProfileGenFailed, Retryable: true}
			return nil
		}
		m.install(prompt)
		m.Training.Message = strings.Join(append([]string{trainedOn(*m)}, m.Training.Notes...), " ")
		return nil
	}, s.closing(jobID))
	return ended(err)
}

// Fail settles a training as failed for a reason of section 2's in-band codes.
func (s *Service) Fail(ctx context.Context, mindID, jobID, code string) error {
	_, err := s.Change(ctx, mindID, func(m *Mind) error {
		if !m.owns(jobID) {
			return errSettled
		}
		m.Training.Status = Failed
		m.Training.CompletedAt = s.d.Clock.Now()
		m.Training.Message = failureMessage(code)
		m.Training.Error = &TrainingError{Code: code, Retryable: true}
		return nil
	}, s.closing(jobID))
	return ended(err)
}

// Expire settles a training that is past its deadline (M-24).
func (s *Service) Expire(ctx context.Context, j jobs.Job) error {
	p, err := s.d.Accounts.Internal(ctx, j.Workspace, j.Account)
	if err != nil {
		return err
	}
	var in struct {
		Mind string `json:"mind"`
	}
	if err := jobs.Input(j, &in); err != nil {
		return err
	}
	return s.Fail(account.With(ctx, p), in.Mind, j.ID, TimedOut)
}

// closing removes the job's row in the settling transaction.
func (s *Service) closing(jobID string) func(Mind) ([]records.Action, error) {
	return func(m Mind) ([]records.Action, error) {
		return []records.Action{s.d.Jobs.Close(jobs.Job{ID: jobID, Workspace: m.Workspace})}, nil
	}
}

// ended turns the two ways in which a repeated task finds its work done, or its
// Mind gone, into success.
func ended(err error) error {
	if errors.Is(err, errSettled) || fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// install makes a prompt the Mind's prompt and the Mind ready.
func (m *Mind) install(prompt string) {
	m.SystemPrompt = prompt
	m.PromptVersion++
	m.Training.Status = Completed
	m.Training.Error = nil
}

// notes says what the collection of a mode left out, in the words that the
// training message shows.
func notes(m Mind) []string {
	switch {
	case m.Mode == ModeLink:
		return []string{fmt.Sprintf("The page at %s was not read: this gateway does not read pages yet.", hostOf(m.ContextLink))}
	case m.Mode == ModeManual:
		return nil
	case !m.IncludeWebSearch:
		return []string{"Web research was left out, as asked."}
	case m.Mode == ModeKeywords:
		return []string{"The topics were not researched: no search provider is set up."}
	default:
		return []string{"Nothing was researched on the web: no search provider is set up."}
	}
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

func hostOf(link string) string {
	if u, err := url.Parse(link); err == nil && u.Host != "" {
		return u.Hostname()
	}
	return "the given address"
}
