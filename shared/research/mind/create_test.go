package mind_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

const key = "7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"

func clone(name string) mind.CreateRequest {
	return mind.CreateRequest{Name: name, Mode: mind.ModeClone, PersonaContext: "Age: 34\nGender: Female\nWorks as a nurse."}
}

func create(t testing.TB, w *researchtest.World, ctx context.Context, r mind.CreateRequest) mind.Created {
	t.Helper()
	c, err := w.Minds.Create(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestModesNeedTheirSource_M25(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	blank := " \n"
	for name, tt := range map[string]struct {
		r     mind.CreateRequest
		field string
		code  fault.Code
	}{
		"keywords without":     {mind.CreateRequest{Name: "Ada", Mode: "keywords"}, "keywords", fault.Validation},
		"keywords blank":       {mind.CreateRequest{Name: "Ada", Mode: "keywords", Keywords: []string{blank}}, "keywords", fault.Validation},
		"clone without":        {mind.CreateRequest{Name: "Ada", Mode: "clone"}, "personaContext", fault.Validation},
		"clone blank":          {mind.CreateRequest{Name: "Ada", Mode: "clone", PersonaContext: blank}, "personaContext", fault.Validation},
		"clone too long":       {mind.CreateRequest{Name: "Ada", Mode: "clone", PersonaContext: strings.Repeat("é", 16_001)}, "personaContext", fault.Validation},
		"link without":         {mind.CreateRequest{Name: "Ada", Mode: "link"}, "contextLink", fault.Validation},
		"link into our house":  {mind.CreateRequest{Name: "Ada", Mode: "link", ContextLink: "http://169.254.169.254/latest"}, "", fault.UnsafeURL},
		"portrait elsewhere":   {mind.CreateRequest{Name: "Ada", Mode: "manual", ProfileImageURL: "javascript:alert(1)"}, "profileImageUrl", fault.UnsafeURL},
		"private page":         {mind.CreateRequest{Name: "Ada", Mode: "link", ContextLink: "http://127.0.0.1/"}, "contextLink", fault.UnsafeURL},
		"control character":    {mind.CreateRequest{Name: "Ad\x00a", Mode: "manual"}, "name", fault.Validation},
		"tag too long":         {mind.CreateRequest{Name: "Ada", Mode: "manual", Tags: []string{strings.Repeat("t", 101)}}, "tags", fault.Validation},
		"unknown mode":         {mind.CreateRequest{Name: "Ada", Mode: "magic"}, "mode", fault.Validation},
		"unknown type":         {mind.CreateRequest{Name: "Ada", Mode: "manual", Type: "robot"}, "type", fault.Validation},
		"unknown policy":       {mind.CreateRequest{Name: "Ada", Mode: "manual", SourcePolicy: "any"}, "sourcePolicy", fault.Validation},
		"blank name":           {mind.CreateRequest{Name: "   ", Mode: "manual"}, "name", fault.Validation},
		"name of one":          {mind.CreateRequest{Name: " K ", Mode: "manual"}, "name", fault.Validation},
		"name of 101":          {mind.CreateRequest{Name: strings.Repeat("n", 101), Mode: "manual"}, "name", fault.Validation},
		"key that is no UUID":  {mind.CreateRequest{Name: "Ada", Mode: "manual", Key: "abc"}, "idempotencyKey", fault.Validation},
		"description too long": {mind.CreateRequest{Name: "Ada", Mode: "manual", Description: strings.Repeat("d", 2_001)}, "description", fault.Validation},
	} {
		_, err := w.Minds.Create(ctx, tt.r)
		f := fault.From(err)
		if f == nil || f.Code != tt.code || tt.field != "" && f.Data["field"] != tt.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, total, err := w.Minds.List(ctx, 20, 0); total != 0 || err != nil {
		t.Errorf("something was written: %d, %v", total, err)
	}
	if started := w.Engine.Take(); len(started) != 0 {
		t.Errorf("something was started: %v", started)
	}
}

func TestModesStart_M21(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	for _, r := range []mind.CreateRequest{
		{Name: " Pricing Expert ", Mode: "keywords", Keywords: []string{" SaaS pricing ", "SaaS pricing"}},
		clone("Ada"),
		{Name: "Page", Mode: "link", ContextLink: "https://www.example.com/about"},
	} {
		c := create(t, w, ctx, r)
		if tr := w.Minds.TrainingOf(c.Mind); tr.Status != mind.Queued || tr.ReadyToChat || c.Mind.Name != strings.TrimSpace(r.Name) {
			t.Errorf("%s starts as %+v", r.Mode, tr)
		}
	}
	c := create(t, w, ctx, mind.CreateRequest{Name: "Blank", Mode: "manual"})
	tr := w.Minds.TrainingOf(c.Mind)
	if tr.Status != mind.Failed || tr.ReadyToChat || tr.Error == nil || tr.Error.Code != mind.ProfileGenFailed || !tr.Error.Retryable {
		t.Errorf("manual starts as %+v", tr)
	}
	if n := len(w.Engine.Take()); n != 3 {
		t.Errorf("%d trainings were started, want 3", n)
	}
}

func TestSlotsAreConsecutiveForLife(t *testing.T) {
	w := researchtest.New(t)
	ctx, other := w.As(t, "lab", account.Team), w.As(t, "other", account.Team)
	var wg sync.WaitGroup
	var mu sync.Mutex
	slots := map[int64]bool{}
	for i := range 200 {
		wg.Go(func() {
			c, err := w.Minds.Create(ctx, clone("Mind "+strings.Repeat("i", i%50+1)+"-"+time.Duration(i).String()))
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			slots[c.Mind.Slot] = true
			mu.Unlock()
		})
	}
	wg.Wait()
	for s := range int64(200) {
		if !slots[s] {
			t.Fatalf("slot %d is missing", s)
		}
	}
	if c := create(t, w, other, clone("Elsewhere")); c.Mind.Slot != 0 {
		t.Errorf("another owner starts at slot %d", c.Mind.Slot)
	}
	// A refused creation takes no slot.
	free := w.As(t, "free", account.Free)
	for i := range 3 {
		if c := create(t, w, free, clone(strings.Repeat("m", i+2))); c.Mind.Slot != int64(i) {
			t.Errorf("slot %d for Mind %d", c.Mind.Slot, i)
		}
	}
	_, err := w.Minds.Create(free, clone("one more"))
	f := fault.From(err)
	if f.Code != fault.PlanLimit || f.Data["limitType"] != "minds" || f.Data["limit"] != int64(3) || f.Data["current"] != int64(3) || f.Data["currentPlan"] != "free" {
		t.Errorf("M-102: %+v", f)
	}
}

func TestExplicitKey_Section6(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	r := clone("Ada")
	r.Key = strings.ToUpper(key)
	first := create(t, w, ctx, r)
	if first.Replayed || first.Key != key {
		t.Fatalf("%+v", first)
	}
	w.Clock.Advance(24*time.Hour - time.Millisecond)
	r.Key = key
	again := create(t, w, ctx, r)
	if !again.Replayed || again.Mind.ID != first.Mind.ID || again.Key != key {
		t.Errorf("a retry within 24 h: %+v", again)
	}
	changed := r
	changed.PersonaContext += "."
	if _, err := w.Minds.Create(ctx, changed); !fault.Is(err, fault.IdempotencyConflict) {
		t.Errorf("the key with other inputs: %v", err)
	}
	if c := create(t, w, w.As(t, "other", account.Team), r); c.Replayed {
		t.Error("a key holds across accounts")
	}
	w.Clock.Advance(2 * time.Millisecond)
	if late := create(t, w, ctx, r); late.Replayed || late.Mind.ID == first.Mind.ID {
		t.Errorf("a retry after 24 h: %+v", late)
	}
}

func TestEqualCallsWithinTenSeconds_M92(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	first := create(t, w, ctx, clone("Ada"))
	w.Clock.Advance(9_999 * time.Millisecond)
	again := create(t, w, ctx, clone("Ada"))
	if !again.Replayed || again.Mind.ID != first.Mind.ID || again.Key != first.Key {
		t.Errorf("at 9.999 s: %+v", again)
	}
	if c := create(t, w, ctx, clone("Ada.")); c.Mind.ID == first.Mind.ID {
		t.Error("one character more is the same call")
	}
	w.Clock.Advance(2 * time.Millisecond)
	late := create(t, w, ctx, clone("Ada"))
	if late.Replayed || late.Mind.ID == first.Mind.ID {
		t.Errorf("at 10.001 s: %+v", late)
	}
	// M-91: the key that the server chose works for a day.
	r := clone("Ada")
	r.Key = first.Key
	if c := create(t, w, ctx, r); c.Mind.ID != first.Mind.ID || !c.Replayed {
		t.Errorf("the key handed back gives %+v", c)
	}
}

// Who deletes a Mind and makes it again within the ten seconds gets a new one,
// each time; equal calls after that are still one.
func TestMadeAgainAfterADeletion_M92(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	seen := map[string]bool{}
	for range 3 {
		c := create(t, w, ctx, clone("Ada"))
		if c.Replayed || seen[c.Mind.ID] {
			t.Fatalf("made again after its deletion: %+v", c)
		}
		seen[c.Mind.ID] = true
		if again := create(t, w, ctx, clone("Ada")); again.Mind.ID != c.Mind.ID || !again.Replayed {
			t.Errorf("an equal call: %+v", again)
		}
		if err := w.Minds.Delete(ctx, c.Mind.ID); err != nil {
			t.Fatal(err)
		}
	}
	// A key of the caller's own stands for the one Mind it made.
	r := clone("Eve")
	r.Key = "550e8400-e29b-41d4-a716-446655440000"
	if err := w.Minds.Delete(ctx, create(t, w, ctx, r).Mind.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Minds.Create(ctx, r); !fault.Is(err, fault.NotFound) {
		t.Errorf("a repeated key whose Mind is deleted: %v", err)
	}
}

func TestTwoHundredEqualCallsAreOne_M90(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	var wg sync.WaitGroup
	ids := make([]string, 200)
	fresh := make([]bool, 200)
	for i := range ids {
		wg.Go(func() {
			c, err := w.Minds.Create(ctx, clone("Ada"))
			if err != nil {
				t.Error(err)
			}
			ids[i], fresh[i] = c.Mind.ID, !c.Replayed
		})
	}
	wg.Wait()
	made := 0
	for i := range ids {
		if ids[i] != ids[0] {
			t.Fatalf("two Minds: %s, %s", ids[0], ids[i])
		}
		if fresh[i] {
			made++
		}
	}
	if _, total, err := w.Minds.List(ctx, 20, 0); total != 1 || made != 1 || err != nil {
		t.Errorf("%d Minds, %d calls say that they made it, %v", total, made, err)
	}
}

func TestAFailedStartIsTheSweepersWork(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	w.Engine.Down = errors.New("engine away")
	c := create(t, w, ctx, clone("Ada"))
	w.Engine.Down = nil
	w.Clock.Advance(31 * time.Second)
	started, failed, err := w.Jobs.Sweep(ctx, nil)
	if started != 1 || failed != 0 || err != nil {
		t.Fatalf("swept %d, %d, %v", started, failed, err)
	}
	w.Run(t)
	if m, err := w.Minds.Get(ctx, c.Mind.ID); err != nil || !m.ReadyToChat() {
		t.Errorf("%+v, %v", m.Training, err)
	}
}
