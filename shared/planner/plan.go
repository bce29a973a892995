// Package planner makes a research plan out of what a person wrote: a request in
// free words, a fixed questionnaire, exact edits of a plan or a refinement of it.
// It is pure and works by rules alone (M-82): the same input gives the same plan,
// byte for byte. Whatever made a plan, the checks of this package judge it: limits,
// ids, conditions (M-180 to M-182), framing (M-86) and what a person still has to
// answer before anyone may be asked (M-84).
package planner

import (
	"encoding/json"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/method"
)

// Version names the rule set; it is shown as draftReview.planner and changes when
// the same request would be planned another way.
const Version = "rules-1"

// Who made a plan.
const (
	ByRules = "rules"
	ByModel = "model"
	Fixed   = "none"
)

// The answer formats that an author may send; the others exist in method items only (M-87).
const (
	Qualitative = "qualitative"
	Categorical = "categorical"
	Multiselect = "multiselect"
	Scale       = "scale"
	Numeric     = "numeric"
	Ranking     = "ranking"
	BestWorst   = "best_worst"
)

// Where an item comes from.
const (
	OriginAuthor  = "author"
	OriginPlanner = "planner"
	OriginMethod  = "method"
)

// Source policies.
const (
	RequestOnly = "request_only"
	Auto        = "auto"
)

// Plan is one reviewed instrument; JSON as in the contract.
type Plan struct {
	Version               int                    `json:"version"`
	Intent                string                 `json:"intent"`
	Objective             string                 `json:"objective"`
	StudyLocale           string                 `json:"studyLocale"`
	Source                *Source                `json:"source"`
	SourcePolicy          string                 `json:"sourcePolicy"`
	Overrides             []Override             `json:"mindSourcePolicyOverrides,omitempty"`
	Modules               []Module               `json:"modules"`
	Methods               []Method               `json:"methods"`
	SemanticOutputs       []string               `json:"semanticOutputs"`
	ConfirmationQuestions []ConfirmationQuestion `json:"confirmationQuestions"`
	FramingWarnings       []FramingWarning       `json:"framingWarnings"`
	Attachments           []Attachment           `json:"attachments"`
	Estimate              Estimate               `json:"estimate"`
	Planner               By                     `json:"planner"`
}

// Source is the one main source of a plan. Content is seen by respondents.
type Source struct {
	Kind     string `json:"kind"` // prompt, website, image, video, document, questionnaire or other
	Label    string `json:"label"`
	URL      string `json:"url,omitempty"`
	MimeType string `json:"mimeType,omitempty"`
	Content  string `json:"content,omitempty"`
}

// Override is the source policy of one Mind.
type Override struct {
	MindID       string `json:"mindId"`
	SourcePolicy string `json:"sourcePolicy"`
}

// Module is a named battery. That of a method which prepares its items when it is
// run is empty until then.
type Module struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	MethodID  string `json:"methodId,omitempty"`
	ReadOnly  bool   `json:"readOnly"`
	Questions []Item `json:"questions"`
}

// Item is one question with exactly the text that respondents see.
type Item struct {
	ID            string    `json:"id"`
	ModuleID      string    `json:"moduleId"`
	Position      int       `json:"position"` // from 1, over the whole plan
	Text          string    `json:"text"`
	Response      Response  `json:"response"`
	AttachmentIDs []string  `json:"attachmentIds"`
	AskIf         *AskIf    `json:"askIf,omitempty"`
	Origin        string    `json:"origin"`
	MethodID      string    `json:"methodId,omitempty"`
	ReadOnly      bool      `json:"readOnly"`
	Variants      []Variant `json:"variants,omitempty"`
}

// The answer format of an item, and what a method's design varies, are those of
// the methods: one shape for all items.
type (
	Response    = method.Response
	Variant     = method.Variant
	Alternative = method.Alternative
)

// AskIf is the condition of an item: exactly one of the two lists is set.
type AskIf struct {
	QuestionID  string   `json:"questionId"`
	AnswerIn    []string `json:"answerIn,omitempty"`
	AnswerNotIn []string `json:"answerNotIn,omitempty"`
}

// Method is a method as saved in a plan.
type Method struct {
	MethodID                     string          `json:"methodId"`
	Version                      int             `json:"version"`
	Executable                   bool            `json:"executable"`
	Availability                 string          `json:"availability"`
	Complexity                   string          `json:"complexity"`
	RequiresAdvancedMethodOptIn  bool            `json:"requiresAdvancedMethodOptIn"`
	PreparesQuestionsAtExecution bool            `json:"preparesQuestionsAtExecution"`
	Configuration                json.RawMessage `json:"configuration"`
	ConfigurationComplete        bool            `json:"configurationComplete"`
	Missing                      []string        `json:"missing"` // JSON pointers into the configuration
	EstimatedItemsPerMind        int             `json:"estimatedItemsPerMind"`
	FallbackMethodID             *string         `json:"fallbackMethodId"`
}

// The kinds of confirmation questions (M-84).
const (
	Clarification       = "clarification"
	Framing             = "framing"
	MethodConfiguration = "method_configuration"
	AdvancedOptIn       = "advanced_opt_in"
	Stimulus            = "stimulus"
)

// ConfirmationQuestion is what the person must see before a run and, where it is
// required, answer. An advanced_opt_in is answered by the run's advancedMethodOptIn.
type ConfirmationQuestion struct {
	QuestionID string   `json:"questionId"`
	Kind       string   `json:"kind"`
	Text       string   `json:"text"`
	Options    []string `json:"options,omitempty"`
	Required   bool     `json:"required"`
	Answer     *string  `json:"answer"`
}

// FramingWarning is a risk in the wording of one item (M-86).
type FramingWarning struct {
	ItemID *string `json:"itemId"`
	Rule   string  `json:"rule"`
	Text   string  `json:"text"`
}

// Attachment is an asset of the plan.
type Attachment struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	URL       string `json:"url,omitempty"`
	Path      string `json:"path,omitempty"`
	Type      string `json:"type,omitempty"`
	Kind      string `json:"kind,omitempty"` // website or empty
	SHA256    string `json:"sha256,omitempty"`
	SizeBytes int64  `json:"sizeBytes,omitempty"`
}

// Estimate is the most that a run may ask.
type Estimate struct {
	Items     int `json:"items"`     // that one Mind may see, prepared ones included
	Minds     int `json:"minds"`     // attached now
	Responses int `json:"responses"` // items × minds
}

// By is who made a plan.
type By struct {
	Kind    string `json:"kind"`
	Version string `json:"version"`
}

// Items lists the items of all modules in the order in which they are asked.
func (p Plan) Items() []Item {
	var out []Item
	for _, m := range p.Modules {
		out = append(out, m.Questions...)
	}
	return out
}

// Open lists what must still be answered before a run (PLAN_INCOMPLETE). The
// question for advanced methods counts only while optIn is not given.
func (p Plan) Open(optIn bool) []ConfirmationQuestion {
	var out []ConfirmationQuestion
	for _, q := range p.ConfirmationQuestions {
		if q.Required && q.Answer == nil && (q.Kind != AdvancedOptIn || !optIn) {
			out = append(out, q)
		}
	}
	return out
}

// invalid is a refusal that points at the argument which broke a rule.
func invalid(path, format string, args ...any) *fault.Error {
	return fault.New(fault.Validation, format, args...).With("path", path)
}
