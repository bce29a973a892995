package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// maxInlined bounds a schema without references, in nodes.
const maxInlined = 200_000

var errCircular = errors.New("catalog: the schema refers to itself")

// Inline gives a copy of a schema in which each "$ref" into the schema itself
// is replaced by what it names, for clients that do not follow references. A
// schema that refers to itself, or to another document, cannot be written so.
func Inline(schema json.RawMessage) (json.RawMessage, error) {
	root, err := decode(schema)
	if err != nil {
		return nil, err
	}
	in := &inliner{root: root, left: maxInlined}
	out, err := in.walk(root, nil)
	if err != nil {
		return nil, err
	}
	if m, ok := out.(map[string]any); ok {
		delete(m, "$defs")
		delete(m, "definitions")
	}
	return encode(out)
}

type inliner struct {
	root any
	left int
}

// walk copies a value; open are the references that it stands in.
func (in *inliner) walk(v any, open []string) (any, error) {
	if in.left--; in.left < 0 {
		return nil, errors.New("catalog: the schema is too large without references")
	}
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			return in.follow(ref, v, open)
		}
		out := make(map[string]any, len(v))
		for k, e := range v {
			c, err := in.walk(e, open)
			if err != nil {
				return nil, err
			}
			out[k] = c
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			c, err := in.walk(e, open)
			if err != nil {
				return nil, err
			}
			out[i] = c
		}
		return out, nil
	}
	return v, nil
}

// follow replaces a reference; keywords beside it are added to its target, as
// 2020-12 has it, unless both say the same one.
func (in *inliner) follow(ref string, beside map[string]any, open []string) (any, error) {
	for _, o := range open {
		if o == ref {
			return nil, errCircular
		}
	}
	target, err := in.find(ref)
	if err != nil {
		return nil, err
	}
	got, err := in.walk(target, append(open[:len(open):len(open)], ref))
	if err != nil || len(beside) == 1 {
		return got, err
	}
	rest := make(map[string]any, len(beside))
	for k, v := range beside {
		if k != "$ref" {
			if rest[k], err = in.walk(v, open); err != nil {
				return nil, err
			}
		}
	}
	m, ok := got.(map[string]any)
	if !ok {
		return map[string]any{"allOf": []any{got, rest}}, nil
	}
	for k := range rest {
		if _, both := m[k]; both {
			return map[string]any{"allOf": []any{m, rest}}, nil
		}
	}
	for k, v := range rest {
		m[k] = v
	}
	return m, nil
}

// find reads a JSON pointer of the schema ("#/$defs/name").
func (in *inliner) find(ref string) (any, error) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok || path != "" && path[0] != '/' {
		return nil, fmt.Errorf("catalog: %q is outside the schema", ref)
	}
	at := in.root
	for _, step := range strings.Split(path, "/")[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		m, ok := at.(map[string]any)
		if ok {
			at, ok = m[step]
		}
		if !ok {
			return nil, fmt.Errorf("catalog: %q names nothing", ref)
		}
	}
	return at, nil
}
