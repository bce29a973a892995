package mind

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Library gives the parsed knowledge behind references, shared between Minds:
// the same content is read and parsed once.
type Library interface {
	Load(ctx context.Context, workspace string, refs []KnowledgeRef) (Known, error)
}

// Known is what a Mind knows. The slices and what they point to are shared and
// only read.
type Known struct {
	Passages []simulate.Passage
	Evidence []*simulate.Evidence
	Recall   simulate.Recaller // nil: Passages are looked through
}

// Deps is what a Service works with.
type Deps struct {
	Records     records.Store
	Clock       clock.Clock
	IDs         clock.IDs
	Accounts    *account.Service
	Jobs        *jobs.Service
	Library     Library
	Blobs       blobs.Store          // holds the evidence of Audiences; nil: members have none
	Respondents simulate.Respondents // answers when Answerers is nil
	Answerers   Answerers
	// Model writes prompts; nil: they are written by rules.
	Model model.Client
	// Patterns gives the newest patterns of a Mind, at most limit; nil: none.
	Patterns func(ctx context.Context, mindID string, limit int) ([]Pattern, error)
	Guard    *fetch.Guard
	// Notify is told of Minds that were made, changed or deleted, after the commit;
	// nil: nobody is.
	Notify    func(ctx context.Context, workspace, account string, mindIDs ...string)
	PublicURL string // without a trailing slash
	Log       *slog.Logger
}

// changed tells whoever listens that a Mind is another one, or gone.
func (s *Service) changed(ctx context.Context, m Mind) {
	if s.d.Notify != nil {
		s.d.Notify(ctx, m.Workspace, m.Owner, m.ID)
	}
}

// Service is what one can do with Minds.
type Service struct {
	d     Deps
	once  *idempotency.Table
	order *lanes  // creations of one owner, one after the other
	given *shared // evidence of Audiences, read once
}

// CreateRequest asks for a new Mind.
type CreateRequest struct {
	Name             string
	Mode             string
	Type             string // empty is expert
	Discipline       string
	Keywords         []string
	PersonaContext   string
	ContextLink      string
	Description      string
	IncludeWebSearch *bool  // nil is true
	Key              string // UUID; empty: the server merges equal calls within 10 seconds (M-92)

	// REST only.
	SourcePolicy    string // empty is auto
	Tags            []string
	ProfileImageURL string
	IsRealPerson    bool
	LinkSharing     bool
	GenerateImage   *bool // nil is true
	// Identity is for members of a cohort; no surface takes it.
	Identity *Identity `json:",omitempty"`
}

// Created is what came of CreateRequest: a new Mind, or the one that an earlier
// equal call made (Replayed). Key is the key used, also when the server chose it.
type Created struct {
	Mind     Mind
	Key      string
	Replayed bool
}

// ChatRequest is one message to one Mind.
type ChatRequest struct {
	MindID, MindName string
	Message          string
	SourcePolicy     string         // empty is auto; request_only over REST
	Connection       *ConnectionRef // nil: the model of the installation, or the offline engine
	History          []simulate.Earlier
	// System are instructions for the conversation; only a model follows them, so
	// without one they are refused. Notes are wishes, such as the language to answer
	// in, which the offline engine goes without.
	System, Notes []string
	// Shape is the form that a model has to put its reply into; nil: none.
	Shape *model.Schema
	// Talk is a conversation that brings tools, pictures or files along; History and
	// Message are not used then. nil: none.
	Talk *TalkRequest
}

// TalkRequest is a conversation that brings something along. What it needs is
// checked before anything is read.
type TalkRequest struct {
	NeedsTools, NeedsVision bool
	// Read gives the conversation; files are fetched in it. It is asked only once
	// all that needs no file has been checked, and before anything is charged.
	Read func(ctx context.Context) (answer.Talk, error)
}

// ChatReply is one reply.
type ChatReply struct {
	MindID    string        `json:"mindId"`
	MindName  string        `json:"mindName"`
	MessageID string        `json:"messageId"`
	Content   string        `json:"content"`
	Metadata  ReplyMetadata `json:"metadata"`
	MindURL   string        `json:"mindUrl"`

	Calls   []model.ToolCall `json:"-"` // with Talk: what the caller is to run
	Parsed  json.RawMessage  `json:"-"` // with Shape: the reply in that form
	Offline bool             `json:"-"` // the offline engine gave it
	Room    account.Room     `json:"-"` // completions that the caller has left
}

// ReplyMetadata says what a reply rests on.
type ReplyMetadata struct {
	Citations          []simulate.Citation `json:"citations"`
	SourcePolicy       string              `json:"sourcePolicy"`
	KnowledgeRetrieval KnowledgeRetrieval  `json:"knowledgeRetrieval"`
	AnswerProvenance   Provenance          `json:"answerProvenance"`
	EvidenceState      simulate.State      `json:"evidenceState"`
	Engine             Engine              `json:"engine"`
}

// KnowledgeRetrieval says how much of the Mind's knowledge was looked through
// and whether something fitting was found (M-27).
type KnowledgeRetrieval struct {
	Passages      int  `json:"passages"`      // looked through
	Distributions int  `json:"distributions"` // looked through
	Used          int  `json:"used"`          // sources behind the reply
	Fallback      bool `json:"fallback"`      // knowledge_only, and nothing relevant found: persona only, no facts
}

// Provenance is the origin of an answer (M-342).
type Provenance struct {
	Origin      string   `json:"origin"` // mind_knowledge | audience_grounding | cited_sources | mind_personality | unsupported
	Unsupported bool     `json:"unsupported"`
	SourceIDs   []string `json:"sourceIds"`
}

// Engine says who answered.
type Engine struct {
	Name      string `json:"name"`
	Version   string `json:"version"`
	Simulated bool   `json:"simulated"`
	// Embeddings is the space of vectors that answers rest on; equal spaces give
	// equal answers (M-344).
	Embeddings string `json:"embeddings,omitempty"`
}

// Prompted is the answer of RegeneratePrompt.
type Prompted struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	SystemPrompt string `json:"systemPrompt"`
	PromptLength int    `json:"promptLength"` // characters
}
