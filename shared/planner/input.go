package planner

import "encoding/json"

// Question is one item of a fixed instrument. Its text and labels are kept as
// they are, code point by code point (M-75).
type Question struct {
	ID       string   `json:"id,omitempty"` // slug; q<position> when empty
	Text     string   `json:"text"`
	Module   string   `json:"module,omitempty"` // neighbours with one label form a module
	Response Response `json:"response"`
	AskIf    *AskIf   `json:"askIf,omitempty"`
}

// EditedQuestion is one item of the complete instrument that an edit sends.
type EditedQuestion struct {
	ID            string   `json:"id"`
	ModuleID      string   `json:"moduleId"`
	Text          string   `json:"text"`
	Response      Response `json:"response"`
	AttachmentIDs []string `json:"attachmentIds,omitempty"`
	AskIf         *AskIf   `json:"askIf,omitempty"`
}

// Edits change a plan exactly; nil leaves as it is.
type Edits struct {
	Objective     *string          `json:"objective,omitempty"`
	PromptContent *string          `json:"promptContent,omitempty"`
	Questions     []EditedQuestion `json:"questions,omitempty"`
}

// Selection is one method asked for, its configuration whole or in part.
type Selection struct {
	MethodID      string          `json:"methodId"`
	Configuration json.RawMessage `json:"configuration,omitempty"`
}

// Assignment gives the assets of one question, by its position from 1.
type Assignment struct {
	QuestionNumber int      `json:"questionNumber"`
	AttachmentIDs  []string `json:"attachmentIds"`
}

// Answered is an answer to a confirmation question.
type Answered struct {
	QuestionID string `json:"questionId"`
	Answer     string `json:"answer"`
}

// Reformat changes the answer format of one item.
type Reformat struct {
	QuestionID string `json:"questionId"`
	Response
}

// Input is everything that one call may say about a plan. What is nil or empty
// says nothing; on a revision it changes nothing (M-80).
type Input struct {
	Request   string     // free words; nobody but the planner sees them
	Questions []Question // a fixed instrument instead
	Methods   []Selection

	Locale       string
	SourcePolicy string
	Overrides    []Override // nil keeps
	Source       *Source
	Attachments  []Attachment // nil keeps, empty clears
	Assignments  []Assignment // nil: none said
	Suggest      *bool        // false: the planner assigns no assets itself

	Refinement string
	Answers    []Answered
	Reformats  []Reformat

	Minds int // attached now, for the estimate
}
