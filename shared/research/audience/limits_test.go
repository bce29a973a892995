package audience_test

import (
	"encoding/json"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

// The ceilings of each plan (M-61, M-101, M-104).
func TestLimits_M61_M104(t *testing.T) {
	w := researchtest.New(t)
	for plan, want := range map[account.Plan]struct {
		source    string
		ceiling   int
		automatic string // balanced, segment_coverage, benchmark_depth
		deeper    bool
	}{
		account.Free:       {"plan_default", 3, "[3,3,3]", false},
		account.Premium:    {"plan_default", 50, "[20,50,50]", false},
		account.Team:       {"plan_default", 300, "[20,50,300]", true},
		account.Enterprise: {"legacy_unlimited", 1000, "[20,50,1000]", true},
	} {
		ctx := w.As(t, "lab "+string(plan), plan)
		l, err := w.Audiences.Limits(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var automatic []int
		for _, m := range l.CreationModes {
			automatic = append(automatic, m.AutomaticSizingCeiling)
		}
		got, _ := json.Marshal(automatic)
		if l.Allowance.Source != want.source || l.MemberCap != want.ceiling || l.CustomSizeMaximum != want.ceiling || l.SystemLimit != 1000 || string(got) != want.automatic {
			t.Errorf("%s: %+v %s", plan, l, got)
		}
		if l.CreationModes[0].ExplicitCountCeiling == nil || *l.CreationModes[0].ExplicitCountCeiling != 20 || l.CreationModes[1].ExplicitCountCeiling != nil ||
			!l.CreationModes[0].Available || l.CreationModes[1].Available != want.deeper || l.CreationModes[2].Available != want.deeper {
			t.Errorf("%s: %+v", plan, l.CreationModes)
		}
		if l.Scope.UserID != account.From(ctx).Account || l.CheckedAt == "" {
			t.Errorf("%s: %+v", plan, l)
		}
	}
}
