package jsonata

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/blues/jsonata-go/jparse"
)

// field looks a name up in an object, or in every object of a list.
func field(v any, name string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[name]
	case []any:
		return fieldOfAll(v, name)
	case sequence:
		return fieldOfAll(v, name)
	}
	return nil
}

func fieldOfAll(list []any, name string) any {
	var found sequence
	for _, x := range list {
		switch y := field(x, name).(type) {
		case nil:
		case []any:
			found = append(found, y...)
		case sequence:
			found = append(found, y...)
		default:
			found = append(found, y)
		}
	}
	return found
}

func (vm *machine) path(n *jparse.PathNode, item any, e *env) (any, error) {
	var current any = sequence{item}
	if list, ok := item.([]any); ok && !startsWithVariable(n) {
		current = list
	}
	for i, step := range n.Steps {
		var err error
		if a, ok := step.(*jparse.ArrayNode); ok && i == 0 {
			current, err = vm.eval(a, item, e)
		} else {
			current, err = vm.step(step, items(current), e, i == len(n.Steps)-1)
		}
		if err != nil {
			return nil, err
		}
		if len(items(current)) == 0 {
			break
		}
	}
	if s, ok := current.(sequence); ok && n.KeepArrays && len(s) > 0 {
		return []any(s), nil
	}
	return current, nil
}

func startsWithVariable(n *jparse.PathNode) bool {
	first := n.Steps[0]
	for {
		switch x := first.(type) {
		case *jparse.VariableNode:
			return true
		case *jparse.PredicateNode:
			first = x.Expr
		default:
			return false
		}
	}
}

// step evaluates one step on each item and flattens the lists by one level,
// but not those that the step itself writes as [...].
func (vm *machine) step(n jparse.Node, in []any, e *env, last bool) (any, error) {
	var results []any
	for _, item := range in {
		v, err := vm.eval(n, item, e)
		if err != nil {
			return nil, err
		}
		if v != nil {
			results = append(results, v)
		}
	}
	if last && len(results) == 1 {
		if list, ok := results[0].([]any); ok {
			return list, nil
		}
	}
	_, written := n.(*jparse.ArrayNode)
	var flat sequence
	for _, v := range results {
		switch v := v.(type) {
		case sequence:
			flat = append(flat, v...)
		case []any:
			if written {
				flat = append(flat, v)
			} else {
				flat = append(flat, v...)
			}
		default:
			flat = append(flat, v)
		}
	}
	return flat, nil
}

// filter applies one predicate: a number picks by position, anything else by truth.
func (vm *machine) filter(n jparse.Node, v any, e *env) (any, error) {
	in := items(v)
	if number, ok := n.(*jparse.NumberNode); ok {
		i, ok := position(number.Value, len(in))
		if !ok {
			return nil, nil
		}
		return in[i], nil
	}
	out := sequence{}
	for i, item := range in {
		r, err := vm.eval(n, item, e)
		if err != nil {
			return nil, err
		}
		picks, byPosition := positions(r)
		if !byPosition {
			if truth(r) {
				out = append(out, item)
			}
			continue
		}
		for _, p := range picks {
			if at, ok := position(p, len(in)); ok && at == i {
				out = append(out, item)
			}
		}
	}
	return out, nil
}

func positions(v any) ([]float64, bool) {
	if x, ok := v.(float64); ok {
		return []float64{x}, true
	}
	list, ok := asList(v)
	if !ok || len(list) == 0 {
		return nil, false
	}
	out := make([]float64, len(list))
	for i, x := range list {
		f, ok := x.(float64)
		if !ok {
			return nil, false
		}
		out[i] = f
	}
	return out, true
}

func position(x float64, n int) (int, bool) {
	i := int(math.Floor(x))
	if i < 0 {
		i += n
	}
	return i, i >= 0 && i < n
}

// order sorts by its terms, stable; what lacks a term goes last.
func (vm *machine) order(n *jparse.SortNode, item any, e *env) (any, error) {
	v, err := vm.eval(n.Expr, item, e)
	if v == nil || err != nil {
		return nil, err
	}
	in := items(v)
	keys := make([][]any, len(in))
	for i, x := range in {
		for _, t := range n.Terms {
			k, err := vm.eval(t.Expr, x, e)
			if err != nil {
				return nil, err
			}
			keys[i] = append(keys[i], k)
		}
	}
	at := make([]int, len(in))
	for i := range at {
		at[i] = i
	}
	var failed error
	sort.SliceStable(at, func(i, j int) bool {
		for t, term := range n.Terms {
			a, b := keys[at[i]][t], keys[at[j]][t]
			if a == nil && b == nil {
				continue
			}
			if a == nil || b == nil {
				return b == nil
			}
			c, err := ordered(a, b)
			if err != nil {
				failed = err
				return false
			}
			if term.Dir == jparse.SortDescending {
				c = -c
			}
			if c != 0 {
				return c < 0
			}
		}
		return false
	})
	out := make(sequence, len(in))
	for i, from := range at {
		out[i] = in[from]
	}
	return out, failed
}

// group builds an object. Items with the same key are gathered, and the value
// is evaluated once on all of them.
func (vm *machine) group(n *jparse.ObjectNode, v any, e *env) (any, error) {
	in := items(v)
	if len(in) == 0 {
		in = []any{nil}
	}
	type entry struct {
		data any
		pair int
	}
	groups := map[string]*entry{}
	var keys []string
	for _, item := range in {
		for p, pair := range n.Pairs {
			k, err := vm.eval(pair[0], item, e)
			if err != nil {
				return nil, err
			}
			if k == nil {
				continue
			}
			key, ok := k.(string)
			if !ok {
				return nil, fmt.Errorf("a key must be text, not %s", kind(k))
			}
			g := groups[key]
			switch {
			case g == nil:
				groups[key] = &entry{item, p}
				keys = append(keys, key)
			case g.pair != p:
				return nil, errors.New("two expressions give the same key " + key)
			default:
				g.data = joined(g.data, item)
			}
		}
	}
	out := make(map[string]any, len(groups))
	for _, key := range keys {
		g := groups[key]
		x, err := vm.eval(n.Pairs[g.pair][1], g.data, e)
		if err != nil {
			return nil, err
		}
		if x != nil {
			out[key] = x
		}
	}
	return out, nil
}

func (vm *machine) array(n *jparse.ArrayNode, item any, e *env) (any, error) {
	out := []any{}
	for _, x := range n.Items {
		v, err := vm.eval(x, item, e)
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		list, isList := asList(v)
		if _, written := x.(*jparse.ArrayNode); written || !isList {
			out = append(out, v)
		} else {
			out = append(out, list...)
		}
	}
	return out, nil
}

// maxSpan bounds a range; Step Functions would refuse the value long before.
const maxSpan = 1_000_000

func (vm *machine) span(n *jparse.RangeNode, item any, e *env) (any, error) {
	a, b, err := vm.both(n.LHS, n.RHS, item, e)
	if err != nil {
		return nil, err
	}
	for _, v := range []any{a, b} {
		if x, ok := v.(float64); v != nil && (!ok || x != math.Trunc(x)) {
			return nil, errors.New(".. takes integers")
		}
	}
	if a == nil || b == nil || a.(float64) > b.(float64) {
		return nil, nil
	}
	low, high := a.(float64), b.(float64)
	if high-low >= maxSpan {
		return nil, fmt.Errorf(".. gives at most %d numbers", maxSpan)
	}
	out := make(sequence, 0, int(high-low)+1)
	for x := low; x <= high; x++ {
		out = append(out, x)
	}
	return out, nil
}
