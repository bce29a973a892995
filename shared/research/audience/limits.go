package audience

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/clock"
)

// Limits is how large an Audience of the caller may be, and how it may be made
// (M-61, M-104). Sizes are for one Audience: they say nothing of what is left.
type Limits struct {
	Scope             LimitsScope    `json:"scope"`
	Allowance         Allowance      `json:"allowance"`
	MemberCap         int            `json:"memberCap"` // 0: the workspace is locked
	SystemLimit       int            `json:"systemLimit"`
	CustomSizeMaximum int            `json:"customSizeMaximum"` // the largest size that can be stated
	CreationModes     []CreationMode `json:"creationModes"`     // all three, each once
	CheckedAt         string         `json:"checkedAt"`         // RFC 3339, UTC, milliseconds
	WorkspaceLocked   bool           `json:"workspaceLocked"`   // no Audience can be made at all
}

// LimitsScope is whose limits they are; TeamID is null for who is in no team.
type LimitsScope struct {
	UserID string  `json:"userId"`
	TeamID *string `json:"teamId"`
}

// Allowance says where the member cap comes from.
type Allowance struct {
	Source string `json:"source"` // plan_default | team_override | legacy_unlimited
}

// CreationMode is one way to size an Audience. A size that nobody states is at
// most AutomaticSizingCeiling; a stated one at most ExplicitCountCeiling, which
// only mode balanced has.
type CreationMode struct {
	Mode                   string `json:"mode"`
	Available              bool   `json:"available"`
	AutomaticSizingCeiling int    `json:"automaticSizingCeiling"`
	ExplicitCountCeiling   *int   `json:"explicitCountCeiling"`
}

// Limits reads what the caller's plan allows now (M-105).
func (s *Service) Limits(ctx context.Context) (Limits, error) {
	l, err := s.d.Accounts.Limits(ctx)
	if err != nil {
		return Limits{}, err
	}
	p := account.From(ctx)
	ceiling := memberCeiling(l)
	out := Limits{
		Scope: LimitsScope{UserID: p.Account}, Allowance: Allowance{Source: sourceOf(l)},
		MemberCap: ceiling, SystemLimit: systemLimit, CustomSizeMaximum: min(ceiling, systemLimit),
		CheckedAt: clock.Stamp(s.d.Clock.Now()), WorkspaceLocked: ceiling == 0,
	}
	if p.Plan == account.Team || p.Workspace != p.Account {
		out.Scope.TeamID = &p.Workspace
	}
	stated := balancedLimit
	for _, m := range []CreationMode{
		{Mode: allocate.Balanced, Available: true, ExplicitCountCeiling: &stated},
		{Mode: allocate.SegmentCoverage, Available: l.SegmentCoverage},
		{Mode: allocate.BenchmarkDepth, Available: l.BenchmarkDepth},
	} {
		_, m.AutomaticSizingCeiling = automatic(m.Mode, ceiling)
		m.Available = m.Available && ceiling > 0
		out.CreationModes = append(out.CreationModes, m)
	}
	return out, nil
}

func sourceOf(l account.Limits) string {
	if l.AudienceMembers == nil {
		return "legacy_unlimited"
	}
	if usual := account.DefaultPlans().Of(l.Plan).AudienceMembers; usual == nil || *usual != *l.AudienceMembers {
		return "team_override"
	}
	return "plan_default"
}
