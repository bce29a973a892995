package upload

import (
	"context"
	"io"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Place takes in a file as if the caller had brought it, under a path that is new,
// and gives that path; it is kept as long as any other upload. PAYLOAD_TOO_LARGE,
// PLAN_LIMIT.
func (s *Service) Place(ctx context.Context, name, mediaType string, in io.Reader) (path string, err error) {
	p, now := account.From(ctx), s.d.Clock.Now()
	id, name := s.d.IDs.NewID(), safeName(name)
	u := row{
		ID: id, Workspace: p.Workspace, Owner: p.Account, Name: name, Type: mediaType, CreatedAt: now,
		Path: "context/" + p.Account + "/" + id + "/" + name, EndsAt: now.Add(linkTTL),
	}
	if len(u.Type) > maxType {
		u.Type = ""
	}
	if err := s.save(ctx, row{}, u, records.NotExists()); err != nil {
		return "", err
	}
	u, version, err := s.find(ctx, p.Workspace, id)
	if err != nil {
		return "", err
	}
	if u, err = s.keep(ctx, u, version, in); err != nil {
		return "", err
	}
	return u.Path, nil
}
