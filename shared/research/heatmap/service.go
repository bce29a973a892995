package heatmap

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

const (
	// Machine is the state machine of an analysis.
	Machine = "heatmap"

	deadline    = 30 * time.Minute
	resultLimit = 8 << 20
)

// Studies gives what a question showed, to whom, and who answers it.
type Studies interface {
	Pictured(ctx context.Context, studyID, messageID string) (study.Pictured, error)
	// Answerer gives the pinned revision of a connection and nobody else (M-301).
	Answerer(ctx context.Context, pinned *study.ModelConnection) (simulate.Respondents, error)
}

// Minds gives what Minds answer from, in the order of ids; NOT_FOUND when one is gone.
type Minds interface {
	Respondents(ctx context.Context, ids []string) ([]simulate.Respondent, error)
}

// Deps is what a Service works with. A nil Log discards, and without Path no address is
// one of an upload; nothing else may be nil.
type Deps struct {
	Records  records.Store
	Blobs    blobs.Store
	Clock    clock.Clock
	IDs      clock.IDs
	Accounts *account.Service
	Studies  Studies
	Minds    Minds
	Jobs     *jobs.Service
	// Path gives the path of an upload by its address.
	Path func(address string) (path string, ok bool)
	Log  *slog.Logger
}

// Service is the domain of heatmaps. Every method acts for the principal of its context
// and sees only that tenant.
type Service struct{ d Deps }

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{d: d}
}

// seer answers through a model that may have been seen to see.
type seer interface {
	Can() model.Capabilities
	Look(ctx context.Context, r simulate.Respondent, l answer.Looking) (answer.Looked, error)
}

// row is the stored form of an analysis.
type row struct {
	ID         string                 `json:"id"` // of the row and of its job
	StudyID    string                 `json:"studyId"`
	MessageID  string                 `json:"messageId"`
	AssetKey   string                 `json:"assetKey"`
	Owner      string                 `json:"owner"`
	Picture    study.Shown            `json:"picture"`
	By         string                 `json:"by,omitempty"` // who sees, pinned at the start; empty: the picture is estimated
	Connection *study.ModelConnection `json:"connection,omitempty"`
	Model      string                 `json:"model"`
	Minds      int                    `json:"minds"` // responses reserved at ReservedAt
	ReservedAt time.Time              `json:"reservedAt"`

	Status      string     `json:"status"`
	Pieces      int        `json:"pieces,omitempty"` // Minds are asked piece by piece; so many are stored
	Result      *blobs.Ref `json:"result,omitempty"`
	Error       string     `json:"error,omitempty"` // safe text
	CreatedAt   time.Time  `json:"createdAt"`
	CompletedAt time.Time  `json:"completedAt,omitzero"`

	version int64
}

func (r row) settled() bool { return r.Status == Completed || r.Status == Failed }

func (r row) item(ws string) records.Item {
	body, _ := json.Marshal(r) // plain data always encodes
	return records.Item{Key: rowKey(ws, r.StudyID, r.MessageID, r.AssetKey), Body: body}
}

// JobInput is what the machine is started with; ids only.
type JobInput struct {
	Job       string `json:"job"`
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
	Study     string `json:"study"`
	Row       string `json:"row"` // sort key of the row
}

func (r row) job(ws string) jobs.Job {
	input, _ := json.Marshal(JobInput{Job: r.ID, Workspace: ws, Account: r.Owner, Study: r.StudyID, Row: rowKey(ws, r.StudyID, r.MessageID, r.AssetKey).SK})
	return jobs.Job{ID: r.ID, Machine: Machine, Workspace: ws, Account: r.Owner, Input: input, QueuedAt: r.CreatedAt, Deadline: r.CreatedAt.Add(deadline)}
}

func (s *Service) read(ctx context.Context, key records.Key) (row, error) {
	it, err := s.d.Records.Get(ctx, key)
	if err != nil {
		return row{}, err
	}
	return decode(it)
}

func decode(it records.Item) (row, error) {
	r := row{version: it.Version}
	return r, json.Unmarshal(it.Body, &r)
}

// named gives an asset its one name: the path of an upload, or a normalised address.
func (s *Service) named(address string) string {
	if s.d.Path != nil {
		if at, ok := s.d.Path(strings.TrimSpace(address)); ok {
			return at
		}
	}
	return study.AssetKey(address)
}

// assets are the pictures of a question by their names, each name once and in the order
// of the question.
func (s *Service) assets(p study.Pictured) (names []string, by map[string]study.Shown) {
	by = map[string]study.Shown{}
	for _, at := range p.Pictures {
		name := s.named(at.Key)
		if name == "" {
			name = at.Name // asked before assets had names
		}
		if _, ok := by[name]; !ok {
			names, by[name] = append(names, name), at
		}
	}
	return names, by
}

// Get shows the heatmaps of a message, and one of them whole: that of assetKey, or
// without one the first that there is. A message without any is None (M-232).
// NOT_FOUND for a message or an asset that is none of the Study.
func (s *Service) Get(ctx context.Context, studyID, messageID, assetKey string) (View, error) {
	p, err := s.d.Studies.Pictured(ctx, studyID, messageID)
	if err != nil {
		return View{}, err
	}
	names, _ := s.assets(p)
	if assetKey != "" {
		if assetKey, err = s.chosen(names, assetKey); err != nil {
			return View{}, unknown(names)
		}
	}
	return s.view(ctx, p, names, assetKey)
}

func (s *Service) view(ctx context.Context, p study.Pictured, names []string, selected string) (View, error) {
	ws := account.From(ctx).Workspace
	out := View{Status: None, AssetHeatmaps: map[string]Heatmap{}}
	rows := map[string]row{}
	q := records.Query{PK: studyPK(ws, p.StudyID), Prefix: p.MessageID + "#", Limit: 50}
	for {
		page, err := s.d.Records.Query(ctx, q)
		if err != nil {
			return View{}, err
		}
		for _, it := range page.Items {
			r, err := decode(it)
			if err != nil {
				return View{}, err
			}
			rows[r.AssetKey] = r
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			break
		}
	}
	for _, name := range names {
		r, ok := rows[name]
		if !ok {
			continue
		}
		if selected == "" {
			selected = name
		}
		h := Heatmap{AssetKey: name, Status: r.Status, Model: r.Model, Error: r.Error}
		if r.Result != nil {
			full, err := s.result(ctx, *r.Result)
			if err != nil {
				return View{}, err
			}
			if name == selected {
				whole := full
				out.Heatmap = &whole
			}
			full.PerMind = []MindPoints{} // once is enough: a thousand Minds fill a reply
			h.Result = &full
		}
		if name == selected {
			out.Status = r.Status
		}
		out.AssetHeatmaps[name] = h
	}
	if selected != "" {
		out.SelectedAssetKey = &selected
	}
	return out, nil
}

func (s *Service) result(ctx context.Context, ref blobs.Ref) (Result, error) {
	in, err := s.d.Blobs.Open(ctx, ref, 0, -1)
	if err != nil {
		return Result{}, err
	}
	raw, err := io.ReadAll(io.LimitReader(in, resultLimit))
	if err = errors.Join(err, in.Close()); err != nil {
		return Result{}, err
	}
	var r Result
	return r, json.Unmarshal(raw, &r)
}
