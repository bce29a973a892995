// Package minilm embeds English texts with all-MiniLM-L6-v2 (Wang et al. 2020;
// Reimers & Gurevych 2019) in plain Go: its tokenizer, its encoder and a packed
// form of its weights, eight bits a number.
package minilm

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/viterin/vek"
	"github.com/viterin/vek/vek32"
	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/embed"
)

// Model is the name of the model, in every vector's space.
const Model = "all-MiniLM-L6-v2"

// File is what the packed weights are called wherever they are looked for.
const File = "minilm-l6-v2.int8"

type embedder struct {
	space   embed.Space
	load    func() (*model, error)
	dot     kernel
	scratch sync.Pool
}

// Open checks the packed weights at path and gives their embedder. The weights
// (60 MB in memory) are read when the first text is embedded. A file that is
// none of ours or cut short is ErrFile; one whose inside is damaged is ErrFile
// from Embed.
func Open(path string) (embed.Embedder, error) {
	h, err := openFile(path)
	if err != nil {
		return nil, fmt.Errorf("embeddings of %s from %s: %w", Model, path, err)
	}
	return &embedder{
		space: embed.Space{Model: Model, Revision: h.revision, Dim: hidden},
		load: sync.OnceValues(func() (*model, error) {
			m, err := load(path)
			if err != nil {
				err = fmt.Errorf("embeddings of %s from %s: %w", Model, path, err)
			}
			return m, err
		}),
		dot:     fastest(),
		scratch: sync.Pool{New: func() any { return newScratch() }},
	}, nil
}

func (e *embedder) Space() embed.Space { return e.space }

// Embed reads at most 256 tokens (about 190 words) of each text and works on as
// many texts at once as there are processors.
func (e *embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	m, err := e.load()
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, text := range texts {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			out[i] = e.one(m, text)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

func (e *embedder) one(m *model, text string) []float32 {
	ids := m.vocabulary.tokens(text)
	if len(ids) == 2 { // start and end: nothing between them
		return make([]float32, hidden)
	}
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	v := m.embed(ids, s, e.dot)
	embed.Normalise(v)
	return v
}

// fastest is the vector instructions of the processor, or plain Go.
func fastest() kernel {
	if vek.Info().Acceleration {
		return vek32.Dot
	}
	return plain
}

// plain is the inner product in four sums, which the processor adds up side by
// side.
func plain(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}
