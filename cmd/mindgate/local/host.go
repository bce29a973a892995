package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mindgate-dev/mindgate/functions/host"
	jobtasks "github.com/mindgate-dev/mindgate/functions/jobs"
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs/folder"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/fixtures"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/idempotency/boot"
	"github.com/mindgate-dev/mindgate/shared/mail"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/open"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/secrets"
	secretsfile "github.com/mindgate-dev/mindgate/shared/secrets/file"
	"github.com/mindgate-dev/mindgate/shared/secrets/rows"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/webpage"
	"github.com/mindgate-dev/mindgate/shared/websearch"
	"github.com/mindgate-dev/mindgate/shared/workflow"
	engine "github.com/mindgate-dev/mindgate/shared/workflow/local"
	"github.com/mindgate-dev/mindgate/statemachines"
)

// sweepEvery is how often left jobs, expired rows, old steps and unfinished
// files are looked for.
const sweepEvery = time.Minute

// keepSteps is how long the steps of an ended execution stay for whoever looks
// into it; the execution itself stays for good.
const keepSteps = 7 * 24 * time.Hour

// linkLabel is the label of the key that signs download links.
const linkLabel = "blob links v1"

// stateLabel is the label of the key that signs what a fixture gives a client
// to carry.
const stateLabel = "fixture state v1"

// Options of a host.
type Options struct {
	Dir        string
	PublicURL  string // without a slash at the end
	SecretKey  string // MINDGATE_SECRET_KEY; empty: the folder's own key
	Plans      account.Plans
	FetchAllow []string
	Search     websearch.Config
	Embeddings Embeddings
	Model      Model
	Mail       mail.Sender // delivers invitations; nil: nobody is written to
	// Connections lets teams connect models of their own.
	Connections bool
	Fixtures    bool        // serve the test-only catalogue too (MINDGATE_FIXTURES)
	Clock       clock.Clock // nil is the system's
	IDs         clock.IDs   // nil is random
	Log         *slog.Logger
}

// Host is a data folder at work. Open it, let RunJobs run beside the surfaces,
// Close it.
type Host struct {
	Research *research.Research
	Blobs    *folder.Store
	Keys     *secrets.Ring
	Clock    clock.Clock
	IDs      clock.IDs
	Log      *slog.Logger
	Dir      string // absolute
	Answers  string // who answers and what finds knowledge, in words for a start-up line

	ended    atomic.Pointer[error] // why the jobs of this process ended
	store    *sqlite.Store
	engine   *engine.Engine
	run      *boot.Run // of this process, so that others can tell when it is over
	label    holder
	fixtures *fixtures.Fixtures // nil: not served
}

// Open opens every store of the folder, and makes what is not there.
func Open(ctx context.Context, o Options) (*Host, error) {
	dir, err := prepare(o.Dir)
	if err != nil {
		return nil, err
	}
	h := &Host{Dir: dir, Clock: o.Clock, IDs: o.IDs, Log: o.Log}
	if h.Clock == nil {
		h.Clock = clock.System{}
	}
	if h.IDs == nil {
		h.IDs = clock.RandomIDs{}
	}
	if h.Log == nil {
		h.Log = slog.New(slog.DiscardHandler)
	}
	h.label = holder{PID: os.Getpid(), Address: o.PublicURL, Since: h.Clock.Now()}
	if err := h.open(ctx, o); err != nil {
		return nil, advise(dir, errors.Join(err, h.Close()))
	}
	return h, nil
}

func (h *Host) open(ctx context.Context, o Options) (err error) {
	if h.Keys, err = secretsfile.Open(h.Dir, o.SecretKey); err != nil {
		return err
	}
	if h.store, err = sqlite.Open(ctx, filepath.Join(h.Dir, recordsFile), sqlite.Options{
		Clock: h.Clock, CursorKey: h.Keys.Derive(host.CursorLabel, 32),
	}); err != nil {
		return err
	}
	if h.Blobs, err = folder.Open(filepath.Join(h.Dir, blobsFolder), folder.Options{
		Clock: h.Clock, LinkKey: h.Keys.Derive(linkLabel, 32), BaseURL: o.PublicURL, Log: h.Log,
	}); err != nil {
		return err
	}
	machines, err := statemachines.All()
	if err != nil {
		return err
	}
	// The tasks need the domain and the domain needs the engine: the engine gets
	// the map first and its entries before it runs.
	tasks := workflow.Tasks{}
	if o.Fixtures {
		maps.Copy(machines, fixtures.Machines())
	}
	if h.engine, err = engine.Open(ctx, engine.Options{
		Path: filepath.Join(h.Dir, workflowFile), Machines: machines, Tasks: tasks, Clock: h.Clock, Logger: h.Log,
	}); err != nil {
		return err
	}
	if h.run, err = boot.Start(filepath.Join(h.Dir, runsFolder), h.IDs.NewID()); err != nil {
		return err
	}
	guard, err := fetch.NewGuard(fetch.Options{Allow: o.FetchAllow})
	if err != nil {
		return err
	}
	search, err := websearch.Open(o.Search, guard, h.Clock)
	if err != nil {
		return err
	}
	embedder, err := h.embedder(ctx, o.Embeddings, guard)
	if err != nil {
		return err
	}
	platform, err := h.model(ctx, o.Model, guard)
	if err != nil {
		return err
	}
	h.Answers = answersBy(platform, search, embedder)
	h.Research = research.New(research.Deps{
		Records: h.store, Blobs: h.Blobs, Workflow: h.engine, Clock: h.Clock, IDs: h.IDs,
		Respondents: simulate.NewOffline(simulate.WithEmbedder(embedder)), Guard: guard, PublicURL: o.PublicURL,
		Embedder: embedder, Search: search, Pages: webpage.New(fetch.NewClient(guard, fetch.Limits{}), webpage.Options{Clock: h.Clock}),
		TicketKey: h.Keys.Derive(host.TicketLabel, 32), Plans: o.Plans, Log: h.Log,
		Mail: o.Mail, Model: platform, OpenModel: open.New(open.Options{Guard: guard, Clock: h.Clock}),
		Connections: o.Connections, Vault: rows.New(h.store, h.Keys), Boot: h.run.ID(), BootEnded: h.run.Ended,
	})
	maps.Copy(tasks, jobtasks.Tasks(h.Research))
	if !o.Fixtures {
		return nil
	}
	if h.fixtures, err = fixtures.New(fixtures.Deps{
		Records: h.store, Idempotency: idempotency.New(h.store, idempotency.Options{Clock: h.Clock, IDs: h.IDs}), Jobs: h.Research.Jobs,
		Clock: h.Clock, IDs: h.IDs, StateKey: h.Keys.Derive(stateLabel, 32),
	}); err != nil {
		return err
	}
	maps.Copy(tasks, h.fixtures.Tasks())
	return nil
}

// Close gives the files back. RunJobs must have returned.
func (h *Host) Close() error {
	var errs []error
	if h.engine != nil {
		errs = append(errs, h.engine.Close())
	}
	if h.store != nil {
		errs = append(errs, h.store.Close())
	}
	if h.run != nil {
		errs = append(errs, h.run.Close())
	}
	return errors.Join(errs...)
}

// RunJobs waits until this process holds the folder's jobs, then runs them and
// sweeps until ctx ends. Several processes of one folder may call it: one of
// them works, and another takes over when that one goes.
func (h *Host) RunJobs(ctx context.Context) error {
	held, err := waitForJobs(ctx, h.Dir, h.label)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	defer func() {
		if err := held.Unlock(); err != nil {
			h.Log.WarnContext(ctx, "jobs lock not released", "error", err)
		}
	}()
	h.Log.InfoContext(ctx, "this process runs the jobs", "folder", h.Dir)
	// The sweeper ends with the engine: without it there is nothing to sweep
	// for, and the lock must go to a process that can work.
	sweeping, endSweeping := context.WithCancel(ctx)
	defer endSweeping()
	var sweeper sync.WaitGroup
	sweeper.Go(func() { h.sweep(sweeping) })
	err = h.engine.Run(ctx)
	endSweeping()
	sweeper.Wait()
	if ctx.Err() != nil {
		return nil
	}
	err = fmt.Errorf("the jobs of %s stopped: %w", h.Dir, err)
	h.ended.Store(&err)
	h.Log.ErrorContext(ctx, "jobs stopped", "error", err)
	return err
}

// Ready is nil while calls are served and jobs run, here or in another process
// of the folder; else a sentence for operators that says why not.
func (h *Host) Ready() error {
	switch err := h.engine.Trouble(); {
	case errors.Is(err, sqlite.ErrDiskFull):
		return errors.New("jobs stand still: the disk of the data folder is full; free some space, they go on by themselves")
	case errors.Is(err, sqlite.ErrBusy):
		return errors.New("jobs stand still: another program holds workflow.db of the data folder; stop it, they go on by themselves")
	case sqlite.Passing(err):
		return errors.New("jobs stand still: workflow.db of the data folder cannot be read or written now; look at the disk and the log, they go on by themselves")
	case err != nil || h.ended.Load() != nil:
		return errors.New("jobs have ended: workflow.db of the data folder is damaged or was changed by another program; look at the log, then start again")
	}
	return nil
}

// sweep starts what a crash left queued, fails what is past its deadline and
// clears away what is over: at the start, then each minute.
func (h *Host) sweep(ctx context.Context) {
	expired := jobtasks.Expired(h.Research)
	if h.fixtures != nil {
		maps.Copy(expired, h.fixtures.Expired())
	}
	// Nobody may have run the jobs for a while; starting one twice is no harm.
	failed := 0
	started, err := h.Research.Jobs.TakeOver(ctx)
	for {
		if err != nil && ctx.Err() == nil {
			h.Log.ErrorContext(ctx, "sweep of jobs", "error", err)
		}
		if started+failed > 0 {
			h.Log.InfoContext(ctx, "sweep of jobs", "started", started, "failed", failed)
		}
		h.clear(ctx)
		if h.Clock.Sleep(ctx, sweepEvery) != nil {
			return
		}
		started, failed, err = h.Research.Jobs.Sweep(ctx, expired)
	}
}

// clear removes expired rows, the files of expired exports, the steps of
// executions that ended long ago, and files that a killed process was writing.
func (h *Host) clear(ctx context.Context) {
	now := h.Clock.Now()
	for ctx.Err() == nil {
		n, err := h.store.Sweep(ctx, now)
		if err != nil && ctx.Err() == nil {
			h.Log.ErrorContext(ctx, "sweep of expired rows", "error", err)
		}
		if n == 0 || err != nil {
			break
		}
	}
	if _, err := h.Research.Exports.Sweep(ctx); err != nil && ctx.Err() == nil {
		h.Log.ErrorContext(ctx, "sweep of expired exports", "error", err)
	}
	if err := h.Research.Clear(ctx); err != nil && ctx.Err() == nil {
		h.Log.ErrorContext(ctx, "sweep of deleted chats and revoked connections", "error", err)
	}
	if _, err := h.engine.Prune(ctx, now.Add(-keepSteps)); err != nil && ctx.Err() == nil {
		h.Log.ErrorContext(ctx, "sweep of old steps", "error", err)
	}
	if err := h.Blobs.Sweep(); err != nil {
		h.Log.ErrorContext(ctx, "sweep of unfinished files", "error", err)
	}
}

// Accounts opens the accounts of a folder alone, for commands beside a running
// server. Close when done.
func Accounts(ctx context.Context, dir string) (*account.Service, func(), error) {
	dir, err := prepare(dir)
	if err != nil {
		return nil, nil, err
	}
	ring, err := secretsfile.Open(dir, os.Getenv("MINDGATE_SECRET_KEY"))
	if err != nil {
		return nil, nil, advise(dir, err)
	}
	store, err := sqlite.Open(ctx, filepath.Join(dir, recordsFile), sqlite.Options{CursorKey: ring.Derive(host.CursorLabel, 32)})
	if err != nil {
		return nil, nil, advise(dir, err)
	}
	a := account.New(account.Config{Records: store, Clock: clock.System{}, IDs: clock.RandomIDs{}, Plans: account.DefaultPlans()})
	return a, func() { _ = store.Close() }, nil
}

// answersBy says in a line what answers and what finds knowledge.
func answersBy(platform model.Client, search websearch.Provider, embedder embed.Embedder) string {
	who := "offline engine (no model set)"
	if platform != nil {
		who = platform.Info().Provider + " " + platform.Info().Model
	}
	web := "no web research"
	if search != nil {
		web = "web research by " + search.Name()
	}
	return who + "; knowledge found by " + embedder.Space().String() + "; " + web
}
