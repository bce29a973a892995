package audience_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

// roomOfTeam is how many Minds a team may have.
var roomOfTeam = *account.DefaultPlans().Of(account.Team).Minds

// stands checks that an Audience is whole and nothing of a change is left.
func stands(t testing.TB, w *researchtest.World, ctx context.Context, id string, n int, when string) {
	t.Helper()
	a := must[audience.Audience](t)(w.Audiences.Get(ctx, id))
	if len(a.MemberIDs) != n || a.Calibration != nil || a.ShownState() != audience.Ready {
		t.Fatalf("%s: %d members of %d, calibration %+v", when, len(a.MemberIDs), n, a.Calibration)
	}
	slots := map[int64]bool{}
	for _, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs)) {
		if !m.ReadyToChat() || slots[m.Slot] || m.InTraining() || m.Pending != nil {
			t.Fatalf("%s: %s is %+v in slot %d", when, m.Name, m.Training, m.Slot)
		}
		slots[m.Slot] = true
	}
	if len(slots) != n {
		t.Fatalf("%s: %d Minds of %d", when, len(slots), n)
	}
	_, all, err := w.Minds.List(ctx, 100, 0)
	room := must[*int64](t)(w.Accounts.Room(ctx, account.Minds))
	if err != nil || all != n || room == nil || *room != roomOfTeam-int64(n) {
		t.Fatalf("%s: %d Minds counted, room for %v, %v", when, all, room, err)
	}
	c := must[*audience.Cohort](t)(w.Audiences.CohortOf(ctx, a))
	if c == nil || len(c.Members) != n {
		t.Fatalf("%s: a cohort of %+v", when, c)
	}
	seen := map[int]bool{}
	for _, m := range c.Members {
		if seen[m.Index] {
			t.Fatalf("%s: two at position %d", when, m.Index)
		}
		seen[m.Index] = true
	}
	if !must[bool](t)(w.Audiences.Share(ctx, id, "a run")) {
		t.Fatalf("%s: the Audience is still held", when)
	}
	if err := w.Audiences.Release(ctx, id, "a run"); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Minute)
	if started, failed, err := w.Jobs.Sweep(ctx, nil); started+failed != 0 || err != nil {
		t.Fatalf("%s: %d jobs are still open, %v", when, started+failed, err)
	}
}

// swept runs everything that was started, and what the sweeper finds left.
func swept(t testing.TB, w *researchtest.World, ctx context.Context) {
	t.Helper()
	settled(t, w)
	w.Clock.Advance(time.Minute)
	if _, _, err := w.Jobs.Sweep(ctx, nil); err != nil {
		t.Fatal(err)
	}
	settled(t, w)
}

// begin admits a recalibration through a store that may be cut off, and gives its
// started job.
func begin(t testing.TB, w *researchtest.World, ctx context.Context, r audience.RecalibrateRequest) researchtest.Started {
	t.Helper()
	for range 20 {
		_, err := w.Audiences.Recalibrate(ctx, r, 0)
		if err == nil || fault.Is(err, fault.RecalibrationRunning) { // committed, and the answer lost
			break
		}
		if !errors.Is(err, records.ErrUnavailable) && !errors.Is(err, records.ErrConflict) {
			t.Fatal(err)
		}
	}
	started := w.Engine.Take()
	if len(started) == 0 {
		w.Clock.Advance(time.Minute)
		repeat(t, func() error { _, _, err := w.Jobs.Sweep(ctx, nil); return err })
		started = w.Engine.Take()
	}
	if len(started) != 1 {
		t.Fatalf("%d jobs", len(started))
	}
	return started[0]
}

// A recalibration may be cut off at every single access to the store, before and
// after it: repeated, it does what it does undisturbed, once.
func TestRecalibrationCutOffAnywhere_M141(t *testing.T) {
	for text, adds := range map[string]int{"they are all vegan now": 0, "add 1 more person": 1, "make it 50 % women": 0} {
		t.Run(strings.Fields(text)[0], func(t *testing.T) {
			w, c, _ := cut(t)
			ctx := w.As(t, "team", account.Team)
			a := made(t, w, ctx, "Nurses in Spain, 60 % women", 3)
			n := 3
			for _, after := range []bool{false, true} {
				for at := 1; ; at++ {
					if at > 250 {
						t.Fatal("more accesses than were tried")
					}
					when := fmt.Sprintf("cut off at access %d, after it: %v", at, after)
					evolvedBefore := must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs))[0].PromptVersion
					c.ops, c.at, c.after = 0, at, after
					job := begin(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: text})
					repeat(t, func() error { return w.Step(ctx, job) })
					ops := c.ops
					c.at = 0
					swept(t, w, ctx)
					var in audience.RecalibrationJob
					if err := json.Unmarshal(job.Input, &in); err != nil {
						t.Fatal(err)
					}
					got, err := w.Audiences.Recalibrated(ctx, in.Job)
					if err != nil || got.Status != "completed" || got.Added != adds {
						t.Fatalf("%s: %+v, %v", when, got, err)
					}
					n += adds
					stands(t, w, ctx, a.ID, n, when)
					if strings.Contains(text, "vegan") {
						if got.Evolved != 3 {
							t.Fatalf("%s: %d evolved", when, got.Evolved)
						}
						if v := must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs))[0].PromptVersion; v != evolvedBefore+1 {
							t.Fatalf("%s: from version %d to %d", when, evolvedBefore, v)
						}
					}
					if at > ops {
						break
					}
				}
			}
		})
	}
}

// One that gives up at any access is failed: what it counted is given back, the
// grounding is as it was, who was made is a member, and the next one goes through.
func TestRecalibrationGivesUpAnywhere_M141(t *testing.T) {
	for text, most := range map[string]int{"they are all vegan now": 0, "add 1 more person": 1} {
		t.Run(strings.Fields(text)[0], func(t *testing.T) {
			w, c, _ := cut(t)
			ctx := w.As(t, "team", account.Team)
			a := made(t, w, ctx, "Nurses in Spain, 60 % women", 3)
			n := 3
			for at := 1; ; at++ {
				if at > 250 {
					t.Fatal("more accesses than were tried")
				}
				when := fmt.Sprintf("given up at access %d", at)
				job := begin(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: text})
				var in audience.RecalibrationJob
				if err := json.Unmarshal(job.Input, &in); err != nil {
					t.Fatal(err)
				}
				was := must[audience.Audience](t)(w.Audiences.Get(ctx, a.ID))
				c.ops, c.at, c.after = 0, at, at%2 == 0
				err := w.Step(ctx, job)
				ops := c.ops
				c.at = 0
				if err != nil {
					if err := w.Audiences.FailRecalibration(ctx, in, false); err != nil {
						t.Fatal(err)
					}
				}
				swept(t, w, ctx)
				got, failed := w.Audiences.Recalibrated(ctx, in.Job)
				now := must[audience.Audience](t)(w.Audiences.Get(ctx, a.ID))
				switch {
				case failed == nil:
					n += got.Added
				case !fault.Is(failed, fault.Internal):
					t.Fatalf("%s: %v", when, failed)
				default:
					if now.Grounding.SnapshotID != was.Grounding.SnapshotID || len(now.MemberIDs) > n+most {
						t.Fatalf("%s: %+v", when, now.Grounding)
					}
					n = len(now.MemberIDs)
				}
				stands(t, w, ctx, a.ID, n, when)
				if at > ops {
					break
				}
			}
		})
	}
}
