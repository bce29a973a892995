package knowledge

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/upload"
	"github.com/mindgate-dev/mindgate/shared/websearch"
)

// Accounts gives the principal under which an expired job is settled.
type Accounts interface {
	Internal(ctx context.Context, workspace, account string) (account.Principal, error)
}

// Deps is what a Service works with. What may be nil is said.
type Deps struct {
	Records   records.Store
	Blobs     blobs.Store
	Clock     clock.Clock
	IDs       clock.IDs
	Accounts  Accounts
	Jobs      *jobs.Service
	Minds     *mind.Service
	Library   *Library
	Uploads   *upload.Service                      // nil: no upload of the workspace can be named
	Check     func(rawURL string, file bool) error // refuses an address before anything is written; nil: none is refused here
	Pages     Getter                               // nil: addresses cannot be read
	Read      Reader                               // nil: extract.Read
	Search    websearch.Provider                   // nil: keywords are not researched
	Embedder  embed.Embedder                       // nil: passages are found by their words alone
	Model     model.Client                         // finds patterns; nil: rules do
	PublicURL string
	Log       *slog.Logger
}

// Service is what one can do with knowledge.
type Service struct{ d Deps }

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Read == nil {
		d.Read = extract.Read
	}
	return &Service{d: d}
}

// MaxFileBytes is the ceiling of one knowledge file (section 23).
const MaxFileBytes = 50 << 20

// maxItems bounds the items of one Mind, so that its record stays readable in
// one piece.
const maxItems = 400

const maxDescription = 2_000 // characters

// Machine is the state machine of one item's ingestion, SearchMachine that of a
// keyword search; IngestTime and SearchTime are their longest runs.
const (
	Machine       = "knowledge-ingest"
	SearchMachine = "knowledge-search"
	IngestTime    = time.Hour // a full Mind's worth of text, embedded by a model on one core
	SearchTime    = time.Hour
)

// abandoned is how long an item that nothing moves counts as being worked on:
// longer than any job lasts.
const abandoned = 75 * time.Minute

// fieldJob holds the job that may change an item.
const fieldJob = "job"

// List pages through the items of a Mind, newest first (M-270), with the total.
func (s *Service) List(ctx context.Context, mindID string, limit, offset int) ([]Item, int, error) {
	if err := mind.CheckPage(limit, offset); err != nil {
		return nil, 0, err
	}
	m, err := s.d.Minds.Get(ctx, mindID)
	if err != nil {
		return nil, 0, err
	}
	out := []Item{}
	total := 0
	err = s.each(ctx, m.Workspace, m.ID, func(r row) error {
		if total >= offset && len(out) < limit {
			out = append(out, s.item(r))
		}
		total++
		return nil
	})
	return out, total, err
}

// each gives every item of a Mind, newest first; at most maxItems.
func (s *Service) each(ctx context.Context, workspace, mindID string, do func(row) error) error {
	q := records.Query{PK: itemsPK(workspace, mindID), Prefix: listPrefix}
	for {
		page, err := s.d.Records.Query(ctx, q)
		if err != nil {
			return err
		}
		for _, it := range page.Items {
			r, err := decode(it)
			if err != nil {
				return err
			}
			if err := do(r); err != nil {
				return err
			}
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return nil
		}
	}
}

// Status reads one item's ingestion; NOT_FOUND for an item the Mind does not have.
func (s *Service) Status(ctx context.Context, mindID, itemID string) (Status, error) {
	r, err := s.get(ctx, mindID, itemID)
	if err != nil {
		return Status{}, err
	}
	status, problem := r.shown(s.d.Clock.Now())
	return Status{
		Status: status, EmbeddingCount: r.Embedded, PatternCount: r.Patterns, Error: problem, Notes: r.Notes,
		ReadyForRetrieval: r.Content != "" && r.Passages+r.Distributions > 0 && !r.Deleting,
	}, nil
}

// Get reads one item; NOT_FOUND for an item the Mind does not have.
func (s *Service) Get(ctx context.Context, mindID, itemID string) (Item, error) {
	r, err := s.get(ctx, mindID, itemID)
	if err != nil {
		return Item{}, err
	}
	return s.item(r), nil
}

// get reads one item for a caller.
func (s *Service) get(ctx context.Context, mindID, itemID string) (row, error) {
	m, err := s.d.Minds.Get(ctx, mindID)
	if err != nil {
		return row{}, err
	}
	id, err := lookup.ID("itemId", itemID)
	if err != nil {
		return row{}, err
	}
	r, _, err := s.find(ctx, m.Workspace, m.ID, id)
	if errors.Is(err, records.ErrNotFound) {
		return row{}, noItem()
	}
	return r, err
}

func noItem() *fault.Error { return fault.New(fault.NotFound, "No knowledge item with this id.") }

// Update gives an item another description, the only thing of it that can be
// changed (M-270). The Mind names the source by it from then on.
func (s *Service) Update(ctx context.Context, mindID, itemID, description string) (Item, error) {
	description, err := checkDescription(description)
	if err != nil {
		return Item{}, err
	}
	if description == "" {
		return Item{}, fault.New(fault.Validation, "description must not be blank.").With("field", "description").With("path", "/description")
	}
	id, err := lookup.ID("itemId", itemID)
	if err != nil {
		return Item{}, err
	}
	var r row
	err = s.change(ctx, mindID, id, func(now *row, m *mind.Mind) error {
		now.Description, now.Named, now.UpdatedAt = description, true, s.d.Clock.Now()
		for i, k := range m.Knowledge {
			if name := clip(description, maxRefName); k.ItemID == id && k.Name != name {
				m.Knowledge[i].Name = name
				m.KnowledgeVersion++ // answers name their source
			}
		}
		r = *now
		return nil
	}, nil)
	if errors.Is(err, records.ErrNotFound) {
		return Item{}, noItem()
	}
	if err != nil {
		return Item{}, err
	}
	return s.item(r), nil
}

// change changes an item together with its Mind, in one transaction; both
// functions may run more than once. records.ErrNotFound when the item is gone.
func (s *Service) change(ctx context.Context, mindID, itemID string, change func(*row, *mind.Mind) error, extra func(row) ([]records.Action, error)) error {
	for range changeAttempts {
		var r row
		var version int64
		_, err := s.d.Minds.Change(ctx, mindID, func(m *mind.Mind) error {
			var err error
			if r, version, err = s.find(ctx, m.Workspace, m.ID, itemID); err != nil {
				return err
			}
			return change(&r, m)
		}, func(mind.Mind) ([]records.Action, error) {
			actions, err := r.actions()
			if err != nil {
				return nil, err
			}
			actions = actions[:1]
			actions[0].Conds = []records.Cond{records.VersionIs(version)}
			if extra != nil {
				more, err := extra(r)
				if err != nil {
					return nil, err
				}
				actions = append(actions, more...)
			}
			return actions, nil
		})
		if refusedAt(err, 2) { // the item's row was changed by somebody who needs no Mind
			continue
		}
		return err
	}
	return records.ErrConflict
}

const changeAttempts = 16

func (s *Service) item(r row) Item {
	status, problem := r.shown(s.d.Clock.Now())
	it := Item{
		ID: r.ID, Description: r.Description, IsWatched: r.Watched,
		Processing: Processing{
			Status: status, RegeneratePrompt: r.RegeneratePrompt, Error: problem, PromptRegenerated: r.PromptRegenerated, Notes: r.Notes,
		},
		StatusURL: s.d.Minds.URL(r.MindID) + "/knowledge/" + r.ID + "/status",
		CreatedAt: clock.Stamp(r.CreatedAt), UpdatedAt: clock.Stamp(r.UpdatedAt),
	}
	if r.Origin == fromLink {
		it.Link = &r.Link
	} else {
		it.FilePath = &r.Filename
	}
	return it
}

// find reads an item by its id; records.ErrNotFound if the Mind has none.
func (s *Service) find(ctx context.Context, workspace, mindID, id string) (row, int64, error) {
	pointer, err := s.d.Records.Get(ctx, pointerKey(workspace, mindID, id))
	if err != nil {
		return row{}, 0, err
	}
	var r row
	if err := json.Unmarshal(pointer.Body, &r); err != nil {
		return row{}, 0, err
	}
	it, err := s.d.Records.Get(ctx, rowKey(row{ID: id, Workspace: workspace, MindID: mindID, CreatedAt: r.CreatedAt}))
	if err != nil {
		return row{}, 0, err
	}
	r, err = decode(it)
	return r, it.Version, err
}

func decode(it records.Item) (row, error) {
	var r row
	if err := json.Unmarshal(it.Body, &r); err != nil {
		return row{}, err
	}
	if r.Content == "" && r.Digest != "" && r.Status == Completed { // of an earlier release
		r.Content, r.Embedded = contentOf(r.Digest, r.Kind), r.Passages
	}
	return r, nil
}

// actions write an item and the pointer to it.
func (r row) actions() ([]records.Action, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	pointer, err := json.Marshal(map[string]time.Time{"createdAt": r.CreatedAt})
	if err != nil {
		return nil, err
	}
	it := records.Item{Key: rowKey(r), Body: body}
	if r.JobID != "" && !r.Deleting { // nobody may make anything for what is being deleted
		it.Fields = map[string]string{fieldJob: r.JobID}
	}
	return []records.Action{
		records.PutItem(it),
		records.PutItem(records.Item{Key: pointerKey(r.Workspace, r.MindID, r.ID), Body: pointer}),
	}, nil
}

// save writes an item's row if nobody changed it since version was read, with
// more actions in the same transaction; errGone when somebody did.
func (s *Service) save(ctx context.Context, r row, version int64, more ...records.Action) (int64, error) {
	return s.saveIf(ctx, r, []records.Cond{records.VersionIs(version)}, version, more...)
}

// saveIf is save under these conditions.
func (s *Service) saveIf(ctx context.Context, r row, conds []records.Cond, version int64, more ...records.Action) (int64, error) {
	actions, err := r.actions()
	if err != nil {
		return 0, err
	}
	put := actions[0]
	put.Conds = conds
	err = s.d.Records.Transact(ctx, "", append([]records.Action{put}, more...)...)
	if refusedAt(err, 0) {
		return 0, errGone
	}
	return version + 1, err
}
