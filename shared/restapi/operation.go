package restapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/middleware"
)

// operation is one row of the table: what the contract calls it and what does
// the work. Method, path, scope and shapes come from the contract by the id; a
// test holds the method and path that stand here for the reader to it.
type operation struct {
	id       string
	method   string
	path     string
	handle   func(context.Context, *call) (reply, error)
	noBody   bool                                           // the contract lets the body be left out
	keysOnly bool                                           // only an API key may call it, never a token of an MCP client (M-313)
	upload   bool                                           // multipart; the handler reads the body as it streams
	ticket   bool                                           // a signed ticket in the address stands for the credential
	shared   bool                                           // a share id in the query stands for the credential
	live     func(*API, http.ResponseWriter, *http.Request) // answers as long as the connection lasts, in place of handle
	streams  streamed                                       // when the answer is server-sent events
	lenient  bool                                           // body: fields of a wrong type are ignored, and the handler reads it (see loosened)
	own      *agreed                                        // ours alone: described here, not by the contract
	fills    func(*agreed)                                  // describes what the contract names and leaves to us
	// loose names bounds of body fields that the operation itself deals with: more
	// is dropped, or refused with another status or code. A field may be inside
	// others ("hypothesis.subgroups", "hypothesis.subgroups[].id"); bounds are
	// parted by commas.
	loose  map[string]string
	limit  int64           // ceiling of the body in bytes, under that of the API; 0 is none of its own
	ignore map[string]bool // headers that are ignored instead of refused when they do not fit

	agreed agreed
	once   sync.Once
	shapes shapes
	broken error
}

// shapes are the compiled parts of a request; nil where there is none.
type shapes struct{ path, query, header, body *shape }

// reply is what a handler answers. Body nil means no content; a file is sent as
// it is.
type reply struct {
	status int
	body   any
	file   *file
	header http.Header
}

// file is an answer that is no JSON.
type file struct {
	mediaType string
	content   []byte
}

func ok(body any) (reply, error) { return reply{status: http.StatusOK, body: body}, nil }

// data wraps a result as most operations answer it.
func data(v any) map[string]any { return map[string]any{"data": v} }

// page is the pagination of an offset list (M-312).
type page struct {
	Total  int `json:"total"`
	Limit  int `json:"limit"`
	Offset int `json:"offset"`
}

func paged(rows any, p page) (reply, error) {
	return ok(map[string]any{"data": rows, "pagination": p})
}

// open reports whether the operation needs no credential.
func (o *operation) open() bool { return o.agreed.Auth == "none" }

// ready compiles the shapes at the first call, so that starting costs nothing
// for the operations that nobody calls.
func (o *operation) ready() (shapes, error) {
	o.once.Do(func() { o.shapes, o.broken = o.build() })
	return o.shapes, o.broken
}

func (o *operation) build() (s shapes, err error) {
	req := o.agreed.Request
	set := func(dst **shape, part string, schema map[string]any) {
		if err == nil {
			if *dst, err = compile(o.id+"."+part, schema); err == nil {
				(*dst).operation = o.id
			}
		}
	}
	if params := pathParameters(o.path); len(params) > 0 {
		set(&s.path, "path", objectOf(pathSchema(o.agreed), params...))
	}
	set(&s.query, "query", closed(objectOf(req.Query)))
	if len(req.Headers) > 0 {
		set(&s.header, "header", objectOf(req.Headers))
	}
	switch body := o.body(); {
	case body == nil:
	case o.lenient:
		s.body = &shape{plain: body} // not compiled: the handler says what does not fit
	default:
		set(&s.body, "body", body)
	}
	return s, err
}

// body is the closed schema of the JSON body, nil if there is none. Uploads
// are read by their handler.
func (o *operation) body() map[string]any {
	if len(o.agreed.Request.Body) == 0 || o.upload {
		return nil
	}
	if o.lenient {
		return loosened(o.agreed.Request.Body)
	}
	body := closed(o.agreed.Request.Body)
	for field, bounds := range o.loose {
		if p := fieldAt(body, field); p != nil {
			for _, bound := range strings.Split(bounds, ",") {
				delete(p, bound) // a copy
			}
		}
	}
	return body
}

// fieldAt is the schema of a field by its path; nil where there is none.
func fieldAt(schema map[string]any, path string) map[string]any {
	for _, name := range strings.Split(path, ".") {
		name, items := strings.CutSuffix(name, "[]")
		props, _ := schema["properties"].(map[string]any)
		schema, _ = props[name].(map[string]any)
		if items {
			schema, _ = schema["items"].(map[string]any)
		}
	}
	return schema
}

// loosened describes a body of which the contract ignores what has a wrong type:
// the form that counts, beside anything else.
func loosened(body map[string]any) map[string]any {
	props, _ := body["properties"].(map[string]any)
	out := make(map[string]any, len(props))
	for name, form := range props {
		out[name] = map[string]any{"anyOf": []any{form, map[string]any{"description": "Anything else is ignored, or refused where the operation says so."}}}
	}
	return map[string]any{"type": "object", "properties": out}
}

// pathParameters lists the names in braces of a path.
func pathParameters(path string) []string {
	var names []string
	for _, part := range strings.Split(path, "/") {
		if strings.HasPrefix(part, "{") {
			names = append(names, strings.Trim(part, "{}"))
		}
	}
	return names
}

// pathSchema gives each path parameter its schema. All ids are UUIDs unless
// the contract says otherwise (section 1).
func pathSchema(a agreed) map[string]any {
	props := make(map[string]any)
	for _, name := range pathParameters(a.Path) {
		if s, ok := a.Request.Path[name]; ok {
			props[name] = s
			continue
		}
		props[name] = map[string]any{"type": "string", "format": "uuid"}
	}
	return props
}

// permit refuses a caller whose credential may not do this.
func (o *operation) permit(refuse middleware.Refuse) middleware.Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			p := account.From(r.Context())
			if s := o.agreed.Scope; s != "" && !p.Has(s) {
				refuse(w, r, fault.New(fault.InsufficientScope, "This credential lacks the scope %s; use a key that has it (mindgate key create --scopes %s).", s, s).
					With("requiredScope", s))
				return
			}
			if o.keysOnly && p.Method != "api_key" {
				refuse(w, r, fault.New(fault.Forbidden, "Keys are managed with an API key; a token of an MCP client cannot do it."))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// bind fills the rows of the table in from the contract.
func bind(rows []*operation, contract map[string]agreed) ([]*operation, error) {
	for _, o := range rows {
		if o.own != nil {
			o.agreed = *o.own
			o.agreed.OperationID, o.agreed.Method, o.agreed.Path = o.id, o.method, o.path
			continue
		}
		a, ok := contract[o.id]
		if !ok {
			return nil, fmt.Errorf("restapi: the contract has no operation %q", o.id)
		}
		o.agreed = a
		o.agreed.Request.Query = worded(a.Request.Query)
		if o.fills != nil {
			o.fills(&o.agreed)
		}
	}
	return rows, nil
}

// worded makes a schema of a parameter that the contract only says in words.
func worded(params map[string]any) map[string]any {
	out := make(map[string]any, len(params))
	for name, form := range params {
		if words, ok := form.(string); ok {
			form = map[string]any{"type": "string", "description": words}
		}
		out[name] = form
	}
	return out
}
