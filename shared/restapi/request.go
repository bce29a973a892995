package restapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
)

// MaxJSONBody is the ceiling of a JSON body: the one of the MCP surface, so
// that no call fits through one door and not through the other.
const MaxJSONBody = 24 << 20

// call is one request that has passed its shapes.
type call struct {
	*research.Research
	request *http.Request
	api     *API
	path    map[string]any
	query   map[string]any
	header  map[string]any
	body    json.RawMessage // nil if there is none
}

// id is a path parameter.
func (c *call) id(name string) string { return c.path[name].(string) }

// text is a query parameter, "" if it was not sent.
func (c *call) text(name string) string { s, _ := c.query[name].(string); return s }

// number is a query parameter that the contract gives a default.
func (c *call) number(name string) int {
	switch n := c.query[name].(type) {
	case json.Number:
		i, _ := strconv.Atoi(n.String()) // the schema has checked it
		return i
	case float64:
		return int(n)
	}
	return 0
}

// sent is a header that was sent and fits, "" else.
func (c *call) sent(name string) string { s, _ := c.header[name].(string); return s }

// decode reads the checked body into a struct of a handler.
func (c *call) decode(into any) error {
	if c.body == nil {
		return nil
	}
	if err := json.Unmarshal(c.body, into); err != nil {
		if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) {
			what := "must not be of the type " + wrong.Value // where the contract leaves a form open
			if kind := wrong.Type.Kind(); strings.HasPrefix(wrong.Value, "number") && kind >= reflect.Int && kind <= reflect.Float64 {
				what = wrong.Value + " is out of range"
			}
			return fault.New(fault.Validation, "body field %s: %s.", wrong.Field, what).
				With("in", "body").With("path", "/"+strings.ReplaceAll(wrong.Field, ".", "/"))
		}
		return fault.New(fault.Internal, "The body could not be read.").Because(err)
	}
	return nil
}

// read checks every part of a request and gathers what is wrong with all of
// them, so that a caller mends a call in one go.
func (o *operation) read(w http.ResponseWriter, r *http.Request, maxBody int64) (*call, error) {
	s, err := o.ready()
	if err != nil {
		return nil, err
	}
	if o.limit > 0 {
		maxBody = min(maxBody, o.limit)
	}
	c := &call{request: r}
	if s.path != nil {
		c.path = make(map[string]any)
		for name := range s.path.plain["properties"].(map[string]any) {
			c.path[name] = r.PathValue(name)
		}
		if err := check("path", s.path, c.path); err != nil {
			return nil, err
		}
		normal(s.path.plain, c.path)
	}
	var faults []error
	c.query, err = readQuery(r.URL.Query(), s.query)
	faults = append(faults, err)
	if s.header != nil {
		c.header, err = o.readHeaders(r.Header, s.header)
		faults = append(faults, err)
	}
	if s.body != nil {
		c.body, err = o.readBody(w, r, s.body, maxBody)
		faults = append(faults, err)
	}
	return c, joined(faults)
}

// joined puts several refusals into one; the first of them gives the code.
func joined(faults []error) error {
	faults = slices.DeleteFunc(faults, func(err error) bool { return err == nil })
	if len(faults) < 2 {
		return errors.Join(faults...)
	}
	first := fault.From(faults[0])
	texts := []string{}
	var problems []problem
	for _, err := range faults {
		f := fault.From(err)
		texts = append(texts, f.Message)
		if list, ok := f.Data["problems"].([]problem); ok {
			problems = append(problems, list...)
		}
		if f.Code != fault.Validation && f.Code != fault.RetiredField {
			return err // not a matter of shape: too large, wrong type
		}
	}
	return fault.New(first.Code, "%s", strings.Join(texts, " ")).With("in", first.Data["in"]).With("path", first.Data["path"]).With("problems", problems)
}

// readQuery turns the query into typed values and checks them.
func readQuery(values url.Values, s *shape) (map[string]any, error) {
	props := s.plain["properties"].(map[string]any)
	out := make(map[string]any)
	for name, list := range values {
		if len(list) > 1 {
			return nil, fault.New(fault.Validation, "query parameter %s is given %d times; send it once.", name, len(list)).With("in", "query").With("path", "/"+name)
		}
		out[name] = typed(props[name], list[0])
	}
	if err := check("query", s, out); err != nil {
		return nil, err
	}
	return normal(s.plain, out).(map[string]any), nil
}

// typed reads a text as the type that its schema asks for; what cannot be read
// stays text, and the schema refuses it with a readable rule.
func typed(schema any, text string) any {
	s, _ := schema.(map[string]any)
	switch s["type"] {
	case "integer", "number":
		if _, err := strconv.ParseFloat(text, 64); err == nil && json.Valid([]byte(text)) {
			return json.Number(text)
		}
	case "boolean":
		if text == "true" || text == "false" {
			return text == "true"
		}
	}
	return text
}

func (o *operation) readHeaders(h http.Header, s *shape) (map[string]any, error) {
	out := make(map[string]any)
	for name := range s.plain["properties"].(map[string]any) {
		v := strings.TrimSpace(h.Get(name))
		if v == "" {
			continue
		}
		one := map[string]any{name: v}
		if err := check("header", s, one); err != nil {
			if o.ignore[name] {
				continue
			}
			return nil, err
		}
		out[name] = v
	}
	return normal(s.plain, out).(map[string]any), nil
}

// readBody reads and checks a JSON body and returns it in normal form.
func (o *operation) readBody(w http.ResponseWriter, r *http.Request, s *shape, maxBody int64) (json.RawMessage, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return nil, bodyFault(err, maxBody)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		if !o.noBody {
			return nil, fault.New(fault.Validation, "The body is missing; send a JSON object with %s.", strings.Join(required(s.plain), ", ")).With("in", "body").With("path", "")
		}
		raw = []byte("{}")
	} else if t := r.Header.Get("Content-Type"); !isJSON(t) {
		return nil, fault.New(fault.UnsupportedMediaType, "The body must be JSON; send Content-Type: application/json (got %q).", t)
	}
	if !utf8.Valid(raw) {
		return nil, fault.New(fault.Validation, "The body is not valid UTF-8; encode it as UTF-8.").With("in", "body").With("path", "")
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fault.New(fault.Validation, "The body is not valid JSON: %s.", jsonComplaint(raw)).With("in", "body").With("path", "")
	}
	if name, is := repeated(raw); is {
		return nil, fault.New(fault.Validation, "The body has the key %s twice in one object; send it once.", strconv.Quote(clipped(name))).With("in", "body").With("path", "")
	}
	if o.lenient {
		if _, ok := v.(map[string]any); !ok {
			return nil, fault.New(fault.Validation, "The body must be a JSON object.").With("in", "body").With("path", "")
		}
		return raw, nil
	}
	if err := check("body", s, v); err != nil {
		return nil, err
	}
	out, err := json.Marshal(normal(s.plain, v))
	if err != nil {
		return nil, err
	}
	return out, nil
}

func isJSON(contentType string) bool {
	t, _, err := mime.ParseMediaType(contentType)
	return err == nil && (t == "application/json" || strings.HasSuffix(t, "+json"))
}

func required(schema map[string]any) []string {
	list, _ := schema["required"].([]any)
	var out []string
	for _, v := range list {
		out = append(out, v.(string))
	}
	if out == nil {
		out = []string{"its fields"}
	}
	return out
}

// jsonComplaint says where a text stops being JSON.
func jsonComplaint(raw []byte) string {
	var v any
	err := json.Unmarshal(raw, &v)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line := 1 + bytes.Count(raw[:min(int(syntax.Offset), len(raw))], []byte("\n"))
		return syntax.Error() + " (line " + strconv.Itoa(line) + ", byte " + strconv.FormatInt(syntax.Offset, 10) + ")"
	}
	return "there is more after its end, or a number is out of range"
}

// sizeOf words a number of bytes, also in the unit that it is a whole number of.
func sizeOf(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d bytes (%d MiB)", n, n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d bytes (%d KiB)", n, n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// bodyFault turns a failed read of a body into the refusal for it.
func bodyFault(err error, limit int64) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return fault.New(fault.PayloadTooLarge, "The body is above %s; send less.", sizeOf(limit)).With("limitBytes", limit)
	}
	return fault.New(fault.Validation, "The body ended early; send it again.").With("in", "body").Because(err)
}
