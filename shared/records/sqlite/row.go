package sqlite

import (
	"database/sql"
	"encoding/json"
	"time"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// row is where a line of a table is scanned into.
type row struct {
	ord                    int64
	pk, sk                 string
	v, n                   int64
	exp                    sql.NullInt64
	g1pk, g1sk, g2pk, g2sk sql.NullString
	fields                 sql.NullString
	body                   []byte
}

func (r *row) keys() []any {
	return []any{&r.pk, &r.sk, &r.v, &r.n, &r.exp, &r.g1pk, &r.g1sk, &r.g2pk, &r.g2sk}
}

func (r *row) all() []any { return append(r.keys(), &r.fields, &r.body) }

func (r *row) item(t records.Table) (records.Item, error) {
	it := records.Item{
		Key: records.Key{Table: t, PK: r.pk, SK: r.sk}, Version: r.v, N: r.n,
		G1PK: r.g1pk.String, G1SK: r.g1sk.String, G2PK: r.g2pk.String, G2SK: r.g2sk.String,
	}
	if r.exp.Valid {
		it.ExpiresAt = time.UnixMilli(r.exp.Int64).UTC()
	}
	if len(r.body) > 0 {
		it.Body = r.body
	}
	if r.fields.Valid {
		if err := json.Unmarshal([]byte(r.fields.String), &it.Fields); err != nil {
			return it, err
		}
	}
	return it, nil
}

// values are the parameters of an upsert, in its order.
func values(it records.Item, nowMs int64) ([]any, error) {
	var fields any
	if len(it.Fields) > 0 {
		b, err := json.Marshal(it.Fields)
		if err != nil {
			return nil, err
		}
		fields = string(b)
	}
	var body any
	if len(it.Body) > 0 {
		body = it.Body
	}
	return []any{it.PK, it.SK, it.N, expiry(it.ExpiresAt),
		text(it.G1PK), text(it.G1SK), text(it.G2PK), text(it.G2SK), fields, body, nowMs}, nil
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func expiry(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}
