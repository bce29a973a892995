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

// plain is the inner product in eight sums, which the processor adds up side by
// side.
func plain(a, b []float32) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for len(a) >= 8 && len(b) >= 8 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		s4 += a[4] * b[4]
		s5 += a[5] * b[5]
		s6 += a[6] * b[6]
		s7 += a[7] * b[7]
		a, b = a[8:], b[8:]
	}
	for i, x := range a {
		s0 += x * b[i]
	}
	return s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7
}
