// Package plan reads questions out of plain text without a model (M-82): what
// form an answer takes, and which options it has. Same text, same result.
package plan

import "github.com/mindgate-dev/mindgate/shared/simulate"

// Version names the rule set; it is shown as draftReview.planner and changes
// when the same text would be read another way.
const Version = "rules-1"

// Classified is one text read as a question.
type Classified struct {
	Question     simulate.Question  // Text is the text as given, trimmed
	Why          string             // one sentence: which rule chose the form
	FromEvidence *simulate.Evidence // the published question whose options were taken, or nil
	Objective    bool               // a research objective and no question at all: answer planning_required
}

// Classify reads the answer form of one text. known are the published questions
// within reach (a Mind's or an Audience's evidence); a text that brings no
// options of its own but matches one takes its options.
func Classify(text string, known []*simulate.Evidence) Classified {
	return Classified{Question: simulate.Question{Text: text, Type: simulate.Qualitative}}
}
