package knowledge

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// libraryBytes is how much is kept in memory: parsed content, what Minds know of
// it, and what they find it with.
const libraryBytes = 96 << 20

// loadTime is the longest that one content may take to load, so that a call
// that waits for it still answers.
const loadTime = 15 * time.Second

// Library gives parsed content. Content never changes under its name, so it is
// read and parsed once, kept while it is used, and shared by every Mind that was
// given it.
type Library struct {
	records  records.Store
	blobs    blobs.Store
	embedder embed.Embedder // nil: passages are found by their words alone
	clock    clock.Clock
	flight   singleflight.Group

	mu    sync.Mutex
	kept  map[string]*list.Element
	order *list.List // most recently used first
	size  int
}

// LibraryDeps is what a Library works with. Blobs and Embedder are for the
// vectors: without either, passages are found by their words alone.
type LibraryDeps struct {
	Records  records.Store
	Blobs    blobs.Store
	Embedder embed.Embedder
	Clock    clock.Clock
}

// NewLibrary makes a Library over the stores.
func NewLibrary(d LibraryDeps) *Library {
	l := &Library{records: d.Records, blobs: d.Blobs, clock: d.Clock, kept: map[string]*list.Element{}, order: list.New()}
	if d.Embedder != nil && d.Blobs != nil {
		l.embedder = embed.Cached(d.Embedder, cachedQueries)
	}
	return l
}

const cachedQueries = 512

// shelf is one thing that is kept.
type shelf struct {
	key   string
	size  int
	until time.Time // zero: for good
	thing any
}

// content is a parsed content.
type content struct {
	making   making
	passages []passage
	evidence *simulate.Evidence // nil: none
}

// Load gives the passages and distributions behind the references, in their
// order, each content once. What comes of one set of references is shared
// memory: nobody may write to it.
func (l *Library) Load(ctx context.Context, workspace string, refs []mind.KnowledgeRef) (mind.Known, error) {
	if len(refs) == 0 {
		return mind.Known{}, nil
	}
	return kept(ctx, l, "known#"+setKey(workspace, refs), func(ctx context.Context) (mind.Known, cost, error) {
		return l.assemble(ctx, workspace, refs)
	})
}

// setKey names a set of references by all that an answer shows of them.
func setKey(workspace string, refs []mind.KnowledgeRef) string {
	h := sha256.New()
	for _, r := range refs {
		fmt.Fprintf(h, "%s\x00%s\x00%s\x00%s\n", r.ItemID, r.Digest, r.Name, r.Link)
	}
	return workspace + "#" + hex.EncodeToString(h.Sum(nil))
}

func (l *Library) assemble(ctx context.Context, workspace string, refs []mind.KnowledgeRef) (known mind.Known, c cost, err error) {
	refs = distinct(refs)
	n := 0
	for _, r := range refs {
		n += r.Passages
	}
	known.Passages = make([]simulate.Passage, 0, n)
	for _, r := range refs {
		if err := ctx.Err(); err != nil {
			return known, c, err
		}
		of, err := l.content(ctx, workspace, r.Digest)
		if err != nil {
			return known, c, err
		}
		for _, p := range of.passages {
			c.bytes += 80 + len(p.Text)
			known.Passages = append(known.Passages, simulate.Passage{ID: r.ItemID, Text: p.Text, Where: p.Where, Heading: p.Heading, Source: r.Name, URL: r.Link})
		}
		if of.evidence != nil {
			known.Evidence = append(known.Evidence, named(of.evidence, r))
		}
	}
	if len(known.Passages) > 0 {
		known.Recall = &recaller{from: l, workspace: workspace, refs: refs, passages: known.Passages}
	}
	c.bytes += 512
	return known, c, nil
}

// named is the distribution of a content as one item gives it. Minds that were
// given the same file share the pointer.
func named(e *simulate.Evidence, r mind.KnowledgeRef) *simulate.Evidence {
	if e.ID == r.ItemID {
		return e
	}
	own := *e
	own.ID = r.ItemID
	return &own
}

// distinct leaves out contents that came before.
func distinct(refs []mind.KnowledgeRef) []mind.KnowledgeRef {
	seen := make(map[string]bool, len(refs))
	out := make([]mind.KnowledgeRef, 0, len(refs))
	for _, r := range refs {
		if !seen[r.Digest] {
			seen[r.Digest] = true
			out = append(out, r)
		}
	}
	return out
}

// content gets one parsed content.
func (l *Library) content(ctx context.Context, workspace, name string) (*content, error) {
	return kept(ctx, l, "content#"+workspace+"#"+name, func(ctx context.Context) (*content, cost, error) {
		m, err := readMeta(ctx, l.records, workspace, name)
		if errors.Is(err, records.ErrNotFound) {
			// Whoever reads a Mind and then what it knows can meet a deletion in between.
			return nil, cost{}, fmt.Errorf("knowledge: content %s is referred to but not there: %w", name, records.ErrConflict)
		}
		if err != nil {
			return nil, cost{}, err
		}
		c := &content{making: m.making(workspace, name)}
		if c.passages, err = readPassages(ctx, l.records, c.making); err != nil {
			return nil, cost{}, err
		}
		if len(c.passages) != m.Passages {
			return nil, cost{}, fmt.Errorf("knowledge: content %s has %d passages of %d: %w", name, len(c.passages), m.Passages, records.ErrConflict)
		}
		size := 512
		for _, p := range c.passages {
			size += 64 + len(p.Text) + len(p.Where) + len(p.Heading)
		}
		if m.Distributions > 0 {
			e, err := readEvidence(ctx, l.records, c.making)
			if err != nil {
				return nil, cost{}, err
			}
			e.ID, e.Origin = itemID(workspace, name), simulate.OriginMind
			c.evidence = &e
			size += int(m.Bytes)
		}
		return c, cost{bytes: size}, nil
	})
}

// readEvidence reads the published distribution of a making.
func readEvidence(ctx context.Context, store records.Store, m making) (simulate.Evidence, error) {
	it, err := store.Get(ctx, m.key("evidence"))
	if err != nil {
		return simulate.Evidence{}, err
	}
	e, err := simulate.StoredEvidence(it.Body)
	if err != nil {
		return e, fmt.Errorf("knowledge: stored distribution %s: %w", m.content, err)
	}
	return e, nil
}

// cost is what keeping a thing takes, and for how long it may be kept: 0 is for
// good.
type cost struct {
	bytes int
	life  time.Duration
}

// kept gives what is kept under a key, or makes it, once for all who wait.
func kept[T any](ctx context.Context, l *Library, key string, build func(context.Context) (T, cost, error)) (T, error) {
	if thing, ok := l.get(key); ok {
		return thing.(T), nil
	}
	done := l.flight.DoChan(key, func() (any, error) {
		// Others may wait for the same: who goes away does not end it, but it ends.
		rest, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTime)
		defer cancel()
		thing, c, err := build(rest)
		if err == nil {
			l.put(key, c, thing)
		}
		return thing, err
	})
	select {
	case res := <-done:
		thing, _ := res.Val.(T)
		return thing, res.Err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

func (l *Library) get(key string) (any, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.kept[key]
	if e == nil {
		return nil, false
	}
	if s := e.Value.(*shelf); !s.until.IsZero() && !l.clock.Now().Before(s.until) {
		l.drop(e)
		return nil, false
	}
	l.order.MoveToFront(e)
	return e.Value.(*shelf).thing, true
}

func (l *Library) put(key string, c cost, thing any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept[key] != nil || c.bytes > libraryBytes {
		return
	}
	s := &shelf{key: key, size: c.bytes, thing: thing}
	if c.life > 0 {
		s.until = l.clock.Now().Add(c.life)
	}
	l.kept[key] = l.order.PushFront(s)
	l.size += s.size
	for l.size > libraryBytes {
		l.drop(l.order.Back())
	}
}

func (l *Library) drop(e *list.Element) {
	s := e.Value.(*shelf)
	l.order.Remove(e)
	delete(l.kept, s.key)
	l.size -= s.size
}
