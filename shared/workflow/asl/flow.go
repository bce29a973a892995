package asl

import "fmt"

// edge is one way out of a state.
type edge struct {
	path   string // of the field that names the target
	next   string
	assign map[string]Template
}

func edges(p string, s *State) []edge {
	var out []edge
	if s.Next != "" {
		out = append(out, edge{p + ".Next", s.Next, s.Assign})
	}
	for i, c := range s.Catch {
		out = append(out, edge{fmt.Sprintf("%s.Catch[%d].Next", p, i), c.Next, c.Assign})
	}
	for i, c := range s.Rules {
		out = append(out, edge{fmt.Sprintf("%s.Choices[%d].Next", p, i), c.Next, c.Assign})
	}
	if s.Default != "" {
		out = append(out, edge{p + ".Default", s.Default, nil})
	}
	return out
}

// reach checks that every target exists, every state can be reached and an end
// can be reached from every state.
func (r *reader) reach(path string, g *Graph) {
	if g.States[g.StartAt] == nil {
		r.add(path+".StartAt", "no state is named %q", g.StartAt)
		return
	}
	seen := map[string]bool{g.StartAt: true}
	back := map[string][]string{}
	var ends []string
	for _, name := range sortedKeys(g.States) {
		out := edges(path+".States."+name, g.States[name])
		if g.States[name].Next == "" && g.States[name].Type != "Choice" {
			ends = append(ends, name)
		}
		for _, e := range out {
			if g.States[e.next] == nil {
				r.add(e.path, "no state is named %q in this graph", e.next)
			}
			back[e.next] = append(back[e.next], name)
		}
	}
	for queue := []string{g.StartAt}; len(queue) > 0; queue = queue[1:] {
		for _, e := range edges("", g.States[queue[0]]) {
			if g.States[e.next] != nil && !seen[e.next] {
				seen[e.next] = true
				queue = append(queue, e.next)
			}
		}
	}
	finishes := map[string]bool{}
	for queue := ends; len(queue) > 0; queue = queue[1:] {
		if !finishes[queue[0]] {
			finishes[queue[0]] = true
			queue = append(queue, back[queue[0]]...)
		}
	}
	for _, name := range sortedKeys(g.States) {
		if !seen[name] {
			r.add(path+".States."+name, "can never be reached")
		} else if !finishes[name] {
			r.add(path+".States."+name, "no end can be reached from here")
		}
	}
}

// flow checks that each variable is assigned on every way to its use: the
// names surely known at a state are those known on all edges into it.
func (r *reader) flow(path string, g *Graph, outer map[string]bool) {
	if g.States[g.StartAt] == nil {
		return
	}
	known := map[string]map[string]bool{g.StartAt: outer}
	for queue := []string{g.StartAt}; len(queue) > 0; queue = queue[1:] {
		name := queue[0]
		for _, e := range edges("", g.States[name]) {
			if g.States[e.next] == nil {
				continue
			}
			after := union(known[name], nil)
			for v := range e.assign {
				after[v] = true
			}
			before, met := known[e.next]
			merged := after
			if met {
				merged = map[string]bool{}
				for v := range before {
					if after[v] {
						merged[v] = true
					}
				}
			}
			if !met || len(merged) < len(before) {
				known[e.next] = merged
				queue = append(queue, e.next)
			}
		}
	}
	for _, name := range sortedKeys(g.States) {
		in, reached := known[name]
		if !reached {
			continue
		}
		s := g.States[name]
		for _, u := range r.exprs[s] {
			for _, v := range u.names {
				if !in[v] {
					r.add(u.path, "variable $%s is not assigned on every way to this state", v)
				}
			}
		}
		p := path + ".States." + name
		if s.Processor != nil {
			r.flow(p+".ItemProcessor", s.Processor, in)
		}
		for i, b := range s.Branches {
			if b != nil {
				r.flow(fmt.Sprintf("%s.Branches[%d]", p, i), b, in)
			}
		}
	}
}
