package sqlite

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// mark is "MgRc" in ASCII.
const mark = 0x4d675263

// Tables that a file has unless Options name others.
var defaultTables = []records.Table{records.Records, records.Idempotency}

var tableName = regexp.MustCompile(`^[a-z][a-z_]{0,30}$`)

// sqlName is the name of a table inside the file.
func sqlName(t records.Table) (string, error) {
	if t == records.Records {
		return "records", nil
	}
	if !tableName.MatchString(string(t)) || t == "tokens" || t == "records" || strings.HasPrefix(string(t), "sqlite_") {
		return "", fmt.Errorf("%w: table name %q", records.ErrInvalid, t)
	}
	return string(t), nil
}

// A rowid table keeps bodies out of the index pages, so that a page of keys does
// not read them. Times are milliseconds since 1970; empty texts are NULL, so
// that the partial indexes hold only what belongs there.
func createTable(name string) string {
	return strings.ReplaceAll(`
CREATE TABLE IF NOT EXISTS $ (
	id INTEGER PRIMARY KEY,
	pk TEXT NOT NULL, sk TEXT NOT NULL,
	v INTEGER NOT NULL, n INTEGER NOT NULL, exp INTEGER,
	g1pk TEXT, g1sk TEXT, g2pk TEXT, g2sk TEXT,
	fields TEXT, body BLOB
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS $_key ON $ (pk, sk);
CREATE INDEX IF NOT EXISTS $_g1 ON $ (g1pk, g1sk, pk, sk) WHERE g1sk IS NOT NULL;
CREATE INDEX IF NOT EXISTS $_g2 ON $ (g2pk, g2sk, pk, sk) WHERE g2sk IS NOT NULL;
CREATE INDEX IF NOT EXISTS $_exp ON $ (exp) WHERE exp IS NOT NULL;
`, "$", name)
}

// schema is the form of a file of records.
func schema() Schema {
	first := `CREATE TABLE tokens (token TEXT PRIMARY KEY, digest BLOB NOT NULL, exp INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_exp ON tokens (exp);`
	for _, t := range defaultTables {
		name, _ := sqlName(t)
		first += createTable(name)
	}
	return Schema{Mark: mark, Steps: []string{first}}
}

// statements are the texts of one table.
type statements struct {
	name, load, upsert, update, remove, sweep, batch string
}

const columns = "pk, sk, v, n, exp, g1pk, g1sk, g2pk, g2sk"

func statementsOf(name string) statements {
	in := func(s string) string { return strings.ReplaceAll(s, "$", name) }
	return statements{
		name: name,
		load: in("SELECT " + columns + ", fields, body FROM $ WHERE pk = ?1 AND sk = ?2"),
		// An expired row that was not swept yet counts as none: version 1 again.
		upsert: in(`INSERT INTO $ (` + columns + `, fields, body)
			VALUES (?1, ?2, 1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
			ON CONFLICT (pk, sk) DO UPDATE SET v = CASE WHEN exp <= ?11 THEN 1 ELSE v + 1 END,
				n = excluded.n, exp = excluded.exp, g1pk = excluded.g1pk, g1sk = excluded.g1sk,
				g2pk = excluded.g2pk, g2sk = excluded.g2sk, fields = excluded.fields, body = excluded.body
			RETURNING v`),
		update: in("UPDATE $ SET n = ?3, exp = ?4, v = v + 1 WHERE pk = ?1 AND sk = ?2"),
		remove: in("DELETE FROM $ WHERE pk = ?1 AND sk = ?2"),
		sweep:  in("DELETE FROM $ WHERE id IN (SELECT id FROM $ WHERE exp <= ?1 ORDER BY exp LIMIT ?2)"),
		batch: in("SELECT j.key, " + prefixed("t.") + ", t.fields, t.body FROM json_each(?1) AS j CROSS JOIN $ AS t" +
			" ON t.pk = j.value ->> 0 AND t.sk = j.value ->> 1 WHERE t.exp IS NULL OR t.exp > ?2"),
	}
}

func prefixed(p string) string { return p + strings.ReplaceAll(columns, ", ", ", "+p) }
