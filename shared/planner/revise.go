package planner

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Edit applies exact edits to a plan, or refuses them as a whole (M-80, M-182). The
// questions of an edit are the complete instrument of authors and planner; items
// that methods wrote are read-only, stay where they are and may be repeated only
// as they are.
func Edit(old Plan, e Edits) (Plan, error) {
	p := clone(old)
	if e.Objective == nil && e.PromptContent == nil && e.Questions == nil {
		return Plan{}, invalid("/edits", "edits is empty. Give objective, promptContent or questions.")
	}
	if e.Objective != nil {
		if tooLong(*e.Objective, MaxObjective) || strings.TrimSpace(*e.Objective) == "" {
			return Plan{}, invalid("/edits/objective", "objective has 1 to %d characters.", MaxObjective)
		}
		p.Objective = *e.Objective
	}
	if e.PromptContent != nil {
		if tooLong(*e.PromptContent, MaxStimulusText) {
			return Plan{}, invalid("/edits/promptContent", "promptContent has at most %d characters.", MaxStimulusText)
		}
		switch {
		case p.Source == nil:
			p.Source = &Source{Kind: "prompt", Label: "Text shown to respondents"}
		case p.Source.Kind != "prompt":
			return Plan{}, invalid("/edits/promptContent", "The source of this plan is of kind %s and has no text to edit.", p.Source.Kind)
		}
		p.Source.Content = *e.PromptContent
	}
	if e.Questions == nil {
		return judge(p, keepPath)
	}
	if err := editQuestions(&p, e.Questions); err != nil {
		return Plan{}, err
	}
	at := map[string]int{}
	for i, q := range e.Questions {
		at[q.ID] = i
	}
	items := p.Items()
	return judge(p, func(i int) string { return pointer("edits", "questions", at[items[i].ID], "askIf") })
}

func keepPath(i int) string { return pointer("questions", i, "askIf") }

func editQuestions(p *Plan, qs []EditedQuestion) error {
	if len(qs) > MaxQuestions {
		return invalid("/edits/questions", "questions lists %d questions; a plan holds at most %d.", len(qs), MaxQuestions)
	}
	was := map[string]Item{}
	each(p, func(it *Item) { was[it.ID] = *it })
	module := map[string]*Module{}
	for i := range p.Modules {
		module[p.Modules[i].ID] = &p.Modules[i]
	}
	known := map[string]bool{}
	for _, a := range p.Attachments {
		known[a.ID] = true
	}
	ids, texts := map[string]int{}, map[string]int{}
	closed := map[string]bool{}
	var mods []Module
	for i, q := range qs {
		at := func(key string) string { return pointer("edits", "questions", i, key) }
		if q.ID == "" || slug(q.ID) != q.ID {
			return invalid(at("id"), "id %q is no item id: lower-case letters, digits, “_” and “-”, at most %d characters.", q.ID, MaxID)
		}
		if j, ok := ids[q.ID]; ok {
			return invalid(at("id"), "Questions %d and %d have the same id %q.", j+1, i+1, q.ID)
		}
		ids[q.ID] = i
		if err := checkText(at("text"), q.Text); err != nil {
			return err
		}
		old, existed := was[q.ID]
		if m, ok := module[q.ModuleID]; ok && m.ReadOnly || existed && old.ReadOnly {
			if !existed || !old.ReadOnly || q.Text != old.Text || q.ModuleID != old.ModuleID || q.AskIf != nil {
				return invalid(pointer("edits", "questions", i), "Module %s belongs to a method; its items are read-only. Leave them out or repeat them unchanged.", q.ModuleID)
			}
			continue // stays where its method put it
		}
		if j, ok := texts[folded(q.Text)]; ok {
			return invalid(at("text"), "Questions %d and %d have the same text. Drop one, or say what differs.", j+1, i+1)
		}
		texts[folded(q.Text)] = i
		if err := checkResponse(at("response"), q.Response, false); err != nil {
			return err
		}
		if len(q.AttachmentIDs) > MaxPerEdited {
			return invalid(at("attachmentIds"), "An item shows at most %d assets; %d given.", MaxPerEdited, len(q.AttachmentIDs))
		}
		for n, id := range q.AttachmentIDs {
			if !known[id] || slices.Contains(q.AttachmentIDs[:n], id) {
				return invalid(pointer("edits", "questions", i, "attachmentIds", n), "Attachment %q is unknown or listed twice. The plan's attachments are named in the draft.", id)
			}
		}
		if q.ModuleID == "" || tooLong(q.ModuleID, MaxModuleID) {
			return invalid(at("moduleId"), "moduleId has 1 to %d characters.", MaxModuleID)
		}
		if len(mods) == 0 || mods[len(mods)-1].ID != q.ModuleID {
			if closed[q.ModuleID] {
				return invalid(at("moduleId"), "The items of module %s do not stand together. List the instrument in the order of its modules.", q.ModuleID)
			}
			closed[q.ModuleID] = true
			name := q.ModuleID
			if m, ok := module[q.ModuleID]; ok {
				name = m.Name
			}
			mods = append(mods, Module{ID: q.ModuleID, Name: cut(name, MaxModule)})
		}
		origin := OriginAuthor // whoever edits a text vouches for it
		r := q.Response
		if existed && old.Text == q.Text {
			origin = old.Origin
			r = keepLabels(r, old.Response)
		}
		m := &mods[len(mods)-1]
		m.Questions = append(m.Questions, Item{ID: q.ID, ModuleID: q.ModuleID, Text: q.Text, Response: r, AskIf: cloneAskIf(q.AskIf), AttachmentIDs: slices.Clone(q.AttachmentIDs), Origin: origin})
	}
	// Modules of methods keep their place behind as many authored modules as before.
	var out []Module
	next := 0
	for _, m := range p.Modules {
		if m.MethodID != "" {
			out = append(out, m)
		} else if next < len(mods) {
			out = append(out, mods[next])
			next++
		}
	}
	p.Modules = append(out, mods[next:]...)
	return nil
}

// keepLabels keeps what only the server adds to a format that stays as it was.
func keepLabels(now, old Response) Response {
	if now.Type != old.Type || !slices.Equal(now.CategoricalOptions, old.CategoricalOptions) || !slices.Equal(now.ScaleRange, old.ScaleRange) {
		return now
	}
	now.ScaleLabels, now.ScaleTop, now.ExclusiveOptions, now.MinSelections = old.ScaleLabels, old.ScaleTop, old.ExclusiveOptions, old.MinSelections
	return now
}

// Revise changes of a plan only what the input names (M-80). A request or questions
// plan its instrument anew.
func Revise(old Plan, in Input) (Plan, error) {
	if err := checkInput(in); err != nil {
		return Plan{}, err
	}
	if in.Request != "" || len(in.Questions) > 0 {
		return replan(old, in)
	}
	p := clone(old)
	if err := settings(&p, in); err != nil {
		return Plan{}, err
	}
	if in.Methods != nil {
		if err := setMethods(&p, in.Methods); err != nil {
			return Plan{}, err
		}
	}
	if err := reformat(&p, in.Reformats); err != nil {
		return Plan{}, err
	}
	if in.Refinement != "" {
		if err := refine(&p, in.Refinement); err != nil {
			return Plan{}, err
		}
	}
	if err := attach(&p, in); err != nil {
		return Plan{}, err
	}
	if err := answer(&p, in.Answers); err != nil {
		return Plan{}, err
	}
	return judge(p, keepPath)
}

// replan keeps the settings and the methods of a plan that the input does not name.
func replan(old Plan, in Input) (Plan, error) {
	if in.Attachments == nil {
		in.Attachments = slices.Clone(old.Attachments)
		if len(in.Attachments) == 0 {
			in.Attachments = nil
		}
	}
	if in.SourcePolicy == "" {
		in.SourcePolicy = old.SourcePolicy
	}
	if in.Overrides == nil {
		in.Overrides = old.Overrides
	}
	if in.Source == nil {
		in.Source = old.Source
	}
	if in.Methods == nil && len(in.Questions) > 0 {
		for _, m := range old.Methods {
			if bringsItems(m) {
				in.Methods = append(in.Methods, Selection{m.MethodID, m.Configuration})
			}
		}
	}
	if in.Minds == 0 {
		in.Minds = old.Estimate.Minds
	}
	return New(in)
}

func reformat(p *Plan, rs []Reformat) error {
	for i, r := range rs {
		var it *Item
		each(p, func(x *Item) {
			if x.ID == r.QuestionID {
				it = x
			}
		})
		switch {
		case it == nil:
			return invalid(pointer("questionResponses", i, "questionId"), "No item of this plan has the id %q.", r.QuestionID)
		case it.ReadOnly:
			return invalid(pointer("questionResponses", i, "questionId"), "Item %s belongs to a method and is read-only.", r.QuestionID)
		}
		now := r.Response
		if now.Type == it.Response.Type || (now.Type == Categorical || now.Type == Multiselect) && len(it.Response.CategoricalOptions) > 0 {
			if len(now.CategoricalOptions) == 0 {
				now.CategoricalOptions = it.Response.CategoricalOptions
			}
		}
		if err := checkResponse(pointer("questionResponses", i), now, false); err != nil {
			return err
		}
		it.Response = now
	}
	return nil
}

// answer saves answers to confirmation questions, and does what they say where that
// is certain: the label of a condition, a key of a method's configuration, a scale.
func answer(p *Plan, as []Answered) error {
	for i, a := range as {
		at := slices.IndexFunc(p.ConfirmationQuestions, func(q ConfirmationQuestion) bool { return q.QuestionID == a.QuestionID })
		if at < 0 {
			return invalid(pointer("answers", i, "questionId"), "This draft asks no confirmation question %q. Its questions are in confirmationQuestions.", a.QuestionID)
		}
		q := &p.ConfirmationQuestions[at]
		if strings.TrimSpace(a.Answer) == "" || tooLong(a.Answer, maxAnswer) {
			return invalid(pointer("answers", i, "answer"), "An answer has 1 to %d characters.", maxAnswer)
		}
		if q.Kind == AdvancedOptIn {
			return invalid(pointer("answers", i, "questionId"), "Advanced methods are confirmed with advancedMethodOptIn when the plan is run, not here.")
		}
		said := a.Answer
		q.Answer = &said
		switch {
		case q.Kind == MethodConfiguration:
			id, key, _ := strings.Cut(q.QuestionID, ".")
			m := slices.IndexFunc(p.Methods, func(m Method) bool { return m.MethodID == id })
			if m < 0 {
				break
			}
			conf, ok := configure(p.Methods[m], key, a.Answer)
			if !ok {
				return fault.New(fault.InvalidMethodConfiguration, "“%s” does not fit %s of %s. %s", cut(a.Answer, 60), key, id, q.Text).With("path", pointer("answers", i, "answer"))
			}
			sel := make([]Selection, len(p.Methods))
			for n, x := range p.Methods {
				sel[n] = Selection{x.MethodID, x.Configuration}
			}
			sel[m].Configuration = conf
			if err := setMethods(p, sel); err != nil {
				return err
			}
		case strings.HasPrefix(q.QuestionID, "askif."):
			if err := answerCondition(p, q.QuestionID, a.Answer, pointer("answers", i, "answer")); err != nil {
				return err
			}
		case strings.HasPrefix(q.QuestionID, "scale-"):
			answerScale(p, strings.TrimPrefix(q.QuestionID, "scale-"), a.Answer)
		case strings.HasPrefix(q.QuestionID, "options-"):
			id := strings.TrimPrefix(q.QuestionID, "options-")
			if o := listOf(a.Answer); len(o) >= 2 {
				each(p, func(it *Item) {
					if it.ID == id {
						it.Response = Response{Type: Multiselect, CategoricalOptions: o, ExclusiveOptions: exclusive(o)}
					}
				})
			}
		}
	}
	return nil
}

func answerCondition(p *Plan, id, said, path string) error {
	parts := strings.Split(strings.TrimPrefix(id, "askif."), ".")
	said = strings.TrimSpace(said)
	src, label := "", said
	if len(parts) > 1 {
		src = parts[1]
	} else if a, b, ok := strings.Cut(said, "="); ok {
		src, label = strings.TrimSpace(a), strings.TrimSpace(b)
	} else {
		return nil // "everyone": no condition
	}
	items := p.Items()
	at := slices.IndexFunc(items, func(it Item) bool { return it.ID == src })
	if at < 0 {
		return fault.New(fault.InvalidAskIf, "No item of this plan has the id %q.", src).With("path", path)
	}
	l := labelFor(label, items[at].Response.CategoricalOptions)
	if l == "" {
		return fault.New(fault.InvalidAskIf, "Item %s does not offer %q; it offers %s.", src, label, quoted(items[at].Response.CategoricalOptions)).With("path", path)
	}
	each(p, func(it *Item) {
		if it.ID == parts[0] {
			it.AskIf = &AskIf{QuestionID: src, AnswerIn: []string{l}}
		}
	})
	return nil
}

func answerScale(p *Plan, id, said string) {
	lo, hi := 1, 5
	m := pairOf.FindStringSubmatch(said)
	if m == nil {
		return
	}
	lo, _ = strconv.Atoi(m[1])
	hi, _ = strconv.Atoi(m[2])
	if lo >= hi || hi > ScaleLimit {
		return
	}
	var stem string
	each(p, func(it *Item) {
		if it.ID == id {
			stem, _, _ = strings.Cut(it.Text, ":")
		}
	})
	each(p, func(it *Item) {
		if it.Response.Type == Scale && (it.ID == id || stem != "" && strings.HasPrefix(it.Text, stem+":")) {
			it.Response = scaleFrom(lo, hi, nil)
		}
	})
}

// clone copies a plan so far as changes of it reach.
func clone(p Plan) Plan {
	p.Modules = slices.Clone(p.Modules)
	for i := range p.Modules {
		p.Modules[i].Questions = slices.Clone(p.Modules[i].Questions)
		for j := range p.Modules[i].Questions {
			it := &p.Modules[i].Questions[j]
			it.AttachmentIDs = slices.Clone(it.AttachmentIDs)
			it.AskIf = cloneAskIf(it.AskIf)
		}
	}
	p.Methods = slices.Clone(p.Methods)
	p.ConfirmationQuestions = slices.Clone(p.ConfirmationQuestions)
	p.Attachments = slices.Clone(p.Attachments)
	p.Overrides = slices.Clone(p.Overrides)
	if p.Source != nil {
		s := *p.Source
		p.Source = &s
	}
	return p
}
