package grounding

import "slices"

// Merge puts new evidence into old: for each dimension the stronger status stays,
// all others are left byte for byte (M-57, M-145). Sources of what is taken over
// are added behind the old ones, so that no index of an old chart moves.
func Merge(old, fresh Composed) Composed {
	out := old
	out.Distributions = slices.Clone(old.Distributions)
	out.Review = slices.Clone(old.Review)
	out.Sources = slices.Clone(old.Sources)
	out.Findings = slices.Clone(old.Findings)
	out.Coverage.Dimensions = slices.Clone(old.Coverage.Dimensions)
	out.Relations = slices.Clone(old.Relations)
	moved := map[int]int{}
	place := func(i int) int {
		if i < 0 || i >= len(fresh.Sources) {
			return -1
		}
		at, ok := moved[i]
		if !ok {
			at = slices.Index(out.Sources, fresh.Sources[i])
			if at < 0 {
				out.Sources = append(out.Sources, fresh.Sources[i])
				at = len(out.Sources) - 1
			}
			moved[i] = at
		}
		return at
	}
	rebase := func(d Distribution) Distribution {
		d = copied(d)
		for i := range d.Distribution {
			d.Distribution[i].SourceIdx = place(d.Distribution[i].SourceIdx)
		}
		return d
	}
	keyOf := func(d Distribution) string {
		if d.Dimension != "" {
			return d.Dimension
		}
		return DimensionOf(d.Name)
	}
	for _, dim := range fresh.Coverage.Dimensions {
		at := slices.IndexFunc(out.Coverage.Dimensions, func(d Dimension) bool { return d.Key == dim.Key })
		was := Missing
		if at >= 0 {
			was = out.Coverage.Dimensions[at].Status
		}
		if at >= 0 && grade(dim.Status) >= grade(was) {
			continue
		}
		is := func(d Distribution) bool { return keyOf(d) == dim.Key }
		if at >= 0 {
			out.Coverage.Dimensions[at] = dim
		} else {
			out.Coverage.Dimensions = append(out.Coverage.Dimensions, dim)
		}
		if i := slices.IndexFunc(fresh.Distributions, is); i >= 0 {
			d := rebase(fresh.Distributions[i])
			if j := slices.IndexFunc(out.Distributions, is); j >= 0 {
				out.Distributions[j] = d
			} else {
				out.Distributions = append(out.Distributions, d)
			}
		}
		for _, d := range fresh.Review {
			if is(d) && d.Status == dim.Status {
				out.Review = append(out.Review, rebase(d))
			}
		}
		for _, f := range fresh.Findings {
			if DimensionOf(f.Distribution) == dim.Key && f.Status == dim.Status {
				f.SourceIdx = place(f.SourceIdx)
				out.Findings = append(out.Findings, f)
			}
		}
	}
	for _, f := range fresh.Flagged {
		if !slices.ContainsFunc(out.Flagged, func(x Flag) bool { return x.Name == f.Name }) {
			out.Flagged = append(slices.Clone(out.Flagged), f)
		}
	}
	for _, r := range fresh.Relations {
		if !slices.ContainsFunc(out.Relations, func(x Relation) bool {
			return x.Type == r.Type && x.Distribution == r.Distribution && x.Segment == r.Segment && x.Target == r.Target
		}) {
			out.Relations = append(out.Relations, r)
		}
	}
	out.finish()
	return out
}
