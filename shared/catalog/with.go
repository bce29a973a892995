package catalog

import "maps"

// With adds tools behind those that exist. Names must not clash.
func (c *Catalogue) With(more ...*Definition) (*Catalogue, error) {
	out, err := New(c.toolset, append(c.All(), more...)...)
	if err != nil {
		return nil, err
	}
	maps.Copy(out.enabled, c.enabled)
	return out, nil
}
