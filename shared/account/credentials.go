package account

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// KeyPrefix starts every API key; 48 lower-case hex digits follow.
const KeyPrefix = "minds_"

var keyForm = regexp.MustCompile(`^minds_[0-9a-f]{48}$`)

// touchEvery is how often at most the last use of a key is written.
const touchEvery = time.Minute

// touchPatience is how long a request waits at most for that write.
const touchPatience = 250 * time.Millisecond

// BootstrapName is the account of the first owner.
const BootstrapName = "owner"

// Key is one API key as it may be shown; its secret is not stored anywhere.
type Key struct {
	ID         string    `json:"id"`     // "c" and 24 hex digits
	Prefix     string    `json:"prefix"` // first characters of the secret, to tell keys apart
	Account    string    `json:"account"`
	Workspace  string    `json:"workspace"`
	Name       string    `json:"name"`            // name of the account
	Label      string    `json:"label,omitempty"` // what its maker calls it
	Scopes     []string  `json:"scopes"`
	CreatedAt  time.Time `json:"createdAt"`
	LastUsedAt time.Time `json:"lastUsedAt,omitzero"`
	Hash       string    `json:"hash"` // SHA-256 of the secret
}

// unauthorized is one answer for every credential that is refused, so that it
// tells nobody why (behaviour, section 2).
func unauthorized() *fault.Error { return fault.New(fault.Unauthorized, "Unauthorized") }

// Authenticate proves a bearer key: UNAUTHORIZED, with one text, for anything
// that is not an active key. The plan is the account's plan at this moment.
func (s *Service) Authenticate(ctx context.Context, bearer string) (Principal, error) {
	if !keyForm.MatchString(bearer) {
		return Principal{}, unauthorized()
	}
	it, err := s.records.Get(ctx, keyByHash(hashOf(bearer)))
	if errors.Is(err, records.ErrNotFound) {
		return Principal{}, unauthorized()
	}
	if err != nil {
		return Principal{}, err
	}
	var k Key
	if err := json.Unmarshal(it.Body, &k); err != nil {
		return Principal{}, err
	}
	a, err := s.account(ctx, k.Workspace, k.Account)
	if errors.Is(err, records.ErrNotFound) {
		return Principal{}, unauthorized()
	}
	if err != nil {
		return Principal{}, err
	}
	s.touch(ctx, it, k)
	return Principal{
		Account: a.ID, Workspace: a.Workspace, Name: a.Name, Plan: a.Plan, Role: a.Role,
		Scopes: k.Scopes, KeyID: k.ID, Method: "api_key",
	}, nil
}

// touch writes the last use, at most once a minute. It loses quietly against
// another writer, and never brings a key back that was revoked meanwhile.
func (s *Service) touch(ctx context.Context, it records.Item, k Key) {
	now := s.clock.Now()
	if now.Sub(k.LastUsedAt) < touchEvery {
		return
	}
	k.LastUsedAt = now
	body, err := json.Marshal(k)
	if err != nil {
		return
	}
	version := it.Version
	it.Body = body
	ctx, cancel := context.WithTimeout(ctx, touchPatience)
	defer cancel()
	_, err = s.records.Put(ctx, it, records.VersionIs(version))
	var lost *records.ConditionError
	if err != nil && !errors.As(err, &lost) {
		s.log.WarnContext(ctx, "last use of a key not stored", "key", k.ID, "error", err)
	}
}

// CreateKey makes a key for the account of this name, and the account with its
// own workspace if there is none yet. An empty plan is Team for a new account
// and no change for an existing one; a plan that is named becomes the
// account's plan in the same step. Empty scopes are all scopes. The secret is
// returned once and stored nowhere.
func (s *Service) CreateKey(ctx context.Context, accountName string, plan Plan, scopes []string) (string, Key, error) {
	return s.CreateLabelledKey(ctx, accountName, "", plan, scopes)
}

// CreateLabelledKey is CreateKey with a word of the maker's own for the key, to
// tell it apart in lists.
func (s *Service) CreateLabelledKey(ctx context.Context, accountName, label string, plan Plan, scopes []string) (string, Key, error) {
	raw := make([]byte, 24)
	if _, err := io.ReadFull(s.random, raw); err != nil {
		return "", Key{}, fmt.Errorf("account: no random bytes for a key: %w", err)
	}
	secret := KeyPrefix + hex.EncodeToString(raw)
	k, err := s.addKey(ctx, secret, accountName, label, plan, scopes)
	return secret, k, err
}

// CheckBootstrap refuses a text that is no key, so that a host can say so before
// it makes anything.
func CheckBootstrap(secret string) error {
	if !keyForm.MatchString(secret) {
		return errors.New("MINDGATE_BOOTSTRAP_KEY must be minds_ and 48 lower-case hex digits")
	}
	return nil
}

// EnsureBootstrap gives the first owner (account "owner", plan enterprise) this
// key. The same secret again changes nothing; one that was revoked comes back, as
// whoever starts the service with it says so.
func (s *Service) EnsureBootstrap(ctx context.Context, secret string) (Key, error) {
	if err := CheckBootstrap(secret); err != nil {
		return Key{}, err
	}
	k, err := s.KeyOf(ctx, secret)
	if err == nil {
		return k, nil
	}
	if !errors.Is(err, records.ErrNotFound) {
		return Key{}, err
	}
	return s.addKey(ctx, secret, BootstrapName, "", Enterprise, nil)
}

// KeyOf finds the key of a secret; records.ErrNotFound if there is none.
func (s *Service) KeyOf(ctx context.Context, secret string) (Key, error) {
	it, err := s.records.Get(ctx, keyByHash(hashOf(secret)))
	if err != nil {
		return Key{}, err
	}
	var k Key
	err = json.Unmarshal(it.Body, &k)
	return k, err
}

func (s *Service) addKey(ctx context.Context, secret, name, label string, plan Plan, scopes []string) (Key, error) {
	name, err := checkName(name)
	if err != nil {
		return Key{}, err
	}
	if plan != "" {
		if _, err := ParsePlan(string(plan)); err != nil {
			return Key{}, err
		}
	}
	if scopes, err = checkScopes(scopes); err != nil {
		return Key{}, err
	}
	for range 8 { // two commands may make the same account at once
		k, err := s.tryAddKey(ctx, secret, name, label, plan, scopes)
		var lost *records.CanceledError
		if !errors.As(err, &lost) {
			return k, err
		}
	}
	return Key{}, records.ErrConflict
}

func (s *Service) tryAddKey(ctx context.Context, secret, name, label string, plan Plan, scopes []string) (Key, error) {
	var actions []records.Action
	a, version, err := s.byName(ctx, name)
	switch {
	case errors.Is(err, ErrNoAccount):
		a = Account{ID: s.ids.NewID(), Workspace: s.ids.NewID(), Name: name, Plan: plan, CreatedAt: s.clock.Now()}
		if plan == "" {
			a.Plan = Team
		}
		put, err := putJSON(accountKey(a.Workspace, a.ID), a, records.NotExists())
		if err != nil {
			return Key{}, err
		}
		named, err := putJSON(nameKey(name), nameRow{Account: a.ID, Workspace: a.Workspace}, records.NotExists())
		if err != nil {
			return Key{}, err
		}
		actions = append(actions, put, named)
	case err != nil:
		return Key{}, err
	case plan != "" && plan != a.Plan:
		a.Plan = plan
		put, err := putJSON(accountKey(a.Workspace, a.ID), a, records.VersionIs(version))
		if err != nil {
			return Key{}, err
		}
		actions = append(actions, put)
	}
	k := Key{
		ID: "c" + strings.ReplaceAll(s.ids.NewID(), "-", "")[:24], Prefix: secret[:len(KeyPrefix)+6],
		Account: a.ID, Workspace: a.Workspace, Name: a.Name, Label: label, Scopes: scopes, CreatedAt: s.clock.Now(), Hash: hashOf(secret),
	}
	byHash, err := putJSON(keyByHash(k.Hash), k, records.NotExists())
	if err != nil {
		return Key{}, err
	}
	own, err := putJSON(ownKey(k.Workspace, k.Account, k.ID), ownRow{Hash: k.Hash}, records.NotExists())
	if err != nil {
		return Key{}, err
	}
	return k, s.records.Transact(ctx, "", append(actions, byHash, own)...)
}

// ListKeys gives the active keys of an account by name, oldest first.
func (s *Service) ListKeys(ctx context.Context, accountName string) ([]Key, error) {
	a, _, err := s.byName(ctx, accountName)
	if err != nil {
		return nil, err
	}
	var keys []records.Key
	q := records.Query{PK: accountPK(a.Workspace, a.ID), Prefix: "key#"}
	for {
		page, err := s.records.Query(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			var row ownRow
			if err := json.Unmarshal(it.Body, &row); err != nil {
				return nil, err
			}
			keys = append(keys, keyByHash(row.Hash))
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			break
		}
	}
	out := make([]Key, 0, len(keys))
	for chunk := range slices.Chunk(keys, records.MaxBatchGet) {
		items, err := s.records.BatchGet(ctx, chunk)
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			var k Key
			if err := json.Unmarshal(it.Body, &k); err != nil {
				return nil, err
			}
			out = append(out, k)
		}
	}
	slices.SortFunc(out, func(a, b Key) int {
		if c := a.CreatedAt.Compare(b.CreatedAt); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out, nil
}

// RevokeKey ends the key of an account by the key's id; its next use is
// refused. It reports whether there was such a key.
func (s *Service) RevokeKey(ctx context.Context, accountName, id string) (bool, error) {
	a, _, err := s.byName(ctx, accountName)
	if err != nil {
		return false, err
	}
	own := ownKey(a.Workspace, a.ID, id)
	it, err := s.records.Get(ctx, own)
	if errors.Is(err, records.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var row ownRow
	if err := json.Unmarshal(it.Body, &row); err != nil {
		return false, err
	}
	return true, s.records.Transact(ctx, "", records.DeleteItem(keyByHash(row.Hash)), records.DeleteItem(own))
}
