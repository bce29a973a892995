package planner

import (
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/method"
)

func marshal(v any) json.RawMessage {
	raw, _ := json.Marshal(v) // of maps of strings and numbers only
	return raw
}

// finish sets what a plan takes from its input beside the questions, then judges it.
func finish(p Plan, in Input, sel []Selection, ask []ConfirmationQuestion, where string) (Plan, error) {
	p.Version = 1
	p.SourcePolicy = RequestOnly
	p.ConfirmationQuestions = ask
	if err := settings(&p, in); err != nil {
		return Plan{}, err
	}
	if err := setMethods(&p, sel); err != nil {
		return Plan{}, err
	}
	if err := attach(&p, in); err != nil {
		return Plan{}, err
	}
	return judge(p, func(i int) string { return pointer(where, i, "askIf") })
}

// settings changes what the input names and keeps the rest.
func settings(p *Plan, in Input) error {
	if in.Locale != "" {
		p.StudyLocale = in.Locale
	}
	if in.SourcePolicy != "" {
		p.SourcePolicy = in.SourcePolicy
	}
	if in.Overrides != nil {
		p.Overrides = slices.Clone(in.Overrides)
	}
	if in.Source != nil {
		s := *in.Source
		p.Source = &s
	}
	if in.Minds > 0 {
		p.Estimate.Minds = in.Minds
	}
	return nil
}

// setMethods replaces the methods of a plan, and the modules that they own.
func setMethods(p *Plan, sel []Selection) error {
	authored := 0
	mods := p.Modules[:0:0]
	for _, m := range p.Modules {
		if m.MethodID == "" {
			mods = append(mods, m)
			authored += len(m.Questions)
		}
	}
	ms, err := resolve("methods", sel, authored)
	if err != nil {
		return err
	}
	for _, m := range ms {
		if !bringsItems(m) {
			continue
		}
		items, err := ownItems(m, p.StudyLocale)
		if err != nil {
			return err
		}
		mods = append(mods, Module{ID: moduleFor(m.MethodID, mods), Name: methodName(m.MethodID), MethodID: m.MethodID, ReadOnly: true, Questions: items})
	}
	p.Modules, p.Methods = mods, ms
	return nil
}

func moduleFor(id string, mods []Module) string {
	taken := map[string]bool{}
	for _, m := range mods {
		taken[m.ID] = true
	}
	return unused(id, taken)
}

// attach sets the assets and which item shows which. A single asset goes to every
// item; several go where they are named, or where the input says (M-77).
func attach(p *Plan, in Input) error {
	if in.Attachments != nil {
		p.Attachments = make([]Attachment, 0, len(in.Attachments))
		ids := map[string]bool{}
		for i, a := range in.Attachments {
			if a.URL == "" && a.Path == "" || a.URL != "" && a.Path != "" {
				return invalid(pointer("attachments", i), "An attachment has either url or path.")
			}
			if tooLong(a.ID, maxAttachmentID) || tooLong(a.Name, maxAttachmentTxt) {
				return invalid(pointer("attachments", i), "The id of an attachment has at most %d characters, its name %d.", maxAttachmentID, maxAttachmentTxt)
			}
			if a.Name == "" {
				where, _, _ := strings.Cut(orElse(a.Path, a.URL), "?")
				a.Name = cut(orElse(strings.Trim(path.Base(where), "/."), "asset "+strconv.Itoa(i+1)), maxAttachmentTxt)
			}
			if a.ID == "" {
				a.ID = unused("a"+strconv.Itoa(i+1), ids)
			} else if ids[a.ID] {
				return invalid(pointer("attachments", i, "id"), "Two attachments have the id %q. Give each its own.", a.ID)
			}
			ids[a.ID] = true
			p.Attachments = append(p.Attachments, a)
		}
		each(p, func(it *Item) {
			it.AttachmentIDs = slices.DeleteFunc(slices.Clone(it.AttachmentIDs), func(id string) bool { return !ids[id] })
		})
	}
	known := map[string]bool{}
	for _, a := range p.Attachments {
		known[a.ID] = true
	}
	var items []*Item
	each(p, func(it *Item) { items = append(items, it) })
	for i, s := range in.Assignments {
		if s.QuestionNumber < 1 || s.QuestionNumber > len(items) {
			return invalid(pointer("questionAttachments", i, "questionNumber"), "questionNumber is %d; the plan has questions 1 to %d.", s.QuestionNumber, len(items))
		}
		if len(s.AttachmentIDs) > MaxPerQuestion {
			return invalid(pointer("questionAttachments", i, "attachmentIds"), "A question shows at most %d assets; %d given.", MaxPerQuestion, len(s.AttachmentIDs))
		}
		it := items[s.QuestionNumber-1]
		it.AttachmentIDs = []string{}
		for n, id := range s.AttachmentIDs {
			if !known[id] {
				return invalid(pointer("questionAttachments", i, "attachmentIds", n), "No attachment has the id %q. Send it in attachments first.", id)
			}
			if slices.Contains(it.AttachmentIDs, id) {
				return invalid(pointer("questionAttachments", i, "attachmentIds", n), "Attachment %q is listed twice.", id)
			}
			it.AttachmentIDs = append(it.AttachmentIDs, id)
		}
	}
	if len(in.Assignments) > 0 && len(p.Attachments) >= 2 {
		used := map[string]bool{}
		for _, it := range items {
			for _, id := range it.AttachmentIDs {
				used[id] = true
			}
		}
		for _, a := range p.Attachments {
			if !used[a.ID] {
				return invalid("/questionAttachments", "No question shows attachment %q. Assign it in questionAttachments, or leave it out of attachments.", a.ID)
			}
		}
		if n := len(in.Assignments); n < len(items) && in.Attachments != nil {
			return invalid("/questionAttachments", "With two or more attachments each of the %d questions needs an entry in questionAttachments ([] shows none); %d are given.", len(items), n)
		}
	}
	if len(in.Assignments) == 0 && in.Attachments != nil && (in.Suggest == nil || *in.Suggest) {
		for _, it := range items {
			if it.Origin == OriginMethod || len(it.AttachmentIDs) > 0 {
				continue
			}
			for _, a := range p.Attachments {
				stem := strings.TrimSuffix(a.Name, path.Ext(a.Name))
				if len(p.Attachments) == 1 || mentions(it.Text, a.ID) || mentions(it.Text, stem) {
					it.AttachmentIDs = append(it.AttachmentIDs, a.ID)
				}
			}
		}
	}
	return nil
}

// mentions reports a name of at least two characters as a word of its own.
func mentions(text, name string) bool {
	if len(name) < 2 {
		return false
	}
	t := " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), notWord), " ") + " "
	n := " " + strings.Join(strings.FieldsFunc(strings.ToLower(name), notWord), " ") + " "
	return len(n) > 3 && strings.Contains(t, n)
}

func notWord(r rune) bool {
	return strings.ContainsRune(" \t\n.,;:!?()[]{}\"'“”„«»‘’-_/\\、。，？！", r)
}

// each visits the items of a plan in their order.
func each(p *Plan, visit func(*Item)) {
	for m := range p.Modules {
		for i := range p.Modules[m].Questions {
			visit(&p.Modules[m].Questions[i])
		}
	}
}

// judge holds a plan to the rules, whoever made it, and fills in what follows from
// its items: positions, framing, what is still open, outputs and the estimate.
// Confirmation questions of kind clarification are kept with their answers.
func judge(p Plan, askPath func(i int) string) (Plan, error) {
	n := 0
	ids := map[string]bool{}
	each(&p, func(it *Item) {
		n++
		it.Position = n
		if it.AttachmentIDs == nil {
			it.AttachmentIDs = []string{}
		}
		ids[it.ID] = true
	})
	if n > MaxQuestions {
		return Plan{}, invalid("", "The plan holds %d questions; the limit is %d. Plan in parts.", n, MaxQuestions)
	}
	if len(ids) != n {
		return Plan{}, invalid("", "Two items of the plan have the same id. Ids are unique over the whole plan, those of methods among them.")
	}
	if len(p.Methods) > MaxMethods {
		return Plan{}, invalid("/methods", "The plan holds %d methods; the limit is %d.", len(p.Methods), MaxMethods)
	}
	if len(p.Modules) == 0 {
		return Plan{}, invalid("", "The plan holds no question and no method that brings its own.")
	}
	items := p.Items()
	for i := range items {
		it := &items[i]
		if err := checkText("", it.Text); err != nil {
			return Plan{}, err
		}
		if err := checkResponse("", it.Response, it.Origin == OriginMethod); err != nil {
			f := fault.From(err)
			return Plan{}, fault.New(f.Code, "Item %s: %s", it.ID, f.Message).With("path", pointer("questions", i, "response"))
		}
	}
	always, err := checkAskIf(items, askPath)
	if err != nil {
		return Plan{}, err
	}
	kept := p.ConfirmationQuestions
	answer := map[string]*string{}
	var out []ConfirmationQuestion
	for _, q := range kept {
		answer[q.Kind+"\x00"+q.QuestionID] = q.Answer
		if q.Kind == Clarification && !aboutGone(q.QuestionID, ids) {
			out = append(out, q)
		}
	}
	for _, i := range always {
		out = addOnce(out, clarify("always-"+items[i].ID, false, nil, "The condition of %s names every answer of %s, so everybody who was asked %s is asked. Is that meant?", items[i].ID, items[i].AskIf.QuestionID, items[i].AskIf.QuestionID))
	}
	out = append(out, configurationQuestions(p.Methods)...)
	for _, m := range p.Methods {
		if m.RequiresAdvancedMethodOptIn {
			out = append(out, ConfirmationQuestion{QuestionID: "advanced-" + m.MethodID, Kind: AdvancedOptIn, Required: true,
				Text: methodName(m.MethodID) + " is an advanced method. Confirm it with advancedMethodOptIn when the plan is run."})
		}
		if !m.Executable {
			text := methodName(m.MethodID) + " cannot be run as a named method."
			if m.FallbackMethodID != nil {
				text += " Look at " + *m.FallbackMethodID + " instead; nothing is swapped by itself."
			}
			out = addOnce(out, clarify("executable-"+m.MethodID, true, nil, "%s", text))
		}
	}
	out = append(out, stimulusQuestions(&p, items)...)
	p.FramingWarnings = frame(items)
	for _, w := range p.FramingWarnings {
		out = append(out, ConfirmationQuestion{QuestionID: "framing-" + *w.ItemID + "-" + w.Rule, Kind: Framing, Text: w.Text})
	}
	seen := map[string]bool{}
	for i := range out {
		if a := answer[out[i].Kind+"\x00"+out[i].QuestionID]; a != nil && out[i].Kind != AdvancedOptIn && out[i].Kind != MethodConfiguration {
			out[i].Answer = a
		}
		out[i].QuestionID = unused(out[i].QuestionID, seen)
	}
	if out == nil {
		out = []ConfirmationQuestion{}
	}
	p.ConfirmationQuestions = out
	p.SemanticOutputs = outputs(p, items)
	if p.Attachments == nil {
		p.Attachments = []Attachment{}
	}
	p.Estimate.Items = len(items)
	for _, m := range p.Methods {
		if m.PreparesQuestionsAtExecution {
			p.Estimate.Items += m.EstimatedItemsPerMind
		}
	}
	p.Estimate.Responses = p.Estimate.Items * p.Estimate.Minds
	for m := range p.Modules {
		if p.Modules[m].Questions == nil {
			p.Modules[m].Questions = []Item{}
		}
	}
	return p, nil
}

func addOnce(list []ConfirmationQuestion, q ConfirmationQuestion) []ConfirmationQuestion {
	for i := range list {
		if list[i].QuestionID == q.QuestionID {
			return list
		}
	}
	return append(list, q)
}

// aboutGone reports a clarification of an item that is no longer there.
func aboutGone(id string, ids map[string]bool) bool {
	for _, pre := range []string{"askif.", "skip."} {
		if rest, ok := strings.CutPrefix(id, pre); ok {
			for i, part := range strings.Split(rest, ".") {
				if i == 0 && !ids[part] {
					return true
				}
			}
		}
	}
	for _, pre := range []string{"options-", "scale-", "rank-", "price-", "always-"} {
		if rest, ok := strings.CutPrefix(id, pre); ok {
			return !ids[rest] || pre == "always-"
		}
	}
	return strings.HasPrefix(id, "executable-")
}

// stimulusQuestions name assets that nobody sees and, where there are several, items
// without one (M-84).
func stimulusQuestions(p *Plan, items []Item) []ConfirmationQuestion {
	used := map[string]bool{}
	for i := range items {
		for _, id := range items[i].AttachmentIDs {
			used[id] = true
		}
	}
	var out []ConfirmationQuestion
	for _, a := range p.Attachments {
		if !used[a.ID] {
			out = append(out, ConfirmationQuestion{QuestionID: "stimulus-" + a.ID, Kind: Stimulus, Required: true,
				Text: "No question shows “" + cut(a.Name, 100) + "” (" + a.ID + "). Assign it in questionAttachments, or take it out of attachments."})
		}
	}
	for i := range items {
		if len(items[i].AttachmentIDs) == 0 && pointsAt.MatchString(items[i].Text) && items[i].Origin != OriginMethod {
			out = append(out, ConfirmationQuestion{QuestionID: "stimulus-" + items[i].ID, Kind: Stimulus, Required: false,
				Text: "“" + cut(items[i].Text, 100) + "” speaks of something shown, and nothing is. Which asset belongs to it?"})
		}
	}
	return out
}

// outputs are the semantic outputs of the plan's methods, in a fixed order.
func outputs(p Plan, items []Item) []string {
	has := map[string]bool{"per_item_results": len(items) > 0}
	for _, m := range p.Methods {
		e, _ := method.Lookup(m.MethodID)
		for _, o := range e.SemanticOutputs {
			has[o] = true
		}
	}
	for i := range items {
		if items[i].Response.Type == Qualitative {
			has["themes"] = true
		}
	}
	out := []string{}
	for _, o := range []string{"per_item_results", "summary", "themes", "ranking", "segment_differences", "nps", "top_box", "driver_weights", "reach", "demand_curve", "price_points", "kano_categories", "preference_scores", "part_worths", "heatmap", "recommendations"} {
		if has[o] {
			out = append(out, o)
		}
	}
	return out
}
