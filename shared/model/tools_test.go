package model_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/model"
)

func TestCheckCalls(t *testing.T) {
	object := json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`)
	offer := model.Request{Tools: []model.Tool{{Name: "weather", Parameters: object}, {Name: "exact", Parameters: object, Strict: true}}}
	with := func(change func(*model.Request)) model.Request {
		r := offer
		change(&r)
		return r
	}
	one := []model.ToolCall{{ID: "call_1", Name: "weather", Arguments: `{"city":"Rome"}`}}
	for name, c := range map[string]struct {
		r     model.Request
		calls []model.ToolCall
		fits  bool
	}{
		"none":             {offer, nil, true},
		"one":              {offer, one, true},
		"no arguments":     {offer, []model.ToolCall{{ID: "a", Name: "weather"}}, true},
		"loose arguments":  {offer, []model.ToolCall{{ID: "a", Name: "weather", Arguments: `{"town":1}`}}, true},
		"strict arguments": {offer, []model.ToolCall{{ID: "a", Name: "exact", Arguments: `{"town":1}`}}, false},
		"strict and right": {offer, []model.ToolCall{{ID: "a", Name: "exact", Arguments: `{"city":"Rome"}`}}, true},
		"not offered":      {offer, []model.ToolCall{{ID: "a", Name: "shell", Arguments: `{}`}}, false},
		"no object":        {offer, []model.ToolCall{{ID: "a", Name: "weather", Arguments: `["Rome"]`}}, false},
		"null":             {offer, []model.ToolCall{{ID: "a", Name: "weather", Arguments: `null`}}, false},
		"cut":              {offer, []model.ToolCall{{ID: "a", Name: "weather", Arguments: `{"city":"Ro`}}, false},
		"unasked":          {with(func(r *model.Request) { r.Choice.Mode = model.ChooseNone }), one, false},
		"none though due":  {with(func(r *model.Request) { r.Choice.Mode = model.ChooseAny }), nil, false},
		"the other one":    {with(func(r *model.Request) { r.Choice = model.ToolChoice{Mode: model.ChooseTool, Name: "exact"} }), one, false},
	} {
		got, err := model.CheckCalls(c.r, c.calls, "m")
		var e *model.Error
		switch {
		case c.fits && (err != nil || len(got) != len(c.calls)):
			t.Errorf("%s: %v %v", name, got, err)
		case !c.fits && (!errors.As(err, &e) || e.Kind != model.KindMalformed):
			t.Errorf("%s: %v %v", name, got, err)
		}
		for _, one := range got {
			if !json.Valid([]byte(one.Arguments)) || !model.IsToolName(one.ID) {
				t.Errorf("%s: %+v", name, one)
			}
		}
	}
	odd := []model.ToolCall{{ID: "functions.weather:0", Name: "weather"}, {Name: "weather"}, {ID: "x", Name: "weather"}, {ID: "x", Name: "weather"}}
	got, err := model.CheckCalls(offer, odd, "m")
	again, _ := model.CheckCalls(offer, odd, "m")
	ids := map[string]bool{}
	for i, c := range got {
		if ids[c.ID] || !model.IsToolName(c.ID) || c != again[i] {
			t.Errorf("%+v", c)
		}
		ids[c.ID] = true
	}
	if err != nil || got[2].ID != "x" {
		t.Errorf("%+v %v", got, err)
	}
	single, err := model.CheckCalls(with(func(r *model.Request) { r.OneCall = true }), odd, "m")
	if err != nil || len(single) != 1 {
		t.Errorf("%+v %v", single, err)
	}
	if odd[0].ID != "functions.weather:0" {
		t.Error("the answer itself was changed")
	}
}
