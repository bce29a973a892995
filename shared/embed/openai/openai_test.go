package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/model"
)

const dim = 8

// server answers as OpenAI does: a vector that points to the length of the text.
func server(t *testing.T, calls *atomic.Int64) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		var q request
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer sk-test" {
			t.Errorf("%s %s with %q: %v", r.Method, r.URL.Path, r.Header.Get("Authorization"), err)
		}
		if q.Model != "own" || q.Format != "float" || len(q.Input) == 0 || len(q.Input) > batch || q.Dimensions != 0 {
			t.Errorf("asked: model %q, %d texts, format %q, %d dimensions", q.Model, len(q.Input), q.Format, q.Dimensions)
		}
		type one struct {
			Object string    `json:"object"`
			Index  int       `json:"index"`
			Vector []float32 `json:"embedding"`
		}
		data := make([]one, len(q.Input))
		for i, text := range q.Input {
			if strings.TrimSpace(text) == "" {
				t.Error("an empty text, which OpenAI refuses")
			}
			v := make([]float32, dim)
			v[utf8.RuneCountInString(text)%dim] = 3
			data[len(data)-1-i] = one{"embedding", i, v} // not in order
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data, "model": q.Model, "usage": map[string]int{"prompt_tokens": 1}})
	}))
}

func made(t *testing.T, s *httptest.Server, change func(*Config)) embed.Embedder {
	t.Helper()
	cfg := Config{Base: s.URL + "/v1/", Model: "own", Dim: dim, Key: func(context.Context) (string, error) { return "sk-test\n", nil }, HTTP: s.Client()}
	if change != nil {
		change(&cfg)
	}
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestTextsGoInBatchesAndComeBackInOrder(t *testing.T) {
	var calls atomic.Int64
	s := server(t, &calls)
	defer s.Close()
	e := made(t, s, nil)
	texts := make([]string, 2*batch+5)
	for i := range texts {
		texts[i] = strings.Repeat("é", i)
	}
	texts[3] = " \n"
	texts[9] = strings.Repeat("x", maxText+3)
	vs, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range vs {
		want := make([]float32, dim)
		switch {
		case i == 9:
			want[maxText%dim] = 1
		case strings.TrimSpace(texts[i]) != "":
			want[i%dim] = 1
		}
		if !slices.Equal(v, want) {
			t.Errorf("text %d: %v, not %v", i, v, want)
		}
	}
	if n := calls.Load(); n != 3 {
		t.Errorf("%d calls for %d texts", n, len(texts))
	}
	if _, err := e.Embed(t.Context(), []string{"", " "}); err != nil || calls.Load() != 3 {
		t.Errorf("empty texts alone: %v after %d calls", err, calls.Load())
	}
}

// What servers were seen to send when something is wrong.
func TestFailuresAreSorted(t *testing.T) {
	vector := func(n int) string { return strings.TrimSuffix(strings.Repeat("1,", n), ",") }
	for name, c := range map[string]struct {
		status int
		header [2]string
		body   string
		want   model.Kind
	}{
		"rate limit": {429, [2]string{"Retry-After", "7"}, `{"error":{"message":"Rate limit reached for sk-test","type":"requests","code":"rate_limit_exceeded"}}`, model.KindRateLimited},
		"no credit":  {429, [2]string{}, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`, model.KindQuota},
		"wrong key":  {401, [2]string{}, `{"error":{"message":"Incorrect API key provided: sk-test","code":"invalid_api_key"}}`, model.KindAuth},
		"no model":   {404, [2]string{}, `{"error":{"message":"model \"own\" not found, try pulling it first","type":"api_error"}}`, model.KindUnknownModel},
		"too long":   {400, [2]string{}, `{"error":{"message":"This model's maximum context length is 8192 tokens","type":"invalid_request_error"}}`, model.KindInvalid},
		"overloaded": {529, [2]string{}, ``, model.KindOverloaded},
		"down":       {500, [2]string{}, `oops`, model.KindUnavailable},
		"redirect":   {302, [2]string{"Location", "http://127.0.0.1:1/"}, ``, model.KindInvalid},
		"no JSON":    {200, [2]string{}, `<html>`, model.KindMalformed},
		"cut short":  {200, [2]string{"Content-Length", "500"}, `{"data":[{"in`, model.KindTruncated},
		"too few":    {200, [2]string{}, `{"data":[]}`, model.KindMalformed},
		"twice":      {200, [2]string{}, `{"data":[{"index":0,"embedding":[` + vector(dim) + `]},{"index":0,"embedding":[` + vector(dim) + `]}]}`, model.KindMalformed},
		"narrow":     {200, [2]string{}, `{"data":[{"index":0,"embedding":[` + vector(dim-1) + `]},{"index":1,"embedding":[` + vector(dim) + `]}]}`, model.KindMalformed},
		"outside":    {200, [2]string{}, `{"data":[{"index":-1,"embedding":[` + vector(dim) + `]},{"index":1,"embedding":[` + vector(dim) + `]}]}`, model.KindMalformed},
		"infinite":   {200, [2]string{}, `{"data":[{"index":0,"embedding":[1e99,` + vector(dim-1) + `]},{"index":1,"embedding":[` + vector(dim) + `]}]}`, model.KindMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if c.header[0] != "" {
					w.Header().Set(c.header[0], c.header[1])
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			defer s.Close()
			e := made(t, s, func(cfg *Config) {
				cfg.HTTP = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			})
			_, err := e.Embed(t.Context(), []string{"a", "b"})
			var failed *model.Error
			if !errors.As(err, &failed) || failed.Kind != c.want {
				t.Fatalf("%v, not %s", err, c.want)
			}
			if strings.Contains(err.Error(), "sk-test") {
				t.Errorf("the key stands in %q", err)
			}
			if name == "rate limit" && failed.RetryAfter != 7*time.Second {
				t.Errorf("to be repeated after %v", failed.RetryAfter)
			}
		})
	}
}

func TestRepeatingIsTheCallersAlone(t *testing.T) {
	var calls, asked atomic.Int64
	good := server(t, &calls)
	defer good.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) < 3 {
			w.WriteHeader(503)
			return
		}
		good.Config.Handler.ServeHTTP(w, r)
	}))
	defer s.Close()
	if _, err := made(t, s, nil).Embed(t.Context(), []string{"a"}); !model.IsKind(err, model.KindOverloaded) || asked.Load() != 1 {
		t.Errorf("without a layer of retries: %v after %d calls", err, asked.Load())
	}
	e := made(t, s, func(cfg *Config) {
		cfg.Repeat = func(ctx context.Context, call func(context.Context) error) (err error) {
			for range 3 {
				if err = call(ctx); err == nil {
					return nil
				}
			}
			return err
		}
	})
	if _, err := e.Embed(t.Context(), []string{"a"}); err != nil {
		t.Errorf("with one: %v", err)
	}
}

func TestDimensionsAreAskedForWhereTheModelCanShorten(t *testing.T) {
	for _, c := range []struct {
		model     string
		dim, want int // what the server is asked for
		space     string
	}{
		{"text-embedding-3-large", 0, 0, "openai:text-embedding-3-large@1/3072"},
		{"text-embedding-3-large", 256, 256, "openai:text-embedding-3-large@1/256"},
		{"own", 256, 0, "openai:own@1/256"},
	} {
		asked := -1
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var q request
			_ = json.NewDecoder(r.Body).Decode(&q)
			asked = q.Dimensions
			_, _ = fmt.Fprint(w, `{"data":[]}`)
		}))
		e := made(t, s, func(cfg *Config) { cfg.Model, cfg.Dim = c.model, c.dim })
		_, _ = e.Embed(t.Context(), []string{"a"})
		s.Close()
		if asked != c.want || e.Space().String() != c.space {
			t.Errorf("%s#%d: asked for %d, %s", c.model, c.dim, asked, e.Space())
		}
	}
	if _, err := New(Config{Model: "own"}); err == nil || !strings.Contains(err.Error(), "own#1024") {
		t.Errorf("unknown dimensions: %v", err)
	}
}

func TestACancelledCallIsNoFaultOfTheServer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { cancel() }))
	defer s.Close()
	if _, err := made(t, s, nil).Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
