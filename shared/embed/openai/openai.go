// Package openai embeds texts with a server that speaks OpenAI's embeddings
// protocol: OpenAI itself, other vendors, or one's own Ollama, vLLM or llama.cpp.
package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/openai"
)

// Bounds of a call. A server that takes fewer texts at once refuses; 64 passages
// of the usual size stay within what all known ones take.
const (
	batch     = 64
	atOnce    = 4
	maxText   = 8_000    // characters of a text: 8,191 tokens at most, in any script
	maxAnswer = 64 << 20 // bytes
)

// Dimensions of well-known models, so that they need not be written out.
var Dimensions = map[string]int{
	"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536,
	"nomic-embed-text": 768, "mxbai-embed-large": 1024, "all-minilm": 384, "bge-m3": 1024, "snowflake-arctic-embed2": 1024,
}

// Config of an embedder.
type Config struct {
	Base   string                                // address up to /v1; OpenAI's own when empty
	Model  string                                // as the server calls it
	Dim    int                                   // 0: as Dimensions has it
	Key    func(context.Context) (string, error) // nil, or one that is empty: no Authorization header
	HTTP   *http.Client
	Clock  clock.Clock  // for dates in Retry-After
	Repeat embed.Repeat // nil: no call is repeated
}

type embedder struct {
	cfg   Config
	space embed.Space
	// shorten asks the server for fewer dimensions than the model has.
	shorten bool
}

// New makes an embedder; it makes no call.
func New(cfg Config) (embed.Embedder, error) {
	known := Dimensions[cfg.Model]
	e := &embedder{cfg: cfg}
	if e.cfg.Dim == 0 {
		e.cfg.Dim = known
	}
	if e.cfg.Dim == 0 {
		return nil, fmt.Errorf("how many dimensions %s has is not known here; add them to its name, as in %s#1024", cfg.Model, cfg.Model)
	}
	e.shorten = e.cfg.Dim != known && strings.HasPrefix(cfg.Model, "text-embedding-3-")
	e.space = embed.Space{Model: "openai:" + cfg.Model, Revision: "1", Dim: e.cfg.Dim}
	if !e.space.Valid() {
		return nil, fmt.Errorf("%s is no space that vectors can be kept in", e.space)
	}
	if e.cfg.Base == "" {
		e.cfg.Base = openai.DefaultBase
	}
	e.cfg.Base = strings.TrimRight(e.cfg.Base, "/")
	if e.cfg.Clock == nil {
		e.cfg.Clock = clock.System{}
	}
	if e.cfg.Repeat == nil {
		e.cfg.Repeat = embed.Once
	}
	return e, nil
}

func (e *embedder) Space() embed.Space { return e.space }

// Embed gives the zero vector to texts of white space without asking the server,
// which would refuse them, and reads the first 8,000 characters of each.
// Failures are *model.Error.
func (e *embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return embed.Filled(ctx, e.space, texts, maxText, func(ctx context.Context, texts []string) ([][]float32, error) {
		return embed.Batches(ctx, texts, batch, atOnce, func(ctx context.Context, texts []string) (vs [][]float32, err error) {
			err = e.cfg.Repeat(ctx, func(ctx context.Context) error {
				vs, err = e.call(ctx, texts)
				return err
			})
			return vs, err
		})
	})
}

type request struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Format     string   `json:"encoding_format"`
	Dimensions int      `json:"dimensions,omitempty"`
}

func (e *embedder) call(ctx context.Context, texts []string) ([][]float32, error) {
	q := request{Model: e.cfg.Model, Input: texts, Format: "float"}
	if e.shorten {
		q.Dimensions = e.cfg.Dim
	}
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.cfg.Base+"/embeddings", bytes.NewReader(body))
	if err != nil {
		return nil, &model.Error{Kind: model.KindInvalid, Detail: "the address is not well formed"}
	}
	r.Header.Set("Content-Type", "application/json")
	if e.cfg.Key != nil {
		key, err := e.cfg.Key(ctx)
		if err != nil {
			return nil, err
		}
		if key = strings.TrimSpace(key); key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
	}
	res, err := e.cfg.HTTP.Do(r)
	if err != nil {
		return nil, model.FromTransport(ctx, err)
	}
	defer res.Body.Close()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return nil, openai.Failure(res, e.cfg.Clock.Now())
	}
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &model.Error{Kind: model.KindTruncated}
	}
	return e.read(raw, len(texts))
}

// read takes the vectors by their index: servers may answer out of order.
func (e *embedder) read(raw []byte, n int) ([][]float32, error) {
	malformed := func(detail string) error { return &model.Error{Kind: model.KindMalformed, Detail: detail} }
	var answer struct {
		Data []struct {
			Index  *int      `json:"index"`
			Vector []float32 `json:"embedding"`
		} `json:"data"`
	}
	if len(raw) > maxAnswer {
		return nil, malformed("the answer is too large")
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, malformed("the server's answer is no JSON of this protocol")
	}
	if len(answer.Data) != n {
		return nil, malformed(fmt.Sprintf("%d vectors for %d texts", len(answer.Data), n))
	}
	out := make([][]float32, n)
	for at, d := range answer.Data {
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= n || out[at] != nil {
			return nil, malformed("the vectors are not numbered through")
		}
		if len(d.Vector) != e.space.Dim {
			return nil, malformed(fmt.Sprintf("a vector has %d dimensions, not %d", len(d.Vector), e.space.Dim))
		}
		out[at] = d.Vector
	}
	return out, nil
}
