package restapi

import (
	"context"
	"net/http"

	"github.com/mindgate-dev/mindgate/shared/research/study"
)

func listStudies(ctx context.Context, c *call) (reply, error) {
	limit, offset := c.number("limit"), c.number("offset")
	rows, total, err := c.Studies.List(ctx, limit, offset)
	if err != nil {
		return reply{}, err
	}
	return paged(rows, page{Total: total, Limit: limit, Offset: offset})
}

func createStudy(ctx context.Context, c *call) (reply, error) {
	var in study.CreateRequest
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	in.IdempotencyKey = c.sent("Idempotency-Key")
	made, err := c.Studies.Create(ctx, in)
	if err != nil {
		return reply{}, err
	}
	return created(made.Replayed, map[string]any{"data": made.Study, "idempotencyKey": made.Key})
}

// created answers 201, or 200 with replayed when the key had made it before.
func created(replayed bool, body map[string]any) (reply, error) {
	if replayed {
		body["replayed"] = true
		return reply{status: http.StatusOK, body: body}, nil
	}
	return reply{status: http.StatusCreated, body: body}, nil
}

func getStudy(ctx context.Context, c *call) (reply, error) {
	s, err := c.Studies.Get(ctx, c.id("studyId"))
	if err != nil {
		return reply{}, err
	}
	return ok(data(s))
}

// getSharedStudies answers whoever has the link. No cache may keep it, so that
// the end of sharing counts at once.
func getSharedStudies(ctx context.Context, c *call) (reply, error) {
	d, err := c.Studies.Shared(ctx, c.id("shareId"))
	if err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusOK, body: data(d), header: http.Header{
		"Cache-Control": {"no-store"}, "Referrer-Policy": {"no-referrer"}, "X-Robots-Tag": {"noindex"},
	}}, nil
}

// runRequest is the body of createStudyRun.
type runRequest struct {
	Question           string                 `json:"question"`
	ClientRequestID    string                 `json:"clientRequestId"`
	AudienceIDs        []string               `json:"audienceIds"`
	Attachments        []study.Asset          `json:"attachments"`
	Links              []study.Evidence       `json:"links"`
	Keywords           []study.Evidence       `json:"keywords"`
	SourcePolicy       string                 `json:"sourcePolicy"`
	ModelConnection    *study.ModelConnection `json:"modelConnection"`
	Model              string                 `json:"model"`
	Provider           string                 `json:"provider"`
	HistoryMode        string                 `json:"historyMode"`
	ResponseForm       string                 `json:"responseForm"`
	RouteResearchBrief bool                   `json:"routeResearchBrief"`
}

func createStudyRun(ctx context.Context, c *call) (reply, error) {
	var in runRequest
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	asked, err := c.Studies.Ask(ctx, study.AskRequest{
		StudyID: c.id("studyId"), Question: in.Question, ClientRequestID: in.ClientRequestID,
		AudienceIDs: in.AudienceIDs, Attachments: in.Attachments, Links: in.Links, Keywords: in.Keywords,
		SourcePolicy: in.SourcePolicy, ModelConnection: in.ModelConnection, Model: in.Model, Provider: in.Provider,
		HistoryMode: in.HistoryMode, ResponseForm: in.ResponseForm, RouteResearchBrief: in.RouteResearchBrief,
	})
	if err != nil {
		return reply{}, err
	}
	if asked.PlanningRequired {
		return ok(data(map[string]any{"status": "planning_required", "executionStarted": false, "proposedQuestions": asked.ProposedQuestions}))
	}
	body := data(asked.Run)
	if asked.ClientRequestID != "" {
		body["clientRequestId"] = asked.ClientRequestID
	}
	if asked.Replayed {
		body["replayed"] = true
	}
	return reply{status: http.StatusAccepted, body: body}, nil
}

func listStudyRuns(ctx context.Context, c *call) (reply, error) {
	rows, next, err := c.Studies.Runs(ctx, c.id("studyId"), c.number("limit"), c.text("cursor"))
	if err != nil {
		return reply{}, err
	}
	var cursor *string
	if next != "" {
		cursor = &next
	}
	return ok(map[string]any{"data": rows, "pagination": map[string]any{"nextCursor": cursor}})
}

func getStudyMessageAnswers(ctx context.Context, c *call) (reply, error) {
	answers, err := c.Studies.Answers(ctx, c.id("studyId"), c.id("messageId"), c.text("scope") == "preview")
	if err != nil {
		return reply{}, err
	}
	return ok(answers)
}

func getStudyAnalytics(ctx context.Context, c *call) (reply, error) {
	a, err := c.Studies.Analytics(ctx, c.id("studyId"))
	if err != nil {
		return reply{}, err
	}
	return ok(data(a))
}
