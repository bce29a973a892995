package mind_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

func of[T any](v T) *T { return &v }

func trained(t testing.TB, w *researchtest.World, ctx context.Context, r mind.CreateRequest) mind.Mind {
	t.Helper()
	c := create(t, w, ctx, r)
	w.Run(t)
	m, err := w.Minds.Get(ctx, c.Mind.ID)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestUpdateChangesWhatIsSent(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	r := clone("Ada")
	r.Discipline, r.Tags = "Nursing", []string{"old"}
	before := trained(t, w, ctx, r)

	tags := []string{" b2b ", "b2b", ""}
	for i := range 30 {
		tags = append(tags, strings.Repeat("t", i+1))
	}
	after, err := w.Minds.Update(ctx, before.ID, mind.Patch{Name: of("  Ada Two "), Discipline: of(""), Tags: &tags})
	if err != nil {
		t.Fatal(err)
	}
	if after.Name != "Ada Two" || after.Discipline != "" || len(after.Tags) != 20 || after.Tags[0] != "b2b" {
		t.Errorf("%q, %q, %d tags", after.Name, after.Discipline, len(after.Tags))
	}
	if after.Description != before.Description || after.SystemPrompt != before.SystemPrompt || after.SourcePolicy != before.SourcePolicy || !after.ReadyToChat() {
		t.Error("what was not sent has changed")
	}
	if after.KnowledgeVersion <= before.KnowledgeVersion {
		t.Error("M-344: a new profile and the old knowledge version")
	}
	rows, _, err := w.Minds.List(ctx, 20, 0)
	if err != nil || rows[0].Name != "Ada Two" || rows[0].Discipline != nil {
		t.Errorf("the list shows %+v, %v", rows, err)
	}
}

func TestUpdateNamesEveryMistake(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	m := trained(t, w, ctx, clone("Ada"))
	_, err := w.Minds.Update(ctx, m.ID, mind.Patch{
		Name: of("x"), Description: of(strings.Repeat("d", 2_001)), SourcePolicy: of("web"), SystemPrompt: of(" \n"), Discipline: of("fine"),
	})
	f := fault.From(err)
	if f.Code != fault.Validation {
		t.Fatal(err)
	}
	for _, s := range []string{"name has 1", "description has 2001", `sourcePolicy is "web"`, "systemPrompt is blank"} {
		if !strings.Contains(f.Message, s) {
			t.Errorf("the refusal does not say %q: %s", s, f.Message)
		}
	}
	if after, _ := w.Minds.Get(ctx, m.ID); after.Discipline != "" {
		t.Error("a refused update changed something")
	}
	for name, p := range map[string]mind.Patch{
		"nothing":              {},
		"prompt too long":      {SystemPrompt: of(strings.Repeat("p", 200_001))},
		"prompt that escapes":  {SystemPrompt: of(strings.Repeat("\x01", 200_000))},
		"prompt of many bytes": {SystemPrompt: of(strings.Repeat("語", 100_000))},
	} {
		if _, err := w.Minds.Update(ctx, m.ID, p); !fault.Is(err, fault.Validation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	markup := strings.Repeat("<", 200_000) // at the limit
	if m, err := w.Minds.Update(ctx, m.ID, mind.Patch{SystemPrompt: &markup}); err != nil || m.SystemPrompt != markup {
		t.Errorf("a prompt of 200,000 characters: %v", err)
	}
	if _, err := w.Minds.Update(ctx, m.ID, mind.Patch{ProfileImageURL: of("http://localhost/x.png")}); !fault.Is(err, fault.UnsafeURL) {
		t.Errorf("an address inside: %v", err)
	}
	// Whether there is such a Mind comes before what is wrong with the rest.
	if _, err := w.Minds.Update(ctx, key, mind.Patch{Name: of("x")}); !fault.Is(err, fault.NotFound) {
		t.Errorf("no such Mind: %v", err)
	}
	if _, err := w.Minds.Update(w.As(t, "other", account.Team), m.ID, mind.Patch{Name: of("Mine")}); !fault.Is(err, fault.NotFound) {
		t.Errorf("M-3: %v", err)
	}
}

func TestAnOwnersPromptIsKeptVerbatim(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	const prompt = "  You are Ada.\r\n\tShort.\n"
	manual := create(t, w, ctx, mind.CreateRequest{Name: "Blank", Mode: "manual"}).Mind
	m, err := w.Minds.Update(ctx, manual.ID, mind.Patch{SystemPrompt: of(prompt)})
	if err != nil || m.SystemPrompt != prompt || !m.ReadyToChat() || m.PromptVersion != 1 {
		t.Fatalf("%q, ready %v, %v", m.SystemPrompt, m.ReadyToChat(), err)
	}
	// One that is written while a training runs stands at its end.
	c := create(t, w, ctx, clone("Ada")).Mind
	if _, err := w.Training.Collect(ctx, c.ID, c.Training.JobID); err != nil {
		t.Fatal(err)
	}
	if m, err := w.Minds.Update(ctx, c.ID, mind.Patch{SystemPrompt: of(prompt)}); err != nil || m.ReadyToChat() {
		t.Fatalf("M-20, while it trains: ready %v, %v", m.ReadyToChat(), err)
	}
	w.Run(t)
	if m, _ := w.Minds.Get(ctx, c.ID); m.SystemPrompt != prompt || !m.ReadyToChat() {
		t.Errorf("after its training: %q, ready %v", m.SystemPrompt, m.ReadyToChat())
	}
}

func TestLinkSharing_M4(t *testing.T) {
	w := researchtest.New(t)
	ctx, nobody := w.As(t, "lab", account.Team), t.Context()
	m := trained(t, w, ctx, clone("Ada"))
	if d := w.Minds.Detail(m); d.PublicShareID != nil || d.IsLinkSharingEnabled {
		t.Errorf("shared unasked: %+v", d)
	}
	on, err := w.Minds.Update(ctx, m.ID, mind.Patch{LinkSharing: of(true)})
	if err != nil {
		t.Fatal(err)
	}
	share := *w.Minds.Detail(on).PublicShareID
	pub, err := w.Minds.Shared(nobody, strings.ToUpper(share))
	if err != nil || pub.ID != m.ID || pub.ProfileImageURL == nil || !strings.HasSuffix(*pub.ProfileImageURL, "&share="+share) || *pub.ProfileImageAlt == "" {
		t.Fatalf("%+v, %v", pub, err)
	}
	if _, err := w.Minds.PictureOf(nobody, m.ID, share); err != nil {
		t.Errorf("the portrait behind the link: %v", err)
	}
	other := trained(t, w, ctx, clone("Eve"))
	if _, err := w.Minds.PictureOf(nobody, other.ID, share); !fault.Is(err, fault.NotFound) {
		t.Errorf("the portrait of another Mind by this link: %v", err)
	}
	if _, err := w.Minds.PictureOf(nobody, m.ID, ""); !fault.Is(err, fault.NotFound) {
		t.Errorf("without link and credential: %v", err)
	}
	if again, err := w.Minds.Update(ctx, m.ID, mind.Patch{LinkSharing: of(true)}); err != nil || *w.Minds.Detail(again).PublicShareID != share {
		t.Errorf("switched on twice: %v", err)
	}
	off, err := w.Minds.Update(ctx, m.ID, mind.Patch{LinkSharing: of(false)})
	if err != nil || w.Minds.Detail(off).PublicShareID != nil || off.PublicShareID == "" {
		t.Errorf("a share id left behind shows: %+v, %v", off, err)
	}
	if _, err := w.Minds.Shared(nobody, share); !fault.Is(err, fault.NotFound) {
		t.Errorf("a revoked link: %v", err)
	}
	anew, err := w.Minds.Update(ctx, m.ID, mind.Patch{LinkSharing: of(true)})
	if err != nil || anew.PublicShareID == share {
		t.Errorf("a revoked link lives again: %v", err)
	}
	if _, err := w.Minds.Shared(nobody, share); !fault.Is(err, fault.NotFound) {
		t.Errorf("the revoked link after sharing anew: %v", err)
	}
	r := clone("Open")
	r.LinkSharing = true
	if d := w.Minds.Detail(create(t, w, ctx, r).Mind); d.PublicShareID == nil {
		t.Error("created with link sharing, and no link")
	} else if _, err := w.Minds.Shared(nobody, *d.PublicShareID); err != nil {
		t.Errorf("created with link sharing: %v", err)
	}
}

func TestLibrary(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	names := []string{"delta", "Alpha", "charlie", "Bravo", "echo"}
	for _, n := range names {
		w.Clock.Advance(1_000_000)
		create(t, w, ctx, mind.CreateRequest{Name: n + " one", Mode: "manual", Description: "knows " + n})
	}
	all := func(q mind.LibraryQuery) (got []string) {
		t.Helper()
		for {
			rows, next, err := w.Minds.Library(ctx, q)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				name, _, _ := strings.Cut(r.Name, " ")
				got = append(got, name)
			}
			if next == "" {
				return got
			}
			q.After = next
		}
	}
	for name, tt := range map[string]struct {
		q    mind.LibraryQuery
		want []string
	}{
		"newest first":   {mind.LibraryQuery{Limit: 2}, []string{"echo", "Bravo", "charlie", "Alpha", "delta"}},
		"by name":        {mind.LibraryQuery{Limit: 2, Sort: "name", Ascending: true}, []string{"Alpha", "Bravo", "charlie", "delta", "echo"}},
		"by name down":   {mind.LibraryQuery{Limit: 3, Sort: "name"}, []string{"echo", "delta", "charlie", "Bravo", "Alpha"}},
		"oldest first":   {mind.LibraryQuery{Limit: 100, Sort: "createdAt", Ascending: true}, names},
		"found by words": {mind.LibraryQuery{Limit: 100, Search: "KNOWS ch"}, []string{"charlie"}},
		"shared":         {mind.LibraryQuery{Limit: 100, Category: "shared"}, nil},
	} {
		if got := all(tt.q); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
	_, next, err := w.Minds.Library(ctx, mind.LibraryQuery{Limit: 1})
	if err != nil || next == "" {
		t.Fatal(err)
	}
	for name, q := range map[string]mind.LibraryQuery{
		"cursor of another query": {Limit: 1, Sort: "name", After: next},
		"no cursor":               {Limit: 1, After: "x"},
		"limit 0":                 {},
		"an id that is none":      {Limit: 1, IDs: []string{"x"}},
	} {
		if _, _, err := w.Minds.Library(ctx, q); !fault.Is(err, fault.Validation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if rows, _, err := w.Minds.Library(w.As(t, "other", account.Team), mind.LibraryQuery{Limit: 100}); err != nil || len(rows) != 0 {
		t.Errorf("M-3: another tenant sees %v, %v", rows, err)
	}
}
