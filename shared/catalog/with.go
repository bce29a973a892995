package catalog

import (
	"maps"
	"slices"
)

// With adds tools behind those that exist. Names must not clash.
func (c *Catalogue) With(more ...*Definition) (*Catalogue, error) {
	out, err := New(c.toolset, append(c.All(), more...)...)
	if err != nil {
		return nil, err
	}
	maps.Copy(out.enabled, c.enabled)
	out.areas = slices.Clone(c.areas)
	for _, d := range more {
		if d.Area != "" && !slices.Contains(out.areas, d.Area) {
			out.areas = append(out.areas, d.Area)
		}
	}
	return out, nil
}
