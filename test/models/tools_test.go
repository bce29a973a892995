//go:build models

package models

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

var weather = model.Tool{Name: "weather", Description: "Tells the weather.", Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`)}

// Every provider calls the tools of its caller, whole and streamed, and takes what
// they gave.
func TestToolsOfTheCaller(t *testing.T) {
	base := start(t, "")
	for _, p := range providers(base) {
		t.Run(p.name, func(t *testing.T) {
			c := dial(t, base, p.settings, p.secret)
			r := say("How warm is Rome?")
			r.Tools = []model.Tool{weather}
			whole, err := c.Complete(t.Context(), r)
			streamed, failed := c.Stream(t.Context(), r, func(string) error { return nil })
			for how, res := range map[string]model.Response{"whole": whole, "streamed": streamed} {
				calls, trouble := model.CheckCalls(r, res.Calls, "seed")
				if err != nil || failed != nil || trouble != nil || res.Stop != model.StopTools || len(calls) != 2 || calls[0].Name != "weather" || compact(calls[0].Arguments) != `{"city":"Rome"}` || compact(calls[1].Arguments) != `{"city":"Ostia"}` || calls[0].ID == calls[1].ID {
					t.Fatalf("%s: %+v %v %v %v", how, res, err, failed, trouble)
				}
			}
			single := r
			single.OneCall, single.Choice = true, model.ToolChoice{Mode: model.ChooseTool, Name: "weather"}
			res, err := c.Complete(t.Context(), single)
			if calls, trouble := model.CheckCalls(single, res.Calls, "seed"); err != nil || trouble != nil || len(calls) != 1 {
				t.Errorf("%+v %v %v", res, err, trouble)
			}
			calls, _ := model.CheckCalls(r, whole.Calls, "seed")
			r.Messages = append(r.Messages, model.Message{Role: model.Assistant, Calls: calls},
				model.Message{Role: model.ToolRole, CallID: calls[0].ID, Text: "31"}, model.Message{Role: model.ToolRole, CallID: calls[1].ID, Text: "29"})
			if res, err := c.Complete(t.Context(), r); err != nil || !strings.HasPrefix(res.Text, "It is 31 degrees") || len(res.Calls) != 0 || res.Stop != model.StopEnd {
				t.Errorf("%+v %v", res, err)
			}
			cut := say("Break off the call")
			cut.Tools = r.Tools
			if res, err := c.Stream(t.Context(), cut, func(string) error { return nil }); !model.IsKind(err, model.KindTruncated) {
				t.Errorf("%+v %v", res, err)
			}
			for text, kind := range map[string]model.Kind{"Too many calls": model.KindRateLimited, "Too busy": model.KindOverloaded, "Fall over": model.KindUnavailable} {
				bad := say(text)
				bad.Tools = r.Tools
				if _, err := c.Complete(t.Context(), bad); !model.IsKind(err, kind) {
					t.Errorf("%s: %v", text, err)
				}
			}
		})
	}
}

func compact(arguments string) string { return strings.ReplaceAll(arguments, " ", "") }

// A Mind calls tools, cites what they gave, and looks at pictures through each of
// them; a call of what nobody offered is refused.
func TestAMindIsGivenThings(t *testing.T) {
	base := start(t, "")
	mia := simulate.Respondent{ID: "m", Name: "Mia", SystemPrompt: "You are Mia, a nurse who likes to walk."}
	picture := simulate.Picture{Name: "pack.png", MediaType: "image/png", Data: []byte("\x89PNG not quite")}
	for _, p := range providers(base) {
		t.Run(p.name, func(t *testing.T) {
			e := answer.New(dial(t, base, p.settings, p.secret), answer.Options{})
			talk := answer.Talk{Tools: []model.Tool{weather}, Turns: []answer.Turn{{Role: model.User, Text: "How warm is Rome?"}}}
			said, err := e.Talk(t.Context(), mia, talk, simulate.Policy{})
			if err != nil || len(said.Calls) != 2 {
				t.Fatalf("%+v %v", said, err)
			}
			talk.Turns = append(talk.Turns, answer.Turn{Role: model.Assistant, Calls: said.Calls})
			for _, c := range said.Calls {
				talk.Turns = append(talk.Turns, answer.Turn{Role: model.ToolRole, CallID: c.ID, Text: `{"celsius":31}`})
			}
			if said, err = e.Talk(t.Context(), mia, talk, simulate.Policy{}); err != nil || said.Text != "It is 31 degrees." || said.State != simulate.Related || len(said.Citations) != 1 {
				t.Errorf("%+v %v", said, err)
			}
			talk.Turns = []answer.Turn{{Role: model.User, Text: "Call what is not there"}}
			if said, err = e.Talk(t.Context(), mia, talk, simulate.Policy{}); !model.IsKind(err, model.KindMalformed) {
				t.Errorf("%+v %v", said, err)
			}
			look := answer.Talk{Turns: []answer.Turn{{Role: model.User, Text: "Describe the picture", Pictures: []simulate.Picture{picture}}}}
			if said, err = e.Talk(t.Context(), mia, look, simulate.Policy{}); err != nil || !strings.HasPrefix(said.Text, "A red square.") || said.Citations[0].Source != "pack.png" {
				t.Errorf("%+v %v", said, err)
			}
			q := simulate.Question{Text: "Is this pack red?", Type: simulate.Categorical, Options: []string{"Yes", "No"}, StimulusKinds: []string{simulate.StimulusImage}, Pictures: []simulate.Picture{picture}}
			asked, err := e.Ask(t.Context(), q, simulate.Policy{})
			if err != nil {
				t.Fatal(err)
			}
			if a, err := asked.Answer(t.Context(), mia); err != nil || a.Option != "Yes" || a.State != simulate.Related {
				t.Errorf("%+v %v", a, err)
			}
		})
	}
	// Of the other protocols the journal keeps no pictures.
	if n := strings.Count(journal(t, base), "iVBORyBub3QgcXVpdGU="); n != 4 {
		t.Errorf("%d pictures reached the stand-in", n)
	}
}
