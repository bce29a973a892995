package run

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Step is what the machine does next: answer the item at Position in these spans of
// chunks, or, when Done, conclude.
type Step struct {
	Done     bool   `json:"done"`
	Position int    `json:"position"`
	Spans    []Span `json:"spans"`
}

// Span is the chunks From to To-1 of the Minds for one item.
type Span struct {
	Position int `json:"position"`
	From     int `json:"from"`
	To       int `json:"to"`
}

// An execution may have 25,000 events, and each span costs up to eight of them; more
// spans of an item than run at once gain nothing.
const (
	eventBudget   = 20_000
	eventsPerSpan = 8
	mostSpans     = 8
)

// Next settles the item at position after, which all chunks have answered (0: none
// yet), and begins the next one that somebody is asked. Repeated with the same after
// it gives the same, whatever was done already.
func (s *Service) Next(ctx context.Context, in JobInput, after int) (Step, error) {
	for {
		row, version, err := s.job(ctx, in)
		if err != nil {
			return Step{}, err
		}
		if row.closed() || row.Current == 0 && row.Progress.Settled >= row.Total {
			return Step{Done: true, Spans: []Span{}}, nil
		}
		if row.Current > after {
			return row.spans(), nil
		}
		if err := s.keep(ctx, in.Workspace, row); err != nil {
			return Step{}, err
		}
		if row.Current > 0 {
			err = s.settleItem(ctx, in.Workspace, row, version, "")
		} else {
			err = s.begin(ctx, in.Workspace, row, version)
		}
		var refused *records.CanceledError
		if errors.As(err, &refused) && ctx.Err() == nil && refused.Failed(0) {
			continue // somebody else changed the run: look again
		}
		if err != nil {
			return Step{}, err
		}
	}
}

func (r runRow) spans() Step {
	n := min(r.Chunks, mostSpans, max(1, eventBudget/(max(1, r.Total)*eventsPerSpan)))
	out := Step{Position: r.Current, Spans: make([]Span, n)}
	for i := range out.Spans {
		out.Spans[i] = Span{Position: r.Current, From: i * r.Chunks / n, To: (i + 1) * r.Chunks / n}
	}
	return out
}

// begin routes the next item and reserves a response for everybody who is asked,
// all or none (M-73). An item that nobody is asked is settled at once and costs
// nothing (M-185).
func (s *Service) begin(ctx context.Context, ws string, row runRow, version int64) error {
	k, err := s.fixed(ctx, ws, row.ID)
	if err != nil {
		return err
	}
	q := k.exec.Items[row.Progress.Settled]
	asked, shown, err := s.route(ctx, ws, row, k, q)
	if err != nil {
		return err
	}
	now := s.d.Clock.Now().Truncate(time.Millisecond)
	n := strings.Count(asked, string(ask))
	it := itemRow{ID: q.ID, Position: q.Position, Status: Running, Asked: asked, Shown: shown, Reserved: n, ReservedAt: now}
	if n == 0 {
		it.Status = NotAsked
		if it.Result, err = s.result(ctx, ws, k, q, it, nil); err != nil {
			return err
		}
		row.counted(NotAsked)
		p := row.Progress
		event := row.note(ws, "item.settled", now, EventPayload{ItemID: q.ID, Status: NotAsked, Progress: &p})
		put, err := it.record(ws, row.ID)
		if err != nil {
			return err
		}
		return s.d.Records.Transact(ctx, "", records.PutItem(row.item(ws), records.VersionIs(version)), put, event)
	}
	reserve, err := s.d.Accounts.ReserveResponses(ctx, int64(n), now)
	if err != nil {
		return err
	}
	queued := row
	row.Current = q.Position
	event := row.note(ws, "item.started", now, EventPayload{ItemID: q.ID, Status: Running})
	put, err := it.record(ws, row.ID)
	if err != nil {
		return err
	}
	err = s.d.Records.Transact(ctx, "", records.PutItem(row.item(ws), records.VersionIs(version)), put, event, reserve)
	var refused *records.CanceledError
	if errors.As(err, &refused) && refused.Failed(3) && !refused.Failed(0) {
		return s.limit(ctx, ws, queued, version, q, n)
	}
	return err
}

// limit stops the run where the allowance ends: what is finished stays (M-72).
func (s *Service) limit(ctx context.Context, ws string, row runRow, version int64, q Item, n int) error {
	why := s.d.Accounts.PlanLimit(ctx, account.Responses, int64(n))
	row.Ending = &ending{At: s.d.Clock.Now().Truncate(time.Millisecond), Status: PlanLimited, Failure: &Failure{
		Code:    PlanLimited,
		Message: "The allowance did not cover item " + q.ID + " for everybody who is asked, so the run stopped before it. " + why.Message + " What was finished stays; upgrade before a follow-up run for the rest.",
	}}
	return s.d.Records.Transact(ctx, "", records.PutItem(row.item(ws), records.VersionIs(version)))
}

// keep beats for a run. A lease that ended meanwhile, as after a standstill, is taken
// again; study.ErrAudienceInChange while somebody else has it.
func (s *Service) keep(ctx context.Context, ws string, row runRow) error {
	if s.d.Leases == nil {
		return nil
	}
	k, err := s.fixed(ctx, ws, row.ID)
	if err != nil {
		return err
	}
	ids := audienceIDs(k.roll)
	for _, id := range ids {
		held, err := s.d.Leases.Beat(ctx, id, row.ID)
		if err != nil {
			return err
		}
		if held {
			continue
		}
		ok, err := s.d.Leases.ShareAll(ctx, ids, row.ID)
		if err == nil && !ok {
			err = ErrAudienceInChange
		}
		return err
	}
	return nil
}

// load reads a run with the version of its row; NOT_FOUND when it is not there.
func (s *Service) load(ctx context.Context, id string) (runRow, int64, error) {
	it, err := s.d.Records.Get(ctx, key(account.From(ctx).Workspace, strings.ToLower(strings.TrimSpace(id)), skRun))
	if errors.Is(err, records.ErrNotFound) {
		return runRow{}, 0, fault.New(fault.NotFound, "No planned run with this id.")
	}
	if err != nil {
		return runRow{}, 0, err
	}
	row, err := decode[runRow](it.Body)
	return row, it.Version, err
}

// job reads the run of a job. One that is gone with its Study is settled.
func (s *Service) job(ctx context.Context, in JobInput) (runRow, int64, error) {
	row, version, err := s.load(ctx, in.Job)
	if fault.Is(err, fault.NotFound) {
		return runRow{ID: in.Job, StudyID: in.Study, Status: Cancelled}, 0, nil
	}
	return row, version, err
}

var errUnchanged = errors.New("run: nothing to change")

// ErrAudienceInChange says that a run lost its lease and that its Audience is being
// changed: the work is tried again once it is not.
var ErrAudienceInChange = errors.New("run: an Audience of the run is being changed")

// ErrEngineChanged says that another engine than the one pinned to the run would
// answer; it never does (M-301).
var ErrEngineChanged = errors.New("run: the respondent engine is not the one of the run")

// change writes what fn makes of a run with the actions it gives, and looks again
// when somebody else was quicker. errUnchanged of fn leaves the run as it is.
func (s *Service) change(ctx context.Context, in JobInput, fn func(*runRow, time.Time) ([]records.Action, error)) error {
	for {
		row, version, err := s.job(ctx, in)
		if err != nil || version == 0 {
			return err
		}
		more, err := fn(&row, s.d.Clock.Now().Truncate(time.Millisecond))
		if errors.Is(err, errUnchanged) {
			return nil
		}
		if err != nil {
			return err
		}
		err = s.d.Records.Transact(ctx, "", append([]records.Action{records.PutItem(row.item(in.Workspace), records.VersionIs(version))}, more...)...)
		var refused *records.CanceledError
		if errors.As(err, &refused) && refused.Failed(0) && ctx.Err() == nil {
			continue
		}
		return err
	}
}

func (i itemRow) record(ws, run string) (records.Action, error) {
	body, err := encode(i)
	return records.PutItem(records.Item{Key: key(ws, run, itemSK(i.Position)), Body: body}), err
}

func (s *Service) itemAt(ctx context.Context, ws, run string, position int) (itemRow, error) {
	it, err := s.d.Records.Get(ctx, key(ws, run, itemSK(position)))
	if err != nil {
		return itemRow{}, err
	}
	return decode[itemRow](it.Body)
}
