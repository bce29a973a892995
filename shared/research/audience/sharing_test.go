package audience_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

// fellow is another account in the workspace of ctx.
func fellow(t testing.TB, w *researchtest.World, ctx context.Context, name string) context.Context {
	t.Helper()
	p := account.From(ctx)
	body, err := json.Marshal(account.Account{ID: name, Name: name, Workspace: p.Workspace, Plan: p.Plan, Role: "member"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Store.Put(t.Context(), records.Item{Key: records.Key{PK: "w#" + p.Workspace + "#account#" + name, SK: "account"}, Body: body}); err != nil {
		t.Fatal(err)
	}
	return account.With(t.Context(), account.Principal{Account: name, Workspace: p.Workspace, Plan: p.Plan, Scopes: []string{"*"}})
}

func yes() *bool        { v := true; return &v }
func no() *bool         { v := false; return &v }
func ptr[T any](v T) *T { return &v }

// What every role may do with an Audience, and that whoever may not is told the
// same as of one that does not exist (M-2, M-3).
func TestRoles_M2_M3(t *testing.T) {
	const absent = "7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"
	do := map[string]func(w *researchtest.World, ctx context.Context, id, mind string) error{
		"read": func(w *researchtest.World, ctx context.Context, id, _ string) error {
			_, err := w.Audiences.Detail(ctx, id)
			return err
		},
		"progress": func(w *researchtest.World, ctx context.Context, id, _ string) error {
			_, err := w.Audiences.Progress(ctx, id)
			return err
		},
		"follow": func(w *researchtest.World, ctx context.Context, id, _ string) error {
			return w.Audiences.Follow(ctx, id)
		},
		"copy": func(w *researchtest.World, ctx context.Context, id, _ string) error {
			_, err := w.Audiences.Duplicate(ctx, audience.DuplicateRequest{AudienceID: id})
			return err
		},
		"update": func(w *researchtest.World, ctx context.Context, id, _ string) error {
			_, err := w.Audiences.Update(ctx, id, audience.Patch{Name: ptr("Another")})
			return err
		},
		"images": func(w *researchtest.World, ctx context.Context, id, _ string) error {
			_, err := w.Audiences.RegenerateImages(ctx, id, audience.ImagesRequest{Dry: true})
			return err
		},
		"add": func(w *researchtest.World, ctx context.Context, id, mind string) error {
			_, err := w.Audiences.AddMembers(ctx, id, []string{mind})
			return err
		},
		"remove": func(w *researchtest.World, ctx context.Context, id, mind string) error {
			return w.Audiences.RemoveMember(ctx, id, mind)
		},
		"share": func(w *researchtest.World, ctx context.Context, id, _ string) error {
			return w.Audiences.ShareWith(ctx, id, "lea", audience.RoleMember)
		},
		"delete": func(w *researchtest.World, ctx context.Context, id, _ string) error {
			return w.Audiences.Delete(ctx, id)
		},
	}
	everything := []string{"read", "progress", "follow", "copy", "update", "images", "add", "remove", "share", "delete"}
	for role, may := range map[string][]string{
		"owner":         everything,
		"admin":         everything[:6],
		"member":        everything[:4],
		"team_member":   everything[:3],
		"public_viewer": everything[:3],
		"colleague":     nil, // of the workspace, with no role
		"foreigner":     nil,
	} {
		for _, what := range everything {
			w := researchtest.New(t)
			owner := w.As(t, "lab", account.Team)
			ids := minds(t, w, owner, "Age: 30", "Age: 40")
			w.Run(t)
			fellow(t, w, owner, "lea")
			c, err := w.Audiences.Create(owner, audience.CreateRequest{Name: "Panel", MindIDs: ids})
			if err != nil {
				t.Fatal(err)
			}
			id, ctx := c.Audience.ID, owner
			share := audience.Patch{}
			switch role {
			case "admin", "member":
				ctx = fellow(t, w, owner, "ben")
				if err := w.Audiences.ShareWith(owner, id, "ben", audience.Role(role)); err != nil {
					t.Fatal(err)
				}
			case "team_member":
				ctx, share.SharedWithTeam = fellow(t, w, owner, "ben"), yes()
			case "public_viewer":
				ctx, share.IsPublic = w.As(t, "elsewhere", account.Team), yes()
			case "colleague":
				ctx = fellow(t, w, owner, "ben")
			case "foreigner":
				ctx = w.As(t, "elsewhere", account.Team)
			}
			if share != (audience.Patch{}) {
				if _, err := w.Audiences.Update(owner, id, share); err != nil {
					t.Fatal(err)
				}
			}
			err = do[what](w, ctx, id, ids[0])
			if slices.Contains(may, what) {
				if err != nil {
					t.Errorf("%s may %s: %v", role, what, err)
				}
				continue
			}
			none := do[what](w, ctx, absent, ids[0])
			reads := what == "read" || what == "progress"
			switch {
			case err == nil:
				t.Errorf("%s may not %s, and did", role, what)
			case role == "colleague" && reads:
				if !fault.Is(err, fault.Forbidden) {
					t.Errorf("%s, %s: %v", role, what, err)
				}
			case !fault.Is(err, fault.NotFound) || err.Error() != none.Error():
				t.Errorf("%s, %s: %v, of one that is not there: %v", role, what, err, none)
			}
		}
	}
}

func TestWhoSeesWhatInListsAndLibraries(t *testing.T) {
	w := researchtest.New(t)
	owner, elsewhere := w.As(t, "lab", account.Team), w.As(t, "elsewhere", account.Team)
	ben := fellow(t, w, owner, "ben")
	create := func(ctx context.Context, name string) string {
		w.Clock.Advance(1e9)
		c, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: name, MindIDs: minds(t, w, ctx, "Age: 30")})
		if err != nil {
			t.Fatal(err)
		}
		return c.Audience.ID
	}
	names := func(ctx context.Context) (out string) {
		var all []string
		total := 0
		for offset := 0; ; offset += 2 { // in pages of two, so that merging has borders
			rows, n, err := w.Audiences.List(ctx, 2, offset, true)
			if err != nil {
				t.Fatal(err)
			}
			total = n
			for _, r := range rows {
				all = append(all, r.Name+":"+r.CurrentMemberRole)
				if len(r.Minds) != 1 {
					t.Errorf("%s has %d members", r.Name, len(r.Minds))
				}
			}
			if len(rows) == 0 {
				break
			}
		}
		if total != len(all) {
			t.Errorf("%d rows, %d in total", len(all), total)
		}
		return strings.Join(all, " ")
	}
	library := func(ctx context.Context) (out string) {
		var all []string
		for after := ""; ; {
			rows, next, err := w.Audiences.Library(ctx, audience.LibraryQuery{Sort: "name", Ascending: true, Limit: 2, After: after})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				all = append(all, r.Name)
			}
			if after = next; after == "" {
				return strings.Join(all, " ")
			}
		}
	}
	update := func(id string, p audience.Patch) {
		w.Clock.Advance(1e9)
		if _, err := w.Audiences.Update(owner, id, p); err != nil {
			t.Fatal(err)
		}
	}
	private, team, public := create(owner, "Private"), create(owner, "Team"), create(owner, "Public")
	create(ben, "Bens")
	update(team, audience.Patch{SharedWithTeam: yes()})
	update(public, audience.Patch{IsPublic: yes(), SharedWithTeam: yes()}) // in one list all the same
	if got := names(owner); got != "Public:owner Team:owner Private:owner" {
		t.Error(got)
	}
	if got := names(ben); got != "Public:team_member Team:team_member Bens:owner" {
		t.Error(got)
	}
	if got := names(elsewhere); got != "Public:public_viewer" {
		t.Error(got)
	}
	if got := library(ben); got != "Bens Team" {
		t.Error(got)
	}
	if got := library(elsewhere); got != "" {
		t.Errorf("a public one is in a library when it was saved: %s", got)
	}
	for range 2 { // twice is once
		if err := w.Audiences.Follow(elsewhere, public); err != nil {
			t.Fatal(err)
		}
	}
	if got := library(elsewhere); got != "Public" {
		t.Error(got)
	}
	if a, err := w.Audiences.Find(elsewhere, "public"); err != nil || a.ID != public {
		t.Error(a.ID, err)
	}
	w.Clock.Advance(1e9)
	if err := w.Audiences.ShareWith(owner, private, "ben", audience.Admin); err != nil {
		t.Fatal(err)
	}
	if got := names(ben); got != "Private:admin Public:team_member Team:team_member Bens:owner" {
		t.Error(got)
	}
	update(public, audience.Patch{IsPublic: no(), SharedWithTeam: no()})
	update(team, audience.Patch{SharedWithTeam: no()})
	if err := w.Audiences.ShareWith(owner, private, "ben", ""); err != nil {
		t.Fatal(err)
	}
	if got := names(ben) + "|" + names(elsewhere) + "|" + library(elsewhere) + "|" + library(ben); got != "Bens:owner|||Bens" {
		t.Errorf("after all was taken back: %s", got)
	}
	if err := w.Audiences.Unfollow(elsewhere, public); err != nil { // also when it is shown no longer
		t.Fatal(err)
	}
	if err := w.Audiences.Unfollow(elsewhere, public); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	if _, _, err := w.Audiences.Library(ben, audience.LibraryQuery{Limit: 2, After: "bm9uc2Vuc2U"}); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
}

// A link works only while public listing or link sharing is on, shows nothing of the
// owner, and its id is kept (M-2, M-4).
func TestTheLinkOfAnAudience_M2_M4(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	c, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "Panel", MindIDs: minds(t, w, ctx, "Age: 30"), LinkSharing: true})
	if err != nil || c.Audience.PublicShareID == "" {
		t.Fatal(c.Audience, err)
	}
	link := func(id string) (string, *string) {
		d, err := w.Audiences.Detail(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if d.SharedAudienceURL == nil {
			return "", nil
		}
		return *d.SharedAudienceURL, d.SharedAudienceURL
	}
	url, _ := link(c.Audience.ID)
	if !strings.HasSuffix(url, "/api/v1/shared/audiences/"+c.Audience.PublicShareID) {
		t.Fatal(url)
	}
	nobody := t.Context()
	got, err := w.Audiences.Shared(nobody, strings.ToUpper(c.Audience.PublicShareID))
	if err != nil || got.Name != "Panel" || len(got.Minds) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	raw, _ := json.Marshal(got)
	for _, secret := range []string{account.From(ctx).Account, account.From(ctx).Workspace, c.Audience.PublicShareID, "currentMemberRole", "isSharedWithTeam", "systemPrompt", "sources\":[{", "workspaceUrl"} {
		if strings.Contains(string(raw), secret) {
			t.Errorf("the link tells %s: %s", secret, raw)
		}
	}

	private, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "Other", MindIDs: minds(t, w, ctx, "Age: 44")})
	if err != nil {
		t.Fatal(err)
	}
	id := private.Audience.ID
	if url, _ := link(id); url != "" {
		t.Errorf("M-4: %s", url)
	}
	update := func(p audience.Patch) audience.Audience {
		a, err := w.Audiences.Update(ctx, id, p)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	share := update(audience.Patch{IsPublic: yes()}).PublicShareID
	if _, err := w.Audiences.Shared(nobody, share); err != nil {
		t.Error(err)
	}
	if a := update(audience.Patch{IsPublic: no()}); a.PublicShareID != share {
		t.Error("the share id is kept")
	}
	if url, _ := link(id); url != "" {
		t.Errorf("M-4: a kept id is no link: %s", url)
	}
	for _, gone := range []string{share, "7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172", "nonsense", ""} {
		if _, err := w.Audiences.Shared(nobody, gone); !fault.Is(err, fault.NotFound) || err.Error() == "" {
			t.Errorf("%q: %v", gone, err)
		}
	}
	if err := w.Audiences.Delete(ctx, c.Audience.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Audiences.Shared(nobody, c.Audience.PublicShareID); !fault.Is(err, fault.NotFound) {
		t.Errorf("of a deleted one: %v", err)
	}
}

func TestUpdates(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "solo", account.Premium)
	c, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "Panel", MindIDs: minds(t, w, ctx, "Age: 44")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Audiences.Update(ctx, c.Audience.ID, audience.Patch{SharedWithTeam: yes()}); !fault.Is(err, fault.PlanLimit) || fault.From(err).Data["limitType"] != "teamSharing" {
		t.Errorf("M-101: %v", err)
	}
	for name, ok := range map[string]bool{"  ": false, strings.Repeat("x", 101): false, "two\nlines": false, " Trimmed ": true, strings.Repeat("é", 100): true} {
		a, err := w.Audiences.Update(ctx, c.Audience.ID, audience.Patch{Name: &name})
		if ok != (err == nil) || !ok && !fault.Is(err, fault.Validation) {
			t.Errorf("%q: %v", name, err)
		}
		if ok && a.Name != strings.TrimSpace(name) {
			t.Error(a.Name)
		}
	}
	if _, err := w.Audiences.Update(ctx, c.Audience.ID, audience.Patch{Name: ptr("Final"), IsPublic: no(), SharedWithTeam: no()}); err != nil {
		t.Errorf("turning sharing off needs no plan: %v", err)
	}
}

func TestMembersComeAndGo_M1(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Free) // 3 Minds, 3 members
	ids := minds(t, w, ctx, "Age: 30", "Age: 40", "Age: 50")
	c, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "Panel", MindIDs: ids[:1]})
	if err != nil {
		t.Fatal(err)
	}
	id := c.Audience.ID
	if n, err := w.Audiences.AddMembers(ctx, id, []string{ids[0], ids[1], ids[1], strings.ToUpper(ids[1])}); err != nil || n != 2 {
		t.Errorf("added counts distinct ids: %d, %v", n, err)
	}
	members := func() []string {
		a, err := w.Audiences.Get(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		return a.MemberIDs
	}
	if got := members(); !slices.Equal(got, ids[:2]) {
		t.Error(got)
	}
	foreign := minds(t, w, w.As(t, "elsewhere", account.Team), "Age: 45")[0]
	for _, bad := range []string{foreign, "7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"} {
		if _, err := w.Audiences.AddMembers(ctx, id, []string{ids[2], bad}); !fault.Is(err, fault.NotFound) || len(members()) != 2 {
			t.Errorf("all or nobody: %v", err)
		}
	}
	for _, bad := range [][]string{nil, {"x"}} {
		if _, err := w.Audiences.AddMembers(ctx, id, bad); !fault.Is(err, fault.Validation) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	for range 2 { // the second changes nothing
		if err := w.Audiences.RemoveMember(ctx, id, ids[0]); err != nil {
			t.Fatal(err)
		}
	}
	if got := members(); !slices.Equal(got, ids[1:2]) {
		t.Error(got)
	}
	if _, err := w.Minds.Get(ctx, ids[0]); err != nil {
		t.Errorf("removing deletes no Mind: %v", err)
	}
	if err := w.Audiences.RemoveMember(ctx, id, "no id"); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
}

func TestMemberCap_M101(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Premium) // 200 Minds, 50 members
	personas := make([]string, 52)
	for i := range personas {
		personas[i] = fmt.Sprintf("Age: %d", 20+i)
	}
	ids := minds(t, w, ctx, personas...)
	c, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "Panel", MindIDs: ids[:49]})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Audiences.AddMembers(ctx, c.Audience.ID, ids[49:51]); !fault.Is(err, fault.PlanLimit) || fault.From(err).Data["limitType"] != "audienceMembers" || fault.From(err).Data["audienceId"] != c.Audience.ID {
		t.Errorf("%v", err)
	}
	if n, err := w.Audiences.AddMembers(ctx, c.Audience.ID, []string{ids[49], ids[0]}); err != nil || n != 2 {
		t.Error(n, err)
	}
}

func TestImages(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	var ids []string
	for range 12 {
		c, err := w.Minds.Create(ctx, mind.CreateRequest{Name: "Ada", Mode: "manual", GenerateImage: no(), Key: ""})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, c.Mind.ID)
		w.Clock.Advance(11e9) // equal calls within ten seconds are one
	}
	c, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "Panel", MindIDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	w.Engine.Take()
	run := func(r audience.ImagesRequest, want audience.Images) {
		t.Helper()
		got, err := w.Audiences.RegenerateImages(ctx, c.Audience.ID, r)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Sample) != min(got.Candidates, 10) {
			t.Errorf("%d in the sample of %d", len(got.Sample), got.Candidates)
		}
		got.Sample, got.AudienceID = nil, ""
		want.TotalMembers = 12
		if got.AudienceID = ""; !equalImages(got, want) {
			t.Errorf("%+v: %+v, want %+v", r, got, want)
		}
	}
	run(audience.ImagesRequest{Dry: true}, audience.Images{Candidates: 12, Dry: true})
	run(audience.ImagesRequest{Limit: 5}, audience.Images{Candidates: 12, Enqueued: 5, Skipped: 7})
	run(audience.ImagesRequest{}, audience.Images{Candidates: 7, Enqueued: 7, Skipped: 5}) // five are being drawn
	w.Run(t)
	run(audience.ImagesRequest{}, audience.Images{Skipped: 12})
	run(audience.ImagesRequest{Force: true, Limit: 2, Dry: true}, audience.Images{Candidates: 12, Dry: true})
	if _, err := w.Audiences.RegenerateImages(ctx, c.Audience.ID, audience.ImagesRequest{Limit: -1}); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
}

func equalImages(a, b audience.Images) bool {
	return a.TotalMembers == b.TotalMembers && a.Candidates == b.Candidates && a.Enqueued == b.Enqueued && a.Skipped == b.Skipped && a.Errors == b.Errors && a.Dry == b.Dry
}

// Who looks at what is being built sees it from the draft on, and no longer than it
// takes (M-40).
func TestActiveProgress_M40(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Premium)
	active := func() string {
		t.Helper()
		list, err := w.Audiences.ActiveProgress(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, b := range list {
			if b.Settled || b.AudienceID == "" || b.Members != nil {
				t.Errorf("%+v", b)
			}
			all = append(all, fmt.Sprintf("%s:%s:%d", b.Name, b.State, b.Total))
		}
		return strings.Join(all, " ")
	}
	op := fromBrief(t, w, ctx, audience.BriefRequest{Text: "Nurses in Spain", Name: "Nurses", MemberCount: 3})
	fromBrief(t, w, ctx, audience.BriefRequest{Text: "Nurses in Spain", Name: "Preview", MemberCount: 3, Preview: true})
	if got := active(); got != "Nurses:drafting:3" {
		t.Error(got)
	}
	finish(t, w, ctx, op.Operation.JobID)
	if got := active(); got != "Nurses:ready:3" { // its members are trained further
		t.Error(got)
	}
	settled(t, w)
	if got := active(); got != "" {
		t.Error(got)
	}
	a, err := w.Audiences.Find(ctx, "Nurses")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Audiences.Duplicate(ctx, audience.DuplicateRequest{AudienceID: a.ID, Name: "Copy"}); err != nil {
		t.Fatal(err)
	}
	if got := active(); got != "Copy:creating:3" {
		t.Error(got)
	}
	settled(t, w)
	if got := active(); got != "" {
		t.Error(got)
	}
	page, err := w.Store.Query(ctx, records.Query{PK: "w#" + account.From(ctx).Workspace + "#" + account.From(ctx).Account + "#drafting"})
	if err != nil || len(page.Items) != 0 {
		t.Errorf("%d notes are left, %v", len(page.Items), err)
	}
}
