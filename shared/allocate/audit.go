package allocate

import (
	"math"
	"sort"
)

// shownPairs is how many pairs the audit lists, the worst first.
const shownPairs = 20

// audit puts what the sources say, what was aimed at and what stands side by
// side.
func (p *plan) audit(c *cohort, relations []RelationAudit, trim *WeightTrim) Audit {
	a := Audit{MemberCount: p.n, JointStrategy: p.strategy, JointAssumption: Independent, MinSegmentRelaxed: p.relaxed,
		SegmentRelations: relations, Axes: make([]AxisAudit, len(p.used)),
		JointConsistency: JointConsistency{Discovery: p.discovery(), Pairs: []PairAudit{}, UntrackedPairs: c.untracked, WeightTrim: trim}}
	for x, m := range p.used {
		a.Axes[x] = m.audit(c.col[x], p.n)
	}
	j := &a.JointConsistency
	j.PairCount = len(c.aims)
	for x, w := range c.aims {
		pair := PairAudit{A: p.used[w.i].Name, B: p.used[w.j].Name, Assumption: w.assumption}
		for at := c.base[x]; at < c.base[x]+len(p.used[w.i].use)*len(p.used[w.j].use); at++ {
			d := math.Abs(float64(c.dev[at])) / scale
			pair.TotalDeviation += d
			pair.MaxDeviation = math.Max(pair.MaxDeviation, d)
		}
		j.TotalDeviation += pair.TotalDeviation
		j.Pairs = append(j.Pairs, pair)
		if w.note != "" {
			j.Raking = append(j.Raking, w.note)
		}
		// What somebody observed says more about the whole than what was stated.
		if w.assumption == Observed || w.assumption != Independent && a.JointAssumption == Independent {
			a.JointAssumption = w.assumption
		}
	}
	sort.SliceStable(j.Pairs, func(x, y int) bool { return j.Pairs[x].TotalDeviation > j.Pairs[y].TotalDeviation })
	j.Pairs = j.Pairs[:min(len(j.Pairs), shownPairs)]
	return a
}

func (m *margin) audit(col []int16, n int) AxisAudit {
	out := AxisAudit{Distribution: m.Name, Segments: make([]SegmentAudit, len(m.Segments))}
	for i, s := range m.Segments {
		pct := s.Pct
		out.Segments[i] = SegmentAudit{Label: s.Label, SourcePct: &pct}
	}
	for s, i := range m.use {
		out.Segments[i].NormalizedTargetPct = 100 * m.share[s]
		out.Segments[i].TargetCount = m.quota[s]
	}
	for _, s := range col {
		out.Segments[m.use[s]].AchievedCount++
	}
	for s, i := range m.use {
		seg := &out.Segments[i]
		if seg.AchievedCount > 0 {
			seg.Weight = m.share[s] * float64(n) / float64(seg.AchievedCount)
		}
		out.MaxDeviation = max(out.MaxDeviation, seg.AchievedCount-seg.TargetCount, seg.TargetCount-seg.AchievedCount)
	}
	return out
}
