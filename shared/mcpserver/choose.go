package mcpserver

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Headers by which a connection chooses its tools. The same switches are flags
// over stdio and parts of the address.
const (
	headerAreas     = "X-Mcp-Toolsets"
	headerTools     = "X-Mcp-Tools"
	headerExclude   = "X-Mcp-Exclude-Tools"
	headerReadOnly  = "X-Mcp-Readonly"
	headerExplicit  = "X-Mcp-Explicit"
	headerFind      = "X-Mcp-Find-Tools"
	headerNames     = "X-Mcp-Names"
	headerIgnored   = "X-Mcp-Ignored" // of an answer: names that nothing here has
	maxChoiceHeader = 8 << 10
)

// ChoiceHeader writes a choice as the headers of a request.
func ChoiceHeader(c catalog.Choice) http.Header {
	h := http.Header{}
	list := func(name string, values []string) {
		if len(values) > 0 {
			h.Set(name, strings.Join(values, ","))
		}
	}
	list(headerAreas, c.Areas)
	list(headerTools, c.Tools)
	list(headerExclude, c.Exclude)
	on := func(name string, is bool, value string) {
		if is {
			h.Set(name, value)
		}
	}
	on(headerReadOnly, c.ReadOnly, "true")
	on(headerExplicit, c.Explicit, "true")
	on(headerFind, c.Find, "true")
	on(headerNames, c.Underscore, "underscore")
	return h
}

// choiceOf reads what a request asks to see: the address (/mcp/x/{areas},
// /readonly), the headers, and three switches of the query.
func choiceOf(r *http.Request) catalog.Choice {
	q := r.URL.Query()
	c := catalog.Choice{
		Areas:    catalog.SplitNames(r.Header.Values(headerAreas)...),
		Tools:    catalog.SplitNames(r.Header.Values(headerTools)...),
		Exclude:  catalog.SplitNames(r.Header.Values(headerExclude)...),
		ReadOnly: strings.HasSuffix(strings.TrimSuffix(r.URL.Path, "/"), "/readonly") || slices.ContainsFunc(r.Header.Values(headerReadOnly), catalog.Switch),
		Explicit: slices.ContainsFunc(r.Header.Values(headerExplicit), catalog.Switch) || slices.ContainsFunc(q["explicit"], catalog.Switch),
		Find:     slices.ContainsFunc(r.Header.Values(headerFind), catalog.Switch) || slices.ContainsFunc(q["find_tools"], catalog.Switch),
		Underscore: slices.Contains(q["names"], "underscore") ||
			slices.ContainsFunc(r.Header.Values(headerNames), func(v string) bool { return strings.EqualFold(strings.TrimSpace(v), "underscore") }),
	}
	if areas := r.PathValue("areas"); areas != "" {
		c.Within = catalog.SplitNames(areas)
		if len(c.Within) == 0 {
			c.Within = []string{areas} // an address that names only commas names no area
		}
	}
	return c
}

type viewKey struct{}

// viewFrom is the view of a request; without one, all tools.
func (s *server) viewFrom(ctx context.Context) *catalog.View {
	if v, ok := ctx.Value(viewKey{}).(*catalog.View); ok {
		return v
	}
	return s.everything
}

// choose puts the view of a request into its context. A name that is not known
// is refused where the caller can mend it at once (Options.Strict), and left out
// and named in a header of the answer elsewhere: a hosted gateway serves
// clients that were configured for another version of it.
func (s *server) choose(w http.ResponseWriter, r *http.Request, id json.RawMessage) (*http.Request, *reply) {
	size := 0
	for _, name := range []string{headerAreas, headerTools, headerExclude} {
		for _, v := range r.Header.Values(name) {
			size += len(v)
		}
	}
	if size > maxChoiceHeader {
		a := refused(id, fault.New(fault.Validation, "The lists of tools in the headers have more than %d characters; name areas instead of single tools.", maxChoiceHeader))
		return r, &a
	}
	view, unknown := s.o.Catalogue.Choose(choiceOf(r))
	if len(unknown) > 0 {
		if s.o.Strict {
			a := refused(id, fault.New(fault.Validation, "%s", unknownNames(s.o.Catalogue, unknown)))
			return r, &a
		}
		names := make([]string, len(unknown))
		for i, u := range unknown {
			names[i] = u.List + "=" + headerSafe(u.Name)
		}
		ignored := strings.Join(names, ", ")
		w.Header().Set(headerIgnored, ignored[:min(len(ignored), 400)])
	}
	return r.WithContext(context.WithValue(r.Context(), viewKey{}, view)), nil
}

// unknownNames says which names of a choice nothing here has, and which would do.
func unknownNames(c *catalog.Catalogue, unknown []catalog.Unknown) string {
	var areas, tools []string
	for _, u := range unknown {
		if u.List == "areas" {
			areas = append(areas, clip(u.Name))
		} else {
			tools = append(tools, clip(u.Name))
		}
	}
	var out []string
	if len(areas) > 0 {
		out = append(out, "There is no area "+clip(strings.Join(areas, ", "))+"; the areas are "+strings.Join(c.Areas(), ", ")+".")
	}
	if len(tools) > 0 {
		out = append(out, "There is no tool "+clip(strings.Join(tools, ", "))+" here.")
	}
	return strings.Join(out, " ")
}

// UnknownNames says which names of a choice a catalogue does not have, or
// nothing. Hosts check a choice with it before they serve.
func UnknownNames(c *catalog.Catalogue, ch catalog.Choice) string {
	c = c.WithFinder()
	if _, unknown := c.Choose(ch); len(unknown) > 0 {
		return unknownNames(c, unknown)
	}
	return ""
}

// headerSafe keeps what a header can carry.
func headerSafe(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x21 || r > 0x7e || r == ',' {
			return '?'
		}
		return r
	}, s)
	return s[:min(len(s), 64)]
}

// barred is the refusal of a tool that the view does not have.
func barred(v *catalog.View, d *catalog.Definition) error {
	why := v.Barred(d)
	if why == "" {
		return nil
	}
	return fault.New(fault.Forbidden, "%s %s. Use another tool, or ask the person to connect with other settings.", d.Name, why).With("tool", d.Name)
}
