// Package listing makes the short form of a tool's schemas. Every client keeps
// the whole list of tools in its model's context, so the list says what a
// model needs to write a call; the full schema is enforced on the server.
package listing

import (
	"strings"
)

// keep are the keywords that help to write a value. Combinators stay in the full
// schema because many clients refuse them; patterns and lengths because they
// cost more context than they help, and a refusal names the one that was hurt.
var keep = map[string]bool{
	"type": true, "description": true, "enum": true, "const": true, "default": true, "format": true,
	"minimum": true, "maximum": true, "maxItems": true,
	"properties": true, "required": true, "items": true, "additionalProperties": true, "deprecated": true,
}

// below are keywords that are left out under the first level: the server names
// them when one is hurt.
var below = map[string]bool{
	"maxItems": true, "additionalProperties": true, "deprecated": true,
}

// Input is the short form of an input schema: top-level combinators dropped,
// patterns left out, one sentence a field inside an argument, and objects below the second level closed with a one-line
// description that names their fields.
func Input(full []byte) ([]byte, error) {
	v, err := parse(full)
	if err != nil {
		return nil, err
	}
	root, ok := v.(*object)
	if !ok {
		return nil, errNotObject
	}
	return encode(shorten(root, 1))
}

// level counts objects: the arguments are level 1, an object in them level 2.
func shorten(in *object, level int) *object {
	if level > 2 && in.object("properties") != nil {
		return closed(in)
	}
	out := &object{}
	for _, m := range in.members {
		if !keep[m.name] || pointless(m) || level > 1 && below[m.name] {
			continue
		}
		switch m.name {
		case "description":
			if text, ok := m.value.(string); ok && level > 2 {
				m.value = firstSentence(text)
			}
			out.members = append(out.members, m)
		case "properties":
			props, ok := m.value.(*object)
			if !ok {
				continue
			}
			short := &object{}
			for _, p := range props.members {
				if s, ok := p.value.(*object); ok {
					if strings.HasPrefix(s.text("description"), "Deprecated") {
						continue // still taken, as old names are
					}
					short.members = append(short.members, member{p.name, shorten(s, level+1)})
				} else {
					short.members = append(short.members, p)
				}
			}
			out.set("properties", short)
		case "items":
			if s, ok := m.value.(*object); ok {
				// An array's elements stand on the level of the array itself.
				element := shorten(s, level)
				if element.object("properties") == nil {
					element.drop("description") // the array's own line says it
				}
				out.set("items", element)
			}
		case "additionalProperties":
			if s, ok := m.value.(*object); ok {
				out.set(m.name, shorten(s, level+1))
			} else {
				out.members = append(out.members, m)
			}
		default:
			out.members = append(out.members, m)
		}
	}
	return out
}

// firstSentence is what the short form says of a field inside an argument; the
// rest stands in the full schema, and refusals name what was hurt.
func firstSentence(text string) string {
	for at, r := range text {
		if rest := text[at:]; r == '.' && len(rest) > 2 && rest[1] == ' ' && rest[2] >= 'A' && rest[2] <= 'Z' {
			return text[:at+1]
		}
	}
	return text
}

// pointless keywords repeat the name beside them, or bound what no caller
// reaches by accident.
func pointless(m member) bool {
	switch m.name {
	case "description":
		s, _ := m.value.(string)
		return len(strings.Fields(s)) < 3 // "Mind UUID." beside the name mindId
	case "minimum":
		n, ok := m.value.(interface{ String() string })
		return ok && (n.String() == "0" || n.String() == "1")
	case "default":
		return m.value == false // as with any switch that is not named
	case "maximum":
		n, ok := m.value.(interface{ String() string })
		return ok && n.String() == "9007199254740991"
	}
	return false
}

// closed is an object as one line: what it is and which fields it takes.
func closed(in *object) *object {
	required := map[string]bool{}
	if list, ok := first(in, "required").([]any); ok {
		for _, r := range list {
			if s, ok := r.(string); ok {
				required[s] = true
			}
		}
	}
	var must, may []string
	for _, p := range in.object("properties").members {
		if required[p.name] {
			must = append(must, p.name)
		} else {
			may = append(may, p.name)
		}
	}
	line := strings.TrimSpace(in.text("description"))
	if len(must) > 0 {
		line += " Needs " + strings.Join(must, ", ") + "."
	}
	if len(may) > 0 {
		line += " May have " + strings.Join(may, ", ") + "."
	}
	out := &object{}
	out.set("type", first(in, "type"))
	out.set("description", strings.TrimSpace(line))
	return out
}

func first(o *object, name string) any {
	v, _ := o.get(name)
	return v
}

// Output is the short form of a result schema: first-level names and types. It
// has no required list and declares error, so that a client which checks
// results accepts a refusal too.
func Output(full []byte) ([]byte, error) {
	v, err := parse(full)
	if err != nil {
		return nil, err
	}
	root, ok := v.(*object)
	if !ok {
		return nil, errNotObject
	}
	props := &object{}
	if all := root.object("properties"); all != nil {
		for _, p := range all.members {
			short := &object{}
			if s, ok := p.value.(*object); ok {
				if t, ok := s.get("type"); ok {
					short.set("type", t)
				}
			}
			props.members = append(props.members, member{p.name, short})
		}
	}
	if _, ok := props.get("error"); !ok {
		e := &object{}
		e.set("type", "object")
		props.set("error", e)
	}
	out := &object{}
	out.set("type", "object")
	out.set("properties", props)
	return encode(out)
}
