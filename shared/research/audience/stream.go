package audience

import "context"

// changed tells the open workspaces of its owner that an Audience is another one,
// or gone (M-291).
func (s *Service) changed(ctx context.Context, a Audience) {
	if s.d.Notify != nil {
		s.d.Notify(ctx, a.Workspace, a.Owner, false, a.ID)
	}
}

// told tells them that an operation has come further: what is drafted, and what
// is there already.
func (s *Service) told(ctx context.Context, o operation) {
	if s.d.Notify == nil {
		return
	}
	s.d.Notify(ctx, o.Workspace, o.Owner, true, o.ID)
	if o.HasRow {
		s.d.Notify(ctx, o.Workspace, o.Owner, false, o.AudienceID)
	}
}
