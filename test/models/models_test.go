//go:build models

package models

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

var drink = &model.Schema{Name: "drink", JSON: json.RawMessage(`{"type":"object","properties":{"answer":{"type":"string","enum":["tea","coffee"]}},"required":["answer"],"additionalProperties":false}`)}

// Every provider does over the wire what the port promises.
func TestProviders(t *testing.T) {
	base := start(t, "")
	for _, p := range providers(base) {
		t.Run(p.name, func(t *testing.T) {
			c := dial(t, base, p.settings, p.secret)
			if c.Info() != (model.Info{Provider: p.settings.Provider, Model: p.settings.Model}) {
				t.Errorf("%+v", c.Info())
			}
			const trains = "Trains are late on Mondays, as ever."
			res, err := c.Complete(t.Context(), say("Tell me of trains"))
			if err != nil || res.Text != trains || res.Stop != model.StopEnd || counts(p) && (res.Usage.Input != 21 || res.Usage.Output != 9) {
				t.Errorf("text: %+v %v", res, err)
			}
			pieces := 0
			joined := ""
			res, err = c.Stream(t.Context(), say("Tell me of trains"), func(s string) error { pieces++; joined += s; return nil })
			if err != nil || res.Text != trains || joined != trains || pieces < 2 || counts(p) && res.Usage.Output != 9 {
				t.Errorf("stream: %d pieces, %+v %v", pieces, res, err)
			}
			cut, err := c.Complete(t.Context(), say("Go on for long"))
			if err != nil || cut.Stop != model.StopLength {
				t.Errorf("cut: %+v %v", cut, err)
			}
			for question, want := range map[string]string{"Tea or coffee?": "tea", "Milk or water?": "coffee"} { // the second after a repair
				r := say(question)
				r.Schema = drink
				var out struct{ Answer string }
				if _, err := model.Structured(t.Context(), c, r, &out); err != nil || out.Answer != want {
					t.Errorf("structured: %+v %v", out, err)
				}
			}
			talk := say("Which colour is it?")
			talk.Messages = append([]model.Message{{Role: model.User, Text: "Hello"}, {Role: model.Assistant, Text: "Yes?"}}, talk.Messages...)
			talk.Messages[2].Images = []model.Image{{MediaType: "image/png", Data: []byte("\x89PNG not quite")}}
			if res, err := c.Complete(t.Context(), talk); err != nil || res.Text != "red" {
				t.Errorf("image: %+v %v", res, err)
			}
		})
	}
	if got := journal(t, base); !strings.Contains(got, "iVBORyBub3QgcXVpdGU=") || !strings.Contains(got, "json_schema") {
		t.Error("neither an image nor a schema reached the stand-in")
	}
}

// counts tells whether the stand-in writes usage for this protocol.
func counts(p provider) bool { return p.settings.Provider != model.Bedrock }

// A connection is seen to do all that there is.
func TestProbes(t *testing.T) {
	base := start(t, "")
	want := model.Capabilities{Chat: true, StructuredOutput: true, Vision: true, Streaming: true, Tools: true}
	for _, p := range providers(base) {
		got := model.Probe(t.Context(), dial(t, base, p.settings, p.secret), clock.System{})
		if got.Capabilities != want {
			t.Errorf("%s: %+v", p.name, got)
		}
	}
}

// A wrong key is told apart, and never repeated in what is said about it.
func TestWrongKey(t *testing.T) {
	base := start(t, key)
	for _, p := range providers(base) {
		if strings.Contains(p.secret, ":") {
			continue // signed: the stand-in knows no signatures
		}
		right := model.Probe(t.Context(), dial(t, base, p.settings, p.secret), clock.System{})
		wrong := model.Probe(t.Context(), dial(t, base, p.settings, "another-key"), clock.System{})
		if !right.Verified() || wrong.Verified() || wrong.Failure() != model.KindAuth {
			t.Errorf("%s: right %+v, wrong %+v", p.name, right, wrong)
		}
		_, err := dial(t, base, p.settings, "another-key").Complete(t.Context(), say("Tell me of trains"))
		if err == nil || strings.Contains(err.Error(), "another-key") {
			t.Errorf("%s: %v", p.name, err)
		}
	}
}

// Failures are sorted, also in the middle of a stream, and what passes is repeated.
func TestFailures(t *testing.T) {
	base := start(t, "")
	for _, p := range providers(base) {
		t.Run(p.name, func(t *testing.T) {
			c := dial(t, base, p.settings, p.secret)
			for text, kind := range map[string]model.Kind{
				"Too many calls": model.KindRateLimited, "Too busy": model.KindOverloaded, "Fall over": model.KindUnavailable,
			} {
				_, err := c.Complete(t.Context(), say(text))
				_, streamed := c.Stream(t.Context(), say(text), func(string) error { return nil })
				if !model.IsKind(err, kind) || !model.IsKind(streamed, kind) {
					t.Errorf("%s: %v, streamed %v", text, err, streamed)
				}
				var e *model.Error
				if text == "Too many calls" && errors.As(err, &e) && e.RetryAfter != 7*time.Second {
					t.Errorf("Retry-After %v", e.RetryAfter)
				}
			}
			got := ""
			_, err := c.Stream(t.Context(), say("Break off"), func(s string) error { got += s; return nil })
			if !model.IsKind(err, model.KindTruncated) || got == "" || strings.HasSuffix(got, "that") {
				t.Errorf("%q %v", got, err)
			}
			before := strings.Count(journal(t, base), "Fall over")
			patient := model.Retrying(c, model.RetryPolicy{Attempts: 3, Base: time.Millisecond, Cap: time.Millisecond})
			if _, err := patient.Complete(t.Context(), say("Fall over")); !model.IsKind(err, model.KindUnavailable) {
				t.Error(err)
			}
			if n := strings.Count(journal(t, base), "Fall over") - before; n != 3 {
				t.Errorf("%d calls: the library below repeats by itself", n)
			}
		})
	}
}

// A Mind answers through each of them, with what it cites.
func TestAMindAnswers(t *testing.T) {
	base := start(t, "")
	mia := simulate.Respondent{ID: "m", Name: "Mia", SystemPrompt: "You are Mia, a nurse who likes to walk.", Passages: []simulate.Passage{{ID: "k", Text: "Trains are late on Mondays.", Source: "Diary"}}}
	for _, p := range providers(base) {
		e := answer.New(model.Retrying(dial(t, base, p.settings, p.secret), model.RetryPolicy{}), answer.Options{})
		streamed := ""
		rep, err := e.ReplyStream(t.Context(), mia, "What about the trains?", simulate.Policy{}, func(s string) error { streamed += s; return nil })
		if err != nil || rep.Text != "They are late on Mondays. I walk then." || streamed != rep.Text || rep.State != simulate.Stated || len(rep.Citations) != 1 || rep.Citations[0].Quote != "Trains are late on Mondays." {
			t.Errorf("%s: %+v %v", p.name, rep, err)
		}
	}
}
