package study

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// load reads a Study that the caller may open. What is in another tenant does
// not exist; what another account of the own tenant keeps private is refused.
func (s *Service) load(ctx context.Context, id string) (studyRow, error) {
	r, err := s.fetch(ctx, id)
	if err != nil {
		return studyRow{}, err
	}
	role, err := s.roleOf(ctx, r)
	if err != nil {
		return studyRow{}, err
	}
	if !role.Reaches(Member) {
		return studyRow{}, fault.New(fault.Forbidden, "This Study belongs to another account of your workspace, which has not shared it. Ask its owner.")
	}
	return r, nil
}

func noStudy() *fault.Error { return fault.New(fault.NotFound, "No Study with this id.") }

// canonical lower-cases an id; what is no UUID cannot be the id of anything, and
// is kept as it is.
func canonical(id string) string { return strings.ToLower(strings.TrimSpace(id)) }

func isUUID(id string) bool { return len(id) == 36 && uuid.Validate(id) == nil }

// view gives the Study as callers see it.
func (s *Service) view(r studyRow, asked int, touched time.Time) Study {
	v := Study{
		ID: r.ID, Name: r.Name, StudyMode: Mode, QuestionCount: asked, MessageCount: asked,
		Audiences: r.Audiences, IsLinkSharingEnabled: r.LinkSharing, WorkspaceURL: s.URL(r.ID),
		CreatedAt: clock.Stamp(r.CreatedAt), UpdatedAt: clock.Stamp(touched),
	}
	if v.Audiences == nil {
		v.Audiences = []AudienceRef{}
	}
	// A share id left over without sharing gives no link (M-4).
	if r.LinkSharing && r.ShareID != "" {
		share, url := r.ShareID, s.d.PublicURL+"/api/v1/shared/studies/"+r.ShareID
		v.PublicShareID, v.SharedStudyURL = &share, &url
	}
	return v
}

// URL is the address of a Study.
func (s *Service) URL(id string) string { return s.d.PublicURL + "/api/v1/studies/" + id }

// ListURL is the address of the caller's Studies.
func (s *Service) ListURL() string { return s.d.PublicURL + "/api/v1/studies" }

// views adds to each Study how many questions it has and when it last changed,
// with one read for all of them.
func (s *Service) views(ctx context.Context, ws string, rows []studyRow) ([]Study, error) {
	keys := make([]records.Key, 0, 2*len(rows))
	for _, r := range rows {
		keys = append(keys, askedKey(ws, r.ID), touchedKey(ws, r.ID))
	}
	items := map[records.Key]records.Item{}
	for len(keys) > 0 {
		n := min(len(keys), records.MaxBatchGet)
		got, err := s.d.Records.BatchGet(ctx, keys[:n])
		if err != nil {
			return nil, err
		}
		for _, it := range got {
			items[it.Key] = it
		}
		keys = keys[n:]
	}
	out := make([]Study, len(rows))
	for i, r := range rows {
		touched := r.CreatedAt
		if it, ok := items[touchedKey(ws, r.ID)]; ok {
			if t, err := time.Parse(time.RFC3339, it.Fields[fieldAt]); err == nil && t.After(touched) {
				touched = t
			}
		}
		out[i] = s.view(r, int(items[askedKey(ws, r.ID)].N), touched)
	}
	return out, nil
}

func (s *Service) viewOf(ctx context.Context, r studyRow) (Study, error) {
	v, err := s.views(ctx, account.From(ctx).Workspace, []studyRow{r})
	if err != nil {
		return Study{}, err
	}
	return v[0], nil
}

// touch marks a Study as changed now. The last writer wins: nobody waits for
// anybody, and the time is right to within their overlap.
func touch(ws, study string, now time.Time) records.Action {
	return records.PutItem(records.Item{Key: touchedKey(ws, study), Fields: map[string]string{fieldAt: clock.Stamp(now)}})
}

// List pages through the caller's Studies, newest first, and tells how many
// there are. limit is 1..100 (M-312).
func (s *Service) List(ctx context.Context, limit, offset int) ([]Study, int, error) {
	if limit < 1 || limit > 100 {
		return nil, 0, fault.New(fault.Validation, "limit is %d; it must be 1 to 100.", limit)
	}
	if offset < 0 {
		return nil, 0, fault.New(fault.Validation, "offset is %d; it must be 0 or more.", offset)
	}
	p := account.From(ctx)
	total, err := s.total(ctx, p)
	if err != nil {
		return nil, 0, err
	}
	if offset >= total {
		return []Study{}, total, nil
	}
	cursor, err := s.skip(ctx, listPK(p.Workspace, p.Account), offset)
	if err != nil {
		return nil, 0, err
	}
	rows, err := s.rows(ctx, p, limit, cursor)
	if err != nil {
		return nil, 0, err
	}
	views, err := s.views(ctx, p.Workspace, rows)
	return views, total, err
}

func (s *Service) total(ctx context.Context, p account.Principal) (int, error) {
	it, err := s.d.Records.Get(ctx, countKey(p.Workspace, p.Account))
	if errors.Is(err, records.ErrNotFound) {
		return 0, nil
	}
	return int(it.N), err
}

// skip passes offset rows without reading their bodies and gives the cursor
// after them; empty for none.
func (s *Service) skip(ctx context.Context, pk string, offset int) (string, error) {
	cursor := ""
	for offset > 0 {
		page, err := s.d.Records.Query(ctx, records.Query{PK: pk, Limit: min(offset, records.MaxPage), Cursor: cursor, KeysOnly: true})
		if err != nil {
			return "", err
		}
		offset -= len(page.Items)
		if cursor = page.Cursor; cursor == "" {
			break
		}
	}
	return cursor, nil
}

// rows reads up to limit list rows from a cursor on.
func (s *Service) rows(ctx context.Context, p account.Principal, limit int, cursor string) ([]studyRow, error) {
	rows := make([]studyRow, 0, min(limit, 100))
	for {
		page, err := s.d.Records.Query(ctx, records.Query{PK: listPK(p.Workspace, p.Account), Limit: min(limit-len(rows), records.MaxPage), Cursor: cursor})
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			var r studyRow
			if err := json.Unmarshal(it.Body, &r); err != nil {
				return nil, err
			}
			rows = append(rows, r)
		}
		if cursor = page.Cursor; cursor == "" || len(rows) >= limit {
			return rows, nil
		}
	}
}

// Find gives the one closest name among the newest 1,000; NOT_FOUND if none is
// close enough (M-310, M-311).
func (s *Service) Find(ctx context.Context, name string) (Study, error) {
	r, err := s.find(ctx, name)
	if err != nil {
		return Study{}, err
	}
	return s.viewOf(ctx, r)
}

func (s *Service) find(ctx context.Context, name string) (studyRow, error) {
	rows, err := s.rows(ctx, account.From(ctx), lookup.Window, "")
	if err != nil {
		return studyRow{}, err
	}
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.Name
	}
	at, ok := lookup.Best(name, names)
	if !ok {
		return studyRow{}, fault.New(fault.NotFound, "No Study among the newest %d has a name close to %q. Call list_studies, or pass the exact id.", lookup.Window, shortened(name, 80))
	}
	return rows[at], nil
}

// Resolve takes an id, a name or both; the id wins and a name that does not fit
// it is refused (M-310).
func (s *Service) Resolve(ctx context.Context, id, name string) (Study, error) {
	r, err := s.resolve(ctx, id, name)
	if err != nil {
		return Study{}, err
	}
	return s.viewOf(ctx, r)
}

func (s *Service) resolve(ctx context.Context, id, name string) (studyRow, error) {
	switch {
	case id == "" && strings.TrimSpace(name) == "":
		return studyRow{}, fault.New(fault.Validation, "Name the Study: pass studyId, or studyName for the closest name.")
	case id == "":
		return s.find(ctx, name)
	}
	r, err := s.load(ctx, id)
	if err != nil {
		return studyRow{}, err
	}
	if name != "" && !lookup.Matches(name, r.Name) {
		return studyRow{}, fault.New(fault.Validation, "studyName %q does not fit the Study with this studyId. Leave studyName out, or correct one of them.", shortened(name, 80))
	}
	return r, nil
}

// shortened cuts a text for a message.
func shortened(text string, limit int) string {
	r := []rune(text)
	if len(r) <= limit {
		return text
	}
	return string(r[:limit-1]) + "…"
}

// Search gives the one Study whose name is closest, with the caller's total; no
// row when none is close enough (M-310).
func (s *Service) Search(ctx context.Context, name string) ([]Study, int, error) {
	total, err := s.total(ctx, account.From(ctx))
	if err != nil {
		return nil, 0, err
	}
	found, err := s.Find(ctx, name)
	if fault.Is(err, fault.NotFound) {
		return []Study{}, total, nil
	}
	if err != nil {
		return nil, 0, err
	}
	return []Study{found}, total, nil
}

func workspace(ctx context.Context) string { return account.From(ctx).Workspace }
