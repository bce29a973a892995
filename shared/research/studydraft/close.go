package studydraft

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

func digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Delete removes a draft or a tombstone for good, and frees its creation key.
// NOT_FOUND.
func (s *Service) Delete(ctx context.Context, id string) error {
	return s.change(ctx, id, func(r row) (changed, error) {
		actions := []records.Action{records.DeleteItem(r.key(), records.VersionIs(r.version)), s.d.Snapshots.Drop(r.Payload)}
		if r.Key != "" {
			once, err := call(account.From(ctx), r.Key)
			if err != nil {
				return changed{}, err
			}
			taken, err := s.once.Row(once, r.ID)
			if err != nil {
				return changed{}, err
			}
			actions = append(actions, records.DeleteItem(taken.Item.Key))
		}
		return changed{actions: actions, dropped: []blobs.Ref{r.Payload}}, nil
	})
}

// Consume closes a draft for good and leaves a tombstone, linked to a Study if one
// is named; it neither starts nor checks research. already is true for one that is
// consumed: it comes back as it is, whatever the revision and the Study. NOT_FOUND,
// STALE_REVISION.
func (s *Service) Consume(ctx context.Context, id string, revision int, studyID string) (d Draft, already bool, err error) {
	if studyID != "" {
		if studyID, err = lookup.ID("studyId", studyID); err != nil {
			return Draft{}, false, err
		}
	}
	err = s.change(ctx, id, func(r row) (changed, error) {
		if r.Consumed {
			already = true
			return changed{}, nil
		}
		if err := r.at(revision); err != nil {
			return changed{}, err
		}
		next := r
		next.Consumed, next.Launch, next.StudyID, next.Revision, next.UpdatedAt = true, nil, studyID, r.Revision+1, s.now()
		return changed{actions: []records.Action{
			records.DeleteItem(r.key(), records.VersionIs(r.version)),
			records.PutItem(next.item(), records.NotExists()),
		}}, nil
	})
	if err != nil {
		return Draft{}, false, err
	}
	d, err = s.Get(ctx, id)
	return d, already, err
}

// Begin takes the launch lease of a draft: until it ends, or the draft is consumed,
// nobody changes it. The same request may take it again. NOT_FOUND, STALE_REVISION,
// DRAFT_STARTING, DRAFT_CONSUMED.
func (s *Service) Begin(ctx context.Context, id string, revision int, requestID string) (Draft, error) {
	requestID, err := lookup.ID("startRequestId", requestID)
	if err != nil {
		return Draft{}, err
	}
	err = s.change(ctx, id, func(r row) (changed, error) {
		now := s.now()
		if r.status(now) == Starting && r.Launch.RequestID == requestID {
			if err := r.at(revision); err != nil {
				return changed{}, err
			}
		} else if err := r.changeable(now, revision); err != nil {
			return changed{}, err
		}
		r.Launch = &launch{RequestID: requestID, Until: now.Add(LaunchLease)}
		return changed{actions: []records.Action{records.PutItem(r.item(), records.VersionIs(r.version))}}, nil
	})
	if err != nil {
		return Draft{}, err
	}
	return s.Get(ctx, id)
}

// Release gives the launch lease of a request back, so that the draft can be changed
// at once. A lease that it does not hold stays.
func (s *Service) Release(ctx context.Context, id, requestID string) error {
	return s.change(ctx, id, func(r row) (changed, error) {
		if r.Consumed || r.Launch == nil || r.Launch.RequestID != requestID {
			return changed{}, nil
		}
		r.Launch = nil
		return changed{actions: []records.Action{records.PutItem(r.item(), records.VersionIs(r.version))}}, nil
	})
}
