// Package study keeps Studies: which Audiences they ask, the questions that
// were put to them, what the Minds answered and what the answers add up to.
//
// A question is committed as queued together with its run, its message and its
// job; the question machine then answers it in chunks of Minds and settles it.
// Every answer says what it rests on, every figure says its base, and where the
// evidence does not carry a finding none is named (M-340 to M-343).
package study

import "github.com/mindgate-dev/mindgate/shared/simulate"

// Mode is the only kind of Study there is; REST shows it as studyMode.
const Mode = "study"

// Locale is the display language of Studies; answers keep the language of what
// they rest on.
const Locale = "en"

// Study is one Study as lists, tools and REST show it.
type Study struct {
	ID                   string        `json:"id"`
	Name                 string        `json:"name"`
	StudyMode            string        `json:"studyMode"`
	QuestionCount        int           `json:"questionCount"` // questions asked, settled or not
	MessageCount         int           `json:"messageCount"`  // transcript messages; one a question
	Audiences            []AudienceRef `json:"audiences"`
	IsLinkSharingEnabled bool          `json:"isLinkSharingEnabled"`
	PublicShareID        *string       `json:"publicShareId"`
	WorkspaceURL         string        `json:"workspaceUrl"`
	SharedStudyURL       *string       `json:"sharedStudyUrl"` // only while sharing is on and a share id exists (M-4)
	CreatedAt            string        `json:"createdAt"`
	UpdatedAt            string        `json:"updatedAt"`
}

// AudienceRef is one attached Audience. Minds is only filled by reads of a
// single Study.
type AudienceRef struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	MindCount int       `json:"mindCount"`
	Minds     []MindRef `json:"minds,omitempty"`
}

// MindRef is one member of an attached Audience.
type MindRef struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Detail is one Study with its members and its transcript.
type Detail struct {
	Study
	Messages []Message `json:"messages"`
}

// Message is one entry of the transcript: a question and how far it is.
type Message struct {
	ID             string         `json:"id"`
	QuestionID     string         `json:"questionId"`
	RunID          string         `json:"runId"`
	Role           string         `json:"role"` // always "question"
	Text           string         `json:"text"`
	Type           string         `json:"type"`
	Status         string         `json:"status"`
	Classification Classification `json:"classification"`
	CreatedAt      string         `json:"createdAt"`
	CompletedAt    *string        `json:"completedAt"`
}

// Classification is the answer format of a question and why it was chosen.
// Response has the shape of ResponseContract.
type Classification struct {
	Type     string           `json:"type"`
	Why      string           `json:"why"`
	Planner  string           `json:"planner"` // name of the rule set
	Response ResponseContract `json:"response"`
	Source   *string          `json:"source,omitempty"` // published question whose options were taken
}

// ResponseContract is the exact answer format of one question.
type ResponseContract struct {
	Type               string            `json:"type"`
	CategoricalOptions []string          `json:"categoricalOptions,omitempty"`
	MaxSelections      int               `json:"maxSelections,omitempty"`
	MinSelections      int               `json:"minSelections,omitempty"`
	ExclusiveOptions   []string          `json:"exclusiveOptions,omitempty"`
	ScaleRange         []int             `json:"scaleRange,omitempty"` // [minimum, maximum]
	ScaleLabels        map[string]string `json:"scaleLabels,omitempty"`
	ScaleTop           string            `json:"scaleTop,omitempty"` // high | low
}

// Created is the answer of Create.
type Created struct {
	Study    Study
	Replayed bool   // an identical call had created it
	Key      string // the key used, also when the service chose it (M-91)
}

// CreateRequest makes a Study. All of it happens or nothing.
type CreateRequest struct {
	Name           string           `json:"name"`                      // 1..200 after trimming
	AudienceIDs    []string         `json:"audienceIds,omitempty"`     // existing; duplicates are merged
	AudienceNew    []InlineAudience `json:"audienceConfigs,omitempty"` // made with the Study
	LinkSharing    bool             `json:"isLinkSharingEnabled,omitempty"`
	IdempotencyKey string           `json:"-"` // 1..200 after trimming, 24 h; empty: the same arguments replay for 15 min
}

// InlineAudience is an Audience that is made together with its Study.
type InlineAudience struct {
	Name    string   `json:"name,omitempty"` // 'Audience N' when empty
	MindIDs []string `json:"mindIds"`
}

// AskRequest puts one question to the Minds of a Study.
type AskRequest struct {
	StudyID         string
	Question        string   // 1..20,000 characters
	AudienceIDs     []string // empty: all attached
	SourcePolicy    string   // auto | knowledge_only
	ResponseForm    string   // concise | standard | expanded
	HistoryMode     string   // none | last5 | followup_only
	ModelConnection *ModelConnection
	Model, Provider string
	Attachments     []Asset
	Links, Keywords []Evidence
	// ClientRequestID is the caller's key: no expiry, other input is refused.
	// Empty with Derive: the key follows from the arguments and lasts 5 minutes.
	// Empty without: every call asks anew.
	ClientRequestID string
	Derive          bool
	// RouteResearchBrief lets a text that is an objective and no question be
	// declined as planning_required. The tool always does so.
	RouteResearchBrief bool
	// ReadyOnly asks the ready Minds of Audiences that hold others too; without
	// it one Mind that is not ready refuses the question (M-47).
	ReadyOnly bool
	// Unread leaves the form of the answer unread: the question is answered in words.
	Unread bool `json:",omitempty"`
}

// ModelConnection selects one revision of a team's own connection.
type ModelConnection struct {
	ID       string `json:"id"`
	Revision int64  `json:"revision"`
}

// Asset is one attachment; url or path is set.
type Asset struct {
	ID   string `json:"id,omitempty"`
	URL  string `json:"url,omitempty"`
	Path string `json:"path,omitempty"`
	Name string `json:"name,omitempty"`
	Type string `json:"type,omitempty"`
}

// Evidence is a link or a keyword given with a question.
type Evidence struct {
	Label string `json:"label"`
	URL   string `json:"url,omitempty"`
	ID    string `json:"id,omitempty"`
}

// Asked is the answer of Ask. With PlanningRequired nothing was submitted and
// Run is nil.
type Asked struct {
	PlanningRequired  bool
	ProposedQuestions []string // only with PlanningRequired
	Study             Study
	Run               *Run
	MessageID         string // of the question; empty with PlanningRequired
	Question          string // as submitted
	Classification    *Classification
	Replayed          bool
	ClientRequestID   string // the key used (M-91); empty when there was none
}

// Run is one durable run; a direct question is a run of one item.
type Run struct {
	RunID       string   `json:"runId"`
	StudyID     string   `json:"studyId"`
	QuestionID  *string  `json:"questionId"`
	DraftPlanID *string  `json:"draftPlanId"`
	Status      string   `json:"status"`
	Progress    Progress `json:"progress"`
	CreatedAt   string   `json:"createdAt"`
	CompletedAt *string  `json:"completedAt"`
	Engine      Engine   `json:"engine"`
}

// Progress counts the items of a run. Pct is floor(100 x settled / total).
type Progress struct {
	Total   int `json:"total"`
	Settled int `json:"settled"`
	Failed  int `json:"failed"`
	Partial int `json:"partial"`
	Skipped int `json:"skipped"`
	Pct     int `json:"pct"`
}

// Engine is who answered (M-340).
type Engine struct {
	Name            string           `json:"name"`
	Version         string           `json:"version"`
	Simulated       bool             `json:"simulated"`            // always true
	Embeddings      string           `json:"embeddings,omitempty"` // space of the vectors that answers rest on (M-344)
	ModelConnection *ModelConnection `json:"modelConnection"`
}

// RunEvent is one step of a run; hints, the run itself is the authority.
type RunEvent struct {
	Sequence int          `json:"sequence"`
	Type     string       `json:"type"`
	At       string       `json:"at"`
	Payload  EventPayload `json:"payload"`
}

// EventPayload names what an event is about.
type EventPayload struct {
	ItemID   string    `json:"itemId,omitempty"`
	Status   string    `json:"status,omitempty"`
	Progress *Progress `json:"progress,omitempty"`
	Reason   string    `json:"reason,omitempty"`
}

// The states of questions and runs (M-70, M-71).
const (
	Queued      = "queued"
	Running     = "running"
	Completed   = "completed"
	Partial     = "partial"
	Failed      = "failed"
	Cancelled   = "cancelled"
	PlanLimited = "plan_limited"
)

// EvidenceSummary says what the answers of a question rest on (M-343).
type EvidenceSummary = simulate.EvidenceSummary
