package simulate

import (
	"context"
	"strings"
	"testing"
)

func baker() Respondent {
	p := ParseProfile("Age: 34\nI own a bakery in Portland. I never eat eggs.")
	return Respondent{ID: "m1", Name: "Mia Berg", Slot: 3, Profile: p, Passages: PersonaPassages(p, "Baker. My shop opens at five.")}
}

// The persona's prose is the Mind's own record: it states answers (M-341), in
// Studies and conversations alike.
func TestPersonaProseIsTheMindsOwnRecordM341(t *testing.T) {
	r := baker()
	if len(r.Profile.Fields) != 1 || r.Profile.Fields[0] != (Field{"age", "34"}) {
		t.Fatalf("fields %v", r.Profile.Fields)
	}
	for q, want := range map[string]string{"Do you own a bakery?": "Yes", "Do you eat eggs?": "No", "Do you ever eat eggs?": "No"} {
		a := answer(t, ask(t, cat(q, yesNo...), Policy{}), r)
		if a.State != Stated || a.Option != want || len(a.SourceIDs) != 1 || a.SourceIDs[0] != PersonaID {
			t.Errorf("%s: %s %s from %v, want %s stated from persona", q, a.Option, a.State, a.SourceIDs, want)
		}
	}
	told := ParseProfile("You own a bakery. Your sister eats eggs.")
	to := Respondent{ID: "m2", Name: "Ben", Profile: told, Passages: PersonaPassages(told, "")}
	if a := answer(t, ask(t, cat("Do you own a bakery?", yesNo...), Policy{}), to); a.State != Stated || a.Option != "Yes" {
		t.Errorf("written to the Mind: %s %s", a.State, a.Option)
	}
	if a := answer(t, ask(t, cat("Do you eat eggs?", yesNo...), Policy{}), to); a.State == Stated {
		t.Errorf("somebody else's: %s %q", a.State, a.Message)
	}
	to.Passages[0].ID = "k1"
	if a := answer(t, ask(t, cat("Do you own a bakery?", yesNo...), Policy{}), to); a.State == Stated {
		t.Errorf("a file that speaks to its reader: %s %q", a.State, a.Message)
	}
	rep, err := NewOffline().Reply(context.Background(), r, "Do you own a bakery?", Policy{KnowledgeOnly: true})
	if err != nil || rep.State != Stated || rep.Fallback || !strings.Contains(rep.Text, "I own a bakery in Portland") {
		t.Errorf("chat: %+v %v", rep, err)
	}
	a := answer(t, ask(t, Question{Text: "When does your shop open?", Type: Qualitative}, Policy{}), r)
	if a.State != Stated || a.Text != "My shop opens at five." {
		t.Errorf("description in its own voice: %+v", a)
	}
}

func TestParseProfilePartsFieldsFromProse(t *testing.T) {
	for text, want := range map[string]string{
		"Age: 34. I own a bakery.":                        "age=34 / I own a bakery.",
		"I believe one thing: bread matters.":             " / I believe one thing: bread matters.",
		"Age: 34; Gender: female":                         "age=34 gender=female / ",
		"Lives in: St. Louis":                             "lives in=St. Louis / ",
		"My favourite food: pasta":                        "my favourite food=pasta / ",
		"- **Region:** South\nShe works nights; always.":  "region=South / She works nights; always.",
		"I run a shop.\nAge: 40\nMy wife: she teaches it": "age=40 my wife=she teaches it / I run a shop.",
	} {
		p := ParseProfile(text)
		var f []string
		for _, x := range p.Fields {
			f = append(f, x.Key+"="+x.Value)
		}
		if got := strings.Join(f, " ") + " / " + p.Prose; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A dislike is no liking, and who quit says nothing of doing.
func TestOwnVoiceOfTheOtherSense(t *testing.T) {
	for _, c := range []struct{ says, asked, want string }{
		{"I hate flying.", "Do you like flying?", "No"},
		{"I love flying.", "Do you like flying?", "Yes"},
		{"I hate flying.", "Do you hate flying?", "Yes"},
		{"I quit smoking.", "Do you smoke?", ""},
		{"I don't hate flying.", "Do you like flying?", ""},
	} {
		r := Respondent{ID: "m", Passages: []Passage{{ID: "k", Text: c.says}}}
		a := answer(t, ask(t, cat(c.asked, yesNo...), Policy{}), r)
		if (c.want == "") != (a.State != Stated) || c.want != "" && a.Option != c.want {
			t.Errorf("%s %s: %s %s, want %q", c.says, c.asked, a.Option, a.State, c.want)
		}
	}
}

// A Mind answers an open question of a Study as it does in a conversation (M-344).
func TestOpenQuestionReadsTheProfileAsChatDoesM344(t *testing.T) {
	r := baker()
	r.Profile = ParseProfile("Age: 34\nCity: Portland\nFavourite bread: rye")
	for q, want := range map[string]string{"How old are you?": "age: 34.", "What is your age?": "age: 34.", "Wie alt sind Sie?": "Alter: 34.",
		"Where do you live?": "city: Portland.", "What is your favourite bread?": "favourite bread: rye."} {
		a := answer(t, ask(t, Question{Text: q, Type: Qualitative}, Policy{}), r)
		rep, err := NewOffline().Reply(context.Background(), r, q, Policy{})
		if err != nil || a.State != Stated || a.Text != want || rep.State != Stated || !strings.HasSuffix(rep.Text, a.Text) {
			t.Errorf("%s: study %s %q, chat %s %q, want %q", q, a.State, a.Text, rep.State, rep.Text, want)
		}
	}
}

// Quotes hold what was said, not how the document was laid out.
func TestExtractsCarryNoMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"# Likes\nI love sour bread.":                                   "I love sour bread.",
		"# Likes I love sour bread.":                                    "Likes I love sour bread.",
		"- **I love** sour bread from [the mill](https://example.org).": "I love sour bread from the mill.",
		"> I love `sour` bread.":                                        "I love sour bread.",
		"1. I love sour bread.\n| --- | --- |":                          "I love sour bread.",
		"I love sour bread at 5 * 3 snake_case_names.":                  "I love sour bread at 5 * 3 snake_case_names.",
	} {
		r := Respondent{ID: "m", Passages: []Passage{{ID: "k", Text: text}}}
		a := answer(t, ask(t, Question{Text: "Which bread do you love, sour or sweet?", Type: Qualitative}, Policy{}), r)
		if a.Text != want {
			t.Errorf("%q: %q, want %q", text, a.Text, want)
		}
	}
}

// Nothing of a persona is lost but its marks, and no sentence is read twice.
func FuzzParseProfile(f *testing.F) {
	for _, s := range []string{"Age: 34\nI own a bakery.", "Age: 34. I bake; Gender: f | x", ":\n：a", "# A\n- **b**: c. My d is e.", "I: x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := ParseProfile(text)
		for _, x := range p.Fields {
			if x.Key == "" || x.Value == "" || strings.ContainsAny(x.Value, "\n\r") {
				t.Fatalf("%q gives %+v", text, x)
			}
		}
		n := len(p.Prose)
		for _, x := range p.Fields {
			n += len(x.Value)
		}
		if n > len(string([]rune(text)))+1 { // bytes that are no text become longer marks
			t.Fatalf("%q: fields and prose are longer than the text: %+v", text, p)
		}
		for _, s := range statements(p.Prose) {
			if strings.TrimSpace(s) == "" {
				t.Fatalf("%q gives a blank statement", text)
			}
		}
	})
}
