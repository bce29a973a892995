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

const (
	maxCompletions     = 100 // the protocol's own bound
	maxCompletionPages = 5   // read for one completion, of completionPage records
	completionPage     = 100
)

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
		return &mcp.CompleteResult{Completion: s.complete(ctx, req.Params.Argument.Name, req.Params.Argument.Value)}, nil
	}
}

// complete gives the values that fit what was typed so far, at most 100, how
// many there are where that is known, and whether there are or may be more.
// What cannot be read gives none: a completion is a help, not a report.
func (s *server) complete(ctx context.Context, argument, typed string) mcp.CompletionResultDetails {
	if len(typed) > 400 {
		return of(nil)
	}
	switch argument {
	case "name":
		return of(s.completeTool(ctx, typed))
	case "refs":
		return of([]string{"none"})
	}
	from, ok := completions[argument]
	if !ok {
		return of(nil)
	}
	rows, total := s.rows(ctx, from)
	values := fitting(rows, from.names, typed)
	if len(rows) >= total {
		return of(values)
	}
	// Not all could be read.
	if strings.TrimSpace(typed) == "" {
		return mcp.CompletionResultDetails{Values: values[:min(len(values), maxCompletions)], Total: total, HasMore: true}
	}
	if len(values) == 0 {
		// The best match may stand behind what was read; the tool knows one.
		found, _ := s.page(ctx, from, map[string]any{"searchQuery": typed})
		values = fitting(found.rows, from.names, typed)
	}
	return mcp.CompletionResultDetails{Values: values[:min(len(values), maxCompletions)], HasMore: true}
}

// of are values of which none is missing.
func of(values []string) mcp.CompletionResultDetails {
	out := mcp.CompletionResultDetails{Values: []string{}, Total: len(values), HasMore: len(values) > maxCompletions}
	out.Values = append(out.Values, values[:min(len(values), maxCompletions)]...)
	return out
}

func (s *server) completeTool(ctx context.Context, typed string) []string {
	p, view := account.From(ctx), s.viewFrom(ctx)
	out := []string{}
	for _, d := range view.Callable(func(d *catalog.Definition) bool { return len(d.Missing(p.Has)) == 0 }) {
		if name := view.Name(d); strings.Contains(name, strings.ToLower(typed)) {
			out = append(out, name)
		}
	}
	return out
}

// record is one record of a list.
type record struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// listPage is one page of a list.
type listPage struct {
	rows  []record
	total int // of the whole list, as the tool counts
	next  int // offset of the following page; 0 is none
}

// rows reads a list page by page, up to the bound, and says how many records
// there are in all.
func (s *server) rows(ctx context.Context, from kept) (rows []record, total int) {
	seen := map[string]bool{}
	for offset, pages := 0, 0; pages < maxCompletionPages; pages++ {
		page, ok := s.page(ctx, from, map[string]any{"limit": completionPage, "offset": offset})
		if !ok {
			break
		}
		total = page.total
		for _, r := range page.rows {
			// A record may move to another page while we read.
			if !seen[r.ID] {
				seen[r.ID] = true
				rows = append(rows, r)
			}
		}
		if page.next <= offset {
			return rows, len(rows) // read to its end, whatever was counted before
		}
		offset = page.next
	}
	return rows, max(total, len(rows))
}

func (s *server) page(ctx context.Context, from kept, args map[string]any) (listPage, bool) {
	raw, err := json.Marshal(args)
	if err != nil {
		return listPage{}, false
	}
	answer, err := s.ask(ctx, from.tool, raw)
	if err != nil || answer.Error != nil {
		return listPage{}, false
	}
	var list map[string]json.RawMessage
	var out listPage
	if json.Unmarshal(answer.Structured, &list) != nil || json.Unmarshal(list[from.member], &out.rows) != nil {
		return listPage{}, false
	}
	out.total = len(out.rows)
	if n, ok := number(list["totalCount"]); ok {
		out.total = n
	}
	out.next, _ = number(list["nextOffset"])
	return out, true
}

// number reads a member that may be missing or null.
func number(raw json.RawMessage) (int, bool) {
	var n *int
	if len(raw) == 0 || json.Unmarshal(raw, &n) != nil || n == nil {
		return 0, false
	}
	return *n, true
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
