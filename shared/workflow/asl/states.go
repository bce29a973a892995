package asl

import (
	"fmt"
	"slices"
)

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
