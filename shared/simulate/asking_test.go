package simulate

import (
	"context"
	"strings"
	"testing"
)

func TestAskingOf(t *testing.T) {
	for text, want := range map[string]asking{
		"Why do you smoke?": asksWhy, "Thinking about bread, why do you buy it?": asksWhy, "Can you tell me why you smoke?": asksWhy,
		"What makes you smoke?": asksWhy, "What is the main reason you smoke?": asksWhy, "How come you smoke?": asksWhy, "¿Por qué fuma?": asksWhy,
		"Do you smoke?": asksYesNo, "have you ever used chatgpt": asksYesNo, "Don't you smoke?": asksYesNo, "When you shop, do you compare prices?": asksYesNo,
		"From what you've read, is there proof?": asksYesNo, "When did you start to smoke?": asksWhen, "Where do you buy bread?": asksWhere,
		"Who buys the bread?": asksWhoever, "How often do you buy bread?": asksOften, "Which best describes how often you buy bread?": asksOften,
		"How many loaves do you buy?": asksAmount, "To what extent do you trust it?": asksAmount, "In general, how satisfied are you?": asksHow,
		"Which bread do you buy?": asksWhat, "In which shop is it?": asksWhat, "Please rate how much you like bread": asksAmount,
		"I trust the police.": asksAny, "What do you think about bread?": asksAny, "Was gefällt Ihnen?": asksAny, "": asksAny,
	} {
		if got := askingOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What a question wants to know, whom it is about and what it adds are part of
// the match: shares of another question are no evidence (M-341).
func TestAnotherKindIsNoMatchM341(t *testing.T) {
	smoke := published(t, "A survey", "Do you ever smoke?", OptionShare{"Yes", .2}, OptionShare{"No", .8})
	bread := published(t, "A survey", "How often do you buy bread?", OptionShare{"Daily", .2}, OptionShare{"Weekly", .5}, OptionShare{"Monthly", .2}, OptionShare{"Never", .1})
	scaled := published(t, "A survey", "Do you buy bread?", bread.Options...)
	bank := published(t, "A survey", "Are you satisfied with your bank?", OptionShare{"Yes", .7}, OptionShare{"No", .3})
	long := published(t, "A survey", "Do you ever smoke cigarettes in your car while driving home?", OptionShare{"Yes", .2}, OptionShare{"No", .8})
	freq := []string{"Daily", "Weekly", "Monthly", "Never"}
	for _, c := range []struct {
		q    Question
		e    *Evidence
		want State
	}{
		{cat("Why do you smoke?", yesNo...), smoke, Unsupported},
		{cat("Why are you satisfied with your bank?", yesNo...), bank, Unsupported},
		{cat("Why do you buy bread?", freq...), bread, Unsupported},
		{cat("Do you buy bread?", yesNo...), bread, Unsupported},
		{cat("Do you buy bread?", yesNo...), scaled, Unsupported},
		{cat("Do you ever smoke fish?", yesNo...), smoke, Unsupported},
		{cat("Did your mother ever smoke?", yesNo...), smoke, Unsupported},
		{cat("Does he smoke?", yesNo...), smoke, Unsupported},
		{cat("Do you ever smoke cigarettes in your car while driving home drunk?", yesNo...), long, Unsupported},
		{cat("Do you smoke?", yesNo...), smoke, Grounded},
		{cat("How often do you usually purchase bread?", freq...), bread, Grounded},
		{cat("Are you satisfied with your bank?", yesNo...), bank, Grounded},
	} {
		a := answer(t, ask(t, c.q, Policy{}), Respondent{ID: "m", Evidence: []*Evidence{c.e}})
		if a.State != c.want {
			t.Errorf("%s by %q: %s, want %s", c.q.Text, c.e.Question, a.State, c.want)
		}
		_, borrowed := FromEvidence(c.q.Text, c.e)
		if borrowed != (c.want == Grounded) {
			t.Errorf("%s by %q: options borrowed %t", c.q.Text, c.e.Question, borrowed)
		}
		rep, err := NewOffline().Reply(context.Background(), Respondent{ID: "m", Evidence: []*Evidence{c.e}}, c.q.Text, Policy{})
		if err != nil || rep.State != c.want || c.want == Unsupported && strings.Contains(rep.Text, "Published") {
			t.Errorf("chat, %s by %q: %s %q %v, want %s", c.q.Text, c.e.Question, rep.State, rep.Text, err, c.want)
		}
	}
	where := published(t, "A survey", "Where do you buy bread?", OptionShare{"Bakery", .4}, OptionShare{"Supermarket", .6})
	if q, ok := FromEvidence("Where do you buy bread?", where); ok {
		t.Errorf("a place is told in words: %+v", q)
	}
	if a := answer(t, ask(t, cat("Where do you buy bread?", "Bakery", "Supermarket"), Policy{}), Respondent{ID: "m", Evidence: []*Evidence{where}}); a.State != Grounded {
		t.Errorf("the same question with the same options: %s", a.State)
	}
}
