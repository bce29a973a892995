package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// AskStudy submits one question to the Minds of a Study and answers at once; the
// same arguments within 5 minutes do not ask twice.
var AskStudy = tool.New("ask_study",
	func(ctx context.Context, in AskStudyInput) (AskStudyResult, error) {
		studies := research.From(ctx).Studies
		s, err := studies.Resolve(ctx, in.StudyID, in.StudyName)
		if err != nil {
			return AskStudyResult{}, err
		}
		asked, err := studies.Ask(ctx, study.AskRequest{
			StudyID: s.ID, Question: in.Question, AudienceIDs: in.AudienceIDs,
			SourcePolicy: in.SourcePolicy, ResponseForm: in.ResponseForm, HistoryMode: in.HistoryMode,
			ModelConnection: in.ModelConnection, Model: in.Model, Provider: in.Provider,
			Attachments: in.Attachments, Links: in.Links, Keywords: in.Keywords,
			Derive: true, RouteResearchBrief: true,
		})
		if err != nil {
			return AskStudyResult{}, err
		}
		return askResult(asked), nil
	})

// AskStudyInput is checked by the contract's schema before it arrives.
type AskStudyInput struct {
	StudyID         string                 `json:"studyId"`
	StudyName       string                 `json:"studyName"`
	Question        string                 `json:"question"` // 1..20,000 characters, all of it visible to the Minds
	AudienceIDs     []string               `json:"audienceIds"`
	SourcePolicy    string                 `json:"sourcePolicy"`
	ResponseForm    string                 `json:"responseForm"`
	HistoryMode     string                 `json:"historyMode"`
	ModelConnection *study.ModelConnection `json:"modelConnection"`
	Model           string                 `json:"model"`
	Provider        string                 `json:"provider"`
	Links           []study.Evidence       `json:"links"`
	Keywords        []study.Evidence       `json:"keywords"`
	Attachments     []study.Asset          `json:"attachments"`
}

// AskStudyResult is what was accepted; with planning_required nothing was.
type AskStudyResult struct {
	Status            string                `json:"status"`
	ExecutionStarted  bool                  `json:"executionStarted"`
	StudyID           string                `json:"studyId"`
	QuestionID        *string               `json:"questionId"`
	RunID             *string               `json:"runId,omitempty"`
	Question          string                `json:"question"`
	Classification    *study.Classification `json:"classification"`
	ProposedQuestions []string              `json:"proposedQuestions,omitempty"`
	Locale            string                `json:"locale"`
	WorkspaceURL      string                `json:"workspaceUrl"`
	SharedStudyURL    *string               `json:"sharedStudyUrl"`
}

func askResult(a study.Asked) AskStudyResult {
	out := AskStudyResult{Status: "planning_required", StudyID: a.Study.ID, Question: a.Question,
		Classification: a.Classification, ProposedQuestions: a.ProposedQuestions, Locale: study.Locale,
		WorkspaceURL: a.Study.WorkspaceURL, SharedStudyURL: a.Study.SharedStudyURL}
	if a.Run == nil {
		return out
	}
	// A replay may find the question settled: it was submitted, which is all
	// that this tool says; get_study_status says the rest.
	out.Status, out.ExecutionStarted = study.Queued, true
	if a.Run.Status != study.Queued {
		out.Status = study.Running
	}
	out.QuestionID, out.RunID = a.Run.QuestionID, &a.Run.RunID
	return out
}
