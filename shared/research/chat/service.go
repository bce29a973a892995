package chat

import (
	"context"
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
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
	// Boot names this run of the process and BootEnded tells which runs are over,
	// so that a message that a killed process was answering is taken over at once;
	// without them only time frees it.
	Boot      string
	BootEnded func(boot string) bool
	Log       *slog.Logger
}

// Service is what one can do with chats. Each method acts for the principal of
// its context.
type Service struct {
	d    Deps
	once *idempotency.Table
}

// tries bounds how often a record may change under one call.
const tries = 20

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.ReplyBytes <= 0 {
		d.ReplyBytes = 3 << 20
	}
	opt := idempotency.Options{Clock: d.Clock, IDs: d.IDs}
	if d.BootEnded != nil {
		opt.Boot, opt.Ended = d.Boot, d.BootEnded
	}
	return &Service{d: d, once: idempotency.New(d.Records, opt)}
}

// load reads a chat of the caller. NOT_FOUND for what is not there, in whatever
// tenant; FORBIDDEN for one of another member of the caller's workspace.
func (s *Service) load(ctx context.Context, id string) (chatRow, error) {
	return lookup.Owned[chatRow]{Records: s.d.Records, Kind: "chat", Key: chatKey, Decode: decode,
		Owner: func(r chatRow) string { return r.Owner }}.Get(ctx, "chatId", id)
}
