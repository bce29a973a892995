package restapi

import (
	"context"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// askRequest is the body of askStudy: one question as createStudyRun takes it.
type askRequest struct {
	runRequest
	ResponseMode string `json:"responseMode"`
	Unread       bool   `json:"disableQuestionClassifier"`
}

// How often the answers that have come are looked for: often while they may be
// there at once, as with the built-in engine, and seldom when a model is slow.
const (
	firstLook = 50 * time.Millisecond
	lastLook  = 2 * time.Second
)

// describeAsk says what the frames hold and what else is refused.
func describeAsk(a *agreed) {
	a.Response = map[string]any{
		"200":                   a.Response["200 application/json"],
		"200 text/event-stream": a.Response["200 text/event-stream"],
	}
	statuses := map[string]string{
		"409": "PANEL_MINDS_NOT_READY; IDEMPOTENCY_CONFLICT: clientRequestId was used with another question; MODEL_CONNECTION_STALE, MODEL_CONNECTION_UNVERIFIED",
		"422": "STIMULUS_UNAVAILABLE",
		"503": "USAGE_METERING_UNAVAILABLE: nothing was charged",
	}
	for status, text := range a.StatusCodes {
		if statuses[status] == "" {
			statuses[status] = text
		}
	}
	a.StatusCodes = statuses
}

// askStudy puts one question and, unless it is to wait in the queue, tells what
// comes: how the question was read, each answer once, that the figures are being
// computed, the result. The run is durable: it goes on when its caller leaves, and
// the same clientRequestId takes it up again.
func askStudy(ctx context.Context, c *call) (reply, error) {
	var in askRequest
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	if in.ClientRequestID == "" {
		in.ClientRequestID = c.api.config.IDs.NewID()
	}
	asked, err := c.accept(ctx, in)
	if err != nil {
		return reply{}, err
	}
	run := asked.Run
	if !isStreamed(ctx) {
		return ok(map[string]any{"status": study.Queued, "jobId": run.RunID, "count": 1, "questionBlockId": run.QuestionID,
			"clientRequestId": asked.ClientRequestID, "queuedMessage": true})
	}
	if err := tell(ctx, "classification", map[string]any{"studyId": run.StudyID, "runId": run.RunID, "questionId": run.QuestionID,
		"clientRequestId": asked.ClientRequestID, "question": asked.Question, "classification": asked.Classification}); err != nil {
		return reply{}, err
	}
	return c.follow(ctx, run, asked.MessageID)
}

// accept submits the question within the time of any call.
func (c *call) accept(ctx context.Context, in askRequest) (study.Asked, error) {
	ctx, cancel := context.WithTimeout(ctx, c.api.budget)
	defer cancel()
	asked, err := c.Studies.Ask(ctx, study.AskRequest{
		StudyID: c.id("studyId"), Question: in.Question, ClientRequestID: in.ClientRequestID,
		AudienceIDs: in.AudienceIDs, Attachments: in.Attachments, Links: in.Links, Keywords: in.Keywords,
		SourcePolicy: in.SourcePolicy, ModelConnection: in.ModelConnection, Model: in.Model, Provider: in.Provider,
		HistoryMode: in.HistoryMode, ResponseForm: in.ResponseForm, Unread: in.Unread,
	})
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return asked, fault.New(fault.DeadlineExceeded, "The question was not accepted within the time of a call. Send it again with the same clientRequestId: it is never asked twice.").Because(err)
	}
	return asked, err
}

// follow tells the answers of a run as they come and gives the result once it is
// settled. Where a host ends streams, what there is by then is the result, and its
// status says that the question still runs.
func (c *call) follow(ctx context.Context, run *study.Run, message string) (reply, error) {
	ends := time.Time{}
	if c.api.config.StreamTime > 0 {
		ends = c.api.config.Clock.Now().Add(c.api.config.StreamTime - lastLook)
	}
	told := map[[2]string]bool{}
	for wait := firstLook; ; wait = min(wait*3/2, lastLook) {
		now, err := c.Studies.Run(ctx, run.RunID)
		if err != nil {
			return reply{}, err
		}
		if err := c.tellAnswers(ctx, run.StudyID, message, told); err != nil {
			return reply{}, err
		}
		settled := now.CompletedAt != nil
		if settled {
			if err := tell(ctx, "aggregating", map[string]any{"questionId": run.QuestionID, "answers": len(told)}); err != nil {
				return reply{}, err
			}
		}
		if settled || !ends.IsZero() && c.api.config.Clock.Now().Add(wait).After(ends) {
			q, err := c.questionOf(ctx, run)
			if err != nil {
				return reply{}, err
			}
			return ok(map[string]any{"data": map[string]any{"run": now, "question": q}})
		}
		if err := c.api.config.Clock.Sleep(ctx, wait); err != nil {
			return reply{}, err
		}
	}
}

// tellAnswers tells each answer that has not been told: one of a Mind in an
// Audience.
func (c *call) tellAnswers(ctx context.Context, studyID, message string, told map[[2]string]bool) error {
	answers, err := c.Studies.Answers(ctx, studyID, message, false)
	if err != nil {
		return err
	}
	for _, a := range answers.OutputData.Audiences {
		for _, one := range a.Answers {
			key := [2]string{a.AudienceID, one.MindID}
			if told[key] {
				continue
			}
			told[key] = true
			if err := tell(ctx, "answer", struct {
				AudienceID string `json:"audienceId"`
				study.AudienceAnswer
			}{a.AudienceID, one}); err != nil {
				return err
			}
		}
	}
	return nil
}

// questionOf gives the question of a run with what is known of it.
func (c *call) questionOf(ctx context.Context, run *study.Run) (study.QuestionResult, error) {
	s, err := c.Studies.Status(ctx, run.StudyID, *run.QuestionID)
	if err != nil {
		return study.QuestionResult{}, err
	}
	for _, list := range [][]study.QuestionResult{s.Active, s.Recent, s.FailedQuestions} {
		for _, q := range list {
			if q.QuestionID == *run.QuestionID {
				return q, nil
			}
		}
	}
	return study.QuestionResult{}, fault.New(fault.NotFound, "The question is gone: its Study was deleted.")
}
