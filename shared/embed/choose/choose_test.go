package choose

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/mindgate-dev/mindgate/shared/embed/minilm"
	"github.com/mindgate-dev/mindgate/shared/fetch"
)

func TestParse(t *testing.T) {
	for s, want := range map[string]Choice{
		"":                                     {Kind: Auto},
		" auto ":                               {Kind: Auto},
		"hashed":                               {Kind: Hashed},
		"minilm":                               {Kind: MiniLM},
		"bedrock:amazon.titan-embed-text-v2:0": {Kind: Bedrock, Model: "amazon.titan-embed-text-v2:0"},
		"openai:text-embedding-3-small":        {Kind: OpenAI, Model: "text-embedding-3-small"},
		"openai:BAAI/bge-m3#1024@http://127.0.0.1:8000/v1": {
			Kind: OpenAI, Model: "BAAI/bge-m3", Dim: 1024, Endpoint: "http://127.0.0.1:8000/v1",
		},
		"openai:nomic-embed-text:latest#768@https://models.example.com/v1": {
			Kind: OpenAI, Model: "nomic-embed-text:latest", Dim: 768, Endpoint: "https://models.example.com/v1",
		},
	} {
		if got, err := Parse(s); err != nil || got != want {
			t.Errorf("%q: %+v, %v", s, got, err)
		}
	}
	for _, s := range []string{"word2vec", ":", "hashed:2", "auto:", "bedrock", "bedrock:", "openai", "openai:", "openai:@http://x", "openai:m#", "openai:m#0", "openai:m#9999999", "openai:m#-1"} {
		if got, err := Parse(s); err == nil || !strings.Contains(err.Error(), forms) {
			t.Errorf("%q: %+v, %v", s, got, err)
		}
	}
}

func TestOpen(t *testing.T) {
	guard, err := fetch.NewGuard(fetch.Options{Allow: []string{"127.0.0.1:11434"}})
	if err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, minilm.File), []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := Options{Guard: guard, ModelDir: empty, AWS: func(context.Context) (aws.Config, error) { return aws.Config{Region: "eu-central-1"}, nil }}
	for s, want := range map[string]string{
		"":                              "hashed@1/2048",
		"hashed":                        "hashed@1/2048",
		"openai:text-embedding-3-small": "openai:text-embedding-3-small@1/1536",
		"openai:all-minilm@http://127.0.0.1:11434/v1": "openai:all-minilm@1/384",
		"openai:own#77":                        "openai:own@1/77",
		"bedrock:amazon.titan-embed-text-v2:0": "amazon.titan-embed-text-v2@1/1024",
		"bedrock:eu.cohere.embed-v4:0":         "cohere.embed-v4@1/1024",
	} {
		c, err := Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Open(t.Context(), c, o)
		if err != nil {
			t.Errorf("%q: %v", s, err)
			continue
		}
		if got := e.Space().String(); got != want {
			t.Errorf("%q: %s, not %s", s, got, want)
		}
	}
	for _, s := range []string{"openai:own", "openai:own#5@http://10.0.0.1/v1", "openai:own#5@file:///etc", "bedrock:anthropic.claude"} {
		c, err := Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		if e, err := Open(t.Context(), c, o); err == nil {
			t.Errorf("%q: %s", s, e.Space())
		}
	}
	if _, err := Open(t.Context(), Choice{Kind: MiniLM}, o); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no weights: %v", err)
	}
	o.ModelDir = broken
	if _, err := Open(t.Context(), Choice{Kind: MiniLM}, o); !errors.Is(err, minilm.ErrFile) {
		t.Errorf("broken weights: %v", err)
	}
	if e, err := Open(t.Context(), Choice{Kind: Auto}, o); err != nil || e.Space().Model != "hashed" {
		t.Errorf("auto over broken weights: %v", err)
	}
}

func TestWeightsAreFoundInTheWorkingDirectory(t *testing.T) {
	weights, err := filepath.Abs("../../../models/" + minilm.File)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(weights); err != nil {
		t.Skip("the weights are not there: `make models` fetches them")
	}
	t.Chdir(t.TempDir())
	if e, err := Open(t.Context(), Choice{Kind: Auto}, Options{}); err != nil || e.Space().Model != "hashed" {
		t.Errorf("without weights: %v", err)
	}
	if err := os.Mkdir("models", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(weights, filepath.Join("models", minilm.File)); err != nil {
		t.Fatal(err)
	}
	for _, k := range []Kind{Auto, MiniLM} {
		e, err := Open(t.Context(), Choice{Kind: k}, Options{})
		if err != nil || e.Space().Model != minilm.Model {
			t.Errorf("%s: %v", k, err)
		}
	}
}
