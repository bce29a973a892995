// Package choose makes the embedder that an operator named. It is the one place
// that links all of them.
package choose

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/bedrock"
	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
	"github.com/mindgate-dev/mindgate/shared/embed/minilm"
	"github.com/mindgate-dev/mindgate/shared/embed/openai"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/open"
)

// Kind is which embedder.
type Kind string

// The kinds.
const (
	Auto    Kind = "auto"   // MiniLM when its weights are there, else hashed
	Hashed  Kind = "hashed" // built in
	MiniLM  Kind = "minilm" // in this process, from its weights
	Bedrock Kind = "bedrock"
	OpenAI  Kind = "openai" // whatever speaks OpenAI's embeddings protocol
)

// Choice is MINDGATE_EMBEDDINGS, read.
type Choice struct {
	Kind     Kind
	Model    string
	Dim      int    // of an openai model; 0: well known
	Endpoint string // of openai; empty: OpenAI's own
}

// forms are what may be written, for error messages and help.
const forms = "auto, hashed, minilm, bedrock:<model> or openai:<model>[#<dimensions>][@<endpoint>]"

// Parse reads the value of MINDGATE_EMBEDDINGS; empty is auto.
func Parse(s string) (Choice, error) {
	kind, rest, named := strings.Cut(strings.TrimSpace(s), ":")
	c := Choice{Kind: Kind(kind)}
	wrong := func(format string, args ...any) (Choice, error) {
		return Choice{}, fmt.Errorf("MINDGATE_EMBEDDINGS is %q: %s; it may be %s", s, fmt.Sprintf(format, args...), forms)
	}
	switch {
	case kind == "" && !named:
		c.Kind = Auto
		return c, nil
	case c.Kind == Auto || c.Kind == Hashed || c.Kind == MiniLM:
		if named {
			return wrong("%s takes no model", kind)
		}
		return c, nil
	case c.Kind == Bedrock:
		c.Model = rest
	case c.Kind == OpenAI:
		var dim string
		c.Model, c.Endpoint, _ = strings.Cut(rest, "@")
		if c.Model, dim, named = strings.Cut(c.Model, "#"); named {
			n, err := strconv.Atoi(dim)
			if err != nil || n < 1 || n > embed.MaxDim {
				return wrong("dimensions are a whole number from 1 to %d", embed.MaxDim)
			}
			c.Dim = n
		}
	default:
		return wrong("%q is no embedder", kind)
	}
	if c.Model == "" {
		return wrong("%s needs a model", kind)
	}
	return c, nil
}

// Given is a key that is known already; empty: none.
func Given(key string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return key, nil }
}

// retries is how often one call of a network embedder may be repeated.
const retries = 4

// Options of Open; what a kind does not use may be left out.
type Options struct {
	ModelDir string                                // MINDGATE_MODEL_DIR; empty: the usual places
	Key      func(context.Context) (string, error) // for openai; nil: none
	Guard    *fetch.Guard                          // which addresses openai may reach
	AWS      func(context.Context) (aws.Config, error)
	Clock    clock.Clock
	Log      *slog.Logger
}

// Open makes the chosen embedder and logs its space. It reads no weights and
// makes no call; the weights are read with the first text.
func Open(ctx context.Context, c Choice, o Options) (embed.Embedder, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	e, err := made(ctx, c, o)
	if err == nil {
		o.Log.InfoContext(ctx, "embeddings", "space", e.Space().String())
	}
	return e, err
}

func made(ctx context.Context, c Choice, o Options) (embed.Embedder, error) {
	repeat := model.RetryPolicy{Attempts: retries, Clock: o.Clock}.Do
	switch c.Kind {
	case Hashed:
		return hashed.New(), nil
	case MiniLM:
		return openMiniLM(o.ModelDir)
	case Bedrock:
		if o.AWS == nil {
			return nil, errors.New("embeddings on Bedrock need AWS credentials and a region")
		}
		cfg, err := o.AWS(ctx)
		if err != nil {
			return nil, err
		}
		return bedrock.New(cfg, c.Model, repeat)
	case OpenAI:
		if c.Endpoint != "" {
			if err := o.Guard.CheckAddress(c.Endpoint, fetch.File); err != nil {
				return nil, fmt.Errorf("the endpoint of MINDGATE_EMBEDDINGS is refused: it must be a public https address, or a pair in MINDGATE_FETCH_ALLOW: %w", err)
			}
		}
		return openai.New(openai.Config{
			Base: c.Endpoint, Model: c.Model, Dim: c.Dim, Key: o.Key, HTTP: open.HTTP(o.Guard), Clock: o.Clock, Repeat: repeat,
		})
	}
	e, err := openMiniLM(o.ModelDir)
	switch {
	case err == nil:
		return e, nil
	case !errors.Is(err, fs.ErrNotExist):
		o.Log.WarnContext(ctx, "the weights of the embedding model cannot be used; the built-in hashed embeddings stand in", "error", err)
	}
	return hashed.New(), nil
}

// openMiniLM looks for the weights: in dir, beside the program, and in models
// beside the program and in the working directory. A dir that is named must have
// them.
func openMiniLM(dir string) (embed.Embedder, error) {
	if dir != "" {
		return minilm.Open(filepath.Join(dir, minilm.File))
	}
	places := []string{"models"}
	if program, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(program); err == nil {
			program = real
		}
		beside := filepath.Dir(program)
		places = []string{beside, filepath.Join(beside, "models"), "models"}
	}
	for _, p := range places {
		e, err := minilm.Open(filepath.Join(p, minilm.File))
		if !errors.Is(err, fs.ErrNotExist) {
			return e, err
		}
	}
	return nil, fmt.Errorf("no %s in %s: `make models` fetches it: %w", minilm.File, strings.Join(places, ", "), fs.ErrNotExist)
}
