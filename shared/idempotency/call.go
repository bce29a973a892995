// Package idempotency makes a repeated call do nothing twice: one row of
// {scope, key, fingerprint, result, expiry} a call (M-90). There are two recipes.
//
// A write that touches only records puts the row into its own transaction:
// Once, or Row and Lookup by hand. No lease is needed; who loses the race reads
// the winner's row.
//
// Work with effects outside (a model, another service) writes the row before the
// first effect and holds a lease while it works: Run, or Begin, Heartbeat,
// Complete and Abandon by hand. When its holder dies, the next caller goes on
// under the same result id.
//
// Windows are counted to the millisecond by the clock of the store, from the
// first call.
package idempotency

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gowebpki/jcs"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// Forever is the window of a key that never expires.
const Forever = time.Duration(math.MaxInt64)

// Scope is where a key means the same thing.
type Scope struct {
	Workspace string // the tenant; a key never reaches another one
	Account   string // "" when the key belongs to what Within names
	Operation string // create_mind, ...
	Within    string // id of a Study, an Audience, ...; may be empty
}

func (s Scope) pk() (string, error) {
	if s.Workspace == "" || s.Operation == "" || s.Account == "" && s.Within == "" {
		return "", errors.New("idempotency: a scope needs a workspace, an operation, and an account or what it is within")
	}
	for _, part := range []string{s.Workspace, s.Account, s.Operation} {
		if strings.Contains(part, "#") {
			return "", fmt.Errorf("idempotency: %q in a scope has a #", part)
		}
	}
	return "w#" + s.Workspace + "#" + s.Account + "#once#" + s.Operation + "#" + s.Within, nil
}

// Call is one call that must not be done twice. Make it with Keyed or Derived.
type Call struct {
	Scope       Scope
	Key         string // as the caller sent it, or the fingerprint
	Derived     bool   // no key was sent
	Fingerprint string // of the arguments
	Window      time.Duration
	// AnyInput replays the first result whatever the arguments are now; else
	// other arguments with the same key are IDEMPOTENCY_CONFLICT.
	AnyInput bool
	// Field is how the caller knows the key, for messages; "" is idempotencyKey.
	Field string
}

// Keyed is a call with a key that the caller chose.
func Keyed(s Scope, key string, args any, window time.Duration) (Call, error) {
	if key == "" {
		return Call{}, errors.New("idempotency: an empty key")
	}
	fp, err := Fingerprint(args)
	return Call{Scope: s, Key: key, Fingerprint: fp, Window: window}, err
}

// Derived is a call without a key: equal arguments within the window are one
// call. Its key is the fingerprint of the arguments.
func Derived(s Scope, args any, window time.Duration) (Call, error) {
	fp, err := Fingerprint(args)
	return Call{Scope: s, Key: fp, Derived: true, Fingerprint: fp, Window: window}, err
}

// Fingerprint is the SHA-256, in hex, of the canonical JSON of v (RFC 8785): the
// order of members, white space and the form of numbers make no difference, any
// character of a text does. Numbers count as the doubles that RFC 8785 takes
// them for, so pass identifiers above 2^53 as text.
func Fingerprint(v any) (string, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("idempotency: %w", err)
	}
	canonical, err := jcs.Transform(raw)
	if err != nil {
		return "", fmt.Errorf("idempotency: %w", err)
	}
	return hash(string(canonical)), nil
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// recordKey hashes the key: callers' keys are of any length and script.
func (c Call) recordKey() (records.Key, error) {
	pk, err := c.Scope.pk()
	switch {
	case err != nil:
		return records.Key{}, err
	case c.Key == "" || c.Fingerprint == "":
		return records.Key{}, errors.New("idempotency: a call without key or fingerprint")
	case c.Window <= 0:
		return records.Key{}, errors.New("idempotency: a call without a window")
	}
	kind := "key#"
	if c.Derived {
		kind = "args#" // a chosen key is never taken for a derived one
	}
	return records.Key{Table: records.Idempotency, PK: pk, SK: kind + hash(c.Key)}, nil
}

func (c Call) expiry(now time.Time) time.Time {
	if c.Window == Forever {
		return time.Time{}
	}
	return now.Add(c.Window)
}
