package chat_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/research/chat"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// caller is an engine with a model that calls the first tool that it is offered,
// unless the message says that it gave something.
type caller struct {
	*engine
	talks []answer.Talk
}

func (c *caller) Can() model.Capabilities { return model.Capabilities{Tools: true} }

func (c *caller) Shape(_ context.Context, reply string, _ *model.Schema) (json.RawMessage, error) {
	return json.Marshal(map[string]string{"said": reply})
}

func (c *caller) Talk(_ context.Context, r simulate.Respondent, t answer.Talk, _ simulate.Policy) (answer.Said, error) {
	c.talks = append(c.talks, t)
	last := t.Turns[len(t.Turns)-1].Text
	if strings.HasPrefix(last, "It gave") {
		return answer.Said{Reply: simulate.Reply{Text: r.Name + " heard: " + last, State: simulate.Unsupported}}, nil
	}
	return answer.Said{Calls: []model.ToolCall{{ID: "call_1", Name: t.Tools[0].Name, Arguments: `{"city":"Porto"}`}}}, nil
}

var weather = &chat.Offer{Tools: []model.Tool{{Name: "weather", Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`)}}}

// A message to one Mind may offer tools: the reply calls one, the next turn knows
// that it did, and takes what it gave (contract: sendChatMessage).
func TestToolsInAChatWithOneMind(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	c := &caller{engine: w.engine}
	w.deps.Answerers = answerers{c}
	w.Service = chat.New(w.deps)
	made := w.withMind(t, ctx, "Ada")
	sent, err := w.Send(ctx, chat.SendRequest{ChatID: made.ID, Message: "Is it warm in Porto?", Offer: weather})
	if err != nil || len(sent.Calls) != 1 || sent.Calls[0].Name != "weather" || sent.MessageID == "" {
		t.Fatalf("%+v %v", sent, err)
	}
	sent, err = w.Send(ctx, chat.SendRequest{ChatID: made.ID, Message: "It gave 21 degrees.", Offer: weather})
	if err != nil || len(sent.Calls) != 0 || !strings.Contains(sent.Content, "21 degrees") {
		t.Fatalf("%+v %v", sent, err)
	}
	turns := c.talks[1].Turns
	if len(turns) != 3 || turns[0].Text != "Is it warm in Porto?" || !strings.Contains(turns[1].Text, `called weather with {"city":"Porto"}`) {
		t.Errorf("%+v", turns)
	}
	sent, err = w.Send(ctx, chat.SendRequest{ChatID: made.ID, Message: "Say it in a form.", Offer: &chat.Offer{Shape: &chat.Shape{Name: "reply", JSON: json.RawMessage(`{"type":"object"}`)}}})
	if err != nil || string(sent.Parsed) != `{"said":"Ada on: Say it in a form."}` || sent.Content != string(sent.Parsed) {
		t.Errorf("%+v %v", sent, err)
	}
}

// What nobody can take is refused before anything is written down or charged.
func TestOffersThatNobodyTakesAreRefused(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	one := w.withMind(t, ctx, "Ada")
	two, err := w.Create(ctx, chat.CreateRequest{MindIDs: []string{w.mind(t, ctx, "Ben", "I cook for many."), w.mind(t, ctx, "Cem", "I grow apples.")}})
	if err != nil {
		t.Fatal(err)
	}
	form := &chat.Offer{Shape: &chat.Shape{Name: "r", JSON: json.RawMessage(`{"type":"object"}`)}}
	for name, r := range map[string]chat.SendRequest{
		"no model that calls": {ChatID: one.ID, Message: "Hello there", Offer: weather},
		"no model that forms": {ChatID: one.ID, Message: "Hello there", Offer: form},
		"several Minds":       {ChatID: two.ID, Message: "Hello there", Offer: weather},
		"a note":              {ChatID: one.ID, Message: "Hello there", Role: chat.System, Offer: weather},
	} {
		before := w.engine.times()
		if _, err := w.Send(ctx, r); !fault.Is(err, fault.Validation) || w.engine.times() != before {
			t.Errorf("%s: %v", name, err)
		}
	}
	if sent, err := w.Send(ctx, chat.SendRequest{ChatID: one.ID, Message: "Hello there"}); err != nil || sent.Content == "" {
		t.Errorf("%+v %v", sent, err)
	}
}
