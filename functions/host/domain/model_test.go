package domain

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fetch"
)

// What is wrong with the model of a stack is seen at the start of a function and
// not by its callers; its secret is read when it is first needed.
func TestPlatformModel(t *testing.T) {
	guard, err := fetch.NewGuard(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		m    host.Model
		says string // of the refusal; empty: it starts
		none bool
	}{
		"none":              {host.Model{}, "", true},
		"by role":           {host.Model{Name: "bedrock:eu.amazon.nova-lite-v1:0"}, "", false},
		"by secret":         {host.Model{Name: "openai:gpt-5", KeySecret: "model-key"}, "", false},
		"no key":            {host.Model{Name: "openai:gpt-5"}, "needs the key", false},
		"no name":           {host.Model{Name: "gpt-5"}, "provider:model", false},
		"no endpoint":       {host.Model{Name: "openai_compatible:m"}, "endpoint", false},
		"a private address": {host.Model{Name: "openai_compatible:m", Endpoint: "http://10.0.0.7/v1"}, "endpoint", false},
	} {
		h := &host.Host{Env: host.Env{Model: c.m}, AWS: aws.Config{Region: "eu-central-1"}, Clock: clock.System{}}
		got, err := platformModel(h, guard)
		switch {
		case c.says == "" && (err != nil || (got == nil) != c.none):
			t.Errorf("%s: %v %v", name, got, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), "MINDGATE_MODEL") || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v", name, err)
		}
	}
}
