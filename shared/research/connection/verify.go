package connection

import (
	"context"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// probing bounds all probes of one verification together, so that the call ends
// within the time of a gateway.
const probing = 20 * time.Second

// Verify tries what the model behind the current revision can do, and keeps what
// was seen with that revision alone: STALE_REVISION when it changed meanwhile. A
// failure that is no fact about the connection (the provider is busy) takes no
// earlier verification away.
func (s *Service) Verify(ctx context.Context, id string) (Connection, Verification, error) {
	p, err := s.administering(ctx)
	if err != nil {
		return Connection{}, Verification{}, err
	}
	r, err := s.get(ctx, p.Workspace, id)
	if err != nil {
		return Connection{}, Verification{}, err
	}
	secret, err := s.secret(ctx, r)
	if err != nil {
		return Connection{}, Verification{}, err
	}
	if err := s.settings(ctx, p, r.Settings, secret); err != nil {
		return Connection{}, Verification{}, err
	}
	client, err := s.d.Open(ctx, r.Settings, secret)
	if err != nil {
		return Connection{}, Verification{}, err
	}
	client = model.Tallied(client, func(ctx context.Context, _ model.Info, u model.Usage) { s.note(ctx, p.Workspace, r.ID, u) })
	bounded, cancel := context.WithTimeout(ctx, probing)
	defer cancel()
	seen := model.Probe(bounded, client, s.d.Clock)
	if ctx.Err() != nil {
		return Connection{}, Verification{}, ctx.Err()
	}
	next, outcome := r, Verification{Verified: seen.Verified()}
	next.UpdatedAt = s.now()
	switch {
	case seen.Verified():
		next.VerifiedAt, next.Capabilities = next.UpdatedAt, seen.Capabilities
	default:
		kind := seen.Failure()
		outcome.Code, outcome.Message = string(kind), kind.Words()
		if passing := (&model.Error{Kind: kind}).Retryable(); !passing {
			next.VerifiedAt, next.Capabilities = time.Time{}, model.Capabilities{}
		}
	}
	_, err = s.d.Records.Put(ctx, next.item(p.Workspace), records.VersionIs(r.version))
	var refused *records.ConditionError
	if errors.As(err, &refused) {
		return Connection{}, Verification{}, s.overtaken(ctx, p.Workspace, r.ID)
	}
	if err != nil {
		return Connection{}, Verification{}, err
	}
	return next.view(), outcome, nil
}
