package simulate

import (
	"strings"
	"testing"
)

// Courtesies of several clauses ask nothing of what is known (M-341, M-342); one
// before a question leaves the question as it is.
func TestCourtesiesOfSeveralClausesM342(t *testing.T) {
	r := Respondent{ID: "m", Name: "Ada Berg", Passages: []Passage{{ID: "k", Source: "Report", Text: "The council has 31 members. Good mornings begin with coffee. The day was fine, and people are doing well."}}}
	for _, m := range []string{
		"Good morning, how are you?", "Hello Ada! How are you doing today?", "Hi there. Nice to meet you!", "Thanks, bye!", "Ok, thank you very much. See you tomorrow!",
		"Hey Ada, how's it going?", "Good evening! I hope you are well.", "Guten Morgen, wie geht es Ihnen?", "Bonjour, comment allez-vous ?", "Hola, ¿qué tal?", "Great, thanks a lot!", "Hello, how do you do?",
	} {
		rep, err := NewOffline().Reply(t.Context(), r, m, Policy{KnowledgeOnly: true})
		if err != nil || rep.State != Trait || len(rep.Citations) > 0 {
			t.Errorf("%s: %+v %v", m, rep, err)
		}
	}
	for _, m := range []string{"Good morning, how many members does the council have?", "Hi! How many members does the council have?", "Hello Ada, thanks. How many members does the council have?"} {
		rep, err := NewOffline().Reply(t.Context(), r, m, Policy{KnowledgeOnly: true})
		if err != nil || len(rep.Citations) != 1 || !strings.Contains(rep.Text, "31") {
			t.Errorf("%s: %+v %v", m, rep, err)
		}
	}
}

// A summary of so many sentences is that many extracts, with their source.
func TestSummariesHaveTheLengthAskedFor(t *testing.T) {
	r := Respondent{ID: "m", Name: "Ada", Passages: []Passage{
		{ID: "a", Source: "Ferry report", Where: "page 1", Text: "The ferry company carried four million people in 2024. It opened two routes in the north of the country. Fares rose by two percent in the spring."},
		{ID: "a", Source: "Ferry report", Where: "page 2", Text: "Punctuality was better than in any year before. It will be measured again next year by the crew."},
		{ID: "a", Source: "Ferry report", Where: "page 3", Text: "The company hired ninety sailors in the autumn. Most of them came from the islands."},
		{ID: "a", Source: "Ferry report", Where: "page 4", Text: "Two ships were painted white last winter in the yard."},
	}}
	for ask, n := range map[string]int{
		"Summarise the report in three sentences": 3, "Summarize this report in 2 sentences.": 2, "Give me a one-sentence summary of the report": 1, "Can you sum up the ferry report in four bullet points?": 4,
		"Please give me a 3-sentence summary of the ferry report.": 3, "Fasse den Bericht in drei Sätzen zusammen": 3, "Résumez le rapport en deux phrases": 2, "Resume el informe en tres frases": 3,
		"Summarise the report in one paragraph": 5, "What does the report say, in three sentences?": 3, "Summarise the report in under 100 words": 5,
	} {
		rep, err := NewOffline().Reply(t.Context(), r, ask, Policy{KnowledgeOnly: true})
		if err != nil || rep.State != Stated || len(rep.Citations) != n {
			t.Errorf("%s: %d extracts, want %d: %+v %v", ask, len(rep.Citations), n, rep, err)
		}
	}
}

// The fields of a profile are named in the language of the answer.
func TestProfileFieldsAreNamedInTheLanguageAsked(t *testing.T) {
	r := Respondent{ID: "m", Name: "Ada", Profile: ParseProfile("Age: 45\nOccupation: nurse\nCity: Lyon")}
	for ask, want := range map[string]string{
		"Wie alt bist du?": "Alter: 45", "Wie alt sind Sie?": "Alter: 45", "Quel âge avez-vous ?": "âge : 45", "¿Cuántos años tienes?": "edad: 45", "How old are you?": "age: 45",
		"Wer bist du?": "Beruf: nurse", "Qui êtes-vous ?": "ville : Lyon",
	} {
		rep, err := NewOffline().Reply(t.Context(), r, ask, Policy{})
		if err != nil || !strings.Contains(rep.Text, want) {
			t.Errorf("%s: %q, want %q (%v)", ask, rep.Text, want, err)
		}
	}
}
