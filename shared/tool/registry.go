package tool

import (
	"fmt"
	"slices"
)

// Registry holds the tools that this process can run, by canonical name.
type Registry struct{ tools map[string]Tool }

// NewRegistry collects tools; two of one name are a mistake of the build.
func NewRegistry(tools ...Tool) (*Registry, error) {
	r := &Registry{tools: make(map[string]Tool, len(tools))}
	for _, t := range tools {
		if t.Name == "" || t.Invoke == nil {
			return nil, fmt.Errorf("tool: a tool without name or handler")
		}
		if _, taken := r.tools[t.Name]; taken {
			return nil, fmt.Errorf("tool: %s is registered twice", t.Name)
		}
		r.tools[t.Name] = t
	}
	return r, nil
}

// Get finds a tool by its canonical name.
func (r *Registry) Get(name string) (Tool, bool) {
	t, ok := r.tools[name]
	return t, ok
}

// Names are the canonical names, sorted.
func (r *Registry) Names() []string {
	names := make([]string, 0, len(r.tools))
	for n := range r.tools {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Tools are all tools, sorted by name.
func (r *Registry) Tools() []Tool {
	out := make([]Tool, 0, len(r.tools))
	for _, n := range r.Names() {
		out = append(out, r.tools[n])
	}
	return out
}
