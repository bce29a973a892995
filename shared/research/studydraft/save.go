package studydraft

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// Content is what is saved of a draft. What is nil stays as it is, or as a new
// draft has it.
type Content struct {
	Name        *string         // at most 200 characters; empty: Untitled study
	Mode        *string         // quick | custom
	CurrentStep *string         // at most 100 characters; empty: context
	Payload     json.RawMessage // {"version":1,"state":{…}}, at most 512 KiB
}

// CreateRequest asks for a new draft.
type CreateRequest struct {
	ID  string // chosen by the caller; empty: one is made
	Key string // creation key, 1..200 characters after trimming; empty: none
	Content
}

// UpdateRequest asks for a change of the draft as the caller has seen it.
type UpdateRequest struct {
	ID       string
	Revision int
	Content
}

func invalid(field, format string, args ...any) error {
	return fault.New(fault.Validation, format, args...).With("field", field).With("path", "/"+field)
}

// into puts the content over a row and gives the payload in stored form, nil if
// none was sent.
func (c Content) into(r *row) (payload []byte, err error) {
	if c.Name != nil {
		if r.Name = strings.TrimSpace(*c.Name); r.Name == "" {
			r.Name = defaultName
		}
	}
	if c.Mode != nil {
		r.Mode = *c.Mode
	}
	if c.CurrentStep != nil {
		if r.CurrentStep = strings.TrimSpace(*c.CurrentStep); r.CurrentStep == "" {
			r.CurrentStep = defaultStep
		}
	}
	for _, f := range []struct {
		field, text string
		most        int
	}{{"name", r.Name, maxName}, {"currentStep", r.CurrentStep, maxStep}} {
		if n := utf8.RuneCountInString(f.text); n > f.most {
			return nil, invalid(f.field, "%s has %d characters; at most %d are allowed.", f.field, n, f.most)
		}
		if err := lookup.OneLine(f.field, f.text); err != nil {
			return nil, err
		}
	}
	if r.Mode != Quick && r.Mode != Custom {
		return nil, invalid("mode", "mode is %q; it must be quick or custom.", r.Mode)
	}
	if c.Payload == nil {
		return nil, nil
	}
	return canonical(c.Payload)
}

// canonical checks a payload and writes it in one form, in which equal payloads have
// equal bytes: members sorted, numbers as they were written.
func canonical(raw json.RawMessage) ([]byte, error) {
	const form = `payload must be {"version":1,"state":{…}} and nothing else.`
	if len(raw) > 2*MaxBody {
		return nil, tooLarge(len(raw))
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var p map[string]any
	if err := dec.Decode(&p); err != nil {
		return nil, invalid("payload", form)
	}
	_, isObject := p["state"].(map[string]any)
	if v, isNumber := p["version"].(json.Number); !isNumber || v != "1" || !isObject || len(p) != 2 || dec.More() {
		return nil, invalid("payload", form)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(p); err != nil {
		return nil, invalid("payload", form)
	}
	stored := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	if len(stored) > MaxPayload {
		return nil, tooLarge(len(stored))
	}
	return stored, nil
}

func tooLarge(n int) error {
	return fault.New(fault.PayloadTooLarge, "payload has %d bytes; at most %d (512 KiB) are kept. Save long material as uploads and keep their paths.", n, MaxPayload).
		With("limitBytes", MaxPayload).With("field", "payload")
}

// Create saves a new draft. With a key that made one before, that draft comes back
// as it is and nothing else happens; VALIDATION, PAYLOAD_TOO_LARGE,
// IDEMPOTENCY_CONFLICT when the id is taken.
func (s *Service) Create(ctx context.Context, c CreateRequest) (Saved, error) {
	p := account.From(ctx)
	c.Key = strings.TrimSpace(c.Key)
	if n := utf8.RuneCountInString(c.Key); n > maxKey {
		return Saved{}, invalid("idempotencyKey", "idempotencyKey has %d characters; at most %d are allowed.", n, maxKey)
	}
	for range tries {
		earlier, found, err := s.made(ctx, p, c.Key)
		if found || err != nil {
			return earlier, err
		}
		saved, err := s.create(ctx, p, c)
		if !errors.Is(err, errLost) {
			return saved, err
		}
	}
	return Saved{}, records.ErrConflict
}

// errLost says that an equal key was quicker.
var errLost = errors.New("studydraft: another call with the key was quicker")

// call is the idempotent call of a key; the first draft counts whatever is sent
// later, as long as it or its tombstone is there.
func call(p account.Principal, key string) (idempotency.Call, error) {
	scope := idempotency.Scope{Workspace: p.Workspace, Account: p.Account, Operation: "save_study_draft"}
	c, err := idempotency.Keyed(scope, key, "", idempotency.Forever)
	c.AnyInput = true
	return c, err
}

// MadeWith finds the draft, or its tombstone, that a creation key of the caller made.
func (s *Service) MadeWith(ctx context.Context, key string) (Saved, bool, error) {
	return s.made(ctx, account.From(ctx), strings.TrimSpace(key))
}

// made finds the draft that a key made.
func (s *Service) made(ctx context.Context, p account.Principal, key string) (Saved, bool, error) {
	if key == "" {
		return Saved{}, false, nil
	}
	c, err := call(p, key)
	if err != nil {
		return Saved{}, false, err
	}
	earlier, found, err := s.once.Lookup(ctx, c)
	if !found || err != nil {
		return Saved{}, false, err
	}
	d, err := s.Get(ctx, earlier.Ref)
	if fault.Is(err, fault.NotFound) { // deleted between the two reads, and its key with it
		return Saved{}, false, nil
	}
	return Saved{Draft: d, Key: key, Replayed: true}, err == nil, err
}

func (s *Service) create(ctx context.Context, p account.Principal, c CreateRequest) (Saved, error) {
	now := s.now()
	r := row{ID: s.d.IDs.NewID(), Owner: p.Account, Workspace: p.Workspace, Name: defaultName, Mode: Custom, CurrentStep: defaultStep,
		Revision: 1, Key: c.Key, CreatedAt: now, UpdatedAt: now}
	if c.ID != "" {
		id, err := lookup.ID("id", c.ID)
		if err != nil {
			return Saved{}, err
		}
		r.ID = id
	}
	payload, err := c.into(&r)
	if err != nil {
		return Saved{}, err
	}
	if payload == nil {
		payload = []byte(`{"state":{},"version":1}`)
	}
	if r.Payload, err = s.d.Snapshots.Write(ctx, p.Workspace, "application/json", payload); err != nil {
		return Saved{}, err
	}
	actions := []records.Action{
		records.PutItem(r.item(), records.NotExists()),
		records.Check(consumedKey(r.Workspace, r.Owner, r.ID), records.NotExists()),
		s.d.Snapshots.Take(r.Payload),
	}
	if c.Key != "" {
		once, err := call(p, c.Key)
		if err != nil {
			return Saved{}, err
		}
		taken, err := s.once.Row(once, r.ID)
		if err != nil {
			return Saved{}, err
		}
		actions = append(actions, taken)
	}
	err = s.d.Records.Transact(ctx, "", actions...)
	var refused *records.CanceledError
	if errors.As(err, &refused) {
		s.d.Snapshots.Clear(ctx, r.Payload)
		switch {
		case refused.Failed(3):
			return Saved{}, errLost
		case c.ID != "" && (refused.Failed(0) || refused.Failed(1)):
			return Saved{}, fault.New(fault.IdempotencyConflict, "You have a Study draft with the id %s. Update that one with its revision, or send another id.", r.ID).With("field", "id").With("id", r.ID)
		}
	}
	return Saved{Draft: r.view(now, payload), Key: c.Key}, err
}

// Update saves a change over the revision that the caller has seen. The same content
// again keeps revision and time. NOT_FOUND, STALE_REVISION, DRAFT_STARTING,
// DRAFT_CONSUMED, VALIDATION, PAYLOAD_TOO_LARGE.
func (s *Service) Update(ctx context.Context, u UpdateRequest) (Saved, error) {
	return s.revise(ctx, u.ID, u.Revision, func(context.Context, row) (Content, error) { return u.Content, nil })
}

// Revise is Update with content that depends on the payload as it stands.
func (s *Service) Revise(ctx context.Context, id string, revision int, fn func(payload json.RawMessage) (Content, error)) (Saved, error) {
	return s.revise(ctx, id, revision, func(ctx context.Context, r row) (Content, error) {
		payload, err := s.d.Snapshots.Read(ctx, r.Payload)
		if err != nil {
			return Content{}, err
		}
		return fn(payload)
	})
}

func (s *Service) revise(ctx context.Context, id string, revision int, content func(context.Context, row) (Content, error)) (Saved, error) {
	var out Saved
	err := s.change(ctx, id, func(r row) (changed, error) {
		now := s.now()
		if err := r.changeable(now, revision); err != nil {
			return changed{}, err
		}
		c, err := content(ctx, r)
		if err != nil {
			return changed{}, err
		}
		next := r
		payload, err := c.into(&next)
		if err != nil {
			return changed{}, err
		}
		var done changed
		if payload != nil && digest(payload) != r.Payload.SHA256 {
			if next.Payload, err = s.d.Snapshots.Write(ctx, r.Workspace, "application/json", payload); err != nil {
				return changed{}, err
			}
			done.written, done.dropped = []blobs.Ref{next.Payload}, []blobs.Ref{r.Payload}
		}
		if payload == nil {
			if payload, err = s.d.Snapshots.Read(ctx, r.Payload); err != nil {
				return changed{}, err
			}
		}
		if next.Name == r.Name && next.Mode == r.Mode && next.CurrentStep == r.CurrentStep && next.Payload == r.Payload {
			out = Saved{Draft: r.view(now, payload), Unchanged: true}
			return changed{}, nil
		}
		next.Revision, next.UpdatedAt, next.Launch = r.Revision+1, now, nil
		out = Saved{Draft: next.view(now, payload)}
		done.actions = []records.Action{records.PutItem(next.item(), records.VersionIs(r.version))}
		if done.written != nil {
			done.actions = append(done.actions, s.d.Snapshots.Take(next.Payload), s.d.Snapshots.Drop(r.Payload))
		}
		return done, nil
	})
	if err != nil {
		return Saved{}, err
	}
	return out, nil
}

// changeable refuses a draft that is closed, being launched, or at another revision
// than the caller has seen.
func (r row) changeable(now time.Time, revision int) error {
	switch r.status(now) {
	case Consumed:
		return fault.New(fault.DraftConsumed, "This draft was consumed and is closed; save a new one.").With("currentRevision", r.Revision)
	case Starting:
		return fault.New(fault.DraftStarting, "A launch of this draft is under way; it can be changed again when the launch has ended, at the latest %s.", clock.Stamp(r.Launch.Until)).
			With("currentRevision", r.Revision).With("startLeaseExpiresAt", clock.Stamp(r.Launch.Until))
	}
	return r.at(revision)
}

// at refuses another revision than the caller has seen.
func (r row) at(revision int) error {
	if revision != r.Revision {
		return fault.New(fault.StaleRevision, "The draft is at revision %d now. Read it again, and send that revision with your change.", r.Revision).
			With("currentRevision", r.Revision)
	}
	return nil
}
