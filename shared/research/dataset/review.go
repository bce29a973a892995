package dataset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/segment"
)

const (
	// Patience is how long a call waits for its review, reserve how much of the
	// caller's time is left for the answer.
	Patience  = 25 * time.Second
	reserve   = 2 * time.Second
	firstPoll = 20 * time.Millisecond
	lastPoll  = 500 * time.Millisecond

	// engine is part of a review's identity: a change of how files are read or
	// analysed is a change of the review.
	engine = "dataset-2"
)

// Preview reviews a file of respondents (M-130 to M-133) and waits for it up to 25
// seconds; equal requests meanwhile wait for the same review. VALIDATION,
// UNSAFE_URL, NOT_RESPONDENT_DATA; PLAN_LIMIT where the plan has no data sets,
// FORBIDDEN for an upload that is not the caller's; PAYLOAD_TOO_LARGE above the
// limits; ENTITLEMENT_UNAVAILABLE; DEADLINE_EXCEEDED while the review goes on;
// MALFORMED_RESPONSE when it does not add up (M-131); else INTERNAL_ERROR.
func (s *Service) Preview(ctx context.Context, r Request) (*segment.Preview, error) {
	out, err := s.reviewed(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := out.Preview.Check(r.Columns); err != nil {
		return nil, err
	}
	return out.Preview, nil
}

func (s *Service) reviewed(ctx context.Context, r Request) (*seen, error) {
	r, err := r.checked()
	if err != nil {
		return nil, err
	}
	if err := s.entitled(ctx); err != nil {
		return nil, err
	}
	stored, err := s.place(ctx, r.URL)
	if err != nil {
		return nil, err
	}
	for again := false; ; again = true {
		at, err := s.join(ctx, r, stored)
		if err != nil {
			return nil, err
		}
		if at, err = s.await(ctx, at); err != nil {
			return nil, err
		}
		if at.Refusal != nil {
			f := fault.New(fault.Code(at.Refusal.Code), "%s", at.Refusal.Message)
			for k, v := range at.Refusal.Data {
				f = f.With(k, v)
			}
			return nil, f
		}
		out, err := s.load(ctx, *at.Seen)
		if !errors.Is(err, blobs.ErrNotFound) || again {
			return out, err
		}
		// What was seen is not there any more: the file is read anew.
		if err := s.d.Records.Delete(ctx, reviewKey(at.Workspace, at.Owner, at.ID)); err != nil {
			return nil, err
		}
	}
}

// entitled refuses plans without data sets.
func (s *Service) entitled(ctx context.Context) error {
	limits, err := s.d.Accounts.Limits(ctx)
	if err != nil {
		return fault.New(fault.EntitlementUnavailable, "Whether the plan includes data sets could not be looked up. Try again in a minute.").Because(err)
	}
	if !limits.DatasetSegmentation {
		return s.d.Accounts.PlanLimit(ctx, account.DatasetSegmentation, 0)
	}
	return nil
}

// place finds out where a file is, and refuses what will never be read: uploads
// that are not the caller's, and addresses that the guard refuses (M-110).
func (s *Service) place(ctx context.Context, address string) (stored bool, err error) {
	in, _, stored, err := s.d.Files.Open(ctx, address)
	if in != nil {
		_ = in.Close()
	}
	switch {
	case fault.Is(err, fault.NotFound):
		return false, fault.New(fault.Forbidden, "file.url names no upload that you may read. Upload the file with POST /api/v1/uploads and give the path that it returned; an upload is kept for a day.").With("path", "/file/url")
	case err != nil || stored:
		return stored, err
	case s.d.Check == nil:
		return false, nil
	}
	return false, s.d.Check(address, true)
}

// join begins a review, or gives the one that runs or has ended just now.
func (s *Service) join(ctx context.Context, r Request, stored bool) (row, error) {
	p := account.From(ctx)
	want := row{
		ID: digest(engine, p.Account, r.Name, r.URL, r.Sheet, r.Columns), Job: s.d.IDs.NewID(), Workspace: p.Workspace, Owner: p.Account,
		Name: r.Name, URL: r.URL, Sheet: r.Sheet, Columns: r.Columns, Stored: stored, Status: queued, CreatedAt: s.d.Clock.Now().Truncate(time.Millisecond),
	}
	for {
		have, version, err := s.read(ctx, want.Workspace, want.Owner, want.ID)
		if err != nil {
			return row{}, err
		}
		if version > 0 && s.serves(have) {
			return have, nil
		}
		cond := records.NotExists()
		if version > 0 {
			cond = records.VersionIs(version)
		}
		err = s.d.Records.Transact(ctx, want.Job, records.PutItem(want.item(), cond), s.d.Jobs.Open(want.job()))
		var lost *records.CanceledError
		if errors.As(err, &lost) && lost.Failed(0) && ctx.Err() == nil {
			continue // somebody else asked at the same moment: look again
		}
		if err != nil {
			return row{}, err
		}
		_ = s.d.Jobs.Start(ctx, want.job()) // what could not be started is started by the sweeper
		return want, nil
	}
}

// serves says whether a review answers an equal request.
func (s *Service) serves(r row) bool {
	switch r.Status {
	case queued:
		return true
	case completed:
		return r.Stored || s.d.Clock.Now().Sub(r.EndedAt) < fresh
	}
	return false
}

// read gives a review and its version; 0 when there is none.
func (s *Service) read(ctx context.Context, ws, owner, id string) (row, int64, error) {
	it, err := s.d.Records.Get(ctx, reviewKey(ws, owner, id))
	if errors.Is(err, records.ErrNotFound) {
		return row{}, 0, nil
	}
	if err != nil {
		return row{}, 0, err
	}
	var r row
	return r, it.Version, json.Unmarshal(it.Body, &r)
}

var errGone = errors.New("dataset: the review is gone")

// await waits until a review is settled.
func (s *Service) await(ctx context.Context, r row) (row, error) {
	until := s.d.Clock.Now().Add(Patience)
	if end, ok := ctx.Deadline(); ok {
		if left := time.Until(end) - reserve; left < Patience {
			until = s.d.Clock.Now().Add(left)
		}
	}
	for wait := firstPoll; !r.settled(); wait = min(wait*3/2, lastPoll) {
		if !s.d.Clock.Now().Add(wait).Before(until) {
			return r, fault.New(fault.DeadlineExceeded, "The file is still being reviewed. Repeat the same call: it takes the same review up, and nothing is read twice.")
		}
		if err := s.d.Clock.Sleep(ctx, wait); err != nil {
			return r, err
		}
		have, version, err := s.read(ctx, r.Workspace, r.Owner, r.ID)
		if err != nil {
			return r, err
		}
		if version == 0 {
			return r, errGone
		}
		r = have
	}
	return r, nil
}

// digest identifies values; no two lists of them have the same bytes.
func digest(values ...any) string {
	raw, _ := json.Marshal(values) // plain data always encodes
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
