package model_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/modeltest"
)

func TestParseName(t *testing.T) {
	for in, want := range map[string]model.Settings{
		"openai:gpt-5":                     {Provider: "openai", Model: "gpt-5"},
		"openai_compatible:llama3.1:8b":    {Provider: "openai_compatible", Model: "llama3.1:8b"},
		"bedrock:eu.amazon.nova-lite-v1:0": {Provider: "bedrock", Model: "eu.amazon.nova-lite-v1:0"},
	} {
		if got, err := model.ParseName(in); err != nil || got != want {
			t.Errorf("%s: %+v %v", in, got, err)
		}
	}
	for _, bad := range []string{"", "gpt-5", "openai:", ":x", "gemini:x"} {
		if _, err := model.ParseName(bad); err == nil || !strings.Contains(err.Error(), "provider:model") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// It is opened once, at the first call that can.
func TestDeferred(t *testing.T) {
	opened := 0
	inner := modeltest.Says("OK")
	d := model.Deferred(model.Info{Provider: "p", Model: "m"}, func(context.Context) (model.Client, error) {
		if opened++; opened == 1 {
			return nil, errors.New("no secret yet")
		}
		return inner, nil
	})
	if d.Info().Model != "m" || opened != 0 {
		t.Error("opened at once")
	}
	if _, err := d.Complete(t.Context(), model.Request{}); err == nil {
		t.Error("the failure is hidden")
	}
	for range 2 {
		if res, err := d.Complete(t.Context(), model.Request{}); err != nil || res.Text != "OK" {
			t.Error(err)
		}
	}
	if _, err := d.Stream(t.Context(), model.Request{}, func(string) error { return nil }); err != nil || opened != 2 || len(inner.Asked()) != 3 {
		t.Errorf("%v, opened %d", err, opened)
	}
	if _, err := d.(model.ToolCaller).CallTool(t.Context(), model.Request{}, model.Tool{}); err != nil {
		t.Error(err)
	}
}
