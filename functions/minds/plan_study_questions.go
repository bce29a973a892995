package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/planner"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/plandraft"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// PlanStudyQuestions makes, revises, edits or re-reads one saved, versioned plan. It
// never starts research.
var PlanStudyQuestions = tool.New("plan_study_questions",
	func(ctx context.Context, in PlanStudyQuestionsInput) (plandraft.Draft, error) {
		return research.From(ctx).Plans.Preview(ctx, plandraft.Request{
			StudyID: in.StudyID, StudyName: in.StudyName, Request: in.Request, Questions: planQuestions(in.Questions), Methods: in.Methods,
			Edits: in.Edits.edits(), LoadLatest: in.LoadLatest, DraftID: in.DraftPlanID, Revision: in.Revision, Refinement: in.Refinement,
			Answers: in.Answers, Reformats: planReformats(in.QuestionResponses), Locale: in.StudyLocale, SourcePolicy: in.SourcePolicy,
			Overrides: in.MindSourcePolicyOverrides, Source: in.Source, Attachments: planAssets(in.Attachments),
			Assignments: in.QuestionAttachments, Suggest: in.SuggestQuestionStimuli, IdempotencyKey: in.IdempotencyKey,
		})
	})

// PlanStudyQuestionsInput is one of: a request, fixed questions, a revision of a
// draft, exact edits of it, or a read of its newest revision (M-80).
type PlanStudyQuestionsInput struct {
	StudyID   string `json:"studyId"`
	StudyName string `json:"studyName"`

	Request   string              `json:"request"`   // 1..100,000 characters that no Mind ever sees
	Questions []planQuestion      `json:"questions"` // 1..200 fixed items, kept word for word
	Methods   []planner.Selection `json:"methods"`   // at most 5
	Edits     *planEdits          `json:"edits"`

	LoadLatest  bool   `json:"loadLatest"`
	DraftPlanID string `json:"draftPlanId"`
	Revision    int    `json:"revision"`   // the current one
	Refinement  string `json:"refinement"` // 1..20,000 characters

	Answers           []planner.Answered `json:"answers"`
	QuestionResponses []planReformat     `json:"questionResponses"`

	StudyLocale               string               `json:"studyLocale"`
	SourcePolicy              string               `json:"sourcePolicy"`
	MindSourcePolicyOverrides []planner.Override   `json:"mindSourcePolicyOverrides"`
	Source                    *planner.Source      `json:"source"`
	Attachments               []planAsset          `json:"attachments"` // nil keeps, [] clears
	QuestionAttachments       []planner.Assignment `json:"questionAttachments"`
	SuggestQuestionStimuli    *bool                `json:"suggestQuestionStimuli"`
	IdempotencyKey            string               `json:"idempotencyKey"`
}

// planAsset is an asset as callers name it; type and mimeType mean the same.
type planAsset struct {
	ID       string `json:"id"`
	URL      string `json:"url"`
	Path     string `json:"path"`
	Name     string `json:"name"`
	Type     string `json:"type"`
	MimeType string `json:"mimeType"`
	Kind     string `json:"kind"`
}

func planAssets(in []planAsset) []planner.Attachment {
	if in == nil {
		return nil
	}
	out := make([]planner.Attachment, len(in))
	for i, a := range in {
		if a.Type == "" {
			a.Type = a.MimeType
		}
		out[i] = planner.Attachment{ID: a.ID, Name: a.Name, URL: a.URL, Path: a.Path, Type: a.Type, Kind: a.Kind}
	}
	return out
}

// planFormat is an answer format as authors may send it; the rest of a format is
// the server's to add.
type planFormat struct {
	Type               string   `json:"type"`               // qualitative, categorical, multiselect or scale
	ScaleRange         []int    `json:"scaleRange"`         // lowest and highest point, -100..100
	CategoricalOptions []string `json:"categoricalOptions"` // 2..100 labels
	MaxSelections      int      `json:"maxSelections"`      // multiselect
}

func (f planFormat) response() planner.Response {
	return planner.Response{Type: f.Type, ScaleRange: f.ScaleRange, CategoricalOptions: f.CategoricalOptions, MaxSelections: f.MaxSelections}
}

type planQuestion struct {
	ID       string         `json:"id"`
	Text     string         `json:"text"` // 1..2,000 characters
	Module   string         `json:"module"`
	Response planFormat     `json:"response"`
	AskIf    *planner.AskIf `json:"askIf"`
}

func planQuestions(in []planQuestion) []planner.Question {
	var out []planner.Question
	for _, q := range in {
		out = append(out, planner.Question{ID: q.ID, Text: q.Text, Module: q.Module, Response: q.Response.response(), AskIf: q.AskIf})
	}
	return out
}

type planEdits struct {
	Objective     *string          `json:"objective"`
	PromptContent *string          `json:"promptContent"`
	Questions     []editedQuestion `json:"questions"`
}

type editedQuestion struct {
	ID            string         `json:"id"`
	ModuleID      string         `json:"moduleId"`
	Text          string         `json:"text"`
	Response      planFormat     `json:"response"`
	AttachmentIDs []string       `json:"attachmentIds"`
	AskIf         *planner.AskIf `json:"askIf"`
}

func (e *planEdits) edits() *planner.Edits {
	if e == nil {
		return nil
	}
	out := &planner.Edits{Objective: e.Objective, PromptContent: e.PromptContent}
	for _, q := range e.Questions {
		out.Questions = append(out.Questions, planner.EditedQuestion{ID: q.ID, ModuleID: q.ModuleID, Text: q.Text, Response: q.Response.response(), AttachmentIDs: q.AttachmentIDs, AskIf: q.AskIf})
	}
	return out
}

type planReformat struct {
	QuestionID string `json:"questionId"`
	planFormat
}

func planReformats(in []planReformat) []planner.Reformat {
	var out []planner.Reformat
	for _, r := range in {
		out = append(out, planner.Reformat{QuestionID: r.QuestionID, Response: r.response()})
	}
	return out
}
