package restapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
)

// briefBody is the body of createAudienceFromBrief.
type briefBody struct {
	Text             string             `json:"text"`
	Name             string             `json:"name"`
	Files            []audience.FileArg `json:"files"`
	Links            []string           `json:"links"`
	Keywords         []string           `json:"keywords"`
	IncludeWebSearch *bool              `json:"includeWebSearch"`
	LinkSharing      bool               `json:"isLinkSharingEnabled"`
	GenerateImages   *bool              `json:"generateImages"`
	TrainMembers     *bool              `json:"trainMembers"`
	IdempotencyKey   string             `json:"idempotencyKey"`
	Preview          bool               `json:"groundingPreview"`
	ReviewedJSON     string             `json:"reviewedGroundingJson"`
	ReviewedSHA256   string             `json:"reviewedGroundingSha256"`
	Exclude          []string           `json:"excludeDistributions"`
	MemberCount      int                `json:"memberCount"`
	Mode             string             `json:"audienceCreationMode"`
	Dataset          json.RawMessage    `json:"datasetSegmentation"`
	Allocation       json.RawMessage    `json:"cohortAllocation"`
}

// createAudienceFromBrief admits a preview or a creation: 202 with the operation,
// also while an equal call's still runs; 200 with what came of one that is done.
func createAudienceFromBrief(ctx context.Context, c *call) (reply, error) {
	var in briefBody
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	if in.TrainMembers != nil && !*in.TrainMembers {
		return reply{}, catalog.OptOutRemoved()
	}
	key := c.sent("Idempotency-Key")
	if key == "" {
		key = in.IdempotencyKey
	}
	key, err := audience.CheckBriefKey(key)
	if err != nil {
		return reply{}, err
	}
	r := audience.BriefRequest{Text: in.Text, Name: in.Name, Links: in.Links, Keywords: in.Keywords, Files: in.Files,
		IncludeWebSearch: in.IncludeWebSearch, MemberCount: in.MemberCount, Mode: in.Mode, Preview: in.Preview,
		ReviewedJSON: in.ReviewedJSON, ReviewedSHA256: in.ReviewedSHA256, Exclude: in.Exclude, LinkSharing: in.LinkSharing,
		Key: key}
	if in.GenerateImages != nil && !*in.GenerateImages {
		r.GenerateImages = in.GenerateImages
	}
	if r.Allocation, err = allocate.ParseConfig(in.Allocation); err != nil {
		return reply{}, err
	}
	if len(bytes.TrimSpace(in.Dataset)) > 0 && !bytes.Equal(bytes.TrimSpace(in.Dataset), []byte("null")) {
		d := json.NewDecoder(bytes.NewReader(in.Dataset))
		d.DisallowUnknownFields()
		r.Dataset = &audience.Dataset{}
		if err := d.Decode(r.Dataset); err != nil {
			at := ""
			if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) {
				at = " (" + wrong.Field + ")"
			}
			return reply{}, fault.New(fault.Validation, "datasetSegmentation%s is not what the segmentation preview returned. Copy its fields as they are, and leave out what it does not take.", at).
				With("in", "body").With("path", "/datasetSegmentation").Because(err)
		}
	}
	admitted, err := c.Audiences.FromBrief(ctx, r)
	if err != nil {
		return reply{}, err
	}
	if o := admitted.Operation; admitted.Replayed && (o.Status == audience.OperationCompleted || o.Status == audience.OperationFailed) {
		out, err := c.Audiences.Outcome(ctx, o.JobID)
		if err != nil {
			return reply{}, err
		}
		if out.Audience != nil {
			out.Audience.Replayed, out.Audience.DatasetSegmentation = true, nil
		}
		return ok(map[string]any{"data": stateOf(out), "replayed": true})
	}
	return reply{status: http.StatusAccepted, body: data(admitted.Operation), header: http.Header{"Location": {admitted.Operation.StatusURL}}}, nil
}

// operationState is an operation with what came of it.
type operationState struct {
	audience.Operation
	Readiness *audience.Readiness `json:"readiness,omitempty"`
	Result    any                 `json:"result"` // null until it is completed
}

func stateOf(out audience.Outcome) operationState {
	s := operationState{Operation: out.Operation, Readiness: out.Readiness}
	switch {
	case out.Preview != nil:
		s.Result = out.Preview
	case out.Audience != nil:
		s.Result = out.Audience
	}
	return s
}

func getAudienceFromBriefCreationJob(ctx context.Context, c *call) (reply, error) {
	out, err := c.Audiences.Outcome(ctx, c.id("jobId"))
	if err != nil {
		return reply{}, err
	}
	return ok(data(stateOf(out)))
}

// previewCohortAllocation is a pure function of its body.
func previewCohortAllocation(ctx context.Context, c *call) (reply, error) {
	var in struct {
		MemberCount    int                      `json:"memberCount"`
		SeedBasis      string                   `json:"seedBasis"`
		Distributions  []grounding.Distribution `json:"distributions"`
		Allocation     json.RawMessage          `json:"cohortAllocation"`
		ReviewedJSON   string                   `json:"reviewedGroundingJson"`
		ReviewedSHA256 string                   `json:"reviewedGroundingSha256"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	config, err := allocate.ParseConfig(in.Allocation)
	if err != nil {
		return reply{}, err
	}
	out, err := c.Audiences.PreviewAllocation(ctx, audience.AllocationRequest{MemberCount: in.MemberCount, SeedBasis: in.SeedBasis,
		Distributions: in.Distributions, Allocation: config, ReviewedJSON: in.ReviewedJSON, ReviewedSHA256: in.ReviewedSHA256})
	if err != nil {
		return reply{}, err
	}
	return ok(data(out))
}

func getAudienceProgress(ctx context.Context, c *call) (reply, error) {
	p, err := c.Audiences.Progress(ctx, c.id("audienceId"))
	if err != nil {
		return reply{}, err
	}
	return ok(data(p))
}
