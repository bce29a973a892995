package planner

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

var (
	dropWords   = expression.Of(`(?i)^(?:please\s+)?(?:drop|remove|delete|take out|cut|entferne[n]?|streiche[n]?|lösche[n]?|supprime[zr]?|enlève|retirez|elimina[r]?|quita[r]?|borra[r]?|rimuovi|remova|verwijder)\s+(.+?)[.!]?$`)
	addWords    = expression.Of(`(?is)^(?:please\s+)?(?:add|append|also ask|include|füge?n? .{0,20}hinzu|ergänze[n]?|ajoute[zr]?|añade|agrega[r]?|aggiungi|adicione|voeg toe)\s*(?:a |an |one |this |the |another |these )?(?:questions?|fragen?|items?|pregunta[s]?)?\s*:?\s*(.+)$`)
	numberRef   = expression.Of(`(?i)\b(?:q|question|item|frage|pregunta|domanda|vraag|number|no\.?|nr\.?)\s*#?\s*(\d{1,3})\b`)
	changeText  = expression.Of(`(?is)^(?:please\s+)?(?:change|reword|rewrite|replace|rephrase)\s+(?:the (?:text|wording) of\s+)?(?:q|question|item)\s*#?\s*(\d{1,3})\s+(?:to|with|as)\s*:?\s*["“]?(.+?)["”]?\s*$`)
	changeScale = expression.Of(`(?i)^(?:please\s+)?(?:make|change|turn|use|ask)\s+(?:q|question|item)\s*#?\s*(\d{1,3})\s+(?:(?:in)?to|as|on|use|a|an)?\s*(.{3,120})$`)
	objectiveTo = expression.Of(`(?is)^(?:change|set)\s+the\s+(?:objective|aim|goal)\s+to\s*:?\s*(.+)$`)
)

// refine does what a refinement says where a rule reads it: drop, add, reword, put
// on a scale. What no rule reads becomes a required clarification; nothing is
// guessed.
func refine(p *Plan, text string) error {
	var unread []string
	for _, s := range refinements(text) {
		if !refineOne(p, s) {
			unread = append(unread, s)
		}
	}
	if len(unread) > 0 {
		id := "refinement"
		p.ConfirmationQuestions = slices.DeleteFunc(p.ConfirmationQuestions, func(q ConfirmationQuestion) bool { return q.QuestionID == id })
		p.ConfirmationQuestions = append(p.ConfirmationQuestions, clarify(id, true, nil, "Without a model only plain changes are understood (drop, add, change question N to …, make question N a 7-point scale). Not done: “%s”. Send it as edits, or say here that the draft is right as it is.", cut(strings.Join(unread, " "), 400)))
	}
	return nil
}

// refinements parts an instruction into single ones; a text behind ":" stays whole.
func refinements(text string) []string {
	text = strings.TrimSpace(text)
	if strings.Contains(text, ":") || strings.ContainsAny(text, "\"“?") {
		return []string{text}
	}
	var out []string
	for _, s := range splitSentences(text) {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func refineOne(p *Plan, s string) bool {
	if m := objectiveTo.FindStringSubmatch(s); m != nil {
		p.Objective = cut(strings.TrimSpace(m[1]), MaxObjective)
		return true
	}
	if m := changeText.FindStringSubmatch(s); m != nil {
		if it := numbered(p, m[1]); it != nil && !it.ReadOnly && !tooLong(m[2], MaxText) {
			it.Text = strings.TrimSpace(m[2])
			return true
		}
		return false
	}
	if m := dropWords.FindStringSubmatch(s); m != nil {
		return drop(p, m[1])
	}
	if m := changeScale.FindStringSubmatch(s); m != nil {
		it := numbered(p, m[1])
		if it == nil || it.ReadOnly {
			return false
		}
		if r, ok := scaleOf(m[2], it.Text, p.StudyLocale); ok {
			it.Response = r
			return true
		}
		return false
	}
	if m := addWords.FindStringSubmatch(s); m != nil {
		return add(p, strings.Trim(m[1], "\"“” "))
	}
	return false
}

func numbered(p *Plan, n string) *Item {
	want, _ := strconv.Atoi(n)
	var out *Item
	at := 0
	each(p, func(it *Item) {
		if at++; at == want {
			out = it
		}
	})
	return out
}

// drop removes items by number, or a method by its name. An item that others depend
// on stays, so that no condition breaks (M-182).
func drop(p *Plan, what string) bool {
	for _, n := range named_ {
		if n.x.MatchString(what) && slices.ContainsFunc(p.Methods, func(m Method) bool { return m.MethodID == n.id }) {
			p.Methods = slices.DeleteFunc(p.Methods, func(m Method) bool { return m.MethodID == n.id })
			p.Modules = slices.DeleteFunc(p.Modules, func(m Module) bool { return m.MethodID == n.id })
			if len(p.Methods) == 0 {
				_ = setMethods(p, []Selection{{MethodID: "guided-research"}})
			}
			return len(p.Modules) > 0
		}
	}
	gone := map[string]bool{}
	for _, m := range numberRef.FindAllStringSubmatch(what, MaxQuestions) {
		it := numbered(p, m[1])
		if it == nil || it.ReadOnly {
			return false
		}
		gone[it.ID] = true
	}
	if len(gone) == 0 || len(gone) == len(p.Items()) {
		return false
	}
	broken := false
	each(p, func(it *Item) { broken = broken || !gone[it.ID] && it.AskIf != nil && gone[it.AskIf.QuestionID] })
	if broken {
		return false
	}
	for i := range p.Modules {
		p.Modules[i].Questions = slices.DeleteFunc(p.Modules[i].Questions, func(it Item) bool { return gone[it.ID] })
	}
	p.Modules = slices.DeleteFunc(p.Modules, func(m Module) bool { return m.MethodID == "" && len(m.Questions) == 0 })
	return true
}

// add appends the questions that a text holds, or a method that it names.
func add(p *Plan, what string) bool {
	if sel := askedMethods(what); len(sel) > 0 && len(p.Methods)+len(sel) <= MaxMethods {
		all := make([]Selection, 0, len(p.Methods)+len(sel))
		for _, m := range p.Methods {
			all = append(all, Selection{m.MethodID, m.Configuration})
		}
		for _, s := range sel {
			if !chosen(all, s.MethodID) {
				all = append(all, s)
			}
		}
		return setMethods(p, all) == nil
	}
	lang := p.StudyLocale
	blocks, _ := readBlocks(what)
	mods, ask := assemble(collect(blocks, lang), nil, lang)
	if len(mods) == 0 {
		return false
	}
	taken, texts := map[string]bool{}, map[string]bool{}
	each(p, func(it *Item) { taken[it.ID], texts[folded(it.Text)] = true, true })
	rename := map[string]string{}
	var fresh []Item
	for _, m := range mods {
		for _, it := range m.Questions {
			if texts[folded(it.Text)] {
				return false
			}
			rename[it.ID] = unused("q"+strconv.Itoa(len(taken)+1), taken)
			it.ID = rename[it.ID]
			if it.AskIf != nil {
				it.AskIf.QuestionID = rename[it.AskIf.QuestionID]
			}
			fresh = append(fresh, it)
		}
	}
	if len(ask) > 0 { // its clarifications name ids of its own: leave it to the person
		return false
	}
	last := -1
	for i := range p.Modules {
		if p.Modules[i].MethodID == "" {
			last = i
		}
	}
	if last < 0 {
		p.Modules = append([]Module{{ID: moduleFor("main", p.Modules), Name: pick(mainName, lang)}}, p.Modules...)
		last = 0
	}
	for i := range fresh {
		fresh[i].ModuleID = p.Modules[last].ID
	}
	p.Modules[last].Questions = append(p.Modules[last].Questions, fresh...)
	return true
}
