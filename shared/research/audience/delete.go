package audience

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// DeleteMachine does what is left to do after an Audience was deleted. Past its
// time each sweep tries again.
const (
	DeleteMachine = "audience-delete"
	DeleteTime    = 2 * time.Hour
)

// deletedAtOnce is how many Minds one step of a deletion takes.
const deletedAtOnce = 100

// DeleteJob is the input of an execution.
type DeleteJob struct {
	Job       string `json:"job"`
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
	Audience  string `json:"audience"`
}

// gone is what is left of an Audience until that is done.
type gone struct {
	ID        string   `json:"id"`
	MemberIDs []string `json:"memberIds"`
	Operation string   `json:"operation,omitempty"`
	Unmade    []string `json:"unmade,omitempty"` // copies whose knowledge may be there already
}

// Delete takes an Audience away for good: from the commit on it does not exist.
// Behind it go the members that its owner owns and that are in no other Audience
// (M-1), once the runs that ask it have settled, and its Formations. Studies keep
// their answers. Owner only; NOT_FOUND.
func (s *Service) Delete(ctx context.Context, id string) error {
	p := account.From(ctx)
	for range changeAttempts {
		a, err := s.mayChange(ctx, id, Owner)
		if err != nil {
			return err
		}
		count, err := s.d.Accounts.Count(p, account.Audiences, -1)
		if err != nil {
			return err
		}
		g := gone{ID: a.ID, MemberIDs: a.MemberIDs, Operation: a.Operation}
		halted, err := s.haltCopy(ctx, a, &g)
		if err != nil {
			return err
		}
		left, err := json.Marshal(g)
		if err != nil {
			return err
		}
		hidden, err := reach(a, Audience{})
		if err != nil {
			return err
		}
		job := s.deleteJob(a)
		err = s.d.Records.Transact(ctx, "", append([]records.Action{
			records.DeleteItem(recordKey(a.Workspace, a.ID), records.VersionIs(a.version)),
			records.DeleteItem(listKey(a.Workspace, a.Owner, a.ID, a.UpdatedAt)),
			count,
			records.PutItem(records.Item{Key: goneKey(a.Workspace, a.ID), Body: left}),
			s.d.Jobs.Open(job),
		}, append(hidden, halted...)...)...)
		var lost *records.CanceledError
		if errors.As(err, &lost) && lost.Failed(0) {
			continue // somebody changed it, or was quicker
		}
		if err != nil {
			return err
		}
		s.changed(ctx, a)
		_ = s.d.Jobs.Start(ctx, job) // committed: the sweeper starts what could not be started
		return nil
	}
	return records.ErrConflict
}

func (s *Service) deleteJob(a Audience) jobs.Job {
	now := s.d.Clock.Now()
	in := DeleteJob{Job: s.d.IDs.NewID(), Workspace: a.Workspace, Account: a.Owner, Audience: a.ID}
	input, _ := json.Marshal(in) // strings always encode
	return jobs.Job{ID: in.Job, Machine: DeleteMachine, Workspace: a.Workspace, Account: a.Owner, Input: input, QueuedAt: now, Deadline: now.Add(DeleteTime)}
}

// Cleared is how far the work behind a deletion has come.
type Cleared struct {
	Done bool `json:"done"`
	Wait bool `json:"wait"` // somebody still works with the members: ask again later
}

// Clear does the next piece of what a deletion has left to do. Every piece may be
// cut off and repeated: what is there is looked at anew.
func (s *Service) Clear(ctx context.Context, j DeleteJob) (Cleared, error) {
	var g gone
	it, err := s.d.Records.Get(ctx, goneKey(j.Workspace, j.Audience))
	if isGone(err) {
		return Cleared{Done: true}, nil
	}
	if err == nil {
		err = json.Unmarshal(it.Body, &g)
	}
	if err != nil {
		return Cleared{}, err
	}
	ids, settled, err := s.membersLeft(ctx, g)
	if err != nil || !settled {
		return Cleared{Wait: true}, err
	}
	alone, err := s.Acquire(ctx, g.ID, j.Job)
	if err != nil || !alone {
		return Cleared{Wait: true}, err
	}
	until := s.d.Clock.Now().Add(readSlice)
	for {
		doomed, err := s.doomed(ctx, g.ID, ids)
		if err != nil {
			return Cleared{}, err
		}
		if len(doomed) == 0 {
			break
		}
		if s.d.Clock.Now().After(until) {
			return Cleared{}, nil
		}
		if _, err := s.Beat(ctx, g.ID, j.Job); err != nil {
			return Cleared{}, err
		}
		out, err := s.d.Minds.DeleteMany(ctx, doomed[:min(len(doomed), deletedAtOnce)])
		if err != nil {
			return Cleared{}, err
		}
		for _, o := range out {
			if !o.Deleted && o.Error != "not_found" {
				return Cleared{}, records.ErrConflict // its reason is logged; tried again
			}
		}
	}
	for _, id := range g.Unmade {
		if err := s.forget(ctx, id); err != nil {
			return Cleared{}, err
		}
	}
	if f := s.formations(); f != nil {
		if err := f.DeleteOf(ctx, j.Workspace, g.ID); err != nil {
			return Cleared{}, err
		}
	}
	return Cleared{Done: true}, s.d.Records.Transact(ctx, "",
		records.DeleteItem(goneKey(j.Workspace, g.ID)),
		records.DeleteItem(leaseKey(j.Workspace, g.ID)),
		s.d.Jobs.Discard(jobs.Job{ID: j.Job, Workspace: j.Workspace}),
	)
}

// membersLeft are the members that there were, with those that a creation had made
// without the Audience knowing. settled is false while it may make more.
func (s *Service) membersLeft(ctx context.Context, g gone) (ids []string, settled bool, err error) {
	if g.Operation == "" {
		return g.MemberIDs, true, nil
	}
	o, err := s.operation(ctx, "operation", g.Operation)
	if fault.Is(err, fault.NotFound) {
		return g.MemberIDs, true, nil // long ago
	}
	if err != nil || !o.settled() {
		return nil, false, err
	}
	ids = slices.Clone(g.MemberIDs)
	if o.Status == OperationFailed && o.Plan != nil && o.Made > 0 {
		var p plan
		if err := s.getJSON(ctx, *o.Plan, &p); err != nil {
			return nil, false, err
		}
		ids = append(ids, p.ids(o.Made)...)
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	return ids, true, nil
}

// doomed are those of these Minds that are there, the owner's, and in no Audience.
func (s *Service) doomed(ctx context.Context, audienceID string, ids []string) ([]string, error) {
	there, err := s.d.Minds.GetMany(ctx, ids)
	if err != nil || len(there) == 0 {
		return nil, err
	}
	alive := make([]string, len(there))
	for i, m := range there {
		alive[i] = m.ID
	}
	shared, _, err := s.alsoIn(ctx, Audience{ID: audienceID, MemberIDs: alive})
	if err != nil {
		return nil, err
	}
	kept := make(map[string]bool, len(shared))
	for _, m := range shared {
		kept[m.MindID] = true
	}
	return slices.DeleteFunc(alive, func(id string) bool { return kept[id] }), nil
}

// ExpireDelete goes on with a deletion whose machine gave up; each sweep does a
// piece until it is done.
func (s *Service) ExpireDelete(ctx context.Context, j jobs.Job) error {
	p, err := s.d.Accounts.Internal(ctx, j.Workspace, j.Account)
	if err != nil {
		return err
	}
	var in DeleteJob
	if err := jobs.Input(j, &in); err != nil {
		return err
	}
	done, err := s.Clear(account.With(ctx, p), in)
	if err != nil {
		return err
	}
	if !done.Done {
		return errUnfinished
	}
	return nil
}

// errUnfinished leaves a job open for the next sweep.
var errUnfinished = errors.New("audience: more is left to do")
