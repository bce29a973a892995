package minds

import "github.com/mindgate-dev/mindgate/shared/tool"

// studyTools are the tools of Studies, their questions and their exports.
func studyTools() []tool.Tool {
	return []tool.Tool{
		CreateStudy, ListStudies, AskStudy, GetStudyStatus, GetStudyAnalytics, GetStudySummary, ExportStudy, ListResearchMethods,
		PlanStudyQuestions, RunStudyQuestions, GetStudyRun,
		ListStudyDrafts, SaveStudyDraft, ManageStudyDraft,
		StudyHeatmap,
		ListStudyTemplates, ManageStudyTemplate, ManageStudy,
	}
}
