package answer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/inert"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

const askTask = `You are answering one question of a survey, alone and once. Give your answer in the JSON form that is asked for:
- answer: your own answer as this persona would give it, in the exact words or numbers that are offered.
- basis: "sources" if a source says what you think or know on this, "persona" if it follows from the persona alone, "none" if nothing does and you had to pick.
- sources: the ids of the sources that your answer rests on; empty unless basis is "sources".
- reason: why, in one sentence in your own voice, without ids.`

// maxReason bounds the reason of a choice, in characters.
const maxReason = 400

// asked is a question that is put to Minds one by one.
type asked struct {
	e       *Engine
	q       simulate.Question
	p       simulate.Policy
	text    string // the question as the model reads it
	offline simulate.Asked
	schema  *model.Schema
	images  []model.Image   // what the question shows
	rater   *simulate.Rater // maps words to options, where the policy asks for it
}

// Ask prepares a question: its form is checked as the offline engine checks it, and
// its schema is compiled once for all Minds.
func (e *Engine) Ask(ctx context.Context, q simulate.Question, p simulate.Policy) (simulate.Asked, error) {
	bare := q
	if len(q.Pictures) > 0 { // they are seen; a video is not
		bare.StimulusKinds = slices.DeleteFunc(slices.Clone(q.StimulusKinds), func(k string) bool { return k == simulate.StimulusImage })
	}
	prepared, err := offline.Ask(ctx, bare, simulate.Policy{ResponseForm: p.ResponseForm, Language: p.Language})
	if err != nil {
		return nil, err
	}
	a := &asked{e: e, q: q, p: p, offline: prepared, text: questionText(q, p)}
	for _, p := range q.Pictures {
		a.images = append(a.images, model.Image{MediaType: p.MediaType, Data: p.Data})
	}
	if q.Type != simulate.Qualitative {
		a.schema = choiceSchema(q)
	}
	if p.SimilarityRating && e.o.Embedder != nil {
		if a.rater, err = simulate.NewRater(e.o.Embedder, bare, p); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// questionText writes the question and what may be answered. Labels stand as JSON,
// as they do in the schema.
func questionText(q simulate.Question, p simulate.Policy) string {
	var b strings.Builder
	b.WriteString("<question>\n")
	for line := range strings.Lines(clip(q.Text, maxMessage)) {
		b.WriteString(inert.Line(line) + "\n")
	}
	switch q.Type {
	case simulate.Scale:
		fmt.Fprintf(&b, "Answer with one whole number from %d to %d.", q.Min, q.Max)
		for n := q.Min; n <= q.Max; n++ {
			if l, ok := q.ScaleLabels[n]; ok {
				fmt.Fprintf(&b, " %d means %s.", n, quoted(l))
			}
		}
		if q.TopLow {
			fmt.Fprintf(&b, " %d is the best.", q.Min)
		}
		b.WriteString("\n")
	case simulate.Categorical:
		fmt.Fprintf(&b, "Answer with exactly one of %s.\n", quotedList(q.Options))
	case simulate.Multiselect:
		fmt.Fprintf(&b, "Answer with those of %s that apply", quotedList(q.Options))
		if q.MinSelections > 0 {
			fmt.Fprintf(&b, ", at least %d", q.MinSelections)
		}
		if q.MaxSelections > 0 {
			fmt.Fprintf(&b, ", at most %d", q.MaxSelections)
		}
		b.WriteString(".")
		if len(q.Exclusive) > 0 {
			fmt.Fprintf(&b, " Each of %s stands alone.", quotedList(q.Exclusive))
		}
		b.WriteString("\n")
	default:
		b.WriteString(methodForm(q))
	}
	b.WriteString("</question>")
	return b.String()
}

func quoted(label string) string {
	raw, _ := json.Marshal(label) // a string always has a form
	return string(raw)
}

func quotedList(labels []string) string {
	raw, _ := json.Marshal(labels)
	return string(raw)
}

// choice is what the model gives.
type choice struct {
	Answer  json.RawMessage `json:"answer"`
	Basis   string          `json:"basis"`
	Sources []string        `json:"sources"`
	Reason  string          `json:"reason"`
}

// choiceSchema asks for the exact labels or points. Its form keeps to what every
// provider's strict mode takes; how many may be picked is checked beside it.
func choiceSchema(q simulate.Question) *model.Schema {
	var answer any
	s := &model.Schema{Name: "answer"}
	switch q.Type {
	case simulate.Scale:
		points := make([]int, 0, q.Max-q.Min+1)
		for n := q.Min; n <= q.Max; n++ {
			points = append(points, n)
		}
		answer = map[string]any{"type": "integer", "enum": points}
	case simulate.Categorical:
		answer = map[string]any{"type": "string", "enum": distinct(q.Options)}
	case simulate.Multiselect:
		answer = map[string]any{"type": "array", "items": map[string]any{"type": "string", "enum": distinct(q.Options)}}
		s.Also = func(doc json.RawMessage) string { return tooManyOrFew(q, doc) }
	default:
		answer = methodAnswer(q)
		s.Also = func(doc json.RawMessage) string { return methodMisfit(q, doc) }
	}
	form := struct {
		Type       string         `json:"type"`
		Properties map[string]any `json:"properties"`
		Required   []string       `json:"required"`
		More       bool           `json:"additionalProperties"`
	}{"object", map[string]any{
		"answer": answer, "reason": map[string]any{"type": "string"},
		"basis":   map[string]any{"type": "string", "enum": []string{"sources", "persona", "none"}},
		"sources": map[string]any{"type": "array", "items": map[string]any{"type": "string"}},
	}, []string{"answer", "basis", "sources", "reason"}, false}
	s.JSON, _ = json.Marshal(form) // plain values
	return s
}

func distinct(labels []string) []string {
	var out []string
	for _, l := range labels {
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// tooManyOrFew tells what is wrong with a selection.
func tooManyOrFew(q simulate.Question, doc json.RawMessage) string {
	var c struct {
		Answer []string `json:"answer"`
	}
	if json.Unmarshal(doc, &c) != nil {
		return "answer is no list of labels"
	}
	picked := distinct(c.Answer)
	switch {
	case len(picked) != len(c.Answer):
		return "answer names a label twice"
	case len(picked) < q.MinSelections:
		return fmt.Sprintf("answer must name at least %d labels", q.MinSelections)
	case q.MaxSelections > 0 && len(picked) > q.MaxSelections:
		return fmt.Sprintf("answer must name at most %d labels", q.MaxSelections)
	}
	for _, l := range picked {
		if len(picked) > 1 && slices.Contains(q.Exclusive, l) {
			return fmt.Sprintf("%s stands alone", quoted(l))
		}
	}
	return ""
}

// Answer gives one Mind's answer.
func (a *asked) Answer(ctx context.Context, r simulate.Respondent) (simulate.Answer, error) {
	if err := ctx.Err(); err != nil {
		return simulate.Answer{}, err
	}
	// A picture that is not here, and a question whether the Mind is a person, are
	// answered as offline: no model is trusted with them.
	bare, err := a.offline.Answer(ctx, simulate.Respondent{ID: r.ID})
	if err != nil || bare.Status == simulate.CannotAnswer && (bare.Reason == simulate.ReasonNeedsVision || bare.Message == simulate.Honest) {
		return bare, err
	}
	known, err := gather(ctx, r, clip(a.q.Text, maxTurn), a.p)
	if err != nil {
		return simulate.Answer{}, err
	}
	shown := a.show(known)
	if a.q.Type == simulate.Qualitative {
		return a.inWords(ctx, r, known, shown)
	}
	unmapped := false
	if a.rater != nil {
		rated, ok, err := a.rated(ctx, r, known, shown)
		if err != nil || ok {
			return rated, err
		}
		unmapped = true
	}
	task := askTask
	if shown != "" {
		task += "\n" + pictureTask
	}
	var c choice
	res, err := model.Structured(ctx, a.e.client, model.Request{
		System: system(r, a.p, task), CacheSystem: true, MaxTokens: 400, Schema: a.schema, Temperature: new(float64),
		Messages: []model.Message{{Role: model.User, Text: known.block() + shown + a.text, Images: a.images}},
	}, &c)
	a.e.count(ctx, res.Usage, err)
	if reason := cannot(err); reason != "" {
		return simulate.Answer{Status: simulate.CannotAnswer, Reason: reason, Message: cannotWords[reason]}, nil
	}
	if err != nil {
		return simulate.Answer{}, err
	}
	out, err := a.settle(r, known, c)
	if unmapped && err == nil {
		out.Warnings = append(out.Warnings, UnmappedWords)
	}
	return out, err
}

// show adds the text and the pictures of the question to what a prompt gives; empty
// without any.
func (a *asked) show(known *sources) string {
	var marks []string
	if m := a.q.Material; m != nil {
		marks = append(marks, known.bring("A", brought{name: m.Label, text: m.Text}))
	}
	for _, p := range a.q.Pictures {
		marks = append(marks, known.bring("I", brought{name: p.Name, picture: true}))
	}
	return known.shown(marks)
}

// settle reads a checked choice. Marks that were not given count for nothing, so
// that an answer cannot claim to rest on what it did not see.
func (a *asked) settle(r simulate.Respondent, known *sources, c choice) (simulate.Answer, error) {
	reason := clip(strings.TrimSpace(unmarked(c.Reason)), maxReason)
	var marks []string
	for _, m := range c.Sources {
		if m = strings.ToUpper(strings.Trim(m, "[] ")); c.Basis == "sources" && known.has(m) && !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	// The reason is a sentence like any other: it may name no figure and quote
	// nothing that its sources do not hold, and make up no life. The labels are the
	// question's, and may be repeated.
	persona := c.Basis == "persona"
	if reason != "" {
		j := &judge{sources: known, who: r, asked: a.text, given: givenBy(known, r, a.text, nil)}
		of := j.sentence(reason, marks, persona)
		switch {
		case human(reason):
			reason, marks, persona = "", nil, false
		case of.refused && j.invents(reason, marks):
			reason, marks, persona = "", nil, false
		}
	}
	rests := known.rests([]spoken{{reason + " " + string(c.Answer), marks, false}}, persona)
	if rests.state == simulate.Unsupported && a.p.Strict {
		return noEvidence, nil
	}
	out := simulate.Answer{Status: simulate.Answered, State: rests.state, SourceIDs: rests.ids, Citations: rests.citations}
	shown := ""
	switch a.q.Type {
	case simulate.Scale:
		n, err := strconv.ParseFloat(string(c.Answer), 64)
		if err != nil {
			return out, fmt.Errorf("answer: a point of the scale: %w", err)
		}
		out.Number = &n
		shown = strconv.FormatFloat(n, 'f', -1, 64)
	case simulate.Categorical:
		if err := json.Unmarshal(c.Answer, &out.Option); err != nil {
			return out, fmt.Errorf("answer: a label: %w", err)
		}
		shown = out.Option
	case simulate.Numeric, simulate.Ranking, simulate.BestWorst:
		var err error
		if shown, err = settleMethod(a.q, c.Answer, &out); err != nil {
			return out, err
		}
	default:
		var picked []string
		if err := json.Unmarshal(c.Answer, &picked); err != nil {
			return out, fmt.Errorf("answer: labels: %w", err)
		}
		for _, o := range a.q.Options { // in the order in which they were asked
			if slices.Contains(picked, o) && !slices.Contains(out.Options, o) {
				out.Options = append(out.Options, o)
			}
		}
		if shown = strings.Join(out.Options, ", "); shown == "" {
			shown = "None picked"
		}
	}
	out.Message = shown + "."
	if reason != "" && a.p.ResponseForm != "concise" {
		out.Message += " " + reason
	}
	if rests.state == simulate.Unsupported {
		out.Message += " No evidence: illustrative only."
	}
	return out, nil
}

// inWords answers an open question as a conversation would.
func (a *asked) inWords(ctx context.Context, r simulate.Respondent, known *sources, shown string) (simulate.Answer, error) {
	p := a.p
	p.History = nil
	var rep simulate.Reply
	var err error
	if shown == "" || p.KnowledgeOnly && !known.relevant {
		rep, _, err = a.e.converse(ctx, r, known, a.q.Text, p, nil)
	} else {
		form := formOf(p)
		rep, _, _, err = a.e.speak(ctx, r, known, a.q.Text, p, model.Request{
			System: system(r, p, chatTask+formRules[form]+"\n"+pictureTask), CacheSystem: true, MaxTokens: formTokens[form],
			Messages: []model.Message{{Role: model.User, Text: known.block() + shown + message(clip(a.q.Text, maxMessage)), Images: a.images}},
		}, nil)
	}
	if reason := cannot(err); reason != "" {
		return simulate.Answer{Status: simulate.CannotAnswer, Reason: reason, Message: cannotWords[reason]}, nil
	}
	if err != nil {
		return simulate.Answer{}, err
	}
	if rep.State == simulate.Unsupported && a.p.Strict {
		return noEvidence, nil
	}
	return simulate.Answer{Status: simulate.Answered, State: rep.State, Text: rep.Text, Message: rep.Text, SourceIDs: rep.SourceIDs, Citations: rep.Citations}, nil
}

var noEvidence = simulate.Answer{Status: simulate.CannotAnswer, Reason: simulate.ReasonNoEvidence, Message: "Nothing in this Mind's record or sources speaks to this question."}

// Reasons of cannot_answer that only a model has.
const (
	ReasonMalformed = "malformed_answer" // twice not in the form that was asked for, or nothing at all
	ReasonDeclined  = "declined"         // the provider or the model declined the content
)

var cannotWords = map[string]string{
	ReasonMalformed: "The model gave no answer in the form that was asked for.",
	ReasonDeclined:  "The model declined to answer this question.",
}

// cannot tells of a failed call whether the Mind cannot answer; other failures are
// the provider's.
func cannot(err error) string {
	var failed *model.Error
	switch {
	case model.IsKind(err, model.KindFiltered):
		return ReasonDeclined
	case model.Misfit(err), errors.As(err, &failed) && failed.Detail == emptyAnswer: // one Mind's silence ends no study
		return ReasonMalformed
	}
	return ""
}
