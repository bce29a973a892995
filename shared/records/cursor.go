package records

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
)

// MinCursorKey is the least length of the key that signs cursors.
const MinCursorKey = 16

const (
	cursorForm = 1  // first byte of a cursor
	macBytes   = 16 // of the HMAC-SHA-256; 128 bits are out of reach of guessing
	maxCursor  = 8 << 10
)

// Position is where a page ended: the key of its last item, and that item's
// index sort key when an index was read.
type Position struct {
	PK, SK  string
	IndexSK string
}

// Cursors turns positions into opaque cursors and back. A cursor is bound to
// its query (table, index, partition, range, direction): with any other query,
// hence in any other tenant, it is ErrBadCursor.
type Cursors struct{ key []byte }

// NewCursors makes the codec. The key must have at least MinCursorKey bytes and
// outlive restarts.
func NewCursors(key []byte) (Cursors, error) {
	if len(key) < MinCursorKey {
		return Cursors{}, invalid("the key for cursors has %d bytes, at least %d", len(key), MinCursorKey)
	}
	return Cursors{key: slices.Clone(key)}, nil
}

// Encode signs the position for the query.
func (c Cursors) Encode(q Query, p Position) string {
	body := []byte{cursorForm}
	for _, s := range [...]string{p.PK, p.SK, p.IndexSK} {
		body = binary.AppendUvarint(body, uint64(len(s)))
		body = append(body, s...)
	}
	return base64.RawURLEncoding.EncodeToString(append(body, c.mac(q, body)...))
}

// Decode returns the position of q.Cursor, which must not be empty.
func (c Cursors) Decode(q Query) (Position, error) {
	if len(q.Cursor) > maxCursor {
		return Position{}, fmt.Errorf("%w: too long", ErrBadCursor)
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(q.Cursor)
	if err != nil || len(raw) < 1+macBytes || raw[0] != cursorForm {
		return Position{}, fmt.Errorf("%w: not in our form", ErrBadCursor)
	}
	body, sum := raw[:len(raw)-macBytes], raw[len(raw)-macBytes:]
	if !hmac.Equal(sum, c.mac(q, body)) {
		return Position{}, fmt.Errorf("%w: changed, or of another query", ErrBadCursor)
	}
	var parts [3]string
	rest := body[1:]
	for i := range parts {
		n, used := binary.Uvarint(rest)
		if used <= 0 || n > uint64(len(rest)-used) {
			return Position{}, fmt.Errorf("%w: cut short", ErrBadCursor)
		}
		parts[i] = string(rest[used : used+int(n)])
		rest = rest[used+int(n):]
	}
	if len(rest) > 0 {
		return Position{}, fmt.Errorf("%w: too much in it", ErrBadCursor)
	}
	return Position{PK: parts[0], SK: parts[1], IndexSK: parts[2]}, nil
}

func (c Cursors) mac(q Query, body []byte) []byte {
	w := digester{hmac.New(sha256.New, c.key)}
	desc := int64(0)
	if q.Desc {
		desc = 1
	}
	w.text("records cursor", string(q.Table), q.PK, q.Prefix, q.From, q.To)
	w.num(int64(q.Index))
	w.num(desc)
	w.text(string(body))
	return w.Sum(nil)[:macBytes]
}
