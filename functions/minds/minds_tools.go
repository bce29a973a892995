package minds

import "github.com/mindgate-dev/mindgate/shared/tool"

// mindTools are the tools of Minds and Audiences.
func mindTools() []tool.Tool {
	return []tool.Tool{
		ListMinds, CreateMind, GetMindStatus, ManageMind, ManageMindKnowledge, ChatWithMind,
		ListAudiences, CreateAudience, CreateAudienceFromBrief, RecalibrateAudience, GetAudience,
		ManageAudience, DuplicateAudience, AskAudience,
		ListFormations, ManageFormation,
		ManageChat, ListModelConnections,
		GetAudienceLimits, ImportAudienceSources, PreviewAudienceDatasetSegmentation,
	}
}
