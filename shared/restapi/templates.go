package restapi

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/mindgate-dev/mindgate/shared/research/template"
)

// listStudyTemplates gives whole templates, as many as fit into one answer, and says
// when some do not.
func listStudyTemplates(ctx context.Context, c *call) (reply, error) {
	list, total, err := c.Templates.List(ctx)
	if err != nil {
		return reply{}, err
	}
	body := data(list)
	if len(list) < total {
		body["truncated"] = true
	}
	return ok(body)
}

func describeTemplates(a *agreed) {
	ok, _ := a.Response["200"].(map[string]any)
	a.Response, ok = maps.Clone(a.Response), maps.Clone(ok)
	props, _ := ok["properties"].(map[string]any)
	props = maps.Clone(props)
	props["truncated"] = map[string]any{"const": true, "description": "Sent when templates that are used less did not fit into one answer; read them by id."}
	ok["properties"] = props
	a.Response["200"] = ok
}

func saveStudyTemplate(ctx context.Context, c *call) (reply, error) {
	var in struct {
		RequestID     string          `json:"requestId"`
		Name          string          `json:"name"`
		Configuration json.RawMessage `json:"configuration"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	t, _, err := c.Templates.Save(ctx, template.SaveRequest{RequestID: in.RequestID, Name: in.Name, Configuration: in.Configuration})
	if err != nil {
		return reply{}, err
	}
	return created(false, data(t)) // of a replay too: the contract knows no other answer
}

func getStudyTemplate(ctx context.Context, c *call) (reply, error) {
	t, err := c.Templates.Get(ctx, c.id("id"))
	if err != nil {
		return reply{}, err
	}
	return ok(data(t))
}

func updateStudyTemplate(ctx context.Context, c *call) (reply, error) {
	var in struct {
		ExpectedRevision int             `json:"expectedRevision"`
		Name             *string         `json:"name"`
		Configuration    json.RawMessage `json:"configuration"`
		IsSharedWithTeam *bool           `json:"isSharedWithTeam"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	t, err := c.Templates.Update(ctx, c.id("id"), in.ExpectedRevision, template.Patch{Name: in.Name, Configuration: in.Configuration, IsSharedWithTeam: in.IsSharedWithTeam})
	if err != nil {
		return reply{}, err
	}
	return ok(data(t))
}

func deleteStudyTemplate(ctx context.Context, c *call) (reply, error) {
	return success(c.Templates.Delete(ctx, c.id("id")))
}

func instantiateStudyTemplate(ctx context.Context, c *call) (reply, error) {
	var in struct {
		ExpectedRevision int    `json:"expectedRevision"`
		RequestID        string `json:"requestId"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	u, err := c.Templates.Use(ctx, c.id("id"), in.ExpectedRevision, in.RequestID)
	if err != nil {
		return reply{}, err
	}
	return created(u.Replayed, data(u.Draft))
}
