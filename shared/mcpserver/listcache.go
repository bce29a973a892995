package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/account"
)

// Bounds of the cache. A process sees few views and few ways to ask; more than
// these are answered and not kept.
const (
	maxListShapes = 512
	maxListBytes  = 8 << 20
	maxListParams = 2 << 10
)

// lists keeps the bytes of tools/list by view, scopes and revision. The engine
// answers each new way to ask once, with all that the protocol checks; the same
// question then gets the same bytes. The catalogue never changes while a
// process lives, so nothing is ever stale.
type lists struct {
	mu     sync.RWMutex
	shapes map[string][]byte // how it was asked -> result
	bytes  map[string][]byte // result, once for all shapes that share it
	size   int
}

// cachedList answers tools/list from the cache, or asks the engine and keeps
// its answer.
func (s *server) cachedList(r *http.Request, m message, revision string) reply {
	if len(m.params) > maxListParams {
		return s.pass(r, m, revision)
	}
	shape := strings.Join([]string{
		s.viewFrom(r.Context()).Key(), s.grants(r.Context()), revision,
		strings.Join(r.Header.Values(headerMethod), ","), strings.Join(r.Header.Values(headerName), ","), string(m.params),
	}, "\x00")
	s.lists.mu.RLock()
	result, ok := s.lists.shapes[shape]
	s.lists.mu.RUnlock()
	if ok {
		return listReply(m.id, result)
	}
	a := s.pass(r, m, revision)
	if a.status == http.StatusOK {
		s.lists.keep(shape, a.body)
	}
	return a
}

func listReply(id json.RawMessage, result []byte) reply {
	var b bytes.Buffer
	b.Grow(len(result) + len(id) + 48)
	b.WriteString(`{"jsonrpc":"2.0","id":`)
	b.Write(id)
	b.WriteString(`,"result":`)
	b.Write(result)
	b.WriteByte('}')
	return reply{http.StatusOK, b.Bytes()}
}

func (l *lists) keep(shape string, body []byte) {
	_, top, _, flaw := scan(body)
	at, ok := top["result"]
	if flaw != nil || !ok {
		return
	}
	result := string(body[at.from:at.to])
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shapes == nil || len(l.shapes) >= maxListShapes || l.size+len(result) > maxListBytes {
		l.shapes, l.bytes, l.size = map[string][]byte{}, map[string][]byte{}, 0
	}
	shared, ok := l.bytes[result]
	if !ok {
		shared = []byte(result)
		l.bytes[result] = shared
		l.size += 2 * len(result)
	}
	l.shapes[shape] = shared
}

// grants tells by one character a tool which tools the caller's scopes cover.
func (s *server) grants(ctx context.Context) string {
	p := account.From(ctx)
	all := s.o.Catalogue.All()
	b := make([]byte, len(all))
	for i, d := range all {
		b[i] = '0'
		if len(d.Missing(p.Has)) == 0 {
			b[i] = '1'
		}
	}
	return string(b)
}
