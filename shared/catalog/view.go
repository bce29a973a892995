package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// View is what one connection sees of a catalogue. It bounds calls as well as
// the list: what is chosen away cannot be called, by no name. It is never
// changed after Choose.
type View struct {
	c        *Catalogue
	key      string
	within   map[string]bool // areas of the address; nil is all
	areas    map[string]bool // areas wanted; nil is none named
	tools    map[string]bool // canonical names wanted singly
	excluded map[string]bool
	chosen   bool // areas or tools were named, even if none is known

	readOnly, explicit, find, underscore bool
}

// Key names the view: equal keys of one catalogue list the same tools.
func (v *View) Key() string { return v.key }

func (v *View) canonical() string {
	set := func(m map[string]bool) string {
		if m == nil {
			return "*"
		}
		return strings.Join(slices.Sorted(maps.Keys(m)), ",")
	}
	return fmt.Sprintf("%s|%s|%s|%s|%t|%t|%t|%t|%t", set(v.within), set(v.areas), set(v.tools), set(v.excluded),
		v.chosen, v.readOnly, v.explicit, v.find, v.underscore)
}

// Narrow tells whether the connection chose anything away.
func (v *View) Narrow() bool {
	return v.readOnly || v.chosen || v.within != nil || len(v.excluded) > 0
}

// Barred says why this view does not have a tool, as the end of a sentence that
// begins with the tool's name; it is empty when the tool may be called.
func (v *View) Barred(d *Definition) string {
	switch {
	case v.readOnly && !d.Annotations.ReadOnly:
		return "may change something, and this connection is read-only"
	case v.excluded[d.Name]:
		return "is excluded from this connection"
	case d.Area == "":
		return "" // a tool about the tools belongs to each choice
	case v.within != nil && !v.within[d.Area]:
		return "is not in the areas of this address"
	case v.chosen && !v.areas[d.Area] && !v.tools[d.Name]:
		return "is not among the tools that this connection chose"
	}
	return ""
}

// Listed are the tools that a client sees, in the order of the contract; allow
// filters further (scopes) and may be nil.
func (v *View) Listed(allow func(*Definition) bool) []*Definition {
	var out []*Definition
	for _, d := range v.c.tools {
		if v.shown(d) && v.Barred(d) == "" && (allow == nil || allow(d)) {
			out = append(out, d)
		}
	}
	return out
}

func (v *View) shown(d *Definition) bool {
	switch {
	case v.tools[d.Name]:
		return true
	case d.Name == FindTools:
		return v.find && len(v.Hidden(nil)) > 0
	case d.Discovery == Explicit:
		return v.explicit
	case d.Discovery == AdvertisedWhenEnabled:
		return v.c.enabled[d.Name]
	}
	return d.Discovery == Advertised
}

// Hidden are the tools that may be called and are not listed.
func (v *View) Hidden(allow func(*Definition) bool) []*Definition {
	var out []*Definition
	for _, d := range v.c.tools {
		if d.Discovery == Explicit && !v.explicit && d.Name != FindTools && !v.tools[d.Name] && v.Barred(d) == "" && (allow == nil || allow(d)) {
			out = append(out, d)
		}
	}
	return out
}

// Callable are all tools of the view, listed or not.
func (v *View) Callable(allow func(*Definition) bool) []*Definition {
	var out []*Definition
	for _, d := range v.c.tools {
		if v.Barred(d) == "" && (allow == nil || allow(d)) {
			out = append(out, d)
		}
	}
	return out
}

// Name is a tool's name as this view lists it.
func (v *View) Name(d *Definition) string {
	if v.underscore {
		return strings.ReplaceAll(d.Name, ".", "_")
	}
	return d.Name
}
