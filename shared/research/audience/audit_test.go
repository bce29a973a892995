package audience_test

import (
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

// M-121: the audit counts who is in the Audience, also after somebody left it.
func TestTheAuditCountsWhoIsThere_M121(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 20)
	for _, id := range a.MemberIDs[:3] {
		if err := w.Audiences.RemoveMember(ctx, a.ID, id); err != nil {
			t.Fatal(err)
		}
	}
	d := detail(t, w, ctx, a.ID)
	audit := d.Grounding.AllocationAudit
	if audit.MemberCount != 17 {
		t.Errorf("%d members in the audit", audit.MemberCount)
	}
	for _, axis := range audit.Axes {
		targets, achieved := 0, 0
		for _, s := range axis.Segments {
			targets, achieved = targets+s.TargetCount, achieved+s.AchievedCount
			if n := count(d, axis.Distribution, s.Label); n != s.AchievedCount {
				t.Errorf("%s %s: %d in the audit, %d there", axis.Distribution, s.Label, s.AchievedCount, n)
			}
		}
		if targets != 17 || achieved != 17 {
			t.Errorf("%s: %d targeted, %d achieved", axis.Distribution, targets, achieved)
		}
	}
}
