// Package research ties the services of synthetic research together: Minds,
// knowledge, Audiences, Studies and exports, over one set of stores.
package research

import (
	"context"
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/chat"
	"github.com/mindgate-dev/mindgate/shared/research/connection"
	"github.com/mindgate-dev/mindgate/shared/research/export"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/study"
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
}

// Research is the domain, whole.
type Research struct {
	Accounts  *account.Service
	Minds     *mind.Service
	Knowledge *knowledge.Service
	Audiences *audience.Service
	Studies   *study.Service
	Exports   *export.Service
	Jobs      *jobs.Service

	Connections *connection.Service
	Chats       *chat.Service
}

// New wires the services.
func New(d Deps) *Research {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	accounts := account.New(account.Config{Records: d.Records, Clock: d.Clock, IDs: d.IDs, Plans: d.Plans, Log: d.Log})
	queue := jobs.New(d.Records, d.Workflow, d.Clock, d.Log)
	library := knowledge.NewLibrary(d.Records)
	connections := connection.New(connection.Deps{
		Enabled: d.Connections, Records: d.Records, Clock: d.Clock, IDs: d.IDs, Accounts: accounts, Vault: d.Vault,
		Guard: d.Guard, Open: d.OpenModel, Platform: d.Model, Offline: d.Respondents, Log: d.Log,
	})
	minds := mind.New(mind.Deps{
		Records: d.Records, Clock: d.Clock, IDs: d.IDs, Accounts: accounts, Jobs: queue,
		Library: library, Respondents: d.Respondents, Answerers: connections, Guard: d.Guard, PublicURL: d.PublicURL, Log: d.Log,
	})
	audiences := audience.New(audience.Deps{
		Records: d.Records, Clock: d.Clock, IDs: d.IDs, Accounts: accounts,
		Minds: minds, PublicURL: d.PublicURL, Log: d.Log,
	})
	studies := study.New(study.Deps{
		Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Accounts: accounts,
		Minds: minds, Audiences: audiences, Jobs: queue, Respondents: d.Respondents,
		Guard: assets{d.Guard}, PublicURL: d.PublicURL, ReplyBytes: d.ReplyBytes, Log: d.Log,
	})
	chats := chat.New(chat.Deps{
		Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Accounts: accounts, Minds: minds,
		Audiences: audiences, Studies: studies, Answerers: connections, Model: d.Model, ReplyBytes: d.ReplyBytes, Log: d.Log,
	})
	return &Research{
		Accounts: accounts,
		Jobs:     queue,
		Minds:    minds,
		Knowledge: knowledge.New(knowledge.Deps{
			Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Accounts: accounts, Jobs: queue,
			Minds: minds, Library: library, PublicURL: d.PublicURL, Log: d.Log,
		}),
		Audiences:   audiences,
		Studies:     studies,
		Connections: connections,
		Chats:       chats,
		Exports: export.New(export.Deps{
			Records: d.Records, Blobs: d.Blobs, Clock: d.Clock, IDs: d.IDs, Accounts: accounts,
			Studies: studies, Jobs: queue, PublicURL: d.PublicURL, TicketKey: d.TicketKey, Log: d.Log,
		}),
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
