package records

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of keys, as DynamoDB has them, and of a whole transaction.
const (
	MaxPKBytes          = 2048
	MaxSKBytes          = 1024
	MaxFieldNameBytes   = 255
	MaxTransactionBytes = 4 << 20
	// MaxPageBytes ends a page of a query early, so that no reader counts on
	// pages that only one of the stores would give.
	MaxPageBytes = 1 << 20
)

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, args...))
}

// ValidateKey refuses empty, overlong and non-textual keys with ErrInvalid.
func ValidateKey(k Key) error {
	if err := keyPart("pk", k.PK, MaxPKBytes, true); err != nil {
		return err
	}
	return keyPart("sk", k.SK, MaxSKBytes, true)
}

func keyPart(name, v string, limit int, needed bool) error {
	switch {
	case v == "" && needed:
		return invalid("%s is empty", name)
	case len(v) > limit:
		return invalid("%s has %d bytes, at most %d", name, len(v), limit)
	case !utf8.ValidString(v) || strings.IndexByte(v, 0) >= 0:
		return invalid("%s is not plain UTF-8 text", name)
	}
	return nil
}

// ValidateItem refuses what one of the stores could not keep: ErrInvalid, or
// ErrTooLarge above MaxItemBytes.
func ValidateItem(it Item) error {
	if err := ValidateKey(it.Key); err != nil {
		return err
	}
	for _, k := range [...]struct {
		name, v string
		limit   int
	}{
		{AttrG1PK, it.G1PK, MaxPKBytes}, {AttrG1SK, it.G1SK, MaxSKBytes},
		{AttrG2PK, it.G2PK, MaxPKBytes}, {AttrG2SK, it.G2SK, MaxSKBytes},
	} {
		if err := keyPart(k.name, k.v, k.limit, false); err != nil {
			return err
		}
	}
	for name, value := range it.Fields {
		if err := keyPart("name of a field", name, MaxFieldNameBytes, true); err != nil {
			return err
		}
		if !utf8.ValidString(value) {
			return invalid("field %q is not UTF-8 text", name)
		}
	}
	if size := Size(it); size > MaxItemBytes {
		return fmt.Errorf("%w: it has %d bytes", ErrTooLarge, size)
	}
	if len(it.Body) > 0 && (!utf8.Valid(it.Body) || !json.Valid(it.Body)) {
		return invalid("body is not a JSON document")
	}
	return nil
}

// ValidateConds refuses conditions outside the closed set and those that can
// never hold together.
func ValidateConds(conds []Cond) error {
	for _, c := range conds {
		switch c.Kind {
		case KindNotExists:
			if len(conds) > 1 {
				return invalid("NotExists stands alone")
			}
		case KindExists, KindVersionIs:
		case KindFieldIs:
			if c.Field == "" {
				return invalid("FieldIs needs the name of a field")
			}
		default:
			return invalid("condition of kind %d", c.Kind)
		}
	}
	return nil
}

// ValidateTransact checks a whole transaction. A token takes the place of one
// action, because the store keeps it as a row of the same transaction.
func ValidateTransact(token string, actions []Action) error {
	limit := MaxActions
	if token != "" {
		limit--
	}
	switch {
	case len(actions) == 0:
		return invalid("a transaction needs an action")
	case len(actions) > limit:
		return invalid("%d actions, at most %d (a token takes one place)", len(actions), limit)
	case len(token) > MaxTokenLength:
		return invalid("token of %d characters, at most %d", len(token), MaxTokenLength)
	case !utf8.ValidString(token):
		return invalid("token is not UTF-8 text")
	}
	seen := make(map[Key]struct{}, len(actions))
	total := 0
	for i, a := range actions {
		if err := validateAction(a); err != nil {
			return fmt.Errorf("action %d: %w", i, err)
		}
		if _, twice := seen[a.Item.Key]; twice {
			return invalid("action %d: the same item occurs twice", i)
		}
		seen[a.Item.Key] = struct{}{}
		total += Size(a.Item)
	}
	if total > MaxTransactionBytes {
		return invalid("transaction of %d bytes, at most %d", total, MaxTransactionBytes)
	}
	return nil
}

func validateAction(a Action) error {
	if err := ValidateConds(a.Conds); err != nil {
		return err
	}
	switch a.Kind {
	case ActPut:
		return ValidateItem(a.Item)
	case ActCheck:
		if len(a.Conds) == 0 {
			return invalid("a check needs a condition")
		}
	case ActAdd:
		if len(a.Conds) > 0 {
			return invalid("a counter has bounds, not conditions")
		}
	case ActDelete:
	default:
		return invalid("action of kind %d", a.Kind)
	}
	return ValidateKey(a.Item.Key)
}

// ValidateQuery checks a query, leaving its cursor to Cursors, and returns it
// with its limit filled in.
func ValidateQuery(q Query) (Query, error) {
	if err := keyPart("pk", q.PK, MaxPKBytes, true); err != nil {
		return q, err
	}
	for _, k := range [...]struct{ name, v string }{{"prefix", q.Prefix}, {"from", q.From}, {"to", q.To}} {
		if err := keyPart(k.name, k.v, MaxSKBytes, false); err != nil {
			return q, err
		}
	}
	switch {
	case q.Index < Base || q.Index > G2:
		return q, invalid("index %d", q.Index)
	case q.Index != Base && q.Table == Idempotency:
		return q, invalid("the idempotency table has no indexes")
	case q.Prefix != "" && (q.From != "" || q.To != ""):
		return q, invalid("either a prefix or a range, not both")
	case q.From != "" && q.To != "" && q.From > q.To:
		return q, invalid("the range ends before it starts")
	case q.Limit < 0 || q.Limit > MaxPage:
		return q, invalid("limit %d, at most %d", q.Limit, MaxPage)
	}
	if q.Limit == 0 {
		q.Limit = MaxPage
	}
	return q, nil
}

// ValidateBatch checks the keys of a BatchGet.
func ValidateBatch(keys []Key) error {
	if len(keys) > MaxBatchGet {
		return invalid("%d keys, at most %d", len(keys), MaxBatchGet)
	}
	for i, k := range keys {
		if err := ValidateKey(k); err != nil {
			return fmt.Errorf("key %d: %w", i, err)
		}
	}
	return nil
}
