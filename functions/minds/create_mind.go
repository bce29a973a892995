package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// CreateMind makes one Mind and queues its training; the same call again, by
// its key or within ten seconds, gives the same Mind.
var CreateMind = tool.New("create_mind",
	func(ctx context.Context, in CreateMindInput) (CreatedMind, error) {
		minds := research.From(ctx).Minds
		c, err := minds.Create(ctx, mind.CreateRequest{
			Name: in.Name, Mode: in.Mode, Type: in.Type, Discipline: in.Discipline, Keywords: in.Keywords,
			PersonaContext: in.PersonaContext, ContextLink: in.ContextLink, Description: in.Description,
			IncludeWebSearch: in.IncludeWebSearch, Key: in.IdempotencyKey,
		})
		if err != nil {
			return CreatedMind{}, err
		}
		return CreatedMind{
			Mind: minds.Summary(c.Mind), Training: minds.TrainingOf(c.Mind),
			IdempotencyKey: c.Key, Replayed: c.Replayed, MindURL: minds.URL(c.Mind.ID),
		}, nil
	})

// CreateMindInput is a new Mind. Each mode but manual needs its own source:
// keywords, personaContext (clone) or contextLink (link).
type CreateMindInput struct {
	Name             string   `json:"name"` // 2..100 characters after trimming
	Mode             string   `json:"mode"`
	Type             string   `json:"type"` // default expert
	Discipline       string   `json:"discipline"`
	Keywords         []string `json:"keywords"`
	PersonaContext   string   `json:"personaContext"` // at most 16,000 characters
	ContextLink      string   `json:"contextLink"`
	Description      string   `json:"description"`
	IncludeWebSearch *bool    `json:"includeWebSearch"` // default true
	IdempotencyKey   string   `json:"idempotencyKey"`   // UUID, good for 24 hours
}

// CreatedMind is the Mind with its training, and the key for a retry.
type CreatedMind struct {
	Mind           mind.Summary  `json:"mind"`
	Training       mind.Training `json:"training"`
	IdempotencyKey string        `json:"idempotencyKey"`
	Replayed       bool          `json:"replayed"`
	MindURL        string        `json:"mindUrl"`
}
