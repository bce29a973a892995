package mind

import (
	"context"
	"errors"
	"slices"
)

// rewrittenNote says why a prompt is another than the one that was asked for.
const rewrittenNote = "Knowledge was taken away, and the rules wrote the prompt anew from what is left."

// reword takes the words of what a change made the Mind forget out of its prompt:
// the rules write it anew from what is left. It belongs to the very write that
// forgets, so that no reader meets a prompt that quotes what is gone; a model
// would take too long for that. A prompt that the owner wrote stays as it is, and
// so does one that the change itself installed. A Mind of which too little is
// left to write from has no prompt, and does not answer (M-20).
func (s *Service) reword(ctx context.Context, was Mind, m *Mind) error {
	if m.SystemPrompt == "" || m.OwnPrompt || m.PromptVersion != was.PromptVersion || !forgot(was, *m) {
		return nil
	}
	w, err := s.rules(*m).written(ctx, *m)
	settled := !m.InTraining() // else the training has the last word
	switch {
	case errors.Is(err, errTooLittle):
		m.SystemPrompt = ""
		m.PromptVersion++
		if settled {
			m.Training.Status, m.Training.Message = Failed, noPromptMessage
			m.Training.Error = &TrainingError{Code: ProfileGenFailed, Retryable: true}
		}
		return nil
	case err != nil:
		return err
	}
	m.SystemPrompt = w.Prompt
	m.PromptVersion++
	if settled && m.Training.Status == Completed {
		m.Training.Message = sentences(trainedOn(*m), []string{rewrittenNote})
	}
	return nil
}

// forgot reports whether an item that was known is not any more.
func forgot(was, m Mind) bool {
	if len(was.Knowledge) == 0 || was.KnowledgeVersion == m.KnowledgeVersion {
		return false
	}
	known := itemsOf(m)
	return slices.ContainsFunc(was.Knowledge, func(k KnowledgeRef) bool { return !known[k.ItemID] })
}

// rules is the service without its model, for a Mind as it will be: the patterns of
// an item that is being forgotten are still stored while the prompt is written.
func (s *Service) rules(m Mind) *Service {
	offline := *s
	offline.d.Model = nil
	if s.d.Patterns == nil {
		return &offline
	}
	known := itemsOf(m)
	offline.d.Patterns = func(ctx context.Context, mindID string, limit int) ([]Pattern, error) {
		found, err := s.d.Patterns(ctx, mindID, scanned)
		found = slices.DeleteFunc(slices.Clone(found), func(p Pattern) bool { return p.ItemID != "" && !known[p.ItemID] })
		return found[:min(limit, len(found))], err
	}
	return &offline
}

// scanned is how many of the newest patterns are looked through for those that
// stay: an item has fewer than this.
const scanned = 100

func itemsOf(m Mind) map[string]bool {
	known := make(map[string]bool, len(m.Knowledge))
	for _, k := range m.Knowledge {
		known[k.ItemID] = true
	}
	return known
}
