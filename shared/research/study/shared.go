package study

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Shared reads a link-shared Study without a credential: its Audiences, its
// Minds and its transcript, with no link of the owner's workspace. NOT_FOUND
// once sharing is off, whatever share id was left behind (M-4).
func (s *Service) Shared(ctx context.Context, shareID string) (Detail, error) {
	gone := fault.New(fault.NotFound, "Nothing is shared under this link.")
	it, err := s.d.Records.Get(ctx, shareKey(canonical(shareID)))
	if errors.Is(err, records.ErrNotFound) {
		return Detail{}, gone
	}
	if err != nil {
		return Detail{}, err
	}
	// The share id is the credential: the read is done as the owner, for reading
	// this one Study.
	ctx = account.With(ctx, account.Principal{Workspace: it.Fields[fieldSpace], Account: it.Fields[fieldOwner],
		Scopes: []string{"flows:read"}, Method: "internal"})
	row, err := s.d.Records.Get(ctx, studyKey(it.Fields[fieldSpace], it.Fields[fieldStudy]))
	if errors.Is(err, records.ErrNotFound) {
		return Detail{}, gone
	}
	if err != nil {
		return Detail{}, err
	}
	var r studyRow
	if err := json.Unmarshal(row.Body, &r); err != nil {
		return Detail{}, err
	}
	if !r.LinkSharing || r.ShareID != canonical(shareID) {
		return Detail{}, gone
	}
	d, err := s.detail(ctx, r)
	if err != nil {
		return Detail{}, err
	}
	d.WorkspaceURL = *d.SharedStudyURL
	return d, nil
}
