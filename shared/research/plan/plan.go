// Package plan reads questions out of plain text without a model (M-82): what
// form an answer takes, and which options it has. Same text, same result.
package plan

import (
	"fmt"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Version names the rule set; it is shown as draftReview.planner and changes
// when the same text would be read another way.
const Version = "rules-3"

// Classified is one text read as a question.
type Classified struct {
	Question     simulate.Question  // Text is the text as given, trimmed
	Why          string             // one sentence: which rule chose the form
	FromEvidence *simulate.Evidence // the published question whose options were taken, or nil
	Objective    bool               // a research objective and no question at all: answer planning_required
}

// Classify reads the answer form of one text. known are the published questions
// within reach (a Mind's or an Audience's evidence); a text that brings no
// options of its own but matches one takes its options. In order:
//
//  1. "scale of 1 to 5", "(1-10)" beside rate, scale, score or likely: scale;
//  2. a list after ":" or in brackets, or a closing "a, b or c?": categorical,
//     or multiselect with "all that apply" and the like;
//  3. a known published question of the same kind: its options (never for why,
//     when, where and who, and for a question of yes or no only yes and no);
//  4. opens with an auxiliary ("Do you …", "Is it …"): Yes / No;
//  5. no question at all but an aim ("Understand why …"): an objective;
//  6. else qualitative.
func Classify(text string, known []*simulate.Evidence) Classified {
	text = strings.TrimSpace(text)
	c := Classified{Question: simulate.Question{Text: text, Type: simulate.Qualitative}}
	if text == "" {
		c.Why = "The text is empty."
		return c
	}
	if s, ok := readScale(text); ok {
		c.Question.Type, c.Question.Min, c.Question.Max, c.Question.ScaleLabels = simulate.Scale, s.min, s.max, s.labels
		c.Why = fmt.Sprintf("The text names a scale from %d to %d.", s.min, s.max)
		return c
	}
	many := asksMany(text)
	if opts, how := readList(text); len(opts) >= 2 {
		c.Question.Type, c.Question.Options = simulate.Categorical, opts
		if many {
			c.Question.Type = simulate.Multiselect
			c.Question.MaxSelections = mostOf(text, len(opts))
		} else {
			c.Question.Ordinal = simulate.Ordered(opts)
		}
		c.Why = fmt.Sprintf("The text lists %d options %s.", len(opts), how)
		if many {
			c.Why = fmt.Sprintf("The text lists %d options %s and allows several.", len(opts), how)
		}
		if ranking.MatchString(stem(text)) {
			c.Why += " A ranking cannot be given; each answer names what is chosen, not an order."
		}
		return c
	}
	if e, q := published(text, known); e != nil {
		c.Question, c.FromEvidence = q, e
		name := e.Source
		if name == "" {
			name = "an imported distribution"
		}
		c.Why = fmt.Sprintf("The text is the published question “%s” (%s), so its %d options are taken.", e.Question, name, len(e.Options))
		return c
	}
	if pair, ok := yesNo(text); ok && !many {
		c.Question.Type, c.Question.Options = simulate.Categorical, pair
		c.Why = "The question asks for one of two, so the answer is " + pair[0] + " or " + pair[1] + "."
		return c
	}
	if isObjective(text) {
		c.Objective = true
		c.Why = "The text states a research aim and asks no question; plan it first."
		return c
	}
	c.Why = "The text names no scale and no options, so it is answered in words."
	return c
}

// Open is a text that is answered in words, whatever it looks like: its caller
// wants no reading of its form.
func Open(text string) Classified {
	return Classified{Question: simulate.Question{Text: strings.TrimSpace(text), Type: simulate.Qualitative}, Why: "The caller wants it answered in words."}
}

// published finds the known question that the text asks. Of several the first
// with the most figures behind it wins, so that the order of knowledge does not.
func published(text string, known []*simulate.Evidence) (*simulate.Evidence, simulate.Question) {
	var best *simulate.Evidence
	var question simulate.Question
	for _, e := range known {
		if e == nil {
			continue
		}
		q, ok := simulate.FromEvidence(text, e)
		if !ok {
			continue
		}
		if best == nil || base(e) > base(best) || (base(e) == base(best) && e.Digest < best.Digest) {
			best, question = e, q
		}
	}
	return best, question
}

func base(e *simulate.Evidence) int {
	if e.N == nil {
		return 0
	}
	return *e.N
}
