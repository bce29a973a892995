package knowledge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Deps is what a Service works with.
type Deps struct {
	Records   records.Store
	Blobs     blobs.Store
	Clock     clock.Clock
	IDs       clock.IDs
	Accounts  Accounts
	Jobs      *jobs.Service
	Minds     *mind.Service
	Library   *Library
	PublicURL string
	Log       *slog.Logger
}

// Service is what one can do with knowledge.
type Service struct{ d Deps }

// New makes a Service.
func New(d Deps) *Service { return &Service{d: d} }

// MaxFileBytes is the ceiling of one knowledge file (section 23).
const MaxFileBytes = 50 << 20

// maxItems bounds the items of one Mind, so that its record stays readable in
// one piece.
const maxItems = 400

const maxDescription = 2_000 // characters

// Machine is the state machine of an ingestion, and IngestTime its longest run.
const (
	Machine    = "knowledge-ingest"
	IngestTime = 15 * time.Minute
)

// AddFile stores one file as it streams in and queues its ingestion. A content
// that the Mind has already is no second item: the item comes back as it is, or
// is tried again if it had failed. VALIDATION for a file that cannot be taken or
// is above 50 MB; NOT_FOUND.
func (s *Service) AddFile(ctx context.Context, r AddFileRequest) (Item, error) {
	m, err := s.d.Minds.Get(ctx, r.MindID)
	if err != nil {
		return Item{}, err
	}
	description := strings.TrimSpace(r.Description)
	if n := utf8.RuneCountInString(description); n > maxDescription {
		return Item{}, fault.New(fault.Validation, "description has %d characters; at most %d are taken.", n, maxDescription).With("field", "description")
	}
	name := baseName(r.Filename)
	if description == "" {
		description = name // M-272
	}
	in := bufio.NewReaderSize(r.Body, 32<<10)
	head, err := in.Peek(sniffBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return Item{}, err
	}
	kind, err := kindOf(name, head)
	if err != nil {
		return Item{}, err
	}
	ref, err := s.d.Blobs.Put(ctx, blobPrefix(m.Workspace), mediaTypes[kind], in, MaxFileBytes)
	if errors.Is(err, blobs.ErrTooLarge) {
		return Item{}, fault.New(fault.Validation, "file %q is larger than 50 MB. Split it, or leave out what the Mind does not need.", name).
			With("field", "file").With("limitBytes", MaxFileBytes)
	}
	if err != nil {
		return Item{}, err
	}
	now := s.d.Clock.Now()
	add := row{
		MindID: m.ID, Owner: m.Owner, Workspace: m.Workspace,
		Description: description, Filename: name, Kind: kind, Digest: ref.SHA256, Size: ref.Size,
		Status: Queued, RegeneratePrompt: r.RegeneratePrompt, CreatedAt: now, UpdatedAt: now,
	}
	add.ID = itemID(m.Workspace, add.content())
	return s.queue(ctx, add)
}

// queue commits a new item with its job, or takes the one that is there.
func (s *Service) queue(ctx context.Context, r row) (Item, error) {
	r.JobID = s.d.IDs.NewID()
	job := s.jobOf(r)
	added, regenerate := true, r.RegeneratePrompt
	_, err := s.d.Minds.Change(ctx, r.MindID, func(m *mind.Mind) error {
		old, _, err := s.find(ctx, r.Workspace, r.MindID, r.ID)
		switch {
		case err == nil && old.Status != Failed:
			r, added = old, false
			return errUnchanged
		case err == nil: // failed: the same item, tried again
			r.CreatedAt = old.CreatedAt
		case !errors.Is(err, records.ErrNotFound):
			return err
		default:
			if m.KnowledgeItems >= maxItems {
				return fault.New(fault.Validation, "This Mind has %d knowledge items, and no more can be added. Delete one, or join files.", maxItems)
			}
			m.KnowledgeItems++
		}
		return nil
	}, func(mind.Mind) ([]records.Action, error) {
		actions, err := r.actions()
		return append(actions, s.d.Jobs.Open(job)), err
	})
	if err != nil && !errors.Is(err, errUnchanged) {
		return Item{}, err
	}
	if added {
		// Committed: a failed start is logged, and the sweeper starts it.
		_ = s.d.Jobs.Start(ctx, job)
		return s.item(r), nil
	}
	if regenerate && r.Status == Completed {
		if _, err := s.d.Minds.RegeneratePrompt(ctx, r.MindID, ""); err != nil {
			return Item{}, err
		}
		r.RegeneratePrompt, r.PromptRegenerated = true, true
	}
	return s.item(r), nil
}

var errUnchanged = errors.New("knowledge: nothing to change")

// AddJSON answers a JSON body ({file} | {keywords} | {link}). None of these can
// be processed yet; the refusal says what can. The body is not read further.
func (s *Service) AddJSON(ctx context.Context, mindID string, body json.RawMessage) error {
	if _, err := s.d.Minds.Get(ctx, mindID); err != nil {
		return err
	}
	var kinds map[string]json.RawMessage
	if err := json.NewDecoder(bytes.NewReader(body)).Decode(&kinds); err != nil || kinds == nil {
		return fault.New(fault.Validation, "The body must be a JSON object, or multipart/form-data with a field file. %s", accepted)
	}
	for _, k := range []string{"file", "keywords", "link"} {
		if _, ok := kinds[k]; !ok {
			continue
		}
		what := map[string]string{
			"file": "Files by address", "keywords": "Keyword searches", "link": "Links",
		}[k]
		return fault.New(fault.Validation, "%s cannot be processed by this gateway yet: nothing was added. Send the content itself as multipart/form-data with a field file. %s", what, accepted).With("field", k)
	}
	return fault.New(fault.Validation, "The body names none of file, keywords and link. Send a file as multipart/form-data with a field file. %s", accepted)
}

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
	q := records.Query{PK: itemsPK(m.Workspace, m.ID), Prefix: listPrefix}
	for at := 0; ; {
		page, err := s.d.Records.Query(ctx, q)
		if err != nil {
			return nil, 0, err
		}
		for _, it := range page.Items {
			if at >= offset && len(out) < limit {
				var r row
				if err := json.Unmarshal(it.Body, &r); err != nil {
					return nil, 0, err
				}
				out = append(out, s.item(r))
			}
			at++
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return out, at, nil
		}
	}
}

// Status reads one item's ingestion; NOT_FOUND for an item the Mind does not have.
func (s *Service) Status(ctx context.Context, mindID, itemID string) (Status, error) {
	m, err := s.d.Minds.Get(ctx, mindID)
	if err != nil {
		return Status{}, err
	}
	id, err := lookup.ID("itemId", itemID)
	if err != nil {
		return Status{}, err
	}
	r, _, err := s.find(ctx, m.Workspace, m.ID, id)
	if errors.Is(err, records.ErrNotFound) {
		return Status{}, fault.New(fault.NotFound, "No knowledge item with this id.")
	}
	if err != nil {
		return Status{}, err
	}
	return Status{
		Status: r.Status, EmbeddingCount: r.Passages, PatternCount: r.Distributions, Error: r.Error,
		ReadyForRetrieval: r.Status == Completed && r.Passages+r.Distributions > 0,
	}, nil
}

func (s *Service) item(r row) Item {
	name := r.Filename
	return Item{
		ID: r.ID, Description: r.Description, FilePath: &name,
		Processing: Processing{
			Status: r.Status, RegeneratePrompt: r.RegeneratePrompt, Error: r.Error, PromptRegenerated: r.PromptRegenerated,
		},
		StatusURL: s.d.Minds.URL(r.MindID) + "/knowledge/" + r.ID + "/status",
		CreatedAt: clock.Stamp(r.CreatedAt), UpdatedAt: clock.Stamp(r.UpdatedAt),
	}
}

func (s *Service) jobOf(r row) jobs.Job {
	input, _ := json.Marshal(map[string]string{
		"job": r.JobID, "workspace": r.Workspace, "account": r.Owner, "mind": r.MindID, "item": r.ID,
	})
	now := s.d.Clock.Now()
	return jobs.Job{
		ID: r.JobID, Machine: Machine, Workspace: r.Workspace, Account: r.Owner,
		Input: input, QueuedAt: now, Deadline: now.Add(IngestTime),
	}
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
	r = row{}
	err = json.Unmarshal(it.Body, &r)
	return r, it.Version, err
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
	return []records.Action{
		records.PutItem(records.Item{Key: rowKey(r), Body: body}),
		records.PutItem(records.Item{Key: pointerKey(r.Workspace, r.MindID, r.ID), Body: pointer}),
	}, nil
}
