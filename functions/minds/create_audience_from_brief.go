package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// CreateAudienceFromBrief begins a preview or a creation and waits for it some
// seconds; with operationId alone it reads one that was begun before. Equal
// arguments within six hours are one operation.
var CreateAudienceFromBrief = tool.New("create_audience_from_brief",
	func(ctx context.Context, in CreateAudienceFromBriefInput) (AudienceFromBrief, error) {
		audiences := research.From(ctx).Audiences
		job, replayed := in.OperationID, false
		if job == "" {
			admitted, err := audiences.FromBrief(ctx, in.request())
			if err != nil {
				return AudienceFromBrief{}, err
			}
			job, replayed = admitted.Operation.JobID, admitted.Replayed
		}
		out, err := audiences.Await(ctx, job)
		if err != nil {
			return AudienceFromBrief{}, err
		}
		return fromBrief(out, replayed)
	})

// fromBrief checks an outcome and puts it into the tool's shape (M-55, M-320).
func fromBrief(out audience.Outcome, replayed bool) (AudienceFromBrief, error) {
	o := out.Operation
	res := AudienceFromBrief{Status: o.Status, Readiness: out.Readiness}
	incomplete := fault.New(fault.MalformedResponse, "The finished result could not be read whole, so nothing is claimed about it. Repeat the same arguments, or send operationId alone; neither makes a second Audience.").With("jobId", o.JobID)
	switch o.Status {
	case audience.OperationFailed:
		return AudienceFromBrief{}, failedOperation(o)
	case audience.OperationCompleted:
		res.Preview, res.Audience = out.Preview, out.Audience
		switch {
		case out.Preview != nil:
			if grounding.Checksum([]byte(out.Preview.ReviewedJSON)) != out.Preview.ReviewedSHA256 {
				return AudienceFromBrief{}, incomplete
			}
		case out.Audience != nil:
			if out.Audience.ID == "" || out.Audience.Mode == "" || out.Audience.Research.Phase == "" {
				return AudienceFromBrief{}, incomplete
			}
			out.Audience.Replayed = replayed
			if replayed {
				out.Audience.DatasetSegmentation = nil
			}
		default:
			return AudienceFromBrief{}, fault.New(fault.NotFound, "The Audience of this operation was deleted. Repeat the arguments of the call to make a new one.").With("jobId", o.JobID)
		}
	default:
		res.Operation = &o
	}
	if o.JobID == "" || o.Kind == "" {
		return AudienceFromBrief{}, incomplete
	}
	return res, nil
}

// failedOperation is the tool error of an operation that failed; the operation
// stands beside it.
func failedOperation(o audience.Operation) error {
	e := o.Error
	if e == nil {
		e = &audience.OperationError{Code: string(fault.Internal), Message: "The operation failed.", Retryable: true}
	}
	return fault.New(fault.Code(e.Code), "%s", e.Message).With(tool.Beside, map[string]any{"status": o.Status, "operation": o})
}

// CreateAudienceFromBriefInput is checked by the contract's schema before it
// arrives: operationId stands alone, brief and its older name text exclude each
// other, the reviewed pair comes together.
type CreateAudienceFromBriefInput struct {
	OperationID      string             `json:"operationId"`
	Brief            string             `json:"brief"`
	Text             string             `json:"text"` // older name of brief
	Name             string             `json:"name"`
	Links            []string           `json:"links"`
	Keywords         []string           `json:"keywords"`
	Files            []audience.FileArg `json:"files"`
	IncludeWebSearch *bool              `json:"includeWebSearch"` // default true
	MemberCount      int                `json:"memberCount"`
	Mode             string             `json:"audienceCreationMode"` // default balanced
	Dataset          *audience.Dataset  `json:"datasetSegmentation"`
	TrainMembers     bool               `json:"trainMembers"` // true does nothing
	Allocation       allocate.Config    `json:"cohortAllocation"`
	Preview          bool               `json:"groundingPreview"`
	ReviewedJSON     string             `json:"reviewedGroundingJson"`
	ReviewedSHA256   string             `json:"reviewedGroundingSha256"`
	Exclude          []string           `json:"excludeDistributions"`
	LinkSharing      bool               `json:"isLinkSharingEnabled"`
}

func (in CreateAudienceFromBriefInput) request() audience.BriefRequest {
	text := in.Brief
	if text == "" {
		text = in.Text
	}
	return audience.BriefRequest{Text: text, Name: in.Name, Links: in.Links, Keywords: in.Keywords, Files: in.Files,
		IncludeWebSearch: in.IncludeWebSearch, MemberCount: in.MemberCount, Mode: in.Mode, Dataset: in.Dataset, Allocation: in.Allocation,
		Preview: in.Preview, ReviewedJSON: in.ReviewedJSON, ReviewedSHA256: in.ReviewedSHA256, Exclude: in.Exclude, LinkSharing: in.LinkSharing}
}

// AudienceFromBrief is where the operation stands, and what came of it: Preview
// or Audience once it is completed, else Operation.
type AudienceFromBrief struct {
	Status    string              `json:"status"`
	Operation *audience.Operation `json:"operation,omitempty"`
	Preview   *audience.Preview   `json:"preview,omitempty"`
	Audience  *audience.Made      `json:"audience,omitempty"`
	Readiness *audience.Readiness `json:"readiness,omitempty"`
}
