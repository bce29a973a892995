// Package jsonata evaluates the subset of JSONata that package asl admits, as
// jsonata.js 2.0.6 does; a golden file made by that engine is the judge. The
// parser is github.com/blues/jsonata-go's. Its evaluator is not used: it loses
// an empty list at the end of a path, shares mutable state between goroutines
// and evaluates both sides of `and`.
//
// Values are decoded JSON: map[string]any, []any, string, float64, bool. There
// is no null in workflow data, so nil means "no result".
package jsonata

import (
	"errors"
	"fmt"
	"time"

	"github.com/blues/jsonata-go/jparse"
)

// ErrNoResult says that an expression found nothing, which is no failure of
// the expression itself.
var ErrNoResult = errors.New("has no result")

// ErrTooLong says that an evaluation passed its time.
var ErrTooLong = errors.New("took too long")

// Expr is a parsed expression; it holds no state and may be shared.
type Expr struct{ node jparse.Node }

// Compile parses src.
func Compile(src string) (e *Expr, err error) {
	defer func() {
		if p := recover(); p != nil {
			e, err = nil, fmt.Errorf("does not parse: %v", p)
		}
	}()
	n, err := jparse.Parse(src)
	if err != nil {
		return nil, err
	}
	return &Expr{n}, nil
}

// Eval evaluates with the bindings, names without their dollar. It gives
// ErrNoResult, ErrTooLong after limit of real time, or what was wrong. Bound
// values are read, never changed; the result may share parts with them.
func (e *Expr) Eval(bindings map[string]any, limit time.Duration) (v any, err error) {
	// Package asl has checked the number of arguments; text that it has not
	// seen must not end the process.
	defer func() {
		if p := recover(); p != nil {
			v, err = nil, fmt.Errorf("fails: %v", p)
		}
	}()
	vm := &machine{until: time.Now().Add(limit)}
	top := &env{names: bindings}
	v, err = vm.eval(e.node, nil, top)
	if err != nil {
		return nil, err
	}
	if v, err = plain(v); err != nil {
		return nil, err
	}
	if v == nil {
		return nil, ErrNoResult
	}
	return v, nil
}

// sequence is a list that a path produced: one item stands for itself. A list
// that was written or stored as a list stays one, and is []any.
type sequence []any

type env struct {
	names map[string]any
	outer *env
}

func (e *env) lookup(name string) any {
	for ; e != nil; e = e.outer {
		if v, ok := e.names[name]; ok {
			return v
		}
	}
	return nil
}

// lambda is a function written in the expression.
type lambda struct {
	params []string
	body   jparse.Node
	env    *env
	item   any
}

// machine is one evaluation.
type machine struct {
	until        time.Time
	steps, depth int
}

// maxDepth keeps nested nodes and calls far from the end of the stack, which
// no one could recover from.
const maxDepth = 2000

var errDeep = errors.New("nests too deeply")

func (vm *machine) tick() error {
	if vm.steps++; vm.steps%256 == 0 && time.Now().After(vm.until) {
		return ErrTooLong
	}
	return nil
}

// eval evaluates a node on an item and lets a sequence of one stand for its item.
func (vm *machine) eval(n jparse.Node, item any, e *env) (any, error) {
	if err := vm.tick(); err != nil {
		return nil, err
	}
	if vm.depth++; vm.depth > maxDepth {
		return nil, errDeep
	}
	v, err := vm.node(n, item, e)
	vm.depth--
	if err != nil {
		return nil, err
	}
	if s, ok := v.(sequence); ok {
		switch len(s) {
		case 0:
			return nil, nil
		case 1:
			return s[0], nil
		}
	}
	return v, nil
}

func (vm *machine) node(n jparse.Node, item any, e *env) (any, error) {
	switch n := n.(type) {
	case *jparse.StringNode:
		return n.Value, nil
	case *jparse.NumberNode:
		return n.Value, nil
	case *jparse.BooleanNode:
		return n.Value, nil
	case *jparse.VariableNode:
		if n.Name == "" {
			return item, nil
		}
		return e.lookup(n.Name), nil
	case *jparse.NameNode:
		return field(item, n.Value), nil
	case *jparse.PathNode:
		return vm.path(n, item, e)
	case *jparse.PredicateNode:
		v, err := vm.eval(n.Expr, item, e)
		for _, f := range n.Filters {
			if v == nil || err != nil {
				break
			}
			v, err = vm.filter(f, v, e)
		}
		return v, err
	case *jparse.SortNode:
		return vm.order(n, item, e)
	case *jparse.GroupNode:
		v, err := vm.eval(n.Expr, item, e)
		if err != nil {
			return nil, err
		}
		return vm.group(n.ObjectNode, v, e)
	case *jparse.ObjectNode:
		return vm.group(n, item, e)
	case *jparse.ArrayNode:
		return vm.array(n, item, e)
	case *jparse.RangeNode:
		return vm.span(n, item, e)
	case *jparse.NegationNode:
		v, err := vm.eval(n.RHS, item, e)
		if v == nil || err != nil {
			return nil, err
		}
		x, ok := v.(float64)
		if !ok {
			return nil, fmt.Errorf("- takes a number, not %s", kind(v))
		}
		return -x, nil
	case *jparse.BlockNode:
		inner := &env{names: map[string]any{}, outer: e}
		var last any
		for _, x := range n.Exprs {
			v, err := vm.eval(x, item, inner)
			if err != nil {
				return nil, err
			}
			last = v
		}
		return last, nil
	case *jparse.AssignmentNode:
		v, err := vm.eval(n.Value, item, e)
		if err != nil {
			return nil, err
		}
		e.names[n.Name] = v
		return v, nil
	case *jparse.ConditionalNode:
		c, err := vm.eval(n.If, item, e)
		if err != nil {
			return nil, err
		}
		if truth(c) {
			return vm.eval(n.Then, item, e)
		}
		if n.Else == nil {
			return nil, nil
		}
		return vm.eval(n.Else, item, e)
	case *jparse.BooleanOperatorNode:
		return vm.logic(n, item, e)
	case *jparse.ComparisonOperatorNode:
		return vm.compare(n, item, e)
	case *jparse.NumericOperatorNode:
		return vm.arithmetic(n, item, e)
	case *jparse.StringConcatenationNode:
		return vm.concat(n, item, e)
	case *jparse.LambdaNode:
		return &lambda{n.ParamNames, n.Body, e, item}, nil
	case *jparse.FunctionCallNode:
		return vm.call(n, item, e)
	}
	return nil, fmt.Errorf("%T is outside the subset", n)
}

func (vm *machine) call(n *jparse.FunctionCallNode, item any, e *env) (any, error) {
	v, ok := n.Func.(*jparse.VariableNode)
	if !ok {
		return nil, errors.New("only a function with a name may be called")
	}
	args := make([]any, len(n.Args))
	for i, a := range n.Args {
		x, err := vm.eval(a, item, e)
		if err != nil {
			return nil, err
		}
		args[i] = x
	}
	if own, ok := e.lookup(v.Name).(*lambda); ok {
		return vm.apply(own, args...)
	}
	out, err := vm.builtin(v.Name, args)
	if err != nil {
		return nil, fmt.Errorf("$%s %w", v.Name, err)
	}
	return out, nil
}

func (vm *machine) apply(f *lambda, args ...any) (any, error) {
	names := make(map[string]any, len(f.params))
	for i, p := range f.params {
		names[p] = nil
		if i < len(args) {
			names[p] = args[i]
		}
	}
	return vm.eval(f.body, f.item, &env{names, f.env})
}
