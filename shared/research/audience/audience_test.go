package audience_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

const missing = "7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"

func minds(t testing.TB, w *researchtest.World, ctx context.Context, personas ...string) []string {
	t.Helper()
	var ids []string
	for i, p := range personas {
		c, err := w.Minds.Create(ctx, mind.CreateRequest{Name: fmt.Sprintf("Mind %d", i), Mode: mind.ModeClone, PersonaContext: p})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, c.Mind.ID)
	}
	return ids
}

func TestMembersAreMergedInOrder(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	ids := minds(t, w, ctx, "a", "b", "c")
	c, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "  Gen Z ", MindIDs: []string{ids[2], strings.ToUpper(ids[0]), ids[2], ids[1], ids[0]}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{ids[2], ids[0], ids[1]}; fmt.Sprint(c.Audience.MemberIDs) != fmt.Sprint(want) || c.Audience.Name != "Gen Z" {
		t.Errorf("%+v", c.Audience)
	}
}

func TestAMissingMindRefusesAll(t *testing.T) {
	w := researchtest.New(t)
	ctx, other := w.As(t, "lab", account.Team), w.As(t, "other", account.Team)
	ids := minds(t, w, ctx, "a")
	foreign := minds(t, w, other, "x")
	for name, tt := range map[string]struct {
		r    audience.CreateRequest
		code fault.Code
	}{
		"missing":   {audience.CreateRequest{Name: "A", MindIDs: []string{ids[0], missing}}, fault.NotFound},
		"foreign":   {audience.CreateRequest{Name: "A", MindIDs: []string{ids[0], foreign[0]}}, fault.NotFound},
		"no UUID":   {audience.CreateRequest{Name: "A", MindIDs: []string{"x"}}, fault.Validation},
		"no name":   {audience.CreateRequest{Name: " ", MindIDs: ids}, fault.Validation},
		"long name": {audience.CreateRequest{Name: strings.Repeat("n", 101), MindIDs: ids}, fault.Validation},
	} {
		if _, err := w.Audiences.Create(ctx, tt.r); !fault.Is(err, tt.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, total, err := w.Audiences.List(ctx, 20, 0, false); total != 0 || err != nil {
		t.Errorf("something was written: %d, %v", total, err)
	}
	if c, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "Empty"}); err != nil || len(c.Audience.MemberIDs) != 0 {
		t.Errorf("REST allows no members: %v", err)
	}
}

func TestAllowances_M101(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "free", account.Free)
	ids := minds(t, w, ctx, "a", "b", "c")
	more := append(ids, missing)
	_, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "A", MindIDs: more})
	if f := fault.From(err); f.Code != fault.PlanLimit || f.Data["limitType"] != "audienceMembers" || f.Data["limit"] != int64(3) || f.Data["requested"] != int64(4) {
		t.Errorf("four members: %+v", f)
	}
	if _, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "A", MindIDs: ids}); err != nil {
		t.Fatal(err)
	}
	_, err = w.Audiences.Create(ctx, audience.CreateRequest{Name: "B", MindIDs: ids})
	if f := fault.From(err); f.Code != fault.PlanLimit || f.Data["limitType"] != "audiences" || f.Data["current"] != int64(1) {
		t.Errorf("a second Audience: %+v", f)
	}
}

func TestKey_Section6(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	ids := minds(t, w, ctx, "a")
	r := audience.CreateRequest{Name: "A", MindIDs: ids, Key: "order 7"}
	var wg sync.WaitGroup
	var mu sync.Mutex
	made := map[string]int{}
	for range 50 {
		wg.Go(func() {
			c, err := w.Audiences.Create(ctx, r)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			made[c.Audience.ID]++
			mu.Unlock()
		})
	}
	wg.Wait()
	if len(made) != 1 {
		t.Fatalf("one key made %d Audiences", len(made))
	}
	changed := r
	changed.Name = "A."
	if _, err := w.Audiences.Create(ctx, changed); !fault.Is(err, fault.IdempotencyConflict) {
		t.Errorf("the key with other inputs: %v", err)
	}
	w.Clock.Advance(24*time.Hour - time.Millisecond)
	if c, err := w.Audiences.Create(ctx, r); err != nil || !c.Replayed {
		t.Errorf("within 24 h: %+v, %v", c, err)
	}
	w.Clock.Advance(2 * time.Millisecond)
	if c, err := w.Audiences.Create(ctx, r); err != nil || c.Replayed {
		t.Errorf("after 24 h: %+v, %v", c, err)
	}
	// A blank key and one above 128 characters are ignored: every call makes one.
	for _, key := range []string{" ", strings.Repeat("k", 129)} {
		r.Key = key
		for range 2 {
			if c, err := w.Audiences.Create(ctx, r); err != nil || c.Replayed {
				t.Errorf("key of %d: %+v, %v", len(key), c, err)
			}
		}
	}
}

func TestListAndLookUp_M310_M312(t *testing.T) {
	w := researchtest.New(t)
	ctx, other := w.As(t, "lab", account.Team), w.As(t, "other", account.Team)
	ids := minds(t, w, ctx, "a", "b")
	var want []string
	for _, name := range []string{"Gen Z Berlin", "Marketing Experts", "Nurses"} {
		c, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: name, MindIDs: ids})
		if err != nil {
			t.Fatal(err)
		}
		want = append([]string{c.Audience.ID}, want...)
		w.Clock.Advance(time.Second)
	}
	rows, total, err := w.Audiences.List(ctx, 2, 0, true)
	if err != nil || total != 3 || len(rows) != 2 || rows[0].ID != want[0] || rows[1].ID != want[1] {
		t.Fatalf("%v, %d, %v", rows, total, err)
	}
	if len(rows[0].Minds) != 2 || rows[0].Minds[1].ID != ids[1] || rows[0].MindCount != 2 {
		t.Errorf("members %+v", rows[0].Minds)
	}
	if rows, _, _ := w.Audiences.List(ctx, 20, 2, false); len(rows) != 1 || rows[0].Minds != nil {
		t.Errorf("M-325: members come only when asked for: %+v", rows)
	}
	if a, err := w.Audiences.Find(ctx, "gen z berlin"); err != nil || a.ID != want[2] {
		t.Errorf("%v, %v", a.Name, err)
	}
	if _, err := w.Audiences.Resolve(ctx, want[2], "Nurses"); !fault.Is(err, fault.Validation) {
		t.Errorf("a name that is another record's: %v", err)
	}
	if _, err := w.Audiences.Resolve(other, want[2], ""); !fault.Is(err, fault.NotFound) {
		t.Errorf("M-3: %v", err)
	}
	if got, err := w.Audiences.GetMany(other, want); len(got) != 0 || err != nil {
		t.Errorf("M-3: %v, %v", got, err)
	}
}

func TestDetail(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	ids := minds(t, w, ctx, "Age: 34\nGender: Female", "Age: 35\nGender: Male", "Age: 44\nGender: female ", "No profile")
	c, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "A", MindIDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	d, err := w.Audiences.Detail(ctx, c.Audience.ID)
	if err != nil {
		t.Fatal(err)
	}
	if d.State != audience.Ready || d.Research.Phase != "none" || d.Calibration.Active || d.Grounding != nil || d.Coverage != (audience.Coverage{}) || len(d.Minds) != 4 {
		t.Errorf("%+v", d)
	}
	want := "[{Age [{35-44 50 -1} {25-34 25 -1} {Not stated 25 -1}]} {Gender [{Female 50 -1} {Male 25 -1} {Not stated 25 -1}]}]"
	type axis struct {
		Name string
		Of   []audience.Segment
	}
	var got []axis
	for _, x := range d.DerivedDistributions {
		got = append(got, axis{x.Name, x.Distribution})
	}
	if fmt.Sprint(got) != want {
		t.Errorf("derived\n%v, want\n%s", got, want)
	}
}

func TestDraftWritesNothing(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	ids := minds(t, w, ctx, "a")
	a, actions, err := w.Audiences.Draft(ctx, "Inline", ids)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Audiences.Get(ctx, a.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("a draft is there: %v", err)
	}
	if err := w.Store.Transact(ctx, "", actions...); err != nil {
		t.Fatal(err)
	}
	if got, err := w.Audiences.Get(ctx, a.ID); err != nil || got.Name != "Inline" {
		t.Errorf("%+v, %v", got, err)
	}
}
