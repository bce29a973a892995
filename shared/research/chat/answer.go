package chat

import (
	"context"
	"errors"
	"maps"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// generating bounds the making of all replies to a message, so that they are
// stored before a gateway gives up.
const generating = 20 * time.Second

// ready gives the Minds of a chat that can answer, in the order in which they
// joined; PANEL_MINDS_NOT_READY when none can.
func (s *Service) ready(ctx context.Context, row chatRow) ([]mind.Mind, error) {
	ids := make([]string, len(row.Minds))
	for i, m := range row.Minds {
		ids[i] = m.ID
	}
	all, err := s.d.Minds.GetMany(ctx, ids)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fault.New(fault.NotFound, "The Minds of this chat do not exist any more. Make a new chat.")
	}
	var ready []mind.Mind
	var waiting []map[string]any
	for _, m := range all {
		if m.ReadyToChat() {
			ready = append(ready, m)
			continue
		}
		waiting = append(waiting, map[string]any{"mindId": m.ID, "name": m.Name, "trainingStatus": m.Training.Status})
	}
	if len(ready) == 0 {
		return nil, fault.New(fault.PanelMindsNotReady, "No Mind of this chat can answer yet; data.notReady names them. Wait until get_mind_status shows readyToChat.").
			With("notReady", waiting)
	}
	return ready, nil
}

// answer has the pending message of a chat answered, which another call left.
// IDEMPOTENCY_IN_PROGRESS while that call still does it, errChanged when it has
// done it.
func (s *Service) answer(ctx context.Context, row chatRow) (Sent, error) {
	p := row.Pending
	return s.held(ctx, row, p.MessageID, func(ctx context.Context) (Sent, error) {
		// Whoever had the lease before may have ended the work.
		now, err := s.load(ctx, row.ID)
		if err != nil {
			return Sent{}, idempotency.Refused(err)
		}
		if now.Pending == nil || now.Pending.MessageID != p.MessageID {
			return Sent{}, errDone
		}
		return s.work(ctx, now)
	})
}

// held does the work on a message under its lease, which is taken before the
// message is written down: so nobody can take it for left behind.
func (s *Service) held(ctx context.Context, row chatRow, messageID string, work func(context.Context) (Sent, error)) (Sent, error) {
	scope := idempotency.Scope{Workspace: row.Workspace, Account: row.Owner, Operation: "chat_message", Within: row.ID}
	call, err := idempotency.Keyed(scope, messageID, messageID, 24*time.Hour)
	if err != nil {
		return Sent{}, err
	}
	var sent Sent
	done, err := s.once.Run(ctx, call, messageID, func(ctx context.Context, _ idempotency.Claim) (string, error) {
		var err error
		sent, err = work(ctx)
		return messageID, err
	})
	if errors.Is(err, errDone) || err == nil && done.Replayed {
		return Sent{}, errChanged
	}
	return sent, err
}

var errDone = errors.New("chat: answered already")

// work makes the replies to the pending message and commits them; when there is
// none, the message is withdrawn and what was reserved is given back.
func (s *Service) work(ctx context.Context, row chatRow) (Sent, error) {
	m, err := s.message(ctx, row, row.Pending.Place)
	if err != nil {
		return Sent{}, err
	}
	h, err := s.history(ctx, row, m.place)
	if err != nil {
		return Sent{}, err
	}
	made := make(chan summary, 1)
	folded, window := row.fold(h, m.place)
	go func() { made <- s.retold(ctx, folded) }()
	var out outcome
	bounded, cancel := context.WithTimeout(ctx, generating)
	if row.Type == OfAudiences {
		out, err = s.ask(bounded, row, m, h)
	} else {
		out, err = s.speak(bounded, row, m, h)
	}
	late := bounded.Err() != nil && ctx.Err() == nil
	cancel()
	retold := <-made
	if err != nil {
		if late && errors.Is(err, context.DeadlineExceeded) {
			err = fault.New(fault.Internal, "No answer was generated in time; nothing is charged. Try again later.").
				With("errorType", "ai_generation_error").Because(err)
		}
		return Sent{}, s.withdraw(context.WithoutCancel(ctx), row, m, err)
	}
	row.Summary, row.Window = retold, window
	if err := s.settle(context.WithoutCancel(ctx), row, m, out); err != nil {
		return Sent{}, err
	}
	return out.sent, nil
}

// outcome is what a message came to.
type outcome struct {
	sent     Sent
	replies  []messageRow
	answered int64 // responses that were used
}

// speak lets each chosen Mind reply, at once: each hears what was said before
// this message, and not the others' replies to it.
func (s *Service) speak(ctx context.Context, row chatRow, m messageRow, h history) (outcome, error) {
	by, err := s.d.Answerers.For(ctx, nil)
	if err != nil {
		return outcome{}, err
	}
	minds, err := s.d.Minds.GetMany(ctx, row.Pending.Minds)
	if err != nil {
		return outcome{}, err
	}
	if len(minds) == 0 {
		return outcome{}, fault.New(fault.NotFound, "The Minds of this chat do not exist any more. Make a new chat.")
	}
	replies := make([]*messageRow, len(minds))
	failed := make([]error, len(minds))
	var g errgroup.Group
	for i, who := range minds {
		g.Go(func() error {
			r, err := s.reply(ctx, by, row, who, m, h)
			if failed[i] = err; err == nil {
				replies[i] = &r
			}
			return nil
		})
	}
	_ = g.Wait() // what failed is kept beside its Mind
	out := outcome{sent: Sent{MessageID: m.ID}}
	for i, r := range replies {
		if r == nil {
			s.d.Log.WarnContext(ctx, "a reply in a chat failed", "chat", row.ID, "mind", minds[i].ID, "error", failed[i])
			continue
		}
		r.place = m.place + 1 + len(out.replies)
		out.replies = append(out.replies, *r)
		out.answered++
		out.sent.Messages = append(out.sent.Messages, Spoken{Content: r.Text, MessageID: r.ID, Mind: *r.Mind, Metadata: *r.Metadata})
	}
	if out.answered == 0 {
		return outcome{}, failed[0]
	}
	if row.Type == OneMind {
		only := out.sent.Messages[0]
		out.sent = Sent{MessageID: only.MessageID, Content: only.Content, Metadata: &only.Metadata, Calls: out.replies[0].Calls, Parsed: out.replies[0].Parsed}
		if parsed := out.sent.Parsed; parsed != nil {
			out.sent.Content = string(parsed)
		}
	}
	return out, nil
}

func (s *Service) reply(ctx context.Context, by simulate.Respondents, row chatRow, who mind.Mind, m messageRow, h history) (messageRow, error) {
	me, err := s.d.Minds.Answering(ctx, who)
	if err != nil {
		return messageRow{}, err
	}
	h.prepare(&me, row.Pending.EndUserName)
	policy := who.SourcePolicy
	if h.told != nil && h.told.SourcePolicy == mind.PolicyKnowledgeOnly {
		policy = mind.PolicyKnowledgeOnly
	}
	said, parsed, err := s.respond(ctx, by, me, m, simulate.Policy{KnowledgeOnly: policy == mind.PolicyKnowledgeOnly, History: h.of(who.ID)})
	if err != nil {
		return messageRow{}, mind.Ungenerated(err)
	}
	metadata := mind.MetadataOf(me, policy, by.Info(), said.Reply)
	return messageRow{ID: s.d.IDs.NewID(), Role: roleAssistant, Text: said.Text, Calls: said.Calls, Parsed: parsed, At: s.now(), Mind: &Speaker{who.ID, who.Name}, Metadata: &metadata}, nil
}

// settle commits the replies with the chat's new state, and gives back what was
// reserved for replies that failed.
func (s *Service) settle(ctx context.Context, row chatRow, m messageRow, out outcome) error {
	return s.end(ctx, row, func(now *chatRow) ([]step, error) {
		now.Summary, now.Window = row.Summary, row.Window
		var steps []step
		if m.Offer != nil { // it has served
			m.Offer = nil
			steps = append(steps, step{records.PutItem(m.item(row.Workspace, row.ID)), nil})
		}
		for _, r := range out.replies {
			steps = append(steps, step{records.PutItem(r.item(row.Workspace, row.ID), records.NotExists()), nil})
			now.Next = r.place + 1
			if r.Mind != nil && row.Type == SeveralMinds {
				now.Spoken = maps.Clone(now.Spoken)
				if now.Spoken == nil {
					now.Spoken = map[string]int{}
				}
				now.Spoken[r.Mind.ID]++
			}
		}
		return steps, nil
	}, row.Pending.Reserved-out.answered)
}

// withdraw takes a message back that nobody answered, and gives back all that
// was reserved. The error says why, as a refusal that leaves nothing open.
func (s *Service) withdraw(ctx context.Context, row chatRow, m messageRow, why error) error {
	err := s.end(ctx, row, func(now *chatRow) ([]step, error) {
		now.Asked--
		return []step{{records.DeleteItem(messageKey(row.Workspace, row.ID, m.place)), nil}}, nil
	}, row.Pending.Reserved)
	if err != nil {
		s.d.Log.ErrorContext(ctx, "a message that failed is not withdrawn; the next one will try it again", "chat", row.ID, "error", err)
		return why
	}
	return idempotency.Refused(why)
}

// end commits the end of the pending message, if it still is: the chat without
// it, what else changes, and the refund. A chat that was deleted meanwhile has
// refunded it.
func (s *Service) end(ctx context.Context, row chatRow, change func(*chatRow) ([]step, error), refund int64) error {
	for range tries {
		now, err := s.load(ctx, row.ID)
		if err != nil {
			return err
		}
		if now.Pending == nil || now.Pending.MessageID != row.Pending.MessageID {
			return errDone
		}
		now.Pending, now.UpdatedAt = nil, s.now()
		steps, err := change(&now)
		if err != nil {
			return err
		}
		steps = append(steps, step{now.put(), nil})
		if refund > 0 {
			back, err := s.d.Accounts.RefundResponses(ctx, refund, row.Pending.ReservedAt)
			if err != nil {
				return err
			}
			steps = append(steps, step{back, nil})
		}
		if err = s.commit(ctx, steps); !errors.Is(err, errChanged) {
			return err
		}
	}
	return records.ErrConflict
}

func engineOf(by simulate.Respondents) study.Engine {
	info := by.Info()
	return study.Engine{Name: info.Name, Version: info.Version, Simulated: true, Embeddings: info.Embeddings}
}
