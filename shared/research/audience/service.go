package audience

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Deps is what a Service works with.
type Deps struct {
	Records  records.Store
	Blobs    blobs.Store
	Clock    clock.Clock
	IDs      clock.IDs
	Accounts *account.Service
	Minds    *mind.Service
	Jobs     *jobs.Service
	// Notify is told of Audiences (draft: of operations that make them) that were
	// made, changed or deleted, after the commit; nil: nobody is.
	Notify    func(ctx context.Context, workspace, account string, draft bool, ids ...string)
	PublicURL string
	Log       *slog.Logger

	// Formations follow their Audiences; nil, or giving nil: there are none.
	Formations func() Formations

	// CopyKnowledge gives what a Mind knows to one that is about to be made, and says
	// what that refers to; ForgetKnowledge takes it back. nil: nothing is known.
	CopyKnowledge   func(ctx context.Context, from mind.Mind, toID, toOwner string) (refs []mind.KnowledgeRef, items int, err error)
	ForgetKnowledge func(ctx context.Context, mindID string) error
	// Copied are told of a duplicate whose members are made, such as what keeps
	// finished validations; each may be called again.
	Copied []func(ctx context.Context, from, to Audience, minds map[string]string) error

	// What Audiences are made from; what is nil is not there.
	Files    Files
	Pages    Pages
	Search   Searcher
	Read     Reader // nil: extract.Read
	Check    func(rawURL string, file bool) error
	Model    grounding.Extractor
	Datasets Datasets
}

// Service is what one can do with Audiences.
type Service struct {
	d    Deps
	once *idempotency.Table
}

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Read == nil {
		d.Read = extract.Read
	}
	return &Service{d: d, once: idempotency.New(d.Records, idempotency.Options{Clock: d.Clock, IDs: d.IDs})}
}

// listRow is what a list shows of an Audience, changed in the same transaction.
// Members are read from the record when they are asked for.
type listRow struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"createdAt,omitzero"` // of rows of earlier releases there are no times
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
}

func (a Audience) listRow() listRow { return listRow{a.ID, a.Name, a.CreatedAt, a.UpdatedAt} }

// rows are the actions that write a new Audience: its record and its list row.
// A change of an Audience has to delete the list row at the earlier updatedAt.
func rows(a Audience, cond records.Cond) ([]records.Action, error) {
	body, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	list, err := json.Marshal(a.listRow())
	if err != nil {
		return nil, err
	}
	return []records.Action{
		records.PutItem(records.Item{Key: recordKey(a.Workspace, a.ID), Body: body}, cond),
		records.PutItem(records.Item{Key: listKey(a.Workspace, a.Owner, a.ID, a.UpdatedAt), Body: list}),
	}, nil
}

// owned reads Audiences under the rule of tenancy.
func (s *Service) owned() lookup.Owned[Audience] {
	return lookup.Owned[Audience]{Records: s.d.Records, Kind: "Audience", Key: recordKey, Decode: decode,
		Owner: func(a Audience) string { return a.Owner }}
}

// Get reads an Audience of the caller. NOT_FOUND for what is not there, in
// whatever tenant; FORBIDDEN for one of another member of the caller's workspace.
func (s *Service) Get(ctx context.Context, id string) (Audience, error) {
	return s.owned().Get(ctx, "audienceId", id)
}

// GetMany reads Audiences in the order of ids; what the caller cannot see is
// left out.
func (s *Service) GetMany(ctx context.Context, ids []string) ([]Audience, error) {
	return s.owned().GetMany(ctx, "audienceIds", ids)
}

func decode(it records.Item) (Audience, error) {
	var a Audience
	if err := json.Unmarshal(it.Body, &a); err != nil {
		return Audience{}, err
	}
	a.version = it.Version
	return a, nil
}

// Resolve takes an id, a name, or both; the id wins, and a name that does not
// fit its record is VALIDATION (M-310).
func (s *Service) Resolve(ctx context.Context, id, name string) (Audience, error) {
	if id == "" && name == "" {
		return Audience{}, fault.New(fault.Validation, "Name the Audience: give audienceId or audienceName.")
	}
	if id == "" {
		return s.Find(ctx, name)
	}
	a, err := s.Access(ctx, id, PublicViewer)
	if err != nil {
		return Audience{}, err
	}
	if name != "" && !lookup.Matches(name, a.Name) {
		return Audience{}, fault.New(fault.Validation, "audienceName does not fit the Audience with this audienceId, which is called %q. Send only the one you mean.", a.Name).With("field", "audienceName")
	}
	return a, nil
}

// ListURL is the address of the caller's Audiences.
func (s *Service) ListURL() string { return s.d.PublicURL + "/api/v1/audiences" }

// URL is the address of an Audience.
func (s *Service) URL(id string) string { return s.d.PublicURL + "/api/v1/audiences/" + id }

// Summary gives an Audience as lists show it, with its members when asked.
func (s *Service) Summary(ctx context.Context, a Audience, includeMinds bool) (Summary, error) {
	out, err := s.summaries(ctx, []Audience{a}, includeMinds)
	if err != nil {
		return Summary{}, err
	}
	return out[0], nil
}

// summaries reads the members of all Audiences in one go.
func (s *Service) summaries(ctx context.Context, all []Audience, includeMinds bool) ([]Summary, error) {
	var members map[string]mind.Mind
	if includeMinds {
		var err error
		if members, err = s.mindsOf(ctx, all); err != nil {
			return nil, err
		}
	}
	out := make([]Summary, len(all))
	for i, a := range all {
		out[i] = Summary{State: a.ShownState(), Research: researchOf(a), Base: s.base(ctx, a)}
		if !includeMinds {
			continue
		}
		out[i].Minds = make([]Member, 0, len(a.MemberIDs))
		for _, id := range a.MemberIDs {
			if m, ok := members[id]; ok {
				out[i].Minds = append(out[i].Minds, memberOf(m))
			}
		}
		if a.State != Creating {
			out[i].MindCount = len(out[i].Minds) // one that is being deleted counts no more
		}
	}
	return out, nil
}

func memberOf(m mind.Mind) Member {
	out := Member{ID: m.ID, Name: m.Name}
	if m.Discipline != "" {
		out.Discipline = &m.Discipline
	}
	return out
}
