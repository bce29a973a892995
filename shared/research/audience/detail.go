package audience

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Detail gives an Audience whole. One made of existing Minds has no grounding
// and no research; its derived distributions come from what the members'
// profiles say, and are no evidence.
func (s *Service) Detail(ctx context.Context, id string) (Detail, error) {
	a, err := s.Access(ctx, id, PublicViewer)
	if err != nil {
		return Detail{}, err
	}
	return s.DetailOf(ctx, a)
}

// DetailOf is Detail for an Audience that has been read.
func (s *Service) DetailOf(ctx context.Context, a Audience) (Detail, error) {
	minds, err := s.d.Minds.GetMany(asOwner(ctx, a), a.MemberIDs)
	if err != nil {
		return Detail{}, err
	}
	profiles, err := s.profiles(ctx, a)
	if err != nil {
		return Detail{}, err
	}
	members := make([]DetailMember, len(minds))
	for i, m := range minds {
		members[i] = DetailMember{Member: memberOf(m), CohortProfile: profiles[m.ID]}
	}
	d := Detail{Minds: members, Research: researchOf(a), Sources: sourcesOf(a, RoleOf(ctx, a)), State: a.ShownState(), DerivedDistributions: derived(minds)}
	d.fill(s.base(ctx, a))
	if a.State != Creating {
		d.MindCount = len(members)
	}
	if a.Grounding != nil {
		d.Coverage = a.Grounding.Coverage
	}
	if a.Calibration != nil {
		d.Calibration = Calibration{Active: true, StartedAt: stamp(a.Calibration.StartedAt)}
	}
	d.Grounding, err = s.groundingOf(ctx, a)
	return d, err
}

// fill takes over what all views share.
func (d *Detail) fill(b Base) {
	d.ID, d.Name, d.MindCount, d.CurrentMemberRole = b.ID, b.Name, b.MindCount, b.CurrentMemberRole
	d.IsPublic, d.IsSharedWithTeam, d.IsLinkSharingEnabled = b.IsPublic, b.IsSharedWithTeam, b.IsLinkSharingEnabled
	d.WorkspaceURL, d.SharedAudienceURL, d.CreatedAt, d.UpdatedAt = b.WorkspaceURL, b.SharedAudienceURL, b.CreatedAt, b.UpdatedAt
}

// axes are the profile fields that make a derived distribution, with their
// category of the contract.
var axes = []struct{ key, name, category string }{
	{"age", "Age", "demographic"},
	{"gender", "Gender", "demographic"},
	{"region", "Region", "geographic"},
	{"education", "Education", "demographic"},
}

// unstated is the segment of the members whose profile leaves an axis out.
const unstated = "Not stated"

// derived counts the members' profile fields, in percent of all members. An
// axis that no member states is left out. Segments: the largest first, equal
// ones by label, Not stated last.
func derived(minds []mind.Mind) []Distribution {
	counts := make([]map[string]int, len(axes))
	shown := make([]map[string]string, len(axes)) // folded segment -> as first written
	for i := range counts {
		counts[i], shown[i] = map[string]int{}, map[string]string{}
	}
	for _, m := range minds {
		fields := simulate.ParseProfile(m.PersonaContext).Fields
		for i, a := range axes {
			v := valueOf(fields, a.key)
			if a.key == "age" {
				v = band(v)
			}
			if v == "" {
				continue
			}
			folded := strings.ToLower(strings.Join(strings.Fields(v), " ")) // "Female" and "female" are one segment
			if _, ok := shown[i][folded]; !ok {
				shown[i][folded] = v
			}
			counts[i][shown[i][folded]]++
		}
	}
	out := []Distribution{}
	for i, a := range axes {
		if len(counts[i]) == 0 {
			continue
		}
		d := Distribution{Name: a.name, Category: a.category}
		rest := len(minds)
		for label, n := range counts[i] {
			d.Distribution = append(d.Distribution, Segment{Label: label, Pct: 100 * float64(n) / float64(len(minds)), SourceIdx: -1})
			rest -= n
		}
		slices.SortFunc(d.Distribution, func(x, y Segment) int {
			if x.Pct != y.Pct {
				if x.Pct > y.Pct {
					return -1
				}
				return 1
			}
			return strings.Compare(x.Label, y.Label)
		})
		if rest > 0 {
			d.Distribution = append(d.Distribution, Segment{Label: unstated, Pct: 100 * float64(rest) / float64(len(minds)), SourceIdx: -1})
		}
		out = append(out, d)
	}
	return out
}

// band puts an age in years into ten-year bands of adults; bands and words that
// a profile gives itself stay as they are.
func band(age string) string {
	n, err := strconv.Atoi(age)
	switch {
	case err != nil || n < 0 || n > 130:
		return age
	case n < 18:
		return "Under 18"
	case n < 25:
		return "18-24"
	case n >= 65:
		return "65+"
	}
	low := 25 + (n-25)/10*10
	return fmt.Sprintf("%d-%d", low, low+9)
}

func valueOf(fields []simulate.Field, key string) string {
	for _, f := range fields {
		if f.Key == key {
			return strings.TrimSpace(f.Value)
		}
	}
	return ""
}
