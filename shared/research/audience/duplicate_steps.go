package audience

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// copying is how many Minds of a chunk are prepared at once.
const copying = 8

// copied reads a duplicate for a step of an execution. mine is false when the step
// has nothing to do: settled, given to another execution, or gone.
func (s *Service) copied(ctx context.Context, j DuplicateJob) (a Audience, mine bool, err error) {
	a, err = s.Get(ctx, j.Audience)
	if fault.Is(err, fault.NotFound) {
		return a, false, nil
	}
	return a, err == nil && a.State == Creating && a.Copy != nil && a.Copy.Job == j.Job, err
}

// CopyMembers makes the members of a duplicate in chunks, each with what it makes of
// the counts in one transaction, for some time, and at last the duplicate ready;
// done is false when there is more: call again. What was cut off is done again.
func (s *Service) CopyMembers(ctx context.Context, j DuplicateJob) (done bool, err error) {
	a, mine, err := s.copied(ctx, j)
	if err != nil || !mine {
		return true, err
	}
	var plan copyPlan
	if err := s.getJSON(ctx, a.Copy.Plan, &plan); err != nil {
		return false, err
	}
	until := s.d.Clock.Now().Add(readSlice)
	for a.Copy.Made < len(plan.Members) {
		if s.d.Clock.Now().After(until) {
			return false, nil
		}
		next, err := s.copyChunk(ctx, a, plan)
		if errors.Is(err, errMoved) {
			if a, mine, err = s.copied(ctx, j); err != nil || !mine {
				return true, err
			}
			continue
		}
		if err != nil {
			return false, err
		}
		a = next
	}
	return true, s.finishCopy(ctx, a, plan)
}

// copyChunk makes the next members. Originals that were deleted meanwhile are left
// out, and given back to the allowance.
func (s *Service) copyChunk(ctx context.Context, a Audience, plan copyPlan) (Audience, error) {
	at := a.Copy.Made
	chunk := plan.Members[at:min(at+mind.CopyChunk, len(plan.Members))]
	ids := make([]string, len(chunk))
	for i, m := range chunk {
		ids[i] = m.From
	}
	found, err := s.d.Minds.GetMany(asOwner(ctx, Audience{Owner: a.Copy.FromOwner, Workspace: a.Workspace}), ids)
	if err != nil {
		return a, err
	}
	byID := make(map[string]mind.Mind, len(found))
	for _, m := range found {
		byID[m.ID] = m
	}
	copies := make([]mind.Copy, 0, len(found))
	for i, m := range chunk {
		if from, ok := byID[m.From]; ok {
			copies = append(copies, mind.Copy{From: from, ID: m.To, Slot: a.Copy.FirstSlot + int64(at+i)})
		}
	}
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(copying)
	for i := range copies {
		g.Go(func() error { return s.prepareCopy(inner, a, &copies[i]) })
	}
	if err := g.Wait(); err != nil {
		return a, err
	}
	rows, err := s.d.Minds.CopyRows(ctx, a.ID, copies)
	if err != nil {
		return a, err
	}
	p := account.From(ctx)
	made, err := s.d.Accounts.Made(p, account.Minds, int64(len(chunk))) // of none of them anything is held any more
	if err != nil {
		return a, err
	}
	rows = append(rows, made)
	if left := len(chunk) - len(copies); left > 0 {
		back, err := s.d.Accounts.Count(p, account.Minds, -int64(left))
		if err != nil {
			return a, err
		}
		rows = append(rows, back)
	}
	job := a.Copy.Job
	return s.Note(ctx, a.ID, func(a *Audience) error {
		if a.Copy == nil || a.Copy.Job != job || a.Copy.Made != at {
			return errMoved
		}
		a.Copy.Made += len(chunk)
		a.Copy.Held -= len(chunk)
		return nil
	}, func(Audience) ([]records.Action, error) { return rows, nil })
}

// maxPicture bounds a portrait that is copied, in bytes.
const maxPicture = 16 << 20

// prepareCopy copies what stands outside of a Mind's record.
func (s *Service) prepareCopy(ctx context.Context, a Audience, c *mind.Copy) error {
	var err error
	if s.d.CopyKnowledge != nil {
		if c.Knowledge, c.Items, err = s.d.CopyKnowledge(ctx, c.From, c.ID, a.Owner); err != nil {
			return err
		}
	}
	if c.From.Portrait == nil {
		return nil
	}
	picture := *c.From.Portrait
	prefix := fmt.Sprintf("w/%s/portraits/%s", a.Workspace, c.ID) // its own: it goes with the Mind
	for _, ref := range []*blobs.Ref{&picture.PNG, &picture.SVG} {
		in, err := s.d.Blobs.Open(ctx, *ref, 0, -1)
		if errors.Is(err, blobs.ErrNotFound) {
			return nil // replaced at this moment: the copy goes without, and can have one drawn
		}
		if err != nil {
			return err
		}
		*ref, err = s.d.Blobs.Put(ctx, prefix, ref.MediaType, in, maxPicture)
		_ = in.Close()
		if err != nil {
			return err
		}
	}
	c.Portrait = &picture
	return nil
}

// finishCopy copies what belongs to the Audience as a whole, and makes the duplicate
// ready with its members in one write.
func (s *Service) finishCopy(ctx context.Context, a Audience, plan copyPlan) error {
	to := make(map[string]string, len(plan.Members))
	ids := make([]string, len(plan.Members))
	for i, m := range plan.Members {
		to[m.From], ids[i] = m.To, m.To
	}
	there, err := s.d.Minds.GetMany(ctx, ids)
	if err != nil {
		return err
	}
	members := make([]string, len(there))
	for i, m := range there {
		members[i] = m.ID
	}
	from, err := s.read(ctx, a.Workspace, a.Copy.From)
	if err != nil && !isGone(err) {
		return err
	}
	if err == nil { // deleted meanwhile: its Formations went with it
		if f := s.formations(); f != nil {
			if err := f.Copy(ctx, from, a, to, func(old string) string { return derived4(a.ID, old) }); err != nil {
				return err
			}
		}
		for _, follow := range s.d.Copied {
			if err := follow(ctx, from, a, to); err != nil {
				return err
			}
		}
	}
	job := a.Copy.Job
	_, err = s.Note(ctx, a.ID, func(a *Audience) error {
		if a.Copy == nil || a.Copy.Job != job {
			return errMoved
		}
		a.State, a.Failure, a.MemberIDs, a.Copy = "", nil, members, nil
		return nil
	}, func(Audience) ([]records.Action, error) {
		return []records.Action{s.d.Jobs.Discard(jobs.Job{ID: job, Workspace: a.Workspace})}, nil
	})
	if errors.Is(err, errMoved) {
		return nil
	}
	return ended(err)
}

// derived4 is an id in the form of a version 4 UUID that follows from two others:
// the same each time a copy is taken up.
func derived4(of, from string) string {
	sum := sha256.Sum256([]byte(of + "#" + from))
	var id uuid.UUID
	copy(id[:], sum[:])
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id.String()
}

// FailDuplicate settles a duplicate whose execution gave up: what it counted and did
// not make is given back, and the same call takes it up again.
func (s *Service) FailDuplicate(ctx context.Context, j DuplicateJob, outOfTime bool) error {
	a, mine, err := s.copied(ctx, j)
	if err != nil || !mine {
		return err
	}
	var plan copyPlan
	if err := s.getJSON(ctx, a.Copy.Plan, &plan); err != nil {
		return err
	}
	why := Failure{Code: string(fault.Internal), Message: "The copy could not be made because of a mistake on our side. Repeat the call with its idempotencyKey: what was made already is kept.", Retryable: true}
	if outOfTime {
		why = Failure{Code: string(fault.DeadlineExceeded), Message: "The copy took too long and was ended. Repeat the call with its idempotencyKey: what was made already is kept.", Retryable: true}
	}
	held := 0
	_, err = s.Note(ctx, a.ID, func(a *Audience) error {
		if a.State != Creating || a.Copy == nil || a.Copy.Job != j.Job {
			return errMoved
		}
		held = a.Copy.Held
		a.Copy.Job, a.Copy.Held = "", 0
		a.State, a.Failure, a.MemberIDs = Failed, &why, nil
		for _, m := range plan.Members[:a.Copy.Made] {
			a.MemberIDs = append(a.MemberIDs, m.To)
		}
		return nil
	}, func(Audience) ([]records.Action, error) {
		actions := []records.Action{s.d.Jobs.Discard(jobs.Job{ID: j.Job, Workspace: j.Workspace})}
		if held == 0 {
			return actions, nil
		}
		back, err := s.d.Accounts.Hold(account.From(ctx), account.Minds, -int64(held))
		return append(actions, back...), err
	})
	if errors.Is(err, errMoved) {
		return nil
	}
	return ended(err)
}

// ExpireDuplicate settles a duplicate that is past its deadline.
func (s *Service) ExpireDuplicate(ctx context.Context, j jobs.Job) error {
	p, err := s.d.Accounts.Internal(ctx, j.Workspace, j.Account)
	if err != nil {
		return err
	}
	var in DuplicateJob
	if err := jobs.Input(j, &in); err != nil {
		return err
	}
	ctx = account.With(ctx, p)
	if err := s.FailDuplicate(ctx, in, true); err != nil {
		return err
	}
	return s.d.Records.Transact(ctx, "", s.d.Jobs.Discard(j)) // a row that nothing knows any more goes too
}

// forget takes back what was copied for a Mind that was never made.
func (s *Service) forget(ctx context.Context, mindID string) error {
	if s.d.ForgetKnowledge == nil {
		return nil
	}
	return s.d.ForgetKnowledge(ctx, mindID)
}
