package mcpserver

import (
	"context"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

const (
	scheme   = "mindgate://"
	mimeJSON = "application/json"
	mimeText = "text/markdown"
)

// source is a resource, or a template of resources, that one tool reads: the
// router knows no records, so a resource is a call of a tool under another
// address, with the caller's credential.
type source struct {
	uri         string // with one {variable} at most
	name, title string
	description string
	tool        string // not there, no resource
	argument    string // takes the variable when it is an id
	byName      string // takes it when it is none; "" refuses names
}

// sources are honest about what is there today: they give what their tool gives.
var sources = []source{
	{uri: scheme + "studies/{study}", name: "study", title: "Results of a Study", tool: "get_study_status", argument: "studyId", byName: "studyName",
		description: "A Study by id or name: its Audiences, its questions in progress, failed and settled, and of each settled question the synthetic answers with base and evidence state. It is the record as it stands, not a written summary."},
	{uri: scheme + "studies/{study}/analytics", name: "study-analytics", title: "Statistics of a Study", tool: "get_study_analytics", argument: "studyId", byName: "studyName",
		description: "Statistics over the settled questions of a Study, each figure with its base."},
	{uri: scheme + "audiences/{audience}", name: "audience", title: "An Audience", tool: "get_audience", argument: "audienceId", byName: "audienceName",
		description: "An Audience by id or name: members, grounding and sources if it has any, and the distributions that its members' profiles add up to (derived, never evidence)."},
	{uri: scheme + "minds/{mind}", name: "mind", title: "Training state of a Mind", tool: "get_mind_status", argument: "mindId",
		description: "How far the training of a Mind has come, and whether it can answer."},
	{uri: scheme + "research-methods", name: "research-methods", title: "Research methods", tool: "list_research_methods",
		description: "The research methods that can be planned, with what each needs and gives."},
}

// Resources about the tools themselves, answered from the catalogue.
const (
	toolsURI       = scheme + "tools"
	schemaTemplate = scheme + "tools/{name}/schema{?refs}"
)

// noResourceMessage is the engine's own word, too.
const noResourceMessage = "Resource not found"

func schemaURI(name string) string { return scheme + "tools/" + name + "/schema" }

// addResources registers what this deployment can read.
func (s *server) addResources(srv *mcp.Server) {
	srv.AddResource(&mcp.Resource{URI: toolsURI, Name: "tools", Title: "All tools", MIMEType: mimeJSON,
		Description: "Every tool that this connection may call, also those that tools/list leaves out, with the address of its full schema.",
	}, s.readTools)
	srv.AddResource(&mcp.Resource{URI: guideURI, Name: "reading-results", Title: "How to read synthetic results", MIMEType: mimeText,
		Description: "What base, evidence state and the other labels of a result mean, and what may be said of a figure.",
	}, readGuide)
	srv.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: schemaTemplate, Name: "tool-schema", Title: "Full schema of a tool", MIMEType: mimeJSON,
		Description: "The input and output schema of a tool in full, as they are enforced; tools/list has a short form. refs=none gives a copy without $ref.",
	}, s.readSchema)
	for _, src := range sources {
		if _, ok := s.o.Catalogue.Lookup(src.tool); !ok {
			continue
		}
		if strings.Contains(src.uri, "{") {
			srv.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: src.uri, Name: src.name, Title: src.title, Description: src.description, MIMEType: mimeJSON}, s.readSource)
		} else {
			srv.AddResource(&mcp.Resource{URI: src.uri, Name: src.name, Title: src.title, Description: src.description, MIMEType: mimeJSON}, s.readSource)
		}
	}
}

// visibleResources takes out of a list what the caller could not read.
func (s *server) visibleResources(ctx context.Context, res mcp.Result) mcp.Result {
	hidden := func(uri string) bool {
		src, ok := sourceOf(uri)
		if !ok {
			return false
		}
		d, ok := s.o.Catalogue.Lookup(src.tool)
		return !ok || s.viewFrom(ctx).Barred(d) != "" || len(d.Missing(account.From(ctx).Has)) > 0
	}
	switch res := res.(type) {
	case *mcp.ListResourcesResult:
		kept := []*mcp.Resource{}
		for _, r := range res.Resources {
			if !hidden(r.URI) {
				kept = append(kept, r)
			}
		}
		res.Resources = kept
	case *mcp.ListResourceTemplatesResult:
		kept := []*mcp.ResourceTemplate{}
		for _, r := range res.ResourceTemplates {
			if !hidden(r.URITemplate) {
				kept = append(kept, r)
			}
		}
		res.ResourceTemplates = kept
	}
	return res
}

// sourceOf finds a source by its template, as lists name it.
func sourceOf(uri string) (source, bool) {
	for _, src := range sources {
		if src.uri == uri {
			return src, true
		}
	}
	return source{}, false
}

// match finds the source of an address, with the value of its variable.
func match(uri string) (source, string, bool) {
	rest, ok := strings.CutPrefix(uri, scheme)
	if !ok {
		return source{}, "", false
	}
	parts := strings.Split(rest, "/")
	for _, src := range sources {
		want := strings.Split(strings.TrimPrefix(src.uri, scheme), "/")
		if len(want) != len(parts) {
			continue
		}
		value, fits := "", true
		for i, w := range want {
			if !strings.HasPrefix(w, "{") {
				fits = fits && w == parts[i]
				continue
			}
			decoded, err := url.PathUnescape(parts[i])
			value, fits = decoded, fits && err == nil && strings.TrimSpace(decoded) != "" && len(decoded) <= 400
		}
		if fits {
			return src, value, true
		}
	}
	return source{}, "", false
}

// changes tells whether an address names a record, which may be another at the
// next read; the rest changes with a deployment only.
func changes(uri string) bool {
	src, _, ok := match(uri)
	return ok && src.argument != ""
}

var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// arguments are those of the tool that reads the address.
func (src source) arguments(value string) (json.RawMessage, bool) {
	switch {
	case src.argument == "":
		return json.RawMessage("{}"), true
	case uuidForm.MatchString(value):
		raw, err := json.Marshal(map[string]string{src.argument: value})
		return raw, err == nil
	case src.byName != "":
		raw, err := json.Marshal(map[string]string{src.byName: value})
		return raw, err == nil
	}
	return nil, false
}

func (s *server) readSource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	src, value, ok := match(uri)
	if !ok {
		return nil, noResource(uri)
	}
	args, ok := src.arguments(value)
	if !ok {
		return nil, noResource(uri)
	}
	answer, err := s.ask(ctx, src.tool, args)
	if err != nil {
		return nil, err
	}
	if answer.Error != nil {
		return nil, unread(answer.Error, uri)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: mimeJSON, Text: revealed(answer.Text), Meta: untrustedMeta(src.tool, partsOf(answer))}}}, nil
}

// ask calls a tool for a resource or a completion. What the connection chose
// away and what its scopes do not cover is refused as for a call.
func (s *server) ask(ctx context.Context, name string, args json.RawMessage) (tool.Answer, error) {
	def, ok := s.o.Catalogue.Lookup(name)
	if !ok {
		return tool.Answer{}, errNoAnswer
	}
	if err := barred(s.viewFrom(ctx), def); err != nil {
		return tool.Answer{Error: tool.Refused(err)}, nil
	}
	requestID := middleware.RequestIDFrom(ctx)
	answer, err := s.within(ctx, tool.Envelope{
		Tool: def.Name, Args: args, Principal: account.From(ctx), RequestID: requestID,
		Traceparent: traceparentOf(ctx, ""), Protocol: stateless, Deadline: s.deadline(ctx),
	}, nil)
	if err != nil {
		if !left(ctx, err) {
			s.o.Log.ErrorContext(ctx, "read failed", "tool", def.Name, "requestId", requestID, "error", err.Error())
		}
		return tool.Answer{}, unreached(err, requestID)
	}
	if answer.Error == nil && s.o.MaxResult > 0 {
		if size := eventBytes(answer); size > s.o.MaxResult {
			return tool.Answer{Error: tool.Refused(tool.TooLarge(def, size, s.o.MaxResult))}, nil
		}
	}
	return answer, nil
}

// noResource says that an address names nothing. The engine's own error quotes
// the address as Go does, which is no JSON for every address.
func noResource(uri string) error {
	if len(uri) > 400 {
		uri = strings.ToValidUTF8(uri[:400], "")
	}
	data, err := marshal(map[string]string{"uri": uri})
	if err != nil {
		data = nil
	}
	return &jsonrpc.Error{Code: codeInvalidParams, Message: noResourceMessage, Data: data}
}

// unread is the refusal of a resource: one that is not there, or what the tool
// said.
func unread(e *tool.WireError, uri string) error {
	if e.Status == 404 {
		return noResource(uri)
	}
	data := map[string]any{"code": e.Code, "retryable": e.Retryable}
	for k, v := range e.Data {
		data[k] = v
	}
	raw, err := marshal(data)
	if err != nil {
		raw = nil
	}
	c := code(e.Status)
	if c == codeInvalidRequest {
		c = codeInvalidParams
	}
	return &jsonrpc.Error{Code: int64(c), Message: clean(e.Message), Data: raw}
}

// resourceTool is the tool behind an address, for the check of scopes before
// anything runs.
func (s *server) resourceTool(uri string) (*catalog.Definition, bool) {
	src, _, ok := match(uri)
	if !ok {
		return nil, false
	}
	return s.o.Catalogue.Lookup(src.tool)
}

// toolEntry is one line of the resource of all tools.
type toolEntry struct {
	Name        string   `json:"name"`
	Title       string   `json:"title"`
	Area        string   `json:"area,omitempty"`
	Listed      bool     `json:"listed"`
	ReadOnly    bool     `json:"readOnly"`
	Scopes      []string `json:"scopes"`
	LegacyNames []string `json:"legacyNames,omitempty"`
	SchemaURI   string   `json:"schemaUri"`
}

func (s *server) readTools(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	view, p := s.viewFrom(ctx), account.From(ctx)
	allow := func(d *catalog.Definition) bool { return len(d.Missing(p.Has)) == 0 }
	shown := map[string]bool{}
	for _, d := range view.Listed(allow) {
		shown[d.Name] = true
	}
	out := []toolEntry{}
	for _, d := range view.Callable(allow) {
		out = append(out, toolEntry{Name: view.Name(d), Title: d.Title, Area: d.Area, Listed: shown[d.Name], ReadOnly: d.Annotations.ReadOnly,
			Scopes: d.Scopes, LegacyNames: d.LegacyNames, SchemaURI: schemaURI(d.Name)})
	}
	raw, err := marshal(map[string]any{"toolset": s.o.Catalogue.Toolset(), "areas": s.o.Catalogue.Areas(), "tools": out})
	if err != nil {
		return nil, err
	}
	return jsonContents(req.Params.URI, raw), nil
}

func jsonContents(uri string, raw json.RawMessage) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: mimeJSON, Text: string(raw)}}}
}
