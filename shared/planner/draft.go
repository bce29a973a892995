package planner

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/method"
)

// New plans from a request or from a fixed instrument. Errors are VALIDATION,
// INVALID_ASK_IF and INVALID_METHOD_CONFIGURATION with data.path, a JSON pointer.
func New(in Input) (Plan, error) {
	if err := checkInput(in); err != nil {
		return Plan{}, err
	}
	if in.Request == "" && len(in.Questions) == 0 {
		return Plan{}, invalid("", "There is nothing to plan: send request with the aim and every question, or questions with fixed texts.")
	}
	if len(in.Questions) > 0 {
		return fixed(in)
	}
	return fromRequest(in)
}

// fixed keeps an instrument verbatim.
func fixed(in Input) (Plan, error) {
	if n := len(in.Questions); n > MaxQuestions {
		return Plan{}, invalid("/questions", "questions lists %d questions; a plan holds at most %d. Plan in parts.", n, MaxQuestions)
	}
	p := Plan{Planner: By{Fixed, Version}}
	ids, texts := map[string]int{}, map[string]int{}
	taken := map[string]bool{}
	var all strings.Builder
	last := "\x00"
	for i, q := range in.Questions {
		at := func(key string) string { return pointer("questions", i, key) }
		if err := checkText(at("text"), q.Text); err != nil {
			return Plan{}, err
		}
		if err := checkResponse(at("response"), q.Response, false); err != nil {
			return Plan{}, err
		}
		id := "q" + strconv.Itoa(i+1)
		if strings.TrimSpace(q.ID) != "" {
			if id = slug(q.ID); id == "" {
				return Plan{}, invalid(at("id"), "id %q holds no letter a-z, digit or _; leave it out or choose another.", q.ID)
			}
		}
		if j, ok := ids[id]; ok {
			return Plan{}, invalid(at("id"), "Questions %d and %d have the same id %q. Ids are lower case with “-” for other characters; choose another.", j+1, i+1, id)
		}
		ids[id] = i
		if j, ok := texts[folded(q.Text)]; ok {
			return Plan{}, invalid(at("text"), "Questions %d and %d have the same text. Drop one, or say what differs.", j+1, i+1)
		}
		texts[folded(q.Text)] = i
		if tooLong(q.Module, MaxModule) {
			return Plan{}, invalid(at("module"), "module has at most %d characters.", MaxModule)
		}
		all.WriteString(q.Text)
		all.WriteByte('\n')
		if label := q.Module; label != last {
			name, mid := label, slug(label)
			if label == "" {
				mid = "main"
			}
			p.Modules = append(p.Modules, Module{ID: unused(orElse(mid, "module"), taken), Name: name})
			last = label
		}
		m := &p.Modules[len(p.Modules)-1]
		c := cloneAskIf(q.AskIf)
		if c != nil {
			if s := slug(c.QuestionID); s != "" {
				if _, ok := ids[c.QuestionID]; !ok {
					c.QuestionID = s // ids are kept as slugs
				}
			}
		}
		m.Questions = append(m.Questions, Item{ID: id, ModuleID: m.ID, Text: q.Text, Response: q.Response, AskIf: c, Origin: OriginAuthor})
	}
	lang := language(all.String())
	p.StudyLocale = localeOf(lang)
	for i := range p.Modules {
		if p.Modules[i].Name == "" {
			p.Modules[i].Name = pick(mainName, lang)
		}
	}
	p.Objective = ""
	p.Intent = fmt.Sprintf("Ask a fixed instrument of %d question%s, word for word.", len(in.Questions), plural(len(in.Questions)))
	sel := in.Methods
	if len(sel) == 0 {
		id := method.Questionnaire
		if len(in.Questions) == 1 {
			id = method.SingleQuestion
		}
		sel = []Selection{{MethodID: id}}
	}
	return finish(p, in, sel, nil, "questions")
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// fromRequest plans by the rules of M-82.
func fromRequest(in Input) (Plan, error) {
	lang := in.Locale
	if lang == "" {
		lang = language(in.Request)
	}
	blocks, rest := readBlocks(in.Request)
	sel := in.Methods
	if len(sel) == 0 {
		sel = askedMethods(in.Request)
	}
	qs := collect(blocks, lang)
	qs = withoutMethodLines(qs, sel)
	if len(qs) > MaxQuestions {
		return Plan{}, invalid("/request", "The request holds %d questions; a plan holds at most %d. Plan in parts.", len(qs), MaxQuestions)
	}
	p := Plan{StudyLocale: localeOf(lang), Planner: By{ByRules, Version}}
	p.Objective = objectiveOf(rest)
	var ask []ConfirmationQuestion
	var drop []int
	for i, q := range qs {
		if len(q.ranked) < 3 || len(q.ranked) > 15 || len(sel) >= MaxMethods || chosen(sel, method.RankedPrefs) {
			continue
		}
		raw := marshal(map[string]any{"items": labelled(q.ranked)})
		if _, err := method.Check(method.RankedPrefs, raw); err == nil {
			sel = append(sel, Selection{MethodID: method.RankedPrefs, Configuration: raw})
			drop = append(drop, i)
		}
	}
	p.Modules, ask = assemble(qs, drop, lang)
	if len(p.Modules) == 0 && !chosenItems(sel) {
		topic := topicOf(p.Objective, in.Request)
		text := fmt.Sprintf(pick(openAsk, lang), topic)
		p.Modules = []Module{{ID: "main", Name: pick(mainName, lang), Questions: []Item{{ID: "q1", ModuleID: "main", Text: text, Response: Response{Type: Qualitative}, Origin: OriginPlanner}}}}
		ask = append(ask, clarify(standIn, true, nil, "No question was found in the request, so one open question stands in for it. Which questions shall respondents read? Send them as a numbered list in request, or say that this one is right."))
	}
	p.Intent = intentOf(p, sel)
	if len(sel) == 0 {
		sel = []Selection{{MethodID: method.GuidedResearch}}
	}
	return finish(p, in, sel, ask, "methods")
}

func chosen(sel []Selection, id string) bool {
	return slices.ContainsFunc(sel, func(s Selection) bool { return s.MethodID == id })
}

func chosenItems(sel []Selection) bool {
	return slices.ContainsFunc(sel, func(s Selection) bool { return bringsItems(Method{MethodID: s.MethodID}) })
}

// withoutMethodLines drops what only names a method: its line is no question.
func withoutMethodLines(qs []*found, sel []Selection) []*found {
	if len(sel) == 0 {
		return qs
	}
	inside := map[string]bool{} // what a method's list already holds
	for _, s := range sel {
		var c map[string]any
		_ = json.Unmarshal(s.Configuration, &c)
		for _, key := range []string{"items", "features", "statements", "drivers"} {
			list, _ := c[key].([]any)
			for _, x := range list {
				if m, ok := x.(map[string]any); ok {
					label, _ := m["label"].(string)
					inside[label] = true
				}
			}
		}
	}
	out := qs[:0]
	for _, q := range qs {
		drop := inside[q.text] && !hasQuestion(q.text)
		for _, n := range named_ {
			if chosen(sel, n.id) && n.x.MatchString(q.text) && !hasQuestion(q.text) {
				drop = true
			}
		}
		if !drop {
			out = append(out, q)
		}
	}
	return out
}

// assemble gives found questions their ids, modules and conditions.
func assemble(qs []*found, drop []int, lang string) ([]Module, []ConfirmationQuestion) {
	var mods []Module
	var ask []ConfirmationQuestion
	ids := map[string]int{} // index into items of every kept question
	byNumber := map[string]int{}
	var items []*Item
	var from []*found
	texts := map[string]bool{}
	for i, q := range qs {
		if slices.Contains(drop, i) {
			continue
		}
		text := strings.TrimSpace(q.text)
		if text == "" {
			continue
		}
		if tooLong(text, MaxText) {
			ask = append(ask, clarify("long-"+strconv.Itoa(i+1), true, nil, "One passage asks in more than %d characters (“%s”). Shorten it, or put the material into source.content.", MaxText, cut(text, 80)))
			continue
		}
		if texts[folded(text)] {
			ask = append(ask, clarify("repeated-"+strconv.Itoa(i+1), false, nil, "“%s” stands in the request more than once and is asked once.", cut(text, 80)))
			continue
		}
		texts[folded(text)] = true
		it := &Item{ID: "q" + strconv.Itoa(len(items)+1), Text: text, Response: q.r, Origin: OriginPlanner}
		if q.number != "" {
			if _, ok := byNumber[q.number]; !ok {
				byNumber[q.number] = len(items)
			}
		}
		ids[it.ID] = len(items)
		items, from = append(items, it), append(from, q)
	}
	for i, q := range from {
		it := items[i]
		for _, n := range q.form.notes {
			switch n {
			case "many":
				ask = append(ask, clarify("options-"+it.ID, true, nil, "“%s” asks for several answers but lists none. Which options shall be shown, separated by “;”?", cut(it.Text, 120)))
			case "battery_scale":
				ask = append(ask, clarify("scale-"+it.ID, false, []string{"1-5", "1-7", "0-10"}, "The list from “%s” on names no scale, so 1 to 5 is used. Which scale shall it be?", cut(it.Text, 120)))
			}
		}
		if len(q.ranked) > 0 {
			ask = append(ask, clarify("rank-"+it.ID, false, nil, "“%s” asks for an order. Only the method ranked-preferences (3 to 15 items) takes one; as it stands respondents choose.", cut(it.Text, 120)))
		}
		if q.price && it.Response.Type == Qualitative {
			ask = append(ask, clarify("price-"+it.ID, false, []string{method.VanWestendorp, method.GaborGranger}, "“%s” asks for a price in words. A price that can be computed with comes from a method; shall one be added?", cut(it.Text, 120)))
		}
		if q.cond != nil {
			if q2 := condition(it, q.cond, items, i, byNumber); q2 != nil {
				ask = append(ask, *q2)
			}
		}
	}
	for i, q := range from {
		for n, s := range q.skips {
			if q2 := skipOver(items, i, s, byNumber, n); q2 != nil {
				ask = append(ask, *q2)
			}
		}
	}
	taken := map[string]bool{}
	last := "\x00"
	for i, it := range items {
		label := from[i].module
		if label != last {
			id, name := slug(label), label
			if label == "" {
				id, name = "main", pick(mainName, lang)
			}
			mods = append(mods, Module{ID: unused(orElse(id, "module"), taken), Name: cut(name, MaxModule)})
			last = label
		}
		m := &mods[len(mods)-1]
		it.ModuleID = m.ID
		m.Questions = append(m.Questions, *it)
	}
	return mods, ask
}

// condition sets askIf where the source and its label are certain, else asks.
func condition(it *Item, c *routed, items []*Item, i int, byNumber map[string]int) *ConfirmationQuestion {
	src := -1
	if c.number != "" {
		if j, ok := byNumber[c.number]; ok && j < i {
			src = j
		}
	} else {
		// "If yes" speaks of the question before it; of an earlier one only across
		// follow-ups that hang on the same source.
		for j := i - 1; j >= 0; j-- {
			r := items[j].Response
			if r.Type == Categorical || r.Type == Multiselect {
				if _, ok := c.match(r.CategoricalOptions); ok {
					src = j
					break
				}
			}
			if items[j].AskIf == nil {
				break
			}
		}
	}
	if src >= 0 {
		r := items[src].Response
		if r.Type == Categorical || r.Type == Multiselect {
			if labels, ok := c.match(r.CategoricalOptions); ok {
				a := &AskIf{QuestionID: items[src].ID, AnswerIn: labels}
				if c.not {
					a = &AskIf{QuestionID: items[src].ID, AnswerNotIn: labels}
				}
				if len(labels) < len(r.CategoricalOptions) {
					it.AskIf = a
					return nil
				}
			}
			q := clarify("askif."+it.ID+"."+items[src].ID, true, r.CategoricalOptions, "“%s” shall be asked only “%s”, but it is not certain which answer to “%s” that means. Which one?", cut(it.Text, 100), c.quoted, cut(items[src].Text, 100))
			return &q
		}
	}
	q := clarify("askif."+it.ID, true, nil, "“%s” shall be asked only “%s”, but no earlier choice question with that answer was found. Which answer to which question? Write for example q1=Yes, or “everyone”.", cut(it.Text, 100), c.quoted)
	return &q
}

// skipOver turns "if no, go to Q5" into conditions of the questions between.
func skipOver(items []*Item, i int, s skip, byNumber map[string]int, n int) *ConfirmationQuestion {
	src := items[i]
	to, ok := byNumber[s.to]
	r := src.Response
	if ok && to > i+1 && (r.Type == Categorical || r.Type == Multiselect) {
		c := routed{label: s.label}
		if labels, ok := c.match(r.CategoricalOptions); ok && len(labels) < len(r.CategoricalOptions) {
			clash := false
			for j := i + 1; j < to; j++ {
				if items[j].AskIf != nil {
					continue // hangs on a question that is skipped with it, or on this one (M-183)
				}
				items[j].AskIf = &AskIf{QuestionID: src.ID, AnswerNotIn: labels}
			}
			if !clash {
				return nil
			}
		}
	}
	q := clarify("skip."+src.ID+"."+strconv.Itoa(n+1), true, nil, "The request says “%s” at “%s”, but that cannot be turned into a condition with certainty. Which questions shall whom be asked?", cut(s.quoted, 100), cut(src.Text, 100))
	return &q
}

// objectiveOf joins the text that asks nothing.
func objectiveOf(rest []string) string {
	return cut(strings.TrimSpace(strings.Join(strings.Fields(strings.Join(rest, " ")), " ")), MaxObjective)
}

// topicOf is what an objective is about, without the words of an aim.
func topicOf(objective, request string) string {
	t := objective
	if t == "" {
		t = strings.Join(strings.Fields(request), " ")
	}
	if s := splitSentences(t); len(s) > 0 {
		t = s[0]
	}
	t = aimWords.ReplaceAllString(strings.TrimSpace(t), "")
	return cut(strings.TrimRight(strings.TrimSpace(t), ".!?;: "), 300)
}

func intentOf(p Plan, sel []Selection) string {
	n := 0
	for _, m := range p.Modules {
		n += len(m.Questions)
	}
	var names []string
	for _, s := range sel {
		names = append(names, methodName(s.MethodID))
	}
	out := fmt.Sprintf("Ask %d question%s", n, plural(n))
	if n == 0 {
		out = "Run"
	} else if len(names) > 0 {
		out += " and run"
	}
	if len(names) > 0 {
		out += " " + strings.Join(names, ", ")
	}
	if p.Objective != "" {
		out += " to serve this aim: " + cut(p.Objective, 300)
	}
	if utf8.RuneCountInString(out) > 0 && !strings.HasSuffix(out, ".") {
		out += "."
	}
	return out
}
