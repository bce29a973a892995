package records_test

import (
	"encoding/base64"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/records"
)

func codec(t testing.TB) records.Cursors {
	t.Helper()
	c, err := records.NewCursors([]byte("sixteen bytes at least"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCursorKeyTooShort(t *testing.T) {
	if _, err := records.NewCursors([]byte("fifteen bytes..")); !errors.Is(err, records.ErrInvalid) {
		t.Fatalf("error %v", err)
	}
}

// Encode then decode is the identity, and only for the same query.
func TestCursorRoundTrip(t *testing.T) {
	c := codec(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 40, -1)
		query := rapid.Custom(func(t *rapid.T) records.Query {
			return records.Query{
				Table: records.Table(rapid.SampledFrom([]string{"", "idempotency"}).Draw(t, "table")),
				Index: records.Index(rapid.IntRange(0, 2).Draw(t, "index")),
				PK:    text.Draw(t, "pk"), Prefix: text.Draw(t, "prefix"),
				From: text.Draw(t, "from"), To: text.Draw(t, "to"), Desc: rapid.Bool().Draw(t, "desc"),
			}
		})
		q := query.Draw(t, "query")
		p := records.Position{PK: text.Draw(t, "ppk"), SK: text.Draw(t, "psk"), IndexSK: text.Draw(t, "isk")}
		cursor := c.Encode(q, p)
		q.Cursor = cursor
		got, err := c.Decode(q)
		if err != nil || got != p {
			t.Fatalf("%+v, %v; want %+v", got, err, p)
		}
		other := query.Draw(t, "other")
		other.Cursor = cursor
		if other != q {
			if _, err := c.Decode(other); !errors.Is(err, records.ErrBadCursor) {
				t.Fatalf("taken by another query: %v", err)
			}
		}
	})
}

// Texts that touch must not be confused: "a"+"b" is not "ab"+"".
func TestCursorBindsEachPart(t *testing.T) {
	c := codec(t)
	cursor := c.Encode(records.Query{PK: "ab", Prefix: "c"}, records.Position{PK: "ab", SK: "c1"})
	for _, q := range []records.Query{{PK: "a", Prefix: "bc"}, {PK: "abc"}, {PK: "ab", From: "c"}, {PK: "ab", To: "c"}} {
		q.Cursor = cursor
		if _, err := c.Decode(q); !errors.Is(err, records.ErrBadCursor) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

func FuzzCursorDecode(f *testing.F) {
	c := codec(f)
	q := records.Query{PK: "w#1#minds"}
	good := c.Encode(q, records.Position{PK: "w#1#minds", SK: "k"})
	f.Add(good)
	f.Add("")
	f.Add("AQ")
	f.Add(base64.RawURLEncoding.EncodeToString(append([]byte{1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}, make([]byte, 16)...)))
	f.Fuzz(func(t *testing.T, s string) {
		q := q
		q.Cursor = s
		if _, err := c.Decode(q); s != good && !errors.Is(err, records.ErrBadCursor) {
			t.Fatalf("%q: %v", s, err)
		}
	})
}
