package asl

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

// reader builds a definition and collects problems on the way.
type reader struct {
	problems []Problem
	tasks    []string
	exprs    map[*State][]use // variables read, for the flow check
}

// use is one place that reads variables.
type use struct {
	path  string
	names []string
}

// scope is what surrounds a state.
type scope struct {
	inMap bool
	outer map[string]bool // variable names assigned around this graph
}

func read(raw []byte, opt Options) (*Definition, []Problem) {
	doc, twice, err := decode(raw)
	if err != nil {
		return nil, []Problem{{"$", "is not JSON: " + err.Error()}}
	}
	r := &reader{tasks: opt.Tasks, problems: twice, exprs: map[*State][]use{}}
	top, ok := doc.(map[string]any)
	if !ok {
		return nil, []Problem{{"$", "must be an object"}}
	}
	r.fields("$", top, "Comment QueryLanguage StartAt States", "StartAt States QueryLanguage")
	if q := top["QueryLanguage"]; q != "JSONata" {
		r.add("$.QueryLanguage", "must be JSONata, for the whole machine")
	}
	def := &Definition{Comment: r.text("$", top, "Comment")}
	if g := r.graph("$", top, scope{outer: map[string]bool{}}); g != nil {
		def.Graph = *g
		r.flow("$", g, map[string]bool{})
	}
	sort.SliceStable(r.problems, func(i, j int) bool { return r.problems[i].Path < r.problems[j].Path })
	if def.States[def.StartAt] == nil {
		return nil, r.problems
	}
	return def, r.problems
}

func (r *reader) add(path, format string, args ...any) {
	r.problems = append(r.problems, Problem{path, fmt.Sprintf(format, args...)})
}

// fields refuses keys outside allowed and asks for the required ones.
func (r *reader) fields(path string, m map[string]any, allowed, required string) {
	ok := strings.Fields(allowed)
	for k := range m {
		if !slices.Contains(ok, k) {
			r.add(path+"."+k, "is not in the subset here")
		}
	}
	for _, k := range strings.Fields(required) {
		if _, has := m[k]; !has {
			r.add(path+"."+k, "is required")
		}
	}
}

func (r *reader) text(path string, m map[string]any, key string) string {
	v, has := m[key]
	if !has {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		r.add(path+"."+key, "must be text")
	} else if _, expr := Expression(s); expr {
		r.add(path+"."+key, "must be literal text, not an expression")
	}
	return s
}

func (r *reader) graph(path string, m map[string]any, sc scope) *Graph {
	g := &Graph{StartAt: r.text(path, m, "StartAt"), States: map[string]*State{}}
	states, ok := m["States"].(map[string]any)
	if !ok || len(states) == 0 {
		r.add(path+".States", "must be an object with at least one state")
		return nil
	}
	own := map[string]bool{}
	for _, name := range sortedKeys(states) {
		assigned(states[name], own)
	}
	for name := range own {
		if sc.outer[name] {
			r.add(path, "variable $%s is assigned here and in an outer graph; inner graphs may only read outer variables", name)
		}
	}
	inner := scope{inMap: sc.inMap, outer: union(sc.outer, own)}
	for _, name := range sortedKeys(states) {
		p := path + ".States." + name
		if len(name) > 80 {
			r.add(p, "name is longer than 80 characters")
		}
		body, ok := states[name].(map[string]any)
		if !ok {
			r.add(p, "must be an object")
			continue
		}
		g.States[name] = r.state(p, name, body, inner)
	}
	r.reach(path, g)
	return g
}

// assigned collects the variable names that a state's own Assign blocks set,
// not those of graphs inside it.
func assigned(v any, into map[string]bool) {
	s, _ := v.(map[string]any)
	for name := range object(s["Assign"]) {
		into[name] = true
	}
	for _, list := range []string{"Catch", "Choices"} {
		entries, _ := s[list].([]any)
		for _, e := range entries {
			for name := range object(object(e)["Assign"]) {
				into[name] = true
			}
		}
	}
}

func object(v any) map[string]any { m, _ := v.(map[string]any); return m }

func (r *reader) state(p, name string, m map[string]any, sc scope) *State {
	s := &State{Name: name, Type: r.text(p, m, "Type")}
	common := "Type Comment "
	switch s.Type {
	case "Task":
		r.fields(p, m, common+"Resource Arguments Output Assign TimeoutSeconds Retry Catch Next End", "Resource Arguments TimeoutSeconds")
		r.task(p, s, m, sc)
	case "Choice":
		r.fields(p, m, common+"Choices Default", "Choices Default")
		r.choice(p, s, m, sc)
	case "Pass":
		r.fields(p, m, common+"Output Assign Next End", "")
		r.outcome(p, s, m, place{scope: sc})
	case "Wait":
		r.fields(p, m, common+"Seconds Timestamp Output Assign Next End", "")
		r.wait(p, s, m, sc)
	case "Succeed":
		r.fields(p, m, common, "")
	case "Fail":
		r.fields(p, m, common+"Error Cause", "Error Cause")
		s.Error = r.textual(p+".Error", s, m["Error"], sc)
		s.Cause = r.textual(p+".Cause", s, m["Cause"], sc)
	case "Map":
		r.fields(p, m, common+"Items MaxConcurrency ItemSelector ItemProcessor Output Assign Retry Catch Next End", "Items ItemProcessor MaxConcurrency")
		r.mapState(p, s, m, sc)
	case "Parallel":
		r.fields(p, m, common+"Branches Retry Catch Next End", "Branches")
		r.parallel(p, s, m, sc)
	default:
		r.add(p+".Type", "%q is not a state type of the subset", s.Type)
	}
	switch s.Type {
	case "Choice", "Succeed", "Fail":
	default:
		s.Next = r.text(p, m, "Next")
		end, hasEnd := m["End"]
		if hasEnd && end != true {
			r.add(p+".End", "must be true, or be left out")
		}
		if (s.Next == "") == (end != true) {
			r.add(p, "needs either Next or End")
		}
	}
	return s
}

func (r *reader) retry(p string, s *State, m map[string]any) {
	list, _ := m["Retry"].([]any)
	if has(m, "Retry") && list == nil {
		r.add(p+".Retry", "must be an array")
	}
	for i, e := range list {
		rp := fmt.Sprintf("%s.Retry[%d]", p, i)
		x := object(e)
		r.fields(rp, x, "ErrorEquals IntervalSeconds MaxAttempts BackoffRate Comment", "ErrorEquals")
		s.Retry = append(s.Retry, Retrier{
			Errors:      r.errorNames(rp, x, i == len(list)-1),
			Interval:    r.number(rp, x, "IntervalSeconds", 1, 1, 99999999),
			MaxAttempts: int(r.number(rp, x, "MaxAttempts", 3, 0, 99999999)),
			Backoff:     r.rate(rp, x),
		})
	}
}

func (r *reader) catch(p string, s *State, m map[string]any, sc scope) {
	list, _ := m["Catch"].([]any)
	if has(m, "Catch") && list == nil {
		r.add(p+".Catch", "must be an array")
	}
	for i, e := range list {
		cp := fmt.Sprintf("%s.Catch[%d]", p, i)
		x := object(e)
		r.fields(cp, x, "ErrorEquals Next Output Assign Comment", "ErrorEquals Next")
		at := place{scope: sc, errorOutput: true}
		c := Catcher{Errors: r.errorNames(cp, x, i == len(list)-1), Next: r.text(cp, x, "Next")}
		c.Output, c.HasOutput = x["Output"], has(x, "Output")
		r.template(cp+".Output", s, c.Output, at)
		c.Assign = r.assign(cp, s, x, at)
		s.Catch = append(s.Catch, c)
	}
}

func (r *reader) errorNames(p string, m map[string]any, last bool) []string {
	list, _ := m["ErrorEquals"].([]any)
	if len(list) == 0 {
		r.add(p+".ErrorEquals", "must name at least one error")
	}
	var names []string
	for i, v := range list {
		name, ok := v.(string)
		ep := fmt.Sprintf("%s.ErrorEquals[%d]", p, i)
		switch {
		case !ok || name == "":
			r.add(ep, "must be an error name")
		case name == "States.Runtime":
			r.add(ep, "States.Runtime can be neither retried nor caught")
		case name == "States.HeartbeatTimeout":
			r.add(ep, "heartbeats are not in the subset")
		case name == "States.ALL" && (len(list) > 1 || !last):
			r.add(ep, "States.ALL must stand alone and in the last entry")
		}
		names = append(names, name)
	}
	return names
}

// number reads a whole literal number between low and high.
func (r *reader) number(p string, m map[string]any, key string, def, low, high float64) float64 {
	v, has := m[key]
	if !has {
		return def
	}
	n, ok := v.(float64)
	if !ok || n != math.Trunc(n) || n < low || n > high {
		r.add(p+"."+key, "must be a whole literal number from %.0f to %.0f", low, high)
	}
	return n
}

func (r *reader) rate(p string, m map[string]any) float64 {
	v, has := m["BackoffRate"]
	if !has {
		return 2
	}
	n, ok := v.(float64)
	if !ok || n < 1 {
		r.add(p+".BackoffRate", "must be a literal number of at least 1")
	}
	return n
}

// textual is a field that is literal text or an expression that gives text.
func (r *reader) textual(path string, s *State, v any, sc scope) Template {
	if _, ok := v.(string); !ok && v != nil {
		r.add(path, "must be text")
	}
	r.template(path, s, v, place{scope: sc})
	return v
}

func has(m map[string]any, key string) bool { _, ok := m[key]; return ok }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func union(a, b map[string]bool) map[string]bool {
	out := make(map[string]bool, len(a)+len(b))
	for k := range a {
		out[k] = true
	}
	for k := range b {
		out[k] = true
	}
	return out
}
