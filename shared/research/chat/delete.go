package chat

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// left is how old the rest of a deleted chat is before the sweep takes it: older
// than any call that may still be removing it.
const left = time.Minute

// Delete removes a chat with its messages; Minds and Audiences stay. The chat is
// gone with one transaction, which gives back what a message that was never
// answered had reserved; its messages follow.
func (s *Service) Delete(ctx context.Context, chatID string) error {
	for range tries {
		row, err := s.load(ctx, chatID)
		if err != nil {
			return err
		}
		err = s.remove(ctx, row)
		if errors.Is(err, errChanged) {
			continue
		}
		return err
	}
	return records.ErrConflict
}

func (s *Service) remove(ctx context.Context, row chatRow) error {
	ws := row.Workspace
	steps := []step{
		{records.DeleteItem(chatKey(ws, row.ID), records.VersionIs(row.version)), nil},
		{records.PutItem(records.Item{Key: goneKey(ws, row.ID), G1PK: gonePK, G1SK: goneSK(s.now()) + "#" + row.ID}), nil},
	}
	if row.Thread != nil {
		steps = append(steps, step{records.DeleteItem(threadKey(ws, row.Owner, *row.Thread)), nil})
	}
	for _, m := range row.Minds {
		steps = append(steps, step{records.DeleteItem(mindChatKey(ws, m.ID, row.ID)), nil})
	}
	if row.Pending != nil && row.Pending.Reserved > 0 {
		back, err := s.d.Accounts.RefundResponses(ctx, row.Pending.Reserved, row.Pending.ReservedAt)
		if err != nil {
			return err
		}
		steps = append(steps, step{back, nil})
	}
	if err := s.commit(ctx, steps); err != nil {
		return err
	}
	if err := s.clear(context.WithoutCancel(ctx), chatPK(ws, row.ID)); err != nil {
		s.d.Log.WarnContext(ctx, "messages of a deleted chat are not removed yet; the sweep will do it", "chat", row.ID, "error", err)
	}
	return nil
}

// clear removes what is left under a deleted chat's partition, the mark last.
// It may be done twice.
func (s *Service) clear(ctx context.Context, pk string) error {
	for {
		page, err := s.d.Records.Query(ctx, records.Query{PK: pk, Prefix: prefixMessage, Limit: records.MaxActions})
		if err != nil {
			return err
		}
		if len(page.Items) == 0 {
			break
		}
		actions := make([]records.Action, len(page.Items))
		for i, it := range page.Items {
			m, err := readMessage(it)
			if err != nil {
				return err
			}
			if m.Answers != nil {
				if err := s.d.Blobs.Delete(ctx, *m.Answers); err != nil {
					return err
				}
			}
			actions[i] = records.DeleteItem(it.Key)
		}
		if err := s.d.Records.Transact(ctx, "", actions...); err != nil {
			return err
		}
	}
	return s.d.Records.Transact(ctx, "", records.DeleteItem(records.Key{PK: pk, SK: skTold}), records.DeleteItem(records.Key{PK: pk, SK: skGone}))
}

// Sweep removes what a break left of deleted chats, and tells how many chats.
// Hosts call it every minute.
func (s *Service) Sweep(ctx context.Context) (cleared int, err error) {
	query := records.Query{Index: records.G1, PK: gonePK, To: goneSK(s.now().Add(-left)), Limit: 100}
	for {
		page, err := s.d.Records.Query(ctx, query)
		if err != nil {
			return cleared, err
		}
		for _, it := range page.Items {
			if err := s.clear(ctx, it.PK); err != nil {
				return cleared, err
			}
			cleared++
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			return cleared, nil
		}
	}
}

// DeleteOf takes a Mind that is being deleted out of every chat of the context's
// workspace: a chat with it alone goes, one with others goes on without it. It
// is idempotent and goes on after a break where it stood.
func (s *Service) DeleteOf(ctx context.Context, mindID string) error {
	ws := account.From(ctx).Workspace
	for {
		page, err := s.d.Records.Query(ctx, records.Query{PK: mindChatsPK(ws, mindID), Limit: 100, KeysOnly: true})
		if err != nil {
			return err
		}
		if len(page.Items) == 0 {
			return nil
		}
		for _, it := range page.Items {
			if err := s.leave(ctx, ws, it.SK, mindID); err != nil {
				return err
			}
		}
	}
}

// leave takes a Mind out of one chat.
func (s *Service) leave(ctx context.Context, ws, chat, mindID string) error {
	for range tries {
		it, err := s.d.Records.Get(ctx, chatKey(ws, chat))
		if errors.Is(err, records.ErrNotFound) {
			return s.d.Records.Delete(ctx, mindChatKey(ws, mindID, chat))
		}
		if err != nil {
			return err
		}
		row, err := decode(it)
		if err != nil {
			return err
		}
		others := slices.DeleteFunc(slices.Clone(row.Minds), func(m Member) bool { return m.ID == mindID })
		if len(others) == 0 {
			err = s.remove(ctx, row)
		} else {
			row.Minds, row.UpdatedAt = others, s.now()
			err = s.commit(ctx, []step{{row.put(), nil}, {records.DeleteItem(mindChatKey(ws, mindID, chat)), nil}})
		}
		if !errors.Is(err, errChanged) {
			return err
		}
	}
	return fault.From(records.ErrConflict)
}
