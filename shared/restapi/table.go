package restapi

import (
	"net/http"

	"github.com/mindgate-dev/mindgate/shared/research/dataset"
	"github.com/mindgate-dev/mindgate/shared/research/formation"
	"github.com/mindgate-dev/mindgate/shared/research/studydraft"
	"github.com/mindgate-dev/mindgate/shared/research/template"
)

// table lists the operations that are served. What the contract says of each
// (scope, shapes, statuses, texts) is bound to it by the id.
func table() []*operation {
	const api = "/api/v1"
	get, post, put, del := http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete
	return []*operation{
		{id: "health", method: get, path: "/healthz", handle: health},
		{id: "getOpenApiDocument", method: get, path: api + "/openapi.json", handle: getOpenAPIDocument},

		{id: "getAuthenticatedUser", method: get, path: api + "/auth/me", handle: getAuthenticatedUser},
		{id: "listApiKeys", method: get, path: api + "/api-keys", handle: listAPIKeys, keysOnly: true},
		{id: "createApiKey", method: post, path: api + "/api-keys", handle: createAPIKey, keysOnly: true, noBody: true},
		{id: "deleteApiKey", method: del, path: api + "/api-keys/{keyId}", handle: deleteAPIKey, keysOnly: true},
		{id: "getUsage", method: get, path: api + "/usage", handle: getUsage, fills: describeUsage},

		{id: "listMinds", method: get, path: api + "/minds", handle: listMinds},
		{id: "createMind", method: post, path: api + "/minds", handle: createMind},
		{id: "deleteMinds", method: del, path: api + "/minds", handle: deleteMinds},
		{id: "listMindLibrary", method: get, path: api + "/minds/library", handle: listMindLibrary},
		{id: "getMind", method: get, path: api + "/minds/{mindId}", handle: getMind},
		{id: "updateMind", method: put, path: api + "/minds/{mindId}", handle: updateMind, lenient: true},
		{id: "deleteMind", method: del, path: api + "/minds/{mindId}", handle: deleteMind},
		{id: "getMindPortrait", method: get, path: api + "/minds/{mindId}/portrait", handle: getMindPortrait, own: portraitOperation(), shared: true},
		{id: "retrainMind", method: post, path: api + "/minds/{mindId}/retrain", handle: retrainMind},
		{id: "regenerateMindImage", method: post, path: api + "/minds/{mindId}/regenerate-image", handle: regenerateMindImage, noBody: true},
		{id: "regenerateMindEmbeddings", method: post, path: api + "/minds/{mindId}/regenerate-embeddings", handle: regenerateMindEmbeddings},
		{id: "listMindPatterns", method: get, path: api + "/minds/{mindId}/patterns", handle: listMindPatterns, shared: true, fills: describePatterns},
		{id: "getSharedMinds", method: get, path: api + "/shared/minds/{shareId}", handle: getSharedMinds},
		{id: "getMindTrainingStatus", method: get, path: api + "/minds/{mindId}/training", handle: getMindTrainingStatus},
		{id: "regenerateMindPrompt", method: post, path: api + "/minds/{mindId}/regenerate-prompt", handle: regenerateMindPrompt, noBody: true, fills: describePrompt},
		{id: "createMindCompletion", method: post, path: api + "/minds/{mindId}/completion", handle: createMindCompletion, streams: whenAsked, fills: describeCompletion},
		{id: "addMindKnowledge", method: post, path: api + "/minds/{mindId}/knowledge", handle: addMindKnowledge, upload: true},
		{id: "listMindKnowledge", method: get, path: api + "/minds/{mindId}/knowledge", handle: listMindKnowledge},
		{id: "getMindKnowledgeItemStatus", method: get, path: api + "/minds/{mindId}/knowledge/{itemId}/status", handle: getMindKnowledgeItemStatus},
		{id: "enrichMindKnowledge", method: post, path: api + "/minds/{mindId}/knowledge/enrich", handle: enrichMindKnowledge, loose: map[string]string{"keywords": "maxItems"}},
		{id: "getMindKnowledgePatterns", method: get, path: api + "/minds/{mindId}/knowledge/patterns", handle: getMindKnowledgePatterns},
		{id: "updateMindKnowledgeItem", method: http.MethodPut, path: api + "/minds/{mindId}/knowledge/{itemId}", handle: updateMindKnowledgeItem},
		{id: "deleteMindKnowledgeItem", method: del, path: api + "/minds/{mindId}/knowledge/{itemId}", handle: deleteMindKnowledgeItem},
		{id: "createUpload", method: post, path: api + "/uploads", handle: createUpload, fills: describeUpload, loose: map[string]string{"sizeBytes": "maximum"}},

		{id: "createChat", method: post, path: api + "/chats", handle: createChat},
		{id: "sendChatMessage", method: post, path: api + "/chats/{chatId}/messages", handle: sendChatMessage},
		{id: "deleteChat", method: del, path: api + "/chats/{chatId}", handle: deleteChat},

		{id: "listModelConnections", method: get, path: api + "/model-connections", handle: listModelConnections},
		{id: "createModelConnection", method: post, path: api + "/model-connections", handle: createModelConnection, keysOnly: true, fills: describeCreate},
		{id: "updateModelConnection", method: http.MethodPatch, path: api + "/model-connections/{id}", handle: updateModelConnection, keysOnly: true, fills: describeUpdate},
		{id: "verifyModelConnection", method: post, path: api + "/model-connections/{id}/verify", handle: verifyModelConnection, keysOnly: true, fills: describeVerify},
		{id: "deleteModelConnection", method: del, path: api + "/model-connections/{id}", handle: deleteModelConnection, keysOnly: true, fills: describeDelete},

		{id: "listAudiences", method: get, path: api + "/audiences", handle: listAudiences},
		{id: "createAudience", method: post, path: api + "/audiences", handle: createAudience, ignore: map[string]bool{"x-minds-idempotency-key": true}},
		{id: "createAudienceFromBrief", method: post, path: api + "/audiences/from-brief", handle: createAudienceFromBrief},
		{id: "getAudienceFromBriefCreationJob", method: get, path: api + "/audiences/from-brief/jobs/{jobId}", handle: getAudienceFromBriefCreationJob},
		{id: "previewCohortAllocation", method: post, path: api + "/audiences/allocation-preview", handle: previewCohortAllocation},
		{id: "getAudience", method: get, path: api + "/audiences/{audienceId}", handle: getAudience},
		{id: "recalibrateAudience", method: post, path: api + "/audiences/{audienceId}/recalibrate", handle: recalibrateAudience, noBody: true},
		{id: "getAudienceProgress", method: get, path: api + "/audiences/{audienceId}/progress", handle: getAudienceProgress},

		{id: "listFormations", method: get, path: api + "/audiences/{audienceId}/formations", handle: listFormations},
		{id: "createFormation", method: post, path: api + "/audiences/{audienceId}/formations", handle: createFormation, limit: formation.MaxBody, loose: looseHypothesis("hypothesis")},
		{id: "previewFormation", method: post, path: api + "/audiences/{audienceId}/formations/preview", handle: previewFormation, limit: formation.MaxBody, noBody: true,
			loose: looseHypothesis("priorHypothesis"), ignore: map[string]bool{"Accept": true}},
		{id: "getFormation", method: get, path: api + "/audiences/{audienceId}/formations/{formationId}", handle: getFormation},
		{id: "deleteFormation", method: del, path: api + "/audiences/{audienceId}/formations/{formationId}", handle: deleteFormation},
		{id: "recomputeFormation", method: post, path: api + "/audiences/{audienceId}/formations/{formationId}/recompute", handle: recomputeFormation, noBody: true},

		{id: "listAudienceLibrary", method: get, path: api + "/audiences/library", handle: listAudienceLibrary},
		{id: "listActiveAudienceProgress", method: get, path: api + "/audiences/active-progress", handle: listActiveAudienceProgress, fills: describeActiveProgress},
		{id: "updateAudience", method: put, path: api + "/audiences/{audienceId}", handle: updateAudience},
		{id: "deleteAudience", method: del, path: api + "/audiences/{audienceId}", handle: deleteAudience},
		{id: "followAudience", method: post, path: api + "/audiences/{audienceId}/follow", handle: followAudience},
		{id: "unfollowAudience", method: del, path: api + "/audiences/{audienceId}/follow", handle: unfollowAudience},
		{id: "addAudienceMembers", method: post, path: api + "/audiences/{audienceId}/members", handle: addAudienceMembers},
		{id: "removeAudienceMember", method: del, path: api + "/audiences/{audienceId}/members/{mindId}", handle: removeAudienceMember},
		{id: "regenerateAudienceImages", method: post, path: api + "/audiences/{audienceId}/regenerate-images", handle: regenerateAudienceImages, noBody: true},
		{id: "duplicateAudience", method: post, path: api + "/audiences/{audienceId}/duplicate", handle: duplicateAudience, noBody: true},
		{id: "getSharedAudiences", method: get, path: api + "/shared/audiences/{shareId}", handle: getSharedAudiences, fills: describeSharedAudience},
		{id: "streamAudienceLifecycle", method: get, path: api + "/audiences/lifecycle/stream", live: (*API).lifecycle, fills: describeStream},

		{id: "getAudienceLimits", method: get, path: api + "/audiences/limits", handle: getAudienceLimits},
		{id: "previewAudienceDatasetSegmentation", method: post, path: api + "/audiences/from-brief/segmentation-preview", handle: previewAudienceDatasetSegmentation, limit: dataset.MaxRequest, fills: describeDatasetReview},
		{id: "importAudienceSources", method: post, path: api + "/audiences/source-import", handle: importAudienceSources, loose: map[string]string{"files[].content": "maxLength"}},

		{id: "listResearchMethods", method: get, path: api + "/research-methods", handle: listResearchMethods},

		{id: "listStudyDrafts", method: get, path: api + "/study-drafts", handle: listStudyDrafts, fills: describeDrafts},
		{id: "createStudyDraft", method: post, path: api + "/study-drafts", handle: createStudyDraft, limit: studydraft.MaxBody},
		{id: "getStudyDraft", method: get, path: api + "/study-drafts/{id}", handle: getStudyDraft},
		{id: "updateStudyDraft", method: http.MethodPatch, path: api + "/study-drafts/{id}", handle: updateStudyDraft, limit: studydraft.MaxBody},
		{id: "deleteStudyDraft", method: del, path: api + "/study-drafts/{id}", handle: deleteStudyDraft},
		{id: "consumeStudyDraft", method: post, path: api + "/study-drafts/{id}/consume", handle: consumeStudyDraft, limit: studydraft.MaxConsume},

		{id: "listStudyTemplates", method: get, path: api + "/study-templates", handle: listStudyTemplates, fills: describeTemplates},
		{id: "saveStudyTemplate", method: post, path: api + "/study-templates", handle: saveStudyTemplate, limit: template.MaxBody},
		{id: "getStudyTemplate", method: get, path: api + "/study-templates/{id}", handle: getStudyTemplate},
		{id: "updateStudyTemplate", method: http.MethodPatch, path: api + "/study-templates/{id}", handle: updateStudyTemplate, limit: template.MaxBody},
		{id: "deleteStudyTemplate", method: del, path: api + "/study-templates/{id}", handle: deleteStudyTemplate},
		{id: "instantiateStudyTemplate", method: post, path: api + "/study-templates/{id}/use", handle: instantiateStudyTemplate, limit: template.MaxUse},

		{id: "listStudies", method: get, path: api + "/studies", handle: listStudies},
		{id: "createStudy", method: post, path: api + "/studies", handle: createStudy},
		{id: "getStudy", method: get, path: api + "/studies/{studyId}", handle: getStudy},
		{id: "deleteStudy", method: del, path: api + "/studies/{studyId}", handle: deleteStudy},
		{id: "attachStudyAudiences", method: post, path: api + "/studies/{studyId}/audiences", handle: attachStudyAudiences, fills: describeAttach},
		{id: "updateStudySharing", method: put, path: api + "/studies/{studyId}/sharing", handle: updateStudySharing},
		{id: "inviteStudyCollaborators", method: post, path: api + "/studies/{studyId}/invitations", handle: inviteStudyCollaborators, loose: map[string]string{"emails": "maxItems"}},
		{id: "createStudyRun", method: post, path: api + "/studies/{studyId}/runs", handle: createStudyRun},
		{id: "askStudy", method: post, path: api + "/studies/{studyId}/ask", handle: askStudy, streams: unlessQueued, fills: describeAsk},
		{id: "listStudyRuns", method: get, path: api + "/studies/{studyId}/runs", handle: listStudyRuns},
		{id: "getAgentRun", method: get, path: api + "/runs/{runId}", handle: getAgentRun},
		{id: "cancelAgentRun", method: post, path: api + "/runs/{runId}/cancel", handle: cancelAgentRun, noBody: true},
		{id: "listAgentRunEvents", method: get, path: api + "/runs/{runId}/events", handle: listAgentRunEvents},
		{id: "previewStudyResearchPlan", method: post, path: api + "/studies/{studyId}/research-plans/preview", handle: previewStudyResearchPlan, limit: planBody},
		{id: "runStudyQuestions", method: post, path: api + "/studies/{studyId}/research-runs", handle: runStudyQuestions},
		{id: "listStudyResearchRuns", method: get, path: api + "/studies/{studyId}/research-runs", handle: listStudyResearchRuns},
		{id: "getStudyResearchStudy", method: get, path: api + "/studies/{studyId}/research-runs/{runId}", handle: getStudyResearchStudy},
		{id: "getStudyMessageAnswers", method: get, path: api + "/studies/{studyId}/messages/{messageId}/answers", handle: getStudyMessageAnswers},
		{id: "getStudyAnalytics", method: get, path: api + "/studies/{studyId}/analytics", handle: getStudyAnalytics},
		{id: "getStudySemanticSummary", method: get, path: api + "/studies/{studyId}/summary", handle: getStudySemanticSummary},
		{id: "refreshStudySemanticSummary", method: post, path: api + "/studies/{studyId}/summary", handle: refreshStudySemanticSummary, noBody: true},
		{id: "getStudyHeatmap", method: get, path: api + "/studies/{studyId}/heatmaps/{messageId}", handle: getStudyHeatmap},
		{id: "startStudyHeatmap", method: post, path: api + "/studies/{studyId}/heatmaps/{messageId}", handle: startStudyHeatmap, noBody: true},
		{id: "exportStudy", method: post, path: api + "/studies/{studyId}/export", handle: exportStudy, noBody: true},
		{id: "getStudyExportStatus", method: get, path: api + "/studies/{studyId}/export-status", handle: getStudyExportStatus},
		{id: "getSharedStudies", method: get, path: api + "/shared/studies/{shareId}", handle: getSharedStudies},
		{id: "downloadStudyExport", method: get, path: api + "/studies/{studyId}/export-download", handle: downloadStudyExport, ticket: true},
	}
}
