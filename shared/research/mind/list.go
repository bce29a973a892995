package mind

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// listRow is what a list shows of a Mind, kept beside the record and changed in
// the same transaction, so that a list is as current as the record.
type listRow struct {
	ID           string    `json:"id"`
	Name         string    `json:"name"`
	Description  string    `json:"description"`
	Type         string    `json:"type"`
	Discipline   string    `json:"discipline,omitempty"`
	SourcePolicy string    `json:"sourcePolicy"`
	Tags         []string  `json:"tags,omitempty"`
	Image        string    `json:"image,omitempty"`    // address that the Mind was given
	Portrait     *Portrait `json:"portrait,omitempty"` // generated
	Status       string    `json:"status"`
	Ready        bool      `json:"ready"`
	CreatedAt    time.Time `json:"createdAt"`
	UpdatedAt    time.Time `json:"updatedAt"`
}

func listRowOf(m Mind) listRow {
	return listRow{
		ID: m.ID, Name: m.Name, Description: m.Description, Type: m.Type, Discipline: m.Discipline,
		SourcePolicy: m.SourcePolicy, Tags: m.Tags, Image: m.ProfileImageURL, Portrait: m.Portrait,
		Status: m.shownStatus(), Ready: m.ReadyToChat(), CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt,
	}
}

func (s *Service) summaryOf(r listRow) Summary {
	tags := r.Tags
	if tags == nil {
		tags = []string{}
	}
	return Summary{
		ID: r.ID, Name: r.Name, Description: r.Description, Type: r.Type, Discipline: optional(r.Discipline),
		SourcePolicy: r.SourcePolicy, Tags: tags, ProfileImageURL: optional(s.picture(r)),
		TrainingStatus: optional(r.Status), ReadyToChat: r.Ready, MindURL: s.URL(r.ID),
		CreatedAt: clock.Stamp(r.CreatedAt), UpdatedAt: clock.Stamp(r.UpdatedAt),
	}
}

// Summary gives a Mind as lists show it.
func (s *Service) Summary(m Mind) Summary { return s.summaryOf(listRowOf(m)) }

// Detail gives a Mind with the fields of its owner.
func (s *Service) Detail(m Mind) Detail {
	d := Detail{
		Summary: s.Summary(m), SystemPrompt: m.SystemPrompt, IsLinkSharingEnabled: m.LinkSharing,
		KnowledgeItemCount: m.KnowledgeItems,
	}
	if m.LinkSharing { // an id left behind yields no link (M-4)
		d.PublicShareID = optional(m.PublicShareID)
	}
	d.ProfileImageAlt = m.alt()
	return d
}

// alt is the text for people who do not see the portrait; what a picture shows
// that the Mind was given, nobody here knows.
func (m Mind) alt() *string {
	if m.ProfileImageURL == "" && m.Portrait != nil {
		return optional(m.Portrait.Alt)
	}
	return nil
}

// URL is the address of a Mind.
func (s *Service) URL(id string) string { return s.d.PublicURL + "/api/v1/minds/" + id }

// ListURL is the address of the caller's Minds.
func (s *Service) ListURL() string { return s.d.PublicURL + "/api/v1/minds" }

// List pages through the caller's Minds, newest first (M-312), with the number
// of all. limit is 1..100, offset 0 or more; outside is VALIDATION. A page costs
// one read of limit rows and one of keys alone for each 1,000 rows skipped.
func (s *Service) List(ctx context.Context, limit, offset int) ([]Summary, int, error) {
	if err := CheckPage(limit, offset); err != nil {
		return nil, 0, err
	}
	p := account.From(ctx)
	total, err := s.d.Accounts.Owned(ctx, account.Minds)
	if err != nil {
		return nil, 0, err
	}
	items, err := PageAt(ctx, s.d.Records, listPK(p.Workspace, p.Account), limit, offset)
	if err != nil {
		return nil, 0, err
	}
	out := make([]Summary, 0, len(items))
	for _, it := range items {
		var r listRow
		if err := json.Unmarshal(it.Body, &r); err != nil {
			return nil, 0, err
		}
		out = append(out, s.summaryOf(r))
	}
	return out, int(total), nil
}

// CheckPage refuses a page outside its range (M-312: never clamped).
func CheckPage(limit, offset int) error {
	if limit < 1 || limit > 100 {
		return fault.New(fault.Validation, "limit is %d; it must be 1 to 100.", limit).With("field", "limit")
	}
	if offset < 0 {
		return fault.New(fault.Validation, "offset is %d; it must be 0 or more.", offset).With("field", "offset")
	}
	return nil
}

// PageAt reads limit items of a partition from position offset on. What is
// skipped is read as keys alone, 1,000 at a time. Sort keys have one width.
func PageAt(ctx context.Context, store records.Store, pk string, limit, offset int) ([]records.Item, error) {
	from := ""
	for skip := offset; skip > 0; {
		page, err := store.Query(ctx, records.Query{PK: pk, From: from, Limit: min(skip, records.MaxPage), KeysOnly: true})
		if err != nil {
			return nil, err
		}
		if len(page.Items) == 0 {
			return nil, nil
		}
		skip -= len(page.Items)
		// "!" sorts before every character of a key, so this is the position
		// right behind the last row skipped.
		from = page.Items[len(page.Items)-1].SK + "!"
	}
	out := make([]records.Item, 0, limit)
	for len(out) < limit {
		page, err := store.Query(ctx, records.Query{PK: pk, From: from, Limit: limit - len(out)})
		if err != nil {
			return nil, err
		}
		out = append(out, page.Items...)
		if page.Cursor == "" || len(page.Items) == 0 {
			break
		}
		from = page.Items[len(page.Items)-1].SK + "!"
	}
	return out, nil
}

// Find gives the Mind whose name fits best among the caller's newest 1,000
// (M-310); NOT_FOUND when none fits. A row that cannot be read is
// MALFORMED_RESPONSE, never "not found".
func (s *Service) Find(ctx context.Context, name string) (Mind, error) {
	p := account.From(ctx)
	items, err := PageAt(ctx, s.d.Records, listPK(p.Workspace, p.Account), lookup.Window, 0)
	if err != nil {
		return Mind{}, err
	}
	ids, names := make([]string, len(items)), make([]string, len(items))
	for i, it := range items {
		var r listRow
		if err := json.Unmarshal(it.Body, &r); err != nil || r.ID == "" {
			return Mind{}, fault.New(fault.MalformedResponse, "The list of Minds could not be read whole, so nothing can be said about this name. Try again, or use the exact id.").Because(err)
		}
		ids[i], names[i] = r.ID, r.Name
	}
	i, ok := lookup.Best(name, names)
	if !ok {
		return Mind{}, fault.New(fault.NotFound, "No Mind among your newest %d has a name like %q. Use list_minds to browse, or the exact id.", lookup.Window, clip(name))
	}
	return s.Get(ctx, ids[i])
}

// Resolve takes an id, a name, or both; the id wins, and a name that does not
// fit its record is VALIDATION (M-310).
func (s *Service) Resolve(ctx context.Context, id, name string) (Mind, error) {
	if id == "" && name == "" {
		return Mind{}, fault.New(fault.Validation, "Name the Mind: give mindId or mindName.")
	}
	if id == "" {
		return s.Find(ctx, name)
	}
	m, err := s.Get(ctx, id)
	if err != nil {
		return Mind{}, err
	}
	if name != "" && !lookup.Matches(name, m.Name) {
		return Mind{}, fault.New(fault.Validation, "mindName %q does not fit the Mind with this mindId, which is called %q. Send only the one you mean.", clip(name), m.Name).With("field", "mindName")
	}
	return m, nil
}

// clip keeps a caller's text short in a message.
func clip(s string) string {
	r := []rune(s)
	if len(r) > 60 {
		return fmt.Sprintf("%s…", string(r[:60]))
	}
	return s
}
