package restapi

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"

	"github.com/mindgate-dev/mindgate/shared/research/studydraft"
)

// listStudyDrafts gives whole drafts, as many of the newest as fit into one answer,
// and says when some do not.
func listStudyDrafts(ctx context.Context, c *call) (reply, error) {
	drafts, whole, err := c.Drafts.ListWhole(ctx)
	if err != nil {
		return reply{}, err
	}
	body := data(drafts)
	if !whole {
		body["truncated"] = true
	}
	return ok(body)
}

func describeDrafts(a *agreed) {
	ok, _ := a.Response["200"].(map[string]any)
	a.Response, ok = maps.Clone(a.Response), maps.Clone(ok)
	props, _ := ok["properties"].(map[string]any)
	props = maps.Clone(props)
	props["truncated"] = map[string]any{"const": true, "description": "Sent when older drafts did not fit into one answer; consume or delete some, or read them by id."}
	ok["properties"] = props
	a.Response["200"] = ok
}

type draftContent struct {
	Name        *string         `json:"name"`
	Mode        *string         `json:"mode"`
	CurrentStep *string         `json:"currentStep"`
	Payload     json.RawMessage `json:"payload"`
}

func createStudyDraft(ctx context.Context, c *call) (reply, error) {
	var in struct {
		draftContent
		ID             string `json:"id"`
		IdempotencyKey string `json:"idempotencyKey"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	saved, err := c.Drafts.Create(ctx, studydraft.CreateRequest{ID: in.ID, Key: in.IdempotencyKey, Content: studydraft.Content(in.draftContent)})
	if err != nil {
		return reply{}, err
	}
	return created(saved.Replayed, data(saved.Draft))
}

func getStudyDraft(ctx context.Context, c *call) (reply, error) {
	d, err := c.Drafts.Get(ctx, c.id("id"))
	if err != nil {
		return reply{}, err
	}
	return ok(data(d))
}

func updateStudyDraft(ctx context.Context, c *call) (reply, error) {
	var in struct {
		draftContent
		ExpectedRevision int `json:"expectedRevision"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	saved, err := c.Drafts.Update(ctx, studydraft.UpdateRequest{ID: c.id("id"), Revision: in.ExpectedRevision, Content: studydraft.Content(in.draftContent)})
	if err != nil {
		return reply{}, err
	}
	return ok(data(saved.Draft))
}

func deleteStudyDraft(ctx context.Context, c *call) (reply, error) {
	if err := c.Drafts.Delete(ctx, c.id("id")); err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusNoContent}, nil
}

func consumeStudyDraft(ctx context.Context, c *call) (reply, error) {
	var in struct {
		ExpectedRevision int    `json:"expectedRevision"`
		StudyID          string `json:"studyId"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	d, _, err := c.Drafts.Consume(ctx, c.id("id"), in.ExpectedRevision, in.StudyID)
	if err != nil {
		return reply{}, err
	}
	return ok(data(d))
}
