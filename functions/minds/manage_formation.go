package minds

import (
	"context"
	"encoding/json"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/formation"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ManageFormation lists, reads, proposes, creates, sorts again and deletes splits
// of an Audience.
var ManageFormation = tool.New("manage_formation",
	func(ctx context.Context, in ManageFormationInput) (ManagedFormation, error) {
		s := research.From(ctx).Formations
		out := ManagedFormation{Action: in.Action}
		var err error
		switch in.Action {
		case "list":
			err = out.list(ctx, s, in)
		case "get":
			var d formation.Detail
			if d, err = s.Get(ctx, in.AudienceID, in.FormationID); err == nil && d.ID != in.FormationID {
				err = mismatched()
			}
			out.Formation = &d
		case "preview":
			if err = fitsBody(in.UserInput, in.PriorHypothesis); err != nil {
				break
			}
			var p formation.Preview
			p, err = s.Preview(ctx, formation.PreviewRequest{AudienceID: in.AudienceID, UserInput: in.UserInput, PriorHypothesis: in.PriorHypothesis})
			out.Preview = &p
		case "create":
			if in.Hypothesis == nil {
				err = fault.New(fault.Validation, "hypothesis is missing: give the intent and 2 to 15 subgroups, such as those of a preview.").With("field", "hypothesis")
				break
			}
			if err = fitsBody(in.Name, in.Hypothesis); err != nil {
				break
			}
			out.Created, err = started(s.Create(ctx, formation.CreateRequest{AudienceID: in.AudienceID, Name: in.Name, Hypothesis: *in.Hypothesis}))
		case "recompute":
			out.Created, err = started(s.Recompute(ctx, in.AudienceID, in.FormationID))
			if err == nil && out.Created.ID != in.FormationID {
				err = mismatched()
			}
		case "delete":
			err = s.Delete(ctx, in.AudienceID, in.FormationID)
			gone := true
			out.Deleted = &gone
		default:
			err = fault.New(fault.Validation, "action %q is not known.", in.Action).With("field", "action")
		}
		if err != nil {
			return ManagedFormation{}, err
		}
		return out, nil
	})

// ManageFormationInput says what to do with the splits of which Audience.
type ManageFormationInput struct {
	Action          string                `json:"action"`
	AudienceID      string                `json:"audienceId"`
	Limit           int                   `json:"limit"` // list: 1..100, default 100
	Offset          int                   `json:"offset"`
	FormationID     string                `json:"formationId"`
	UserInput       string                `json:"userInput"` // preview: at most 2,000 characters
	PriorHypothesis *formation.Hypothesis `json:"priorHypothesis"`
	Name            string                `json:"name"`
	Hypothesis      *formation.Hypothesis `json:"hypothesis"`
	Confirmed       bool                  `json:"confirmed"` // delete: checked with the schema (M-314)
}

// ManagedFormation is what came of an action; what others give is left out.
type ManagedFormation struct {
	Action     string              `json:"action"`
	Formations []formation.Summary `json:"formations,omitzero"`
	TotalCount *int                `json:"totalCount,omitempty"`
	Pagination *FormationPage      `json:"pagination,omitempty"`
	Formation  *formation.Detail   `json:"formation,omitempty"`
	Preview    *formation.Preview  `json:"preview,omitempty"`
	Created    *formation.Started  `json:"created,omitempty"`
	Deleted    *bool               `json:"deleted,omitempty"`
}

func (m *ManagedFormation) list(ctx context.Context, s *formation.Service, in ManageFormationInput) error {
	p, err := s.List(ctx, in.AudienceID, in.Limit, in.Offset)
	if err != nil {
		return err
	}
	page, err := formationPage(p)
	m.Formations, m.TotalCount, m.Pagination = p.Rows, &p.Total, &page
	return err
}

// started shows the state that was acknowledged, whatever it is.
func started(f formation.Started, err error) (*formation.Started, error) {
	if err == nil && (f.ID == "" || f.Status == "") {
		err = mismatched()
	}
	return &f, err
}

func mismatched() error {
	return fault.New(fault.MalformedResponse, "The answer does not speak of the Formation that was asked for, so it is not shown. List the Formations to see what is saved.")
}

// fitsBody holds the JSON that the operation takes to 64 KiB.
func fitsBody(text string, h *formation.Hypothesis) error {
	raw, err := json.Marshal(map[string]any{"text": text, "hypothesis": h})
	if err != nil {
		return err
	}
	if len(raw) > formation.MaxBody {
		return fault.New(fault.PayloadTooLarge, "The hypothesis has %d bytes as JSON; at most %d (64 KiB) are taken. Shorten the definitions.", len(raw), formation.MaxBody).With("limitBytes", formation.MaxBody)
	}
	return nil
}
