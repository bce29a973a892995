package catalog

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

const (
	maxNesting      = 64  // no schema of ours is deeper than 10
	maxNumberLength = 64  // digits of a number
	maxExponent     = 400 // beyond any double
)

// sane refuses values that cost more to look at than they can mean.
func sane(v any, depth int) error {
	if depth > maxNesting {
		return fault.New(fault.Validation, "arguments: nested deeper than %d levels; send a flatter value.", maxNesting)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if err := sane(e, depth+1); err != nil {
				return err
			}
		}
	case []any:
		for _, e := range v {
			if err := sane(e, depth+1); err != nil {
				return err
			}
		}
	case json.Number:
		if !saneNumber(string(v)) {
			return fault.New(fault.Validation, "arguments: a number is out of range; use a number that a 64-bit float can hold.")
		}
	}
	return nil
}

func saneNumber(s string) bool {
	if len(s) > maxNumberLength {
		return false
	}
	_, exp, found := strings.Cut(strings.ToLower(s), "e")
	if !found {
		return true
	}
	n, err := strconv.Atoi(exp)
	return err == nil && n <= maxExponent && n >= -maxExponent
}

// settle brings checked values into their one form and fills defaults. A
// default that would break a rule between fields (a field of another action, a
// kind that does not go with the format) is left out: a handler never sees what
// the caller could not have sent.
func settle(doc any, given map[string]any, valid func() bool) {
	var fills []fill
	normalise(doc, given, &fills)
	for _, f := range fills {
		f.into[f.name] = f.value
	}
	if len(fills) == 0 || valid() {
		return
	}
	for _, f := range fills {
		delete(f.into, f.name)
	}
	for _, f := range fills {
		f.into[f.name] = f.value
		if !valid() {
			delete(f.into, f.name)
		}
	}
}

// fill is one default that is not given.
type fill struct {
	into  map[string]any
	name  string
	value any
}

func normalise(schema, value any, fills *[]fill) {
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		props, _ := s["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(props)) {
			if current, given := v[name]; given {
				v[name] = settled(props[name], current, fills)
			} else if def, has := defaultOf(props[name]); has {
				*fills = append(*fills, fill{v, name, def})
			}
		}
	case []any:
		for i := range v {
			v[i] = settled(s["items"], v[i], fills)
		}
	}
}

func settled(schema, value any, fills *[]fill) any {
	s, _ := schema.(map[string]any)
	switch v := value.(type) {
	case string:
		if s != nil && s["format"] == "uuid" {
			return strings.ToLower(v)
		}
	case json.Number:
		return Whole(v)
	case map[string]any, []any:
		normalise(schema, v, fills)
	}
	return value
}

// Whole writes 5.0 and 1e2 as 5 and 100: JSON Schema counts them as integers,
// Go's decoder does not.
func Whole(n json.Number) json.Number {
	if len(n) > 40 || !strings.ContainsAny(string(n), ".eE") {
		return n
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok || !r.IsInt() || r.Num().BitLen() > 63 {
		return n
	}
	return json.Number(r.Num().String())
}

func defaultOf(schema any) (any, bool) {
	s, ok := schema.(map[string]any)
	if !ok {
		return nil, false
	}
	d, ok := s["default"]
	return clone(d), ok
}

// clone keeps the compiled schema out of a handler's reach.
func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[k] = clone(e)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, e := range v {
			l[i] = clone(e)
		}
		return l
	}
	return v
}
