package webpage

import (
	"container/list"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fetch"
)

// How long an answer counts, and how much is kept.
const (
	keepRules   = time.Hour   // RFC 9309 allows a day
	keepFailure = time.Minute // a host in trouble is not asked for each of its pages
	keepBytes   = 4 << 20     // all rules together
)

// robots knows what hosts let us read. Only rules that speak to us are kept;
// those least used give way.
type robots struct {
	client *fetch.Client
	agent  string // of the header
	name   string // in robots.txt, lower case
	clock  clock.Clock

	mu    sync.Mutex
	known map[string]*list.Element // by origin
	used  *list.List               // of *entry, last used first
	bytes int
}

type entry struct {
	origin  string
	rules   rules
	failed  *Refused // instead of rules
	expires time.Time
	size    int
}

func newRobots(client *fetch.Client, agent, name string, c clock.Clock) *robots {
	return &robots{client: client, agent: agent, name: name, clock: c, known: map[string]*list.Element{}, used: list.New()}
}

// allow tells whether an address that the guard let pass may be read.
func (r *robots) allow(ctx context.Context, rawURL string) error {
	root, path, err := origin(rawURL)
	if err != nil {
		return err
	}
	e, ok := r.find(root)
	if !ok {
		if e, err = r.read(ctx, root); err != nil {
			return err
		}
		r.keep(e)
	}
	if e.failed != nil {
		return e.failed
	}
	if !e.rules.allowed(path) {
		return &Refused{Code: Robots, Message: "The site's robots.txt does not let programs read this page. Give another link, or save the page and give it as a file."}
	}
	return nil
}

func (r *robots) find(root string) (*entry, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.known[root]
	if !ok {
		return nil, false
	}
	e := at.Value.(*entry)
	if !r.clock.Now().Before(e.expires) {
		r.drop(at)
		return nil, false
	}
	r.used.MoveToFront(at)
	return e, true
}

func (r *robots) keep(e *entry) {
	e.size = len(e.origin) + e.rules.size()
	r.mu.Lock()
	defer r.mu.Unlock()
	if old, ok := r.known[e.origin]; ok {
		r.drop(old)
	}
	r.known[e.origin] = r.used.PushFront(e)
	r.bytes += e.size
	for r.bytes > keepBytes && r.used.Len() > 1 {
		r.drop(r.used.Back())
	}
}

func (r *robots) drop(at *list.Element) {
	e := r.used.Remove(at).(*entry)
	delete(r.known, e.origin)
	r.bytes -= e.size
}

// read asks a host. A file that is not there allows everything; a host that
// fails, or asks us to slow down, is left alone for now (RFC 9309, 2.3.1).
func (r *robots) read(ctx context.Context, root string) (*entry, error) {
	e := &entry{origin: root, expires: r.clock.Now().Add(keepRules)}
	res, err := r.client.Do(ctx, fetch.Request{
		URL: root + "/robots.txt", Kind: fetch.Page, Header: http.Header{"User-Agent": {r.agent}, "Accept": {"text/plain,*/*;q=0.5"}},
	})
	var text []byte
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(res.Body, maxRules))
		_ = res.Body.Close()
	}
	var answered fetch.StatusError
	switch {
	case err == nil:
		e.rules = parseRules(text, r.name)
	case errors.As(err, &answered) && answered.Status >= 400 && answered.Status < 500 && answered.Status != http.StatusTooManyRequests:
	case errors.Is(ctx.Err(), context.Canceled):
		return nil, ctx.Err() // the caller left; it says nothing of the host
	default:
		e.expires = r.clock.Now().Add(keepFailure)
		e.failed = &Refused{Code: Robots, Temporary: true, cause: err, Message: "The site's robots.txt could not be read, so it is not known whether this page may be. Try again later, or save the page and give it as a file."}
	}
	return e, nil
}
