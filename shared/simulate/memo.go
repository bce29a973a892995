package simulate

import (
	"container/list"
	"context"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/embed"
)

// memoBytes bounds the vectors of sentences that are kept: the same sentences
// are compared with one question after another.
const memoBytes = 16 << 20

// memo keeps the vectors of sentences, last used first. It changes no answer,
// only what it costs.
type memo struct {
	mu     sync.Mutex
	byText map[string]*list.Element
	used   *list.List
	size   int
}

type remembered struct {
	text   string
	vector []float32
}

func newMemo() *memo { return &memo{byText: map[string]*list.Element{}, used: list.New()} }

func (m *memo) get(text string) ([]float32, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.byText[text]
	if e == nil {
		return nil, false
	}
	m.used.MoveToFront(e)
	return e.Value.(*remembered).vector, true
}

func (m *memo) put(text string, v []float32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.byText[text] != nil {
		return
	}
	m.byText[text] = m.used.PushFront(&remembered{text, v})
	m.size += 4*len(v) + 2*len(text)
	for m.size > memoBytes && m.used.Len() > 1 {
		last := m.used.Back()
		gone := last.Value.(*remembered)
		m.used.Remove(last)
		delete(m.byText, gone.text)
		m.size -= 4*len(gone.vector) + 2*len(gone.text)
	}
}

// vectors embeds sentences, those that are not remembered in one call.
func (o *Offline) vectors(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var missing []string
	var at []int
	for i, t := range texts {
		if v, ok := o.memo.get(t); ok {
			out[i] = v
			continue
		}
		missing, at = append(missing, t), append(at, i)
	}
	if len(missing) == 0 {
		return out, ctx.Err()
	}
	vs, err := o.embedder.Embed(ctx, missing)
	if err != nil {
		return nil, err
	}
	if err := embed.Check(o.embedder.Space(), len(missing), vs); err != nil {
		return nil, err
	}
	for j, v := range vs {
		out[at[j]] = v
		o.memo.put(missing[j], v)
	}
	return out, nil
}

// mostBags bounds how many published questions are kept read.
const mostBags = 4096

// bags keep published questions as they are compared, by digest.
type bags struct {
	mu   sync.Mutex
	kept map[string]askedIn
}

// askedIn is a published question, read.
type askedIn struct {
	bag
	yesNo bool
}

// of reads the question of a distribution.
func (b *bags) of(e *Evidence) askedIn {
	b.mu.Lock()
	defer b.mu.Unlock()
	if k, ok := b.kept[e.Digest]; ok && e.Digest != "" {
		return k
	}
	labels := make([]string, len(e.Options))
	for i, o := range e.Options {
		labels[i] = o.Label
	}
	k := askedIn{newBag(e.Question, labels), isYesNo(readLabels(labels))}
	if e.Digest != "" {
		if len(b.kept) >= mostBags {
			clear(b.kept)
		}
		b.kept[e.Digest] = k
	}
	return k
}

// touches reports two questions that share a word of content, or all of theirs:
// others are never alike.
func (b bag) touches(other bag) bool {
	if b.folded == other.folded {
		return true
	}
	for _, s := range b.stems {
		if _, ok := other.weight[s]; ok {
			return true
		}
	}
	return false
}
