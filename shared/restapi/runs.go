package restapi

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// runStudyQuestions confirms exactly the newest revision of a draft and starts its
// run.
func runStudyQuestions(ctx context.Context, c *call) (reply, error) {
	var in struct {
		DraftPlanID  string `json:"draftPlanId"`
		Revision     int    `json:"revision"`
		Confirmation struct {
			Accepted            bool `json:"accepted"`
			AdvancedMethodOptIn bool `json:"advancedMethodOptIn"`
		} `json:"confirmation"`
		AudienceIDs     []string               `json:"audienceIds"`
		IdempotencyKey  string                 `json:"idempotencyKey"`
		ModelConnection *study.ModelConnection `json:"modelConnection"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	started, err := c.Runs.Start(ctx, run.StartRequest{
		StudyID: c.id("studyId"), DraftID: in.DraftPlanID, Revision: in.Revision, Confirmed: in.Confirmation.Accepted,
		AdvancedOptIn: in.Confirmation.AdvancedMethodOptIn, AudienceIDs: in.AudienceIDs, IdempotencyKey: in.IdempotencyKey,
		ModelConnection: in.ModelConnection,
	})
	if err != nil {
		return reply{}, err
	}
	if started.Status != run.Queued { // a replay may find it settled: it was started
		started.Status = run.Running
	}
	body := data(started)
	if started.Key != "" {
		body["idempotencyKey"] = started.Key
	}
	return ok(body)
}

// getStudyResearchStudy reads one planned run of a Study whole.
func getStudyResearchStudy(ctx context.Context, c *call) (reply, error) {
	found, err := c.Runs.Get(ctx, c.id("runId"))
	if err != nil {
		return reply{}, err
	}
	if found.StudyID != c.id("studyId") {
		return reply{}, fault.New(fault.NotFound, "No run with this id in this Study.")
	}
	return ok(data(found))
}

// listStudyResearchRuns pages through the planned runs of a Study.
func listStudyResearchRuns(ctx context.Context, c *call) (reply, error) {
	rows, next, err := c.Runs.List(ctx, c.id("studyId"), c.number("limit"), c.text("cursor"))
	if err != nil {
		return reply{}, err
	}
	var cursor *string
	if next != "" {
		cursor = &next
	}
	return ok(map[string]any{"data": rows, "pagination": map[string]any{"nextCursor": cursor}})
}

// A run is one question or a plan; whoever has its id need not know which.

func getAgentRun(ctx context.Context, c *call) (reply, error) {
	found, err := c.Studies.Run(ctx, c.id("runId"))
	if fault.Is(err, fault.NotFound) {
		found, err = c.Runs.Summary(ctx, c.id("runId"))
	}
	if err != nil {
		return reply{}, err
	}
	return ok(data(found))
}

func listAgentRunEvents(ctx context.Context, c *call) (reply, error) {
	id, after, limit := c.id("runId"), c.number("after"), c.number("limit")
	var events any
	asked, next, err := c.Studies.RunEvents(ctx, id, after, limit)
	events = asked
	if fault.Is(err, fault.NotFound) {
		events, next, err = planned(c.Runs.Events(ctx, id, after, limit))
	}
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]any{"data": events, "pagination": map[string]any{"nextAfter": next}})
}

func planned(events []run.Event, next *int, err error) (any, *int, error) { return events, next, err }

func cancelAgentRun(ctx context.Context, c *call) (reply, error) {
	stopped, err := c.Studies.Cancel(ctx, c.id("runId"))
	if fault.Is(err, fault.NotFound) {
		stopped, err = c.Runs.Cancel(ctx, c.id("runId"))
	}
	if err != nil {
		return reply{}, err
	}
	return ok(data(stopped))
}
