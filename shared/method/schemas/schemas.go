// Package schemas cuts the configuration schemas of the methods out of the
// contract's shapes, each whole in itself.
package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

const prefix = "MethodConfiguration."

// Configurations gives an object of method id to JSON schema, references
// replaced by what they name, indented, keys sorted.
func Configurations(contract []byte) ([]byte, error) {
	var doc struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(contract, &doc); err != nil {
		return nil, fmt.Errorf("schemas: %w", err)
	}
	out := map[string]any{}
	for name, schema := range doc.Defs {
		if id, ok := strings.CutPrefix(name, prefix); ok {
			s, err := inline(schema, doc.Defs, 0)
			if err != nil {
				return nil, err
			}
			out[id] = s
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(out)
	return b.Bytes(), err
}

func inline(v any, defs map[string]any, depth int) (any, error) {
	if depth > 40 {
		return nil, fmt.Errorf("schemas: a schema refers to itself")
	}
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			name, _ := strings.CutPrefix(ref, "#/$defs/")
			if defs[name] == nil {
				return nil, fmt.Errorf("schemas: nothing is called %s", ref)
			}
			return inline(defs[name], defs, depth+1)
		}
		out := make(map[string]any, len(v))
		for k, e := range v {
			s, err := inline(e, defs, depth+1)
			if err != nil {
				return nil, err
			}
			out[k] = s
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			s, err := inline(e, defs, depth+1)
			if err != nil {
				return nil, err
			}
			out[i] = s
		}
		return out, nil
	}
	return v, nil
}
