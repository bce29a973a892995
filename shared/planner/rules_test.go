package planner

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

func choice(id, text string, options ...string) Question {
	return Question{ID: id, Text: text, Response: Response{Type: Categorical, CategoricalOptions: options}}
}

func open(id, text string, c *AskIf) Question {
	return Question{ID: id, Text: text, Response: Response{Type: Qualitative}, AskIf: c}
}

// M-180, M-181: conditions that cannot be asked are refused with a pointer.
func TestConditionsAreChecked_M181(t *testing.T) {
	car := choice("car", "Do you own a car?", "Yes", "No")
	for name, c := range map[string]struct {
		q    []Question
		path string
	}{
		"unknown":           {[]Question{car, open("b", "Which?", &AskIf{QuestionID: "x", AnswerIn: []string{"Yes"}})}, "/questions/1/askIf/questionId"},
		"itself":            {[]Question{choice("b", "B?", "Yes", "No"), {ID: "c", Text: "C?", Response: Response{Type: Categorical, CategoricalOptions: []string{"Yes", "No"}}, AskIf: &AskIf{QuestionID: "c", AnswerIn: []string{"Yes"}}}}, "/questions/1/askIf/questionId"},
		"later":             {[]Question{open("b", "Which?", &AskIf{QuestionID: "car", AnswerIn: []string{"Yes"}}), car}, "/questions/0/askIf/questionId"},
		"no choice":         {[]Question{open("a", "Why?", nil), open("b", "Which?", &AskIf{QuestionID: "a", AnswerIn: []string{"Yes"}})}, "/questions/1/askIf/questionId"},
		"label":             {[]Question{car, open("b", "Which?", &AskIf{QuestionID: "car", AnswerIn: []string{"Yes", "yes"}})}, "/questions/1/askIf/answerIn/1"},
		"label not trimmed": {[]Question{car, open("b", "Which?", &AskIf{QuestionID: "car", AnswerNotIn: []string{"No "}})}, "/questions/1/askIf/answerNotIn/0"},
		"both":              {[]Question{car, open("b", "Which?", &AskIf{QuestionID: "car", AnswerIn: []string{"Yes"}, AnswerNotIn: []string{"No"}})}, "/questions/1/askIf"},
		"neither":           {[]Question{car, open("b", "Which?", &AskIf{QuestionID: "car"})}, "/questions/1/askIf"},
		"empty":             {[]Question{car, open("b", "Which?", &AskIf{QuestionID: "car", AnswerIn: []string{}})}, "/questions/1/askIf/answerIn"},
		"twice":             {[]Question{car, open("b", "Which?", &AskIf{QuestionID: "car", AnswerIn: []string{"Yes", "Yes"}})}, "/questions/1/askIf/answerIn/1"},
		"nobody":            {[]Question{car, open("b", "Which?", &AskIf{QuestionID: "car", AnswerNotIn: []string{"Yes", "No"}})}, "/questions/1/askIf/answerNotIn"},
	} {
		_, err := New(Input{Questions: c.q})
		f := fault.From(err)
		if err == nil || f.Code != fault.InvalidAskIf || f.Data["path"] != c.path {
			t.Errorf("%s: %v at %v, want INVALID_ASK_IF at %s", name, err, f.Data["path"], c.path)
		}
	}
	// All options in answerIn only warns.
	p, err := New(Input{Questions: []Question{car, open("b", "Which?", &AskIf{QuestionID: "car", AnswerIn: []string{"Yes", "No"}})}})
	if err != nil || len(p.ConfirmationQuestions) != 1 || p.ConfirmationQuestions[0].Required {
		t.Errorf("answerIn with all options: %v, %+v", err, p.ConfirmationQuestions)
	}
}

// M-85: ids are slugs; what collides, repeats or contradicts itself is refused.
func TestFixedInstrumentsAreChecked_M85(t *testing.T) {
	scale := func(lo, hi int) Question {
		return Question{Text: "Rate", Response: Response{Type: Scale, ScaleRange: []int{lo, hi}}}
	}
	many := make([]Question, MaxQuestions+1)
	for i := range many {
		many[i] = open("", fmt.Sprintf("Question %d?", i), nil)
	}
	for name, c := range map[string]struct {
		q    []Question
		path string
	}{
		"same id after slugs": {[]Question{open("My id", "A?", nil), open("my-ID!", "B?", nil)}, "/questions/1/id"},
		"id of nothing":       {[]Question{open("???", "A?", nil)}, "/questions/0/id"},
		"default id taken":    {[]Question{open("q2", "A?", nil), open("", "B?", nil)}, "/questions/1/id"},
		"same text":           {[]Question{open("", "A  b?", nil), open("", " a B?", nil)}, "/questions/1/text"},
		"scale upside down":   {[]Question{scale(5, 5)}, "/questions/0/response/scaleRange"},
		"scale too wide":      {[]Question{scale(-101, 5)}, "/questions/0/response/scaleRange"},
		"labels twice":        {[]Question{choice("", "A?", "x", "x")}, "/questions/0/response/categoricalOptions/1"},
		"one option":          {[]Question{choice("", "A?", "x")}, "/questions/0/response/categoricalOptions"},
		"too many picks":      {[]Question{{Text: "A?", Response: Response{Type: Multiselect, CategoricalOptions: []string{"a", "b"}, MaxSelections: 3}}}, "/questions/0/response/maxSelections"},
		"ranking":             {[]Question{{Text: "A?", Response: Response{Type: Ranking, CategoricalOptions: []string{"a", "b"}}}}, "/questions/0/response/type"},
		"long text":           {[]Question{open("", strings.Repeat("ä", MaxText+1), nil)}, "/questions/0/text"},
		"201 questions":       {many, "/questions"},
	} {
		_, err := New(Input{Questions: c.q})
		if f := fault.From(err); err == nil || f.Code != fault.Validation || f.Data["path"] != c.path {
			t.Errorf("%s: %v at %v, want %s", name, err, f.Data["path"], c.path)
		}
	}
	if _, err := New(Input{Questions: many[:MaxQuestions]}); err != nil {
		t.Errorf("200 questions: %v", err)
	}
	if p, err := New(Input{Questions: []Question{open("", strings.Repeat("ä", MaxText), nil)}}); err != nil || p.Items()[0].ID != "q1" {
		t.Errorf("2,000 characters: %v", err)
	}
	if p, err := New(Input{Questions: []Question{choice("Größe & Co", "A?", "é", "e\u0301")}}); err != nil || p.Items()[0].ID != "gr-e-co" {
		t.Errorf("labels are unique code point by code point: %v", err)
	}
}

// M-75, M-80: fixed texts are stored as they are and no planner touches them.
func TestFixedTextsStayVerbatim_M75(t *testing.T) {
	q := []Question{
		{ID: "a", Module: "Intro", Text: "  1. Wouldn't you agree?  (1-5)\n", Response: Response{Type: Categorical, CategoricalOptions: []string{" Yes", "No "}}},
		{ID: "b", Module: "Intro", Text: "If yes, why?", Response: Response{Type: Qualitative}},
		{ID: "c", Module: "End", Text: "Bye?", Response: Response{Type: Qualitative}},
		{ID: "d", Module: "Intro", Text: "Again?", Response: Response{Type: Qualitative}},
	}
	p, err := New(Input{Questions: q, Minds: 7})
	if err != nil {
		t.Fatal(err)
	}
	items := p.Items()
	for i := range q {
		if items[i].Text != q[i].Text || !reflect.DeepEqual(items[i].Response, q[i].Response) || items[i].Origin != OriginAuthor || items[i].Position != i+1 {
			t.Errorf("item %d is %+v", i, items[i])
		}
	}
	if len(p.Modules) != 3 || p.Modules[2].ID == p.Modules[0].ID || p.Modules[2].Name != "Intro" {
		t.Errorf("modules: %+v", p.Modules)
	}
	if p.Planner.Kind != Fixed || p.Methods[0].MethodID != "questionnaire" || p.Estimate != (Estimate{4, 7, 28}) {
		t.Errorf("%+v %+v %+v", p.Planner, p.Methods, p.Estimate)
	}
}

// M-182: an edit that breaks a condition is refused as a whole.
func TestEditsThatBreakConditionsAreRefused_M182(t *testing.T) {
	p, err := New(Input{Questions: []Question{choice("car", "Do you own a car?", "Yes", "No"), open("brand", "Which?", &AskIf{QuestionID: "car", AnswerIn: []string{"Yes"}}), open("end", "Bye?", nil)}})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := json.Marshal(p)
	car := EditedQuestion{ID: "car", ModuleID: "main", Text: "Do you own a car?", Response: Response{Type: Categorical, CategoricalOptions: []string{"Yes", "No"}}}
	brand := EditedQuestion{ID: "brand", ModuleID: "main", Text: "Which?", Response: Response{Type: Qualitative}, AskIf: &AskIf{QuestionID: "car", AnswerIn: []string{"Yes"}}}
	relabelled := car
	relabelled.Response.CategoricalOptions = []string{"Yes!", "No"}
	for name, c := range map[string]struct {
		q    []EditedQuestion
		path string
	}{
		"reordered":  {[]EditedQuestion{brand, car}, "/edits/questions/0/askIf/questionId"},
		"removed":    {[]EditedQuestion{brand}, "/edits/questions/0/askIf/questionId"},
		"relabelled": {[]EditedQuestion{relabelled, brand}, "/edits/questions/1/askIf/answerIn/0"},
	} {
		_, err := Edit(p, Edits{Questions: c.q})
		if f := fault.From(err); err == nil || f.Code != fault.InvalidAskIf || f.Data["path"] != c.path {
			t.Errorf("%s: %v at %v, want %s", name, err, f.Data["path"], c.path)
		}
	}
	if after, _ := json.Marshal(p); string(after) != string(before) {
		t.Error("a refused edit changed the plan")
	}
	aim := "Cars"
	got, err := Edit(p, Edits{Objective: &aim, Questions: []EditedQuestion{car, brand}})
	if err != nil || got.Objective != aim || len(got.Items()) != 2 || got.Items()[1].AskIf == nil {
		t.Errorf("a good edit: %v %+v", err, got)
	}
}

// M-80: the items of methods are read-only for edits, and left out they stay.
func TestMethodItemsAreReadOnly_M80(t *testing.T) {
	conf := json.RawMessage(`{"items":[{"id":"a","label":"A"},{"id":"b","label":"B"},{"id":"c","label":"C"}]}`)
	p, err := New(Input{Questions: []Question{open("why", "Why?", nil)}, Methods: []Selection{{"ranked-preferences", conf}, {"nps", nil}}})
	if err != nil {
		t.Fatal(err)
	}
	items := p.Items()
	if len(items) != 2 || items[1].Origin != OriginMethod || !items[1].ReadOnly || items[1].Response.Type != Ranking {
		t.Fatalf("%+v", items)
	}
	why := EditedQuestion{ID: "why", ModuleID: "main", Text: "Why so?", Response: Response{Type: Qualitative}}
	got, err := Edit(p, Edits{Questions: []EditedQuestion{why}})
	if err != nil || len(got.Items()) != 2 || got.Items()[0].Text != "Why so?" {
		t.Errorf("%v %+v", err, got.Items())
	}
	if _, err := Edit(p, Edits{Questions: []EditedQuestion{why, {ID: items[1].ID, ModuleID: items[1].ModuleID, Text: "Other", Response: items[1].Response}}}); err == nil {
		t.Error("a changed method item was taken")
	}
	// M-83, M-84: what the configuration lacks is asked for, and the answer fills it.
	at := ""
	for _, q := range got.ConfirmationQuestions {
		if q.Kind == MethodConfiguration && q.Required {
			at = q.QuestionID
		}
	}
	if at != "nps.subject" || len(got.Open(true)) != 1 {
		t.Fatalf("%+v", got.ConfirmationQuestions)
	}
	got, err = Revise(got, Input{Answers: []Answered{{at, "Example Bank"}}})
	if err != nil || !got.Methods[1].ConfigurationComplete || len(got.Open(true)) != 0 || got.Estimate.Items != 3 {
		t.Errorf("%v %+v %+v", err, got.Methods, got.Open(true))
	}
}

// M-80: a revision changes only what it names.
func TestRevisionsChangeOnlyWhatTheyName_M80(t *testing.T) {
	p, err := New(Input{Request: "1. Do you own a car?\n2. If yes, which one?\n3. Rate it (1-5)", SourcePolicy: Auto, Attachments: []Attachment{{ID: "x", Path: "chat/u/x.png"}}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Revise(p, Input{Reformats: []Reformat{{QuestionID: "q3", Response: Response{Type: Scale, ScaleRange: []int{1, 7}}}}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Items()[2].Response.ScaleRange[1] != 7 || got.SourcePolicy != Auto || len(got.Attachments) != 1 {
		t.Errorf("%+v", got)
	}
	got.Modules, p.Modules = nil, nil
	if !reflect.DeepEqual(got, p) {
		t.Errorf("more than the format changed:\n%+v\n%+v", got, p)
	}
}

func TestRefinements(t *testing.T) {
	base, err := New(Input{Request: "NPS for our app.\n1. Do you own a car?\n2. If yes, which one?\n3. Rate it (1-5)"})
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]func(Plan) bool{
		"Drop the NPS item":                       func(p Plan) bool { return len(p.Items()) == 3 && p.Methods[0].MethodID == "guided-research" },
		"Please remove question 3.":               func(p Plan) bool { return len(p.Items()) == 2 },
		"Remove question 1":                       func(p Plan) bool { return len(p.Items()) == 3 && len(p.Open(true)) == 1 }, // q2 hangs on it
		"Make question 3 a 7-point scale":         func(p Plan) bool { return p.Items()[2].Response.ScaleRange[1] == 7 },
		"Change question 2 to: Which make is it?": func(p Plan) bool { return p.Items()[1].Text == "Which make is it?" && p.Items()[1].AskIf != nil },
		"Add a question: Why did you buy it?":     func(p Plan) bool { return len(p.Items()) == 4 && p.Items()[3].Text == "Why did you buy it?" },
		"Make it feel warmer":                     func(p Plan) bool { return len(p.Open(true)) == 1 },
	} {
		p, err := Revise(base, Input{Refinement: in})
		if err != nil || !want(p) {
			t.Errorf("%s: %v\n%+v\n%+v", in, err, p.Items(), p.Open(true))
		}
	}
}

// M-77: with several assets each question is assigned and each asset used.
func TestAttachments_M77(t *testing.T) {
	two := []Attachment{{ID: "a", URL: "https://example.org/a.png"}, {ID: "b", Path: "chat/u/b.png"}}
	q := []Question{open("", "How is A?", nil), open("", "How is B?", nil)}
	if _, err := New(Input{Questions: q, Attachments: two, Assignments: []Assignment{{1, []string{"a"}}, {2, []string{}}}}); err == nil {
		t.Error("an unused asset was taken")
	}
	if _, err := New(Input{Questions: q, Attachments: two, Assignments: []Assignment{{1, []string{"a", "b"}}}}); err == nil {
		t.Error("a question without an entry was taken")
	}
	if _, err := New(Input{Questions: q, Attachments: two, Assignments: []Assignment{{1, []string{"z"}}}}); err == nil {
		t.Error("an unknown asset was taken")
	}
	p, err := New(Input{Questions: q, Attachments: two, Assignments: []Assignment{{1, []string{"a"}}, {2, []string{"b"}}}})
	if err != nil || len(p.Open(true)) != 0 {
		t.Errorf("%v %+v", err, p.Open(true))
	}
	p, err = New(Input{Questions: q, Attachments: two})
	if err != nil || len(p.Open(true)) != 2 {
		t.Errorf("assets that nobody sees: %v %+v", err, p.Open(true))
	}
	over := make([]Attachment, MaxAttachments+1)
	if _, err := New(Input{Questions: q, Attachments: over}); err == nil {
		t.Error("101 attachments were taken")
	}
}

func TestUnknownMethodsAndBrokenConfigurations_M83(t *testing.T) {
	q := []Question{open("", "Why?", nil), open("", "How?", nil)}
	for path, sel := range map[string][]Selection{
		"/methods/0/methodId":              {{"astrology", nil}},
		"/methods/1/methodId":              {{"nps", nil}, {"nps", nil}},
		"/methods/0/configuration/setSize": {{"maxdiff", json.RawMessage(`{"setSize":9}`)}},
	} {
		_, err := New(Input{Questions: q, Methods: sel})
		if f := fault.From(err); err == nil || !strings.HasPrefix(fmt.Sprint(f.Data["path"]), path) {
			t.Errorf("%v at %v, want %s", err, f.Data["path"], path)
		}
	}
	if _, err := New(Input{Questions: q, Methods: []Selection{{"single-question", nil}}}); !fault.Is(err, fault.InvalidMethodConfiguration) {
		t.Errorf("single-question with two questions: %v", err)
	}
}

// M-322: nothing of an objective reaches respondents but as a topic to be confirmed.
func TestRequestIsNotAsked_M322(t *testing.T) {
	p, err := New(Input{Request: "Internal: margin is 40 percent and must not leak.\n1. How do you like tea?"})
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range p.Items() {
		if strings.Contains(it.Text, "margin") {
			t.Errorf("respondents would read %q", it.Text)
		}
	}
}

func FuzzNew(f *testing.F) {
	for _, file := range []string{"testdata/requests.txt", "testdata/held.txt"} {
		for _, w := range readWanted(f, file) {
			f.Add(w.request)
		}
	}
	f.Add("Q1 (\n[ ] \n* ** ?\n1. ?\n((((((((")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := New(Input{Request: s})
		again, err2 := New(Input{Request: s})
		if (err == nil) != (err2 == nil) || !reflect.DeepEqual(p, again) {
			t.Fatal("the same request gave two plans")
		}
		if err != nil {
			return
		}
		if _, err := judge(p, keepPath); err != nil {
			t.Fatalf("a plan of our own does not pass: %v", err)
		}
	})
}

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{50, 100, 200} {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, "%d. How often do you use product %d? (Daily / Weekly / Never)\n", i+1, i)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := New(Input{Request: s.String()}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
