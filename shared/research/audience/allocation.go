package audience

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
)

// maxAxisSegments bounds one axis of a preview of an allocation.
const maxAxisSegments = 200

// AllocationRequest asks what quotas and profiles distributions would give.
type AllocationRequest struct {
	MemberCount    int
	SeedBasis      string
	Distributions  []grounding.Distribution
	Allocation     allocate.Config
	ReviewedJSON   string
	ReviewedSHA256 string
}

// PreviewAllocation turns distributions into exact quotas and profiles, and makes
// nothing. The same request gives the same bytes. VALIDATION,
// GROUNDING_CHECKSUM_MISMATCH, ALLOCATION_UNSATISFIABLE.
func (s *Service) PreviewAllocation(ctx context.Context, r AllocationRequest) (Allocation, error) {
	if r.MemberCount < 1 || r.MemberCount > systemLimit {
		return Allocation{}, invalid("memberCount", "memberCount must be from 1 to %d.", systemLimit)
	}
	c := grounding.Composed{Distributions: r.Distributions}
	if (r.ReviewedJSON == "") != (r.ReviewedSHA256 == "") {
		return Allocation{}, invalid("reviewedGroundingSha256", "reviewedGroundingJson and reviewedGroundingSha256 belong together: send both, or neither.")
	}
	if r.ReviewedJSON != "" {
		if len(r.Distributions) > 0 {
			return Allocation{}, invalid("distributions", "distributions and reviewedGroundingJson exclude each other; send one of them.")
		}
		if sum := grounding.Checksum([]byte(r.ReviewedJSON)); sum != r.ReviewedSHA256 {
			return Allocation{}, fault.New(fault.GroundingChecksumMismatch, "reviewedGroundingSha256 is not the checksum of reviewedGroundingJson: one of them was changed. Send both exactly as they were returned.").With("sha256", sum)
		}
		snap, err := grounding.ParseSnapshot(r.ReviewedJSON)
		if err != nil {
			return Allocation{}, err
		}
		c.Distributions, c.HardConstraints = snap.Distributions, snap.HardConstraints
	}
	if len(c.Distributions) == 0 {
		return Allocation{}, invalid("distributions", "distributions is empty: send at least one axis with its shares, or a reviewed grounding.")
	}
	var relations []allocate.Relation
	names := map[string]bool{}
	for i := range c.Distributions {
		d := &c.Distributions[i]
		if err := checkAxis(i, *d, names); err != nil {
			return Allocation{}, err
		}
		d.Annotate()
		if d.Status == "" {
			d.Status = grounding.Assumed
			for _, share := range d.Distribution {
				if share.SourceIdx >= 0 {
					d.Status = grounding.Sourced
				}
			}
		}
		stated, err := relationsOf(i, *d)
		if err != nil {
			return Allocation{}, err
		}
		relations = append(relations, stated...)
	}
	relations = append(relations, RelationsOf(c)...) // what a creation is held to as well
	config := r.Allocation
	if err := config.Check(); err != nil {
		return Allocation{}, err
	}
	if config.Seed == "" {
		config.Seed = r.SeedBasis
	}
	if config.Seed == "" || utf8.RuneCountInString(config.Seed) > 200 {
		seed, err := idempotency.Fingerprint([]any{config.Seed, c.Distributions})
		if err != nil {
			return Allocation{}, err
		}
		config.Seed = seed
	}
	res, err := allocate.AllocateContext(ctx, allocate.Input{Axes: AxesOf(c), Members: r.MemberCount, Config: config, Relations: relations})
	if err != nil {
		return Allocation{}, err
	}
	return Allocation{Config: config, Audit: &res.Audit, Profiles: allocate.Profiles(res)}, nil
}

// checkAxis holds one axis to what an allocation can take.
func checkAxis(i int, d grounding.Distribution, names map[string]bool) error {
	at := fmt.Sprintf("distributions[%d]", i)
	switch n := utf8.RuneCountInString(strings.TrimSpace(d.Name)); {
	case n == 0 || n > 200:
		return invalid("distributions", "%s.name must have 1 to 200 characters.", at)
	case names[d.Name]:
		return invalid("distributions", "%s.name stands twice; an axis has one name.", at)
	case len(d.Distribution) == 0:
		return invalid("distributions", "%s.distribution has no segments.", at)
	case len(d.Distribution) > maxAxisSegments:
		return invalid("distributions", "%s.distribution has %d segments; at most %d are taken.", at, len(d.Distribution), maxAxisSegments)
	}
	names[d.Name] = true
	labels := map[string]bool{}
	for k, s := range d.Distribution {
		switch {
		case strings.TrimSpace(s.Label) == "":
			return invalid("distributions", "%s.distribution[%d].label is blank.", at, k)
		case labels[s.Label]:
			return invalid("distributions", "%s.distribution[%d].label stands twice in its axis.", at, k)
		case !(s.Pct >= 0 && s.Pct <= 100):
			return invalid("distributions", "%s.distribution[%d].pct must be from 0 to 100.", at, k)
		}
		labels[s.Label] = true
	}
	return nil
}

// relationsOf reads the relations that a caller states on an axis.
func relationsOf(i int, d grounding.Distribution) ([]allocate.Relation, error) {
	var out []allocate.Relation
	for k, raw := range d.SegmentRelations {
		r := allocate.Relation{Axis: d.Name, Stated: true}
		r.Type, _ = raw["type"].(string)
		r.Segment, _ = raw["segment"].(string)
		r.Target, _ = raw["targetDistribution"].(string)
		targets, _ := raw["targetSegments"].([]any)
		for _, t := range targets {
			if label, ok := t.(string); ok {
				r.TargetSegments = append(r.TargetSegments, label)
			}
		}
		if r.Type != allocate.Subset && r.Type != allocate.Excludes || r.Segment == "" || r.Target == "" || len(r.TargetSegments) == 0 {
			return nil, invalid("distributions", "distributions[%d].segmentRelations[%d] needs type (subset or excludes), segment, targetDistribution and targetSegments.", i, k)
		}
		out = append(out, r)
	}
	return out, nil
}
