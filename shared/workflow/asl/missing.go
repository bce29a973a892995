package asl

import (
	"fmt"
	"strings"

	"github.com/blues/jsonata-go/jparse"
)

func (in *inspector) comparison(n *jparse.ComparisonOperatorNode, f frame) {
	in.visit(n.LHS, f)
	in.visit(n.RHS, f)
	switch n.Type {
	case jparse.ComparisonLess, jparse.ComparisonLessEqual, jparse.ComparisonGreater, jparse.ComparisonGreaterEqual:
	default:
		return
	}
	if f.filter {
		return
	}
	for _, side := range []jparse.Node{n.LHS, n.RHS} {
		if in.mayMiss(side, f) {
			in.refuse("%s may be missing where it is compared by %s; write $exists(%s) and ...", side, n.Type, side)
		}
	}
}

func (in *inspector) arithmetic(n *jparse.NumericOperatorNode, f frame) {
	in.visit(n.LHS, f)
	in.visit(n.RHS, f)
	switch n.Type {
	case jparse.NumericDivide:
		if d, ok := n.RHS.(*jparse.NumberNode); !ok || d.Value == 0 {
			in.refuse("division by a possible zero; divide by a literal or use a task")
		}
	case jparse.NumericModulo:
		in.refuse("%% is not in the subset")
	}
}

// guards lists the paths that surely exist when n is true.
func guards(n jparse.Node) []string {
	switch n := n.(type) {
	case *jparse.BlockNode:
		if len(n.Exprs) == 1 {
			return guards(n.Exprs[0])
		}
	case *jparse.BooleanOperatorNode:
		if n.Type == jparse.BooleanAnd {
			return append(guards(n.LHS), guards(n.RHS)...)
		}
	case *jparse.FunctionCallNode:
		if v, ok := n.Func.(*jparse.VariableNode); ok && v.Name == "exists" && len(n.Args) == 1 {
			return []string{n.Args[0].String()}
		}
	}
	return nil
}

// mayMiss tells whether an expression may have no result.
func (in *inspector) mayMiss(n jparse.Node, f frame) bool {
	if f.guarded[fmt.Sprint(n)] {
		return false
	}
	switch n := n.(type) {
	case *jparse.StringNode, *jparse.NumberNode, *jparse.BooleanNode, *jparse.ArrayNode, *jparse.ObjectNode,
		*jparse.StringConcatenationNode, *jparse.BooleanOperatorNode, *jparse.LambdaNode:
		return false
	case *jparse.VariableNode:
		l := f.locals[n.Name]
		return l != nil && l.mayMiss
	case *jparse.NegationNode:
		return in.mayMiss(n.RHS, f)
	case *jparse.NumericOperatorNode:
		return in.mayMiss(n.LHS, f) || in.mayMiss(n.RHS, f)
	case *jparse.BlockNode:
		return len(n.Exprs) != 1 || in.mayMiss(n.Exprs[0], f)
	case *jparse.ConditionalNode:
		return n.Else == nil || in.mayMiss(n.Then, f.knowing(guards(n.If))) || in.mayMiss(n.Else, f)
	case *jparse.PathNode:
		s := n.String()
		return !strings.HasPrefix(s, "$states.context.") && s != "$states.input" && s != "$states.result"
	case *jparse.FunctionCallNode:
		v, ok := n.Func.(*jparse.VariableNode)
		if !ok || len(n.Args) == 0 {
			return true
		}
		switch v.Name {
		case "count", "exists", "boolean":
			return false
		case "max", "min", "average", "lookup", "reduce", "distinct":
			return true
		}
		return in.mayMiss(n.Args[0], f)
	case *jparse.ComparisonOperatorNode:
		return false // each side is asked on its own
	}
	return true
}
