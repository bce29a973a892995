package planner

import (
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// The limits of a plan. Texts are counted in characters (code points).
const (
	MaxQuestions     = 200
	MaxText          = 2_000
	MaxObjective     = 2_000
	MaxStimulusText  = 20_000
	MaxRequest       = 100_000
	MaxRefinement    = 20_000
	MaxMethods       = 5
	MinOptions       = 2
	MaxOptions       = 100
	MaxOptionText    = 2_000
	ScaleLimit       = 100 // scales lie between -100 and 100
	MaxAttachments   = 100
	MaxPerQuestion   = 20
	MaxPerEdited     = 50
	MaxOverrides     = 2_000
	MaxID            = 80
	MaxModule        = 200
	MaxModuleID      = 120
	MaxSourceLabel   = 500
	MaxAnswers       = 100
	maxAnswer        = 20_000
	maxAttachmentID  = 255
	maxAttachmentTxt = 500
)

func tooLong(s string, most int) bool { return len(s) > most && utf8.RuneCountInString(s) > most }

// checkInput holds a call to the limits before anything is planned.
func checkInput(in Input) error {
	switch {
	case tooLong(in.Request, MaxRequest):
		return invalid("/request", "request holds %d characters; the limit is %d. Plan in parts, or send the fixed texts as questions.", utf8.RuneCountInString(in.Request), MaxRequest)
	case in.Request != "" && strings.TrimSpace(in.Request) == "":
		return invalid("/request", "request is blank. Say what you want to find out, or list the questions.")
	case in.Request != "" && len(in.Questions) > 0:
		return invalid("/questions", "request and questions are two ways to plan; send one of them.")
	case tooLong(in.Refinement, MaxRefinement):
		return invalid("/refinement", "refinement holds %d characters; the limit is %d.", utf8.RuneCountInString(in.Refinement), MaxRefinement)
	case len(in.Methods) > MaxMethods:
		return invalid("/methods", "methods lists %d methods; a plan holds at most %d.", len(in.Methods), MaxMethods)
	case len(in.Attachments) > MaxAttachments:
		return invalid("/attachments", "attachments lists %d assets; a plan holds at most %d.", len(in.Attachments), MaxAttachments)
	case len(in.Overrides) > MaxOverrides:
		return invalid("/mindSourcePolicyOverrides", "mindSourcePolicyOverrides lists %d Minds; the limit is %d.", len(in.Overrides), MaxOverrides)
	case len(in.Answers) > MaxAnswers:
		return invalid("/answers", "answers lists %d answers; the limit is %d.", len(in.Answers), MaxAnswers)
	case in.SourcePolicy != "" && in.SourcePolicy != RequestOnly && in.SourcePolicy != Auto:
		return invalid("/sourcePolicy", "sourcePolicy is request_only or auto.")
	case in.Locale != "" && !studyLocales[in.Locale]:
		return invalid("/studyLocale", "studyLocale is one of en, es, fr, de, zh, tr, ar, ja, ko.")
	}
	seen := map[string]bool{}
	for i, o := range in.Overrides {
		id := strings.ToLower(o.MindID)
		if seen[id] {
			return invalid(pointer("mindSourcePolicyOverrides", i, "mindId"), "Mind %s is listed twice; name each Mind once.", o.MindID)
		}
		seen[id] = true
		if o.SourcePolicy != RequestOnly && o.SourcePolicy != Auto {
			return invalid(pointer("mindSourcePolicyOverrides", i, "sourcePolicy"), "sourcePolicy is request_only or auto.")
		}
	}
	if s := in.Source; s != nil {
		if strings.TrimSpace(s.Label) == "" || tooLong(s.Label, MaxSourceLabel) {
			return invalid("/source/label", "source.label has 1 to %d characters.", MaxSourceLabel)
		}
		if tooLong(s.Content, MaxStimulusText) {
			return invalid("/source/content", "source.content holds %d characters; the limit is %d.", utf8.RuneCountInString(s.Content), MaxStimulusText)
		}
		if s.Content != "" && s.Kind != "prompt" {
			return invalid("/source/content", "source.content is the text of a source of kind prompt; a %s has a url.", s.Kind)
		}
	}
	return nil
}

func checkText(path, text string) *fault.Error {
	switch {
	case !utf8.ValidString(text):
		return invalid(path, "The text is no valid UTF-8.")
	case strings.TrimSpace(text) == "":
		return invalid(path, "The text of a question is empty. Write what respondents shall read.")
	case tooLong(text, MaxText):
		return invalid(path, "The text holds %d characters; a question has at most %d. Put long material into source.content or an attachment.", utf8.RuneCountInString(text), MaxText)
	}
	return nil
}

// checkResponse holds an answer format to its rules (M-85, M-87). Only method
// items may have the formats of methods.
func checkResponse(path string, r Response, method bool) *fault.Error {
	switch r.Type {
	case Qualitative:
		if len(r.CategoricalOptions) > 0 || len(r.ScaleRange) > 0 || r.MaxSelections != 0 {
			return invalid(path, "A qualitative item has no options and no scale. Choose categorical, multiselect or scale, or leave them out.")
		}
	case Categorical, Multiselect:
		if len(r.ScaleRange) > 0 {
			return invalid(path+"/scaleRange", "scaleRange belongs to type scale.")
		}
		if r.Type == Categorical && r.MaxSelections != 0 {
			return invalid(path+"/maxSelections", "maxSelections belongs to type multiselect; a categorical item takes one answer.")
		}
		if err := checkOptions(path+"/categoricalOptions", r.CategoricalOptions); err != nil {
			return err
		}
		if m := r.MaxSelections; m < 0 || m > len(r.CategoricalOptions) {
			return invalid(path+"/maxSelections", "maxSelections is %d; it lies between 1 and the number of options, %d.", m, len(r.CategoricalOptions))
		}
	case Scale:
		if len(r.CategoricalOptions) > 0 || r.MaxSelections != 0 {
			return invalid(path, "A scale has a scaleRange and no options.")
		}
		if len(r.ScaleRange) != 2 {
			return invalid(path+"/scaleRange", "A scale needs scaleRange: [lowest, highest], for example [1, 5].")
		}
		lo, hi := r.ScaleRange[0], r.ScaleRange[1]
		if lo < -ScaleLimit || hi > ScaleLimit {
			return invalid(path+"/scaleRange", "scaleRange is [%d, %d]; its ends lie between -%d and %d.", lo, hi, ScaleLimit, ScaleLimit)
		}
		if lo >= hi {
			return invalid(path+"/scaleRange", "scaleRange is [%d, %d]; the first number must be below the second.", lo, hi)
		}
	case Numeric, Ranking, BestWorst:
		if !method {
			return invalid(path+"/type", "%s items are written by a method only. Choose qualitative, categorical, multiselect or scale, or add a method.", r.Type)
		}
	default:
		return invalid(path+"/type", "type is one of qualitative, categorical, multiselect, scale.")
	}
	return nil
}

func checkOptions(path string, options []string) *fault.Error {
	if len(options) < MinOptions || len(options) > MaxOptions {
		return invalid(path, "%d options given; a choice has %d to %d.", len(options), MinOptions, MaxOptions)
	}
	seen := make(map[string]int, len(options))
	for i, o := range options {
		switch {
		case o == "" || !utf8.ValidString(o):
			return invalid(pointerAt(path, i), "Option %d is empty. Each option has a text of its own.", i+1)
		case tooLong(o, MaxOptionText):
			return invalid(pointerAt(path, i), "Option %d holds %d characters; the limit is %d.", i+1, utf8.RuneCountInString(o), MaxOptionText)
		}
		if j, ok := seen[o]; ok {
			return invalid(pointerAt(path, i), "Options %d and %d are both %q. Labels are unique, so that an answer names one of them.", j+1, i+1, o)
		}
		seen[o] = i
	}
	return nil
}
