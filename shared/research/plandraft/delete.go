package plandraft

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// DeleteOf removes the plan drafts of a Study that is gone. It may be cut off and
// repeated.
func (s *Service) DeleteOf(ctx context.Context, workspace, studyID string) error {
	for {
		page, err := s.d.Records.Query(ctx, records.Query{PK: indexKey(workspace, studyID).PK, KeysOnly: true, Limit: records.MaxActions})
		if err != nil || len(page.Items) == 0 {
			return err
		}
		actions := make([]records.Action, len(page.Items))
		for i, it := range page.Items {
			actions[i] = records.DeleteItem(it.Key)
		}
		if err := s.d.Records.Transact(ctx, "", actions...); err != nil {
			return err
		}
	}
}
