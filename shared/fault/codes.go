package fault

// Code is the stable name of a refusal; behaviour.md section 2 of the contract
// is its list.
type Code string

// The codes. Their HTTP statuses stand in the table below.
const (
	Validation                   Code = "VALIDATION"
	RetiredField                 Code = "RETIRED_FIELD"
	TrainMembersOptOutRemoved    Code = "TRAIN_MEMBERS_OPT_OUT_REMOVED"
	FormationCap                 Code = "FORMATION_CAP"
	InvalidHypothesis            Code = "INVALID_HYPOTHESIS"
	InvalidAskIf                 Code = "INVALID_ASK_IF"
	InvalidMethodConfiguration   Code = "INVALID_METHOD_CONFIGURATION"
	UnsupportedExportCombination Code = "UNSUPPORTED_EXPORT_COMBINATION"
	MethodNotExecutable          Code = "METHOD_NOT_EXECUTABLE"
	PlanIncomplete               Code = "PLAN_INCOMPLETE"
	AdvancedOptInRequired        Code = "ADVANCED_OPT_IN_REQUIRED"
	ConfirmationRequired         Code = "CONFIRMATION_REQUIRED"
	NoRespondents                Code = "NO_RESPONDENTS"
	AssetNotAssigned             Code = "ASSET_NOT_ASSIGNED"
	NotEnoughContent             Code = "NOT_ENOUGH_CONTENT"
	UnsafeURL                    Code = "UNSAFE_URL"
	NotRespondentData            Code = "NOT_RESPONDENT_DATA"
	Unauthorized                 Code = "UNAUTHORIZED"
	MarketplaceAddonRequired     Code = "MARKETPLACE_ADDON_REQUIRED"
	PlanLimit                    Code = "PLAN_LIMIT"
	PlanLimited                  Code = "plan_limited"
	ModeCap                      Code = "MODE_CAP"
	Forbidden                    Code = "FORBIDDEN"
	InsufficientScope            Code = "INSUFFICIENT_SCOPE"
	NotFound                     Code = "NOT_FOUND"
	BenchmarkNotFound            Code = "BENCHMARK_NOT_FOUND"
	FeatureDisabled              Code = "FEATURE_DISABLED"
	MethodNotAllowed             Code = "METHOD_NOT_ALLOWED"
	SparkNotReady                Code = "SPARK_NOT_READY"
	PanelMindsNotReady           Code = "PANEL_MINDS_NOT_READY"
	AudienceMindsShared          Code = "AUDIENCE_MINDS_SHARED"
	RetrainInFlight              Code = "RETRAIN_IN_FLIGHT"
	RecalibrationRunning         Code = "RECALIBRATION_RUNNING"
	ResearchRunning              Code = "RESEARCH_RUNNING"
	AudienceBuilding             Code = "AUDIENCE_BUILDING"
	StudyRunActive               Code = "STUDY_RUN_ACTIVE"
	ValidationRunning            Code = "VALIDATION_RUNNING"
	ValidationAlreadyAsking      Code = "VALIDATION_ALREADY_ASKING"
	TooFewReadyMinds             Code = "TOO_FEW_READY_MINDS"
	StaleRevision                Code = "STALE_REVISION"
	DraftStarting                Code = "DRAFT_STARTING"
	DraftConsumed                Code = "DRAFT_CONSUMED"
	DraftAlreadyConfirmed        Code = "DRAFT_ALREADY_CONFIRMED"
	AssetUnavailable             Code = "ASSET_UNAVAILABLE"
	IdempotencyInProgress        Code = "IDEMPOTENCY_IN_PROGRESS"
	IdempotencyConflict          Code = "IDEMPOTENCY_CONFLICT"
	GroundingChecksumMismatch    Code = "GROUNDING_CHECKSUM_MISMATCH"
	GroundingInputMismatch       Code = "GROUNDING_INPUT_MISMATCH"
	ModelConnectionStale         Code = "MODEL_CONNECTION_STALE"
	ModelConnectionUnverified    Code = "MODEL_CONNECTION_UNVERIFIED"
	PayloadTooLarge              Code = "PAYLOAD_TOO_LARGE"
	UnsupportedMediaType         Code = "UNSUPPORTED_MEDIA_TYPE"
	StimulusUnavailable          Code = "STIMULUS_UNAVAILABLE"
	NotEnoughEvidence            Code = "NOT_ENOUGH_EVIDENCE"
	AllocationUnsatisfiable      Code = "ALLOCATION_UNSATISFIABLE"
	NoPersonas                   Code = "NO_PERSONAS"
	RateLimited                  Code = "RATE_LIMITED"
	Internal                     Code = "INTERNAL_ERROR"
	ExportFailed                 Code = "EXPORT_FAILED"
	PromptGenerationFailed       Code = "PROMPT_GENERATION_FAILED"
	PreviewFailed                Code = "PREVIEW_FAILED"
	StorageUnavailable           Code = "STORAGE_UNAVAILABLE"
	MalformedResponse            Code = "MALFORMED_RESPONSE"
	EntitlementUnavailable       Code = "ENTITLEMENT_UNAVAILABLE"
	UsageMeteringUnavailable     Code = "USAGE_METERING_UNAVAILABLE"
	QueueUnavailable             Code = "QUEUE_UNAVAILABLE"
	ExportNotReady               Code = "EXPORT_NOT_READY"
	DeadlineExceeded             Code = "DEADLINE_EXCEEDED"
)

var statuses = map[Code]int{
	Validation: 400, RetiredField: 400, TrainMembersOptOutRemoved: 400, FormationCap: 400,
	InvalidHypothesis: 400, InvalidAskIf: 400, InvalidMethodConfiguration: 400,
	UnsupportedExportCombination: 400, MethodNotExecutable: 400, PlanIncomplete: 400,
	AdvancedOptInRequired: 400, ConfirmationRequired: 400, NoRespondents: 400,
	AssetNotAssigned: 400, NotEnoughContent: 400, UnsafeURL: 400, NotRespondentData: 400,
	Unauthorized: 401, MarketplaceAddonRequired: 402,
	PlanLimit: 403, PlanLimited: 403, ModeCap: 403, Forbidden: 403, InsufficientScope: 403,
	NotFound: 404, BenchmarkNotFound: 404, FeatureDisabled: 404, MethodNotAllowed: 405,
	SparkNotReady: 409, PanelMindsNotReady: 409, AudienceMindsShared: 409, RetrainInFlight: 409,
	RecalibrationRunning: 409, ResearchRunning: 409, AudienceBuilding: 409, StudyRunActive: 409,
	ValidationRunning: 409, ValidationAlreadyAsking: 409, TooFewReadyMinds: 409,
	StaleRevision: 409, DraftStarting: 409, DraftConsumed: 409, DraftAlreadyConfirmed: 409,
	AssetUnavailable: 409, IdempotencyInProgress: 409, IdempotencyConflict: 409,
	GroundingChecksumMismatch: 409, GroundingInputMismatch: 409,
	ModelConnectionStale: 409, ModelConnectionUnverified: 409,
	PayloadTooLarge: 413, UnsupportedMediaType: 415,
	StimulusUnavailable: 422, NotEnoughEvidence: 422, AllocationUnsatisfiable: 422, NoPersonas: 422,
	RateLimited: 429,
	Internal:    500, ExportFailed: 500, PromptGenerationFailed: 500, PreviewFailed: 500,
	StorageUnavailable: 502, MalformedResponse: 502,
	EntitlementUnavailable: 503, UsageMeteringUnavailable: 503, QueueUnavailable: 503,
	ExportNotReady: 504, DeadlineExceeded: 504,
}

// Status is the HTTP status of a code; a code outside the table is 500.
func (c Code) Status() int {
	if s, ok := statuses[c]; ok {
		return s
	}
	return 500
}
