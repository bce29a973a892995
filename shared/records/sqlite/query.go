package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// Query implements records.Store. Ties on an index sort key are ordered by the
// key of the item.
func (s *Store) Query(ctx context.Context, q records.Query) (records.Page, error) {
	q, err := records.ValidateQuery(q)
	if err != nil {
		return records.Page{}, err
	}
	st, err := s.table(q.Table)
	if err != nil {
		return records.Page{}, err
	}
	var after *records.Position
	if q.Cursor != "" {
		p, err := s.cursors.Decode(q)
		if err != nil {
			return records.Page{}, err
		}
		after = &p
	}
	var stale map[records.Key]*records.Item
	if s.late != nil && q.Index != records.Base {
		stale = s.late.hidden(q.Table, s.clock.Now())
	}

	items, bytes, full := make([]records.Item, 0, min(q.Limit, 64)), 0, false
	text, args := selection(st.name, q, after, s.now(), q.Limit+1+len(stale))
	err = s.rows(ctx, text, args, func(rows *sql.Rows) error {
		var r row
		into := r.keys()
		if !q.KeysOnly {
			into = r.all()
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		it, err := r.item(q.Table)
		if err != nil {
			return err
		}
		if _, old := stale[it.Key]; old {
			return nil
		}
		if len(stale) == 0 && (len(items) == q.Limit || bytes > records.MaxPageBytes) {
			full = true
			return errEnough
		}
		items = append(items, it)
		bytes += records.Size(it)
		return nil
	})
	if err != nil {
		return records.Page{}, err
	}
	if len(stale) > 0 {
		items, full = mix(items, stale, q, after, s.clock.Now())
	}
	page := records.Page{Items: items}
	if full {
		page.Cursor = s.cursors.Encode(q, position(q.Index, items[len(items)-1]))
	}
	return page, nil
}

func position(ix records.Index, it records.Item) records.Position {
	p := records.Position{PK: it.PK, SK: it.SK}
	switch ix {
	case records.G1:
		p.IndexSK = it.G1SK
	case records.G2:
		p.IndexSK = it.G2SK
	}
	return p
}

// selection builds the statement of a query. Its shapes are few, so prepared
// ones are found again.
func selection(name string, q records.Query, after *records.Position, nowMs int64, limit int) (string, []any) {
	pk, sk, order := "pk", "sk", []string{"sk"}
	if q.Index != records.Base {
		pk, sk = fmt.Sprintf("g%dpk", q.Index), fmt.Sprintf("g%dsk", q.Index)
		order = []string{sk, "pk", "sk"}
	}
	var b strings.Builder
	var args []any
	where := func(format string, values ...any) {
		marks := make([]any, len(values))
		for i := range values {
			marks[i] = "?"
		}
		fmt.Fprintf(&b, format, marks...)
		args = append(args, values...)
	}
	b.WriteString("SELECT " + columns)
	if !q.KeysOnly {
		b.WriteString(", fields, body")
	}
	b.WriteString(" FROM " + name + " WHERE " + pk)
	where(" = %s", q.PK)
	if q.Index != records.Base {
		b.WriteString(" AND " + sk + " IS NOT NULL")
	}
	switch {
	case q.Prefix != "":
		where(" AND "+sk+" >= %s AND "+sk+" < %s", q.Prefix, pastPrefix(q.Prefix))
	default:
		if q.From != "" {
			where(" AND "+sk+" >= %s", q.From)
		}
		if q.To != "" {
			where(" AND "+sk+" <= %s", q.To)
		}
	}
	sign, direction := ">", " ASC"
	if q.Desc {
		sign, direction = "<", " DESC"
	}
	if after != nil {
		if q.Index == records.Base {
			where(" AND sk "+sign+" %s", after.SK)
		} else {
			where(" AND ("+sk+", pk, sk) "+sign+" (%s, %s, %s)", after.IndexSK, after.PK, after.SK)
		}
	}
	where(" AND (exp IS NULL OR exp > %s)", nowMs)
	b.WriteString(" ORDER BY " + strings.Join(order, direction+", ") + direction)
	where(" LIMIT %s", limit)
	return b.String(), args
}

// pastPrefix is the least text behind all texts with this prefix: texts are
// compared by bytes, and no byte of valid UTF-8 is 0xff, so the last can grow.
func pastPrefix(prefix string) string {
	b := []byte(prefix)
	b[len(b)-1]++
	return string(b)
}
