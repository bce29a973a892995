package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

const (
	// Machine is the state machine that makes an export.
	Machine = "export"
	// Kept is how long a file and its job are kept.
	Kept = 30 * 24 * time.Hour

	linkTTL   = 5 * time.Minute
	deadline  = 30 * time.Minute
	fileLimit = 512 << 20
	// renderer is part of the source version: a change of what a file looks like
	// is a change of the file.
	renderer = "study-export-3"
)

// Studies gives what an export shows.
type Studies interface {
	Outline(ctx context.Context, studyID string) (study.Outline, error)
	Settled(ctx context.Context, studyID string, ids []string, use func(study.Settled) error) error
}

// Planned gives the items of settled planned runs in the form of questions, and what
// was computed of them.
type Planned interface {
	Items(ctx context.Context, studyID string) ([]study.OutlineQuestion, error)
	Settled(ctx context.Context, studyID string, ids []string, use func(study.Settled) error) error
	Outcomes(ctx context.Context, studyID string) ([]run.Outcome, error)
}

// Deps is what a Service works with. A nil Log discards; but for
// TicketKey and Planned nothing else may be nil.
type Deps struct {
	Records   records.Store
	Blobs     blobs.Store
	Clock     clock.Clock
	IDs       clock.IDs
	Accounts  *account.Service
	Studies   Studies
	Planned   Planned // nil: there are no planned runs
	Jobs      *jobs.Service
	PublicURL string // without a trailing slash
	// TicketKey signs download addresses, so that they work in a browser;
	// without it they need the credential.
	TicketKey []byte
	Log       *slog.Logger
}

// Service is the domain of exports. Every method acts for the principal of its
// context and sees only that tenant.
type Service struct{ d Deps }

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{d: d}
}

// JobInput is what the export machine is started with; ids only.
type JobInput struct {
	Job       string `json:"job"`
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
	Study     string `json:"study"`
}

// row is the stored form of an export job.
type row struct {
	ID            string     `json:"id"`
	StudyID       string     `json:"studyId"`
	StudyName     string     `json:"studyName"`
	Owner         string     `json:"owner"`
	Kind          string     `json:"kind"`
	Format        string     `json:"format"`
	Length        string     `json:"length,omitempty"`
	SourceVersion string     `json:"sourceVersion"`
	Questions     []string   `json:"questions"` // settled when the job was made, oldest first: exactly what the file shows
	Pending       int        `json:"pending"`   // questions that were not settled then
	Status        string     `json:"status"`
	File          *blobs.Ref `json:"file,omitempty"`
	Error         string     `json:"error,omitempty"`
	CreatedAt     time.Time  `json:"createdAt"`
	CompletedAt   time.Time  `json:"completedAt,omitzero"`
}

func (r row) form() form { return form{kind: r.Kind, format: r.Format, length: r.Length} }

func (r row) item(ws string) records.Item {
	body, _ := json.Marshal(r) // plain data always encodes
	return records.Item{Key: jobKey(ws, r.ID), Body: body, ExpiresAt: r.CreatedAt.Add(Kept)}
}

func (r row) job(ws string) jobs.Job {
	input, _ := json.Marshal(JobInput{Job: r.ID, Workspace: ws, Account: r.Owner, Study: r.StudyID})
	return jobs.Job{ID: r.ID, Machine: Machine, Workspace: ws, Account: r.Owner, Input: input, QueuedAt: r.CreatedAt, Deadline: r.CreatedAt.Add(deadline)}
}

// Start queues an export, joins the one that runs, or gives the finished one
// (M-222); with Force it always makes a new one. UNSUPPORTED_EXPORT_COMBINATION,
// PLAN_LIMIT (exports, M-103), NOT_FOUND.
func (s *Service) Start(ctx context.Context, r Request) (Job, error) {
	f, err := r.checked()
	if err != nil {
		return Job{}, err
	}
	outline, err := s.outline(ctx, r.StudyID)
	if err != nil {
		return Job{}, err
	}
	if r.ScheduledRunID != "" {
		return Job{}, fault.New(fault.NotFound, "No scheduled run with this id. Leave scheduledRunId out to export all questions.")
	}
	limits, err := s.d.Accounts.Limits(ctx)
	if err != nil {
		return Job{}, err
	}
	if !limits.Exports {
		return Job{}, s.d.Accounts.PlanLimit(ctx, account.Exports, 0)
	}
	ws := account.From(ctx).Workspace
	fresh := s.newRow(ctx, outline, f)
	at := cacheKey(ws, fresh.StudyID, digest(renderer, f.kind, f.format, f.length, fresh.SourceVersion))
	for {
		known, err := s.d.Records.Get(ctx, at)
		if err != nil && !errors.Is(err, records.ErrNotFound) {
			return Job{}, err
		}
		if err == nil && !r.Force {
			if have, _, err := s.read(ctx, ws, known.Fields[fieldJob]); err == nil && have.Status != Failed {
				return s.view(ctx, have), nil
			} else if err != nil && !errors.Is(err, records.ErrNotFound) {
				return Job{}, err
			}
		}
		err = s.submit(ctx, ws, fresh, at, known.Version)
		var refused *records.CanceledError
		if errors.As(err, &refused) && refused.Failed(1) && ctx.Err() == nil {
			continue // somebody else asked at the same moment: look again
		}
		if err != nil {
			return Job{}, err
		}
		_ = s.d.Jobs.Start(ctx, fresh.job(ws)) // what could not be started is started by the sweeper
		return s.view(ctx, fresh), nil
	}
}

// outline is a Study with its questions and, behind them, the items of its planned
// runs.
func (s *Service) outline(ctx context.Context, studyID string) (study.Outline, error) {
	o, err := s.d.Studies.Outline(ctx, studyID)
	if err != nil || s.d.Planned == nil {
		return o, err
	}
	items, err := s.d.Planned.Items(ctx, o.Study.ID)
	o.Questions = append(o.Questions, items...)
	return o, err
}

func (s *Service) newRow(ctx context.Context, o study.Outline, f form) row {
	r := row{ID: s.d.IDs.NewID(), StudyID: o.Study.ID, StudyName: o.Study.Name, Owner: account.From(ctx).Account,
		Kind: f.kind, Format: f.format, Length: f.length, Status: Queued, Questions: []string{},
		CreatedAt: s.d.Clock.Now().Truncate(time.Millisecond)}
	parts := []string{renderer, o.Study.ID, o.Study.Name}
	for _, q := range o.Questions {
		if !q.Settled {
			r.Pending++
			continue
		}
		r.Questions = append(r.Questions, q.ID)
		parts = append(parts, q.ID, q.Status, q.SettledAt)
	}
	r.SourceVersion = digest(append(parts, strconv.Itoa(r.Pending))...)
	return r
}

// submit commits the job with its cache row. version is the version of the
// cache row that it replaces, 0 for none.
func (s *Service) submit(ctx context.Context, ws string, r row, at records.Key, version int64) error {
	cond := records.NotExists()
	if version > 0 {
		cond = records.VersionIs(version)
	}
	pointer := map[string]string{fieldJob: r.ID}
	until := r.CreatedAt.Add(Kept)
	return s.d.Records.Transact(ctx, r.ID,
		records.PutItem(r.item(ws), records.NotExists()),
		records.PutItem(records.Item{Key: at, Fields: pointer, ExpiresAt: until}, cond),
		records.PutItem(records.Item{Key: newestKey(ws, r.StudyID, r.Kind, r.Format), Fields: pointer, ExpiresAt: until}),
		s.d.Jobs.Open(r.job(ws)))
}

func (s *Service) read(ctx context.Context, ws, job string) (row, int64, error) {
	it, err := s.d.Records.Get(ctx, jobKey(ws, job))
	if err != nil {
		return row{}, 0, err
	}
	var r row
	return r, it.Version, json.Unmarshal(it.Body, &r)
}

// Status reads one export job. Without a job id it gives the newest file of that
// kind and format, or Idle. An unknown job id is NOT_FOUND (M-221).
func (s *Service) Status(ctx context.Context, studyID, jobID, kind, format string) (Job, error) {
	r, err := s.find(ctx, studyID, jobID, kind, format)
	if err != nil || r.ID == "" {
		return Job{StudyID: r.StudyID, Kind: r.Kind, Format: r.Format, Status: Idle}, err
	}
	return s.view(ctx, r), nil
}

// find reads the job that is meant; a row without an id is one that does not
// exist yet.
func (s *Service) find(ctx context.Context, studyID, jobID, kind, format string) (row, error) {
	o, err := s.d.Studies.Outline(ctx, studyID)
	if err != nil {
		return row{}, err
	}
	ws := account.From(ctx).Workspace
	if format == "markdown" {
		format = "md"
	}
	noJob := fault.New(fault.NotFound, "No export job with this id, kind and format for this Study. Repeat the values that export_study gave back.")
	if jobID == "" {
		if format == "" {
			format = "md"
		}
		if kind == "" {
			kind = FullReport
			if format != "md" {
				kind = RawData
			}
		}
		it, err := s.d.Records.Get(ctx, newestKey(ws, o.Study.ID, kind, format))
		if errors.Is(err, records.ErrNotFound) {
			return row{StudyID: o.Study.ID, Kind: kind, Format: format}, nil
		}
		if err != nil {
			return row{}, err
		}
		jobID = it.Fields[fieldJob]
	}
	r, _, err := s.read(ctx, ws, strings.ToLower(jobID))
	if errors.Is(err, records.ErrNotFound) {
		return row{}, noJob
	}
	if err != nil {
		return row{}, err
	}
	if r.StudyID != o.Study.ID || kind != "" && kind != r.Kind || format != "" && format != r.Format {
		return row{}, noJob
	}
	return r, nil
}

// Download gives a link to the finished file that works for 5 minutes.
// VALIDATION while the job is not completed, NOT_FOUND if there is none.
func (s *Service) Download(ctx context.Context, studyID, jobID, kind, format string) (string, error) {
	r, err := s.find(ctx, studyID, jobID, kind, format)
	switch {
	case err != nil:
		return "", err
	case r.ID == "":
		return "", fault.New(fault.NotFound, "Nothing to download: this Study has no such export. Start one first.")
	case r.Status == Failed:
		return "", fault.New(fault.Validation, "This export failed, so there is no file. Start it again.")
	case r.File == nil:
		return "", fault.New(fault.Validation, "This export is %s; its file is not there yet. Read its status until it is completed.", r.Status)
	}
	return s.d.Blobs.SignedURL(ctx, *r.File, blobs.Link{Filename: r.form().filename(r.StudyName), TTL: linkTTL})
}

func (s *Service) view(ctx context.Context, r row) Job {
	base := s.d.PublicURL + "/api/v1/studies/" + r.StudyID
	j := Job{StudyID: r.StudyID, JobID: r.ID, Kind: r.Kind, Format: r.Format, Status: r.Status,
		SourceVersion: &r.SourceVersion, WorkspaceURL: base}
	progress := 0.0
	switch r.Status {
	case Completed:
		progress = 100
		name, mime, at := r.form().filename(r.StudyName), r.form().mimeType(), clock.Stamp(r.CompletedAt)
		link := base + "/export-download?jobId=" + url.QueryEscape(r.ID)
		if t := s.ticket(account.From(ctx), r); t != "" {
			link += "&ticket=" + t
		}
		j.Filename, j.MimeType, j.GeneratedAt, j.DownloadURL = &name, &mime, &at, &link
	case Failed:
		code := string(fault.ExportFailed)
		j.Error, j.ErrorCode = &r.Error, &code
	}
	j.Progress = &progress
	return j
}

// digest identifies a list of texts; their lengths count, so that no two lists
// have the same bytes.
func digest(parts ...string) string {
	raw, _ := json.Marshal(parts) // texts always encode
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
