// Package research ties the services of synthetic research together: Minds,
// knowledge, Audiences, Studies and exports, over one set of stores.
package research

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/mail"
	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/attach"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/chat"
	"github.com/mindgate-dev/mindgate/shared/research/connection"
	"github.com/mindgate-dev/mindgate/shared/research/dataset"
	"github.com/mindgate-dev/mindgate/shared/research/export"
	"github.com/mindgate-dev/mindgate/shared/research/formation"
	"github.com/mindgate-dev/mindgate/shared/research/heatmap"
	"github.com/mindgate-dev/mindgate/shared/research/invite"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/lifecycle"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/plandraft"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/research/snapshot"
	"github.com/mindgate-dev/mindgate/shared/research/sourceimport"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/research/studydraft"
	"github.com/mindgate-dev/mindgate/shared/research/summary"
	"github.com/mindgate-dev/mindgate/shared/research/template"
	"github.com/mindgate-dev/mindgate/shared/research/training"
	"github.com/mindgate-dev/mindgate/shared/research/upload"
	"github.com/mindgate-dev/mindgate/shared/secrets"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/webpage"
	"github.com/mindgate-dev/mindgate/shared/websearch"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// Deps is what the services work with; a host fills it once.
type Deps struct {
	Records     records.Store
	Blobs       blobs.Store
	Workflow    workflow.Engine
	Clock       clock.Clock
	IDs         clock.IDs
	Respondents simulate.Respondents
	Guard       *fetch.Guard
	Search      websearch.Provider // finds sources; nil: nothing is researched
	Pages       *webpage.Getter    // gets sources
	Embedder    embed.Embedder     // finds passages by their meaning; nil: by their words alone
	PublicURL   string             // without a trailing slash; links are built from it
	TicketKey   []byte             // signs download addresses; none: they need the credential
	ReplyBytes  int                // most JSON that one reply may hold; 0 is 3 MiB
	Plans       account.Plans
	Log         *slog.Logger

	// Connections of teams to models of their own: off, every operation of them is
	// FEATURE_DISABLED. Vault keeps their keys, OpenModel makes a client of one.
	Connections bool
	Vault       secrets.Vault
	OpenModel   model.Opener
	// Model is the model of the installation, for whoever names no connection;
	// nil: everything runs on Respondents.
	Model model.Client
	// Mail delivers invitations; nil: nobody is written to, and callers are told.
	Mail mail.Sender
	// EventPoll is how often an open stream of events looks for those of other
	// processes; 0 is every five seconds.
	EventPoll time.Duration
	// Boot names this run of the process and BootEnded tells which runs are over,
	// so that what a killed one held is free at once; without them only time frees it.
	Boot      string
	BootEnded func(boot string) bool
}

// Research is the domain, whole.
type Research struct {
	Accounts  *account.Service
	Minds     *mind.Service
	Knowledge *knowledge.Service
	Uploads   *upload.Service
	Sources   *sourceimport.Service
	Datasets  *dataset.Service
	Audiences *audience.Service
	Studies   *study.Service
	Exports   *export.Service
	Summaries *summary.Service
	// Formations are splits of Audiences.
	Formations *formation.Service
	Jobs       *jobs.Service
	Training   *training.Service
	Blobs      blobs.Store

	Connections *connection.Service
	Chats       *chat.Service
	Drafts      *studydraft.Service // Studies that are planned and not launched
	Invitations *invite.Service     // ask people to Studies
	Templates   *template.Service   // instruments to use again
	Plans       *plandraft.Service  // drafts of research plans, before anyone is asked
	Runs        *run.Service        // confirmed plans, carried out
	Snapshots   *snapshot.Store
	Brought     *attach.Service  // reads what comes along with messages and questions
	Heatmaps    *heatmap.Service // where on a picture of a question attention goes
	Events      *lifecycle.Service
}

// New wires the services.
func New(d Deps) *Research {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	accounts := account.New(account.Config{Records: d.Records, Clock: d.Clock, IDs: d.IDs, Plans: d.Plans, Log: d.Log})
	queue := jobs.New(d.Records, d.Workflow, d.Clock, d.Log)
	library := knowledge.NewLibrary(knowledge.LibraryDeps{Records: d.Records, Blobs: d.Blobs, Embedder: d.Embedder, Clock: d.Clock})
	uploads := upload.New(upload.Deps{Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Key: d.TicketKey, PublicURL: d.PublicURL, Log: d.Log})
	sources := sourceimport.New(sourceimport.Deps{Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, Uploads: uploads})
	sets := dataset.New(dataset.Deps{
		Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Accounts: accounts, Jobs: queue,
		Files: files{uploads, sources}, Pages: downloads(d.Pages), Check: addresses(d.Guard), Log: d.Log,
	})
	connections := connection.New(connection.Deps{
		Enabled: d.Connections, Records: d.Records, Clock: d.Clock, IDs: d.IDs, Accounts: accounts, Vault: d.Vault,
		Guard: d.Guard, Open: d.OpenModel, Platform: d.Model, Offline: d.Respondents, Log: d.Log,
		Answer: func(c model.Client) simulate.Respondents { return answer.New(c, answer.Options{Embedder: d.Embedder}) },
	})
	events := lifecycle.New(lifecycle.Deps{Records: d.Records, Clock: d.Clock, IDs: d.IDs, Poll: d.EventPoll, Log: d.Log})
	var known *knowledge.Service // knows Minds, and Minds ask it for patterns
	minds := mind.New(mind.Deps{
		Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Accounts: accounts, Jobs: queue, Model: d.Model,
		Patterns: func(ctx context.Context, mindID string, limit int) ([]mind.Pattern, error) {
			return newestPatterns(ctx, known, mindID, limit)
		},
		Library: library, Respondents: d.Respondents, Answerers: connections, Guard: d.Guard, PublicURL: d.PublicURL, Log: d.Log,
		Notify: func(ctx context.Context, workspace, account string, ids ...string) {
			events.Notify(ctx, workspace, account, lifecycle.Minds, ids...)
		},
	})
	var splits *formation.Service // know Audiences, and follow them
	audiences := audience.New(audience.Deps{
		Formations: func() audience.Formations { return splits },
		CopyKnowledge: func(ctx context.Context, from mind.Mind, toID, toOwner string) ([]mind.KnowledgeRef, int, error) {
			return known.CopyTo(ctx, from, toID, toOwner)
		},
		ForgetKnowledge: func(ctx context.Context, mindID string) error { return known.DeleteOf(ctx, mindID) },
		Records:         d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Accounts: accounts,
		Minds: minds, Jobs: queue, PublicURL: d.PublicURL, Log: d.Log,
		Notify: func(ctx context.Context, workspace, account string, draft bool, ids ...string) {
			domain := lifecycle.Audiences
			if draft {
				domain = lifecycle.Drafts
			}
			events.Notify(ctx, workspace, account, domain, ids...)
		},
		Files: files{uploads, sources}, Pages: sites(d.Pages), Check: reachable(d.Guard), Search: searches(d.Search, func() *knowledge.Service { return known }),
		Model:    reads(d.Model),
		Datasets: observed{sets},
	})
	attached := attach.New(files{uploads, sources}, web(d.Guard))
	var plans *plandraft.Service // know Studies, and go with them
	var runs *run.Service
	var heatmaps *heatmap.Service
	studies := study.New(study.Deps{
		Planned: func() study.Planned { return runs },
		Behind: func() []study.Follower {
			return []study.Follower{
				runs.DeleteOf,
				func(ctx context.Context, ws, id string) (bool, error) { return true, plans.DeleteOf(ctx, ws, id) },
				func(ctx context.Context, ws, id string) (bool, error) { return true, heatmaps.DeleteOf(ctx, ws, id) },
			}
		},
		Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Accounts: accounts,
		Minds: minds.Team(), Audiences: audiences.Team(), Leases: audiences, Jobs: queue, Respondents: d.Respondents, Answerers: connections,
		Guard: assets{d.Guard}, Brought: attached, PublicURL: d.PublicURL, ReplyBytes: d.ReplyBytes, Log: d.Log,
	})
	splits = formation.New(formation.Deps{
		Records: d.Records, Clock: d.Clock, IDs: d.IDs, Accounts: accounts, Minds: minds, Audiences: audiences, Jobs: queue,
		Answerers: connections, Respondents: d.Respondents, Log: d.Log,
	})
	chats := chat.New(chat.Deps{
		Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Accounts: accounts, Minds: minds,
		Audiences: audiences, Studies: studies, Answerers: connections, Model: d.Model, ReplyBytes: d.ReplyBytes,
		Boot: d.Boot, BootEnded: d.BootEnded, Log: d.Log,
	})
	known = knowledge.New(knowledge.Deps{
		Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Accounts: accounts, Jobs: queue,
		Minds: minds, Library: library, Uploads: uploads, Check: addresses(d.Guard), Pages: pages(d.Pages), Search: d.Search,
		Embedder: d.Embedder, Model: d.Model, PublicURL: d.PublicURL, Log: d.Log,
	})
	shots := snapshot.New(snapshot.Deps{Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Log: d.Log})
	plans = plandraft.New(plandraft.Deps{Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Studies: studies, Guard: assets{d.Guard}, Writer: writes(d.Model), Log: d.Log})
	runs = run.New(run.Deps{
		Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Accounts: accounts, Jobs: queue,
		Studies: studies, Minds: minds.Team(), Drafts: confirmable{plans}, Leases: audiences, Formations: splits, Calculate: method.Calculate, PublicURL: d.PublicURL, Log: d.Log,
	})
	heatmaps = heatmap.New(heatmap.Deps{
		Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Accounts: accounts,
		Studies: studies, Minds: minds.Team(), Jobs: queue, Path: uploads.Path, Log: d.Log,
	})
	drafts := studydraft.New(studydraft.Deps{Records: d.Records, Clock: d.Clock, IDs: d.IDs, Snapshots: shots, ReplyBytes: d.ReplyBytes, Log: d.Log})
	return &Research{
		Snapshots:   shots,
		Drafts:      drafts,
		Invitations: invite.New(invite.Deps{Studies: studies, Accounts: accounts, Mail: d.Mail, Log: d.Log}),
		Templates: template.New(template.Deps{
			Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Accounts: accounts, Snapshots: shots, Drafts: drafts,
			Files: files{uploads, sources}, Check: shown(d.Guard), ReplyBytes: d.ReplyBytes, Log: d.Log,
		}),
		Plans:     plans,
		Runs:      runs,
		Accounts:  accounts,
		Jobs:      queue,
		Summaries: summary.New(summary.Deps{Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, Studies: studies, Planned: runs, Model: d.Model, Log: d.Log}),
		Minds:     minds,
		Knowledge: known,
		Uploads:   uploads,
		Sources:   sources,
		Datasets:  sets,
		Blobs:     d.Blobs,
		Training: training.New(training.Deps{
			Minds: minds, Knowledge: known, Accounts: accounts, Blobs: d.Blobs, Clock: d.Clock, Searches: d.Search != nil,
			Forget:   audiences.Forget,
			Cleaners: []func(context.Context, string) error{chats.DeleteOf},
			Log:      d.Log,
		}),
		Audiences:   audiences,
		Studies:     studies,
		Connections: connections,
		Chats:       chats,
		Brought:     attached,
		Events:      events,
		Heatmaps:    heatmaps,
		Formations:  splits,
		Exports: export.New(export.Deps{
			Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Accounts: accounts,
			Studies: studies, Planned: runs, Jobs: queue, PublicURL: d.PublicURL, TicketKey: d.TicketKey, Log: d.Log,
		}),
	}
}

// Clear removes uploads and reviews of data sets whose time is over, and what a
// break left of deleted chats, revoked connections, knowledge and drafts, and gives back responses that were
// taken for replies that never came. Hosts call it every minute.
func (r *Research) Clear(ctx context.Context) error {
	_, chats := r.Chats.Sweep(ctx)
	_, keys := r.Connections.Sweep(ctx)
	_, files := r.Uploads.Sweep(ctx)
	_, sets := r.Datasets.Sweep(ctx)
	_, advances := r.Accounts.SweepAdvances(ctx)
	_, loose := r.Snapshots.Sweep(ctx)
	return errors.Join(loose, chats, keys, files, sets, advances, r.Knowledge.Sweep(ctx))
}

// maxRaw bounds a list of raw patterns.
const maxRaw = 1000

// RawPatterns gives the newest patterns of a Mind of the caller, at most 1,000.
func (r *Research) RawPatterns(ctx context.Context, mindID string) ([]knowledge.Pattern, error) {
	var all []knowledge.Pattern
	for {
		page, total, err := r.Knowledge.Patterns(ctx, mindID, 100, len(all))
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) == 0 || len(all) >= min(total, maxRaw) {
			return all, nil
		}
	}
}

// SharedPattern is a pattern as it is shown to who has the link of its Mind: what it
// is about, and not the quote.
type SharedPattern struct {
	ID        int64   `json:"id"`
	Aspect    string  `json:"aspect"`
	SubAspect *string `json:"subAspect"`
	Mind      string  `json:"mind"` // the Mind's id
}

// SharedPatterns is RawPatterns for whoever has the share id of the Mind.
// NOT_FOUND once sharing is off (M-4).
func (r *Research) SharedPatterns(ctx context.Context, mindID, shareID string) ([]SharedPattern, error) {
	m, err := r.Minds.Behind(ctx, mindID, shareID)
	if err != nil {
		return nil, err
	}
	owner, err := r.Accounts.Internal(ctx, m.Workspace, m.Owner)
	if err != nil {
		return nil, err
	}
	rows, err := r.RawPatterns(account.With(ctx, owner), m.ID)
	out := make([]SharedPattern, len(rows))
	for i, p := range rows {
		out[i] = SharedPattern{ID: p.ID, Aspect: p.Aspect, SubAspect: p.SubAspect, Mind: p.Mind}
	}
	return out, err
}

// newestPatterns are what a prompt is written from.
func newestPatterns(ctx context.Context, known *knowledge.Service, mindID string, limit int) ([]mind.Pattern, error) {
	found, _, err := known.Patterns(ctx, mindID, limit, 0)
	if err != nil {
		return nil, err
	}
	out := make([]mind.Pattern, len(found))
	for i, p := range found {
		out[i] = mind.Pattern{Aspect: p.Aspect, Quote: p.Quote}
		if p.SubAspect != nil {
			out[i].SubAspect = *p.SubAspect
		}
		if p.ItemID != nil {
			out[i].ItemID = *p.ItemID
		}
	}
	return out, nil
}

// addresses refuses what will never be asked for, before anything is written.
func addresses(guard *fetch.Guard) func(string, bool) error {
	if guard == nil {
		return nil
	}
	return func(rawURL string, file bool) error {
		if file {
			return lookup.About("file.url", guard.CheckAddress(rawURL, fetch.File))
		}
		return lookup.About("link", guard.CheckAddress(rawURL, fetch.Page))
	}
}

// pages is a getter as knowledge takes it; none stays none.
func pages(g *webpage.Getter) knowledge.Getter {
	if g == nil {
		return nil
	}
	return g
}

// reachable refuses what will never be asked for; who asks names the field.
func reachable(guard *fetch.Guard) func(string, bool) error {
	if guard == nil {
		return nil
	}
	return func(rawURL string, file bool) error {
		if file {
			return guard.CheckAddress(rawURL, fetch.File)
		}
		return guard.CheckAddress(rawURL, fetch.Page)
	}
}

// files are what a caller keeps here: uploads, and imported sources.
type files struct {
	uploads *upload.Service
	sources *sourceimport.Service
}

// Ours tells whether an address names an upload or an imported source.
func (f files) Ours(address string) bool {
	_, ok := f.uploads.Path(address)
	return ok || sourceimport.Ours(address)
}

// Open gives a file by its address; stored is false for one of the web.
func (f files) Open(ctx context.Context, address string) (in io.ReadCloser, mediaType string, stored bool, err error) {
	if sourceimport.Ours(address) {
		_, in, err := f.sources.Open(ctx, address)
		return in, "", true, err
	}
	at, ok := f.uploads.Path(address)
	if !ok {
		return nil, "", false, nil
	}
	in, of, err := f.uploads.Open(ctx, at)
	return in, of.Type, true, err
}

// Place takes in a file as if its owner had brought it.
func (f files) Place(ctx context.Context, name, mediaType string, in io.Reader) (path string, err error) {
	return f.uploads.Place(ctx, name, mediaType, in)
}

// shown refuses addresses of what a template shows that will never be asked for.
func shown(guard *fetch.Guard) func(string) error {
	if guard == nil {
		return nil
	}
	return func(rawURL string) error { return guard.CheckAddress(rawURL, fetch.Asset) }
}

// downloads is a getter as data sets take it: with more time, for larger files;
// none stays none.
func downloads(g *webpage.Getter) dataset.Pages {
	if g == nil {
		return nil
	}
	return g.Within(dataset.DownloadTime)
}

// web gets what comes along with messages and questions; without a guard nothing is.
func web(guard *fetch.Guard) attach.Web {
	if guard == nil {
		return nil
	}
	return fetch.NewClient(guard, fetch.Limits{MaxBytes: attach.MaxPicture, Total: attach.Patience})
}

// observed gives creations what the respondents of a data set have in common.
type observed struct{ sets *dataset.Service }

// Observed reads it from the file of a review.
func (o observed) Observed(ctx context.Context, r audience.DatasetRequest) (audience.Observed, error) {
	p, err := o.sets.Observed(ctx, dataset.Request{Name: r.Name, URL: r.URL, Sheet: r.Sheet, Columns: r.Columns}, r.Reviewed)
	if err != nil {
		return audience.Observed{}, err
	}
	return audience.Observed{Pairs: p.Pairs, Evidence: p.Evidence}, nil
}

// sites is a getter as audience takes it; none stays none.
func sites(g *webpage.Getter) audience.Pages {
	if g == nil {
		return nil
	}
	return g
}

// searches looks keywords up as knowledge does; without a provider there is none.
func searches(p websearch.Provider, known func() *knowledge.Service) audience.Searcher {
	if p == nil {
		return nil
	}
	return func(ctx context.Context, keywords []string) ([]audience.Found, []string, error) {
		sources, notes, err := known().Search(ctx, keywords)
		found := make([]audience.Found, len(sources))
		for i, s := range sources {
			found[i] = audience.Found{Link: s.Link, Title: s.Title}
		}
		return found, notes, err
	}
}

// assets checks the addresses of what a Study shows.
type assets struct{ guard *fetch.Guard }

func (a assets) CheckAddress(_ context.Context, rawURL string) error {
	return a.guard.CheckAddress(rawURL, fetch.Asset)
}

type contextKey struct{}

// With puts the domain into the context; a host does this once a call.
func With(ctx context.Context, r *Research) context.Context {
	return context.WithValue(ctx, contextKey{}, r)
}

// From reads the domain. A context without one is a mistake of the host: the
// nil it gives fails at the first use.
func From(ctx context.Context) *Research {
	r, _ := ctx.Value(contextKey{}).(*Research)
	return r
}
