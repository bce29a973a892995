// Package rows is the vault of an installation that has none of its own: secrets
// stand in the store of records, sealed under the master key, each bound to its
// name, so that whoever has the store alone has nothing.
package rows

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/secrets"
)

// label is the purpose that secrets are sealed for.
const label = "vault v1"

// Vault keeps secrets in records:
//
//	w#<tenant>#vault   <rest of the name>   sealed value
type Vault struct {
	records records.Store
	ring    *secrets.Ring
}

var _ secrets.Vault = (*Vault)(nil)

// New makes a vault over store and ring.
func New(store records.Store, ring *secrets.Ring) *Vault { return &Vault{store, ring} }

type body struct {
	Sealed []byte `json:"sealed"`
}

// Put seals and keeps a secret.
func (v *Vault) Put(ctx context.Context, name string, value []byte) error {
	if err := secrets.CheckSecret(name, value); err != nil {
		return err
	}
	it, err := v.sealed(name, value)
	if err != nil {
		return err
	}
	_, err = v.records.Put(ctx, it)
	return err
}

func (v *Vault) sealed(name string, value []byte) (records.Item, error) {
	box, err := v.ring.Seal(label, value, []byte(name))
	if err != nil {
		return records.Item{}, err
	}
	raw, err := json.Marshal(body{Sealed: box})
	return records.Item{Key: keyOf(name), Body: raw}, err
}

// Get opens a secret. One that an earlier master key sealed is sealed anew under
// the current one, so that the earlier key can be dropped one day.
func (v *Vault) Get(ctx context.Context, name string) ([]byte, error) {
	if err := secrets.CheckName(name); err != nil {
		return nil, err
	}
	it, err := v.records.Get(ctx, keyOf(name))
	if errors.Is(err, records.ErrNotFound) {
		return nil, secrets.ErrNoSecret
	}
	if err != nil {
		return nil, err
	}
	var b body
	if err := json.Unmarshal(it.Body, &b); err != nil {
		return nil, fmt.Errorf("secrets: a row of the vault is damaged: %w", err)
	}
	value, err := v.ring.Open(label, b.Sealed, []byte(name))
	if err != nil {
		return nil, err
	}
	if v.ring.Stale(b.Sealed) {
		if again, err := v.sealed(name, value); err == nil {
			_, _ = v.records.Put(ctx, again, records.VersionIs(it.Version)) // the next reading tries again
		}
	}
	return value, nil
}

// Delete removes a secret.
func (v *Vault) Delete(ctx context.Context, name string) error {
	if err := secrets.CheckName(name); err != nil {
		return err
	}
	return v.records.Delete(ctx, keyOf(name))
}

// keyOf is the key of a name that has passed its check.
func keyOf(name string) records.Key {
	tenant, rest, _ := strings.Cut(name, "/")
	return records.Key{PK: "w#" + tenant + "#vault", SK: rest}
}
