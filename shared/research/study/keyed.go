package study

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// keyed is the idempotency row of one write that touches records only: it
// stands or falls with the write, so it needs no lease, and a replay reads it.
type keyed struct {
	scope, key  string
	fingerprint string
	ref         string        // id of what was made
	window      time.Duration // 0 is for ever
}

const (
	fieldFingerprint = "fingerprint"
	fieldRef         = "ref"
)

func (k keyed) recordKey() records.Key {
	// Keys are the caller's text of any length and script: their hash is not.
	return records.Key{Table: records.Idempotency, PK: k.scope, SK: digestOf(k.key)}
}

// claim is the row's action; it is refused while another write holds the key.
func (k keyed) claim(now time.Time) records.Action {
	it := records.Item{Key: k.recordKey(), Fields: map[string]string{fieldFingerprint: k.fingerprint, fieldRef: k.ref}}
	if k.window > 0 {
		it.ExpiresAt = now.Add(k.window)
	}
	return records.PutItem(it, records.NotExists())
}

// earlier reads what the key made before: its reference, and whether it was
// made with the same input. ok is false if the key is free.
func (s *Service) earlier(ctx context.Context, k keyed) (ref string, same, ok bool, err error) {
	it, err := s.d.Records.Get(ctx, k.recordKey())
	if errors.Is(err, records.ErrNotFound) {
		return "", false, false, nil
	}
	if err != nil {
		return "", false, false, err
	}
	return it.Fields[fieldRef], it.Fields[fieldFingerprint] == k.fingerprint, true, nil
}

// fingerprintOf identifies an input. Struct fields encode in a fixed order, so
// equal inputs have equal text.
func fingerprintOf(v any) string {
	raw, _ := json.Marshal(v) // plain data always encodes
	return digestOf(string(raw))
}

func digestOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
