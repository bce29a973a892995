package tooltest

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// Structs holds the typed inputs and outputs of every registered tool and the
// schemas together: each property has a field of the right type, each field has
// its property.
func Structs(t *testing.T, r *tool.Registry, c *catalog.Catalogue) {
	t.Helper()
	for _, tl := range r.Tools() {
		def, ok := c.Lookup(tl.Name)
		if !ok {
			t.Errorf("%s is not in the catalogue", tl.Name)
			continue
		}
		if tl.NewInput != nil {
			Struct(t, tl.Name+" input", tl.NewInput(), def.Input)
		}
		if tl.NewOutput != nil {
			Struct(t, tl.Name+" output", tl.NewOutput(), def.Output)
		}
	}
}

// Struct compares one Go value's type with one JSON Schema.
func Struct(t testing.TB, what string, value any, schema []byte) {
	t.Helper()
	for _, line := range Differences(value, schema) {
		t.Errorf("%s: %s", what, line)
	}
}

// Differences are the lines that Struct reports.
func Differences(value any, schema []byte) []string {
	var s map[string]any
	if err := json.Unmarshal(schema, &s); err != nil {
		return []string{err.Error()}
	}
	var d differ
	d.compare("", reflect.TypeOf(value), s, 0)
	return d.lines
}

type differ struct{ lines []string }

func (d *differ) say(at, format string, args ...any) {
	if at == "" {
		at = "."
	}
	d.lines = append(d.lines, at+": "+fmt.Sprintf(format, args...))
}

var (
	rawMessage      = reflect.TypeFor[json.RawMessage]()
	jsonMarshaler   = reflect.TypeFor[json.Marshaler]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// opaque types bring their own JSON; only a transcript can check them.
func opaque(t reflect.Type) bool {
	if t == rawMessage || t.Kind() == reflect.Interface {
		return true
	}
	p := reflect.PointerTo(t)
	return p.Implements(jsonMarshaler) || p.Implements(jsonUnmarshaler)
}

func isText(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(textMarshaler) || p.Implements(textUnmarshaler)
}

func (d *differ) compare(at string, t reflect.Type, s map[string]any, depth int) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if depth > 20 || opaque(t) && !isText(t) {
		return
	}
	kinds := types(s)
	if len(kinds) != 1 {
		return // a free or a mixed value: nothing to compare
	}
	ok := true
	switch kinds[0] {
	case "string":
		ok = t.Kind() == reflect.String || isText(t)
	case "integer":
		ok = isInteger(t)
	case "number":
		ok = t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32 || isInteger(t)
	case "boolean":
		ok = t.Kind() == reflect.Bool
	case "array":
		ok = t.Kind() == reflect.Slice || t.Kind() == reflect.Array
		if items, has := s["items"].(map[string]any); ok && has {
			d.compare(at+"[]", t.Elem(), items, depth+1)
		}
	case "object":
		ok = t.Kind() == reflect.Struct || t.Kind() == reflect.Map
		if ok && t.Kind() == reflect.Struct {
			d.object(at, t, s, depth)
		}
		if values, has := s["additionalProperties"].(map[string]any); ok && has && t.Kind() == reflect.Map {
			d.compare(at+"{}", t.Elem(), values, depth+1)
		}
	}
	if !ok {
		d.say(at, "is %s in the schema, %s in Go", kinds[0], t)
	}
}

func isInteger(t reflect.Type) bool {
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64
}

func (d *differ) object(at string, t reflect.Type, s map[string]any, depth int) {
	props, _ := s["properties"].(map[string]any)
	if len(props) == 0 && s["additionalProperties"] != false {
		return // an open object: the schema says nothing about its fields
	}
	fields := map[string]reflect.Type{}
	collect(t, fields)
	for name, p := range props {
		field, has := fields[name]
		if !has {
			d.say(at, "property %s has no field in %s", name, t)
			continue
		}
		if ps, ok := p.(map[string]any); ok {
			d.compare(at+"."+name, field, ps, depth+1)
		}
	}
	for name := range fields {
		if _, has := props[name]; !has {
			d.say(at, "field %s of %s is no property", name, t)
		}
	}
	slices.Sort(d.lines)
}

// collect gathers JSON fields; embedded structs count as their fields.
func collect(t reflect.Type, into map[string]reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && tag == "" {
			e := f.Type
			if e.Kind() == reflect.Pointer {
				e = e.Elem()
			}
			if e.Kind() == reflect.Struct {
				collect(e, into)
				continue
			}
		}
		if !f.IsExported() || tag == "-" {
			continue
		}
		if tag == "" {
			tag = f.Name
		}
		into[tag] = f.Type
	}
}

// types are the types of a schema without null.
func types(s map[string]any) []string {
	var out []string
	switch v := s["type"].(type) {
	case string:
		out = []string{v}
	case []any:
		for _, e := range v {
			if n, ok := e.(string); ok && n != "null" {
				out = append(out, n)
			}
		}
	}
	return out
}
