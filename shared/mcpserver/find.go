package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// foundTool is one match of find_tools.
type foundTool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Area        string          `json:"area"`
	ReadOnly    bool            `json:"readOnly"`
	InputSchema json.RawMessage `json:"inputSchema"` // the short form, as tools/list has it
	SchemaURI   string          `json:"schemaUri"`   // resource with the full form
}

type foundTools struct {
	Tools      []foundTool `json:"tools"`
	TotalCount int         `json:"totalCount"` // matches, shown or not
	ShownCount int         `json:"shownCount"`
	// Searched are the names of all tools that could have matched, when none did.
	Searched []string `json:"searched,omitempty"`
}

// find answers find_tools. It runs here because it is about the catalogue: only
// the tools of this connection are searched, those that its scopes cover.
func (s *server) find(ctx context.Context, def *catalog.Definition, args json.RawMessage) tool.Answer {
	checked, err := def.Prepare(args)
	if err != nil {
		return tool.Answer{Error: tool.Refused(err)}
	}
	var in struct {
		Query string `json:"query"`
		Limit int    `json:"limit"`
	}
	if err := json.Unmarshal(checked, &in); err != nil {
		return tool.Answer{Error: tool.Refused(fault.New(fault.Validation, "The arguments of find_tools do not fit its schema.").Because(err))}
	}
	view, p := s.viewFrom(ctx), account.From(ctx)
	hidden := view.Hidden(func(d *catalog.Definition) bool { return len(d.Missing(p.Has)) == 0 })
	hits := catalog.Search(hidden, in.Query)
	out := foundTools{Tools: []foundTool{}, TotalCount: len(hits)}
	for _, d := range hits[:min(in.Limit, len(hits))] {
		out.Tools = append(out.Tools, foundTool{
			Name: view.Name(d), Title: d.Title, Description: d.Description, Area: d.Area, ReadOnly: d.Annotations.ReadOnly,
			InputSchema: d.ListedInput, SchemaURI: schemaURI(d.Name),
		})
	}
	out.ShownCount = len(out.Tools)
	if len(hits) == 0 {
		for _, d := range hidden {
			out.Searched = append(out.Searched, view.Name(d))
		}
	}
	raw, err := marshal(out)
	if err != nil {
		return tool.Answer{Error: tool.Refused(err)}
	}
	return tool.Answer{Structured: raw, Text: string(raw)}
}

// here is an answer that no tool gave; it gets its audit line from this side.
func (s *server) here(ctx context.Context, def *catalog.Definition, args json.RawMessage, a tool.Answer) tool.Answer {
	outcome := "ok"
	if a.Error != nil {
		outcome = a.Error.Code
	}
	s.note(ctx, tool.Envelope{Tool: def.Name, Args: args, Principal: account.From(ctx), RequestID: middleware.RequestIDFrom(ctx)}, outcome, s.o.Clock.Now())
	traceTool(ctx, a)
	return a
}

// marshal leaves <, > and & as they are: the reader is a model.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
