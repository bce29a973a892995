package restapi

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Document is the OpenAPI 3.1 description of the table. part is the contract's
// word on its operations (Compact); server is the address that they stand
// under.
func Document(part []byte, server, version string) (map[string]any, error) {
	contract, err := parseContract(part)
	if err != nil {
		return nil, err
	}
	rows, err := bind(table(), contract)
	if err != nil {
		return nil, err
	}
	return document(rows, server, version), nil
}

func document(rows []*operation, server, version string) map[string]any {
	paths := map[string]any{}
	for _, o := range rows {
		item, _ := paths[o.path].(map[string]any)
		if item == nil {
			item = map[string]any{}
			paths[o.path] = item
		}
		item[strings.ToLower(o.method)] = o.describe()
	}
	return map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{
			"title":       "Mindgate",
			"version":     version,
			"description": "Synthetic research over REST: Minds, Audiences, Studies, answers and exports. Every answer is simulated and says what it rests on.",
			"license":     map[string]any{"name": "Apache-2.0", "identifier": "Apache-2.0"},
		},
		"servers":  []any{map[string]any{"url": server}},
		"security": []any{map[string]any{"apiKey": []any{}}},
		"tags":     tags(rows),
		"paths":    paths,
		"components": map[string]any{
			"securitySchemes": map[string]any{
				"apiKey": map[string]any{"type": "http", "scheme": "bearer", "description": "An API key: minds_ and 48 hex digits."},
			},
			"schemas": map[string]any{"Error": errorSchema()},
		},
	}
}

func errorSchema() map[string]any {
	text := func(d string) map[string]any { return map[string]any{"type": "string", "description": d} }
	return map[string]any{
		"type":        "object",
		"description": "The one form of every refusal. Branch on statusCode and data.code.",
		"properties": map[string]any{
			"statusCode":    map[string]any{"type": "integer"},
			"statusMessage": text("The status in words."),
			"message":       text("Names the field, the rule and a way out."),
			"url":           text("The path that was called."),
			"error":         map[string]any{"const": true},
			"data": map[string]any{
				"type":        "object",
				"description": "Absent with 401.",
				"properties": map[string]any{
					"code":       text("The stable code of the refusal."),
					"requestId":  text("With 500 and above: what the operator's log calls this request."),
					"retryAfter": map[string]any{"type": "integer", "description": "Seconds to wait before the same call, where they are known."},
				},
				"required": []any{"code"},
			},
		},
		"required": []any{"statusCode", "statusMessage", "message", "url", "error"},
	}
}

func tags(rows []*operation) []any {
	var names []string
	for _, o := range rows {
		if t := o.tag(); !slices.Contains(names, t) {
			names = append(names, t)
		}
	}
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = map[string]any{"name": n}
	}
	return out
}

// tag is the resource that a path is about.
func (o *operation) tag() string {
	rest := strings.TrimPrefix(o.path, "/api/v1/")
	first, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
	switch first {
	case "healthz", "openapi.json":
		return "service"
	case "auth", "api-keys", "usage":
		return "account"
	case "shared":
		_, kind, _ := strings.Cut(rest, "/")
		kind, _, _ = strings.Cut(kind, "/")
		return kind
	case "runs":
		return "studies"
	}
	return first
}

func (o *operation) describe() map[string]any {
	a := o.agreed
	d := map[string]any{
		"operationId": a.OperationID,
		"summary":     a.Summary,
		"tags":        []any{o.tag()},
		"responses":   o.responses(),
	}
	if text := o.remarks(); text != "" {
		d["description"] = text
	}
	if o.open() {
		d["security"] = []any{}
	}
	if a.Scope != "" {
		d["x-required-scope"] = a.Scope
	}
	if params := o.parameters(); len(params) > 0 {
		d["parameters"] = params
	}
	switch {
	case o.upload:
		d["requestBody"] = map[string]any{"required": true, "content": map[string]any{
			"multipart/form-data": map[string]any{"schema": uploadSchema()},
			"application/json":    map[string]any{"schema": addSchema(o.agreed.Request.Body)},
		}}
	case o.body() != nil:
		d["requestBody"] = map[string]any{"required": !o.noBody, "content": jsonContent(o.body())}
	}
	return d
}

// remarks are what the contract says of an operation beside its shapes.
func (o *operation) remarks() string {
	a := o.agreed
	var parts []string
	if a.Pagination != nil {
		parts = append(parts, "Paging: "+*a.Pagination+".")
	}
	if a.Idempotency != nil {
		parts = append(parts, "Repeating: "+*a.Idempotency+".")
	}
	if len(a.Limits) > 0 {
		var limits []string
		for _, name := range slices.Sorted(maps.Keys(a.Limits)) {
			if s, ok := a.Limits[name].(string); ok {
				limits = append(limits, name+" "+s)
			}
		}
		parts = append(parts, "Limits: "+strings.Join(limits, ", ")+".")
	}
	if len(a.Tools) > 0 {
		parts = append(parts, "MCP tools: "+strings.Join(a.Tools, ", ")+".")
	}
	return strings.Join(parts, " ")
}

func (o *operation) parameters() []any {
	var out []any
	add := func(in, name string, schema any, required bool) {
		out = append(out, map[string]any{"in": in, "name": name, "required": required, "schema": schema})
	}
	inPath := pathSchema(o.agreed)
	for _, name := range pathParameters(o.path) {
		add("path", name, inPath[name], true)
	}
	for _, name := range slices.Sorted(maps.Keys(o.agreed.Request.Query)) {
		add("query", name, o.agreed.Request.Query[name], false)
	}
	for _, name := range slices.Sorted(maps.Keys(o.agreed.Request.Headers)) {
		add("header", name, o.agreed.Request.Headers[name], false)
	}
	return out
}

func (o *operation) responses() map[string]any {
	out := map[string]any{}
	refusal := func(text string) map[string]any {
		return map[string]any{"description": text, "content": jsonContent(map[string]any{"$ref": "#/components/schemas/Error"})}
	}
	for status, text := range o.everyRefusal() {
		out[status] = refusal(text)
	}
	for status, text := range o.agreed.StatusCodes {
		out[status] = refusal(text)
	}
	for status, shape := range o.agreed.Response {
		if _, err := strconv.Atoi(status); err != nil {
			continue // "200 text/event-stream": below
		}
		n, _ := strconv.Atoi(status)
		answer := map[string]any{"description": http.StatusText(n)}
		switch s := shape.(type) {
		case string:
			answer["description"] = s
			if n == http.StatusOK {
				if main, ok := o.agreed.Response["201"].(map[string]any); ok {
					answer["content"] = jsonContent(main)
				}
			}
		case map[string]any:
			if len(s) > 0 {
				answer["content"] = jsonContent(loose(s).(map[string]any))
			}
		case []string: // media types of a file
			content := map[string]any{}
			for _, t := range s {
				content[t] = map[string]any{"schema": map[string]any{"type": "string", "format": "binary"}}
			}
			answer["content"] = content
		}
		out[status] = answer
	}
	for status, shape := range o.agreed.Response { // "200 application/x-ndjson"
		code, kind, ok := strings.Cut(status, " ")
		if !ok || kind == "text/event-stream" && o.streams != never {
			continue
		}
		n, _ := strconv.Atoi(code)
		answer, _ := out[code].(map[string]any)
		if answer == nil {
			answer = map[string]any{"description": http.StatusText(n), "content": map[string]any{}}
			out[code] = answer
		}
		content := answer["content"].(map[string]any)
		switch s := shape.(type) {
		case string: // in words, such as which lines follow one another
			content[kind] = map[string]any{"schema": inWords(kind, s)}
		case map[string]any:
			content[kind] = map[string]any{"schema": loose(s)}
		}
	}
	if o.streams != never {
		content := out["200"].(map[string]any)["content"].(map[string]any)
		content["text/event-stream"] = o.streams.frames()
	}
	return out
}

// inWords is the schema of an answer that the contract has in words: of a stream of
// events it is the schema of each.
func inWords(kind, words string) map[string]any {
	if kind != "text/event-stream" {
		return map[string]any{"type": "string", "description": words}
	}
	text := map[string]any{"type": "string"}
	return map[string]any{"type": "object", "description": words,
		"properties": map[string]any{"id": text, "event": text, "data": map[string]any{"type": "string", "description": "JSON."}},
		"required":   []any{"event", "data"}}
}

// loose is a copy of a shape whose forms may fit an answer together: where the
// contract says oneOf, an answer of the first form often fits a second one too,
// which requires nothing.
func loose(shape any) any {
	switch s := shape.(type) {
	case map[string]any:
		out := make(map[string]any, len(s))
		for k, v := range s {
			if k == "oneOf" {
				k = "anyOf"
			}
			out[k] = loose(v)
		}
		return out
	case []any:
		out := make([]any, len(s))
		for i, v := range s {
			out[i] = loose(v)
		}
		return out
	}
	return shape
}

// everyRefusal are the refusals that any operation of this form can meet, where
// the contract does not word them for it.
func (o *operation) everyRefusal() map[string]string {
	if o.id == "health" {
		return nil
	}
	out := map[string]string{
		"400": "VALIDATION: a parameter or a field that is unknown, missing or malformed; data.problems names each",
		"502": "STORAGE_UNAVAILABLE: a store is full, busy or away for a while; repeat the same call after Retry-After seconds, a write with the same key",
	}
	if o.agreed.Scope != "" {
		out["403"] = "FORBIDDEN: the credential lacks the scope of this operation"
	}
	if len(pathParameters(o.path)) > 0 || o.namesRecord() {
		out["404"] = "NOT_FOUND: no such record, or another tenant's"
	}
	if o.upload || o.body() != nil {
		out["413"] = "PAYLOAD_TOO_LARGE: the body is above the ceiling"
		out["415"] = "UNSUPPORTED_MEDIA_TYPE: a body of another media type than the one described"
	}
	if o.agreed.Idempotency != nil {
		out["409"] = "IDEMPOTENCY_CONFLICT: the key was used with other input; IDEMPOTENCY_IN_PROGRESS: the same call still runs"
	}
	return out
}

// namesRecord tells whether a query parameter is the id of a record.
func (o *operation) namesRecord() bool {
	for _, form := range o.agreed.Request.Query {
		if s, ok := form.(map[string]any); ok && s["format"] == "uuid" {
			return true
		}
	}
	return false
}

func jsonContent(schema map[string]any) map[string]any {
	return map[string]any{"application/json": map[string]any{"schema": schema}}
}

// documents mounts the document under its addresses and the reference page.
func (a *API) documents() {
	raw := sync.OnceValues(func() ([]byte, error) {
		return json.Marshal(document(a.rows, a.config.PublicURL, a.config.Version))
	})
	serve := func(w http.ResponseWriter, r *http.Request) {
		body, err := raw()
		if err != nil {
			Refuse(w, r, a.config.Log, fault.From(err))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "public, max-age=300")
		_, _ = w.Write(body)
	}
	a.mux.HandleFunc("GET /openapi.json", serve)
	a.mux.HandleFunc("GET /_openapi.json", serve)
	a.document = raw
	page := sync.OnceValue(func() []byte { return []byte(reference(a.rows, a.config.Version)) })
	a.mux.HandleFunc("GET /docs", func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Cache-Control", "public, max-age=300")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(page())
	})
}

func getOpenAPIDocument(_ context.Context, c *call) (reply, error) {
	body, err := c.api.document()
	if err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusOK, body: json.RawMessage(body), header: http.Header{"Cache-Control": {"public, max-age=300"}}}, nil
}
