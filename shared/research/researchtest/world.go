// Package researchtest gives tests of the research domain a world: real stores
// in a temporary folder, a held clock, and an engine that runs a job when the
// test says so.
package researchtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/blobs/folder"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
	_ "github.com/mindgate-dev/mindgate/shared/extract/parsers" // files are read by this program, started anew
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/portrait"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/training"
	"github.com/mindgate-dev/mindgate/shared/research/upload"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/websearch"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// Start is when a world begins.
var Start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// World is one gateway's domain over stores of its own.
type World struct {
	Clock     *clock.Held
	Store     records.Store
	Accounts  *account.Service
	Jobs      *jobs.Service
	Minds     *mind.Service
	Knowledge *knowledge.Service
	Uploads   *upload.Service
	Audiences *audience.Service
	Training  *training.Service
	Blobs     blobs.Store
	Engine    *Engine
}

// New makes a world with the offline respondents.
func New(t testing.TB) *World { return With(t, simulate.NewOffline()) }

// With makes a world whose Minds answer through r.
func With(t testing.TB, r simulate.Respondents) *World {
	t.Helper()
	return Open(t, Options{Respondents: r})
}

// Options are what a test chooses of a world; Respondents is required.
type Options struct {
	Respondents simulate.Respondents
	Model       model.Client // writes prompts
	Patterns    func(ctx context.Context, mindID string, limit int) ([]mind.Pattern, error)
	Library     mind.Library // nil: that of the world's knowledge
	// Where knowledge comes from; what is nil is not there.
	Pages  knowledge.Getter
	Search websearch.Provider
	Check  func(rawURL string, file bool) error
	// Wrap and WrapBlobs put something before a store, such as faults.
	Wrap      func(records.Store) records.Store
	WrapBlobs func(blobs.Store) blobs.Store
	Embedder  embed.Embedder // nil: the built-in one
	Datasets  audience.Datasets
	// Formations follow the world's Audiences; nil: there are none.
	Formations func() audience.Formations
	LookUp     audience.Searcher // what a search for an Audience finds
}

// Open makes a world as a test wants it.
func Open(t testing.TB, o Options) *World {
	t.Helper()
	dir := t.TempDir()
	c := clock.Hold(Start)
	rows, err := sqlite.Open(t.Context(), filepath.Join(dir, "records.db"), sqlite.Options{Clock: c, CursorKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rows.Close() })
	var store records.Store = rows
	if o.Wrap != nil {
		store = o.Wrap(rows)
	}
	kept, err := folder.Open(filepath.Join(dir, "blobs"), folder.Options{Clock: c, LinkKey: []byte("key of the links of a test world!"), BaseURL: "http://127.0.0.1:8080"})
	if err != nil {
		t.Fatal(err)
	}
	var files blobs.Store = kept
	if o.WrapBlobs != nil {
		files = o.WrapBlobs(kept)
	}
	if o.Embedder == nil {
		o.Embedder = hashed.New()
	}
	guard, err := fetch.NewGuard(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const url = "http://127.0.0.1:8080"
	w := &World{Clock: c, Store: store, Engine: &Engine{}}
	w.Accounts = account.New(account.Config{Records: store, Clock: c, IDs: clock.RandomIDs{}, Plans: account.DefaultPlans()})
	w.Jobs = jobs.New(store, w.Engine, c, nil)
	library := knowledge.NewLibrary(knowledge.LibraryDeps{Records: store, Blobs: files, Embedder: o.Embedder, Clock: c})
	books := o.Library
	if books == nil {
		books = library
	}
	w.Minds = mind.New(mind.Deps{
		Records: store, Blobs: files, Clock: c, IDs: clock.RandomIDs{}, Accounts: w.Accounts, Jobs: w.Jobs,
		Library: books, Respondents: o.Respondents, Model: o.Model, Patterns: o.Patterns, Guard: guard, PublicURL: url,
	})
	w.Uploads = upload.New(upload.Deps{Records: store, Blobs: files, Clock: c, IDs: clock.RandomIDs{}, Key: []byte("key of the uploads of a test world"), PublicURL: url})
	w.Knowledge = knowledge.New(knowledge.Deps{
		Records: store, Blobs: files, Clock: c, IDs: clock.RandomIDs{}, Accounts: w.Accounts, Jobs: w.Jobs,
		Minds: w.Minds, Library: library, Embedder: o.Embedder, Pages: o.Pages, Search: o.Search, Model: o.Model, PublicURL: url,
		Uploads: w.Uploads, Check: o.Check,
	})
	w.Audiences = audience.New(audience.Deps{
		Records: store, Blobs: files, Clock: c, IDs: clock.RandomIDs{}, Accounts: w.Accounts, Minds: w.Minds, Jobs: w.Jobs, PublicURL: url,
		Formations: o.Formations,
		CopyKnowledge: func(ctx context.Context, from mind.Mind, toID, toOwner string) ([]mind.KnowledgeRef, int, error) {
			return w.Knowledge.CopyTo(ctx, from, toID, toOwner)
		},
		ForgetKnowledge: func(ctx context.Context, mindID string) error { return w.Knowledge.DeleteOf(ctx, mindID) },
		Files:           stored{w.Uploads}, Pages: o.Pages, Check: o.Check, Datasets: o.Datasets, Search: o.LookUp,
	})
	w.Blobs = files
	w.Training = training.New(training.Deps{
		Minds: w.Minds, Knowledge: w.Knowledge, Accounts: w.Accounts, Blobs: files, Clock: c, Forget: w.Audiences.Forget, Draw: Sketch, Searches: o.Search != nil,
	})
	return w
}

// stored are the uploads of a world.
type stored struct{ uploads *upload.Service }

// Open gives an upload by its address.
func (s stored) Open(ctx context.Context, address string) (io.ReadCloser, string, bool, error) {
	at, ok := s.uploads.Path(address)
	if !ok {
		return nil, "", false, nil
	}
	in, f, err := s.uploads.Open(ctx, at)
	return in, f.Type, true, err
}

// Sketch stands for the drawing of portraits, which takes its time.
func Sketch(s portrait.Spec) (portrait.Picture, error) {
	return portrait.Picture{PNG: []byte("png of " + s.Seed), SVG: []byte("<svg>" + s.Seed + s.Context + "</svg>"), Alt: "Generated portrait of " + s.Name, Version: "sketch"}, nil
}

// As gives the context of a new account of this name and plan.
func (w *World) As(t testing.TB, name string, plan account.Plan) context.Context {
	t.Helper()
	secret, _, err := w.Accounts.CreateKey(t.Context(), name, plan, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := w.Accounts.Authenticate(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	return account.With(t.Context(), p)
}

// Run takes every started job through its steps.
func (w *World) Run(t testing.TB) {
	t.Helper()
	for _, s := range w.Engine.Take() {
		if err := w.Step(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}

// Step runs one job as its machine would.
func (w *World) Step(ctx context.Context, s Started) error {
	var in struct {
		Job, Workspace, Account, Mind, Item, Operation, Audience string
		Minds                                                    []string
	}
	if err := json.Unmarshal(s.Input, &in); err != nil {
		return err
	}
	p, err := w.Accounts.Internal(ctx, in.Workspace, in.Account) // under the plan of that moment, as every host does
	switch {
	case err != nil && !errors.Is(err, records.ErrNotFound):
		return err
	case err != nil:
		p = account.Principal{Account: in.Account, Workspace: in.Workspace, Scopes: []string{"*"}, Method: "internal"}
	}
	ctx = account.With(ctx, p)
	switch s.Machine {
	case mind.Machine:
		return w.train(ctx, in.Mind, in.Job)
	case mind.PortraitMachine:
		return w.Training.Portrait(ctx, in.Mind, in.Job)
	case mind.EmbeddingsMachine:
		return w.reembed(ctx, in.Mind, in.Job)
	case mind.DeleteMachine:
		_, err := w.Training.Clean(ctx, in.Job, in.Minds)
		return err
	case knowledge.Machine:
		return w.Knowledge.Ingest(ctx, in.Mind, in.Item, in.Job)
	case knowledge.SearchMachine:
		return w.search(ctx, in.Mind, in.Job)
	}
	if s.Machine == audience.CreationMachine {
		return w.make(ctx, audience.CreationJob{Job: in.Job, Workspace: in.Workspace, Account: in.Account, Operation: in.Operation})
	}
	if s.Machine == audience.RecalibrationMachine || s.Machine == audience.ResearchMachine {
		return w.change(ctx, audience.RecalibrationJob{Job: in.Job, Workspace: in.Workspace, Account: in.Account, Audience: in.Audience})
	}
	switch s.Machine {
	case audience.DuplicateMachine:
		return w.until(func() (bool, error) {
			return w.Audiences.CopyMembers(ctx, audience.DuplicateJob{Job: in.Job, Workspace: in.Workspace, Account: in.Account, Audience: in.Audience})
		})
	case audience.DeleteMachine:
		return w.until(func() (bool, error) {
			c, err := w.Audiences.Clear(ctx, audience.DeleteJob{Job: in.Job, Workspace: in.Workspace, Account: in.Account, Audience: in.Audience})
			if c.Wait {
				w.Clock.Advance(15 * time.Second)
			}
			return c.Done, err
		})
	}
	return fmt.Errorf("no machine %q", s.Machine)
}

// until calls a step again as long as there is more to do.
func (w *World) until(step func() (done bool, err error)) error {
	for range 10_000 {
		if done, err := step(); done || err != nil {
			return err
		}
	}
	return errors.New("the job never ends")
}

// change runs the steps of a recalibration. While it waits a second passes, and
// what else was started is done.
func (w *World) change(ctx context.Context, j audience.RecalibrationJob) error {
	for range 10_000 {
		s, err := w.Audiences.Step(ctx, j)
		if err != nil || s.Done {
			return err
		}
		if !s.Wait {
			continue
		}
		w.Clock.Advance(time.Second)
		others := w.Engine.Take()
		for i, other := range others {
			if err := w.Step(context.WithoutCancel(ctx), other); err != nil {
				w.Engine.Return(others[i:]...) // a host's engine loses none
				return err
			}
		}
	}
	return errors.New("the recalibration never ends")
}

// make runs the steps of a creation from a brief as its machine orders them.
func (w *World) make(ctx context.Context, j audience.CreationJob) error {
	for {
		done, err := w.Audiences.ReadMaterial(ctx, j)
		if err != nil {
			return err
		}
		if done {
			break
		}
	}
	kind, err := w.Audiences.Compose(ctx, j)
	if err != nil || kind != audience.KindCreation {
		return err
	}
	for {
		done, err := w.Audiences.WriteMembers(ctx, j)
		if err != nil {
			return err
		}
		if done {
			return w.Audiences.Finish(ctx, j)
		}
	}
}

// search runs the steps of a keyword search as its machine orders them.
func (w *World) search(ctx context.Context, mindID, job string) error {
	items, err := w.Knowledge.SearchNow(ctx, mindID, job)
	if err != nil {
		return err
	}
	for _, item := range items {
		if err := w.Knowledge.IngestNow(ctx, mindID, item, job); err != nil {
			return err
		}
	}
	return w.Knowledge.EndSearch(ctx, mindID, job)
}

// train runs the steps of a training as its machine orders them.
func (w *World) train(ctx context.Context, mindID, job string) error {
	c, err := w.Training.Collect(ctx, mindID, job)
	if err != nil {
		return err
	}
	for i, item := range c.Items {
		if _, err := w.Training.Ingest(ctx, mindID, job, item, i, len(c.Items)); err != nil {
			return err
		}
	}
	if c.Rebuild {
		if err := w.reembed(ctx, mindID, job); err != nil {
			return err
		}
	}
	if err := w.Training.Prompt(ctx, mindID, job); err != nil {
		return err
	}
	return w.Training.Portrait(ctx, mindID, job)
}

func (w *World) reembed(ctx context.Context, mindID, job string) error {
	for at := (training.Reembedded{}); !at.Done; {
		var err error
		if at, err = w.Training.Reembed(ctx, mindID, job, at.Cursor); err != nil {
			return err
		}
	}
	return nil
}

// Started is one execution that was asked for.
type Started struct {
	Machine, Name string
	Input         json.RawMessage
}

// Engine remembers what was started, each name once.
type Engine struct {
	mu      sync.Mutex
	Down    error // given back by Start, which then starts nothing
	seen    map[string]bool
	waiting []Started
	Stopped []string
}

// Start remembers the execution.
func (e *Engine) Start(_ context.Context, machine, name string, input json.RawMessage) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.Down != nil {
		return e.Down
	}
	if e.seen == nil {
		e.seen = map[string]bool{}
	}
	if !e.seen[name] {
		e.seen[name] = true
		e.waiting = append(e.waiting, Started{machine, name, input})
	}
	return nil
}

// Take gives what was started since the last Take.
func (e *Engine) Take() []Started {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := e.waiting
	e.waiting = nil
	return out
}

// Return puts back what was taken and not ended.
func (e *Engine) Return(started ...Started) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waiting = append(started, e.waiting...)
}

// Stop remembers the name.
func (e *Engine) Stop(_ context.Context, _, name, _ string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Stopped = append(e.Stopped, name)
	return nil
}

// Describe knows nothing.
func (e *Engine) Describe(context.Context, string, string) (workflow.Execution, error) {
	return workflow.Execution{}, workflow.ErrNotFound
}

// Succeed knows no token.
func (e *Engine) Succeed(context.Context, string, json.RawMessage) error {
	return workflow.ErrTokenClosed
}

// Fail knows no token.
func (e *Engine) Fail(context.Context, string, string, string) error { return workflow.ErrTokenClosed }
