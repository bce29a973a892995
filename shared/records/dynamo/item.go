package dynamo

import (
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/mindgate-dev/mindgate/shared/records"
)

type attributes = map[string]types.AttributeValue

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func num(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

func keyOf(k records.Key) attributes {
	return attributes{records.AttrPK: str(k.PK), records.AttrSK: str(k.SK)}
}

// content is what an item has beside its key and version. What is empty has no
// attribute: an index key must not be empty, and an absent one keeps the item
// out of the index.
func content(it records.Item) attributes {
	out := attributes{}
	for name, v := range map[string]string{
		records.AttrG1PK: it.G1PK, records.AttrG1SK: it.G1SK,
		records.AttrG2PK: it.G2PK, records.AttrG2SK: it.G2SK, records.AttrBody: string(it.Body),
	} {
		if v != "" {
			out[name] = str(v)
		}
	}
	if len(it.Fields) > 0 {
		m := make(attributes, len(it.Fields))
		for name, v := range it.Fields {
			m[name] = str(v)
		}
		out[records.AttrFields] = &types.AttributeValueMemberM{Value: m}
	}
	if it.N != 0 {
		out[records.AttrN] = num(it.N)
	}
	for name, v := range expiry(it.ExpiresAt) {
		out[name] = v
	}
	return out
}

// expiry gives both attributes of an expiry: DynamoDB's own deletion must never
// be earlier than ours, so its seconds are rounded up.
func expiry(t time.Time) attributes {
	if t.IsZero() {
		return nil
	}
	ms := t.UnixMilli()
	seconds := ms / 1000
	if ms%1000 > 0 {
		seconds++
	}
	return attributes{records.AttrExpires: num(seconds), records.AttrExpiresMs: num(ms)}
}

// whole is the item with its key and version, as a put writes it.
func whole(it records.Item, version int64) attributes {
	out := content(it)
	for name, v := range keyOf(it.Key) {
		out[name] = v
	}
	out[records.AttrVersion] = num(version)
	return out
}

// read turns attributes into an item.
func read(t records.Table, a attributes) (records.Item, error) {
	r := reader{a: a}
	it := records.Item{
		Key:     records.Key{Table: t, PK: r.text(records.AttrPK), SK: r.text(records.AttrSK)},
		Version: r.number(records.AttrVersion), N: r.number(records.AttrN),
		G1PK: r.text(records.AttrG1PK), G1SK: r.text(records.AttrG1SK),
		G2PK: r.text(records.AttrG2PK), G2SK: r.text(records.AttrG2SK),
	}
	if _, ok := a[records.AttrExpiresMs]; ok {
		it.ExpiresAt = time.UnixMilli(r.number(records.AttrExpiresMs)).UTC()
	}
	if b := r.text(records.AttrBody); b != "" {
		it.Body = []byte(b)
	}
	if m, ok := a[records.AttrFields].(*types.AttributeValueMemberM); ok && len(m.Value) > 0 {
		it.Fields = make(map[string]string, len(m.Value))
		f := reader{a: m.Value}
		for name := range m.Value {
			it.Fields[name] = f.text(name)
		}
		r.bad = append(r.bad, f.bad...)
	}
	if len(r.bad) > 0 {
		return it, fmt.Errorf("%w: attributes %v of %v are not as we write them", records.ErrUnavailable, r.bad, it.Key)
	}
	return it, nil
}

type reader struct {
	a   attributes
	bad []string
}

func (r *reader) text(name string) string {
	switch v := r.a[name].(type) {
	case nil:
	case *types.AttributeValueMemberS:
		return v.Value
	default:
		r.bad = append(r.bad, name)
	}
	return ""
}

func (r *reader) number(name string) int64 {
	switch v := r.a[name].(type) {
	case nil:
		return 0
	case *types.AttributeValueMemberN:
		if n, err := strconv.ParseInt(v.Value, 10, 64); err == nil {
			return n
		}
	}
	r.bad = append(r.bad, name)
	return 0
}

// existing is the item that a refusal shows: nil if none, or expired.
func existing(t records.Table, a attributes, now time.Time) (*records.Item, error) {
	if len(a) == 0 {
		return nil, nil
	}
	it, err := read(t, a)
	if err != nil || it.Expired(now) {
		return nil, err
	}
	return &it, nil
}
