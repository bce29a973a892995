package run

import (
	"context"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// lingering is how long the rows of a run that a deletion ended are left, so that its
// machine finds it ended, and not gone.
const lingering = 2 * time.Minute

// DeleteOf removes the planned runs of a Study that is gone; one that goes on is ended
// first, and what it did not use is given back. done is false while some must be left
// for a moment. It may be cut off and repeated.
func (s *Service) DeleteOf(ctx context.Context, workspace, studyID string) (done bool, err error) {
	done = true
	q := records.Query{PK: listPK(workspace, studyID), Prefix: prefixList, Limit: 20}
	for {
		page, err := s.d.Records.Query(ctx, q)
		if err != nil {
			return false, err
		}
		for _, it := range page.Items {
			gone, err := s.deleteOne(ctx, workspace, it.Fields[fieldRun])
			if err != nil {
				return false, err
			}
			if !gone {
				done = false
			} else if err := s.d.Records.Delete(ctx, it.Key); err != nil {
				return false, err
			}
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return done, nil
		}
	}
}

func (s *Service) deleteOne(ctx context.Context, workspace, id string) (gone bool, err error) {
	it, err := s.d.Records.Get(ctx, key(workspace, id, skRun))
	if errors.Is(err, records.ErrNotFound) {
		return true, s.wipe(ctx, key(workspace, id, skRun).PK)
	}
	if err != nil {
		return false, err
	}
	row, err := decode[runRow](it.Body)
	if err != nil {
		return false, err
	}
	if !row.settled() {
		in := JobInput{Job: row.ID, Workspace: workspace, Account: row.Owner, Study: row.StudyID}
		_, err := s.conclude(ctx, in, ending{Status: Cancelled})
		return false, err
	}
	if s.d.Clock.Now().Before(row.CompletedAt.Add(lingering)) {
		return false, nil
	}
	return true, s.wipe(ctx, it.PK)
}

// wipe removes every row of a partition, the run's own last.
func (s *Service) wipe(ctx context.Context, pk string) error {
	q := records.Query{PK: pk, KeysOnly: true, Limit: records.MaxActions}
	for {
		page, err := s.d.Records.Query(ctx, q)
		if err != nil || len(page.Items) == 0 {
			return err
		}
		var actions []records.Action
		for _, it := range page.Items {
			if it.SK != skRun || len(page.Items) == 1 {
				actions = append(actions, records.DeleteItem(it.Key))
			}
		}
		if err := s.d.Records.Transact(ctx, "", actions...); err != nil {
			return err
		}
	}
}
