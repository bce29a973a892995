package training_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/research/training"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// shelf stands for the knowledge of Minds: what it is told of items it remembers,
// and it fails as a test says.
type shelf struct {
	w  *researchtest.World
	mu sync.Mutex

	found  []knowledge.Source // by every search
	notes  []string
	broken error             // of a search
	hangs  bool              // a search ends with its context
	looked int               // searches
	bad    map[string]string // link -> why it cannot be read

	status   map[string]knowledge.Status // by item
	reads    map[string]int
	unready  int // ErrUnfinished that many times
	steps    int // of a rebuild; 1 without
	embedded int
	deleted  []string
	wiped    []string
	unwiped  int // ErrUnfinished of DeleteOf that many times
}

func (s *shelf) Search(ctx context.Context, _ []string) ([]knowledge.Source, []string, error) {
	s.looked++
	if s.hangs {
		<-ctx.Done()
		return nil, nil, ctx.Err()
	}
	return s.found, s.notes, s.broken
}

func (s *shelf) Gather(ctx context.Context, mindID string, sources []knowledge.Source) ([]string, error) {
	if _, err := s.w.Minds.Get(ctx, mindID); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for _, src := range sources {
		if s.status[src.Link].Status != knowledge.Completed {
			s.status[src.Link] = knowledge.Status{Status: knowledge.Queued}
		}
		ids = append(ids, src.Link)
	}
	return ids, nil
}

func (s *shelf) IngestNow(ctx context.Context, mindID, item, jobID string) error {
	s.mu.Lock()
	if s.unready > 0 {
		s.unready--
		s.mu.Unlock()
		return knowledge.ErrUnfinished
	}
	s.reads[item]++
	reason, bad := s.bad[item]
	s.mu.Unlock()
	if bad {
		return s.GiveUp(ctx, mindID, item, jobID, reason)
	}
	_, err := s.w.Minds.Change(ctx, mindID, func(m *mind.Mind) error {
		m.Learn(jobID, mind.KnowledgeRef{ItemID: item, Digest: item, Name: "Page " + item, Passages: 1})
		return nil
	}, nil)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status[item] = knowledge.Status{Status: knowledge.Completed}
	return nil
}

func (s *shelf) Status(_ context.Context, _, item string) (knowledge.Status, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st, ok := s.status[item]
	if !ok {
		return st, fault.New(fault.NotFound, "no item")
	}
	return st, nil
}

func (s *shelf) GiveUp(_ context.Context, _, item, _, reason string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status[item] = knowledge.Status{Status: knowledge.Failed, Error: reason}
	return nil
}

func (s *shelf) Reembed(_ context.Context, _, from string, _ time.Time) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.embedded++
	if len(from)+1 < s.steps {
		return from + "x", nil
	}
	return "", nil
}

func (s *shelf) Delete(ctx context.Context, mindID, item string) error {
	_, err := s.w.Minds.Change(ctx, mindID, func(m *mind.Mind) error { m.Unlearn(item); return nil }, nil)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deleted = append(s.deleted, item)
	delete(s.status, item)
	return nil
}

func (s *shelf) DeleteOf(_ context.Context, mindID string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wiped = append(s.wiped, mindID)
	if s.unwiped > 0 {
		s.unwiped--
		return knowledge.ErrUnfinished
	}
	return nil
}

// library gives one passage for each item, so that prompts can quote it.
type library struct{}

func (library) Load(_ context.Context, _ string, refs []mind.KnowledgeRef) (mind.Known, error) {
	var k mind.Known
	for _, r := range refs {
		k.Passages = append(k.Passages, simulate.Passage{ID: r.ItemID, Text: "What " + r.ItemID + " says."})
	}
	return k, nil
}

type world struct {
	*researchtest.World
	*shelf
	ctx      context.Context
	patience time.Duration // with a search engine; 0: a minute
}

// open makes a world whose trainings read from a shelf. A search engine is there
// when the test sets found, notes or broken.
func open(t testing.TB, writer model.Client) *world {
	t.Helper()
	w := researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Model: writer, Library: library{}})
	s := &shelf{w: w, bad: map[string]string{}, status: map[string]knowledge.Status{}, reads: map[string]int{}}
	out := &world{World: w, shelf: s, ctx: w.As(t, "lab", account.Team)}
	out.rewire(true)
	return out
}

// impatient never waits.
type impatient struct{ clock.Clock }

func (impatient) Sleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func (w *world) rewire(searches bool) {
	w.Training = training.New(training.Deps{
		Minds: w.Minds, Knowledge: w.shelf, Accounts: w.Accounts, Blobs: w.Blobs, Clock: impatient{w.Clock}, Searches: searches, ResearchTime: w.patience,
		Draw: researchtest.Sketch, Forget: w.Audiences.Forget,
	})
}

func (w *world) create(t testing.TB, r mind.CreateRequest) mind.Mind {
	t.Helper()
	c, err := w.Minds.Create(w.ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	return c.Mind
}

func (w *world) get(t testing.TB, id string) mind.Mind {
	t.Helper()
	m, err := w.Minds.Get(w.ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (w *world) message(t testing.TB, id string) string {
	t.Helper()
	tr := w.Minds.TrainingOf(w.get(t, id))
	if tr.Message == nil {
		return ""
	}
	return *tr.Message
}

// writer is a model that writes what a test says, in order; the last one stays.
type writer struct {
	mu      sync.Mutex
	writes  []string
	err     error
	asked   []string
	systems []string
}

func (m *writer) Info() model.Info { return model.Info{Provider: "test", Model: "writer"} }

func (m *writer) Complete(_ context.Context, r model.Request) (model.Response, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, r.Messages[len(r.Messages)-1].Text)
	m.systems = append(m.systems, r.System)
	if m.err != nil {
		return model.Response{}, m.err
	}
	text := m.writes[0]
	if len(m.writes) > 1 {
		m.writes = m.writes[1:]
	}
	raw, err := json.Marshal(map[string]string{"prompt": text})
	return model.Response{Text: string(raw), JSON: raw, Stop: model.StopEnd}, err
}

func (m *writer) Stream(context.Context, model.Request, func(string) error) (model.Response, error) {
	return model.Response{}, errors.New("not streamed")
}
