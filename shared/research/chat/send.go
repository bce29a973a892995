package chat

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// How long a message waits for the one before it, which another call answers.
const (
	waitFirst = 50 * time.Millisecond
	waitMost  = time.Second
	waitInAll = 20 * time.Second
)

// Send appends a message and gives the reply, or stores a note (Role system).
//
// A message is written down and its responses are reserved before anybody
// answers; replies, refund of what failed and the chat's new state are then one
// transaction. So a message is answered once or not at all: what a killed call
// left is answered by the next one. That is the same message when its text is
// the same; a different one is answered after it.
//
// NOT_FOUND, PANEL_MINDS_NOT_READY, PLAN_LIMIT (messages, responses);
// IDEMPOTENCY_IN_PROGRESS when the message before is still being answered after
// a while.
func (s *Service) Send(ctx context.Context, r SendRequest) (Sent, error) {
	if err := r.check(); err != nil {
		return Sent{}, err
	}
	digest, err := idempotency.Fingerprint(r.Role + "\n" + r.Message + r.Offer.word())
	if err != nil {
		return Sent{}, err
	}
	for range tries {
		row, sent, err := s.free(ctx, r.ChatID, digest)
		if err != nil || sent != nil {
			return deref(sent), err
		}
		if r.Role == System {
			done, err := s.note(ctx, row, r)
			if errors.Is(err, errChanged) {
				continue
			}
			return done, err
		}
		messageID := s.d.IDs.NewID()
		done, err := s.held(ctx, row, messageID, func(ctx context.Context) (Sent, error) {
			if err := s.open(ctx, &row, r, messageID, digest); err != nil {
				return Sent{}, idempotency.Refused(err)
			}
			return s.work(ctx, row)
		})
		if errors.Is(err, errChanged) {
			continue
		}
		return done, err
	}
	return Sent{}, records.ErrConflict
}

func deref(s *Sent) Sent {
	if s == nil {
		return Sent{}
	}
	return *s
}

// free reads a chat once no message of it waits for an answer. What a killed
// call left is answered here; when that is the message with this digest, its
// reply comes back with the chat. One that fails again is withdrawn.
func (s *Service) free(ctx context.Context, chatID, digest string) (chatRow, *Sent, error) {
	wait, waited, failed := waitFirst, time.Duration(0), ""
	for range 2 * tries {
		row, err := s.load(ctx, chatID)
		if err != nil || row.Pending == nil {
			return row, nil, err
		}
		same := row.Pending.Digest == digest
		sent, err := s.answer(ctx, row)
		switch {
		case err == nil && same:
			return row, &sent, nil
		case err == nil, errors.Is(err, errChanged):
		case fault.Is(err, fault.IdempotencyInProgress):
			if waited >= waitInAll {
				return row, nil, err
			}
			if err := s.d.Clock.Sleep(ctx, wait); err != nil {
				return row, nil, err
			}
			waited += wait
			wait = min(2*wait, waitMost)
		case same, ctx.Err() != nil, failed == row.Pending.MessageID:
			return row, nil, err
		default:
			failed = row.Pending.MessageID
		}
	}
	return chatRow{}, nil, records.ErrConflict
}

func (r *SendRequest) check() error {
	if strings.TrimSpace(r.Message) == "" {
		return invalid("message", "message is blank. Send the text that is to be answered.")
	}
	if err := tooLong("message", r.Message, maxMessage); err != nil {
		return err
	}
	if r.Role == System && !r.Offer.empty() {
		return invalid("tools", "tools and response_format go with a message of the role user, which is answered; a note is not.")
	}
	if r.Role != "" && r.Role != User && r.Role != System {
		return invalid("role", "role is %q; it must be user or system.", clip(r.Role, 40))
	}
	return tooLong("endUserName", r.EndUserName, maxUserName)
}

// note stores a system note: no reply, no charge.
func (s *Service) note(ctx context.Context, row chatRow, r SendRequest) (Sent, error) {
	h, err := s.history(ctx, row, row.Next)
	if err != nil {
		return Sent{}, err
	}
	m := messageRow{ID: s.d.IDs.NewID(), Role: roleSystem, Text: r.Message, At: s.now(), place: row.Next}
	row.Summary, row.Window = row.fold(h, m.place)
	row.Next, row.UpdatedAt = m.place+1, m.At
	err = s.commit(ctx, []step{
		{row.put(), nil},
		{records.PutItem(m.item(row.Workspace, row.ID), records.NotExists()), nil},
	})
	return Sent{MessageID: m.ID, Role: System}, err
}

// open writes a message down as the one to be answered and reserves what its
// replies may cost. row becomes the chat as written.
func (s *Service) open(ctx context.Context, row *chatRow, r SendRequest, messageID, digest string) error {
	limits, err := s.d.Accounts.Limits(ctx)
	if err != nil {
		return err
	}
	if most := limits.Messages; most != nil && int64(row.Asked) >= *most {
		return s.d.Accounts.PlanLimit(ctx, account.Messages, 1).With("current", row.Asked)
	}
	now := s.now()
	next := *row
	m := messageRow{ID: messageID, Role: roleUser, Text: r.Message, At: now, place: row.Next}
	if !r.Offer.empty() {
		m.Offer = r.Offer
	}
	p := &pending{MessageID: m.ID, Place: m.place, Digest: digest, ReservedAt: now, EndUserName: r.EndUserName}
	if row.Type == OfAudiences {
		if err := s.takes(ctx, *row, nil, r.Offer); err != nil {
			return err
		}
		q, err := s.d.Studies.Inquire(ctx, r.Message, audienceIDs(*row))
		if err != nil {
			return err
		}
		p.Reserved = int64(len(q.MindIDs()))
	} else {
		ready, err := s.ready(ctx, *row)
		if err != nil {
			return err
		}
		if err := s.takes(ctx, *row, ready, r.Offer); err != nil {
			return err
		}
		who, err := s.moderate(ctx, *row, ready, r.Message)
		if err != nil {
			return err
		}
		for _, m := range who {
			p.Minds = append(p.Minds, m.ID)
		}
		p.Reserved = int64(len(who))
	}
	next.Pending, next.Asked, next.Next, next.UpdatedAt = p, row.Asked+1, m.place+1, now
	reserve, err := s.d.Accounts.ReserveResponses(ctx, p.Reserved, now)
	if err != nil {
		return err
	}
	err = s.commit(ctx, []step{
		{reserve, func() error { return s.d.Accounts.PlanLimit(ctx, account.Responses, p.Reserved) }},
		{next.put(), nil},
		{records.PutItem(m.item(row.Workspace, row.ID), records.NotExists()), nil},
	})
	if err != nil {
		return err
	}
	next.version++
	*row = next
	return nil
}

func audienceIDs(row chatRow) []string {
	ids := make([]string, len(row.Audiences))
	for i, a := range row.Audiences {
		ids[i] = a.ID
	}
	return ids
}
