package jsonata

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

func asList(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case sequence:
		return v, true
	}
	return nil, false
}

// items is v as a list: nothing, itself, or a list of one.
func items(v any) []any {
	if v == nil {
		return nil
	}
	if list, ok := asList(v); ok {
		return list
	}
	return []any{v}
}

// joined appends b to a as $append does.
func joined(a, b any) any {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	x, y := items(a), items(b)
	return append(append(make([]any, 0, len(x)+len(y)), x...), y...)
}

func scalar(v any) bool {
	switch v.(type) {
	case string, float64, bool:
		return true
	}
	return false
}

func same(a, b any) bool {
	if x, ok := asList(a); ok {
		y, ok := asList(b)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !same(x[i], y[i]) {
				return false
			}
		}
		return true
	}
	if x, ok := a.(map[string]any); ok {
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k := range x {
			if z, has := y[k]; !has || !same(x[k], z) {
				return false
			}
		}
		return true
	}
	return scalar(a) && scalar(b) && a == b
}

// ordered compares two numbers or two texts, the latter by UTF-16 as the
// reference does.
func ordered(a, b any) (int, error) {
	switch x := a.(type) {
	case float64:
		if y, ok := b.(float64); ok {
			switch {
			case x < y:
				return -1, nil
			case x > y:
				return 1, nil
			}
			return 0, nil
		}
	case string:
		if y, ok := b.(string); ok {
			return compareUTF16(x, y), nil
		}
	}
	return 0, fmt.Errorf("cannot compare %s with %s", kind(a), kind(b))
}

// compareUTF16 differs from comparing bytes only where a character above
// U+FFFF meets one between U+E000 and U+FFFF.
func compareUTF16(a, b string) int {
	x, y := []rune(a), []rune(b)
	for i := 0; i < len(x) && i < len(y); i++ {
		if x[i] == y[i] {
			continue
		}
		if lead(x[i]) < lead(y[i]) || lead(x[i]) == lead(y[i]) && x[i] < y[i] {
			return -1
		}
		return 1
	}
	return len(x) - len(y)
}

func lead(r rune) rune {
	if r >= 0x10000 {
		return 0xD800 + (r-0x10000)>>10
	}
	return r
}

// truth is what the reference casts to true; nothing is false.
func truth(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case string:
		return v != ""
	case float64:
		return v != 0
	case map[string]any:
		return len(v) > 0
	}
	list, _ := asList(v)
	for _, x := range list {
		if truth(x) {
			return true
		}
	}
	return false
}

func kind(v any) string {
	switch v.(type) {
	case nil:
		return "undefined"
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "boolean"
	case map[string]any:
		return "object"
	case *lambda:
		return "function"
	}
	return "array"
}

// text prints a value as far as all engines print alike: the reference rounds
// numbers to 15 digits, others do not.
func text(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return strconv.FormatInt(int64(v), 10), nil
		}
	}
	return "", errors.New("takes text, booleans and integers below 10^15; engines print the rest differently")
}

// number reads text as the reference does: JSON's form of a number.
func number(s string) (float64, error) {
	rest := strings.TrimPrefix(s, "-")
	whole, _, _ := strings.Cut(strings.ToLower(rest), "e")
	digits, fraction, hasFraction := strings.Cut(whole, ".")
	plainDigits := strings.Trim(digits, "0123456789") == "" && digits != "" && (digits == "0" || digits[0] != '0')
	if !plainDigits || hasFraction && fraction == "" || strings.ContainsAny(rest, "_xXpP") {
		return 0, fmt.Errorf("cannot read %q as a number", s)
	}
	return strconv.ParseFloat(s, 64)
}

// plain drops the marks of sequences, so that only decoded JSON leaves.
func plain(v any) (any, error) {
	switch v := v.(type) {
	case sequence:
		return plain([]any(v))
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			p, err := plain(x)
			if err != nil {
				return nil, err
			}
			out[i] = p
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			p, err := plain(x)
			if err != nil {
				return nil, err
			}
			out[k] = p
		}
		return out, nil
	case *lambda:
		return nil, errors.New("gives a function")
	}
	return v, nil
}
