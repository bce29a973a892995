package mind

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/cases"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// LibraryQuery asks for a page of the caller's library.
type LibraryQuery struct {
	Search    string   // words that name or description must hold
	IDs       []string // only these; empty: all
	Sort      string   // name | createdAt | updatedAt (default)
	Ascending bool
	Category  string // all | personal | shared | public; nobody shares Minds inside a workspace yet
	Limit     int    // 1..100
	After     string // cursor of an earlier page of the same query
	// Members gives the only Minds to show; nil: all.
	Members func() ([]string, error)
}

// Role is a Mind of a library with what the caller may do with it.
type Role struct {
	Summary
	CurrentMemberRole string `json:"currentMemberRole"`
}

// Library pages through the Minds of the caller in any order, by a cursor that
// stands between two Minds: what is made or deleted meanwhile shifts no page.
// next is empty at the end. VALIDATION for a cursor of another query.
func (s *Service) Library(ctx context.Context, q LibraryQuery) (page []Role, next string, err error) {
	if err := CheckPage(q.Limit, 0); err != nil {
		return nil, "", err
	}
	page = []Role{}
	after, err := readCursor(q)
	if err != nil {
		return nil, "", err
	}
	if q.Category == "shared" || q.Category == "public" {
		return page, "", nil
	}
	rows, err := s.shownRows(ctx, q)
	if err != nil {
		return nil, "", err
	}
	words := cases.Fold().String(strings.TrimSpace(q.Search))
	found := make([]sortable, 0, len(rows))
	for _, r := range rows {
		if words != "" && !strings.Contains(cases.Fold().String(r.Name+"\n"+r.Description), words) {
			continue
		}
		found = append(found, sortable{key: q.key(r), row: r})
	}
	order := func(a, b sortable) int {
		c := cmp.Or(strings.Compare(a.key, b.key), strings.Compare(a.row.ID, b.row.ID))
		if q.Ascending {
			return c
		}
		return -c
	}
	slices.SortFunc(found, order)
	from := 0
	if after != nil {
		at := sortable{key: after.Key, row: listRow{ID: after.ID}}
		from, _ = slices.BinarySearchFunc(found, at, order)
		if from < len(found) && found[from].row.ID == after.ID && found[from].key == after.Key {
			from++
		}
	}
	for _, f := range found[from:min(from+q.Limit, len(found))] {
		page = append(page, Role{Summary: s.summaryOf(f.row), CurrentMemberRole: "owner"})
	}
	if from+q.Limit < len(found) {
		last := found[from+q.Limit-1]
		next = writeCursor(q, last)
	}
	return page, next, nil
}

// sortable is a row with what it is sorted by.
type sortable struct {
	key string
	row listRow
}

// key sorts a row as text.
func (q LibraryQuery) key(r listRow) string {
	switch q.Sort {
	case "name":
		return cases.Fold().String(r.Name)
	case "createdAt":
		return millis(r.CreatedAt)
	}
	return millis(r.UpdatedAt)
}

// shownRows are the rows that the query may show: of the Minds that it names,
// or the whole list.
func (s *Service) shownRows(ctx context.Context, q LibraryQuery) ([]listRow, error) {
	ids := q.IDs
	for i, id := range ids {
		var err error
		if ids[i], err = lookup.ID("ids", id); err != nil {
			return nil, err
		}
	}
	if q.Members != nil {
		members, err := q.Members()
		if err != nil {
			return nil, err
		}
		if len(ids) > 0 {
			members = slices.DeleteFunc(members, func(id string) bool { return !slices.Contains(ids, id) })
		}
		if ids = members; len(ids) == 0 {
			return nil, nil
		}
	}
	if len(ids) > 0 {
		minds, err := s.GetMany(ctx, ids)
		rows := make([]listRow, len(minds))
		for i, m := range minds {
			rows[i] = listRowOf(m)
		}
		return rows, err
	}
	p := account.From(ctx)
	var rows []listRow
	query := records.Query{PK: listPK(p.Workspace, p.Account)}
	for {
		page, err := s.d.Records.Query(ctx, query)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			var r listRow
			if err := json.Unmarshal(it.Body, &r); err != nil || r.ID == "" {
				return nil, fault.New(fault.MalformedResponse, "The list of Minds could not be read whole. Try again.").Because(err)
			}
			rows = append(rows, r)
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			return rows, nil
		}
	}
}

// cursor stands behind the last Mind of a page. It names its query, so that it
// cannot be used with another.
type cursor struct{ Key, ID string }

func (q LibraryQuery) name() string {
	raw, _ := json.Marshal([]any{q.Search, q.IDs, q.Sort, q.Ascending, q.Category, q.Members != nil})
	return string(raw)
}

func writeCursor(q LibraryQuery, last sortable) string {
	// A list and no object: base64 of the latter could pass for a token.
	raw, _ := json.Marshal([]string{q.name(), last.key, last.row.ID})
	return base64.RawURLEncoding.EncodeToString(raw)
}

func readCursor(q LibraryQuery) (*cursor, error) {
	if q.After == "" {
		return nil, nil
	}
	var parts []string
	raw, err := base64.RawURLEncoding.DecodeString(q.After)
	if err == nil {
		err = json.Unmarshal(raw, &parts)
	}
	if err != nil || len(parts) != 3 || parts[0] != q.name() {
		return nil, fault.New(fault.Validation, "after is no cursor of this query; take it from pageInfo.nextCursor and leave the other parameters as they were.").With("field", "after")
	}
	return &cursor{Key: parts[1], ID: parts[2]}, nil
}

func millis(t time.Time) string { return fmt.Sprintf("%013d", t.UnixMilli()) }
