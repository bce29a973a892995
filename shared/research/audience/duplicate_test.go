package audience_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

// know gives a Mind a file to know.
func know(t testing.TB, w *researchtest.World, ctx context.Context, mindID, name, text string) {
	t.Helper()
	if _, err := w.Knowledge.AddFile(ctx, knowledge.AddFileRequest{MindID: mindID, Filename: name, Body: strings.NewReader(text)}); err != nil {
		t.Fatal(err)
	}
	settled(t, w)
}

const tea = "Tea at home\n\nShe drinks green tea every morning before work and never buys coffee. On Sundays she visits the market for fresh leaves."

// original makes an Audience from a brief whose first member knows a file.
func original(t testing.TB, w *researchtest.World, ctx context.Context, n int) audience.Audience {
	t.Helper()
	op := fromBrief(t, w, ctx, audience.BriefRequest{Text: "Nurses in Spain, 60 % women", MemberCount: n})
	out := finish(t, w, ctx, op.Operation.JobID)
	settled(t, w)
	know(t, w, ctx, out.Audience.Minds[0].ID, "tea.txt", tea)
	a, err := w.Audiences.Get(ctx, out.Audience.ID)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// same checks that a copy is whole: everything of the original under new ids, and
// independent of it.
func same(t testing.TB, w *researchtest.World, ctx context.Context, from audience.Audience, copyID, when string) audience.Audience {
	t.Helper()
	a, err := w.Audiences.Get(ctx, copyID)
	if err != nil || a.ID == from.ID || a.State != "" || a.Copy != nil || len(a.MemberIDs) != len(from.MemberIDs) {
		t.Fatalf("%s: %+v, %v", when, a, err)
	}
	was, _ := w.Minds.GetMany(ctx, from.MemberIDs)
	now, err := w.Minds.GetMany(ctx, a.MemberIDs)
	if err != nil || len(now) != len(was) {
		t.Fatalf("%s: %d members, %v", when, len(now), err)
	}
	slots := map[int64]bool{}
	for i, m := range now {
		o := was[i]
		if m.ID == o.ID || m.Name != o.Name || m.SystemPrompt != o.SystemPrompt || m.PersonaContext != o.PersonaContext || *m.Identity != *o.Identity ||
			!m.ReadyToChat() || m.InTraining() || m.AudienceID != a.ID || m.LinkSharing || slots[m.Slot] || m.Slot == o.Slot || m.KnowledgeItems != o.KnowledgeItems || len(m.Knowledge) != len(o.Knowledge) {
			t.Fatalf("%s: member %d: %+v of %+v", when, i, m, o)
		}
		slots[m.Slot] = true
		if (m.Portrait == nil) != (o.Portrait == nil) || m.Portrait != nil && m.Portrait.PNG == o.Portrait.PNG {
			t.Fatalf("%s: a portrait of its own: %+v, %+v", when, m.Portrait, o.Portrait)
		}
	}
	items, total, err := w.Knowledge.List(ctx, now[0].ID, 100, 0)
	if err != nil || total != 1 || len(items) != 1 || items[0].Processing.Status != knowledge.Completed {
		t.Fatalf("%s: %+v of %d, %v", when, items, total, err)
	}
	_, patterns, _ := w.Knowledge.Patterns(ctx, was[0].ID, 100, 0)
	if _, n, err := w.Knowledge.Patterns(ctx, now[0].ID, 100, 0); err != nil || n != patterns || n == 0 {
		t.Fatalf("%s: %d patterns of %d, %v", when, n, patterns, err)
	}
	d, err := w.Audiences.DetailOf(ctx, a)
	o, _ := w.Audiences.DetailOf(ctx, from)
	if err != nil || d.IsPublic || d.IsSharedWithTeam || d.IsLinkSharingEnabled || d.Coverage != o.Coverage || len(d.Sources) != len(o.Sources) || d.Sources[0].ID == o.Sources[0].ID {
		t.Fatalf("%s: %+v, %v", when, d, err)
	}
	if *d.Grounding.SnapshotID == *o.Grounding.SnapshotID || len(d.Grounding.Distributions) != len(o.Grounding.Distributions) {
		t.Fatalf("%s: the grounding", when)
	}
	for i, m := range d.Minds {
		if len(m.CohortProfile) == 0 || fmt.Sprint(m.CohortProfile) != fmt.Sprint(o.Minds[i].CohortProfile) {
			t.Fatalf("%s: profile %d: %v, %v", when, i, m.CohortProfile, o.Minds[i].CohortProfile)
		}
	}
	return a
}

func TestACopyIsWholeAndIndependent_M321(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Premium)
	from := original(t, w, ctx, 6)
	made, err := w.Audiences.Duplicate(ctx, audience.DuplicateRequest{AudienceID: strings.ToUpper(from.ID)})
	if err != nil || made.Key == "" || made.Replayed || made.Audience.Name != from.Name+" (copy)" {
		t.Fatalf("%+v, %v", made, err)
	}
	if s, err := w.Audiences.Summary(ctx, made.Audience, false); err != nil || s.State != audience.Creating || s.MindCount != 6 {
		t.Errorf("%+v, %v", s, err)
	}
	if p, err := w.Audiences.Progress(ctx, made.Audience.ID); err != nil || p.Total != 6 || p.Training != 6 || p.Settled {
		t.Errorf("%+v, %v", p, err)
	}
	if room, _ := w.Accounts.Room(ctx, account.Minds); *room != 188 {
		t.Errorf("counted at admission: room for %d", *room)
	}
	settled(t, w)
	a := same(t, w, ctx, from, made.Audience.ID, "undisturbed")

	// The original goes; its copy knows and has what it had.
	if err := w.Audiences.Delete(ctx, from.ID); err != nil {
		t.Fatal(err)
	}
	all(t, w, ctx)
	first, err := w.Minds.Get(ctx, a.MemberIDs[0])
	if err != nil {
		t.Fatal(err)
	}
	found, err := w.Minds.Respondents(ctx, []string{first.ID})
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if items, total, err := w.Knowledge.List(ctx, first.ID, 10, 0); err != nil || total != 1 || !strings.HasPrefix(items[0].Description, "tea") {
		t.Errorf("%+v of %d, %v", items, total, err)
	}
	if st, err := w.Knowledge.Status(ctx, first.ID, first.Knowledge[0].ItemID); err != nil || !st.ReadyForRetrieval {
		t.Errorf("%+v, %v", st, err)
	}
	in, err := w.Blobs.Open(ctx, first.Portrait.PNG, 0, -1)
	if err != nil {
		t.Errorf("the portrait of the copy: %v", err)
	} else {
		in.Close()
	}
}

func TestTheSameCopyTwice_M321(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Premium)
	a, _, _ := panels(t, w, ctx)
	dup := func(r audience.DuplicateRequest) audience.Duplicated {
		t.Helper()
		r.AudienceID = a.ID
		d, err := w.Audiences.Duplicate(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		settled(t, w)
		return d
	}
	first := dup(audience.DuplicateRequest{})
	w.Clock.Advance(15*time.Minute - time.Second)
	if again := dup(audience.DuplicateRequest{}); again.Audience.ID != first.Audience.ID || !again.Replayed || again.Key != first.Key {
		t.Errorf("within 15 minutes: %+v", again)
	}
	if other := dup(audience.DuplicateRequest{Name: "Named"}); other.Audience.ID == first.Audience.ID || other.Audience.Name != "Named" {
		t.Errorf("another name: %+v", other)
	}
	w.Clock.Advance(2 * time.Second)
	if later := dup(audience.DuplicateRequest{}); later.Audience.ID == first.Audience.ID {
		t.Error("after 15 minutes it is another")
	}
	keyed := dup(audience.DuplicateRequest{Key: " my key "})
	w.Clock.Advance(24*time.Hour - time.Second)
	if again := dup(audience.DuplicateRequest{Key: "my key"}); again.Audience.ID != keyed.Audience.ID || again.Key != "my key" {
		t.Errorf("within 24 hours: %+v", again)
	}
	if _, err := w.Audiences.Duplicate(ctx, audience.DuplicateRequest{AudienceID: a.ID, Name: "Other", Key: "my key"}); !fault.Is(err, fault.IdempotencyConflict) {
		t.Errorf("%v", err)
	}
	w.Clock.Advance(2 * time.Second)
	if later := dup(audience.DuplicateRequest{Key: "my key"}); later.Audience.ID == keyed.Audience.ID {
		t.Error("after 24 hours it is another")
	}
	gone := dup(audience.DuplicateRequest{Name: "Short-lived"})
	if err := w.Audiences.Delete(ctx, gone.Audience.ID); err != nil {
		t.Fatal(err)
	}
	if anew := dup(audience.DuplicateRequest{Name: "Short-lived"}); anew.Audience.ID == gone.Audience.ID || anew.Replayed {
		t.Errorf("of a deleted copy: %+v", anew)
	}
}

func TestCopiesThatAreRefused_M321(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Premium)
	a, _, ids := panels(t, w, ctx)
	dup := func(ctx context.Context, r audience.DuplicateRequest) error {
		_, err := w.Audiences.Duplicate(ctx, r)
		return err
	}
	for _, bad := range []audience.DuplicateRequest{
		{AudienceID: "x"}, {AudienceID: a.ID, Name: "  "}, {AudienceID: a.ID, Name: strings.Repeat("x", 101)}, {AudienceID: a.ID, Key: strings.Repeat("k", 201)},
	} {
		if err := dup(ctx, bad); !fault.Is(err, fault.Validation) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if err := dup(w.As(t, "elsewhere", account.Team), audience.DuplicateRequest{AudienceID: a.ID}); !fault.Is(err, fault.NotFound) {
		t.Errorf("%v", err)
	}
	note := func(change func(*audience.Audience)) {
		if _, err := w.Audiences.Note(ctx, a.ID, func(a *audience.Audience) error { change(a); return nil }, nil); err != nil {
			t.Fatal(err)
		}
	}
	for name, change := range map[string]func(*audience.Audience){
		"creating":    func(a *audience.Audience) { a.State = audience.Creating },
		"failed":      func(a *audience.Audience) { a.State = audience.Failed },
		"calibrating": func(a *audience.Audience) { a.Calibration = &audience.CalibrationState{JobID: "x"} },
		"applying":    func(a *audience.Audience) { a.Research.Phase = audience.Applying },
	} {
		note(change)
		if err := dup(ctx, audience.DuplicateRequest{AudienceID: a.ID}); !fault.Is(err, fault.AudienceBuilding) {
			t.Errorf("%s: %v", name, err)
		}
		note(func(a *audience.Audience) { a.State, a.Calibration, a.Research = "", nil, audience.ResearchState{} })
	}
	note(func(a *audience.Audience) { a.Research.Phase = audience.Researching })
	if err := dup(ctx, audience.DuplicateRequest{AudienceID: a.ID, Name: "Meanwhile"}); err != nil {
		t.Errorf("research alone refuses nothing: %v", err)
	}
	settled(t, w)
	untrained := minds(t, w, ctx, "Age: 66")
	if _, err := w.Audiences.AddMembers(ctx, a.ID, untrained); err != nil {
		t.Fatal(err)
	}
	if err := dup(ctx, audience.DuplicateRequest{AudienceID: a.ID}); !fault.Is(err, fault.AudienceBuilding) {
		t.Errorf("a member in first training: %v", err)
	}

	free := w.As(t, "small", account.Free)
	own := minds(t, w, free, "Age: 30", "Age: 40")
	settled(t, w)
	c, err := w.Audiences.Create(free, audience.CreateRequest{Name: "Panel", MindIDs: own})
	if err != nil {
		t.Fatal(err)
	}
	if err := dup(free, audience.DuplicateRequest{AudienceID: c.Audience.ID}); !fault.Is(err, fault.PlanLimit) || fault.From(err).Data["limitType"] != "audiences" {
		t.Errorf("%v", err)
	}
	if _, total, _ := w.Minds.List(free, 10, 0); total != 2 {
		t.Errorf("%d Minds", total)
	}
	_ = ids
}

func TestTheMindAllowanceOfACopy_M101_M321(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Premium)
	a, _, _ := panels(t, w, ctx) // 3 of 200
	fill := fromBrief(t, w, ctx, audience.BriefRequest{Text: "Nurses", MemberCount: 20})
	finish(t, w, ctx, fill.Operation.JobID)
	for i := range 17 { // 10 each
		name := fmt.Sprintf("Nurses %d", i)
		finish(t, w, ctx, fromBrief(t, w, ctx, audience.BriefRequest{Text: "Nurses in Spain", Name: name, MemberCount: 10}).Operation.JobID)
	}
	finish(t, w, ctx, fromBrief(t, w, ctx, audience.BriefRequest{Text: "Nurses in Spain", Name: "Last", MemberCount: 5}).Operation.JobID)
	// 198 of 200
	_, err := w.Audiences.Duplicate(ctx, audience.DuplicateRequest{AudienceID: a.ID})
	if f := fault.From(err); err == nil || f.Code != fault.PlanLimit || f.Data["limitType"] != "minds" {
		t.Fatalf("%v", err)
	}
	if room, _ := w.Accounts.Room(ctx, account.Minds); *room != 2 {
		t.Errorf("room for %d", *room)
	}
}

// A copy may be cut off at every single access to the store, before and after it:
// repeated, it ends with one copy, whole.
func TestACopyCutOffAnywhere_M321(t *testing.T) {
	for _, after := range []bool{false, true} {
		for at := 1; ; at++ {
			if at > 400 {
				t.Fatal("more accesses than were tried")
			}
			when := fmt.Sprintf("cut off at access %d, after it: %v", at, after)
			w, c, ctx := cut(t)
			from := original(t, w, ctx, 3)
			c.ops, c.at, c.after = 0, at, after
			var made audience.Duplicated
			repeat(t, func() (err error) {
				made, err = w.Audiences.Duplicate(ctx, audience.DuplicateRequest{AudienceID: from.ID})
				return err
			})
			started := w.Engine.Take()
			for _, j := range started {
				repeat(t, func() error { return w.Step(ctx, j) })
			}
			ops := c.ops
			c.at = 0
			all(t, w, ctx)
			same(t, w, ctx, from, made.Audience.ID, when)
			counted(t, w, ctx, 2, 6, when)
			if at > ops {
				break
			}
		}
	}
}

// counted checks what is owned, and that nothing is held or queued any more.
func counted(t testing.TB, w *researchtest.World, ctx context.Context, audiences, minds int, when string) {
	t.Helper()
	_, a, _ := w.Audiences.List(ctx, 1, 0, false)
	listed, m, err := w.Minds.List(ctx, 100, 0)
	room, _ := w.Accounts.Room(ctx, account.Minds)
	if err != nil || a != audiences || m != minds || len(listed) != minds || *room != int64(200-minds) {
		t.Fatalf("%s: %d Audiences, %d Minds listed and %d counted, room for %d, %v", when, a, len(listed), m, *room, err)
	}
	w.Clock.Advance(time.Minute)
	if started, failed, err := w.Jobs.Sweep(ctx, nil); started+failed != 0 || err != nil {
		t.Fatalf("%s: %d jobs are still open, %v", when, started+failed, err)
	}
}

// An execution that gives up leaves a failed copy with what was made, the rest given
// back; the same call takes it up, and a deletion takes all of it away.
func TestACopyThatFails_M321(t *testing.T) {
	for _, end := range []string{"repeated", "deleted", "deleted before it failed"} {
		t.Run(end, func(t *testing.T) {
			w, c, ctx := cut(t)
			from := original(t, w, ctx, 3)
			// Two chunks: 28 more members.
			finish(t, w, ctx, fromBrief(t, w, ctx, audience.BriefRequest{Text: "Bakers in France", Name: "Bakers", MemberCount: 20}).Operation.JobID)
			settled(t, w)
			bakers, err := w.Audiences.Find(ctx, "Bakers")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Audiences.AddMembers(ctx, from.ID, bakers.MemberIDs); err != nil {
				t.Fatal(err)
			}
			extra := minds(t, w, ctx, "Age: 21", "Age: 22", "Age: 23", "Age: 24")
			settled(t, w)
			if _, err := w.Audiences.AddMembers(ctx, from.ID, extra); err != nil {
				t.Fatal(err)
			}
			if from, err = w.Audiences.Get(ctx, from.ID); err != nil || len(from.MemberIDs) != 27 {
				t.Fatal(len(from.MemberIDs), err)
			}
			r := audience.DuplicateRequest{AudienceID: from.ID}
			made, err := w.Audiences.Duplicate(ctx, r)
			if err != nil {
				t.Fatal(err)
			}
			p, job := account.From(ctx), w.Engine.Take()[0]
			j := audience.DuplicateJob{Job: job.Name, Workspace: p.Workspace, Account: p.Account, Audience: made.Audience.ID}
			// Cut off behind the first chunk: the accesses of one member's knowledge begin the second.
			broken := false
			for at := 1; !broken; at++ {
				c.ops, c.at, c.after = 0, at, false
				_, err := w.Audiences.CopyMembers(ctx, j)
				a, e := w.Audiences.Get(ctx, made.Audience.ID)
				if e != nil {
					t.Fatal(e)
				}
				if broken = err != nil && a.Copy != nil && a.Copy.Made == mind.CopyChunk; err == nil {
					t.Fatal("it was never between two chunks")
				}
			}
			c.at = 0
			if end == "deleted before it failed" {
				if err := w.Audiences.Delete(ctx, made.Audience.ID); err != nil {
					t.Fatal(err)
				}
				if err := w.Step(ctx, job); err != nil {
					t.Fatal(err)
				}
				all(t, w, ctx)
				counted(t, w, ctx, 2, 27, end)
				return
			}
			for range 2 {
				if err := w.Audiences.FailDuplicate(ctx, j, false); err != nil {
					t.Fatal(err)
				}
			}
			a, err := w.Audiences.Get(ctx, made.Audience.ID)
			if err != nil || a.State != audience.Failed || !a.Failure.Retryable || len(a.MemberIDs) != mind.CopyChunk {
				t.Fatalf("%+v, %v", a, err)
			}
			counted(t, w, ctx, 3, 27+mind.CopyChunk, "failed")
			if end == "deleted" {
				if err := w.Audiences.Delete(ctx, a.ID); err != nil {
					t.Fatal(err)
				}
				all(t, w, ctx)
				counted(t, w, ctx, 2, 27, end)
				return
			}
			again, err := w.Audiences.Duplicate(ctx, r)
			if err != nil || again.Audience.ID != made.Audience.ID || !again.Replayed {
				t.Fatalf("%+v, %v", again, err)
			}
			all(t, w, ctx)
			a, err = w.Audiences.Get(ctx, a.ID)
			if err != nil || a.State != "" || len(a.MemberIDs) != 27 {
				t.Fatalf("%d members, %v, %v", len(a.MemberIDs), a.State, err)
			}
			counted(t, w, ctx, 3, 54, "repeated")
			if slices.Contains(a.MemberIDs, from.MemberIDs[0]) {
				t.Error("a copy shares no Mind")
			}
		})
	}
}

// A member that is deleted while it is copied is left out and given back.
func TestAMemberGoesWhileItIsCopied(t *testing.T) {
	w, _, ctx := cut(t)
	a, _, ids := panels(t, w, ctx)
	made, err := w.Audiences.Duplicate(ctx, audience.DuplicateRequest{AudienceID: a.ID})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Minds.Delete(ctx, ids[1]); err != nil {
		t.Fatal(err)
	}
	all(t, w, ctx)
	got, err := w.Audiences.Get(ctx, made.Audience.ID)
	if err != nil || len(got.MemberIDs) != 2 || got.State != "" {
		t.Fatalf("%+v, %v", got, err)
	}
	counted(t, w, ctx, 3, 4, "one gone")
}

func TestNamesOfCopies(t *testing.T) {
	w, _, ctx := cut(t)
	ids := minds(t, w, ctx, "Age: 30")
	w.Run(t)
	for name, want := range map[string]string{
		"Panel": "Panel (copy)", strings.Repeat("é", 100): strings.Repeat("é", 92) + "… (copy)", strings.Repeat("x", 93): strings.Repeat("x", 93) + " (copy)",
	} {
		c, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: name, MindIDs: ids})
		if err != nil {
			t.Fatal(err)
		}
		d, err := w.Audiences.Duplicate(ctx, audience.DuplicateRequest{AudienceID: c.Audience.ID})
		if err != nil || d.Audience.Name != want || len([]rune(want)) > 100 {
			t.Errorf("%q: %q, %v", name, d.Audience.Name, err)
		}
	}
}
