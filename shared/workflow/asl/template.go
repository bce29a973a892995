package asl

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/blues/jsonata-go/jparse"
)

// place says which members of $states an expression may read.
type place struct {
	scope
	result      bool // $states.result: Output and Assign of Task and Map
	envelope    bool // the result is an invocation envelope: only .Payload
	errorOutput bool // $states.errorOutput: in Catch
	token       bool // $states.context.Task.Token: Arguments of a token task
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,79}$`)

// assign reads one Assign block. A name may not be both assigned and read in
// it: hosts differ in whether the new value is already seen.
func (r *reader) assign(p string, s *State, m map[string]any, at place) map[string]Template {
	v, has := m["Assign"]
	if !has {
		return nil
	}
	block, ok := v.(map[string]any)
	if !ok || len(block) == 0 {
		r.add(p+".Assign", "must be an object of variables")
		return nil
	}
	out := map[string]Template{}
	var read []string
	for _, name := range sortedKeys(block) {
		vp := p + ".Assign." + name
		if !variableName.MatchString(name) || name == "states" || allowed[name] != nil || slices.Contains(forbidden, name) {
			r.add(vp, "is not a free variable name")
		}
		out[name] = block[name]
		read = append(read, r.template(vp, s, block[name], at)...)
	}
	for _, name := range read {
		if _, both := block[name]; both {
			r.add(p+".Assign", "$%s is read and assigned in one Assign", name)
		}
	}
	return out
}

// template checks a JSON value that may hold expressions and returns the
// variables that it reads.
func (r *reader) template(path string, s *State, v Template, at place) []string {
	switch v := v.(type) {
	case string:
		src, expr := Expression(v)
		if !expr {
			if strings.Contains(v, "{%") || strings.Contains(v, "%}") {
				r.add(path, "an expression must be the whole string, from the first to the last character")
			}
			return nil
		}
		names, problems := inspect(src, at)
		for _, reason := range problems {
			r.add(path, "%s", reason)
		}
		if len(names) > 0 {
			r.exprs[s] = append(r.exprs[s], use{path, names})
		}
		return names
	case map[string]any:
		var names []string
		for _, k := range sortedKeys(v) {
			if strings.Contains(k, "{%") {
				r.add(path+"."+k, "keys are never evaluated")
			}
			if v[k] == nil {
				r.add(path+"."+k, "null is not in the subset; leave the key out")
			}
			names = append(names, r.template(path+"."+k, s, v[k], at)...)
		}
		return names
	case []any:
		var names []string
		for i, e := range v {
			ep := fmt.Sprintf("%s[%d]", path, i)
			if e == nil {
				r.add(ep, "null is not in the subset; leave it out")
			}
			names = append(names, r.template(ep, s, e, at)...)
		}
		return names
	}
	return nil
}

// Inspect checks one expression without its {% %} as a use in a Pass state
// would be checked, and returns the variables that it reads and the reasons to
// refuse it.
func Inspect(src string) (variables, problems []string) { return inspect(src, place{}) }

func inspect(src string, at place) (variables, problems []string) {
	node, err := parse(src)
	if err != nil {
		return nil, []string{"does not parse as JSONata: " + err.Error()}
	}
	in := &inspector{place: at}
	in.visit(node, frame{locals: map[string]*local{}, guarded: map[string]bool{}})
	return in.variables, in.problems
}

// parse keeps a panic of the parser, which odd text can cause, from the caller.
func parse(src string) (n jparse.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			n, err = nil, fmt.Errorf("%v", p)
		}
	}()
	return jparse.Parse(src)
}
