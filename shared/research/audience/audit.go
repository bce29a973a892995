package audience

import (
	"context"
	"math"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/allocate"
)

// auditOf is the audit of an allocation for who is in the Audience now: members who
// were taken out or deleted count no longer. Shares that were aimed at stay.
func (s *Service) auditOf(ctx context.Context, a Audience, g *Ground) (*allocate.Audit, error) {
	if g.Audit == nil || a.Cohort == nil || len(a.MemberIDs) == 0 {
		return g.Audit, nil
	}
	c, err := s.CohortOf(ctx, a)
	if err != nil || c == nil {
		return g.Audit, err
	}
	member := make(map[string]bool, len(a.MemberIDs))
	for _, id := range a.MemberIDs {
		member[id] = true
	}
	left := Cohort{Axes: c.Axes, Groups: c.Groups}
	for _, m := range c.Members {
		if member[m.MindID] {
			left.Members = append(left.Members, m)
		}
	}
	if len(left.Members) == len(c.Members) {
		return g.Audit, nil
	}
	out := recounted(*g.Audit, left)
	return &out, nil
}

// recounted is an audit of other members: seats are what the shares give for their
// number, by the largest remainder.
func recounted(a allocate.Audit, c Cohort) allocate.Audit {
	n := len(c.Members)
	a.MemberCount = n
	sum, squares := 0.0, 0.0
	for _, m := range c.Members {
		sum, squares = sum+m.Weight, squares+m.Weight*m.Weight
	}
	if squares > 0 {
		a.EffectiveN = sum * sum / squares // Kish
	}
	a.Axes = slices.Clone(a.Axes)
	for i, axis := range a.Axes {
		have := map[string]int{}
		for _, m := range c.Members {
			have[c.label(m, axis.Distribution)]++
		}
		axis.Segments = slices.Clone(axis.Segments)
		open, order := n, make([]int, len(axis.Segments))
		for k := range axis.Segments {
			s := &axis.Segments[k]
			s.TargetCount, s.AchievedCount, s.Weight = int(s.NormalizedTargetPct*float64(n)/100+1e-9), have[s.Label], 0
			if s.AchievedCount > 0 {
				s.Weight = s.NormalizedTargetPct / 100 * float64(n) / float64(s.AchievedCount)
			}
			open -= s.TargetCount
			order[k] = k
		}
		remainder := func(k int) float64 {
			part := axis.Segments[k].NormalizedTargetPct * float64(n) / 100
			return part - math.Floor(part+1e-9)
		}
		slices.SortStableFunc(order, func(x, y int) int {
			switch rx, ry := remainder(x), remainder(y); {
			case rx > ry:
				return -1
			case rx < ry:
				return 1
			}
			return 0
		})
		for k := 0; k < open && k < len(order); k++ {
			axis.Segments[order[k]].TargetCount++
		}
		axis.MaxDeviation = 0
		for _, s := range axis.Segments {
			axis.MaxDeviation = max(axis.MaxDeviation, s.AchievedCount-s.TargetCount, s.TargetCount-s.AchievedCount)
		}
		a.Axes[i] = axis
	}
	return a
}
