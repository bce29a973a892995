// Package mind keeps the Minds of an account: synthetic respondents with a
// profile, a system prompt, knowledge and a home slot that they answer from for
// life.
package mind

import (
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
)

// Modes of training (M-25).
const (
	ModeKeywords = "keywords"
	ModeClone    = "clone"
	ModeLink     = "link"
	ModeManual   = "manual"
)

// Source policies (M-27).
const (
	PolicyAuto          = "auto"
	PolicyKnowledgeOnly = "knowledge_only"
	PolicyRequestOnly   = "request_only" // of one request: what it brings and the persona, no knowledge
)

// Training states (M-20).
const (
	Queued    = "queued"
	Running   = "running"
	Completed = "completed"
	Failed    = "failed"
)

// Kinds of training: the first, one that was asked for, and one behind a version
// that goes on answering (M-23).
const (
	FirstTraining = ""
	Retraining    = "retrain"
	Refreshing    = "refresh"
)

// Reasons of a failed training.
const (
	CollectionFailed = "COLLECTION_FAILED"
	ProfileGenFailed = "PROFILE_GEN_FAILED"
	TimedOut         = "TIMEOUT"
	InternalFailure  = "INTERNAL"
)

// Mind is the record of one Mind.
type Mind struct {
	ID        string `json:"id"`
	Owner     string `json:"owner"`
	Workspace string `json:"workspace"`

	Name            string   `json:"name"`        // 2..100 characters, trimmed
	Description     string   `json:"description"` // at most 2,000 characters
	Type            string   `json:"type"`        // creative | expert | user
	Discipline      string   `json:"discipline,omitempty"`
	Mode            string   `json:"mode"`
	SourcePolicy    string   `json:"sourcePolicy"`
	Tags            []string `json:"tags,omitempty"`
	ProfileImageURL string   `json:"profileImageUrl,omitempty"`

	Keywords         []string `json:"keywords,omitempty"`
	PersonaContext   string   `json:"personaContext,omitempty"` // at most 16,000 characters
	ContextLink      string   `json:"contextLink,omitempty"`
	IncludeWebSearch bool     `json:"includeWebSearch"`
	IsRealPerson     bool     `json:"isRealPerson,omitempty"`
	NoPortrait       bool     `json:"noPortrait,omitempty"` // created with generateImage false

	// PublicShareID is made when link sharing is switched on for the first time,
	// and kept; it is a link only while LinkSharing is true (M-4).
	LinkSharing   bool   `json:"isLinkSharingEnabled,omitempty"`
	PublicShareID string `json:"publicShareId,omitempty"`

	// Identity is set for members of a cohort only (M-26). AudienceID is the
	// Audience that such a member was made for, Evidence the published answers of
	// its Audience: one blob for all of them, a []simulate.Evidence.
	Identity   *Identity  `json:"identity,omitempty"`
	AudienceID string     `json:"audienceId,omitempty"`
	Evidence   *blobs.Ref `json:"evidence,omitempty"`

	// ProfileImageURL above is what the Mind was given; it goes before Portrait,
	// which is generated.
	Portrait *Portrait `json:"portrait,omitempty"`
	// Drawing is an open request for a portrait, Rebuilding one for new vectors.
	Drawing    *Drawing    `json:"drawing,omitempty"`
	Rebuilding *Rebuilding `json:"rebuilding,omitempty"`

	// Slot is the home slot: 0, 1, 2, … in the order in which the owner made
	// its Minds, kept for life.
	Slot int64 `json:"slot"`

	// SystemPrompt is the prompt that answers, PromptVersion its number. A prompt
	// that a refresh is working on is not here before it is whole (M-23).
	SystemPrompt  string `json:"systemPrompt,omitempty"`
	PromptVersion int    `json:"promptVersion"`
	// OwnPrompt says that the owner wrote the prompt: it is kept to the letter,
	// whatever the Mind learns or forgets.
	OwnPrompt bool `json:"ownPrompt,omitempty"`

	// Pending is what a refresh will change, Retired the items of a version that
	// was replaced and that are still to be deleted.
	Pending *Pending `json:"pending,omitempty"`
	Retired []string `json:"retired,omitempty"`

	// Knowledge lists what is ready for retrieval. KnowledgeVersion changes with
	// it: same Mind, question and version give the same answer (M-344).
	Knowledge        []KnowledgeRef `json:"knowledge,omitempty"`
	KnowledgeVersion int64          `json:"knowledgeVersion"`
	KnowledgeItems   int            `json:"knowledgeItems"` // items of any state

	Training TrainingState `json:"training"`

	CreateKey string    `json:"createKey"` // idempotency key of its creation
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`

	version int64 // of the stored record
}

// KnowledgeRef points to parsed content, shared by every Mind of the workspace
// that was given the same bytes.
type KnowledgeRef struct {
	ItemID string `json:"itemId"`
	Digest string `json:"digest"` // SHA-256 of the file, and the kind as which it was read
	Name   string `json:"name"`
	Link   string `json:"link,omitempty"` // where it was read, as the caller gave it
	// Passages and Bytes are how much there is to look through.
	Passages int   `json:"passages,omitempty"`
	Bytes    int64 `json:"bytes,omitempty"`
}

// TrainingState is the stored state of the last training.
type TrainingState struct {
	Status      string         `json:"status"`
	Kind        string         `json:"kind,omitempty"`
	JobID       string         `json:"jobId,omitempty"` // execution that may change it
	Message     string         `json:"message,omitempty"`
	Notes       []string       `json:"notes,omitempty"` // what the collection did not do
	Collected   bool           `json:"collected,omitempty"`
	Items       []string       `json:"items,omitempty"`      // knowledge items that the collection gave
	Required    string         `json:"required,omitempty"`   // the one of them without which the training fails
	Step        int            `json:"step,omitempty"`       // items begun, for the message
	Redraw      bool           `json:"redraw,omitempty"`     // a new portrait comes with it
	KeepPrompt  bool           `json:"keepPrompt,omitempty"` // the owner wrote the prompt meanwhile
	QueuedAt    time.Time      `json:"queuedAt,omitzero"`
	StartedAt   time.Time      `json:"startedAt,omitzero"`
	CompletedAt time.Time      `json:"completedAt,omitzero"`
	Error       *TrainingError `json:"error,omitempty"`
}

// TrainingError says why a training failed and whether another try may help.
type TrainingError struct {
	Code      string `json:"code"`
	Retryable bool   `json:"retryable"`
}

// ReadyToChat reports whether the Mind can answer: only with completed training
// and a prompt (M-20). While a new version is trained, and when that fails, the
// present one goes on answering (M-23).
func (m Mind) ReadyToChat() bool {
	return m.SystemPrompt != "" && (m.Training.Status == Completed || m.Training.Kind == Refreshing)
}

// InTraining reports whether a training is queued or running.
func (m Mind) InTraining() bool {
	return m.Training.Status == Queued || m.Training.Status == Running
}

// Portrait points to the generated picture of a Mind.
type Portrait struct {
	PNG     blobs.Ref `json:"png"`
	SVG     blobs.Ref `json:"svg"`
	Alt     string    `json:"alt"`
	Version string    `json:"version"` // of the way of drawing
	Number  int       `json:"number"`  // 1, 2, … as it is drawn anew
}

// Drawing is an open request for a portrait.
type Drawing struct {
	JobID   string      `json:"jobId"`
	Force   bool        `json:"force,omitempty"`
	Context string      `json:"context,omitempty"` // steers this picture alone
	Old     []blobs.Ref `json:"old,omitempty"`     // replaced, to be deleted before the job is closed
	Done    bool        `json:"done,omitempty"`    // the new one is installed
}

// Rebuilding is an open request for new vectors.
type Rebuilding struct {
	JobID string `json:"jobId"`
	Items int    `json:"items"`
}

// Pending is a version that is being trained: what changes with it, and what it
// has learned so far.
type Pending struct {
	Revision
	Knowledge []KnowledgeRef `json:"knowledge,omitempty"`
}

// Training is the training state as callers see it. Message, StartedAt,
// CompletedAt and Error are null where there is none.
type Training struct {
	Status      string         `json:"status"`
	ReadyToChat bool           `json:"readyToChat"`
	Message     *string        `json:"message"`
	StartedAt   *string        `json:"startedAt"`
	CompletedAt *string        `json:"completedAt"`
	Error       *TrainingError `json:"error,omitempty"`
}

// Summary is a Mind as lists show it.
type Summary struct {
	ID              string   `json:"id"`
	Name            string   `json:"name"`
	Description     string   `json:"description"`
	Type            string   `json:"type"`
	Discipline      *string  `json:"discipline"`
	SourcePolicy    string   `json:"sourcePolicy"`
	Tags            []string `json:"tags"`
	ProfileImageURL *string  `json:"profileImageUrl"`
	TrainingStatus  *string  `json:"trainingStatus"`
	ReadyToChat     bool     `json:"readyToChat"`
	MindURL         string   `json:"mindUrl"`
	CreatedAt       string   `json:"createdAt"` // RFC 3339, UTC, milliseconds
	UpdatedAt       string   `json:"updatedAt"`
}

// Detail is a Mind as GET /minds/{mindId} shows it to its owner.
type Detail struct {
	Summary
	SystemPrompt         string  `json:"systemPrompt"`
	IsPublic             bool    `json:"isPublic"`
	IsLinkSharingEnabled bool    `json:"isLinkSharingEnabled"`
	PublicShareID        *string `json:"publicShareId"`
	ProfitSplitOptIn     bool    `json:"profitSplitOptIn"`
	ProfileImageAlt      *string `json:"profileImageAlt"` // alternative text of a generated portrait
	KnowledgeItemCount   int     `json:"knowledgeItemCount"`
}

func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := clock.Stamp(t)
	return &s
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
