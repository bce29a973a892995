package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema is the form of a structured answer: a JSON schema of type object, whose
// objects name all their properties as required and allow no others (what strict
// modes ask for). Share it by pointer: it is compiled once.
type Schema struct {
	Name string // letters, digits and underscores; some providers show it to the model
	JSON json.RawMessage
	// Also tells what else does not fit in an answer that fits JSON, in words for
	// the model, and nothing when all is well. It is for rules that not every
	// provider's schema mode takes, such as how many items a list may have.
	Also func(doc json.RawMessage) string

	once     sync.Once
	compiled *jsonschema.Schema
	err      error
}

// Check tells what in doc does not fit the schema, in words for the model, or
// nil. A schema that is none is a mistake of the program and comes back as such.
func (s *Schema) Check(doc json.RawMessage) error {
	s.once.Do(s.compile)
	if s.err != nil {
		return s.err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return &misfit{"it is no JSON"}
	}
	err = s.compiled.Validate(v)
	var ve *jsonschema.ValidationError
	if errors.As(err, &ve) {
		return &misfit{problems(ve)}
	}
	if err == nil && s.Also != nil {
		if what := s.Also(doc); what != "" {
			return &misfit{what}
		}
	}
	return err
}

// misfit is an answer that does not fit, as opposed to a schema that is none.
type misfit struct{ what string }

func (m *misfit) Error() string { return m.what }

func (s *Schema) compile() {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.JSON))
	if err == nil {
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		c.UseLoader(noLoader{})
		if err = c.AddResource("mem:///answer", doc); err == nil {
			s.compiled, err = c.Compile("mem:///answer")
		}
	}
	if err != nil {
		s.err = fmt.Errorf("model: schema %s: %w", s.Name, err)
	}
}

// noLoader refuses to read what a schema refers to outside of itself: some schemas
// are a caller's, who would choose a file of this machine.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errors.New("a schema stands alone here") }

// mostProblems bounds what is said about a misfit.
const mostProblems = 600

func problems(ve *jsonschema.ValidationError) string {
	var lines []string
	for line := range strings.Lines(ve.Error()) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "- "); ok {
			lines = append(lines, rest)
		}
	}
	out := strings.Join(lines, "; ")
	if len(out) > mostProblems {
		out = strings.ToValidUTF8(out[:mostProblems], "") + "…"
	}
	if out == "" {
		return "it does not fit the schema"
	}
	return out
}

// InWords tells a model what to answer with, where the provider has no mode for it.
func (s *Schema) InWords() string {
	return "Answer with one JSON object that fits this JSON schema, and with nothing else:\n" + string(s.JSON)
}

// FindJSON gives the JSON object inside an answer: the whole of it, or what stands
// in a code fence or between other words. It is nil when there is none, or none
// among the first few braces.
func FindJSON(answer string) json.RawMessage {
	rest := answer
	for range 16 {
		i := strings.IndexByte(rest, '{')
		if i < 0 {
			return nil
		}
		rest = rest[i:]
		var raw json.RawMessage
		if json.NewDecoder(strings.NewReader(rest)).Decode(&raw) == nil {
			return raw
		}
		rest = rest[1:]
	}
	return nil
}
