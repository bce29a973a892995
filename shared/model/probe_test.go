package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/modeltest"
)

// able answers probes as a model would that can do all.
func able(r model.Request) string {
	text := r.Messages[0].Text
	switch {
	case strings.Contains(text, "colour"):
		return "Red."
	case strings.Contains(text, "number 7"):
		return `{"word":"yes","number":7}`
	}
	return "OK"
}

func answering(f func(r model.Request) (model.Response, error)) *modeltest.Client {
	return &modeltest.Client{Answer: func(_ int, r model.Request) (model.Response, error) { return f(r) }}
}

func says(text string) (model.Response, error) {
	return model.Response{Text: text, Stop: model.StopEnd, Usage: model.Usage{Input: 2, Output: 1}}, nil
}

func TestProbe(t *testing.T) {
	clk := clock.Hold(time.Unix(0, 0))
	all := model.Capabilities{Streaming: true, Tools: true, StructuredOutput: true, Vision: true, Chat: true}
	m := answering(func(r model.Request) (model.Response, error) {
		clk.Advance(25 * time.Millisecond)
		return says(able(r))
	})
	p := model.Probe(t.Context(), m, clk)
	if p.Capabilities != all || !p.Verified() || p.Failure() != "" || len(p.Results) != 5 || p.Usage.Output != 5 {
		t.Errorf("%+v", p)
	}
	for _, r := range p.Results {
		if r.Status != model.ProbeOK || r.LatencyMS != 25 || r.ErrorCode != "" {
			t.Errorf("%+v", r)
		}
	}
	for _, r := range m.Asked() {
		if r.MaxTokens > 50 || r.MaxTokens == 0 {
			t.Errorf("%d tokens", r.MaxTokens)
		}
		for _, i := range r.Messages[0].Images {
			pic, err := png.Decode(bytes.NewReader(i.Data))
			if err != nil || pic.Bounds().Dx() != 8 || pic.Bounds().Dy() != 8 {
				t.Fatal(err)
			}
			if r, g, b, _ := pic.At(3, 3).RGBA(); r != 0xffff || g != 0 || b != 0 {
				t.Error("not red")
			}
		}
	}
	raw, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"Reply", "colour", "yes", "OK", "Red"} {
		if bytes.Contains(raw, []byte(word)) {
			t.Errorf("%s holds %q", raw, word)
		}
	}
}

// Why a connection fails is told apart; with no chat nothing else is tried.
func TestProbeTellsFailuresApart(t *testing.T) {
	for _, k := range []model.Kind{model.KindAuth, model.KindUnknownModel, model.KindQuota, model.KindRateLimited, model.KindOverloaded, model.KindTimeout, model.KindUnavailable, model.KindInvalid} {
		m := modeltest.Fails(&model.Error{Kind: k})
		p := model.Probe(t.Context(), m, clock.System{})
		if p.Verified() || p.Failure() != k || p.Results[0].Status != model.ProbeFailed || len(m.Asked()) != 1 || p.Capabilities != (model.Capabilities{}) {
			t.Errorf("%s: %+v", k, p)
		}
		for _, r := range p.Results[1:] {
			if r.Status != model.ProbeSkipped {
				t.Errorf("%+v", r)
			}
		}
	}
}

// What a model refuses is unsupported; what it does wrongly has failed.
func TestProbeTellsUnsupportedApart(t *testing.T) {
	p := model.Probe(t.Context(), answering(func(r model.Request) (model.Response, error) {
		switch {
		case len(r.Messages[0].Images) > 0:
			return model.Response{}, &model.Error{Kind: model.KindInvalid, Status: 400}
		case r.Schema != nil:
			return says("Yes, seven.")
		}
		return says("OK")
	}), clock.System{})
	want := []model.ProbeResult{
		{Name: model.ProbeChat, Status: model.ProbeOK},
		{Name: model.ProbeStructured, Status: model.ProbeFailed, ErrorCode: model.KindMalformed},
		{Name: model.ProbeVision, Status: model.ProbeUnsupported, ErrorCode: model.KindUnsupported},
		{Name: model.ProbeStreaming, Status: model.ProbeOK},
		{Name: model.ProbeTools, Status: model.ProbeFailed, ErrorCode: model.KindMalformed},
	}
	for i, r := range p.Results {
		r.LatencyMS = 0
		if r != want[i] {
			t.Errorf("%+v, want %+v", r, want[i])
		}
	}
	blind := model.Probe(t.Context(), answering(func(r model.Request) (model.Response, error) {
		if len(r.Messages[0].Images) > 0 {
			return says("none")
		}
		return says(able(r))
	}), clock.System{})
	if blind.Capabilities.Vision || !blind.Capabilities.Tools {
		t.Errorf("%+v", blind.Capabilities)
	}
}

// A model that thinks first may use up 50 tokens without a word.
func TestProbeLeavesRoomToThink(t *testing.T) {
	p := model.Probe(t.Context(), answering(func(r model.Request) (model.Response, error) {
		if r.MaxTokens <= 50 {
			return model.Response{Stop: model.StopLength}, nil
		}
		return says(able(r))
	}), clock.System{})
	if !p.Capabilities.Chat || !p.Capabilities.StructuredOutput || !p.Capabilities.Streaming {
		t.Errorf("%+v", p)
	}
}

// A client without tools, and one that hangs until it is told to stop.
func TestProbeEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := model.Probe(ctx, modeltest.Says("OK"), clock.System{})
	if p.Verified() || p.Failure() != model.KindUnavailable {
		t.Errorf("%+v", p)
	}
	noTools := struct{ model.Client }{answering(func(r model.Request) (model.Response, error) { return says(able(r)) })}
	p = model.Probe(t.Context(), noTools, clock.System{})
	if p.Capabilities.Tools || p.Results[4].Status != model.ProbeUnsupported {
		t.Errorf("%+v", p.Results[4])
	}
}
