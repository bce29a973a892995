package chat

import (
	"context"
	"errors"
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// Deps is what a Service works with. A nil Log discards.
type Deps struct {
	Records    records.Store
	Blobs      blobs.Store
	Clock      clock.Clock
	IDs        clock.IDs
	Accounts   *account.Service
	Minds      *mind.Service
	Audiences  *audience.Service
	Studies    *study.Service
	Answerers  mind.Answerers
	Model      model.Client // summarises; nil: extracts stand for a summary
	ReplyBytes int          // most JSON that one reply may hold; 0 is 3 MiB
	Log        *slog.Logger
}

// Service is what one can do with chats. Each method acts for the principal of
// its context.
type Service struct{ d Deps }

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{d: d}
}

var errUnbuilt = errors.New("chat: not built yet")

// Create makes a chat, or resumes the thread of a Study answer (Chat.Resumed).
func (s *Service) Create(ctx context.Context, r CreateRequest) (Chat, error) {
	return Chat{}, errUnbuilt
}

// Send appends a message and gives the reply.
func (s *Service) Send(ctx context.Context, r SendRequest) (Sent, error) { return Sent{}, errUnbuilt }

// Delete removes a chat with its messages; Minds and Audiences stay.
func (s *Service) Delete(ctx context.Context, chatID string) error { return errUnbuilt }

// DeleteOf takes a Mind that is being deleted out of every chat: a chat with it
// alone goes, one with others goes on without it. It is idempotent and goes on
// after a break where it stood.
func (s *Service) DeleteOf(ctx context.Context, mindID string) error { return nil }
