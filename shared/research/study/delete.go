package study

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// DeleteMachine does what is left to do after a Study was deleted. Past its time
// each sweep tries again.
const (
	DeleteMachine = "study-delete"
	DeleteTime    = 2 * time.Hour
)

const (
	// clearSlice is how long one step of a deletion works; the machine calls again.
	clearSlice = 40 * time.Second
	// lingering is how long the rows of a run that a deletion ended are left, so that
	// its machine finds it ended, and not gone.
	lingering = 2 * time.Minute
)

// DeleteJob is the input of an execution.
type DeleteJob struct {
	Job       string `json:"job"`
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
	Study     string `json:"study"`
}

// Cleared is how far the work behind a deletion has come.
type Cleared struct {
	Done bool `json:"done"`
	Wait bool `json:"wait"` // something ends at this moment: ask again later
}

// Follower removes what another part keeps of a Study that is gone. done is false
// while something of it still ends.
type Follower func(ctx context.Context, workspace, studyID string) (done bool, err error)

// Delete takes a Study away for good: from the commit on it does not exist, and its
// link shows nothing. Behind it go its questions and answers, runs, plans, summaries,
// heatmaps and its schedule; a run that goes on is ended, and what it did not use is
// given back. Its Audiences and Minds stay. Owner only: FORBIDDEN for others of the
// workspace, NOT_FOUND outside of it.
func (s *Service) Delete(ctx context.Context, id string) error {
	p := account.From(ctx)
	for range alterTries {
		r, err := s.fetch(ctx, id)
		if err != nil {
			return err
		}
		if r.Owner != p.Account {
			return fault.New(fault.Forbidden, "This Study belongs to another account of your workspace; only its owner deletes it.")
		}
		flows, err := s.d.Accounts.Count(p, account.Flows, -1)
		if err != nil {
			return err
		}
		job := s.deleteJob(p, r)
		actions := []records.Action{
			records.DeleteItem(studyKey(p.Workspace, r.ID), records.VersionIs(r.version)),
			records.DeleteItem(listKey(p.Workspace, r.Owner, r.ID, r.CreatedAt)),
			records.AddTo(countKey(p.Workspace, r.Owner), records.Delta{By: -1}),
			flows,
			records.PutItem(records.Item{Key: goneKey(p.Workspace, r.ID), Body: job.Input}),
			s.d.Jobs.Open(job),
		}
		if r.ShareID != "" {
			actions = append(actions, records.DeleteItem(shareKey(r.ShareID)))
		}
		err = s.d.Records.Transact(ctx, "", actions...)
		var lost *records.CanceledError
		if errors.As(err, &lost) && lost.Failed(0) {
			continue // somebody changed it, or was quicker
		}
		if err != nil {
			return err
		}
		_ = s.d.Jobs.Start(ctx, job) // committed: the sweeper starts what could not be started
		return nil
	}
	return records.ErrConflict
}

func (s *Service) deleteJob(p account.Principal, r studyRow) jobs.Job {
	now := s.d.Clock.Now()
	in := DeleteJob{Job: s.d.IDs.NewID(), Workspace: p.Workspace, Account: p.Account, Study: r.ID}
	input, _ := json.Marshal(in) // strings always encode
	return jobs.Job{ID: in.Job, Machine: DeleteMachine, Workspace: p.Workspace, Account: p.Account, Input: input, QueuedAt: now, Deadline: now.Add(DeleteTime)}
}

// Clear does the next piece of what a deletion has left to do. Every piece may be
// cut off and repeated: what is there is looked at anew.
func (s *Service) Clear(ctx context.Context, j DeleteJob) (Cleared, error) {
	_, err := s.d.Records.Get(ctx, goneKey(j.Workspace, j.Study))
	if errors.Is(err, records.ErrNotFound) {
		return Cleared{Done: true}, nil
	}
	if err != nil {
		return Cleared{}, err
	}
	until := s.d.Clock.Now().Add(clearSlice)
	wait := false
	if s.d.Behind != nil {
		for _, follow := range s.d.Behind() {
			done, err := follow(ctx, j.Workspace, j.Study)
			if err != nil {
				return Cleared{}, err
			}
			wait = wait || !done
		}
	}
	ended, more, err := s.clearQuestions(ctx, j, until)
	switch {
	case err != nil:
		return Cleared{}, err
	case more:
		return Cleared{}, nil
	case wait || !ended:
		return Cleared{Wait: true}, nil
	}
	if err := records.Clear(ctx, s.d.Records, studyPK(j.Workspace, j.Study)); err != nil {
		return Cleared{}, err
	}
	return Cleared{Done: true}, s.d.Records.Transact(ctx, "",
		records.DeleteItem(goneKey(j.Workspace, j.Study)), s.d.Jobs.Discard(jobs.Job{ID: j.Job, Workspace: j.Workspace}))
}

// clearQuestions ends the questions that still run and removes those that have ended.
// ended is false while some must be left for a moment, more is true when the time was
// not enough.
func (s *Service) clearQuestions(ctx context.Context, j DeleteJob, until time.Time) (ended, more bool, err error) {
	ended = true
	query := records.Query{PK: studyPK(j.Workspace, j.Study), Prefix: prefixQuestion, Limit: 20}
	for {
		page, err := s.d.Records.Query(ctx, query)
		if err != nil {
			return false, false, err
		}
		for _, it := range page.Items {
			if s.d.Clock.Now().After(until) {
				return false, true, nil
			}
			gone, err := s.clearQuestion(ctx, j, it)
			if err != nil {
				return false, false, err
			}
			ended = ended && gone
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			return ended, false, nil
		}
	}
}

func (s *Service) clearQuestion(ctx context.Context, j DeleteJob, it records.Item) (gone bool, err error) {
	q, err := readQuestion(it)
	if err != nil {
		return false, err
	}
	if !q.settled() {
		in := JobInput{Job: q.JobID, Workspace: j.Workspace, Account: q.Owner, Study: q.StudyID, Question: q.ID}
		_, err := s.settle(ctx, in, "The Study was deleted while the question ran. What was not answered was not charged.")
		return false, err
	}
	if q.Error != "" && s.d.Clock.Now().Before(q.CompletedAt.Add(lingering)) {
		return false, nil
	}
	if err := records.Clear(ctx, s.d.Records, answersPK(j.Workspace, q.ID)); err != nil {
		return false, err
	}
	return true, s.d.Records.Transact(ctx, "",
		records.DeleteItem(it.Key),
		records.DeleteItem(messageKey(j.Workspace, q.StudyID, q.MessageID)),
		records.DeleteItem(runListKey(j.Workspace, q.StudyID, q.RunID, q.CreatedAt)),
		records.DeleteItem(runKey(j.Workspace, q.RunID)))
}

// ExpireDelete goes on with a deletion whose machine gave up; each sweep does a
// piece until it is done.
func (s *Service) ExpireDelete(ctx context.Context, j jobs.Job) error {
	var in DeleteJob
	if err := jobs.Input(j, &in); err != nil {
		return err
	}
	p := account.Principal{Account: in.Account, Workspace: in.Workspace, Scopes: []string{"*"}, Method: "internal"}
	done, err := s.Clear(account.With(ctx, p), in)
	if err == nil && !done.Done {
		err = errUnfinished
	}
	return err
}

// errUnfinished leaves a job open for the next sweep.
var errUnfinished = errors.New("study: more is left to do")
