package jsonata

import (
	"errors"
	"fmt"
	"math"

	"github.com/blues/jsonata-go/jparse"
)

// both evaluates two operands.
func (vm *machine) both(l, r jparse.Node, item any, e *env) (any, any, error) {
	a, err := vm.eval(l, item, e)
	if err != nil {
		return nil, nil, err
	}
	b, err := vm.eval(r, item, e)
	return a, b, err
}

func (vm *machine) logic(n *jparse.BooleanOperatorNode, item any, e *env) (any, error) {
	a, err := vm.eval(n.LHS, item, e)
	if err != nil {
		return nil, err
	}
	if and := n.Type == jparse.BooleanAnd; truth(a) != and {
		return !and, nil
	}
	b, err := vm.eval(n.RHS, item, e)
	return truth(b), err
}

func (vm *machine) compare(n *jparse.ComparisonOperatorNode, item any, e *env) (any, error) {
	a, b, err := vm.both(n.LHS, n.RHS, item, e)
	if err != nil {
		return nil, err
	}
	switch n.Type {
	case jparse.ComparisonEqual:
		return a != nil && b != nil && same(a, b), nil
	case jparse.ComparisonNotEqual:
		return a != nil && b != nil && !same(a, b), nil
	case jparse.ComparisonIn:
		if a == nil || b == nil {
			return false, nil
		}
		for _, x := range items(b) {
			if scalar(a) && scalar(x) && a == x {
				return true, nil
			}
		}
		return false, nil
	}
	for _, v := range []any{a, b} {
		switch v.(type) {
		case nil, string, float64:
		default:
			return nil, fmt.Errorf("%s takes numbers or text, not %s", n.Type, kind(v))
		}
	}
	if a == nil || b == nil {
		return nil, nil
	}
	c, err := ordered(a, b)
	if err != nil {
		return nil, err
	}
	switch n.Type {
	case jparse.ComparisonLess:
		return c < 0, nil
	case jparse.ComparisonLessEqual:
		return c <= 0, nil
	case jparse.ComparisonGreater:
		return c > 0, nil
	}
	return c >= 0, nil
}

func (vm *machine) arithmetic(n *jparse.NumericOperatorNode, item any, e *env) (any, error) {
	a, b, err := vm.both(n.LHS, n.RHS, item, e)
	if err != nil {
		return nil, err
	}
	x, okX := a.(float64)
	y, okY := b.(float64)
	if a != nil && !okX || b != nil && !okY {
		return nil, fmt.Errorf("%s takes numbers, not %s and %s", n.Type, kind(a), kind(b))
	}
	if a == nil || b == nil {
		return nil, nil
	}
	switch n.Type {
	case jparse.NumericAdd:
		x += y
	case jparse.NumericSubtract:
		x -= y
	case jparse.NumericMultiply:
		x *= y
	case jparse.NumericDivide:
		x /= y
	default:
		return nil, fmt.Errorf("%s is outside the subset", n.Type)
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil, errors.New("gives a number that JSON cannot hold")
	}
	return x, nil
}

func (vm *machine) concat(n *jparse.StringConcatenationNode, item any, e *env) (any, error) {
	a, b, err := vm.both(n.LHS, n.RHS, item, e)
	if err != nil {
		return nil, err
	}
	out := ""
	for _, v := range []any{a, b} {
		if v == nil {
			continue
		}
		s, err := text(v)
		if err != nil {
			return nil, fmt.Errorf("& %w", err)
		}
		out += s
	}
	return out, nil
}
