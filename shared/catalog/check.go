package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// compiled holds the schemas of one tool, compiled at their first use: a
// function that serves one tool pays for one.
type compiled struct {
	input, output side
}

type side struct {
	once   sync.Once
	doc    any // the schema as parsed, for reading names and defaults
	schema *jsonschema.Schema
	err    error
}

func (s *side) load(url string, raw json.RawMessage) (*jsonschema.Schema, any, error) {
	s.once.Do(func() {
		s.doc, s.err = jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if s.err != nil {
			return
		}
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		c.AssertFormat() // uuid, uri, date-time, email are rules here, not notes
		c.UseLoader(noLoader{})
		if s.err = c.AddResource(url, s.doc); s.err == nil {
			s.schema, s.err = c.Compile(url)
		}
	})
	if s.err != nil {
		return nil, nil, fmt.Errorf("catalog: schema %s: %w", url, s.err)
	}
	return s.schema, s.doc, nil
}

// noLoader refuses to load a schema from anywhere: the contract's stand alone.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("schema %s is not part of the contract", url)
}

// Prepare turns a caller's arguments into those that a handler takes: aliases
// mapped, the full schema checked, defaults filled, UUIDs lower-cased, whole
// numbers written as integers. A refusal is VALIDATION (or
// CONFIRMATION_REQUIRED) and names every fault that was found.
func (d *Definition) Prepare(args json.RawMessage) (json.RawMessage, error) {
	schema, doc, err := d.compiled.input.load("mindgate:"+d.Name+"/input", d.Input)
	if err != nil {
		return nil, err
	}
	value, err := decode(args)
	if err != nil {
		return nil, err
	}
	given, ok := value.(map[string]any)
	if !ok {
		return nil, fault.New(fault.Validation, "arguments: must be a JSON object of named arguments.").
			With("errors", []Problem{{Field: "arguments", Rule: "must be a JSON object of named arguments", Example: d.example()}})
	}
	if err := d.mapAliases(given); err != nil {
		return nil, err
	}
	d.leaveOut(given)
	if err := schema.Validate(given); err != nil {
		var ve *jsonschema.ValidationError
		if !errors.As(err, &ve) {
			return nil, fmt.Errorf("catalog: check of %s: %w", d.Name, err)
		}
		if d.takes("trainMembers") && given["trainMembers"] == false {
			return nil, OptOutRemoved()
		}
		return nil, d.refusal(doc, ve)
	}
	settle(doc, given, func() bool { return schema.Validate(given) == nil })
	return encode(given)
}

// takes reports whether the tool has an argument of this name.
func (d *Definition) takes(name string) bool {
	var in struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	return json.Unmarshal(d.Input, &in) == nil && in.Properties[name] != nil
}

// decode reads arguments; nothing or null is no arguments.
func decode(args json.RawMessage) (any, error) {
	if t := bytes.TrimSpace(args); len(t) == 0 || bytes.Equal(t, []byte("null")) {
		return map[string]any{}, nil
	}
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, fault.New(fault.Validation, "arguments: must be valid JSON.").Because(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fault.New(fault.Validation, "arguments: must be one JSON object.")
	}
	if err := sane(v, 0); err != nil {
		return nil, err
	}
	return v, nil
}

func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// CheckResult tells whether an answer is true to the tool's full result schema.
// Tests use it; serving does not pay for it.
func (d *Definition) CheckResult(structured json.RawMessage) error {
	schema, _, err := d.compiled.output.load("mindgate:"+d.Name+"/output", d.Output)
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(structured))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

func (d *Definition) example() any {
	if len(d.Examples) == 0 {
		return nil
	}
	return d.Examples[0]
}
