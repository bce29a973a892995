package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// AskAudience asks one Audience one question in a private Study of its own, and
// answers at once. Repeating it makes another Study.
var AskAudience = tool.New("ask_audience",
	func(ctx context.Context, in AskAudienceInput) (AskAudienceResult, error) {
		r := research.From(ctx)
		a, err := r.Audiences.Resolve(ctx, in.AudienceID, in.AudienceName)
		if err != nil {
			return AskAudienceResult{}, err
		}
		asked, err := r.Studies.AskAlone(ctx, a.ID, in.Name, study.AskRequest{
			Question: in.Question, Attachments: in.Attachments, RouteResearchBrief: true,
		})
		if err != nil {
			return AskAudienceResult{}, err
		}
		out := askResult(asked)
		return AskAudienceResult{
			Status: out.Status, ExecutionStarted: out.ExecutionStarted, StudyID: out.StudyID, QuestionID: out.QuestionID, RunID: out.RunID,
			Question: out.Question, ProposedQuestions: out.ProposedQuestions, Locale: out.Locale,
			WorkspaceURL: out.WorkspaceURL, SharedStudyURL: out.SharedStudyURL,
		}, nil
	})

// AskAudienceInput is checked by the contract's schema before it arrives.
type AskAudienceInput struct {
	AudienceID   string        `json:"audienceId"`
	AudienceName string        `json:"audienceName"`
	Question     string        `json:"question"` // 1..20,000 characters, all of it visible to the Minds
	Name         string        `json:"name"`     // of the Study; the Audience's when left out
	Attachments  []study.Asset `json:"attachments"`
}

// AskAudienceResult is what was accepted; with planning_required nothing was.
type AskAudienceResult struct {
	Status            string   `json:"status"`
	ExecutionStarted  bool     `json:"executionStarted"`
	StudyID           string   `json:"studyId"`
	QuestionID        *string  `json:"questionId"`
	RunID             *string  `json:"runId,omitempty"`
	Question          string   `json:"question"`
	ProposedQuestions []string `json:"proposedQuestions,omitempty"`
	Locale            string   `json:"locale"`
	WorkspaceURL      string   `json:"workspaceUrl"`
	SharedStudyURL    *string  `json:"sharedStudyUrl"`
}
