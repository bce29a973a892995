// Package asl reads state machines and refuses what lies outside the subset
// that Step Functions, its double and the embedded interpreter run alike.
//
// The subset: JSONata only. Task (lambda:invoke, with or without a task token;
// Arguments {FunctionName "${TaskName}", Payload}, literal TimeoutSeconds),
// Choice with a Default, Pass, Wait, Fail, Succeed, inline Map and Parallel
// without Arguments, Output or Assign. Expressions are total: known functions
// only, no recursion, no null, no clock, no random, no order of keys.
package asl

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Definition is one state machine.
type Definition struct {
	Comment string
	Graph
}

// Graph is a set of states with its entry: a machine, the processor of a Map
// or one branch of a Parallel.
type Graph struct {
	StartAt string
	States  map[string]*State
}

// Template is a decoded JSON value in which a string may be an Expression.
type Template = any

// State is one state; fields that its type does not have are zero.
type State struct {
	Name, Type string
	Next       string // empty at the end
	Output     Template
	HasOutput  bool
	Assign     map[string]Template

	// Task
	Task    string // the TaskName inside "${TaskName}"
	Token   bool   // waits for its task token
	Payload Template
	Timeout float64 // seconds

	Retry []Retrier
	Catch []Catcher

	// Choice
	Rules   []Rule
	Default string

	// Wait
	Seconds, Timestamp Template

	// Fail
	Error, Cause Template

	// Map and Parallel
	Items           Template
	ItemSelector    Template
	HasItemSelector bool
	MaxConcurrency  int
	Processor       *Graph
	Branches        []*Graph
}

// Retrier is one entry of Retry. Interval in seconds.
type Retrier struct {
	Errors      []string
	Interval    float64 // default 1
	MaxAttempts int     // default 3
	Backoff     float64 // default 2
}

// Catcher is one entry of Catch.
type Catcher struct {
	Errors    []string
	Next      string
	Output    Template
	HasOutput bool
	Assign    map[string]Template
}

// Rule is one entry of Choices.
type Rule struct {
	Condition Template
	Next      string
	Output    Template
	HasOutput bool
	Assign    map[string]Template
}

// Problem is one departure from the subset.
type Problem struct {
	Path   string // JSON path, such as $.States.Ask.Retry[0]
	Reason string
}

func (p Problem) String() string { return p.Path + ": " + p.Reason }

// Options of a check.
type Options struct {
	// Tasks lists the known task names; nil leaves names unchecked.
	Tasks []string
}

// Check lists everything in raw that is outside the subset, in file order of
// paths. An empty list means that all hosts run the machine alike.
func Check(raw []byte, opt Options) []Problem {
	_, problems := read(raw, opt)
	return problems
}

// Parse reads a machine that was checked when it was built. It fails only where
// the machine could not run at all.
func Parse(raw []byte) (*Definition, error) {
	def, problems := read(raw, Options{})
	if def == nil {
		if len(problems) > 0 {
			return nil, fmt.Errorf("asl: %s", problems[0])
		}
		return nil, fmt.Errorf("asl: no definition")
	}
	return def, nil
}

// Expression returns the text between {% and %}. Only a string that begins
// with {% and ends with %}, to the character, is an expression.
func Expression(s string) (string, bool) {
	if len(s) >= 4 && strings.HasPrefix(s, "{%") && strings.HasSuffix(s, "%}") {
		return s[2 : len(s)-2], true
	}
	return "", false
}

// Tasks lists the task names that a definition calls, without order.
func (d *Definition) Tasks() []string {
	seen := map[string]bool{}
	var names []string
	d.Graph.walk(func(s *State) {
		if s.Type == "Task" && !seen[s.Task] {
			seen[s.Task] = true
			names = append(names, s.Task)
		}
	})
	return names
}

func (g *Graph) walk(visit func(*State)) {
	if g == nil {
		return
	}
	for _, s := range g.States {
		visit(s)
		s.Processor.walk(visit)
		for _, b := range s.Branches {
			b.walk(visit)
		}
	}
}

const (
	invoke      = "arn:aws:states:::lambda:invoke"
	invokeToken = invoke + ".waitForTaskToken"
)

var placeholder = regexp.MustCompile(`^\$\{([A-Za-z][A-Za-z0-9]*)\}$`)

// decode reads one JSON document, numbers as float64, and tells of keys that
// stand twice in one object: the later would silently win.
func decode(raw []byte) (any, []Problem, error) {
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	var problems []Problem
	v, err := value(dec, "$", &problems)
	if err != nil {
		return nil, nil, err
	}
	if dec.More() {
		return nil, nil, fmt.Errorf("more than one JSON value")
	}
	return v, problems, nil
}

func value(dec *json.Decoder, path string, problems *[]Problem) (any, error) {
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		m := map[string]any{}
		for dec.More() {
			k, err := dec.Token()
			if err != nil {
				return nil, err
			}
			key := k.(string)
			if _, twice := m[key]; twice {
				*problems = append(*problems, Problem{path + "." + key, "stands twice in this object"})
			}
			if m[key], err = value(dec, path+"."+key, problems); err != nil {
				return nil, err
			}
		}
		_, err = dec.Token()
		return m, err
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			v, err := value(dec, fmt.Sprintf("%s[%d]", path, len(list)), problems)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = dec.Token()
		return list, err
	}
	return t, nil
}
