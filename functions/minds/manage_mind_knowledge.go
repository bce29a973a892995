package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/pattern"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ManageMindKnowledge lists, adds, renames, deletes and checks what one Mind was
// given to know, enriches it from keywords and reads its patterns. What is added
// is queued: no answer says that it is done (M-281).
var ManageMindKnowledge = tool.New("manage_mind_knowledge",
	func(ctx context.Context, in ManageMindKnowledgeInput) (ManagedKnowledge, error) {
		k := research.From(ctx).Knowledge
		out := ManagedKnowledge{Action: in.Action}
		var err error
		switch in.Action {
		case "list":
			out.Data, err = listKnowledge(ctx, k, in)
		case "add":
			out.Data, err = addKnowledge(ctx, k, in)
		case "update":
			var item knowledge.Item
			item, err = k.Update(ctx, in.MindID, in.ItemID, in.Description)
			out.Data = KnowledgeData{Item: &item}
		case "delete":
			out.Data, err = deleteKnowledge(ctx, k, in)
		case "status":
			out.Data, err = knowledgeStatus(ctx, k, in)
		case "enrich":
			var s knowledge.Search
			s, err = k.Enrich(ctx, in.MindID, in.Keywords, in.RegeneratePrompt)
			out.Data = searched(s)
		case "patterns":
			var g knowledge.Grouped
			g, err = k.GroupedPatterns(ctx, in.MindID)
			out.Data = KnowledgeData{TotalPatterns: &g.Total, Frameworks: &g.Frameworks}
		default:
			err = fault.New(fault.Validation, "action %q is not known.", in.Action).With("field", "action")
		}
		if err != nil {
			return ManagedKnowledge{}, err
		}
		return out, nil
	})

// ManageMindKnowledgeInput says what to do with the knowledge of which Mind. add
// takes exactly one of link, keywords and file.
type ManageMindKnowledgeInput struct {
	Action           string                `json:"action"`
	MindID           string                `json:"mindId"`
	Limit            int                   `json:"limit"` // list: 1..100, default 100
	Offset           int                   `json:"offset"`
	Link             string                `json:"link"`
	Keywords         []string              `json:"keywords"` // 1..15
	File             *knowledge.RemoteFile `json:"file"`
	Description      string                `json:"description"`
	RegeneratePrompt *bool                 `json:"regeneratePrompt"` // left out: true for keywords, else false
	ItemID           string                `json:"itemId"`
	Confirmed        bool                  `json:"confirmed"` // delete: checked with the schema (M-314)
}

// ManagedKnowledge is what came of an action.
type ManagedKnowledge struct {
	Action string        `json:"action"`
	Data   KnowledgeData `json:"data"`
}

// KnowledgeData holds what the action gives; the rest is left out.
type KnowledgeData struct {
	Items             []knowledge.Item      `json:"items,omitzero"`
	Total             *int                  `json:"total,omitempty"`
	Pagination        *KnowledgePage        `json:"pagination,omitempty"`
	Item              *knowledge.Item       `json:"item,omitempty"`
	ItemID            string                `json:"itemId,omitempty"`
	Processing        *knowledge.Processing `json:"processing,omitempty"`
	ReadyForRetrieval *bool                 `json:"readyForRetrieval,omitempty"`
	EmbeddingCount    *int                  `json:"embeddingCount,omitempty"`
	PatternCount      *int                  `json:"patternCount,omitempty"`
	Queued            *bool                 `json:"queued,omitempty"`
	Keywords          []string              `json:"keywords,omitzero"`
	Message           string                `json:"message,omitempty"` // what a keyword search does, or why it does nothing
	Deleted           bool                  `json:"deleted,omitempty"`
	TotalPatterns     *int                  `json:"totalPatterns,omitempty"`
	Frameworks        *[]pattern.Framework  `json:"frameworks,omitempty"`
}

// KnowledgePage says which part of the list an answer holds.
type KnowledgePage struct {
	Limit      int  `json:"limit"`
	Offset     int  `json:"offset"`
	HasMore    bool `json:"hasMore"`
	NextOffset *int `json:"nextOffset"` // null on the last page
	Total      int  `json:"total"`
}

func listKnowledge(ctx context.Context, k *knowledge.Service, in ManageMindKnowledgeInput) (KnowledgeData, error) {
	rows, total, err := k.List(ctx, in.MindID, in.Limit, in.Offset)
	if err != nil {
		return KnowledgeData{}, err
	}
	page := &KnowledgePage{Limit: in.Limit, Offset: in.Offset, Total: total}
	if next := in.Offset + len(rows); len(rows) > 0 && next < total {
		page.HasMore, page.NextOffset = true, &next
	}
	return KnowledgeData{Items: rows, Total: &total, Pagination: page}, nil
}

func addKnowledge(ctx context.Context, k *knowledge.Service, in ManageMindKnowledgeInput) (KnowledgeData, error) {
	added, err := k.Add(ctx, knowledge.AddRequest{
		MindID: in.MindID, File: in.File, Keywords: in.Keywords, Link: in.Link,
		Description: in.Description, RegeneratePrompt: in.RegeneratePrompt,
	})
	switch {
	case err != nil:
		return KnowledgeData{}, err
	case added.Search != nil:
		return searched(*added.Search), nil
	}
	return KnowledgeData{Item: added.Item, ItemID: added.Item.ID, Processing: &added.Item.Processing}, nil
}

func searched(s knowledge.Search) KnowledgeData {
	return KnowledgeData{Queued: &s.Queued, Keywords: s.Keywords, Message: s.Message}
}

func deleteKnowledge(ctx context.Context, k *knowledge.Service, in ManageMindKnowledgeInput) (KnowledgeData, error) {
	if err := k.Delete(ctx, in.MindID, in.ItemID); err != nil {
		return KnowledgeData{}, err
	}
	return KnowledgeData{ItemID: in.ItemID, Deleted: true}, nil
}

func knowledgeStatus(ctx context.Context, k *knowledge.Service, in ManageMindKnowledgeInput) (KnowledgeData, error) {
	item, err := k.Get(ctx, in.MindID, in.ItemID)
	if err != nil {
		return KnowledgeData{}, err
	}
	s, err := k.Status(ctx, in.MindID, in.ItemID)
	if err != nil {
		return KnowledgeData{}, err
	}
	return KnowledgeData{
		ItemID: item.ID, Processing: &item.Processing, ReadyForRetrieval: &s.ReadyForRetrieval,
		EmbeddingCount: &s.EmbeddingCount, PatternCount: &s.PatternCount,
	}, nil
}
