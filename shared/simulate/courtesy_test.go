package simulate

import (
	"strings"
	"testing"
)

// A greeting, thanks or a nod asks nothing: the answer claims nothing, names no
// source and rests on the persona alone (M-341, M-342).
func TestCourtesiesClaimNothingM342(t *testing.T) {
	r := Respondent{ID: "m", Name: "Ada Berg", Profile: ParseProfile("Age: 34"), Passages: []Passage{{ID: "k", Text: "Thanks to the grant, the hall is ok again.", Source: "Report"}}}
	for lang, all := range map[string][]string{
		"en": {"hi", "Hello!", "Hi Ada", "thanks", "Thank you very much!", "ok", "Great, thanks.", "bye", "good morning"},
		"de": {"Hallo", "Danke", "Tschüss"}, "fr": {"Bonjour !", "Merci beaucoup", "Au revoir"}, "es": {"¡Hola!", "Gracias", "Adiós"}, "tr": {"Merhaba", "Teşekkürler", "Tamam"},
		"zh": {"你好", "谢谢！", "好的"}, "ja": {"こんにちは", "ありがとう", "はい"}, "ko": {"안녕하세요", "감사합니다", "네"}, "ar": {"مرحبا", "شكرا", "نعم"},
	} {
		say := courtesies[lang]
		for _, m := range all {
			rep, err := NewOffline().Reply(t.Context(), r, strings.Trim(m, "¡"), Policy{KnowledgeOnly: true})
			if err != nil || rep.State != Trait || len(rep.SourceIDs)+len(rep.Citations) > 0 || strings.Contains(rep.Text, "34") {
				t.Errorf("%s: %+v %v", m, rep, err)
			}
			if !strings.Contains(rep.Text, say.ready) && !strings.Contains(rep.Text, say.bye) {
				t.Errorf("%s: %s: %q", lang, m, rep.Text)
			}
		}
	}
	for _, m := range []string{"Hi, what happened to the hall?", "Why is the hall ok again?", "Okra"} {
		if asksNothing(m) {
			t.Errorf("%q asks something", m)
		}
	}
	if rep, err := NewOffline().Reply(t.Context(), r, "Hi, is the hall ok again?", Policy{}); err != nil || rep.State != Stated || len(rep.Citations) == 0 {
		t.Errorf("%+v %v", rep, err)
	}
	if rep, err := NewOffline().Reply(t.Context(), r, "Who are you?", Policy{}); err != nil || rep.State != Stated || !strings.Contains(rep.Text, "34") {
		t.Errorf("%+v %v", rep, err)
	}
}

// Who asks for a summary is given the beginnings of what was read, each cited, and
// is told that they are no summary.
func TestSummariesAreExtractsAndSaySo(t *testing.T) {
	ps := []Passage{
		{ID: "a", Source: "Ferry report", Where: "page 1", Text: "The ferry company carried four million people in 2024. It opened two routes in the north of the country. A third sentence is not needed here at all."},
		{ID: "a", Source: "Ferry report", Where: "page 2", Text: "Contents\nPunctuality was better than in any year before. It will be measured again next year by the crew."},
		{ID: "b", Source: "Bakery notes", Where: "page 4", Text: "The bakery sells two hundred loaves of rye bread on a Saturday. They are gone by noon on most of the days."},
	}
	r := Respondent{ID: "m", Name: "Ada", Passages: append([]Passage{{ID: PersonaID, Text: "I like tea."}}, ps...)}
	for ask, lang := range map[string]string{
		"Summarize the report": "en", "What did the report find?": "en", "Tell me about it": "en", "What is this document about?": "en",
		"Fasse den Bericht zusammen": "de", "Résumez le rapport": "fr", "Resume el informe": "es", "Raporu özetle": "tr",
		"总结一下这份报告": "zh", "レポートを要約してください": "ja", "보고서를 요약해 주세요": "ko", "لخص التقرير": "ar",
	} {
		rep, err := NewOffline().Reply(t.Context(), r, ask, Policy{KnowledgeOnly: true})
		if err != nil || rep.State != Stated || !strings.HasPrefix(rep.Text, extractsOnly[lang]) || len(rep.Citations) != 4 || len(rep.SourceIDs) != 2 {
			t.Errorf("%s: %+v %v", ask, rep, err)
		}
	}
	rep, err := NewOffline().Reply(t.Context(), r, "Summarize the ferry report", Policy{})
	if err != nil || len(rep.SourceIDs) != 1 || len(rep.Citations) != 3 || rep.Citations[2].Where != "page 2" || strings.Contains(rep.Text, "Contents") {
		t.Errorf("%+v %v", rep, err)
	}
	// What asks for something in it is a question as any other.
	for ask, want := range map[string]string{
		"What did the report say about punctuality?": "better than in any year", "Tell me about rye bread": "two hundred loaves", "Summarize the situation of whales": "", "What do you know about whales?": "",
	} {
		rep, err := NewOffline().Reply(t.Context(), r, ask, Policy{})
		if err != nil || (want == "") != (rep.State == Unsupported) || !strings.Contains(rep.Text, want) || strings.Contains(rep.Text, extractsOnly["en"]) {
			t.Errorf("%s: %+v %v", ask, rep, err)
		}
	}
	a := answer(t, ask2(t, "What did the report find?"), r)
	if a.State != Stated || !strings.HasPrefix(a.Message, extractsOnly["en"]) || len(a.Citations) != 4 {
		t.Errorf("%+v", a)
	}
}

// A closed question whose option a report plainly names has that option, from the
// report; one that it names for something else, denies, or of the Mind's own view
// has not (M-341).
func TestClosedQuestionsTakeThePlainlyNamedOptionM341(t *testing.T) {
	text := "We asked 212 people who left. The most common reason for leaving was the commute, followed by pay. The least common reason for leaving was the manager. The new office opened in Leeds. Staff voted for the blue logo. Visitors did not complain about noise.\n\nDepartment Leavers Stayers\nSales 41 310\nSupport 77 205\nFinance 12 98\n\nAll of them were counted."
	r := Respondent{ID: "m", Passages: []Passage{{ID: "k", Text: text, Source: "Exit survey", Where: "page 12"}}}
	reasons := []string{"Pay", "Commute", "Manager", "Other"}
	for _, k := range []struct {
		ask     string
		options []string
		want    string
	}{
		{"What was the most common reason for leaving?", reasons, "Commute"},
		{"What was the least common reason for leaving?", reasons, "Manager"},
		{"What was the second most common reason for leaving?", reasons, ""},
		{"What was the most common reason for joining?", reasons, ""},
		{"What is your most common reason for leaving?", reasons, ""},
		{"What was the most common reason for leaving?", []string{"Canteen", "Parking"}, ""},
		{"Where did the new office open?", []string{"York", "Leeds"}, "Leeds"},
		{"Where did the new office close?", []string{"York", "Leeds"}, ""},
		{"Which logo did staff vote for?", []string{"The blue logo", "The red logo"}, "The blue logo"},
		{"What did visitors complain about?", []string{"Noise", "Heat"}, ""},
		{"Which department had the most leavers?", []string{"Sales", "Support", "Finance"}, "Support"},
	} {
		a := answer(t, ask(t, Question{Text: k.ask, Type: Categorical, Options: k.options}, Policy{}), r)
		if k.want == "" && a.State == Stated || k.want != "" && (a.State != Stated || a.Option != k.want || len(a.Citations) == 0 || a.Citations[0].Where != "page 12") {
			t.Errorf("%s %v: %+v", k.ask, k.options, a)
		}
	}
}

// The same question gets the same bytes in whatever order the passages stand
// whose order says nothing, and however often it is asked (M-344).
func TestNewAnswersAreTheSameEachTimeM344(t *testing.T) {
	c := readReport(t)
	r := Respondent{ID: "m1", Name: "Ada", Passages: c.Passages, Recall: newIndex(t, nil, c.Passages)}
	shared := NewOffline()
	for _, ask := range []string{"hi", "Summarize the report", "What do customers complain about most?", "Did Norway or Denmark have more passengers?", "Which month had the most passengers?"} {
		first, err := NewOffline().Reply(t.Context(), r, ask, Policy{})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if again, err := shared.Reply(t.Context(), r, ask, Policy{}); err != nil || again.Text != first.Text || again.State != first.State {
				t.Fatalf("%s: %q, then %q", ask, first.Text, again.Text)
			}
		}
	}
}
