package run

import (
	"encoding/json"

	"github.com/mindgate-dev/mindgate/shared/method"
)

// Plan is what a run reads of a confirmed plan; the plan itself is kept and shown
// byte for byte as it was confirmed. The JSON is Plan of the contract.
type Plan struct {
	StudyLocale           string                 `json:"studyLocale"`
	Modules               []Module               `json:"modules"`
	Methods               []Method               `json:"methods"`
	ConfirmationQuestions []ConfirmationQuestion `json:"confirmationQuestions"`
	Attachments           []Attachment           `json:"attachments"`
	Source                *Source                `json:"source"`
}

// Source is the main source of a plan. Its Content is shown with every item.
type Source struct {
	Label   string `json:"label"`
	Content string `json:"content,omitempty"`
}

// Module is a named battery.
type Module struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	MethodID  string `json:"methodId,omitempty"`
	Questions []Item `json:"questions"`
}

// Method is a method as saved in a plan.
type Method struct {
	MethodID                     string          `json:"methodId"`
	Executable                   bool            `json:"executable"`
	RequiresAdvancedMethodOptIn  bool            `json:"requiresAdvancedMethodOptIn"`
	PreparesQuestionsAtExecution bool            `json:"preparesQuestionsAtExecution"`
	Configuration                json.RawMessage `json:"configuration"`
	ConfigurationComplete        bool            `json:"configurationComplete"`
	Missing                      []string        `json:"missing"`
}

// ConfirmationQuestion is what a person had to answer first (M-84).
type ConfirmationQuestion struct {
	QuestionID string  `json:"questionId"`
	Kind       string  `json:"kind"`
	Text       string  `json:"text"`
	Required   bool    `json:"required"`
	Answer     *string `json:"answer"`
}

// Attachment is an asset of the plan.
type Attachment struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
	Path string `json:"path,omitempty"`
	Type string `json:"type,omitempty"`
	Kind string `json:"kind,omitempty"`
}

// Item is one question of an execution plan; JSON as in the contract.
type Item struct {
	ID            string           `json:"id"`
	ModuleID      string           `json:"moduleId"`
	Position      int              `json:"position"` // from 1
	Text          string           `json:"text"`
	Response      method.Response  `json:"response"`
	AttachmentIDs []string         `json:"attachmentIds"`
	AskIf         *AskIf           `json:"askIf,omitempty"`
	Origin        string           `json:"origin"`
	MethodID      string           `json:"methodId,omitempty"`
	ReadOnly      bool             `json:"readOnly"`
	Variants      []method.Variant `json:"variants,omitempty"`
}

// AskIf is the condition of an item: exactly one of the two lists is set (M-180).
type AskIf struct {
	QuestionID  string   `json:"questionId"`
	AnswerIn    []string `json:"answerIn,omitempty"`
	AnswerNotIn []string `json:"answerNotIn,omitempty"`
}

// variant is the text and the format that a version of the item has; item itself
// where it has none.
func (i Item) variant(n int) (text string, r method.Response, version string) {
	if n < 0 || n >= len(i.Variants) {
		return i.Text, i.Response, ""
	}
	v := i.Variants[n]
	return v.Text, v.Response, v.VersionID
}

// open lists the required questions that nobody answered, and missing parts of
// methods; optIn answers the one about advanced methods.
func (p Plan) open(optIn bool) []string {
	var out []string
	for _, q := range p.ConfirmationQuestions {
		if q.Required && q.Answer == nil && (q.Kind != "advanced_opt_in" || !optIn) {
			out = append(out, q.QuestionID)
		}
	}
	for _, m := range p.Methods {
		for _, at := range m.Missing {
			out = append(out, m.MethodID+at)
		}
		if !m.ConfigurationComplete && len(m.Missing) == 0 {
			out = append(out, m.MethodID)
		}
	}
	return out
}
