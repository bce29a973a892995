package restapi

import (
	"encoding/json"
	"maps"
	"slices"
)

// schemaAt follows an instance location into a plain schema; nil if it leads
// nowhere. Of alternatives it takes the first that knows the field.
func schemaAt(s map[string]any, at []string) map[string]any {
	if s == nil || len(at) == 0 {
		return s
	}
	for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
		list, _ := s[keyword].([]any)
		for _, alt := range list {
			if a, ok := alt.(map[string]any); ok {
				if found := schemaAt(a, at); found != nil {
					return found
				}
			}
		}
	}
	if props, ok := s["properties"].(map[string]any); ok {
		if sub, ok := props[at[0]].(map[string]any); ok {
			return schemaAt(sub, at[1:])
		}
	}
	if items, ok := s["items"].(map[string]any); ok {
		return schemaAt(items, at[1:])
	}
	return nil
}

// fieldsAt lists the fields that an object may have, in order.
func fieldsAt(root map[string]any, at []string) []string {
	seen := map[string]any{}
	var gather func(map[string]any)
	gather = func(s map[string]any) {
		if props, ok := s["properties"].(map[string]any); ok {
			maps.Copy(seen, props)
		}
		for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
			list, _ := s[keyword].([]any)
			for _, alt := range list {
				if a, ok := alt.(map[string]any); ok {
					gather(a)
				}
			}
		}
	}
	if s := schemaAt(root, at); s != nil {
		gather(s)
	}
	return slices.Sorted(maps.Keys(seen))
}

// exampleAt shows one value that would pass, or "" if the schema gives no hint.
func exampleAt(operation string, root map[string]any, at []string) string {
	s := schemaAt(root, at)
	if s == nil || len(at) == 0 {
		return ""
	}
	v := exampleOf(at[len(at)-1], s)
	switch {
	case at[len(at)-1] != "name":
	case at[0] == "audienceConfigs":
		v = names["createAudience"]
	case len(at) == 1 && names[operation] != "":
		v = names[operation]
	}
	if v == nil {
		return ""
	}
	text, err := json.Marshal(v)
	if err != nil || len(text) > 120 {
		return ""
	}
	return string(text)
}

// The sample values of fields whose schema shows none.
var samples = map[string]any{
	"question": "How do you like your steak prepared?", "message": "What do you drink in the morning?",
	"keywords": []string{"specialty coffee"}, "personaContext": "Age: 34\nGender: Female", "contextLink": "https://example.com/profile",
}

// The names that what an operation makes could have: what is called name is another
// thing in each.
var names = map[string]string{
	"createMind": "Ada", "updateMind": "Ada", "createUpload": "report.pdf", "createAudience": "Coffee drinkers, 25 to 40",
	"createStudy": "Brand perception, spring", "createChat": "Talk about breakfast",
	"createModelConnection": "Our own model", "updateModelConnection": "Our own model",
}

func exampleOf(name string, s map[string]any) any {
	if ex, ok := s["examples"].([]any); ok && len(ex) > 0 {
		return ex[0]
	}
	if _, listed := s["enum"]; listed {
		return nil // the rule lists them already
	}
	if v, ok := samples[name]; ok {
		return v
	}
	if def, ok := s["default"]; ok && s["type"] != "boolean" {
		return def
	}
	t := s["type"]
	if list, ok := t.([]any); ok && len(list) > 0 {
		t = list[0]
	}
	switch t {
	case "string":
		switch s["format"] {
		case "uuid":
			return "550e8400-e29b-41d4-a716-446655440000"
		case "uri":
			return "https://example.com/page"
		case "date-time":
			return "2026-11-30T12:00:00.000Z"
		}
		return nil
	case "boolean":
		return true
	case "integer":
		if m, ok := s["minimum"]; ok {
			return m
		}
	case "array":
		if items, ok := s["items"].(map[string]any); ok {
			if one := exampleOf("", items); one != nil {
				return []any{one}
			}
		}
	}
	return nil
}

// nearest is the known name that a mistyped one most likely meant, or "".
func nearest(name string, known []string) string {
	best, at := "", max(1, len(name)/3)+1
	for _, k := range known {
		if d := distance(name, k); d < at {
			best, at = k, d
		}
	}
	return best
}

// distance counts edits (Levenshtein 1966) between two short names; longer
// ones are cut, as nobody mistypes hundreds of characters.
func distance(a, b string) int {
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		left, diagonal := i+1, i
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(row[j+1]+1, left+1, diagonal+cost)
			diagonal, row[j] = row[j+1], left
			left = next
		}
		row[len(b)] = left
	}
	return row[len(b)]
}
