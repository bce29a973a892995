package audience

import "github.com/mindgate-dev/mindgate/shared/jobs"

// planResearch decides whether research goes on behind a new Audience (M-42,
// M-43), marks it so, and gives the job to open in the same transaction; nil when
// there is nothing to do: web search was left out, or there is no provider.
func (s *Service) planResearch(*Audience, bool) *jobs.Job { return nil }
