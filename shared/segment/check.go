package segment

import (
	"math"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Check reconciles a preview before anything is told (M-131): rows add up, each
// variable's values add up to its valid respondents, the chosen keys are there
// and marked, and the counts of relations fit what is listed. wanted are the keys
// that the caller asked for, if any. The error is MALFORMED_RESPONSE.
func (p *Preview) Check(wanted []string) error {
	bad := func(what string) error {
		return fault.New(fault.MalformedResponse, "The review of the data set does not add up (%s), so nothing of it is shown. Try again; if it happens again, report the file's layout.", what)
	}
	switch {
	case p.RespondentCount+p.ExcludedRowCount != p.RowCount, p.RespondentCount < 2, p.ExcludedRowCount < 0:
		return bad("row totals")
	case p.RecommendedMindCount < 1, p.RecommendedMindCount >= p.RespondentCount:
		return bad("recommended size")
	case len(p.Variables) > maxPreview, len(p.Combinations) > maxProfiles:
		return bad("limits")
	}
	keys := map[string]bool{}
	selected := 0
	for _, v := range p.Variables {
		if v.Key == "" || keys[v.Key] {
			return bad("keys")
		}
		keys[v.Key] = v.Selected || keys[v.Key]
		sum, share := v.OtherRespondentCount, 0.0
		for _, x := range v.Distribution {
			if x.RespondentCount < 0 || x.SharePct < 0 || math.IsNaN(x.SharePct) || x.SharePct > 100.001 {
				return bad("shares")
			}
			sum += x.RespondentCount
			share += x.SharePct
		}
		if sum != v.ValidRespondentCount || v.ValidRespondentCount > p.RespondentCount || len(v.Distribution) > maxValues || share > 100.01 {
			return bad("values of a variable")
		}
		if v.Selected {
			selected++
		}
	}
	if selected != len(p.SegmentationColumns) {
		return bad("selected variables")
	}
	for _, k := range p.SegmentationColumns {
		if !keys[k] {
			return bad("selected variables")
		}
	}
	if len(wanted) > 0 && len(p.SegmentationColumns) > len(wanted) {
		return bad("selected variables")
	}
	all := 0
	for _, c := range p.Combinations {
		if c.RespondentCount < 1 {
			return bad("profiles")
		}
		all += c.RespondentCount
	}
	if all > p.RespondentCount {
		return bad("profiles")
	}
	if p.DependencyCount != nil && *p.DependencyCount != len(p.FunctionalDependencies) || p.RelationshipCount != nil && (*p.RelationshipCount < 0 || *p.RelationshipCount > selected*(selected-1)/2) {
		return bad("discovery counts")
	}
	return nil
}

func errNoWeight(key string) error {
	return fault.New(fault.Validation, "The weight column “%s” sums to nothing over the completed rows; correct it or take it out of the sheet.", key).With("field", "file")
}
