package plandraft

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// DeleteOf removes the plan drafts of a Study that is gone. It may be cut off and
// repeated.
func (s *Service) DeleteOf(ctx context.Context, workspace, studyID string) error {
	return records.Clear(ctx, s.d.Records, indexKey(workspace, studyID).PK)
}
