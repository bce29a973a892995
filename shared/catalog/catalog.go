// Package catalog knows every tool of the contract: names, old names, argument
// aliases, hints, scopes, the schemas that are enforced and the short ones that
// are listed. It embeds only what a router needs; nothing here runs a tool.
package catalog

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/catalog/listing"
)

//go:generate go run ./gen

//go:embed minds.gen.json
var mindsFile []byte

// Discovery says whether a tool is listed.
type Discovery string

// How a tool is found. An explicit tool is callable by name and never listed.
const (
	Advertised            Discovery = "advertised"
	AdvertisedWhenEnabled Discovery = "advertised-when-enabled"
	Explicit              Discovery = "explicit"
)

// Annotations are the hints of one tool; all four are always sent, because a
// client assumes the worst of one that is missing.
type Annotations struct {
	Title       string `json:"title"`
	ReadOnly    bool   `json:"readOnlyHint"`
	Destructive bool   `json:"destructiveHint"`
	Idempotent  bool   `json:"idempotentHint"`
	OpenWorld   bool   `json:"openWorldHint"`
}

// Definition is one tool of the contract. It is never changed after loading.
type Definition struct {
	Name, Title, Description string
	Toolset, Area            string
	Discovery                Discovery
	LegacyNames              []string
	ArgumentAliases          map[string]string // old argument name -> canonical; "a.b" is b inside object a
	Annotations              Annotations
	Scopes                   []string          // all are needed
	Input, Output            json.RawMessage   // full schemas
	ListedInput              json.RawMessage   // short form for tools/list
	ListedOutput             json.RawMessage   // short form for tools/list
	Examples                 []json.RawMessage // valid arguments

	compiled *compiled
}

// Catalogue is a set of tools with every name by which one may be called.
type Catalogue struct {
	toolset string
	tools   []*Definition // in the order of the contract
	areas   []string      // of the whole toolset, in the order of the contract
	names   map[string]*Definition
	enabled map[string]bool // names that are listed though only advertised when enabled
}

// Minds is the whole toolset minds, in the order of its contract.
func Minds() *Catalogue { return minds() }

var minds = sync.OnceValue(func() *Catalogue {
	c, err := load("minds", mindsFile)
	if err != nil {
		panic(err) // the embedded file is ours and tested
	}
	return c
})

func load(toolset string, raw []byte) (*Catalogue, error) {
	var entries []listing.Entry
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, fmt.Errorf("catalog %s: %w", toolset, err)
	}
	defs := make([]*Definition, 0, len(entries))
	for _, e := range entries {
		d := &Definition{
			Name: e.Name, Title: e.Title, Description: e.Description, Toolset: e.Toolset, Area: e.Area,
			Discovery: Discovery(e.Discovery), LegacyNames: e.LegacyNames, ArgumentAliases: e.ArgumentAliases,
			Scopes: e.Scopes, Input: e.Input, Output: e.Output,
			ListedInput: e.ListedInput, ListedOutput: e.ListedOutput, Examples: e.Examples,
		}
		if err := json.Unmarshal(e.Annotations, &d.Annotations); err != nil {
			return nil, fmt.Errorf("catalog %s: annotations of %s: %w", toolset, e.Name, err)
		}
		d.compiled = &compiled{}
		defs = append(defs, d)
	}
	return New(toolset, defs...)
}

// New makes a catalogue of definitions; test catalogues are made so too. Two
// tools may not share a name, an old name or a folded name.
func New(toolset string, defs ...*Definition) (*Catalogue, error) {
	c := &Catalogue{toolset: toolset, tools: defs, names: make(map[string]*Definition, 3*len(defs)), enabled: map[string]bool{}}
	for _, d := range defs {
		if d.compiled == nil {
			d.compiled = &compiled{}
		}
		if d.Area != "" && !slices.Contains(c.areas, d.Area) {
			c.areas = append(c.areas, d.Area)
		}
		for _, n := range append([]string{d.Name}, d.LegacyNames...) {
			folded := fold(n)
			if other, taken := c.names[folded]; taken && other != d {
				return nil, fmt.Errorf("catalog: %s and %s share the name %q", other.Name, d.Name, n)
			}
			c.names[folded] = d
		}
	}
	return c, nil
}

// fold makes the spellings of a name one: m1nd.activate, m1nd-activate and
// m1nd_activate are the same tool.
func fold(name string) string {
	return strings.NewReplacer(".", "_", "-", "_", "/", "_").Replace(name)
}

// Only narrows the catalogue to tools that exist in this deployment. enabled
// names tools that are advertised because their feature is on.
func (c *Catalogue) Only(existing []string, enabled ...string) *Catalogue {
	have := make(map[string]bool, len(existing))
	for _, n := range existing {
		have[n] = true
	}
	out := &Catalogue{toolset: c.toolset, areas: c.areas, names: map[string]*Definition{}, enabled: map[string]bool{}}
	for _, n := range enabled {
		out.enabled[n] = true
	}
	for _, d := range c.tools {
		if have[d.Name] {
			out.tools = append(out.tools, d)
		}
	}
	for n, d := range c.names {
		if have[d.Name] {
			out.names[n] = d
		}
	}
	return out
}

// Toolset is the name of the toolset, "minds".
func (c *Catalogue) Toolset() string { return c.toolset }

// All are the tools that exist, in the order of the contract.
func (c *Catalogue) All() []*Definition { return slices.Clone(c.tools) }

// Listed are the tools that a client sees, in the order of the contract; allow
// filters further (scopes, read-only) and may be nil.
func (c *Catalogue) Listed(allow func(*Definition) bool) []*Definition {
	var out []*Definition
	for _, d := range c.tools {
		shown := d.Discovery == Advertised || d.Discovery == AdvertisedWhenEnabled && c.enabled[d.Name]
		if shown && (allow == nil || allow(d)) {
			out = append(out, d)
		}
	}
	return out
}

// Lookup finds a tool by its name, an old name or a folded spelling of either.
func (c *Catalogue) Lookup(name string) (*Definition, bool) {
	if len(name) > 128 {
		return nil, false
	}
	d, ok := c.names[fold(name)]
	return d, ok
}

// Missing are the scopes of the tool that the holder of has lacks.
func (d *Definition) Missing(has func(scope string) bool) []string {
	var out []string
	for _, s := range d.Scopes {
		if !has(s) {
			out = append(out, s)
		}
	}
	return out
}
