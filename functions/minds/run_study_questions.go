package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// RunStudyQuestions confirms exactly the newest revision of a draft and starts its
// run; the same confirmation again gives the same run.
var RunStudyQuestions = tool.New("run_study_questions",
	func(ctx context.Context, in RunStudyQuestionsInput) (RunStudyQuestionsResult, error) {
		r := research.From(ctx)
		s, err := r.Studies.Resolve(ctx, in.StudyID, in.StudyName)
		if err != nil {
			return RunStudyQuestionsResult{}, err
		}
		started, err := r.Runs.Start(ctx, run.StartRequest{
			StudyID: s.ID, DraftID: in.DraftPlanID, Revision: in.Revision, Confirmed: in.Confirmed, AdvancedOptIn: in.AdvancedMethodOptIn,
			AudienceIDs: in.AudienceIDs, ModelConnection: in.ModelConnection, IdempotencyKey: in.IdempotencyKey,
		})
		if err != nil {
			return RunStudyQuestionsResult{}, notStarted(err, s, in)
		}
		out := RunStudyQuestionsResult{StudyID: started.StudyID, RunID: started.RunID, DraftPlanID: started.DraftPlanID, Revision: started.Revision,
			Status: started.Status, ExecutionStarted: started.ExecutionStarted, Replayed: started.Replayed, QuestionCount: started.QuestionCount,
			Audiences: started.Audiences, EstimatedResponses: started.EstimatedResponses, WorkspaceURL: started.WorkspaceURL,
			NextAction: "Poll get_study_run with this runId until its status is completed, partial, failed, cancelled or plan_limited."}
		if out.Status != run.Queued { // a replay may find it settled: it was started, which is all that this tool says
			out.Status = run.Running
		}
		return out, nil
	})

// RunStudyQuestionsInput names the draft and says that a person confirmed it.
type RunStudyQuestionsInput struct {
	StudyID             string                 `json:"studyId"`
	StudyName           string                 `json:"studyName"`
	DraftPlanID         string                 `json:"draftPlanId"`
	Revision            int                    `json:"revision"`
	Confirmed           bool                   `json:"confirmed"`
	AdvancedMethodOptIn bool                   `json:"advancedMethodOptIn"`
	AudienceIDs         []string               `json:"audienceIds"` // empty: all attached
	ModelConnection     *study.ModelConnection `json:"modelConnection"`
	IdempotencyKey      string                 `json:"idempotencyKey"`
}

// RunStudyQuestionsResult is the run that was started.
type RunStudyQuestionsResult struct {
	StudyID            string                `json:"studyId"`
	RunID              string                `json:"runId"`
	DraftPlanID        string                `json:"draftPlanId"`
	Revision           int                   `json:"revision"`
	Status             string                `json:"status"` // queued or running
	ExecutionStarted   bool                  `json:"executionStarted"`
	Replayed           bool                  `json:"replayed"`
	QuestionCount      int                   `json:"questionCount"`
	Audiences          []run.StartedAudience `json:"audiences"`
	EstimatedResponses *int                  `json:"estimatedResponses"`
	WorkspaceURL       string                `json:"workspaceUrl"`
	NextAction         string                `json:"nextAction"`
}

// notStarted gives a refusal that a person has to hear of its own status beside the
// error, so that nobody speaks of a survey that waits or is done.
func notStarted(err error, s study.Study, in RunStudyQuestionsInput) error {
	f := fault.From(err)
	beside := map[string]any{"studyId": s.ID, "runId": nil, "draftPlanId": in.DraftPlanID, "executionStarted": false, "workspaceUrl": s.WorkspaceURL}
	switch f.Code {
	case fault.PlanLimit, fault.PlanLimited:
		beside["status"], beside["upgradeRequired"] = run.PlanLimited, true
		beside["nextAction"] = "Tell the person that no responses are left and that an upgrade is needed; nothing was asked and nothing waits."
		limited := fault.New(fault.PlanLimited, "%s", f.Message)
		for name, v := range f.Data {
			limited = limited.With(name, v)
		}
		return limited.With(tool.Beside, beside)
	case fault.StimulusUnavailable:
		beside["status"] = "stimulus_unavailable"
		beside["nextAction"] = "Tell the person which material cannot be read, and plan a revision with one that can."
		return f.With(tool.Beside, beside)
	}
	return err
}
