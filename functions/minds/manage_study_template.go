package minds

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/template"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ManageStudyTemplate saves, changes, uses or deletes a template (M-250, M-251). It
// never starts research.
var ManageStudyTemplate = tool.New("manage_study_template",
	func(ctx context.Context, in ManageStudyTemplateInput) (ManagedStudyTemplate, error) {
		templates := research.From(ctx).Templates
		out := ManagedStudyTemplate{Action: in.Action}
		var t template.Template
		var err error
		id := strings.ToLower(in.TemplateID)
		switch in.Action {
		case "save":
			t, _, err = templates.Save(ctx, template.SaveRequest{RequestID: in.Save.RequestID, Name: in.Save.Name, Configuration: in.Save.Configuration})
			out.RequestID, id = in.Save.RequestID, t.ID
		case "update":
			t, err = templates.Update(ctx, id, in.Update.ExpectedRevision, template.Patch{Name: in.Update.Name, Configuration: in.Update.Configuration, IsSharedWithTeam: in.Update.IsSharedWithTeam})
		case "use":
			u, err := templates.Use(ctx, id, in.Use.ExpectedRevision, in.Use.RequestID)
			if err != nil {
				return ManagedStudyTemplate{}, err
			}
			d, err := draftOf(u.Draft, u.Draft.ID)
			out.Draft, out.DraftIsNew, out.RequestID = &d, &u.New, in.Use.RequestID
			return out, err
		case "delete":
			out.Success = ptr(true)
			return out, templates.Delete(ctx, id)
		default: // the schema knows the same ones
			return ManagedStudyTemplate{}, fault.New(fault.Validation, "action is %q, which is none of manage_study_template.", in.Action).With("field", "action")
		}
		if err != nil {
			return ManagedStudyTemplate{}, err
		}
		out.Template = &t
		return out, wholeTemplate(t, id)
	})

// ManageStudyTemplateInput is one action with the object that it takes.
type ManageStudyTemplateInput struct {
	Action     string         `json:"action"`     // save | update | use | delete
	TemplateID string         `json:"templateId"` // of all but save
	Save       TemplateSave   `json:"save"`
	Update     TemplateUpdate `json:"update"`
	Use        TemplateUse    `json:"use"`
	Confirmed  bool           `json:"confirmed"` // delete: checked with the schema (M-314)
}

// TemplateSave is a new template.
type TemplateSave struct {
	RequestID     string          `json:"requestId"` // the same one gives the template that it saved
	Name          string          `json:"name"`      // 1..200 characters
	Configuration json.RawMessage `json:"configuration"`
}

// TemplateUpdate changes what is there.
type TemplateUpdate struct {
	ExpectedRevision int             `json:"expectedRevision"`
	Name             *string         `json:"name"`
	Configuration    json.RawMessage `json:"configuration"`
	IsSharedWithTeam *bool           `json:"isSharedWithTeam"`
}

// TemplateUse asks for one draft of it.
type TemplateUse struct {
	ExpectedRevision int    `json:"expectedRevision"`
	RequestID        string `json:"requestId"`
}

// ManagedStudyTemplate is what came of the action.
type ManagedStudyTemplate struct {
	Action     string             `json:"action"`
	Template   *template.Template `json:"template,omitempty"`
	Draft      *StudyDraft        `json:"draft,omitempty"`
	DraftIsNew *bool              `json:"draftIsNew,omitempty"` // false: it is being launched or was consumed
	Success    *bool              `json:"success,omitempty"`
	RequestID  string             `json:"requestId,omitempty"`
}
