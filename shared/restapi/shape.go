package restapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mindgate-dev/mindgate/shared/catalog"
)

// shape is one compiled schema of the contract with its plain form beside it.
type shape struct {
	plain     map[string]any
	compiled  *jsonschema.Schema
	operation string // whose it is; empty: nobody's
}

// open names the objects that callers may extend: their fields are for others.
var open = map[string]bool{"metadata": true, "response_format": true}

// closed copies a schema of the contract with every object that lists its
// properties closed, so that a misspelt field is refused and not ignored.
func closed(schema map[string]any) map[string]any { return closedAt("", schema).(map[string]any) }

func closedAt(name string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v)+1)
		for k, sub := range v {
			if k == "properties" {
				props := make(map[string]any)
				for field, s := range sub.(map[string]any) {
					props[field] = closedAt(field, s)
				}
				out[k] = props
				continue
			}
			out[k] = closedAt(name, sub)
		}
		_, lists := v["properties"].(map[string]any)
		if _, said := v["additionalProperties"]; lists && !said && !open[name] {
			out["additionalProperties"] = false
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, sub := range v {
			out[i] = closedAt(name, sub)
		}
		return out
	}
	return v
}

// objectOf makes the schema of a closed object from its properties, all of
// them optional unless listed.
func objectOf(properties map[string]any, required ...string) map[string]any {
	s := map[string]any{"type": "object", "properties": maps.Clone(properties), "additionalProperties": false}
	if properties == nil {
		s["properties"] = map[string]any{}
	}
	if len(required) > 0 {
		slices.Sort(required)
		list := make([]any, len(required))
		for i, r := range required {
			list[i] = r
		}
		s["required"] = list
	}
	return s
}

func compile(name string, schema map[string]any) (*shape, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseLoader(noLoader{})
	url := "mem:///" + name
	if err := c.AddResource(url, schema); err != nil {
		return nil, fmt.Errorf("schema of %s: %w", name, err)
	}
	compiled, err := c.Compile(url)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", name, err)
	}
	return &shape{plain: schema, compiled: compiled}, nil
}

// noLoader refuses to read what a schema refers to outside of itself: some schemas
// are a caller's, who would choose a file of this machine.
type noLoader struct{}

func (noLoader) Load(string) (any, error) {
	return nil, errors.New("a schema stands alone here")
}

// normal returns a value that has passed its schema in the form the domain
// expects: defaults filled in, UUIDs in lower case, 5.0 written as 5.
func normal(schema map[string]any, v any) any {
	switch v := v.(type) {
	case string:
		if schema["format"] == "uuid" {
			return strings.ToLower(v)
		}
	case json.Number:
		return catalog.Whole(v)
	case []any:
		if items, ok := schema["items"].(map[string]any); ok {
			for i := range v {
				v[i] = normal(items, v[i])
			}
		}
	case map[string]any:
		props, _ := schema["properties"].(map[string]any)
		for field, s := range props {
			sub, ok := s.(map[string]any)
			if !ok {
				continue
			}
			if given, ok := v[field]; ok {
				v[field] = normal(sub, given)
			} else if def, ok := sub["default"]; ok {
				v[field] = def
			}
		}
	}
	return v
}
