package restapi

import (
	"context"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// searchWindow is how many of the newest Minds a search looks at (M-310).
const searchWindow = 1000

func listMinds(ctx context.Context, c *call) (reply, error) {
	limit, offset := c.number("limit"), c.number("offset")
	if words := strings.ToLower(strings.TrimSpace(c.text("search"))); words != "" {
		return searchMinds(ctx, c, words, limit, offset)
	}
	rows, total, err := c.Minds.List(ctx, limit, offset)
	if err != nil {
		return reply{}, err
	}
	return paged(rows, page{Total: total, Limit: limit, Offset: offset})
}

// searchMinds keeps the Minds whose name or description holds the words.
func searchMinds(ctx context.Context, c *call, words string, limit, offset int) (reply, error) {
	const step = 100
	found := []mind.Summary{}
	for at := 0; at < searchWindow; at += step {
		rows, total, err := c.Minds.List(ctx, step, at)
		if err != nil {
			return reply{}, err
		}
		for _, m := range rows {
			if strings.Contains(strings.ToLower(m.Name), words) || strings.Contains(strings.ToLower(m.Description), words) {
				found = append(found, m)
			}
		}
		if at+step >= total || len(rows) == 0 {
			break
		}
	}
	from := min(offset, len(found))
	rows := found[from:min(from+limit, len(found))]
	return paged(rows, page{Total: len(found), Limit: limit, Offset: offset})
}

// mindRequest is the body of createMind. A locale is accepted and changes
// nothing: prompts are written in English.
type mindRequest struct {
	Name            string   `json:"name"`
	Discipline      string   `json:"discipline"`
	Description     string   `json:"description"`
	Mode            string   `json:"mode"`
	Type            string   `json:"type"`
	Keywords        []string `json:"keywords"`
	PersonaContext  string   `json:"personaContext"`
	ContextLink     string   `json:"contextLink"`
	Link            string   `json:"link"`
	Tags            []string `json:"tags"`
	ProfileImageURL string   `json:"profileImageUrl"`
	WebSearch       *bool    `json:"includeWebSearch"`
	IsRealPerson    bool     `json:"isRealPerson"`
	SourcePolicy    string   `json:"sourcePolicy"`
	LinkSharing     bool     `json:"isLinkSharingEnabled"`
	GenerateImage   *bool    `json:"generateImage"`
	Key             string   `json:"idempotencyKey"`
}

func createMind(ctx context.Context, c *call) (reply, error) {
	var in mindRequest
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	link := "contextLink"
	if in.Link != "" {
		if in.ContextLink != "" && in.ContextLink != in.Link {
			return reply{}, fault.New(fault.Validation, "link and contextLink name different addresses; send contextLink alone.").With("path", "/link")
		}
		if in.ContextLink == "" {
			link = "link"
		}
		in.ContextLink = in.Link
	}
	if k := c.sent("Idempotency-Key"); k != "" {
		if in.Key != "" && in.Key != k {
			return reply{}, fault.New(fault.Validation, "The header Idempotency-Key and idempotencyKey in the body differ; send one of them.").
				With("field", "idempotencyKey").With("in", "body").With("path", "/idempotencyKey")
		}
		in.Key = k
	}
	made, err := c.Minds.Create(ctx, mind.CreateRequest{
		Name: in.Name, Mode: in.Mode, Type: in.Type, Discipline: in.Discipline, Keywords: in.Keywords,
		PersonaContext: in.PersonaContext, ContextLink: in.ContextLink, Description: in.Description,
		IncludeWebSearch: in.WebSearch, Key: in.Key, SourcePolicy: in.SourcePolicy,
		Tags: in.Tags, ProfileImageURL: in.ProfileImageURL,
		IsRealPerson: in.IsRealPerson, LinkSharing: in.LinkSharing, GenerateImage: in.GenerateImage,
	})
	if err != nil {
		return reply{}, renamed(err, "contextLink", link)
	}
	return created(made.Replayed, map[string]any{
		"data": c.Minds.Summary(made.Mind), "training": c.Minds.TrainingOf(made.Mind), "idempotencyKey": made.Key,
	})
}

func getMind(ctx context.Context, c *call) (reply, error) {
	m, err := c.Minds.Get(ctx, c.id("mindId"))
	if err != nil {
		return reply{}, err
	}
	return ok(data(c.Minds.Detail(m)))
}

func getMindTrainingStatus(ctx context.Context, c *call) (reply, error) {
	m, err := c.Minds.Get(ctx, c.id("mindId"))
	if err != nil {
		return reply{}, err
	}
	return ok(c.Minds.TrainingOf(m))
}

func regenerateMindPrompt(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Override string `json:"personaContextOverride"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	p, err := c.Minds.RegeneratePrompt(ctx, c.id("mindId"), in.Override)
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]any{"success": true, "data": p})
}
