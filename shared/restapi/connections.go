package restapi

import (
	"context"
	"net/http"

	"github.com/mindgate-dev/mindgate/shared/research/connection"
)

func listModelConnections(ctx context.Context, c *call) (reply, error) {
	page, err := c.Connections.List(ctx, c.text("cursor"))
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]any{"data": page.Connections, "pagination": map[string]any{"nextCursor": page.NextCursor}})
}

func createModelConnection(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Name     string `json:"name"`
		Provider string `json:"provider"`
		Model    string `json:"model"`
		Endpoint string `json:"endpoint"`
		Region   string `json:"region"`
		Secret   string `json:"secret"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	made, err := c.Connections.Create(ctx, connection.Create(in))
	if err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusCreated, body: data(made)}, nil
}

func updateModelConnection(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Revision int     `json:"revision"`
		Name     *string `json:"name"`
		Model    *string `json:"model"`
		Endpoint *string `json:"endpoint"`
		Region   *string `json:"region"`
		Secret   *string `json:"secret"`
		IsActive *bool   `json:"isActive"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	changed, err := c.Connections.Update(ctx, c.id("id"), connection.Change{
		Revision: in.Revision, Name: in.Name, Model: in.Model, Endpoint: in.Endpoint, Region: in.Region, Secret: in.Secret, IsActive: in.IsActive,
	})
	if err != nil {
		return reply{}, err
	}
	return ok(data(changed))
}

func verifyModelConnection(ctx context.Context, c *call) (reply, error) {
	seen, outcome, err := c.Connections.Verify(ctx, c.id("id"))
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]any{"data": seen, "verification": outcome})
}

func deleteModelConnection(ctx context.Context, c *call) (reply, error) {
	if err := c.Connections.Delete(ctx, c.id("id")); err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusNoContent}, nil
}

// The contract names the operations that change connections and leaves their
// bodies to us: they speak of the fields of the list.

// changesConnections is the scope of what changes connections.
const changesConnections = "sparks:write"

func connectionFields() map[string]any {
	text := func(most int, what string) map[string]any {
		return map[string]any{"type": "string", "maxLength": most, "description": what}
	}
	return map[string]any{
		"name":     map[string]any{"type": "string", "minLength": 1, "maxLength": 100, "description": "What the team calls it."},
		"model":    map[string]any{"type": "string", "minLength": 1, "maxLength": 200, "description": "The provider's own id of the model."},
		"endpoint": text(2000, "Base address of the server, such as https://models.example.com/v1; needed with openai_compatible, not for bedrock. With another endpoint the secret must be given anew."),
		"region":   text(40, "With bedrock, such as eu-central-1."),
		"secret":   text(8192, "The provider's key; with bedrock accessKeyId:secretAccessKey. Kept in a secret store, never returned."),
	}
}

func describeCreate(a *agreed) {
	props := connectionFields()
	props["provider"] = map[string]any{"type": "string", "enum": []any{"openai", "openai_compatible", "anthropic", "bedrock"}}
	a.Scope = changesConnections
	a.Request.Body = map[string]any{"type": "object", "properties": props, "required": []any{"name", "provider", "model"}}
	a.Response = map[string]any{"201": map[string]any{"type": "object", "properties": map[string]any{"data": shownConnection()}, "required": []any{"data"}}}
}

func describeUpdate(a *agreed) {
	props := connectionFields()
	props["isActive"] = map[string]any{"type": "boolean", "description": "false takes it out of the list, and nothing answers through it."}
	props["revision"] = map[string]any{"type": "integer", "minimum": 1, "maximum": 9007199254740991, "description": "The revision that you have seen; another one now is STALE_REVISION."}
	a.Scope = changesConnections
	a.Request.Body = map[string]any{"type": "object", "properties": props, "required": []any{"revision"}}
	a.Response = map[string]any{"200": map[string]any{"type": "object", "properties": map[string]any{"data": shownConnection()}, "required": []any{"data"}}}
}

func describeVerify(a *agreed) {
	a.Scope = changesConnections
	a.Response = map[string]any{"200": map[string]any{
		"type": "object",
		"properties": map[string]any{
			"data": shownConnection(),
			"verification": map[string]any{
				"type":        "object",
				"description": "Whether the model answered; if not, the kind of the failure. What it said is not kept.",
				"properties": map[string]any{
					"verified": map[string]any{"type": "boolean"},
					"code":     map[string]any{"type": "string"},
					"message":  map[string]any{"type": "string"},
				},
				"required":             []any{"verified"},
				"additionalProperties": false,
			},
		},
		"required": []any{"data", "verification"},
	}}
}

func describeDelete(a *agreed) {
	a.Scope = changesConnections
	a.Response = map[string]any{"204": map[string]any{}}
}

// shownConnection is all of a connection that leaves the service (M-300).
func shownConnection() map[string]any {
	flag := map[string]any{"type": "boolean"}
	at := map[string]any{"type": "string", "format": "date-time"}
	return map[string]any{
		"type": "object",
		"properties": map[string]any{
			"id":         map[string]any{"type": "string", "format": "uuid"},
			"name":       map[string]any{"type": "string"},
			"provider":   map[string]any{"type": "string"},
			"model":      map[string]any{"type": "string"},
			"revision":   map[string]any{"type": "integer", "minimum": 1},
			"isActive":   flag,
			"verifiedAt": map[string]any{"type": []any{"string", "null"}, "format": "date-time"},
			"capabilities": map[string]any{
				"type":                 "object",
				"properties":           map[string]any{"chat": flag, "streaming": flag, "tools": flag, "structuredOutput": flag, "vision": flag},
				"additionalProperties": false,
			},
			"createdAt": at,
			"updatedAt": at,
		},
		"required":             []any{"id", "name", "provider", "model", "revision", "isActive", "verifiedAt", "capabilities", "createdAt", "updatedAt"},
		"additionalProperties": false,
	}
}
