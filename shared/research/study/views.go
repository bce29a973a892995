package study

import (
	"slices"

	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// audienceResults gives a settled question as results show it: figures and
// every answer in every Audience that its Mind is in. Without answers (nil) the
// lists stay empty.
func audienceResults(q questionRow, who panel, r result, answers []*simulate.Answer) []AudienceResult {
	out := make([]AudienceResult, len(who.Audiences))
	for i, a := range who.Audiences {
		f := r.Audiences[i]
		out[i] = AudienceResult{AudienceID: a.ID, Audience: a.Name, Value: cautious(q.Asked, f), Base: f.Base,
			Counts: f.Counts, Percentages: f.percentages(), Evidence: f.Evidence, Answers: []AudienceAnswer{}}
		if answers == nil {
			continue
		}
		out[i].Answers = make([]AudienceAnswer, 0, len(a.Members))
		for _, at := range a.Members {
			out[i].Answers = append(out[i].Answers, answerView(q, who.Minds[at], answers[at]))
		}
	}
	return out
}

// answerView gives one Mind's answer as results show it.
func answerView(q questionRow, m panelMind, a *simulate.Answer) AudienceAnswer {
	v := AudienceAnswer{MindID: m.ID, Persona: m.Name}
	if m.Discipline != "" {
		v.Discipline = &m.Discipline
	}
	p := &Provenance{Origin: "unsupported", Engine: q.Engine, SourceIDs: []string{}, Status: Failed, Reason: "no_answer"}
	v.AnswerProvenance = p
	if a == nil {
		v.Message = "No answer was stored for this Mind."
		return v
	}
	p.Status, p.Reason, p.Warnings = a.Status, a.Reason, a.Warnings
	if len(a.SourceIDs) > 0 {
		p.SourceIDs = a.SourceIDs
	}
	v.Message = a.Message
	if a.Status != simulate.Answered {
		if v.Message == "" {
			v.Message = "This Mind could not answer (" + a.Reason + ")."
		}
		return v
	}
	state := string(a.State)
	v.EvidenceState = &state
	p.Origin = Origin(*a)
	p.Unsupported = a.State == simulate.Unsupported
	v.Value = valueText(*a)
	if v.Message == "" {
		v.Message = v.Value
	}
	for _, c := range a.Citations {
		v.CitationSources = append(v.CitationSources, CitationSource{ID: c.SourceID, Title: c.Source, URL: c.URL,
			Dates: c.Dates, N: c.N, Where: c.Where, Quote: c.Quote, Origin: c.Origin})
	}
	return v
}

// Origin is where an answer comes from, in the words of answerProvenance (M-342).
func Origin(a simulate.Answer) string {
	switch a.State {
	case simulate.Stated:
		return "mind_knowledge"
	case simulate.Grounded, simulate.Related:
		if len(a.Citations) > 0 {
			return "cited_sources"
		}
		return "audience_grounding"
	case simulate.Trait:
		return "mind_personality"
	}
	return "unsupported"
}

// pendingResults gives an unsettled question: bases so far, no figures.
func pendingResults(q questionRow, who panel, answers []*simulate.Answer) []AudienceResult {
	out := make([]AudienceResult, len(who.Audiences))
	for i, a := range who.Audiences {
		c := newCounter(q.Asked)
		for _, at := range a.Members {
			if answers[at] != nil {
				c.add(answers[at], 1)
			}
		}
		f := c.figures(a.NotReady)
		f.Base.Asked = len(a.Members) // the difference is pending
		f.Base.Participating = f.Base.Asked + f.Base.NotAsked
		f.Evidence.Sufficient, f.Evidence.Headline = false, "Answers are still coming in."
		out[i] = AudienceResult{AudienceID: a.ID, Audience: a.Name, Value: "In progress", Base: f.Base, Evidence: f.Evidence, Answers: []AudienceAnswer{}}
	}
	return out
}

func storedCount(answers []*simulate.Answer) int {
	n := 0
	for _, a := range answers {
		if a != nil && a.Status == simulate.Answered {
			n++
		}
	}
	return n
}

// questionView is a question without its Audiences.
func (q questionRow) view() QuestionResult {
	v := QuestionResult{QuestionID: q.ID, MessageID: q.MessageID, Question: q.Text, Type: q.Classification.Type, Status: q.Status,
		TotalMinds: q.Minds, AnsweredCount: q.Answered, Audiences: []AudienceResult{}, Evidence: q.Evidence}
	if q.Error != "" {
		text := q.Error
		v.Error = &text
	}
	return v
}

// previewed keeps the first answers of each Audience.
func previewed(results []AudienceResult, most int) []AudienceResult {
	for i := range results {
		if len(results[i].Answers) > most {
			results[i].Answers = slices.Clip(results[i].Answers[:most])
		}
	}
	return results
}
