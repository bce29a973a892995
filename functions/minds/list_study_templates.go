package minds

import (
	"context"
	"encoding/json"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/template"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ListStudyTemplates lists own and team-shared templates, or reads one whole.
var ListStudyTemplates = tool.New("list_study_templates",
	func(ctx context.Context, in ListStudyTemplatesInput) (StudyTemplates, error) {
		templates := research.From(ctx).Templates
		if in.TemplateID != "" {
			t, err := templates.Get(ctx, in.TemplateID)
			if err != nil {
				return StudyTemplates{}, err
			}
			return StudyTemplates{Template: &t}, wholeTemplate(t, in.TemplateID)
		}
		list, total, err := templates.List(ctx)
		if err != nil {
			return StudyTemplates{}, err
		}
		for _, t := range list {
			if err := wholeTemplate(t, t.ID); err != nil {
				return StudyTemplates{}, err
			}
		}
		return StudyTemplates{Templates: &list, TotalCount: &total}, nil
	})

// ListStudyTemplatesInput reads one template, or lists all.
type ListStudyTemplatesInput struct {
	TemplateID string `json:"templateId"`
}

// StudyTemplates is one template, or the list. TotalCount is more than the list
// holds when not all of it fits into one answer.
type StudyTemplates struct {
	Template   *template.Template   `json:"template,omitempty"`
	Templates  *[]template.Template `json:"templates,omitempty"`
	TotalCount *int                 `json:"totalCount,omitempty"`
}

// wholeTemplate refuses a template that is not whole, or not the one meant (M-320).
func wholeTemplate(t template.Template, id string) error {
	if t.ID == "" || t.ID != id || t.Name == "" || t.Revision < 1 || !json.Valid(t.Configuration) || t.CreatedAt == "" || t.UpdatedAt == "" {
		return fault.New(fault.MalformedResponse, "The template did not come back whole, so nothing is known of what was saved. Look at list_study_templates before you repeat a write, and keep its requestId.")
	}
	return nil
}
