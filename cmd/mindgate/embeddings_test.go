package main

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/embed/choose"
)

func TestEmbeddingsSettings(t *testing.T) {
	t.Setenv("MINDGATE_EMBEDDINGS_KEY", "k")
	got, err := settings{Embed: "openai:own#8", ModelDir: "d"}.embeddings()
	if err != nil || got.Choice.Kind != choose.OpenAI || got.Choice.Dim != 8 || got.Key != "k" || got.ModelDir != "d" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := (settings{Embed: "word2vec"}).embeddings(); err == nil || !strings.Contains(err.Error(), "MINDGATE_EMBEDDINGS") {
		t.Errorf("%v", err)
	}
}
