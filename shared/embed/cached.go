package embed

import (
	"container/list"
	"context"
	"sync"

	"golang.org/x/sync/singleflight"
)

// Cached keeps the vectors of the last n questions (Query, Ask), since one
// question is put to many Minds. Questions longer than maxCached, and passages
// (Embed), are passed by. The vectors that it gives are shared: do not write to
// them.
func Cached(e Embedder, n int) Embedder {
	if n <= 0 {
		return e
	}
	return &cached{Embedder: e, most: n, byText: map[string]*list.Element{}, used: list.New()}
}

// maxCached is the most bytes of a text that is kept.
const maxCached = 4096

type cached struct {
	Embedder
	most int

	flight singleflight.Group // one question that many ask at once is embedded once

	mu     sync.Mutex
	byText map[string]*list.Element
	used   *list.List // of *kept, last used first
}

type kept struct {
	text   string
	vector []float32
}

func (c *cached) Ask(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var missing []string
	var at []int
	c.mu.Lock()
	for i, text := range texts {
		if e, ok := c.byText[text]; ok {
			c.used.MoveToFront(e)
			out[i] = e.Value.(*kept).vector
			continue
		}
		missing, at = append(missing, text), append(at, i)
	}
	c.mu.Unlock()
	if len(missing) == 0 {
		return out, ctx.Err()
	}
	vectors, err := c.missing(ctx, missing)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, v := range vectors {
		out[at[i]] = v
		c.keep(missing[i], v)
	}
	return out, nil
}

func (c *cached) missing(ctx context.Context, texts []string) ([][]float32, error) {
	embed := func() (any, error) {
		vectors, err := ask(ctx, c.Embedder, texts)
		if err == nil {
			err = Check(c.Space(), len(texts), vectors)
		}
		return vectors, err
	}
	var got any
	var err error
	if len(texts) == 1 {
		var shared bool
		got, err, shared = c.flight.Do(texts[0], embed)
		if shared && err != nil && ctx.Err() == nil { // it may be another's deadline that failed it
			got, err = embed()
		}
	} else {
		got, err = embed()
	}
	if err != nil {
		return nil, err
	}
	return got.([][]float32), nil
}

func (c *cached) keep(text string, v []float32) {
	if len(text) > maxCached {
		return
	}
	if e, ok := c.byText[text]; ok { // another call was as quick
		c.used.MoveToFront(e)
		return
	}
	c.byText[text] = c.used.PushFront(&kept{text, v})
	if c.used.Len() > c.most {
		last := c.used.Back()
		c.used.Remove(last)
		delete(c.byText, last.Value.(*kept).text)
	}
}
