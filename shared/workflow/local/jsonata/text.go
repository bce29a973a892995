package jsonata

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// texts take text first, then text or numbers as their letters say: s, n.
var texts = map[string]*struct {
	rest string // of the arguments after the first; the ones after | may be left out
	call func(s string, t []string, n []float64) (any, error)
}{
	"length":    {"", func(s string, _ []string, _ []float64) (any, error) { return float64(utf8.RuneCountInString(s)), nil }},
	"uppercase": {"", func(s string, _ []string, _ []float64) (any, error) { return strings.ToUpper(s), nil }},
	"lowercase": {"", func(s string, _ []string, _ []float64) (any, error) { return strings.ToLower(s), nil }},
	"trim":      {"", func(s string, _ []string, _ []float64) (any, error) { return strings.Join(strings.Fields(s), " "), nil }},
	"contains":  {"s", func(s string, t []string, _ []float64) (any, error) { return strings.Contains(s, t[0]), nil }},
	"substringBefore": {"s", func(s string, t []string, _ []float64) (any, error) {
		before, _, _ := strings.Cut(s, t[0])
		return before, nil
	}},
	"substringAfter": {"s", func(s string, t []string, _ []float64) (any, error) {
		if _, after, ok := strings.Cut(s, t[0]); ok {
			return after, nil
		}
		return s, nil
	}},
	"substring": {"n|n", func(s string, _ []string, n []float64) (any, error) { return substring([]rune(s), n), nil }},
	"pad":       {"n|s", pad},
	"split": {"s|n", func(s string, t []string, n []float64) (any, error) {
		parts := strings.Split(s, t[0])
		if len(n) > 0 {
			if n[0] < 0 {
				return nil, errors.New("takes a limit of at least 0")
			}
			parts = parts[:min(int(n[0]), len(parts))]
		}
		out := make([]any, len(parts))
		for i, p := range parts {
			out[i] = p
		}
		return out, nil
	}},
	"replace": {"ss|n", func(s string, t []string, n []float64) (any, error) {
		if t[0] == "" {
			return nil, errors.New("cannot replace empty text")
		}
		limit := -1
		if len(n) > 0 {
			if limit = int(n[0]); limit < 0 {
				return nil, errors.New("takes a limit of at least 0")
			}
		}
		return strings.Replace(s, t[0], t[1], limit), nil
	}},
}

func onText(name string, args []any) (any, error) {
	f := texts[name]
	s, ok := args[0].(string)
	if !ok {
		return nil, fmt.Errorf("takes text, not %s", kind(args[0]))
	}
	var t []string
	var n []float64
	need, optional, _ := strings.Cut(f.rest, "|")
	for i, want := range need + optional {
		if i+1 >= len(args) || args[i+1] == nil {
			if i < len(need) {
				return nil, errors.New("needs all its arguments")
			}
			break
		}
		switch x := args[i+1].(type) {
		case string:
			if want != 's' {
				return nil, fmt.Errorf("takes a number as argument %d", i+2)
			}
			t = append(t, x)
		case float64:
			if want != 'n' {
				return nil, fmt.Errorf("takes text as argument %d", i+2)
			}
			n = append(n, x)
		default:
			return nil, fmt.Errorf("cannot take %s as argument %d", kind(x), i+2)
		}
	}
	return f.call(s, t, n)
}

// substring counts characters; a start below 0 counts from the end.
func substring(r []rune, n []float64) string {
	start := int(n[0])
	if start < 0 {
		start = max(0, start+len(r))
	}
	start = min(start, len(r))
	end := len(r)
	if len(n) > 1 {
		if n[1] <= 0 {
			return ""
		}
		end = min(len(r), start+int(n[1]))
	}
	return string(r[start:end])
}

func pad(s string, t []string, n []float64) (any, error) {
	fill := " "
	if len(t) > 0 && t[0] != "" {
		fill = t[0]
	}
	width := int(n[0])
	missing := max(width, -width) - utf8.RuneCountInString(s)
	if missing <= 0 {
		return s, nil
	}
	if missing > 1<<20 {
		return nil, errors.New("takes a width below a million")
	}
	chars := []rune(fill)
	padding := make([]rune, missing)
	for i := range padding {
		padding[i] = chars[i%len(chars)]
	}
	if width < 0 {
		return string(padding) + s, nil
	}
	return s + string(padding), nil
}

func join(_ *machine, a []any) (any, error) {
	separator := ""
	if len(a) > 1 && a[1] != nil {
		s, ok := a[1].(string)
		if !ok {
			return nil, errors.New("takes text as separator")
		}
		separator = s
	}
	var parts []string
	for _, x := range items(a[0]) {
		s, ok := x.(string)
		if !ok {
			return nil, fmt.Errorf("takes texts, not %s", kind(x))
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, separator), nil
}
