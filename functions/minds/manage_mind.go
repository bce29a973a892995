package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ManageMind reads, changes, deletes or rebuilds Minds. What it queues goes on in
// the background: the answer says what was queued, never that it is done.
var ManageMind = tool.New("manage_mind",
	func(ctx context.Context, in ManageMindInput) (ManagedMind, error) {
		do, ok := mindActions[in.Action]
		if !ok { // the schema knows the same ones
			return ManagedMind{}, fault.New(fault.Validation, "action is %q, which is none of manage_mind.", in.Action).With("field", "action")
		}
		out, err := do(ctx, research.From(ctx), in)
		if err != nil {
			return ManagedMind{}, err
		}
		out.Action = in.Action
		if in.MindID != "" && in.Action != "delete" {
			out.MindURL = research.From(ctx).Minds.URL(in.MindID)
		}
		return out, nil
	})

// ManageMindInput is one action with the fields that it takes.
type ManageMindInput struct {
	Action  string   `json:"action"`
	MindID  string   `json:"mindId"`
	MindIDs []string `json:"mindIds"` // delete_many: 1..100

	// update: what is left out stays.
	Name         *string   `json:"name"`        // 2..100 characters after trimming
	Description  *string   `json:"description"` // at most 2,000 characters
	Discipline   *string   `json:"discipline"`  // empty clears it
	SystemPrompt *string   `json:"systemPrompt"`
	SourcePolicy *string   `json:"sourcePolicy"`
	Tags         *[]string `json:"tags"` // replaces them; at most 20
	LinkSharing  *bool     `json:"isLinkSharingEnabled"`

	// regenerate_image
	Force          bool   `json:"force"`
	PersonaContext string `json:"personaContext"` // 1..16,000 characters

	Confirmed bool `json:"confirmed"` // delete, delete_many: checked with the schema (M-314)
}

// ManagedMind is what came of the action; fields of other actions are left out.
type ManagedMind struct {
	Action        string              `json:"action"`
	Mind          *MindRecord         `json:"mind,omitempty"`
	Deleted       *bool               `json:"deleted,omitempty"`
	Results       []mind.Outcome      `json:"results,omitempty"`
	DeletedCount  *int                `json:"deletedCount,omitempty"`
	FailedCount   *int                `json:"failedCount,omitempty"`
	Training      *mind.Training      `json:"training,omitempty"`
	Enqueued      *bool               `json:"enqueued,omitempty"`
	SkippedReason *string             `json:"skippedReason,omitempty"`
	SystemPrompt  string              `json:"systemPrompt,omitempty"`
	PromptLength  *int                `json:"promptLength,omitempty"` // characters
	QueuedItems   *int                `json:"queuedItems,omitempty"`
	Patterns      []knowledge.Pattern `json:"patterns,omitzero"`
	MindURL       string              `json:"mindUrl,omitempty"`
}

// MindRecord is a Mind with the fields of its owner.
type MindRecord struct {
	ID                   string   `json:"id"`
	Name                 string   `json:"name"`
	Description          string   `json:"description"`
	Type                 string   `json:"type"`
	Discipline           *string  `json:"discipline"`
	SystemPrompt         string   `json:"systemPrompt"`
	SourcePolicy         string   `json:"sourcePolicy"`
	Tags                 []string `json:"tags"`
	IsLinkSharingEnabled bool     `json:"isLinkSharingEnabled"`
	PublicShareID        *string  `json:"publicShareId"` // only while sharing is on
	KnowledgeItemCount   int      `json:"knowledgeItemCount"`
	ReadyToChat          bool     `json:"readyToChat"`
	CreatedAt            string   `json:"createdAt"` // RFC 3339, UTC, milliseconds
	UpdatedAt            string   `json:"updatedAt"`
}

type mindAction func(context.Context, *research.Research, ManageMindInput) (ManagedMind, error)

var mindActions = map[string]mindAction{
	"get": func(ctx context.Context, r *research.Research, in ManageMindInput) (ManagedMind, error) {
		m, err := r.Minds.Get(ctx, in.MindID)
		return recordOf(r, m), err
	},
	"update": func(ctx context.Context, r *research.Research, in ManageMindInput) (ManagedMind, error) {
		m, err := r.Minds.Update(ctx, in.MindID, mind.Patch{
			Name: in.Name, Description: in.Description, Discipline: in.Discipline, SystemPrompt: in.SystemPrompt,
			SourcePolicy: in.SourcePolicy, Tags: in.Tags, LinkSharing: in.LinkSharing,
		})
		return recordOf(r, m), err
	},
	"delete": func(ctx context.Context, r *research.Research, in ManageMindInput) (ManagedMind, error) {
		err := r.Minds.Delete(ctx, in.MindID)
		return ManagedMind{Deleted: ptr(err == nil)}, err
	},
	"delete_many": func(ctx context.Context, r *research.Research, in ManageMindInput) (ManagedMind, error) {
		all, err := r.Minds.DeleteMany(ctx, in.MindIDs)
		gone := 0
		for _, o := range all {
			if o.Deleted {
				gone++
			}
		}
		return ManagedMind{Results: all, DeletedCount: &gone, FailedCount: ptr(len(all) - gone)}, err
	},
	"retrain": func(ctx context.Context, r *research.Research, in ManageMindInput) (ManagedMind, error) {
		t, err := r.Minds.Retrain(ctx, in.MindID)
		return ManagedMind{Training: &t, Enqueued: ptr(true)}, err
	},
	"regenerate_image": func(ctx context.Context, r *research.Research, in ManageMindInput) (ManagedMind, error) {
		enqueued, skipped, err := r.Minds.RegenerateImage(ctx, in.MindID, in.Force, in.PersonaContext)
		out := ManagedMind{Enqueued: &enqueued}
		if skipped != "" {
			out.SkippedReason = &skipped
		}
		return out, err
	},
	"regenerate_prompt": func(ctx context.Context, r *research.Research, in ManageMindInput) (ManagedMind, error) {
		p, err := r.Minds.RegeneratePrompt(ctx, in.MindID, "")
		return ManagedMind{SystemPrompt: p.SystemPrompt, PromptLength: &p.PromptLength}, err
	},
	"regenerate_embeddings": func(ctx context.Context, r *research.Research, in ManageMindInput) (ManagedMind, error) {
		n, err := r.Minds.RegenerateEmbeddings(ctx, in.MindID)
		return ManagedMind{QueuedItems: &n, Enqueued: ptr(true)}, err
	},
	"get_training": func(ctx context.Context, r *research.Research, in ManageMindInput) (ManagedMind, error) {
		m, err := r.Minds.Get(ctx, in.MindID)
		return ManagedMind{Training: ptr(r.Minds.TrainingOf(m))}, err
	},
	"get_patterns": func(ctx context.Context, r *research.Research, in ManageMindInput) (ManagedMind, error) {
		rows, err := r.RawPatterns(ctx, in.MindID)
		if rows == nil {
			rows = []knowledge.Pattern{}
		}
		return ManagedMind{Patterns: rows}, err
	},
}

func recordOf(r *research.Research, m mind.Mind) ManagedMind {
	d := r.Minds.Detail(m)
	return ManagedMind{Mind: &MindRecord{
		ID: d.ID, Name: d.Name, Description: d.Description, Type: d.Type, Discipline: d.Discipline,
		SystemPrompt: d.SystemPrompt, SourcePolicy: d.SourcePolicy, Tags: d.Tags,
		IsLinkSharingEnabled: d.IsLinkSharingEnabled, PublicShareID: d.PublicShareID,
		KnowledgeItemCount: d.KnowledgeItemCount, ReadyToChat: d.ReadyToChat, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
	}}
}

func ptr[T any](v T) *T { return &v }
