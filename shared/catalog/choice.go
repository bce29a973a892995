package catalog

import (
	"slices"
	"strings"
)

// Choice is what a connection asks to see of a toolset, as it was written:
// names are not resolved yet. The zero value is everything.
type Choice struct {
	// Within bounds all the rest: areas that stand in the address.
	Within []string
	// Areas and Tools together are what is wanted; both empty is everything. A
	// tool that is named singly is listed, whatever its discovery.
	Areas, Tools []string
	// Exclude takes tools away again.
	Exclude []string
	// ReadOnly takes away each tool that may change something. It wins over
	// everything else.
	ReadOnly bool
	// Explicit lists the explicit tools beside the advertised ones.
	Explicit bool
	// Find lists find_tools.
	Find bool
	// Underscore lists names with "_" in place of ".".
	Underscore bool
}

// maxChoice bounds the names of one list; no toolset has more.
const maxChoice = 200

// SplitNames reads a list as headers, flags and addresses write it: names
// separated by commas, blanks around them. Nothing between commas is nothing.
func SplitNames(lists ...string) []string {
	var out []string
	for _, list := range lists {
		for name := range strings.SplitSeq(list, ",") {
			name = strings.TrimSpace(name)
			if name == "" || slices.Contains(out, name) {
				continue
			}
			if len(out) == maxChoice {
				return out
			}
			out = append(out, name)
		}
	}
	return out
}

// Switch reads a switch as headers and addresses write it. What is neither a
// plain no nor empty is on: a switch that takes rights away must not fail open.
func Switch(value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}

// Areas are the areas of the toolset, in the order of the contract; one may have
// no tool in this deployment.
func (c *Catalogue) Areas() []string { return slices.Clone(c.areas) }

// Unknown is one name of a choice that nothing here has.
type Unknown struct {
	List string // "areas", "tools" or "exclude-tools"
	Name string
}

// Choose resolves a choice to a view. Names that are not known here are left
// out of it and returned: an unknown area or tool gives nothing.
func (c *Catalogue) Choose(ch Choice) (*View, []Unknown) {
	v := &View{c: c, readOnly: ch.ReadOnly, explicit: ch.Explicit, find: ch.Find, underscore: ch.Underscore}
	var unknown []Unknown
	v.within, unknown = c.areaSet(ch.Within, unknown)
	v.areas, unknown = c.areaSet(ch.Areas, unknown)
	v.tools, unknown = c.toolSet("tools", ch.Tools, unknown)
	v.excluded, unknown = c.toolSet("exclude-tools", ch.Exclude, unknown)
	v.chosen = len(ch.Areas) > 0 || len(ch.Tools) > 0
	v.key = v.canonical()
	return v, unknown
}

// areaSet is nil for everything. "all" is every area, and so is the name of a
// toolset that has no area of that name.
func (c *Catalogue) areaSet(names []string, unknown []Unknown) (map[string]bool, []Unknown) {
	if len(names) == 0 {
		return nil, unknown
	}
	known, all, out := c.Areas(), false, map[string]bool{}
	for _, n := range names {
		switch name := strings.ToLower(n); {
		case slices.Contains(known, name):
			out[name] = true
		case name == "all" || name == c.toolset:
			all = true
		default:
			unknown = append(unknown, Unknown{"areas", n})
		}
	}
	if all {
		for _, a := range known {
			out[a] = true
		}
	}
	return out, unknown
}

func (c *Catalogue) toolSet(list string, names []string, unknown []Unknown) (map[string]bool, []Unknown) {
	out := map[string]bool{}
	for _, n := range names {
		if d, ok := c.Lookup(n); ok {
			out[d.Name] = true
		} else {
			unknown = append(unknown, Unknown{list, n})
		}
	}
	return out, unknown
}
