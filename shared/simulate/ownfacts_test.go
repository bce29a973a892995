package simulate

import (
	"context"
	"strings"
	"testing"
)

// A Mind's own profile answers what it holds, in a Study as in a conversation
// (M-341, M-344).
func TestProfileAnswersYesAndNoM341(t *testing.T) {
	const base = "Age: 34\nGender: Female\nRegion: Pacific"
	for _, c := range []struct{ profile, q, want string }{
		{base, "Are you a woman?", "Yes"}, {base, "Are you male?", "No"}, {base, "Aren't you a woman?", "Yes"},
		{base, "Are you under 30?", "No"}, {base, "Are you over 18?", "Yes"}, {base, "Are you 18 or older?", "Yes"},
		{base, "Are you between 30 and 40 years old?", "Yes"}, {base, "Are you 34?", "Yes"}, {base, "Are you at least 35 years of age?", "No"},
		{base, "Do you live in the Pacific region?", "Yes"}, {base, "Do you live in the West?", "Yes"}, {base, "Do you live in New England?", "No"},
		{base, "Do you live in the South?", "No"}, {base, "Do you live in the UK?", "No"}, {base, "Do you live in the United States?", "Yes"},
		{base, "Do you live in California?", ""}, {base, "Do you live in a big city?", ""}, {base, "Are you not a woman?", ""}, {base, "Are you a man or a woman?", ""},
		{"City: Portland, Oregon", "Do you live in Portland?", "Yes"}, {"Country: UK", "Do you live in England?", ""}, {"Country: UK", "Do you live in Texas?", "No"},
		{"Region: Pacific\nCountry: UK", "Do you live in Germany?", "No"}, {"Nationality: German", "Do you live in France?", ""},
		{"Age: 18-29", "Are you under 25?", ""}, {"Age: 18-29", "Are you under 40?", "Yes"}, {"Age: 18", "Are you over 18?", ""}, {"Age: 60+", "Are you over 50?", "Yes"},
		{"Gender: Female", "Are you under 30?", ""},
	} {
		r := Respondent{ID: "m", Profile: ParseProfile(c.profile)}
		a := answer(t, ask(t, cat(c.q, yesNo...), Policy{}), r)
		if (c.want == "") != (a.State != Stated) || c.want != "" && a.Option != c.want {
			t.Errorf("%q, %s: %s %s, want %q", c.profile, c.q, a.State, a.Option, c.want)
		}
		rep, err := NewOffline().Reply(context.Background(), r, c.q, Policy{})
		if err != nil || c.want != "" && (rep.State != Stated || !strings.HasPrefix(rep.Text, c.want+". On record for me: ")) {
			t.Errorf("chat, %q, %s: %s %q %v, want %q", c.profile, c.q, rep.State, rep.Text, err, c.want)
		}
	}
}

// Whether it is a person is nothing that a Mind draws: it says what it is.
func TestIsNoRealPerson(t *testing.T) {
	r := Respondent{ID: "m", Name: "Mia", Profile: ParseProfile("Age: 34")}
	for _, q := range []string{"Are you a real person?", "Are you human?", "Are you an AI?", "Am I talking to a bot?", "Are you a person or a machine?"} {
		a := answer(t, ask(t, cat(q, yesNo...), Policy{}), r)
		if a.Status != CannotAnswer || a.Message != Honest || a.State != "" || a.Reason != ReasonNoEvidence {
			t.Errorf("%s: %+v", q, a)
		}
		rep, err := NewOffline().Reply(context.Background(), r, q, Policy{})
		if err != nil || rep.Text != Honest || rep.State != Unsupported {
			t.Errorf("chat, %s: %+v %v", q, rep, err)
		}
	}
	for _, q := range []string{"Are you a computer programmer?", "Are you a person of faith?", "Are you a real fan?"} {
		if a := answer(t, ask(t, cat(q, yesNo...), Policy{}), r); a.Status != Answered {
			t.Errorf("%s: %+v", q, a)
		}
	}
}
