package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// DuplicateAudience begins a copy of an Audience and answers at once; its members
// are written behind it, and manage_audience get_progress tells how far that is.
var DuplicateAudience = tool.New("duplicate_audience",
	func(ctx context.Context, in DuplicateAudienceInput) (DuplicatedAudience, error) {
		audiences := research.From(ctx).Audiences
		made, err := audiences.Duplicate(ctx, audience.DuplicateRequest{AudienceID: in.AudienceID, Name: in.Name, Key: in.IdempotencyKey})
		if err != nil {
			return DuplicatedAudience{}, err
		}
		row, err := audiences.Summary(ctx, made.Audience, false)
		if err != nil {
			return DuplicatedAudience{}, err
		}
		if row.ID == in.AudienceID || made.Key == "" || row.WorkspaceURL == "" {
			return DuplicatedAudience{}, fault.New(fault.MalformedResponse, "The copy was not acknowledged whole. Look at list_audiences before you repeat the call with the same idempotencyKey.")
		}
		return DuplicatedAudience{Data: AudienceCopy{row.ID, row.Name, row.MindCount}, AudienceURL: row.WorkspaceURL, IdempotencyKey: made.Key, Replayed: made.Replayed}, nil
	})

// DuplicateAudienceInput names what is copied. The key of a call that failed or
// timed out takes that copy up again.
type DuplicateAudienceInput struct {
	AudienceID     string `json:"audienceId"`
	Name           string `json:"name"`           // 1..100 characters; "<name> (copy)" when left out
	IdempotencyKey string `json:"idempotencyKey"` // 1..200 characters
}

// DuplicatedAudience is the copy, at first in state creating.
type DuplicatedAudience struct {
	Data           AudienceCopy `json:"data"`
	AudienceURL    string       `json:"audienceUrl"`
	IdempotencyKey string       `json:"idempotencyKey"`
	Replayed       bool         `json:"replayed"`
}

// AudienceCopy names a copy, with the members that it will have.
type AudienceCopy struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	MindCount int    `json:"mindCount"`
}
