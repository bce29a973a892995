package bedrock

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/model"
)

func made(t *testing.T, s *httptest.Server, id string, repeat embed.Repeat) embed.Embedder {
	t.Helper()
	e, err := New(aws.Config{
		Region: "eu-central-1", BaseEndpoint: &s.URL, HTTPClient: s.Client(),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
		}),
	}, id, repeat)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func pointing(at, dim int) []float32 {
	v := make([]float32, dim)
	v[at%dim] = 1
	return v
}

func TestTitanTakesOneTextACall(t *testing.T) {
	var calls atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		var q map[string]any
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.URL.EscapedPath() != "/model/amazon.titan-embed-text-v2%3A0/invoke" {
			t.Errorf("%s: %v", r.URL.EscapedPath(), err)
		}
		if q["dimensions"] != 1024. || q["normalize"] != true || len(q) != 3 {
			t.Errorf("asked %v", q)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"embedding": pointing(len(q["inputText"].(string)), 1024), "inputTextTokenCount": 3, "embeddingsByType": map[string]any{},
		})
	}))
	defer s.Close()
	texts := []string{"a", "", "bbb", "cc", "ddddd", "eeeeee"}
	vs, err := made(t, s, "amazon.titan-embed-text-v2:0", nil).Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if want := pointing(len(text), 1024); text != "" && !slices.Equal(vs[i], want) {
			t.Errorf("%q has another vector", text)
		}
	}
	if calls.Load() != 5 {
		t.Errorf("%d calls", calls.Load())
	}
}

func TestCohereTellsQuestionsFromPassages(t *testing.T) {
	for _, c := range []struct {
		model, truncate, space string
		typed                  bool
	}{
		{"cohere.embed-multilingual-v3", "END", "cohere.embed-multilingual-v3@1/1024", false},
		{"eu.cohere.embed-v4:0", "RIGHT", "cohere.embed-v4@1/1024", true},
	} {
		var mu sync.Mutex
		var kinds []string
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var q struct {
				Texts    []string `json:"texts"`
				Kind     string   `json:"input_type"`
				Truncate string   `json:"truncate"`
				Types    []string `json:"embedding_types"`
				Dim      int      `json:"output_dimension"`
			}
			if err := json.NewDecoder(r.Body).Decode(&q); err != nil || len(q.Texts) > 96 || q.Truncate != c.truncate {
				t.Errorf("%+v: %v", q, err)
			}
			mu.Lock()
			kinds = append(kinds, q.Kind)
			mu.Unlock()
			var vs [][]float32
			for _, text := range q.Texts {
				if n := utf8.RuneCountInString(text); !c.typed && n > 2048 {
					t.Errorf("%d characters", n)
				}
				vs = append(vs, pointing(len(text), 1024))
			}
			var all any = vs
			if c.typed {
				if q.Dim != 1024 || !slices.Equal(q.Types, []string{"float"}) {
					t.Errorf("%+v", q)
				}
				all = map[string]any{"float": vs}
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"id": "1", "embeddings": all, "texts": q.Texts})
		}))
		e := made(t, s, c.model, nil)
		texts := make([]string, 100)
		for i := range texts {
			texts[i] = strings.Repeat("x", i+1)
		}
		texts[99] = strings.Repeat("é", 3000)
		vs, err := e.Embed(t.Context(), texts)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 99 {
			if !slices.Equal(vs[i], pointing(i+1, 1024)) {
				t.Fatalf("text %d has another vector", i)
			}
		}
		v, err := embed.Query(t.Context(), embed.Cached(e, 10), "xx")
		if err != nil || v.Space.String() != c.space || !slices.Equal(v.Values, pointing(2, 1024)) {
			t.Errorf("%s: %v", v.Space, err)
		}
		s.Close()
		if want := []string{"search_document", "search_document", "search_query"}; !slices.Equal(kinds, want) {
			t.Errorf("%s was asked for %v", c.model, kinds)
		}
	}
}

// What Bedrock was seen to send when something is wrong.
func TestFailuresAreSorted(t *testing.T) {
	for name, c := range map[string]struct {
		status     int
		kind, body string
		want       model.Kind
	}{
		"throttled":   {429, "ThrottlingException", `{"message":"Too many requests"}`, model.KindRateLimited},
		"no access":   {403, "AccessDeniedException", `{"message":"You don't have access to the model"}`, model.KindAuth},
		"no model":    {400, "ValidationException", `{"message":"The provided model identifier is invalid."}`, model.KindUnknownModel},
		"too long":    {400, "ValidationException", `{"message":"400 Bad Request: Too many input tokens."}`, model.KindInvalid},
		"timed out":   {408, "ModelTimeoutException", `{"message":"Model timed out"}`, model.KindTimeout},
		"unavailable": {503, "ServiceUnavailableException", `{"message":"..."}`, model.KindOverloaded},
		"no JSON":     {200, "", `<html>`, model.KindMalformed},
		"narrow":      {200, "", `{"embedding":[1,0]}`, model.KindMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				calls++
				if c.kind != "" {
					w.Header().Set("X-Amzn-Errortype", c.kind)
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			defer s.Close()
			_, err := made(t, s, "amazon.titan-embed-text-v2:0", nil).Embed(t.Context(), []string{"a"})
			var failed *model.Error
			if !errors.As(err, &failed) || failed.Kind != c.want {
				t.Errorf("%v, not %s", err, c.want)
			}
			if calls != 1 {
				t.Errorf("%d calls: repeating is the caller's", calls)
			}
		})
	}
}

func TestOnlyModelsOfEmbeddingsAreTaken(t *testing.T) {
	if _, err := New(aws.Config{}, "anthropic.claude-3", nil); err == nil || !strings.Contains(err.Error(), "titan") {
		t.Errorf("%v", err)
	}
}
