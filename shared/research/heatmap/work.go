package heatmap

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/attach"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/saliency"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

const (
	// PieceSize is how many Minds look at once, and so the most that may be asked
	// again after a crash.
	PieceSize = 8
	// piecesATime is how many pieces one task does.
	piecesATime = 6
)

// The reasons of a failure that a caller is shown.
const (
	notMade      = "The picture could not be analysed; nothing is charged. Start it again."
	tooLate      = "The picture was not analysed in time; nothing is charged. Start it again."
	nobodyLooked = "The model named no place on the picture for any Mind; nothing is charged. Start it again, or ask with another connection."
	engineGone   = "Another model than the one of the start would have answered, so it was stopped; nothing is charged. Start it again."
	notStanding  = "The model connection was changed, disabled or revoked, or stopped working, while the picture was analysed; nothing else answered in its place and nothing is charged. Ask the question again with a verified connection."
	studyGone    = "The question is not there any more; nothing is charged."
)

func identity(i simulate.Info) string { return i.Name + "@" + i.Version }

func (in JobInput) key() records.Key {
	return records.Key{PK: studyPK(in.Workspace, in.Study), SK: in.Row}
}

// Work does some pieces of an analysis and tells whether there is no more to do: it is
// settled, gone, or another job's. Every piece commits with the mark of how far the
// analysis has come, so one that was cut off is done again and one that was not is
// passed over.
func (s *Service) Work(ctx context.Context, in JobInput) (done bool, err error) {
	r, err := s.read(ctx, in.key())
	if errors.Is(err, records.ErrNotFound) || err == nil && (r.ID != in.Job || r.settled()) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if !s.d.Clock.Now().Before(r.CreatedAt.Add(deadline)) {
		return true, s.fail(ctx, in, r, tooLate)
	}
	if r.Status == Queued {
		r.Status = Processing
		it, err := s.d.Records.Put(ctx, r.item(in.Workspace), records.VersionIs(r.version))
		if err != nil {
			return false, raced(err)
		}
		r.version = it.Version
	}
	raw, err := s.picture(ctx, r)
	if err != nil {
		return false, err
	}
	if r.By == "" {
		return true, s.estimate(ctx, in, r, raw)
	}
	return s.look(ctx, in, r, raw)
}

func (s *Service) picture(ctx context.Context, r row) ([]byte, error) {
	in, err := s.d.Blobs.Open(ctx, r.Picture.Ref, 0, -1)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(in, attach.MaxPicture+1))
	return raw, errors.Join(err, in.Close())
}

// estimate settles an analysis of the picture alone.
func (s *Service) estimate(ctx context.Context, in JobInput, r row, raw []byte) error {
	m, err := saliency.Estimate(raw)
	if err != nil {
		return s.unreadable(ctx, in, r, err)
	}
	return s.complete(ctx, in, r, Result{AssetKey: r.AssetKey, Width: m.Width, Height: m.Height, Grid: m.Grid, Areas: m.Areas,
		PerMind: []MindPoints{}, Model: r.Model, Basis: BasisPicture, Simulated: true, Base: Base{Minds: r.Minds}, Note: notePicture}, 0)
}

// unreadable fails an analysis for what is wrong with its picture.
func (s *Service) unreadable(ctx context.Context, in JobInput, r row, err error) error {
	var u *saliency.Unreadable
	if !errors.As(err, &u) {
		return err
	}
	return s.fail(ctx, in, r, "The picture "+u.Why+"; nothing is charged. Ask with another one.")
}

// piece is what the Minds of one piece said, in their order.
type piece struct {
	Looked []mindLooked `json:"looked"`
}

type mindLooked struct {
	MindID string         `json:"mindId"`
	Name   string         `json:"name"`
	Points []answer.Point `json:"points,omitempty"` // none: it gave none
}

// look asks the Minds of some pieces, and settles behind the last.
func (s *Service) look(ctx context.Context, in JobInput, r row, raw []byte) (done bool, err error) {
	w, h, err := saliency.Size(raw)
	if err != nil {
		return true, s.unreadable(ctx, in, r, err)
	}
	p, err := s.d.Studies.Pictured(ctx, r.StudyID, r.MessageID)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden) {
		return true, s.fail(ctx, in, r, studyGone)
	}
	if err != nil {
		return false, err
	}
	who, err := s.d.Studies.Answerer(ctx, r.Connection)
	if stale(err) {
		return true, s.fail(ctx, in, r, notStanding)
	}
	if err != nil {
		return false, err
	}
	sees, ok := who.(seer)
	if !ok || !sees.Can().Vision || identity(who.Info()) != r.By {
		return true, s.fail(ctx, in, r, engineGone)
	}
	l := answer.Looking{Picture: simulate.Picture{Name: r.Picture.Name, MediaType: r.Picture.Ref.MediaType, Data: raw},
		Question: p.Question, Columns: saliency.Columns, Rows: saliency.Rows}
	for range piecesATime {
		from := r.Pieces * PieceSize
		if from >= len(p.Minds) {
			return true, s.sum(ctx, in, r, w, h)
		}
		said, err := s.ask(ctx, r, sees, p.Minds[from:min(from+PieceSize, len(p.Minds))], l)
		if stale(err) {
			return true, s.fail(ctx, in, r, notStanding)
		}
		if err != nil {
			return false, err
		}
		if r, err = s.keep(ctx, in, r, said); err != nil {
			return false, err
		}
	}
	return false, nil
}

// stale tells of an error that it is the connection's: nobody else answers in its place.
func stale(err error) bool {
	return fault.Is(err, fault.ModelConnectionStale) || fault.Is(err, fault.ModelConnectionUnverified) ||
		fault.Is(err, fault.FeatureDisabled) || fault.Is(err, fault.PlanLimit)
}

// ask shows some Minds the picture, all at once. One that is gone or whose answer fails
// gave no point.
func (s *Service) ask(ctx context.Context, r row, sees seer, minds []study.Viewer, l answer.Looking) (piece, error) {
	out := piece{Looked: make([]mindLooked, len(minds))}
	g, some := errgroup.WithContext(ctx)
	for i, m := range minds {
		out.Looked[i] = mindLooked{MindID: m.ID, Name: m.Name}
		g.Go(func() error {
			of, err := s.d.Minds.Respondents(some, []string{m.ID})
			if fault.Is(err, fault.NotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			looked, err := sees.Look(some, of[0], l)
			switch {
			case some.Err() != nil:
				return some.Err()
			case stale(err):
				return err
			case err != nil:
				s.d.Log.WarnContext(ctx, "a Mind did not look at a picture", "heatmap", r.ID, "mind", m.ID, "error", err)
			default:
				out.Looked[i].Points = looked.Points
			}
			return nil
		})
	}
	return out, g.Wait()
}

// keep stores a piece with the mark that it is there.
func (s *Service) keep(ctx context.Context, in JobInput, r row, said piece) (row, error) {
	body, err := json.Marshal(said)
	if err != nil {
		return r, err
	}
	at := pieceKey(in.Workspace, r.ID, r.Pieces)
	r.Pieces++
	err = s.d.Records.Transact(ctx, "",
		records.PutItem(r.item(in.Workspace), records.VersionIs(r.version)),
		records.PutItem(records.Item{Key: at, Body: body}, records.NotExists()))
	if err != nil {
		return r, raced(err)
	}
	fresh, err := s.read(ctx, in.key())
	return fresh, err
}

// sum adds up what the Minds said and settles.
func (s *Service) sum(ctx context.Context, in JobInput, r row, w, h int) error {
	per := []MindPoints{}
	asked := 0
	for n := range r.Pieces {
		it, err := s.d.Records.Get(ctx, pieceKey(in.Workspace, r.ID, n))
		if err != nil {
			return err
		}
		var p piece
		if err := json.Unmarshal(it.Body, &p); err != nil {
			return err
		}
		asked += len(p.Looked)
		for _, m := range p.Looked {
			if len(m.Points) > 0 {
				per = append(per, MindPoints(m))
			}
		}
	}
	if len(per) == 0 {
		return s.fail(ctx, in, r, nobodyLooked)
	}
	grid := together(per)
	return s.complete(ctx, in, r, Result{AssetKey: r.AssetKey, Width: w, Height: h, Grid: grid, Areas: saliency.Areas(grid, w, h),
		PerMind: per, Model: r.Model, Basis: BasisMinds, Simulated: true,
		Base: Base{Minds: r.Minds, Answered: len(per), Failed: r.Minds - len(per)}, Note: noteMinds}, r.Minds-len(per))
}

// complete keeps a result and settles. unused responses are given back.
func (s *Service) complete(ctx context.Context, in JobInput, r row, out Result, unused int) error {
	body, err := json.Marshal(out)
	if err != nil {
		return err
	}
	ref, err := s.d.Blobs.Put(ctx, prefix(in.Workspace, r.ID), "application/json", bytes.NewReader(body), resultLimit)
	if err != nil {
		return err
	}
	r.Status, r.Result = Completed, &ref
	return s.settle(ctx, in, r, unused)
}

func (s *Service) fail(ctx context.Context, in JobInput, r row, text string) error {
	r.Status, r.Error = Failed, text
	return s.settle(ctx, in, r, r.Minds)
}

// settle writes the end of an analysis, gives back what was not used and closes the
// job, in one transaction. What was stored piece by piece is not needed any more.
func (s *Service) settle(ctx context.Context, in JobInput, r row, unused int) error {
	r.CompletedAt = s.d.Clock.Now().Truncate(time.Millisecond)
	actions := []records.Action{
		records.PutItem(r.item(in.Workspace), records.VersionIs(r.version)),
		s.d.Jobs.Close(r.job(in.Workspace)),
	}
	if err := s.transact(ctx, in, r, actions, unused); err != nil {
		return s.again(ctx, in, err)
	}
	for n := range r.Pieces {
		if err := s.d.Records.Delete(ctx, pieceKey(in.Workspace, r.ID, n)); err != nil {
			s.d.Log.WarnContext(ctx, "a piece of a heatmap was left behind", "heatmap", r.ID, "piece", n, "error", err)
		}
	}
	return nil
}

func (s *Service) transact(ctx context.Context, in JobInput, r row, actions []records.Action, unused int) error {
	if unused <= 0 {
		return s.d.Records.Transact(ctx, "", actions...)
	}
	refund, err := s.d.Accounts.RefundResponses(ctx, int64(unused), r.ReservedAt)
	if err != nil {
		return err
	}
	err = s.d.Records.Transact(ctx, "", append(actions, refund)...)
	var refused *records.CanceledError
	if errors.As(err, &refused) && refused.Failed(len(actions)) && !refused.Failed(0) && !refused.Failed(1) {
		// The meter has less than is to be given back: somebody reset it. That is the
		// operator's matter, and no reason to leave the job open.
		s.d.Log.ErrorContext(ctx, "responses could not be given back", "workspace", in.Workspace, "heatmap", r.ID, "responses", unused)
		return s.d.Records.Transact(ctx, "", actions...)
	}
	return err
}

// again turns the loss of a race with a twin of this task into its outcome.
func (s *Service) again(ctx context.Context, in JobInput, err error) error {
	if !errors.Is(raced(err), records.ErrConflict) {
		return err
	}
	if r, e := s.read(ctx, in.key()); errors.Is(e, records.ErrNotFound) || e == nil && (r.ID != in.Job || r.settled()) {
		return nil
	}
	return records.ErrConflict
}

// raced makes a lost race a conflict, after which the task is tried again and finds what
// the other one has done.
func raced(err error) error {
	var one *records.ConditionError
	var many *records.CanceledError
	if errors.As(err, &one) || errors.As(err, &many) {
		return records.ErrConflict
	}
	return err
}

// Fail settles an analysis whose machine gave up. The text says nothing of why: the log
// does.
func (s *Service) Fail(ctx context.Context, in JobInput, late bool) (status string, err error) {
	text := notMade
	if late {
		text = tooLate
	}
	return s.end(ctx, in, text)
}

// Expire settles an analysis that is past its deadline; the sweeper calls it.
func (s *Service) Expire(ctx context.Context, j jobs.Job) error {
	var in JobInput
	if err := jobs.Input(j, &in); err != nil {
		return err
	}
	ctx = account.With(ctx, account.Principal{Account: in.Account, Workspace: in.Workspace, Scopes: []string{"*"}, Method: "internal"})
	if _, err := s.end(ctx, in, tooLate); err != nil {
		return err
	}
	return s.d.Records.Transact(ctx, "", s.d.Jobs.Discard(j)) // of an analysis that is gone
}

func (s *Service) end(ctx context.Context, in JobInput, text string) (string, error) {
	r, err := s.read(ctx, in.key())
	if errors.Is(err, records.ErrNotFound) || err == nil && (r.ID != in.Job || r.settled()) {
		return r.Status, nil
	}
	if err != nil {
		return "", err
	}
	return Failed, s.fail(ctx, in, r, text)
}

// DeleteOf removes everything of the heatmaps of a Study that is gone. A job that runs
// finds nothing, and its responses are not given back.
func (s *Service) DeleteOf(ctx context.Context, workspace, studyID string) error {
	q := records.Query{PK: studyPK(workspace, studyID), Limit: 50}
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
			for n := range r.Pieces {
				if err := s.d.Records.Delete(ctx, pieceKey(workspace, r.ID, n)); err != nil {
					return err
				}
			}
			if r.Result != nil {
				if err := s.d.Blobs.Delete(ctx, *r.Result); err != nil {
					return err
				}
			}
			if err := s.d.Records.Transact(ctx, "", s.d.Jobs.Discard(r.job(workspace)), records.DeleteItem(it.Key)); err != nil {
				return err
			}
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return nil
		}
	}
}
