package tooltest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Vars are the named values of one transcript, bound on first use.
type Vars map[string]any

func (v Vars) copy() Vars {
	out := make(Vars, len(v))
	for k, e := range v {
		out[k] = e
	}
	return out
}

// Fill replaces each text "$name" by its value. "$$" is a dollar sign.
func (v Vars) Fill(in any) (any, error) {
	switch in := in.(type) {
	case map[string]any:
		out := make(map[string]any, len(in))
		for k, e := range in {
			filled, err := v.Fill(e)
			if err != nil {
				return nil, err
			}
			out[k] = filled
		}
		return out, nil
	case []any:
		out := make([]any, len(in))
		for i, e := range in {
			filled, err := v.Fill(e)
			if err != nil {
				return nil, err
			}
			out[i] = filled
		}
		return out, nil
	case string:
		name, ok := variable(in)
		if !ok {
			return strings.ReplaceAll(in, "$$", "$"), nil
		}
		value, bound := v[name]
		if !bound {
			return nil, fmt.Errorf("$%s is not bound yet", name)
		}
		return value, nil
	}
	return in, nil
}

func variable(s string) (string, bool) {
	if len(s) < 2 || s[0] != '$' || s[1] == '$' {
		return "", false
	}
	for _, r := range s[1:] {
		if !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return "", false
		}
	}
	return s[1:], true
}

// Match compares an expected value with what came, and says the first
// difference, or nothing. In the expected value
//
//	"*"            is any value that is there
//	"$name"        binds the value on first use and must be equal afterwards
//	"…": "*"       in an object: other fields may be there
//	"…"            as the last entry of a list: more entries may follow
//	"prefix…"      is any text that starts so
//
// Everything else must be equal. Numbers are compared by value.
func Match(want, got any, vars Vars) string { return match("", want, got, vars) }

func match(at string, want, got any, vars Vars) string {
	here := at
	if here == "" {
		here = "."
	}
	switch want := want.(type) {
	case string:
		return matchText(here, want, got, vars)
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s: want an object, got %s", here, show(got))
		}
		_, open := want["…"]
		names := make([]string, 0, len(want))
		for n := range want {
			names = append(names, n)
		}
		slices.Sort(names)
		for _, n := range names {
			if n == "…" {
				continue
			}
			v, has := g[n]
			if !has {
				return fmt.Sprintf("%s: %s is missing", here, n)
			}
			if diff := match(at+"."+n, want[n], v, vars); diff != "" {
				return diff
			}
		}
		if !open {
			for n := range g {
				if _, known := want[n]; !known {
					return fmt.Sprintf("%s: %s is not expected: %s", here, n, show(g[n]))
				}
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok {
			return fmt.Sprintf("%s: want a list, got %s", here, show(got))
		}
		open := len(want) > 0 && want[len(want)-1] == "…"
		if open {
			want = want[:len(want)-1]
		}
		if len(g) < len(want) || !open && len(g) != len(want) {
			return fmt.Sprintf("%s: want %d entries, got %d", here, len(want), len(g))
		}
		for i := range want {
			if diff := match(fmt.Sprintf("%s[%d]", at, i), want[i], g[i], vars); diff != "" {
				return diff
			}
		}
		return ""
	}
	if !same(want, got) {
		return fmt.Sprintf("%s: want %s, got %s", here, show(want), show(got))
	}
	return ""
}

func matchText(at, want string, got any, vars Vars) string {
	if want == "*" {
		return ""
	}
	if name, ok := variable(want); ok {
		bound, known := vars[name]
		if !known {
			vars[name] = got
			return ""
		}
		if !same(bound, got) {
			return fmt.Sprintf("%s: want $%s = %s, got %s", at, name, show(bound), show(got))
		}
		return ""
	}
	if prefix, cut := strings.CutSuffix(want, "…"); cut && prefix != "" {
		if s, ok := got.(string); ok && strings.HasPrefix(s, prefix) {
			return ""
		}
		return fmt.Sprintf("%s: want text that starts %q, got %s", at, prefix, show(got))
	}
	if got != strings.ReplaceAll(want, "$$", "$") {
		return fmt.Sprintf("%s: want %q, got %s", at, want, show(got))
	}
	return ""
}

func same(a, b any) bool {
	x, xNumber := number(a)
	y, yNumber := number(b)
	if xNumber && yNumber {
		return x == y
	}
	return reflect.DeepEqual(a, b)
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	case float64:
		return v, true
	case int:
		return float64(v), true
	}
	return 0, false
}

func show(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if len(raw) > 200 {
		return string(raw[:200]) + "…"
	}
	return string(raw)
}
