package connection

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/secrets"
)

// The vault and the records cannot change together. So a note to remove a
// secret is written before the secret is, and taken away by the transaction that
// makes a connection refer to it; and the transaction that ends a reference
// writes the note anew. Whatever breaks in between, the sweep finds the note.

// abandoned is how old a note must be before the sweep acts on it: older than
// any call.
const abandoned = 10 * time.Minute

// kept is a secret that no connection refers to yet; the zero value is none.
type kept struct{ ws, id, name string }

type dropRow struct {
	Workspace string `json:"workspace"`
	Name      string `json:"name"` // in the vault
}

// secretID is the last part of a name in the vault; names are used once.
func secretID(name string) string { return name[len(name)-36:] }

// drop is the note that a secret is to be removed.
func (s *Service) drop(ws, name string, at time.Time) records.Action {
	body, _ := json.Marshal(dropRow{ws, name})
	return records.PutItem(records.Item{Key: dropKey(ws, secretID(name)), G1PK: dropPK, G1SK: dropSK(at) + "#" + secretID(name), Body: body})
}

// keep puts a secret into the vault under a new name; an empty one is none.
func (s *Service) keep(ctx context.Context, ws, connection, secret string) (kept, error) {
	if secret == "" {
		return kept{}, nil
	}
	k := kept{ws: ws, id: s.d.IDs.NewID()}
	k.name = ws + "/model/" + connection + "/" + k.id
	if _, err := s.d.Records.Put(ctx, s.drop(ws, k.name, s.now()).Item); err != nil {
		return kept{}, err
	}
	if err := s.d.Vault.Put(ctx, k.name, []byte(secret)); err != nil {
		return kept{}, storage(err)
	}
	return k, nil
}

// commit writes what refers to a kept secret. When nothing was written, the
// secret is removed again.
func (s *Service) commit(ctx context.Context, k kept, actions ...records.Action) error {
	if k.name != "" {
		actions = append(actions, records.DeleteItem(dropKey(k.ws, k.id)))
	}
	err := s.d.Records.Transact(ctx, "", actions...)
	var refused *records.CanceledError
	if errors.As(err, &refused) {
		s.remove(ctx, k.ws, k.name)
	}
	return err
}

// remove takes a secret that nothing refers to out of the vault, and its note
// away. What fails is left to the sweep.
func (s *Service) remove(ctx context.Context, ws, name string) {
	if name == "" {
		return
	}
	s.read.forget(name)
	ctx = context.WithoutCancel(ctx)
	err := s.d.Vault.Delete(ctx, name)
	if err == nil {
		err = s.d.Records.Delete(ctx, dropKey(ws, secretID(name)))
	}
	if err != nil {
		s.d.Log.WarnContext(ctx, "a secret is not removed yet; the sweep will do it", "workspace", ws, "error", err)
	}
}

// Sweep removes secrets that a break left behind, and tells how many. Hosts call
// it every minute.
func (s *Service) Sweep(ctx context.Context) (removed int, err error) {
	if !s.on() { // switched off, the vault may not be reachable; the notes stay
		return 0, nil
	}
	query := records.Query{Index: records.G1, PK: dropPK, To: dropSK(s.now().Add(-abandoned)), Limit: 100}
	for {
		page, err := s.d.Records.Query(ctx, query)
		if err != nil {
			return removed, err
		}
		for _, it := range page.Items {
			var d dropRow
			if err := json.Unmarshal(it.Body, &d); err != nil {
				return removed, err
			}
			if err := s.d.Vault.Delete(ctx, d.Name); err != nil {
				return removed, err
			}
			if err := s.d.Records.Delete(ctx, it.Key); err != nil {
				return removed, err
			}
			removed++
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			return removed, nil
		}
	}
}

// secret reads the key of a connection; empty when it has none.
func (s *Service) secret(ctx context.Context, r row) (string, error) {
	if r.SecretRef == "" {
		return "", nil
	}
	if value, ok := s.read.get(r.SecretRef, s.d.Clock.Now()); ok {
		return value, nil
	}
	value, err := s.d.Vault.Get(ctx, r.SecretRef)
	if errors.Is(err, secrets.ErrNoSecret) { // revoked at this moment
		return "", fault.New(fault.ModelConnectionStale, "The key of this model connection is no longer there. List the connections and choose one anew.").Because(err)
	}
	if err != nil {
		return "", storage(err)
	}
	s.read.put(r.SecretRef, string(value), s.d.Clock.Now())
	return string(value), nil
}

// Secrets that were read are kept for some minutes, so that not every call costs
// a reading of the vault. A name has one value for good, and whether a connection
// may answer is read from the records each time.
const (
	readFor  = 5 * time.Minute
	readMost = 200
)

type readings struct {
	mu   sync.Mutex
	have map[string]reading
}

type reading struct {
	value string
	until time.Time
}

func (r *readings) get(name string, now time.Time) (string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	one, ok := r.have[name]
	return one.value, ok && now.Before(one.until)
}

func (r *readings) put(name, value string, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.have == nil || len(r.have) >= readMost {
		r.have = map[string]reading{}
	}
	r.have[name] = reading{value, now.Add(readFor)}
}

func (r *readings) forget(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.have, name)
}

func storage(err error) error {
	return fault.New(fault.StorageUnavailable, "The store of secrets cannot be reached. Try again in a few seconds.").Because(err)
}
