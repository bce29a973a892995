package listing

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Entry is one tool as the catalogue embeds it.
type Entry struct {
	Name            string            `json:"name"`
	Title           string            `json:"title"`
	Description     string            `json:"description"`
	Toolset         string            `json:"toolset"`
	Area            string            `json:"area"`
	Discovery       string            `json:"discovery"`
	LegacyNames     []string          `json:"legacyNames,omitempty"`
	ArgumentAliases map[string]string `json:"argumentAliases,omitempty"`
	Annotations     json.RawMessage   `json:"annotations"`
	Scopes          []string          `json:"scopes"`
	Input           json.RawMessage   `json:"input"`        // full schema, enforced
	Output          json.RawMessage   `json:"output"`       // full schema, true for every answer
	ListedInput     json.RawMessage   `json:"listedInput"`  // short form
	ListedOutput    json.RawMessage   `json:"listedOutput"` // short form
	Examples        []json.RawMessage `json:"examples"`     // valid arguments, for refusals that show one
}

// Tool is one entry of a contract's tools.json, as far as the catalogue and the
// tests of examples read it.
type Tool struct {
	Name              string            `json:"name"`
	Title             string            `json:"title"`
	Description       string            `json:"description"`
	Toolset           string            `json:"toolset"`
	Area              string            `json:"area"`
	Discovery         string            `json:"discovery"`
	LegacyNames       []string          `json:"legacyNames"`
	ArgumentAliases   map[string]string `json:"argumentAliases"`
	Annotations       json.RawMessage   `json:"annotations"`
	Scopes            []string          `json:"scopes"`
	InputSchema       json.RawMessage   `json:"inputSchema"`
	StructuredContent json.RawMessage   `json:"structuredContent"`
	Examples          []Example         `json:"examples"`
}

// Example is one checked call of the contract.
type Example struct {
	Arguments json.RawMessage `json:"arguments"`
	Valid     bool            `json:"valid"`
	Why       string          `json:"why"`
}

// Compact turns a contract's tools.json into the file that the catalogue
// embeds: one tool a line, nothing that a call does not need.
func Compact(contract []byte) ([]byte, error) {
	var tools []Tool
	if err := json.Unmarshal(contract, &tools); err != nil {
		return nil, fmt.Errorf("listing: %w", err)
	}
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, t := range tools {
		e := Entry{
			Name: t.Name, Title: t.Title, Description: t.Description, Toolset: t.Toolset, Area: t.Area,
			Discovery: t.Discovery, LegacyNames: t.LegacyNames, ArgumentAliases: t.ArgumentAliases,
			Annotations: t.Annotations, Scopes: t.Scopes, Input: t.InputSchema, Output: t.StructuredContent,
		}
		var err error
		if e.ListedInput, err = Input(t.InputSchema); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		if e.ListedOutput, err = Output(t.StructuredContent); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		for _, x := range t.Examples {
			if x.Valid {
				e.Examples = append(e.Examples, x.Arguments)
			}
		}
		line, err := encode(e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		var flat bytes.Buffer
		if err := json.Compact(&flat, line); err != nil {
			return nil, err
		}
		b.Write(flat.Bytes())
		if i < len(tools)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]\n")
	return b.Bytes(), nil
}
