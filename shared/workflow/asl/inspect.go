package asl

import (
	"fmt"
	"slices"

	"github.com/blues/jsonata-go/jparse"
)

// arity is how many arguments a function takes; all must be given, since the
// default "context" argument means something else in each place.
type arity struct{ low, high int }

// allowed are the functions on which all engines agree.
var allowed = map[string]*arity{
	"count": {1, 1}, "sum": {1, 1}, "max": {1, 1}, "min": {1, 1}, "average": {1, 1},
	"abs": {1, 1}, "floor": {1, 1}, "ceil": {1, 1}, "round": {1, 2}, "power": {2, 2}, "sqrt": {1, 1},
	"number": {1, 1}, "boolean": {1, 1}, "exists": {1, 1}, "type": {1, 1}, "string": {1, 1},
	"length": {1, 1}, "substring": {2, 3}, "substringBefore": {2, 2}, "substringAfter": {2, 2},
	"uppercase": {1, 1}, "lowercase": {1, 1}, "trim": {1, 1}, "pad": {2, 3},
	"contains": {2, 2}, "split": {2, 3}, "join": {1, 2}, "replace": {3, 4},
	"append": {2, 2}, "reverse": {1, 1}, "sort": {1, 2}, "distinct": {1, 1}, "zip": {1, 8},
	"reduce": {2, 3}, "merge": {1, 1}, "lookup": {2, 2},
	"partition": {2, 2}, "range": {3, 3}, "hash": {2, 2}, "parse": {1, 1},
}

// forbidden are known functions with a reason of their own; any other name
// that is called is refused as unknown.
var forbidden = []string{
	"now", "millis", "random", "uuid", "eval", "error", "assert", "toMillis", "fromMillis",
	"map", "filter", "single", "sift", "not", "keys", "spread", "each", "shuffle", "match",
	"formatNumber", "formatBase", "formatInteger", "parseInteger", "clone",
	"base64encode", "base64decode", "encodeUrl", "encodeUrlComponent", "decodeUrl", "decodeUrlComponent",
}

func why(name string) string {
	switch name {
	case "now", "millis", "random", "uuid":
		return "a resumed job must compute the same; use $states.context.State.EnteredTime or the execution's name"
	case "eval":
		return "Step Functions has none, and text is never compiled"
	case "error", "assert":
		return "use a Fail state"
	case "map", "filter", "single", "sift", "not":
		return "engines differ; use a path, a predicate, a Map state, a Choice or `x = false`"
	case "keys", "spread", "each":
		return "it shows the order of keys"
	case "toMillis", "fromMillis":
		return "engines differ in dates; use a task"
	}
	return "it is not among the functions on which all engines agree"
}

// inspector walks one parsed expression.
type inspector struct {
	place
	variables []string
	problems  []string
}

// local is a name bound inside the expression.
type local struct {
	function bool
	params   int
	mayMiss  bool
}

// frame is what holds at one node.
type frame struct {
	locals  map[string]*local
	inItem  bool            // inside a path step: names and $ mean the item
	filter  bool            // inside a predicate: a missing result is false everywhere
	guarded map[string]bool // paths known to exist here
}

func (f frame) with(name string, l *local) frame {
	f.locals = copyOf(f.locals)
	f.locals[name] = l
	return f
}

func (f frame) knowing(paths []string) frame {
	f.guarded = copyOf(f.guarded)
	for _, p := range paths {
		f.guarded[p] = true
	}
	return f
}

func copyOf[V any](m map[string]V) map[string]V {
	out := make(map[string]V, len(m)+1)
	for k, v := range m {
		out[k] = v
	}
	return out
}

func (in *inspector) refuse(format string, args ...any) {
	reason := fmt.Sprintf(format, args...)
	if !slices.Contains(in.problems, reason) {
		in.problems = append(in.problems, reason)
	}
}

func (in *inspector) visit(n jparse.Node, f frame) {
	switch n := n.(type) {
	case nil, *jparse.StringNode, *jparse.NumberNode, *jparse.BooleanNode:
	case *jparse.NullNode:
		in.refuse("null is not in the subset; leave the key out")
	case *jparse.VariableNode:
		in.variable(n, f)
	case *jparse.NameNode:
		in.name(n, f)
	case *jparse.PathNode:
		in.path(n, f)
	case *jparse.PredicateNode:
		in.visit(n.Expr, f)
		in.filters(n.Filters, f)
	case *jparse.SortNode:
		in.visit(n.Expr, f)
		for _, t := range n.Terms {
			f.inItem = true
			in.visit(t.Expr, f)
		}
	case *jparse.GroupNode:
		in.visit(n.Expr, f)
		f.inItem = true
		in.visit(n.ObjectNode, f)
	case *jparse.NegationNode:
		in.visit(n.RHS, f)
	case *jparse.RangeNode:
		in.visit(n.LHS, f)
		in.visit(n.RHS, f)
	case *jparse.ArrayNode:
		for _, i := range n.Items {
			in.visit(i, f)
		}
	case *jparse.ObjectNode:
		for _, pair := range n.Pairs {
			in.visit(pair[0], f)
			in.visit(pair[1], f)
		}
	case *jparse.BlockNode:
		in.block(n, f)
	case *jparse.AssignmentNode:
		in.visit(n.Value, f)
	case *jparse.ConditionalNode:
		in.visit(n.If, f)
		in.visit(n.Then, f.knowing(guards(n.If)))
		in.visit(n.Else, f)
	case *jparse.BooleanOperatorNode:
		in.visit(n.LHS, f)
		if n.Type == jparse.BooleanAnd {
			f = f.knowing(guards(n.LHS))
		}
		in.visit(n.RHS, f)
	case *jparse.ComparisonOperatorNode:
		in.comparison(n, f)
	case *jparse.NumericOperatorNode:
		in.arithmetic(n, f)
	case *jparse.StringConcatenationNode:
		in.visit(n.LHS, f)
		in.visit(n.RHS, f)
	case *jparse.LambdaNode:
		in.lambda(n, f)
	case *jparse.FunctionCallNode:
		in.call(n, f)
	default:
		in.refuse("%s is not in the subset", describe(n))
		in.rest(n, f)
	}
}

// rest visits the parts of a refused node, so that its variables are known.
func (in *inspector) rest(n jparse.Node, f frame) {
	switch n := n.(type) {
	case *jparse.FunctionApplicationNode:
		in.visit(n.LHS, f)
		in.visit(n.RHS, f)
	case *jparse.TypedLambdaNode:
		in.lambda(n.LambdaNode, f)
	case *jparse.PartialNode:
		in.visit(n.Func, f)
		for _, a := range n.Args {
			in.visit(a, f)
		}
	case *jparse.ObjectTransformationNode:
		f.inItem = true
		in.visit(n.Pattern, f)
		in.visit(n.Updates, f)
		in.visit(n.Deletes, f)
	}
}

func describe(n jparse.Node) string {
	switch n.(type) {
	case *jparse.WildcardNode:
		return "* (it shows the order of keys)"
	case *jparse.DescendentNode:
		return "** (it shows the order of keys)"
	case *jparse.RegexNode:
		return "a regular expression"
	case *jparse.ObjectTransformationNode:
		return "an object transformation"
	case *jparse.FunctionApplicationNode:
		return "~>"
	case *jparse.PartialNode, *jparse.PlaceholderNode:
		return "a partial function"
	case *jparse.TypedLambdaNode:
		return "a function signature"
	}
	return fmt.Sprintf("%T", n)
}

func (in *inspector) filters(filters []jparse.Node, f frame) {
	f.inItem, f.filter = true, true
	for _, x := range filters {
		in.visit(x, f)
	}
}

func (in *inspector) block(n *jparse.BlockNode, f frame) {
	for _, e := range n.Exprs {
		in.visit(e, f)
		if a, ok := e.(*jparse.AssignmentNode); ok {
			if allowed[a.Name] != nil || slices.Contains(forbidden, a.Name) || a.Name == "states" {
				in.refuse("$%s may not be bound anew", a.Name)
			}
			l := &local{mayMiss: in.mayMiss(a.Value, f)}
			if fn, ok := a.Value.(*jparse.LambdaNode); ok {
				l.function, l.params = true, len(fn.ParamNames)
			}
			f = f.with(a.Name, l)
		}
	}
}

func (in *inspector) lambda(n *jparse.LambdaNode, f frame) {
	for _, p := range n.ParamNames {
		if allowed[p] != nil || slices.Contains(forbidden, p) || p == "states" {
			in.refuse("$%s may not be bound anew", p)
		}
		f = f.with(p, &local{})
	}
	in.visit(n.Body, f)
}

// call allows the functions of the table and those bound earlier in the same
// block. A function cannot see its own name or a later one, and a parameter
// cannot be called: so there is no recursion and each expression ends.
func (in *inspector) call(n *jparse.FunctionCallNode, f frame) {
	defer func() {
		for _, a := range n.Args {
			in.visit(a, f)
		}
	}()
	v, ok := n.Func.(*jparse.VariableNode)
	if !ok {
		in.refuse("only a function with a name may be called")
		in.visit(n.Func, f)
		return
	}
	if l := f.locals[v.Name]; l != nil {
		if !l.function {
			in.refuse("$%s is not a function bound in this block", v.Name)
		} else if l.params != len(n.Args) {
			in.refuse("$%s takes %d arguments", v.Name, l.params)
		}
		return
	}
	a := allowed[v.Name]
	switch {
	case slices.Contains(forbidden, v.Name):
		in.refuse("function $%s is not in the subset: %s", v.Name, why(v.Name))
	case a == nil:
		in.refuse("function $%s is unknown here: only functions of the subset and those bound earlier in the block", v.Name)
	case len(n.Args) < a.low || len(n.Args) > a.high:
		in.refuse("$%s must be called with all its arguments (%d to %d)", v.Name, a.low, a.high)
	case v.Name == "string":
		switch n.Args[0].(type) {
		case *jparse.ArrayNode, *jparse.ObjectNode:
			in.refuse("$string takes text, a boolean or an integer")
		}
	}
}
