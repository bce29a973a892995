package mind_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

func TestListIsNewestFirst_M312(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	var want []string // newest first
	for i := range 25 {
		m := create(t, w, ctx, clone(fmt.Sprintf("Mind %d", i))).Mind
		want = append([]string{m.ID}, want...)
		w.Clock.Advance(time.Millisecond)
	}
	create(t, w, w.As(t, "other", account.Team), clone("Elsewhere"))
	var got []string
	for offset := 0; ; offset += 10 {
		rows, total, err := w.Minds.List(ctx, 10, offset)
		if err != nil || total != 25 {
			t.Fatal(total, err)
		}
		for _, r := range rows {
			got = append(got, r.ID)
		}
		if len(rows) < 10 {
			break
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("order\n%v, want\n%v", got, want)
	}
	if rows, _, err := w.Minds.List(ctx, 10, 25); len(rows) != 0 || err != nil {
		t.Errorf("past the end: %v, %v", rows, err)
	}
	for _, p := range [][2]int{{0, 0}, {101, 0}, {20, -1}} {
		if _, _, err := w.Minds.List(ctx, p[0], p[1]); !fault.Is(err, fault.Validation) {
			t.Errorf("limit %d, offset %d: %v; it must be refused, not clamped", p[0], p[1], err)
		}
	}
}

// At one moment the larger id comes first.
func TestEqualTimesSortByID_M312(t *testing.T) {
	now := researchtest.Start
	low, high := "0a9b8c7d-2222-4333-8444-555566667777", "f0000000-2222-4333-8444-555566667777"
	if mind.NewestFirst(now, high) >= mind.NewestFirst(now, low) {
		t.Error("the larger id does not come first")
	}
	if mind.NewestFirst(now.Add(time.Millisecond), low) >= mind.NewestFirst(now, high) {
		t.Error("the later time does not come first")
	}
	if len(mind.NewestFirst(now, low)) != len(mind.NewestFirst(time.UnixMilli(0), high)) {
		t.Error("the width is not fixed")
	}
}

// Sort keys order as (time descending, id descending) does, for all of both.
func TestNewestFirstKeepsTheOrder_M312(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := func(name string) time.Time {
			return time.UnixMilli(rapid.Int64Range(0, 4_102_444_800_000).Draw(t, name)) // until 2100
		}
		id := rapid.StringMatching(`[0-9a-f]{8}-[0-9a-f]{4}`)
		ta, tb, a, b := at("ta"), at("tb"), id.Draw(t, "a"), id.Draw(t, "b")
		if rapid.Bool().Draw(t, "at one moment") {
			tb = ta
		}
		want := tb.Compare(ta)
		if want == 0 {
			want = strings.Compare(b, a)
		}
		if got := strings.Compare(mind.NewestFirst(ta, a), mind.NewestFirst(tb, b)); got != want {
			t.Fatalf("%v %s, %v %s: %d, want %d", ta, a, tb, b, got, want)
		}
	})
}

func TestLookUp_M310(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	old := create(t, w, ctx, clone("Marketing Expert")).Mind
	w.Clock.Advance(time.Minute)
	newest := create(t, w, ctx, clone("marketing expert")).Mind
	ada := create(t, w, ctx, clone("Ada Lovelace")).Mind
	if m, err := w.Minds.Find(ctx, "my marketing expert"); err != nil || m.ID != newest.ID {
		t.Errorf("a tie goes to the newest: %v, %v", m.Name, err)
	}
	if _, err := w.Minds.Find(ctx, "quantum chromodynamics"); !fault.Is(err, fault.NotFound) {
		t.Errorf("nothing alike: %v", err)
	}
	if m, err := w.Minds.Resolve(ctx, old.ID, "marketing"); err != nil || m.ID != old.ID {
		t.Errorf("an id wins: %v, %v", m.ID, err)
	}
	if _, err := w.Minds.Resolve(ctx, old.ID, "Ada Lovelace"); !fault.Is(err, fault.Validation) {
		t.Errorf("a name that is another record's: %v", err)
	}
	if _, err := w.Minds.Resolve(ctx, "", ""); !fault.Is(err, fault.Validation) {
		t.Errorf("neither: %v", err)
	}
	// A row that cannot be read is no "not found".
	p := account.From(ctx)
	bad := records.Item{Key: records.Key{PK: "w#" + p.Workspace + "#" + p.Account + "#minds", SK: mind.NewestFirst(w.Clock.Now(), ada.ID)}, Body: []byte(`{}`)}
	if _, err := w.Store.Put(ctx, bad); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Minds.Find(ctx, "quantum chromodynamics"); !fault.Is(err, fault.MalformedResponse) {
		t.Errorf("an unreadable list: %v", err)
	}
}

// A page of 20 with 10,000 Minds in the tenant, at the beginning and in the middle.
func BenchmarkList(b *testing.B) {
	w := researchtest.New(b)
	ctx := w.As(b, "lab", account.Enterprise)
	p := account.From(ctx)
	base := create(b, w, ctx, clone("Mind 0")).Mind
	for n := 1; n < 10_000; {
		var actions []records.Action
		for ; len(actions) < 99 && n < 10_000; n++ {
			row, _ := json.Marshal(map[string]any{"id": base.ID, "name": fmt.Sprintf("Mind %d", n), "type": "expert", "status": "completed", "description": "A member of a large tenant."})
			at := researchtest.Start.Add(time.Duration(n) * time.Millisecond)
			actions = append(actions, records.PutItem(records.Item{
				Key: records.Key{PK: "w#" + p.Workspace + "#" + p.Account + "#minds", SK: mind.NewestFirst(at, base.ID)}, Body: row,
			}))
		}
		if err := w.Store.Transact(ctx, "", actions...); err != nil {
			b.Fatal(err)
		}
	}
	for _, offset := range []int{0, 5_000, 9_970} {
		b.Run(fmt.Sprintf("offset=%d", offset), func(b *testing.B) {
			for b.Loop() {
				if rows, _, err := w.Minds.List(ctx, 20, offset); len(rows) != 20 || err != nil {
					b.Fatal(len(rows), err)
				}
			}
		})
	}
}
