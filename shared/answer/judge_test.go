package answer

import (
	"reflect"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/modeltest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

func commuter() simulate.Respondent {
	r := simulate.Respondent{ID: "m2", Name: "Ada", SystemPrompt: "You are Ada, a baker of 41 who commutes by water.", Profile: simulate.ParseProfile("Occupation: Baker\nAge: 41")}
	for i, text := range ferryRecord {
		r.Passages = append(r.Passages, simulate.Passage{ID: string(rune('a' + i)), Text: text, Source: "Ferry report.pdf", Where: "page 1"})
	}
	return r
}

const askedOfTheFerry = "How many passengers did the Velmora ferry carry?"

func speaks(t *testing.T, says string, p simulate.Policy) simulate.Reply {
	t.Helper()
	rep, err := New(modeltest.Says(says), Options{}).Reply(t.Context(), commuter(), askedOfTheFerry, p)
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	again, err := New(modeltest.Says(says), Options{}).ReplyStream(t.Context(), commuter(), askedOfTheFerry, p, func(s string) error { shown.WriteString(s); return nil })
	if err != nil || !reflect.DeepEqual(again, rep) || shown.String() != rep.Text {
		t.Errorf("streamed %q: %+v %v", shown.String(), again, err)
	}
	return rep
}

var inventions = []string{
	"It carried 999,999 passengers [S1].",
	"The ferry is owned by Norway [S1].",
	"The ferry captain is called Olaf and he hates passengers [S1].",
	"The electric ferry Saltwing costs two million euros [S1]. I am Dutch [P].",
	`The northern pier "has a wonderful new shelter" [S1].`,
	"I founded the ferry with my uncle in Bergen [P].",
	"I am a real human and not a machine [P].",
}

// M-27: with knowledge_only a mark makes nothing true. What the sources do not
// hold is not shown; in its place stands their nearest extract, and says so.
func TestAMarkIsNoProof_M27(t *testing.T) {
	for _, says := range inventions {
		rep := speaks(t, says, simulate.Policy{KnowledgeOnly: true})
		if !rep.Fallback || !strings.Contains(rep.Text, "not supported by my record") || !strings.Contains(rep.Text, "83,412") || !strings.Contains(rep.Text, "Ferry report.pdf") {
			t.Errorf("%s: %+v", says, rep)
		}
		rep = speaks(t, "In 2025 it carried 83,412 passengers [S1]. "+says+" In 2024 it carried 71,020.", simulate.Policy{KnowledgeOnly: true})
		if rep.Fallback || strings.NewReplacer(simulate.Honest+" ", "").Replace(rep.Text) != "In 2025 it carried 83,412 passengers. In 2024 it carried 71,020." || rep.State != simulate.Stated {
			t.Errorf("%s: %+v", says, rep)
		}
	}
}

// M-341: without knowledge_only such a sentence stands as unsupported or not at all,
// and nothing of it in a reply that counts as stated.
func TestAMarkIsNoProof_M341(t *testing.T) {
	for _, says := range inventions {
		rep := speaks(t, says, simulate.Policy{})
		extract := strings.Contains(rep.Text, "not supported by my record")
		if !extract && (rep.State != simulate.Unsupported || len(rep.Citations)+len(rep.SourceIDs) != 0) || strings.Contains(rep.Text, "999") || strings.Contains(rep.Text, "real human") {
			t.Errorf("%s: %+v", says, rep)
		}
		for _, reply := range []string{"In 2025 it carried 83,412 passengers [S1]. " + says, says + " In 2025 it carried 83,412 passengers [S1]."} {
			rep = speaks(t, reply, simulate.Policy{})
			if strings.TrimSpace(strings.ReplaceAll(rep.Text, simulate.Honest, "")) != "In 2025 it carried 83,412 passengers." || rep.State != simulate.Stated {
				t.Errorf("%s: %+v", reply, rep)
			}
		}
	}
}

// A taste may follow from a persona, a life may not.
func TestWhatAPersonaMayCarry_M341(t *testing.T) {
	for says, want := range map[string]simulate.State{
		"I would rather go by water [P].":        simulate.Trait,
		"I commute by water [P].":                simulate.Trait,
		"I think it should be cheaper [P].":      simulate.Trait,
		"I founded the ferry with my uncle [P].": simulate.Unsupported,
		"I think my uncle owned the ferry [P].":  simulate.Unsupported,
		"I love Bergen [P].":                     simulate.Unsupported,
		"I worked as a pilot for years [P].":     simulate.Unsupported,
		"I am a baker [P].":                      simulate.Trait,
	} {
		if rep := speaks(t, says, simulate.Policy{}); rep.State != want {
			t.Errorf("%s: %+v", says, rep)
		}
	}
}

// A claim to be a person is never passed on, in any policy, with any mark.
func TestNoMindIsAPerson(t *testing.T) {
	for _, p := range []simulate.Policy{{}, {KnowledgeOnly: true}} {
		for _, says := range []string{"I am a real human and not a machine [P].", "I'm a real person [S1].", "Of course I'm human!", "I am not a robot.", "I am a living human being, like you.", "I'm not an AI, I bake bread [P].", "Ich bin ein echter Mensch.", "Je suis une vraie personne.", "我是真人。"} {
			rep := speaks(t, says+" In 2025 it carried 83,412 passengers [S1].", p)
			if rep.Text != simulate.Honest+" In 2025 it carried 83,412 passengers." && rep.Text != simulate.Honest+"In 2025 it carried 83,412 passengers." {
				t.Errorf("%s: %+v", says, rep)
			}
		}
	}
	for _, says := range []string{"I am not a real person.", "I am a synthetic persona, not a real human.", "I am a real coffee lover.", "I am a people person.", "I'm not a machine operator."} {
		if human(says) {
			t.Errorf("%q is no such claim", says)
		}
	}
}

// M-27: what is right is cited, also where the model marked nothing or the wrong
// source.
func TestSupportIsFound_M27(t *testing.T) {
	for says, id := range map[string]string{
		"It carried 83,412 passengers in 2025.":      "a",
		"The Saltwing was built in Korr [E1, S9].":   "a",
		"In 2025 it carried 83,412 passengers [S9].": "a",
	} {
		rep := speaks(t, says, simulate.Policy{KnowledgeOnly: true})
		if rep.Fallback || rep.State != simulate.Stated || len(rep.Citations) != 1 || rep.Citations[0].SourceID != id {
			t.Errorf("%s: %+v", says, rep)
		}
	}
}

// A model that says nothing has failed; no answer is made up for it.
func TestNothingSaidIsAFailure(t *testing.T) {
	for _, p := range []simulate.Policy{{}, {KnowledgeOnly: true}} {
		for _, says := range []string{"", " \n"} {
			m := modeltest.Says(says)
			if rep, err := New(m, Options{}).Reply(t.Context(), commuter(), askedOfTheFerry, p); !model.IsKind(err, model.KindMalformed) {
				t.Errorf("%+v %v", rep, err)
			}
			if rep, err := New(m, Options{}).ReplyStream(t.Context(), commuter(), askedOfTheFerry, p, func(string) error { t.Error("shown"); return nil }); !model.IsKind(err, model.KindMalformed) {
				t.Errorf("%+v %v", rep, err)
			}
		}
	}
}
