package knowledge

import (
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// libraryBytes is how much parsed content is kept in memory.
const libraryBytes = 64 << 20

// loadTime is the longest that one content may take to load, so that a call
// that waits for it still answers.
const loadTime = 15 * time.Second

// Library gives parsed content. Content never changes under its digest, so it
// is read and parsed once, kept while it is used, and shared by every Mind that
// was given it.
type Library struct {
	records records.Store
	flight  singleflight.Group

	mu    sync.Mutex
	kept  map[string]*list.Element
	order *list.List // most recently used first
	size  int
}

// NewLibrary makes a Library over the store.
func NewLibrary(store records.Store) *Library {
	return &Library{records: store, kept: map[string]*list.Element{}, order: list.New()}
}

type shelf struct {
	key  string
	size int
	mind.Known
}

// Load gives the passages and distributions behind the references, in their
// order. What comes of one reference is shared memory: nobody may write to it.
func (l *Library) Load(ctx context.Context, workspace string, refs []mind.KnowledgeRef) (mind.Known, error) {
	var all mind.Known
	for i, r := range refs {
		if err := ctx.Err(); err != nil {
			return mind.Known{}, err
		}
		k, err := l.one(ctx, workspace, r)
		if err != nil {
			return mind.Known{}, err
		}
		if i == 0 {
			// A copy-free start; clipped, so that appending copies.
			all = mind.Known{Passages: slices.Clip(k.Passages), Evidence: slices.Clip(k.Evidence)}
			continue
		}
		all.Passages = append(all.Passages, k.Passages...)
		all.Evidence = append(all.Evidence, k.Evidence...)
	}
	return all, nil
}

func (l *Library) one(ctx context.Context, workspace string, r mind.KnowledgeRef) (mind.Known, error) {
	key := workspace + "#" + r.Digest
	if k, ok := l.get(key); ok {
		return k, nil
	}
	for {
		done := l.flight.DoChan(key, func() (any, error) {
			// Others may wait for the same content: who goes away does not end it,
			// but it ends.
			rest, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTime)
			defer cancel()
			k, size, err := l.read(rest, workspace, r)
			if err == nil {
				l.put(key, size, k)
			}
			return k, err
		})
		select {
		case res := <-done:
			k, _ := res.Val.(mind.Known)
			return k, res.Err
		case <-ctx.Done():
			return mind.Known{}, ctx.Err()
		}
	}
}

// read gets the content from the store.
func (l *Library) read(ctx context.Context, workspace string, r mind.KnowledgeRef) (mind.Known, int, error) {
	var k mind.Known
	size := 0
	q := records.Query{PK: contentPK(workspace, r.Digest)}
	whole := false
	for {
		page, err := l.records.Query(ctx, q)
		if err != nil {
			return k, 0, err
		}
		for _, it := range page.Items {
			size += len(it.Body) + 64
			switch it.SK {
			case "meta":
				whole = true
			case "evidence":
				e, err := simulate.StoredEvidence(it.Body)
				if err != nil {
					return k, 0, fmt.Errorf("knowledge: stored distribution %s: %w", r.Digest, err)
				}
				e.ID, e.Origin = r.ItemID, simulate.OriginMind
				k.Evidence = append(k.Evidence, &e)
			default:
				var block []string
				if err := json.Unmarshal(it.Body, &block); err != nil {
					return k, 0, err
				}
				for _, text := range block {
					k.Passages = append(k.Passages, simulate.Passage{ID: r.ItemID, Text: text})
				}
				size += 48 * len(block)
			}
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			break
		}
	}
	if !whole {
		return k, 0, errors.New("knowledge: content " + r.Digest + " is referred to but not there whole")
	}
	return k, size, nil
}

func (l *Library) get(key string) (mind.Known, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.kept[key]
	if e == nil {
		return mind.Known{}, false
	}
	l.order.MoveToFront(e)
	return e.Value.(*shelf).Known, true
}

func (l *Library) put(key string, size int, k mind.Known) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept[key] != nil || size > libraryBytes {
		return
	}
	l.kept[key] = l.order.PushFront(&shelf{key: key, size: size, Known: k})
	l.size += size
	for l.size > libraryBytes {
		last := l.order.Back()
		s := last.Value.(*shelf)
		l.order.Remove(last)
		delete(l.kept, s.key)
		l.size -= s.size
	}
}
