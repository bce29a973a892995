package study

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Analytics computes the statistics over the settled questions of a Study.
func (s *Service) Analytics(ctx context.Context, studyID string) (Analytics, error) {
	return Analytics{}, fault.New(fault.Internal, "Analytics are being built.")
}
