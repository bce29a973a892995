package answer

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/inert/inerttest"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/modeltest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

var weather = model.Tool{Name: "weather", Description: "Tells the weather.", Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)}

func calling(calls ...model.ToolCall) model.Response {
	return model.Response{Calls: calls, Stop: model.StopTools, Usage: model.Usage{Input: 10, Output: 2}}
}

// A model calls a tool; nobody but the caller runs it; what it gave is a source that
// the next reply cites.
func TestTalkCallsToolsOfItsCaller(t *testing.T) {
	m := &modeltest.Client{Answer: func(n int, r model.Request) (model.Response, error) {
		if n == 0 {
			return calling(model.ToolCall{ID: "c1", Name: "weather", Arguments: `{"city":"Rome"}`}), nil
		}
		return model.Response{Text: "It is 31 degrees in Rome [T1]. Then I take the train [P].", Stop: model.StopEnd}, nil
	}}
	e := New(m, Options{})
	talk := Talk{Tools: []model.Tool{weather}, Turns: []Turn{{Role: model.User, Text: "How warm is it in Rome?"}}}
	first, err := e.Talk(t.Context(), nurse(), talk, simulate.Policy{})
	if err != nil || len(first.Calls) != 1 || first.Calls[0].Name != "weather" || first.Text != "" || first.State != simulate.Unsupported {
		t.Fatalf("%+v %v", first, err)
	}
	talk.Turns = append(talk.Turns, Turn{Role: model.Assistant, Calls: first.Calls}, Turn{Role: model.ToolRole, CallID: "c1", Text: `{"celsius":31}`})
	second, err := e.Talk(t.Context(), nurse(), talk, simulate.Policy{})
	if err != nil || len(second.Calls) != 0 || second.Text != "It is 31 degrees in Rome." || second.State != simulate.Related {
		t.Fatalf("%+v %v", second, err)
	}
	if len(second.Citations) != 1 || second.Citations[0].Source != "tool weather" || second.Citations[0].Origin != OriginRequest || second.Citations[0].SourceID != "" {
		t.Errorf("%+v", second.Citations)
	}
	asked := m.Asked()[1]
	if got := asked.Messages; len(got) != 3 || got[1].Calls[0].ID != "c1" || got[2].Role != model.ToolRole || got[2].CallID != "c1" || !strings.Contains(got[2].Text, `<source id="T1" from="tool weather">`) || !strings.Contains(asked.System, toolTask) {
		t.Errorf("%+v", got)
	}
}

// A call that nobody could run is asked for once more, and then fails.
func TestTalkRefusesCallsThatNobodyCouldRun(t *testing.T) {
	talk := Talk{Tools: []model.Tool{weather}, Turns: []Turn{{Role: model.User, Text: "How warm is it in Rome?"}}}
	bad := calling(model.ToolCall{ID: "c", Name: "shell", Arguments: `{"run":"rm"}`})
	m := &modeltest.Client{Answer: func(int, model.Request) (model.Response, error) { return bad, nil }}
	var used model.Usage
	e := New(m, Options{Used: func(_ context.Context, _ model.Info, u model.Usage) { used = used.Plus(u) }})
	if got, err := e.Talk(t.Context(), nurse(), talk, simulate.Policy{}); !model.IsKind(err, model.KindMalformed) || len(m.Asked()) != 2 || used.Input != 20 {
		t.Errorf("%+v %v after %d calls, %+v", got, err, len(m.Asked()), used)
	}
	mended := &modeltest.Client{Answer: func(n int, _ model.Request) (model.Response, error) {
		if n == 0 {
			return bad, nil
		}
		return calling(model.ToolCall{Name: "weather", Arguments: `{"city":"Rome"}`}), nil
	}}
	got, err := New(mended, Options{}).Talk(t.Context(), nurse(), talk, simulate.Policy{})
	if err != nil || len(got.Calls) != 1 || !model.IsToolName(got.Calls[0].ID) {
		t.Errorf("%+v %v", got, err)
	}
}

// Texts and pictures are sources: what a reply takes from a text is held against it,
// what it saw counts as related and cites the picture.
func TestTalkReadsWhatIsBrought(t *testing.T) {
	png := simulate.Picture{Name: "poster.png", MediaType: "image/png", Data: []byte("x")}
	for name, c := range map[string]struct {
		turn    Turn
		says    string
		text    string
		state   simulate.State
		sources string
	}{
		"a text":            {Turn{Text: "What does the note say?", Texts: []Text{{"note.txt", "The bakery on Elm Street closes at six."}}}, "The bakery on Elm Street closes at six [A1].", "The bakery on Elm Street closes at six.", simulate.Related, "note.txt"},
		"an invented claim": {Turn{Text: "What does the note say?", Texts: []Text{{"note.txt", "The bakery closes at six."}}}, "The bakery was founded in 1894 by Otto Klein [A1].", "", simulate.Unsupported, ""},
		"a picture":         {Turn{Text: "What do you see?", Pictures: []simulate.Picture{png}}, "A red bicycle by a wall [I1]. I like it [P].", "A red bicycle by a wall. I like it.", simulate.Related, "poster.png"},
		"no such picture":   {Turn{Text: "What do you see?", Pictures: []simulate.Picture{png}}, "A red bicycle [I2].", "A red bicycle.", simulate.Unsupported, ""},
		"without words":     {Turn{Pictures: []simulate.Picture{png}}, "A red bicycle [I1].", "A red bicycle.", simulate.Related, "poster.png"},
	} {
		t.Run(name, func(t *testing.T) {
			m := modeltest.Says(c.says)
			c.turn.Role = model.User
			got, err := New(m, Options{}).Talk(t.Context(), nurse(), Talk{Turns: []Turn{c.turn}}, simulate.Policy{})
			if err != nil || c.text != "" && got.Text != c.text || got.State != c.state {
				t.Fatalf("%+v %v", got, err)
			}
			if c.sources == "" && len(got.Citations) != 0 || c.sources != "" && (len(got.Citations) != 1 || got.Citations[0].Source != c.sources) {
				t.Errorf("%+v", got.Citations)
			}
			if len(m.Asked()[0].Messages[0].Images) != len(c.turn.Pictures) {
				t.Error("the picture did not reach the model")
			}
		})
	}
}

// What was brought stays inside of its element, whatever it holds.
func TestWhatIsBroughtIsData(t *testing.T) {
	for i, evil := range inerttest.Hostile() {
		m := modeltest.Says("I have no view [N].")
		talk := Talk{Tools: []model.Tool{weather}, Turns: []Turn{
			{Role: model.User, Text: "Look at this " + evil, Pictures: []simulate.Picture{{Name: evil, MediaType: "image/png"}}, Texts: []Text{{evil, evil}}},
			{Role: model.Assistant, Calls: []model.ToolCall{{ID: "c1", Name: "weather", Arguments: "{}"}}},
			{Role: model.ToolRole, CallID: "c1", Text: evil},
		}}
		if _, err := New(m, Options{}).Talk(t.Context(), nurse(), talk, simulate.Policy{}); err != nil {
			t.Fatal(err)
		}
		for _, msg := range m.Asked()[0].Messages {
			rest := msg.Text
			for _, known := range []string{"<sources>", "</sources>", "</source>", "<message>", "</message>", `<source id="I1" kind="picture that you are shown" from="`, `<source id="A1" from="`, `<source id="T1" from="`, `<source id="S1" from="`, `<source id="S2" from="`, `<source id="F1" kind="published figures"`, `">`} {
				rest = strings.ReplaceAll(rest, known, "")
			}
			if strings.Contains(strings.ReplaceAll(rest, ">The", ""), "<") {
				t.Errorf("%d: %s", i, msg.Text)
			}
		}
	}
}

// Old rounds go whole: a call is never parted from what it gave.
func TestTalkKeepsRoundsWhole(t *testing.T) {
	long := strings.Repeat("words and more ", 500)
	talk := Talk{Tools: []model.Tool{weather}}
	for i := range 12 {
		id := fmt.Sprintf("c%d", i)
		talk.Turns = append(talk.Turns, Turn{Role: model.User, Text: "Round " + id},
			Turn{Role: model.Assistant, Calls: []model.ToolCall{{ID: id, Name: "weather", Arguments: "{}"}}},
			Turn{Role: model.ToolRole, CallID: id, Text: long}, Turn{Role: model.Assistant, Text: "So."})
	}
	talk.Turns = append(talk.Turns, Turn{Role: model.User, Text: "And how warm is Oslo?"})
	m := modeltest.Says("I have no view [N].")
	if _, err := New(m, Options{}).Talk(t.Context(), nurse(), talk, simulate.Policy{}); err != nil {
		t.Fatal(err)
	}
	sent := m.Asked()[0].Messages
	if len(sent) >= len(talk.Turns) || sent[0].Role != model.User {
		t.Fatalf("%d messages, first %s", len(sent), sent[0].Role)
	}
	called := map[string]bool{}
	for _, msg := range sent {
		for _, c := range msg.Calls {
			called[c.ID] = true
		}
		if msg.Role == model.ToolRole && !called[msg.CallID] {
			t.Errorf("%s has no call", msg.CallID)
		}
	}
}

// The pictures of a question reach the model once a Mind, and an answer may rest on
// them; without pictures an image is cannot_answer, as offline.
func TestPicturesOfAQuestion(t *testing.T) {
	q := simulate.Question{Text: "Which pack do you like?", Type: simulate.Categorical, Options: []string{"Left", "Right"}, StimulusKinds: []string{simulate.StimulusImage}}
	m := modeltest.Says(`{"answer":"Left","basis":"sources","sources":["I1"],"reason":"The left one is green."}`)
	e := New(m, Options{})
	blind, err := e.Ask(t.Context(), q, simulate.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := blind.Answer(t.Context(), nurse()); err != nil || a.Status != simulate.CannotAnswer || a.Reason != simulate.ReasonNeedsVision || len(m.Asked()) != 0 {
		t.Errorf("%+v %v", a, err)
	}
	q.Pictures = []simulate.Picture{{Name: "packs.png", MediaType: "image/png", Data: []byte("x")}}
	seeing, err := e.Ask(t.Context(), q, simulate.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := seeing.Answer(t.Context(), nurse())
	if err != nil || a.Option != "Left" || a.State != simulate.Related || len(a.Citations) != 1 || a.Citations[0].Source != "packs.png" || !strings.Contains(a.Message, "green") {
		t.Errorf("%+v %v", a, err)
	}
	if got := m.Asked()[0]; len(got.Messages[0].Images) != 1 || !strings.Contains(got.System, pictureTask) || !strings.Contains(got.Messages[0].Text, `<source id="I1" kind="picture that you are shown" from="packs.png">`) {
		t.Errorf("%+v", got)
	}
	q.Type, q.Options = simulate.Qualitative, nil
	open := New(modeltest.Says("The left pack is green [I1]."), Options{})
	asked, err := open.Ask(t.Context(), q, simulate.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := asked.Answer(t.Context(), nurse()); err != nil || a.Text != "The left pack is green." || a.State != simulate.Related {
		t.Errorf("%+v %v", a, err)
	}
	q.StimulusKinds = append(q.StimulusKinds, "video")
	if asked, err = open.Ask(t.Context(), q, simulate.Policy{}); err != nil {
		t.Fatal(err)
	}
	if a, err := asked.Answer(t.Context(), nurse()); err != nil || a.Reason != simulate.ReasonNeedsVision {
		t.Errorf("a video was taken as seen: %+v %v", a, err)
	}
}
