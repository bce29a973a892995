package minds

import (
	"context"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// GetAudienceLimits tells how large an Audience may be and which modes there are.
var GetAudienceLimits = tool.New("get_audience_limits",
	func(ctx context.Context, in GetAudienceLimitsInput) (AudienceLimits, error) {
		limits, err := research.From(ctx).Audiences.Limits(ctx)
		if err != nil {
			return AudienceLimits{}, err
		}
		if !sound(limits, account.From(ctx).Account) {
			return AudienceLimits{}, fault.New(fault.MalformedResponse, "The limits could not be read whole, so nothing can be said about them. Try again.")
		}
		if in.Mode != "" {
			limits.CreationModes = slices.DeleteFunc(limits.CreationModes, func(m audience.CreationMode) bool { return m.Mode != in.Mode })
		}
		return AudienceLimits{Limits: limits}, nil
	})

// sound holds limits to whose they are, to ceilings that are numbers, and to each
// mode standing there once (M-104, M-320).
func sound(l audience.Limits, caller string) bool {
	if l.Scope.UserID != caller || l.MemberCap < 0 || l.SystemLimit < 1 || l.CustomSizeMaximum != min(l.MemberCap, l.SystemLimit) || l.CheckedAt == "" {
		return false
	}
	var modes []string
	for _, m := range l.CreationModes {
		if m.AutomaticSizingCeiling < 0 || m.AutomaticSizingCeiling > l.MemberCap || m.ExplicitCountCeiling != nil && *m.ExplicitCountCeiling < 0 {
			return false
		}
		modes = append(modes, m.Mode)
	}
	slices.Sort(modes)
	return slices.Equal(modes, []string{allocate.Balanced, allocate.BenchmarkDepth, allocate.SegmentCoverage})
}

// GetAudienceLimitsInput may name the one mode that is wanted.
type GetAudienceLimitsInput struct {
	Mode string `json:"mode"`
}

// AudienceLimits are the limits; a cap of 0 is a locked workspace.
type AudienceLimits struct {
	audience.Limits
}
