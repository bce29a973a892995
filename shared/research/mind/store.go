package mind

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{d: d, once: idempotency.New(d.Records, idempotency.Options{Clock: d.Clock, IDs: d.IDs}), order: &lanes{}, given: &shared{}}
}

func notFound() *fault.Error { return fault.New(fault.NotFound, "No Mind with this id.") }

// owned reads Minds under the rule of tenancy.
func (s *Service) owned() lookup.Owned[Mind] {
	return lookup.Owned[Mind]{Records: s.d.Records, Kind: "Mind", Key: recordKey, Decode: decode,
		Owner: func(m Mind) string { return m.Owner }}
}

// Get reads a Mind of the caller. NOT_FOUND for what is not there, in whatever
// tenant; FORBIDDEN for one of another member of the caller's workspace.
func (s *Service) Get(ctx context.Context, id string) (Mind, error) {
	return s.owned().Get(ctx, "mindId", id)
}

// GetMany reads Minds in the order of ids; what the caller cannot see is left
// out. One strongly consistent read for up to 1,000 ids.
func (s *Service) GetMany(ctx context.Context, ids []string) ([]Mind, error) {
	return s.owned().GetMany(ctx, "mindIds", ids)
}

// changeAttempts bounds how often Change meets a faster writer of another
// process; those of this process wait for each other.
const changeAttempts = 64

// Change applies change to the stored Mind and commits the record, its list row
// and the extra actions (nil: none) in one transaction; it starts again from
// the stored record when somebody else was quicker, so both functions may run
// more than once. What the Mind forgets by it leaves the prompt in the same write
// (reword). An error of theirs ends it with nothing written. When an
// extra action is refused, the *records.CanceledError comes back as it is; the
// first two positions are the record and the list row.
func (s *Service) Change(ctx context.Context, id string, change func(*Mind) error, extra func(Mind) ([]records.Action, error)) (Mind, error) {
	id, err := lookup.ID("mindId", id)
	if err != nil {
		return Mind{}, err
	}
	leave, err := s.order.enter(ctx, "mind#"+id)
	if err != nil {
		return Mind{}, err
	}
	defer leave()
	for range changeAttempts {
		m, err := s.Get(ctx, id)
		if err != nil {
			return Mind{}, err
		}
		was := m
		if err := change(&m); err != nil {
			return Mind{}, err
		}
		if err := s.reword(ctx, was, &m); err != nil {
			return Mind{}, err
		}
		m.UpdatedAt = s.d.Clock.Now()
		actions, err := rows(m, records.VersionIs(m.version))
		if err != nil {
			return Mind{}, err
		}
		if extra != nil {
			more, err := extra(m)
			if err != nil {
				return Mind{}, err
			}
			actions = append(actions, more...)
		}
		err = s.d.Records.Transact(ctx, "", actions...)
		var lost *records.CanceledError
		switch {
		case errors.As(err, &lost) && lost.Failed(0):
			continue
		case errors.Is(err, records.ErrTooLarge):
			return Mind{}, fault.New(fault.Validation, "With this the Mind would take more than the 400 KB that one may: its prompt, its profile and the list of what it knows. "+
				"Shorten systemPrompt, or move what it should know into its knowledge.").Because(err)
		}
		m.version++
		if err == nil {
			s.changed(ctx, m)
		}
		return m, err
	}
	return Mind{}, records.ErrConflict
}

// encode writes a record as short as it can be: markup in a prompt stays as it is.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// rows are the actions that write a Mind: its record, under the condition, and
// its list row.
func rows(m Mind, cond records.Cond) ([]records.Action, error) {
	body, err := encode(m)
	if err != nil {
		return nil, err
	}
	list, err := encode(listRowOf(m))
	if err != nil {
		return nil, err
	}
	return []records.Action{
		records.PutItem(records.Item{Key: recordKey(m.Workspace, m.ID), Body: body}, cond),
		records.PutItem(records.Item{Key: listKey(m), Body: list}),
	}, nil
}

func decode(it records.Item) (Mind, error) {
	var m Mind
	if err := json.Unmarshal(it.Body, &m); err != nil {
		return Mind{}, err
	}
	m.version = it.Version
	return m, nil
}
