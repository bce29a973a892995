package planner

import (
	"slices"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// checkAskIf holds the conditions of items in their order to M-180 and M-181. path
// gives the JSON pointer of the condition of item i. A condition that asks nobody is
// refused; one that names all options in answerIn asks everybody who answered and
// comes back in always.
func checkAskIf(items []Item, path func(i int) string) (always []int, err error) {
	place := make(map[string]int, len(items))
	for i := range items {
		place[items[i].ID] = i
	}
	for i := range items {
		c := items[i].AskIf
		if c == nil {
			continue
		}
		at := path(i)
		refuse := func(sub, format string, args ...any) error {
			return fault.New(fault.InvalidAskIf, format, args...).With("path", at+sub)
		}
		if items[i].Origin == OriginMethod || items[i].ReadOnly {
			return nil, refuse("", "Item %s belongs to a method, and the items of methods take no condition (M-186). Leave askIf out.", items[i].ID)
		}
		j, ok := place[c.QuestionID]
		switch {
		case c.QuestionID == "":
			return nil, refuse("/questionId", "askIf names no question. Name an earlier categorical or multiselect item by its id.")
		case !ok:
			return nil, refuse("/questionId", "No item of this plan has the id %q. Name an earlier item; the ids are in the draft.", c.QuestionID)
		case j == i:
			return nil, refuse("/questionId", "Item %s depends on its own answer. Name an earlier item.", items[i].ID)
		case j > i:
			return nil, refuse("/questionId", "Item %s depends on %s, which is asked later. Move %s in front of it.", items[i].ID, c.QuestionID, c.QuestionID)
		}
		from := items[j].Response
		if from.Type != Categorical && from.Type != Multiselect {
			return nil, refuse("/questionId", "Item %s is %s; only categorical and multiselect items can be a condition.", c.QuestionID, from.Type)
		}
		labels, key := c.AnswerIn, "/answerIn"
		switch {
		case c.AnswerIn != nil && c.AnswerNotIn != nil:
			return nil, refuse("", "askIf holds answerIn and answerNotIn. Give exactly one of them.")
		case c.AnswerIn == nil && c.AnswerNotIn == nil:
			return nil, refuse("", "askIf holds neither answerIn nor answerNotIn. Give exactly one of them.")
		case c.AnswerNotIn != nil:
			labels, key = c.AnswerNotIn, "/answerNotIn"
		}
		if len(labels) == 0 {
			return nil, refuse(key, "The list of answers is empty. Name at least one label of %s.", c.QuestionID)
		}
		offered := make(map[string]bool, len(from.CategoricalOptions))
		for _, o := range from.CategoricalOptions {
			offered[o] = true
		}
		named := make(map[string]bool, len(labels))
		for n, l := range labels {
			if !offered[l] {
				return nil, refuse(pointerAt(key, n), "Item %s does not offer %q. Write the label exactly as offered: %s.", c.QuestionID, l, quoted(from.CategoricalOptions))
			}
			if named[l] {
				return nil, refuse(pointerAt(key, n), "%q is listed twice.", l)
			}
			named[l] = true
		}
		if len(named) == len(offered) {
			if c.AnswerNotIn != nil {
				return nil, refuse(key, "answerNotIn names every option of %s, so nobody could be asked. Leave at least one out.", c.QuestionID)
			}
			always = append(always, i)
		}
	}
	return always, nil
}

// quoted lists labels for a message, the first few of them.
func quoted(labels []string) string {
	const most = 8
	out := ""
	for i, l := range labels {
		if i == most {
			return out + ", …"
		}
		if i > 0 {
			out += ", "
		}
		out += "“" + cut(l, 60) + "”"
	}
	return out
}

func cut(s string, runes int) string {
	r := []rune(s)
	if len(r) <= runes {
		return s
	}
	return string(r[:runes-1]) + "…"
}

func cloneAskIf(c *AskIf) *AskIf {
	if c == nil {
		return nil
	}
	return &AskIf{QuestionID: c.QuestionID, AnswerIn: slices.Clone(c.AnswerIn), AnswerNotIn: slices.Clone(c.AnswerNotIn)}
}
