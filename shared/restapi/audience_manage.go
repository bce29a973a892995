package restapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
)

func listAudienceLibrary(ctx context.Context, c *call) (reply, error) {
	q := audience.LibraryQuery{
		Search: c.text("search"), Sort: c.text("sort"), Ascending: c.text("direction") == "asc",
		Limit: c.number("limit"), After: c.text("after"),
	}
	for _, id := range strings.Split(c.text("ids"), ",") {
		if id = strings.TrimSpace(id); id != "" {
			q.IDs = append(q.IDs, id)
		}
	}
	list, next, err := c.Audiences.Library(ctx, q)
	if err != nil {
		return reply{}, err
	}
	rows := make([]audienceRow, len(list))
	for i, s := range list {
		rows[i] = rowOf(s)
	}
	info := map[string]any{"nextCursor": nil}
	if next != "" {
		info["nextCursor"] = next
	}
	return ok(map[string]any{"data": rows, "pageInfo": info})
}

func listActiveAudienceProgress(ctx context.Context, c *call) (reply, error) {
	list, err := c.Audiences.ActiveProgress(ctx)
	if err != nil {
		return reply{}, err
	}
	return ok(data(list))
}

// describeActiveProgress says what a snapshot is: the progress of one Audience
// without its members.
func describeActiveProgress(o *agreed) {
	count := map[string]any{"type": "integer", "minimum": 0}
	when := map[string]any{"type": []any{"string", "null"}, "format": "date-time"}
	o.Scope = "sparks:read"
	o.Response["200"] = map[string]any{"type": "object", "properties": map[string]any{"data": map[string]any{"type": "array", "items": map[string]any{
		"type": "object",
		"properties": map[string]any{
			"audienceId": map[string]any{"type": "string", "format": "uuid"}, "name": map[string]any{"type": "string"},
			"state": map[string]any{"type": "string", "enum": []any{"drafting", "creating", "calibrating", "ready", "failed"}},
			"total": count, "ready": count, "training": count, "failed": count, "settled": map[string]any{"type": "boolean"},
			"research": map[string]any{"type": "object", "properties": map[string]any{
				"phase":     map[string]any{"type": "string", "enum": []any{"none", "researching", "applying", "done", "failed"}},
				"startedAt": when, "completedAt": when, "error": map[string]any{"type": []any{"string", "null"}},
			}, "required": []any{"phase", "startedAt", "completedAt", "error"}},
		},
		"required": []any{"audienceId", "name", "state", "total", "ready", "training", "failed", "settled", "research"},
	}}}, "required": []any{"data"}}
}

func updateAudience(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Name           *string `json:"name"`
		IsPublic       *bool   `json:"isPublic"`
		SharedWithTeam *bool   `json:"isSharedWithTeam"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	a, err := c.Audiences.Update(ctx, c.id("audienceId"), audience.Patch{Name: in.Name, IsPublic: in.IsPublic, SharedWithTeam: in.SharedWithTeam})
	if err != nil {
		return reply{}, err
	}
	s, err := c.Audiences.Summary(ctx, a, true)
	if err != nil {
		return reply{}, err
	}
	return ok(data(rowOf(s)))
}

func deleteAudience(ctx context.Context, c *call) (reply, error) {
	return nothing(c.Audiences.Delete(ctx, c.id("audienceId")))
}

// nothing answers 204 unless something was refused.
func nothing(err error) (reply, error) {
	if err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusNoContent}, nil
}

func followAudience(ctx context.Context, c *call) (reply, error) {
	return success(c.Audiences.Follow(ctx, c.id("audienceId")))
}

func unfollowAudience(ctx context.Context, c *call) (reply, error) {
	return success(c.Audiences.Unfollow(ctx, c.id("audienceId")))
}

func success(err error) (reply, error) {
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]any{"success": true})
}

func addAudienceMembers(ctx context.Context, c *call) (reply, error) {
	var in struct {
		MindID  string   `json:"mindId"` // goes before mindIds
		MindIDs []string `json:"mindIds"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	ids := in.MindIDs
	if in.MindID != "" {
		ids = []string{in.MindID}
	}
	if len(ids) == 0 {
		return reply{}, fault.New(fault.Validation, "Send mindId, or mindIds with at least one id.").With("in", "body").With("path", "/mindIds")
	}
	n, err := c.Audiences.AddMembers(ctx, c.id("audienceId"), ids)
	if err != nil {
		return reply{}, err
	}
	return ok(data(map[string]int{"added": n}))
}

func removeAudienceMember(ctx context.Context, c *call) (reply, error) {
	return nothing(c.Audiences.RemoveMember(ctx, c.id("audienceId"), c.id("mindId")))
}

func regenerateAudienceImages(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Force bool `json:"force"`
		Limit int  `json:"limit"`
		Dry   bool `json:"dry"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	out, err := c.Audiences.RegenerateImages(ctx, c.id("audienceId"), audience.ImagesRequest{Force: in.Force, Limit: in.Limit, Dry: in.Dry})
	if err != nil {
		return reply{}, err
	}
	return ok(data(out))
}

func duplicateAudience(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Name string `json:"name"`
		Key  string `json:"idempotencyKey"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	if key := c.sent("Idempotency-Key"); key != "" {
		in.Key = key
	}
	made, err := c.Audiences.Duplicate(ctx, audience.DuplicateRequest{AudienceID: c.id("audienceId"), Name: in.Name, Key: in.Key})
	if err != nil {
		return reply{}, err
	}
	s, err := c.Audiences.Summary(ctx, made.Audience, true)
	if err != nil {
		return reply{}, err
	}
	return created(made.Replayed, map[string]any{"data": rowOf(s), "audienceUrl": s.WorkspaceURL, "idempotencyKey": made.Key})
}

// getSharedAudiences answers whoever has the link. No cache may keep it, so that the
// end of sharing counts at once.
func getSharedAudiences(ctx context.Context, c *call) (reply, error) {
	a, err := c.Audiences.Shared(ctx, c.id("shareId"))
	if err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusOK, body: data(a), header: unkept()}, nil
}

// describeSharedAudience says what a link shows.
func describeSharedAudience(o *agreed) {
	text := map[string]any{"type": "string"}
	o.Response["200"] = map[string]any{"type": "object", "properties": map[string]any{"data": map[string]any{"type": "object",
		"properties": map[string]any{
			"id": text, "name": text, "mindCount": map[string]any{"type": "integer", "minimum": 0},
			"minds":     map[string]any{"type": "array", "items": map[string]any{"type": "object"}},
			"grounding": map[string]any{"type": []any{"object", "null"}}, "coverage": map[string]any{"type": "object"},
			"research": map[string]any{"type": "object"}, "state": text,
			"createdAt": map[string]any{"type": "string", "format": "date-time"}, "updatedAt": map[string]any{"type": "string", "format": "date-time"},
		},
		"required": []any{"id", "name", "mindCount", "minds", "grounding", "coverage", "research", "state", "createdAt", "updatedAt"},
	}}, "required": []any{"data"}}
}
