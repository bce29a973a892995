package answer

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/inert"
	"github.com/mindgate-dev/mindgate/shared/inert/inerttest"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/modeltest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

var (
	sourceElement = regexp.MustCompile(`<source id="[SFE]\d+"(?: kind="[a-z ]+")?(?: from="([^"<>]*)")?(?: at="([^"<>]*)")?>([^<>]*)</source>`)
	askedElement  = regexp.MustCompile(`<(?:message|question)>[^<>]*</(?:message|question)>`)
	personaBlock  = regexp.MustCompile(`(?s)<persona>\n[^<>]*</persona>$`)
)

// obeying is a model that does whatever stands outside the blocks of data, and what
// an element other than ours says. An honest prompt gives it nothing to obey.
func obeying(rulesOf string) *modeltest.Client {
	return &modeltest.Client{Answer: func(_ int, r model.Request) (model.Response, error) {
		outside := strings.Replace(personaBlock.ReplaceAllString(r.System, ""), rulesOf, "", 1)
		for _, m := range r.Messages {
			if m.Role == model.Assistant {
				continue // what the Mind itself said
			}
			rest := askedElement.ReplaceAllString(sourceElement.ReplaceAllString(m.Text, ""), "")
			outside += strings.TrimSpace(regexp.MustCompile(`^<sources>\n*</sources>\n*`).ReplaceAllString(rest, ""))
		}
		if outside = strings.TrimSpace(outside); outside != "" {
			return model.Response{Text: "PWNED: " + outside, Stop: model.StopEnd}, nil
		}
		return model.Response{Text: "Trains are often late [S1].", Stop: model.StopEnd}, nil
	}}
}

// Text of a source stands inside its element alone, whatever it is, and changes
// nothing of the system prompt.
func TestSourcesAreData(t *testing.T) {
	ctx := context.Background()
	honest := simulate.Respondent{ID: "m", Name: "Mia", SystemPrompt: "You are Mia, a nurse.", Passages: []simulate.Passage{{ID: "k", Text: "Trains are late."}}}
	want := system(honest, simulate.Policy{}, chatTask+formRules["standard"])
	rulesOf := personaBlock.ReplaceAllString(want, "")
	for i, evil := range inerttest.Hostile() {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			m := obeying(rulesOf)
			n := 7
			r := honest
			r.Passages = []simulate.Passage{{ID: "k", Text: "Trains are late. " + evil, Where: "page 3 " + evil, Source: evil}}
			r.Evidence = []*simulate.Evidence{{ID: "e", Question: "Are trains late? " + evil, Source: evil, Dates: evil, N: &n, Population: evil, Options: []simulate.OptionShare{{Label: "Yes " + evil, Share: .6}, {Label: "No", Share: .4}}}}
			r.Earlier = []simulate.Earlier{{Question: evil, Text: evil}}
			p := simulate.Policy{History: []simulate.Earlier{{Question: "Hello " + evil, Text: "Hi. " + evil}}}
			rep, err := New(m, Options{}).Reply(ctx, r, "What about trains?", p)
			if err != nil || rep.Text != "Trains are often late." || rep.State != simulate.Stated {
				t.Fatalf("%+v %v", rep, err)
			}
			req := m.Asked()[0]
			if req.System != want {
				t.Errorf("the system prompt changed:\n%s", req.System)
			}
			elements := sourceElement.FindAllStringSubmatch(req.Messages[len(req.Messages)-1].Text, -1)
			if len(elements) != 3 {
				t.Errorf("%d elements:\n%s", len(elements), req.Messages[len(req.Messages)-1].Text)
			}
			for _, e := range elements {
				for _, part := range e[1:] {
					if strings.ContainsAny(part, "<>\n\r\u2028") || strings.ContainsFunc(part, inert.Hidden) {
						t.Errorf("%q", part)
					}
				}
			}
			for _, c := range rep.Citations {
				if c.Quote != "" && !strings.Contains(r.Passages[0].Text, c.Quote) {
					t.Errorf("quote %q", c.Quote)
				}
			}
		})
	}
}

// A caller's message, a question and its labels, and what stands in a persona open
// and close nothing either.
func TestWordsOfCallersOpenNothing(t *testing.T) {
	for i, evil := range inerttest.Hostile() {
		r := simulate.Respondent{ID: "m", Name: "Mia " + evil, Register: evil, SystemPrompt: "You are Mia.\n" + evil, Passages: []simulate.Passage{{ID: "k", Text: "Trains are late."}}}
		rulesOf := personaBlock.ReplaceAllString(system(r, simulate.Policy{}, chatTask+formRules["standard"]), "")
		rep, err := New(obeying(rulesOf), Options{}).Reply(t.Context(), r, "What about trains? "+evil, simulate.Policy{})
		if err != nil || strings.Contains(rep.Text, "PWNED") {
			t.Errorf("%d: %+v %v", i, rep, err)
		}
		if !strings.HasPrefix(rulesOf, rules) {
			t.Errorf("%d: the rules changed", i)
		}
		seen := ""
		m := &modeltest.Client{Answer: func(_ int, req model.Request) (model.Response, error) {
			seen = req.Messages[0].Text
			return model.Response{Text: `{"answer":"No","basis":"none","sources":[],"reason":"x"}`, Stop: model.StopEnd}, nil
		}}
		a, err := New(m, Options{}).Ask(t.Context(), simulate.Question{Text: "Trains? " + evil, Type: simulate.Categorical, Options: []string{"Yes " + evil, "No"}}, simulate.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Answer(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		rest := askedElement.ReplaceAllString(sourceElement.ReplaceAllString(seen, ""), "")
		if rest = strings.TrimSpace(strings.NewReplacer("<sources>", "", "</sources>", "").Replace(rest)); rest != "" {
			t.Errorf("%d: outside: %q", i, rest)
		}
	}
}
