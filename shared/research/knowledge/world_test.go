package knowledge_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/webpage"
	"github.com/mindgate-dev/mindgate/shared/websearch"
)

// site is a web of pages and files, by address.
type site struct {
	mu    sync.Mutex
	pages map[string]page
	asked []string
}

type page struct {
	media, body string
	etag        string
	err         error
}

func (s *site) set(address string, p page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pages == nil {
		s.pages = map[string]page{}
	}
	s.pages[address] = p
}

func (s *site) Page(_ context.Context, address string, since webpage.Validators) (webpage.Fetched, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, address+" "+since.ETag)
	p, ok := s.pages[address]
	switch {
	case p.err != nil:
		return webpage.Fetched{}, p.err
	case !ok:
		return webpage.Fetched{}, &webpage.Refused{Code: webpage.Status, Message: "the server answered 404"}
	}
	got := webpage.Fetched{URL: address, MediaType: p.media, Size: -1, Validators: webpage.Validators{ETag: p.etag}}
	if p.etag != "" && p.etag == since.ETag {
		got.NotModified, got.Body = true, io.NopCloser(strings.NewReader(""))
		return got, nil
	}
	got.Body = io.NopCloser(strings.NewReader(p.body))
	return got, nil
}

func (s *site) File(ctx context.Context, address string) (webpage.Fetched, error) {
	return s.Page(ctx, address, webpage.Validators{})
}

// engine is a search engine that knows some answers.
type engine struct {
	results map[string][]websearch.Result
	err     error
	meet    func(query string) error // asked before each search
	asked   []string
}

func (e *engine) Name() string { return "test" }

func (e *engine) Search(_ context.Context, query string, count int) ([]websearch.Result, error) {
	e.asked = append(e.asked, query)
	if e.meet != nil {
		if err := e.meet(query); err != nil {
			return nil, err
		}
	}
	r := e.results[query]
	return r[:min(len(r), count)], e.err
}

// ledger notes what is in the stores, and fails operations when it is told to.
type ledger struct {
	records.Store
	mu    sync.Mutex
	pks   map[string]bool
	ops   int
	fails map[int]bool // of these operations, counted from 1
	// meet is asked before each transaction; its error takes the place of it.
	meet func([]records.Action) error
	// lay is called before each single put.
	lay func(records.Item)
}

var errDown = fmt.Errorf("the test says so: %w", records.ErrUnavailable)

// op counts an operation; an error says that it must not happen.
func (l *ledger) op(pks ...string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pks == nil {
		l.pks = map[string]bool{}
	}
	for _, pk := range pks {
		l.pks[pk] = true
	}
	l.ops++
	if l.fails[l.ops] {
		return errDown
	}
	return nil
}

func (l *ledger) Get(ctx context.Context, k records.Key) (records.Item, error) {
	if err := l.op(); err != nil {
		return records.Item{}, err
	}
	return l.Store.Get(ctx, k)
}

func (l *ledger) Query(ctx context.Context, q records.Query) (records.Page, error) {
	if err := l.op(); err != nil {
		return records.Page{}, err
	}
	return l.Store.Query(ctx, q)
}

func (l *ledger) Put(ctx context.Context, it records.Item, conds ...records.Cond) (records.Item, error) {
	if err := l.op(it.PK); err != nil {
		return records.Item{}, err
	}
	if l.lay != nil {
		l.lay(it)
	}
	return l.Store.Put(ctx, it, conds...)
}

func (l *ledger) Delete(ctx context.Context, k records.Key, conds ...records.Cond) error {
	if err := l.op(); err != nil {
		return err
	}
	return l.Store.Delete(ctx, k, conds...)
}

func (l *ledger) Transact(ctx context.Context, token string, actions ...records.Action) error {
	var pks []string
	for _, a := range actions {
		pks = append(pks, a.Item.PK)
	}
	if err := l.op(pks...); err != nil {
		return err
	}
	if l.meet != nil {
		if err := l.meet(actions); err != nil {
			return err
		}
	}
	return l.Store.Transact(ctx, token, actions...)
}

// left lists the rows of knowledge that are there.
func (l *ledger) left(t testing.TB) []string {
	t.Helper()
	var out []string
	for pk := range maps.Keys(l.pks) {
		if !strings.Contains(pk, "#knowledge#") && !strings.Contains(pk, "#patterns#") && !strings.HasSuffix(pk, "#content") && !strings.Contains(pk, "#content#") && pk != "jobs#open" && !strings.Contains(pk, "job#") {
			continue
		}
		page, err := l.Store.Query(t.Context(), records.Query{PK: pk})
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range page.Items {
			if it.SK == "size" && it.N == 0 {
				continue
			}
			if it.SK == "next" { // the count of a Mind that lives: its ids are never given twice
				continue
			}
			out = append(out, pk+" "+it.SK)
		}
	}
	slices.Sort(out)
	return out
}

// shelf notes which blobs are there.
type shelf struct {
	blobs.Store
	l    *ledger
	mu   sync.Mutex
	refs map[string]bool
}

func (s *shelf) Put(ctx context.Context, prefix, media string, r io.Reader, limit int64) (blobs.Ref, error) {
	if err := s.l.op(); err != nil {
		return blobs.Ref{}, errors.Join(blobs.ErrUnavailable, err)
	}
	ref, err := s.Store.Put(ctx, prefix, media, r, limit)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.refs[ref.Key()] = true
	}
	return ref, err
}

func (s *shelf) Delete(ctx context.Context, ref blobs.Ref) error {
	if err := s.l.op(); err != nil {
		return errors.Join(blobs.ErrUnavailable, err)
	}
	err := s.Store.Delete(ctx, ref)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.refs, ref.Key())
	}
	return err
}

func (s *shelf) Clear(ctx context.Context, prefix string) error {
	if err := s.l.op(); err != nil {
		return errors.Join(blobs.ErrUnavailable, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.refs, func(key string, _ bool) bool { return strings.HasPrefix(key, prefix+"/") })
	return s.Store.(blobs.Clearer).Clear(ctx, prefix)
}

func (s *shelf) left() []string { return slices.Sorted(maps.Keys(s.refs)) }

// watched is a world whose stores are looked at.
type watched struct {
	*researchtest.World
	ctx    context.Context
	rows   *ledger
	files  *shelf
	web    *site
	search *engine
}

func watch(t testing.TB) *watched {
	t.Helper()
	w := &watched{web: &site{}, search: &engine{results: map[string][]websearch.Result{}}}
	w.World = researchtest.Open(t, researchtest.Options{
		Respondents: simulate.NewOffline(), Pages: w.web, Search: w.search,
		Check: func(address string, _ bool) error {
			if strings.Contains(address, "127.0.0.1") {
				return fault.New(fault.UnsafeURL, "This address is not public.")
			}
			return nil
		},
		Wrap: func(s records.Store) records.Store { w.rows = &ledger{Store: s}; return w.rows },
		WrapBlobs: func(b blobs.Store) blobs.Store {
			w.files = &shelf{Store: b, l: w.rows, refs: map[string]bool{}}
			return w.files
		},
	})
	w.ctx = w.As(t, "lab", account.Team)
	return w
}

// later is hours after, when the sweep has been.
func (w *watched) later(t testing.TB) {
	t.Helper()
	w.Clock.Advance(3 * time.Hour)
	if err := w.Knowledge.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// clean asserts that nothing of any knowledge is left.
func (w *watched) clean(t testing.TB, when string) {
	t.Helper()
	if rows, files := w.rows.left(t), w.files.left(); len(rows)+len(files) > 0 {
		t.Errorf("%s: rows left %q, files left %q", when, rows, files)
	}
}

func (w *watched) add(t testing.TB, r knowledge.AddRequest) knowledge.Item {
	t.Helper()
	a, err := w.Knowledge.Add(w.ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	return *a.Item
}

func (w *watched) mind(t testing.TB, name string) mind.Mind { return manual(t, w.World, w.ctx, name) }
