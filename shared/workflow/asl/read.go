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

func (r *reader) task(p string, s *State, m map[string]any, sc scope) {
	switch m["Resource"] {
	case invoke:
	case invokeToken:
		s.Token = true
	default:
		r.add(p+".Resource", "must be %s or %s", invoke, invokeToken)
	}
	args := object(m["Arguments"])
	r.fields(p+".Arguments", args, "FunctionName Payload", "FunctionName Payload")
	fn, _ := args["FunctionName"].(string)
	if got := placeholder.FindStringSubmatch(fn); got == nil {
		r.add(p+".Arguments.FunctionName", `must be "${TaskName}", letters and digits`)
	} else if s.Task = got[1]; r.tasks != nil && !slices.Contains(r.tasks, s.Task) {
		r.add(p+".Arguments.FunctionName", "no task is named %s", s.Task)
	}
	s.Payload = args["Payload"]
	r.template(p+".Arguments.Payload", s, s.Payload, place{scope: sc, token: s.Token})
	s.Timeout = r.number(p, m, "TimeoutSeconds", 0, 1, 99999999)
	at := place{scope: sc, result: true, envelope: !s.Token}
	if _, has := m["Output"]; !has && !s.Token {
		r.add(p+".Output", "is required: without it the whole invocation envelope goes on, and hosts differ in it")
	}
	r.outcome(p, s, m, at)
	r.retry(p, s, m)
	r.catch(p, s, m, sc)
}

func (r *reader) choice(p string, s *State, m map[string]any, sc scope) {
	s.Default = r.text(p, m, "Default")
	rules, _ := m["Choices"].([]any)
	if len(rules) == 0 {
		r.add(p+".Choices", "must hold at least one rule")
	}
	for i, e := range rules {
		rp := fmt.Sprintf("%s.Choices[%d]", p, i)
		rule := object(e)
		r.fields(rp, rule, "Condition Next Output Assign Comment", "Condition Next")
		c, isText := rule["Condition"].(string)
		if _, expr := Expression(c); !isText || !expr {
			r.add(rp+".Condition", "must be one {%% boolean %%}")
		}
		r.template(rp+".Condition", s, rule["Condition"], place{scope: sc})
		out := Rule{Condition: rule["Condition"], Next: r.text(rp, rule, "Next")}
		out.Output, out.HasOutput = rule["Output"], has(rule, "Output")
		r.template(rp+".Output", s, out.Output, place{scope: sc})
		out.Assign = r.assign(rp, s, rule, place{scope: sc})
		s.Rules = append(s.Rules, out)
	}
}

func (r *reader) wait(p string, s *State, m map[string]any, sc scope) {
	s.Seconds, s.Timestamp = m["Seconds"], m["Timestamp"]
	if has(m, "Seconds") == has(m, "Timestamp") {
		r.add(p, "needs either Seconds or Timestamp")
	}
	switch v := s.Seconds.(type) {
	case nil:
	case float64:
		r.number(p, m, "Seconds", 0, 0, 99999999)
	case string:
		if _, expr := Expression(v); !expr {
			r.add(p+".Seconds", "must be a whole number or an expression that gives one")
		}
	default:
		r.add(p+".Seconds", "must be a whole number or an expression that gives one")
	}
	if s.Timestamp != nil {
		s.Timestamp = r.textual(p+".Timestamp", s, s.Timestamp, sc)
	}
	r.template(p+".Seconds", s, s.Seconds, place{scope: sc})
	r.outcome(p, s, m, place{scope: sc})
}

func (r *reader) mapState(p string, s *State, m map[string]any, sc scope) {
	s.Items = m["Items"]
	switch v := s.Items.(type) {
	case []any:
	case string:
		if _, expr := Expression(v); !expr {
			r.add(p+".Items", "must be an array or an expression that gives one")
		}
	default:
		r.add(p+".Items", "must be an array or an expression that gives one")
	}
	r.template(p+".Items", s, s.Items, place{scope: sc})
	s.MaxConcurrency = int(r.number(p, m, "MaxConcurrency", 0, 1, 40))
	s.ItemSelector, s.HasItemSelector = m["ItemSelector"], has(m, "ItemSelector")
	item := sc
	item.inMap = true
	r.template(p+".ItemSelector", s, s.ItemSelector, place{scope: item})
	proc := object(m["ItemProcessor"])
	r.fields(p+".ItemProcessor", proc, "ProcessorConfig StartAt States Comment", "StartAt States")
	if cfg, has := proc["ProcessorConfig"]; has && (len(object(cfg)) != 1 || object(cfg)["Mode"] != "INLINE") {
		r.add(p+".ItemProcessor.ProcessorConfig", `must be {"Mode": "INLINE"}`)
	}
	s.Processor = r.graph(p+".ItemProcessor", proc, item)
	r.outcome(p, s, m, place{scope: sc, result: true})
	r.retry(p, s, m)
	r.catch(p, s, m, sc)
}

func (r *reader) parallel(p string, s *State, m map[string]any, sc scope) {
	branches, _ := m["Branches"].([]any)
	if len(branches) == 0 {
		r.add(p+".Branches", "must hold at least one branch")
	}
	for i, b := range branches {
		bp := fmt.Sprintf("%s.Branches[%d]", p, i)
		r.fields(bp, object(b), "StartAt States Comment", "StartAt States")
		s.Branches = append(s.Branches, r.graph(bp, object(b), sc))
	}
	r.retry(p, s, m)
	r.catch(p, s, m, sc)
}

func (r *reader) outcome(p string, s *State, m map[string]any, at place) {
	s.Output, s.HasOutput = m["Output"], has(m, "Output")
	r.template(p+".Output", s, s.Output, at)
	s.Assign = r.assign(p, s, m, at)
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
