package template

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
	"github.com/mindgate-dev/mindgate/shared/research/studydraft"
)

// Used is the draft that a use made, now or earlier. New is false for one that is
// being launched or was consumed since: it is not newly editable (M-250).
type Used struct {
	Draft    studydraft.Draft
	Replayed bool
	New      bool
}

// Use makes an independent draft of a template that the caller has seen at a
// revision: its instrument with copies of its files, and Audiences and context
// empty. It starts nothing. requestID is a UUID, one for each intended draft: the
// same one gives that draft as it is now. NOT_FOUND, STALE_REVISION,
// ASSET_UNAVAILABLE, VALIDATION.
func (s *Service) Use(ctx context.Context, id string, revision int, requestID string) (Used, error) {
	id, err := lookup.ID("templateId", id)
	if err != nil {
		return Used{}, err
	}
	requestID, err = lookup.ID("requestId", requestID)
	if err != nil {
		return Used{}, err
	}
	key := "template/" + id + "/" + requestID
	if earlier, found, err := s.d.Drafts.MadeWith(ctx, key); found || err != nil {
		return used(earlier), err
	}
	t, r, err := s.get(ctx, id)
	if err != nil {
		return Used{}, err
	}
	if err := r.at(revision); err != nil {
		return Used{}, err
	}
	var c Configuration
	if err := json.Unmarshal(t.Configuration, &c); err != nil {
		return Used{}, err
	}
	if c.Questions, err = s.bring(ctx, r, c.Questions); err != nil {
		return Used{}, err
	}
	payload, err := json.Marshal(map[string]any{"version": 1, "state": state(r, c)})
	if err != nil {
		return Used{}, err
	}
	mode := studydraft.Custom
	saved, err := s.d.Drafts.Create(ctx, studydraft.CreateRequest{Key: key, Content: studydraft.Content{Name: &r.Name, Mode: &mode, Payload: payload}})
	if fault.Is(err, fault.PayloadTooLarge) {
		err = fault.New(fault.PayloadTooLarge, "A draft of this template would pass 512 KiB. Shorten the template's questions, or split it.").With("limitBytes", studydraft.MaxPayload)
	}
	if err != nil {
		return Used{}, err
	}
	if !saved.Replayed {
		s.count(ctx, r)
	}
	return used(saved), nil
}

func used(d studydraft.Saved) Used {
	return Used{Draft: d.Draft, Replayed: d.Replayed, New: d.Draft.Status == studydraft.Open}
}

// state is what the planner opens: the texts where it keeps questions, and beside
// them, by place, what a text does not say.
func state(r row, c Configuration) map[string]any {
	texts := make([]string, len(c.Questions))
	formats := make([]map[string]any, len(c.Questions))
	for i, q := range c.Questions {
		texts[i] = q.Text
		formats[i] = map[string]any{"response": q.Response}
		if len(q.Attachments) > 0 {
			formats[i]["attachments"] = q.Attachments
		}
	}
	return map[string]any{
		"objective": "", "notes": "", "website": "", "audienceIds": []string{}, "sourceUrls": []string{},
		"methodId": c.MethodID, "goal": c.Goal, "studyLocale": c.StudyLocale,
		"questions": texts, "questionFormats": formats,
		"template": map[string]any{"id": r.ID, "revision": r.Revision},
	}
}

// count notes a use, for the order of lists. One that is lost costs nothing else.
func (s *Service) count(ctx context.Context, r row) {
	ws := account.From(ctx).Workspace
	err := s.d.Records.Transact(context.WithoutCancel(ctx), "",
		records.Check(templateKey(ws, r.ID), records.Exists()), records.AddTo(usedKey(ws, r.ID), records.Delta{By: 1}))
	if err != nil && !errors.As(err, new(*records.CanceledError)) {
		s.d.Log.WarnContext(ctx, "a use of a template was not counted", "workspace", ws, "template", r.ID, "error", err)
	}
}
