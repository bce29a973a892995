package mcpserver

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
)

// maxCompletions is the protocol's own bound.
const maxCompletions = 100

// kept says where the values of a variable come from.
type kept struct {
	tool   string // lists the caller's own
	member string // of its result
	names  bool   // names may stand for ids
}

var completions = map[string]kept{
	"study":    {"list_studies", "studies", true},
	"audience": {"list_audiences", "audiences", true},
	"mind":     {"list_minds", "minds", false},
}

// completer answers completion/complete for our templates and prompts and hands
// the rest on.
func (s *server) completer(next func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error)) func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return func(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
		ours := false
		switch ref := req.Params.Ref; ref.Type {
		case "ref/resource":
			_, known := sourceOf(ref.URI)
			ours = known || ref.URI == schemaTemplate || ref.URI == schemaURI("{name}")
		case "ref/prompt":
			_, ours = promptOf(ref.Name)
		}
		if !ours {
			if next != nil {
				return next(ctx, req)
			}
			return nil, &jsonrpc.Error{Code: codeInvalidParams, Message: "Invalid params: ref names no prompt and no resource template of this server"}
		}
		values, total := s.complete(ctx, req.Params.Argument.Name, req.Params.Argument.Value)
		return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: total, HasMore: total > len(values)}}, nil
	}
}

// complete gives the values that fit what was typed so far, at most 100, and
// how many there are. What cannot be read gives none: a completion is a help,
// not a report.
func (s *server) complete(ctx context.Context, argument, typed string) ([]string, int) {
	none := []string{}
	if len(typed) > 400 {
		return none, 0
	}
	switch argument {
	case "name":
		return s.completeTool(ctx, typed)
	case "refs":
		return []string{"none"}, 1
	}
	from, ok := completions[argument]
	if !ok {
		return none, 0
	}
	rows, more := s.rows(ctx, from, map[string]any{"limit": 100})
	values := fitting(rows, from.names, typed)
	if len(values) == 0 && more && strings.TrimSpace(typed) != "" {
		// The best match may stand behind the first hundred.
		rows, _ = s.rows(ctx, from, map[string]any{"searchQuery": typed})
		values = fitting(rows, from.names, typed)
	}
	total := len(values)
	return values[:min(total, maxCompletions)], total
}

func (s *server) completeTool(ctx context.Context, typed string) ([]string, int) {
	p, view := account.From(ctx), s.viewFrom(ctx)
	out := []string{}
	for _, d := range view.Callable(func(d *catalog.Definition) bool { return len(d.Missing(p.Has)) == 0 }) {
		if name := view.Name(d); strings.Contains(name, strings.ToLower(typed)) {
			out = append(out, name)
		}
	}
	return out[:min(len(out), maxCompletions)], len(out)
}

// record is one record of a list.
type record struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func (s *server) rows(ctx context.Context, from kept, args map[string]any) (rows []record, more bool) {
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, false
	}
	answer, err := s.ask(ctx, from.tool, raw)
	if err != nil || answer.Error != nil {
		return nil, false
	}
	var list map[string]json.RawMessage
	if json.Unmarshal(answer.Structured, &list) != nil || json.Unmarshal(list[from.member], &rows) != nil {
		return nil, false
	}
	_, more = list["nextOffset"]
	return rows, more
}

// fitting are the values for what was typed: a part of the name, or the
// beginning of an id. A name that would not come back as it is (two have it, it
// looks like an id, it hides characters) is given as its id.
func fitting(rows []record, names bool, typed string) []string {
	typed = strings.ToLower(strings.TrimSpace(typed))
	times := map[string]int{}
	for _, r := range rows {
		times[strings.ToLower(r.Name)]++
	}
	out := []string{}
	for _, r := range rows {
		byName := strings.Contains(strings.ToLower(r.Name), typed)
		byID := typed != "" && strings.HasPrefix(r.ID, typed)
		if !byName && !byID {
			continue
		}
		plain := names && r.Name != "" && times[strings.ToLower(r.Name)] == 1 && !uuidForm.MatchString(r.Name) && suspect(r.Name) < 0
		if plain && !(byID && !byName) {
			out = append(out, r.Name)
		} else {
			out = append(out, r.ID)
		}
	}
	return out
}
