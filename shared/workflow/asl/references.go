package asl

import (
	"slices"

	"github.com/blues/jsonata-go/jparse"
)

func (in *inspector) variable(n *jparse.VariableNode, f frame) {
	switch {
	case n.Name == "":
		if !f.inItem {
			in.refuse("$ has no value outside a path")
		}
	case n.Name == "$":
		in.refuse("$$ has no value in Step Functions")
	case f.locals[n.Name] != nil:
		if f.locals[n.Name].function {
			in.refuse("function $%s is used as a value", n.Name)
		}
	case n.Name == "states":
		in.refuse("$states must be followed by input, context, result or errorOutput")
	case allowed[n.Name] != nil || slices.Contains(forbidden, n.Name):
		in.refuse("function $%s is used as a value", n.Name)
	default:
		in.note(n.Name)
	}
}

// note records a variable of the machine.
func (in *inspector) note(name string) {
	if !slices.Contains(in.variables, name) {
		in.variables = append(in.variables, name)
	}
}

func (in *inspector) name(n *jparse.NameNode, f frame) {
	if !f.inItem {
		in.refuse("bare path %s resolves to nothing; begin with $states or a variable", n.Value)
	}
}

func (in *inspector) path(n *jparse.PathNode, f frame) {
	first, filters := step(n.Steps[0])
	if v, ok := first.(*jparse.VariableNode); ok && v.Name == "states" && f.locals["states"] == nil {
		in.states(n)
		in.filters(filters, f)
	} else {
		in.visit(n.Steps[0], f)
	}
	f.inItem = true
	for _, s := range n.Steps[1:] {
		in.visit(s, f)
	}
}

// step splits a path step into its expression and its predicates.
func step(n jparse.Node) (jparse.Node, []jparse.Node) {
	switch n := n.(type) {
	case *jparse.PredicateNode:
		e, more := step(n.Expr)
		return e, append(more, n.Filters...)
	case *jparse.SortNode:
		return step(n.Expr)
	case *jparse.PathNode:
		if len(n.Steps) == 1 {
			return step(n.Steps[0])
		}
	}
	return n, nil
}

// contextFields are the members of the context object that all hosts have.
var contextFields = map[string][]string{
	"Execution":    {"Id", "Name", "Input", "StartTime"},
	"State":        {"Name", "EnteredTime", "RetryCount"},
	"StateMachine": {"Id", "Name"},
	"Map":          {"Item"},
	"Task":         {"Token"},
}

func (in *inspector) states(n *jparse.PathNode) {
	names := make([]string, 0, 5)
	for _, s := range n.Steps[1:] {
		e, _ := step(s)
		name, ok := e.(*jparse.NameNode)
		if !ok {
			break
		}
		names = append(names, name.Value)
	}
	for len(names) < 5 {
		names = append(names, "")
	}
	switch names[0] {
	case "input":
	case "context":
		switch {
		case !slices.Contains(contextFields[names[1]], names[2]):
			in.refuse("$states.context.%s.%s is not a field that all hosts have", names[1], names[2])
		case names[1] == "Map" && !in.inMap:
			in.refuse("$states.context.Map exists only inside a Map")
		case names[1] == "Map" && names[3] != "Index" && names[3] != "Value":
			in.refuse("$states.context.Map.Item has Index and Value only")
		case names[1] == "Task" && !in.token:
			in.refuse("$states.context.Task.Token exists only in Arguments of a task that waits for its token")
		}
	case "result":
		if !in.result {
			in.refuse("$states.result exists only in Output and Assign of Task and Map")
		} else if in.envelope && names[1] != "Payload" {
			in.refuse("of an invocation only $states.result.Payload may be read; hosts differ in the rest")
		}
	case "errorOutput":
		if !in.errorOutput {
			in.refuse("$states.errorOutput exists only in Catch")
		}
	default:
		in.refuse("$states must be followed by input, context, result or errorOutput")
	}
}
