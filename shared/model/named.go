package model

import (
	"fmt"
	"slices"
	"strings"
)

// ParseName reads "provider:model", such as "openai:gpt-5" or
// "bedrock:eu.amazon.nova-lite-v1:0".
func ParseName(name string) (Settings, error) {
	provider, id, ok := strings.Cut(name, ":")
	if !ok || id == "" || !slices.Contains(Providers, provider) {
		return Settings{}, fmt.Errorf("%q is no model; write provider:model with a provider of %s, such as openai:gpt-5", name, strings.Join(Providers, ", "))
	}
	return Settings{Provider: provider, Model: id}, nil
}
