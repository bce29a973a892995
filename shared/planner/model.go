package planner

import (
	"slices"

	"github.com/mindgate-dev/mindgate/shared/method"
)

// standIn is the confirmation question of a plan whose one question stands in for
// those that its request does not hold.
const standIn = "questions"

// Unwritten reports a plan of the rules whose request held an aim and no question:
// what it asks stands in for questions that somebody still has to write.
func Unwritten(p Plan) bool {
	return slices.ContainsFunc(p.ConfirmationQuestions, func(q ConfirmationQuestion) bool {
		return q.QuestionID == standIn && q.Kind == Clarification
	})
}

// FromModel makes the plan of a request whose questions a model wrote. They are
// judged as everything is: what breaks a rule is refused with the place of it in
// the list of questions (M-82). Their origin is the planner, and the plan says which
// model wrote them.
func FromModel(in Input, written []Question, model string) (Plan, error) {
	if err := checkInput(in); err != nil {
		return Plan{}, err
	}
	if len(written) == 0 {
		return Plan{}, invalid("/questions", "questions is empty; write at least one question.")
	}
	by := in
	by.Request, by.Questions = "", written
	if len(by.Methods) == 0 {
		by.Methods = askedMethods(in.Request)
	}
	if len(by.Methods) == 0 {
		by.Methods = []Selection{{MethodID: method.GuidedResearch}}
	}
	p, err := fixed(by)
	if err != nil {
		return Plan{}, err
	}
	lang := orElse(in.Locale, language(in.Request))
	_, rest := readBlocks(in.Request)
	p.StudyLocale, p.Objective, p.Planner = localeOf(lang), objectiveOf(rest), By{ByModel, model}
	each(&p, func(it *Item) {
		if it.Origin == OriginAuthor {
			it.Origin = OriginPlanner
		}
	})
	p.Intent = intentOf(p, by.Methods)
	p.ConfirmationQuestions = append(p.ConfirmationQuestions, clarify("drafted", false, nil, "%s",
		"A language model wrote these questions from the request. Read each text as a respondent would; send edits for what shall be asked otherwise."))
	return p, nil
}
