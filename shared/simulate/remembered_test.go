package simulate

import (
	"strings"
	"testing"
)

// What was asked and answered in a conversation is told from the conversation, in
// the words that were said; of what is kept in short only, nothing is made up (M-27).
func TestConversationIsRememberedM27(t *testing.T) {
	talk := []Earlier{
		{Question: "How much do trainees earn?", Text: "From the report: “Trainees earn 1,900 euros.”"},
		{Question: "Which ships run on batteries?", Text: "Five of them."},
		{Question: "What does a dog cost?"},
	}
	three := 3.0
	study := []Earlier{{Question: "How satisfied are you?", Number: &three}}
	told := append([]Earlier{{Question: "How satisfied are you?", Text: "3\nAs the source has it."}}, talk...)
	kept := append([]Earlier{{Question: SummaryQuestion, Text: "Asked: “Hello”"}, {Question: OthersQuestion, Text: "Ben: yes"}}, talk...)
	o := NewOffline()
	for _, k := range []struct {
		ask     string
		history []Earlier
		study   []Earlier
		want    string // whole text
		state   State
	}{
		{"What did I ask you first?", talk, nil, "Your first question in our conversation was “How much do trainees earn?”.", Stated},
		{"Do you remember what I asked you first?", talk, nil, "Your first question in our conversation was “How much do trainees earn?”.", Stated},
		{"What was my last question?", talk, nil, "Your last question in our conversation was “What does a dog cost?”.", Stated},
		{"What did I just ask?", talk, nil, "Your last question in our conversation was “What does a dog cost?”.", Stated},
		{"What have I asked you?", talk, nil, "In our conversation you asked: “How much do trainees earn?”, “Which ships run on batteries?”, “What does a dog cost?”", Stated},
		{"What did I ask about the ships?", talk, nil, "In our conversation you asked: “Which ships run on batteries?”", Stated},
		{"What did I ask about volcanoes?", talk, nil, "I have nothing of that in our conversation.", Unsupported},
		{"What did you answer first?", talk, nil, "In our conversation, to “How much do trainees earn?” I answered: “From the report: “Trainees earn 1,900 euros.””", Stated},
		{"What did you say?", talk, nil, "In our conversation, to “Which ships run on batteries?” I answered: “Five of them.”", Stated},
		{"What did you tell me about trainees?", talk, nil, "In our conversation, to “How much do trainees earn?” I answered: “From the report: “Trainees earn 1,900 euros.””", Stated},
		{"What did you answer in the study?", told, study, "In the Study, to “How satisfied are you?” I answered: “3”", Stated},
		{"What did you answer in the study?", talk, nil, "I have no answer from a Study in this conversation.", Unsupported},
		{"What did I ask you first?", told, study, "Your first question in our conversation was “How much do trainees earn?”.", Stated},
		{"What did I ask you first?", kept, nil, "I no longer have the beginning of our conversation word by word. I remember it from “How much do trainees earn?” on.", Stated},
		{"What did you say first?", kept, nil, "I no longer have the beginning of our conversation word by word. I remember it from “How much do trainees earn?” on.", Stated},
		{"What did I ask you first?", nil, nil, "I have nothing of that in our conversation.", Unsupported},
		{"Was habe ich Sie zuerst gefragt?", talk, nil, "Ihre erste Frage in unserem Gespräch war „How much do trainees earn?“.", Stated},
		{"Quelle était ma première question ?", talk, nil, "Votre première question dans notre conversation était « How much do trainees earn? ».", Stated},
		{"¿Cuál fue mi primera pregunta?", talk, nil, "Su primera pregunta en nuestra conversación fue «How much do trainees earn?».", Stated},
	} {
		rep, err := o.Reply(t.Context(), Respondent{ID: "m", Earlier: k.study}, k.ask, Policy{History: k.history, KnowledgeOnly: true})
		if err != nil || strings.Join(strings.Fields(rep.Text), " ") != strings.Join(strings.Fields(k.want), " ") || rep.State != k.state {
			t.Errorf("%s: %q %s %v\nwant %q", k.ask, rep.Text, rep.State, err, k.want)
		}
	}
	for _, other := range []string{
		"What did you say in your letter to the council?", "Your answer was wrong.", "My question is about ferries.", "What I said was no question.", "What do you say to that?",
		"What did the council ask?", "Do you remember the flood?", "What would you answer?", "How did you get to work?", "Tell me about ships.",
	} {
		if _, ok := remember(other, Respondent{}, Policy{History: talk}); ok {
			t.Errorf("%q is taken for a question about the conversation", other)
		}
	}
	// A follow-up is about what was asked before the conversation was.
	with := append(append([]Earlier(nil), talk[:2]...), Earlier{Question: "What did I ask you first?", Text: "…"})
	if got := follow("And why?", with); !strings.Contains(got.text, "batteries") {
		t.Errorf("%q", got.text)
	}
}
