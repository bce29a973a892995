package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

const (
	maxMembers     = 50 // Minds or Audiences of a chat
	maxName        = 200
	maxDescription = 2_000
	maxMessage     = 32_000
	maxUserName    = 120
)

func invalid(field, format string, args ...any) error {
	return fault.New(fault.Validation, format, args...).With("field", field)
}

func tooLong(field, text string, most int) error {
	if n := utf8.RuneCountInString(text); n > most {
		return invalid(field, "%s has %d characters; at most %d are allowed.", field, n, most)
	}
	return nil
}

// Create makes a chat, or resumes the thread of a Study answer (Chat.Resumed):
// one thread for each caller, Study, message and Mind. NOT_FOUND for what is not
// there or not the caller's, PLAN_LIMIT (flows, audienceMembers).
func (s *Service) Create(ctx context.Context, r CreateRequest) (Chat, error) {
	p := account.From(ctx)
	row, err := s.fresh(ctx, p, r)
	if err != nil {
		return Chat{}, err
	}
	switch {
	case r.MindID != "":
		err = s.withMind(ctx, &row, r.MindID)
	case len(r.MindIDs) > 0:
		err = s.withMinds(ctx, &row, r.MindIDs)
	default:
		err = s.withAudiences(ctx, &row, r.AudienceIDs)
	}
	if err != nil {
		return Chat{}, err
	}
	if row.Name == "" {
		row.Name = nameOf(row)
	}
	if r.ResponseThread != nil {
		return s.openThread(ctx, p, row, *r.ResponseThread)
	}
	if err := s.write(ctx, p, row, nil); err != nil {
		return Chat{}, err
	}
	return row.view(false), nil
}

// fresh is a chat without members; the shape of the request is checked.
func (s *Service) fresh(_ context.Context, p account.Principal, r CreateRequest) (chatRow, error) {
	targets := 0
	for _, given := range []bool{r.MindID != "", r.MindIDs != nil, r.AudienceIDs != nil} {
		if given {
			targets++
		}
	}
	if targets != 1 {
		return chatRow{}, invalid("mindId", "A chat is with exactly one of mindId, mindIds and audienceIds; %d are given.", targets)
	}
	for field, ids := range map[string][]string{"mindIds": r.MindIDs, "audienceIds": r.AudienceIDs} {
		if ids != nil && (len(ids) < 1 || len(ids) > maxMembers) {
			return chatRow{}, invalid(field, "%s has %d ids; it must have 1 to %d.", field, len(ids), maxMembers)
		}
	}
	if r.ResponseThread != nil && r.MindID == "" {
		return chatRow{}, invalid("responseThread", "responseThread goes on from the answer of one Mind: send it with mindId.")
	}
	name, description := strings.TrimSpace(r.Name), strings.TrimSpace(r.Description)
	if err := tooLong("name", name, maxName); err != nil {
		return chatRow{}, err
	}
	if err := lookup.OneLine("name", name); err != nil {
		return chatRow{}, err
	}
	if err := tooLong("description", description, maxDescription); err != nil {
		return chatRow{}, err
	}
	now := s.now()
	return chatRow{ID: s.d.IDs.NewID(), Owner: p.Account, Workspace: p.Workspace, Name: name, Description: description, CreatedAt: now, UpdatedAt: now}, nil
}

func (s *Service) withMind(ctx context.Context, row *chatRow, id string) error {
	m, err := s.d.Minds.Get(ctx, id)
	if err != nil {
		return err
	}
	row.Type = OneMind
	row.Minds = []Member{memberOf(m.ID, m.Name, m.Discipline)}
	return nil
}

func (s *Service) withMinds(ctx context.Context, row *chatRow, ids []string) error {
	ids, err := distinct("mindIds", ids)
	if err != nil {
		return err
	}
	found, err := s.d.Minds.GetMany(ctx, ids)
	if err != nil {
		return err
	}
	row.Type = SeveralMinds
	have := map[string]bool{}
	for _, m := range found {
		have[m.ID] = true
		row.Minds = append(row.Minds, memberOf(m.ID, m.Name, m.Discipline))
	}
	return missing("Mind", ids, have)
}

func (s *Service) withAudiences(ctx context.Context, row *chatRow, ids []string) error {
	ids, err := distinct("audienceIds", ids)
	if err != nil {
		return err
	}
	found, err := s.d.Audiences.GetMany(ctx, ids)
	if err != nil {
		return err
	}
	row.Type = OfAudiences
	have := map[string]bool{}
	for _, a := range found {
		have[a.ID] = true
		row.Audiences = append(row.Audiences, AudienceRef{ID: a.ID, Name: a.Name, MindCount: len(a.MemberIDs)})
	}
	if err := missing("Audience", ids, have); err != nil {
		return err
	}
	limits, err := s.d.Accounts.Limits(ctx)
	if err != nil {
		return err
	}
	for _, a := range row.Audiences {
		if most := limits.AudienceMembers; most != nil && int64(a.MindCount) > *most {
			return s.d.Accounts.PlanLimit(ctx, account.AudienceMembers, int64(a.MindCount)).With("audienceId", a.ID)
		}
	}
	return nil
}

func memberOf(id, name, discipline string) Member {
	m := Member{ID: id, Name: name}
	if discipline != "" {
		m.Discipline = &discipline
	}
	return m
}

// distinct reads ids, each once.
func distinct(field string, ids []string) ([]string, error) {
	seen := map[string]bool{}
	out := make([]string, 0, len(ids))
	for i, raw := range ids {
		id, err := lookup.ID(fmt.Sprintf("%s[%d]", field, i), raw)
		if err != nil {
			return nil, err
		}
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out, nil
}

func missing(kind string, ids []string, have map[string]bool) error {
	for _, id := range ids {
		if !have[id] {
			return none(kind, id)
		}
	}
	return nil
}

func none(kind, id string) error {
	return fault.New(fault.NotFound, "No %s with this id.", kind).With("id", id)
}

// nameOf names a chat after whom it is with.
func nameOf(row chatRow) string {
	var names []string
	for _, m := range row.Minds {
		names = append(names, m.Name)
	}
	for _, a := range row.Audiences {
		names = append(names, a.Name)
	}
	if more := len(names) - 3; more > 0 {
		names = append(names[:3:3], fmt.Sprintf("%d more", more))
	}
	return clip(strings.Join(names, ", "), maxName)
}

// clip cuts a text to a number of characters and shows that it did.
func clip(text string, most int) string {
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	return strings.TrimRight(string(r[:most-1]), " ") + "…"
}

// write commits a new chat with what points to it, if its Minds are still there:
// what is cleaned up after a deleted Mind is what points to it by then.
func (s *Service) write(ctx context.Context, p account.Principal, row chatRow, more []step) error {
	flow, err := s.d.Accounts.Count(p, account.Flows, 1)
	if err != nil {
		return err
	}
	steps := append([]step{
		{flow, func() error { return s.d.Accounts.PlanLimit(ctx, account.Flows, 1) }},
		{records.PutItem(row.item(), records.NotExists()), nil},
	}, more...)
	pointers := make([]step, len(row.Minds))
	for i, m := range row.Minds {
		steps = append(steps, step{mind.Stands(row.Workspace, m.ID), func() error { return none("Mind", m.ID) }})
		pointers[i] = step{records.PutItem(records.Item{Key: mindChatKey(row.Workspace, m.ID, row.ID)}), nil}
	}
	if len(steps)+len(pointers) <= records.MaxActions {
		return s.commit(ctx, append(steps, pointers...))
	}
	// What points to a chat that is not there is nothing, so it may come before.
	if err := s.commit(ctx, pointers); err != nil {
		return err
	}
	err = s.commit(ctx, steps)
	var refused *fault.Error
	if errors.As(err, &refused) { // for sure there is no chat
		var gone []records.Action
		for _, m := range row.Minds {
			gone = append(gone, records.DeleteItem(mindChatKey(row.Workspace, m.ID, row.ID)))
		}
		if left := s.d.Records.Transact(context.WithoutCancel(ctx), "", gone...); left != nil {
			s.d.Log.WarnContext(ctx, "pointers to a chat that was not made are left; deleting its Minds removes them", "chat", row.ID, "error", left)
		}
	}
	return err
}

// openThread makes the chat that goes on from an answer, or gives the one that
// the caller has.
func (s *Service) openThread(ctx context.Context, p account.Principal, row chatRow, ref ThreadRef) (Chat, error) {
	told, err := s.d.Studies.Told(ctx, ref.StudyID, ref.MessageID, row.Minds[0].ID)
	if err != nil {
		return Chat{}, err
	}
	row.Thread = &thread{StudyID: told.StudyID, MessageID: told.MessageID, MindID: row.Minds[0].ID}
	body, err := json.Marshal(told)
	if err != nil {
		return Chat{}, err
	}
	key := threadKey(row.Workspace, row.Owner, *row.Thread)
	for range tries {
		earlier, err := s.d.Records.Get(ctx, key)
		if err == nil {
			there, err := s.load(ctx, earlier.Fields[fieldChat])
			if err != nil {
				return Chat{}, err
			}
			return there.view(true), nil
		}
		if !errors.Is(err, records.ErrNotFound) {
			return Chat{}, err
		}
		err = s.write(ctx, p, row, []step{
			{records.PutItem(records.Item{Key: key, Fields: map[string]string{fieldChat: row.ID}}, records.NotExists()), nil},
			{records.PutItem(records.Item{Key: toldKey(row.Workspace, row.ID), Body: body}), nil},
		})
		if !errors.Is(err, errChanged) {
			return row.view(false), err
		}
	}
	return Chat{}, records.ErrConflict
}

func (s *Service) now() time.Time { return s.d.Clock.Now().Truncate(time.Millisecond) }
