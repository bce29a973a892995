package restapi

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/formation"
)

// looseHypothesis leaves the bounds of a split to the operation, which refuses it
// with INVALID_HYPOTHESIS.
func looseHypothesis(field string) map[string]string {
	at := field + ".subgroups"
	return map[string]string{field + ".intent": "minLength", at: "minItems,maxItems", at + "[].id": "minLength", at + "[].label": "minLength", at + "[].definition": "minLength"}
}

// onePage is the pagination of Formations, which says where the next page begins.
type onePage struct {
	page
	HasMore    bool `json:"hasMore"`
	NextOffset *int `json:"nextOffset"`
}

func listFormations(ctx context.Context, c *call) (reply, error) {
	p, err := c.Formations.List(ctx, c.id("audienceId"), c.number("limit"), c.number("offset"))
	if err != nil {
		return reply{}, err
	}
	next := p.Next()
	return ok(map[string]any{"data": p.Rows, "pagination": onePage{page{p.Total, p.Limit, p.Offset}, next != nil, next}})
}

func getFormation(ctx context.Context, c *call) (reply, error) {
	d, err := c.Formations.Get(ctx, c.id("audienceId"), c.id("formationId"))
	if err != nil {
		return reply{}, err
	}
	return ok(data(d))
}

func createFormation(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Name       string               `json:"name"`
		Hypothesis formation.Hypothesis `json:"hypothesis"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	made, err := c.Formations.Create(ctx, formation.CreateRequest{AudienceID: c.id("audienceId"), Name: in.Name, Hypothesis: in.Hypothesis})
	if err != nil {
		return reply{}, err
	}
	return ok(data(made))
}

func deleteFormation(ctx context.Context, c *call) (reply, error) {
	return reply{status: http.StatusNoContent}, c.Formations.Delete(ctx, c.id("audienceId"), c.id("formationId"))
}

func recomputeFormation(ctx context.Context, c *call) (reply, error) {
	done, err := c.Formations.Recompute(ctx, c.id("audienceId"), c.id("formationId"))
	if err != nil {
		return reply{}, err
	}
	return ok(data(map[string]string{"id": done.ID, "status": done.Status}))
}

// previewFormation answers in one JSON object, or line by line for who asks so.
func previewFormation(ctx context.Context, c *call) (reply, error) {
	var in struct {
		UserInput       string                `json:"userInput"`
		PriorHypothesis *formation.Hypothesis `json:"priorHypothesis"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	p, err := c.Formations.Preview(ctx, formation.PreviewRequest{AudienceID: c.id("audienceId"), UserInput: in.UserInput, PriorHypothesis: in.PriorHypothesis})
	if !strings.Contains(c.request.Header.Get("Accept"), ndjson) {
		if err != nil {
			return reply{}, err
		}
		return ok(map[string]any{"success": true, "data": p})
	}
	if err != nil && !fault.Is(err, fault.PreviewFailed) {
		return reply{}, err // a refusal of the call, not of the proposal
	}
	return lines(p, err)
}

const ndjson = "application/x-ndjson"

// lines is a preview as its consumers read it while it is made: meta, status,
// subgroups, done; or error, done.
func lines(p formation.Preview, failed error) (reply, error) {
	steps := []map[string]any{
		{"type": "meta", "memberCount": p.MemberCount, "softWarn": p.SoftWarn, "hardCapExceeded": p.HardCapExceeded},
		{"type": "status", "phase": formation.Hypothesizing},
		{"type": "subgroups", "hypothesis": p.Hypothesis},
	}
	if failed != nil {
		f := fault.From(failed)
		steps = []map[string]any{{"type": "error", "code": f.Code, "message": f.Message}}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	for _, s := range append(steps, map[string]any{"type": "done"}) {
		if err := enc.Encode(s); err != nil {
			return reply{}, err
		}
	}
	return reply{status: http.StatusOK, file: &file{mediaType: ndjson, content: out.Bytes()}}, nil
}
