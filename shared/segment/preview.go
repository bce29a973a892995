package segment

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// preview puts the counts into the shape of the contract.
func (r *review) preview(t *tally) (*Preview, error) {
	pv := &Preview{FileName: r.o.FileName, RowCount: r.rows, RespondentCount: t.completed, ExcludedRowCount: r.rows - t.completed, SegmentationColumns: []string{}, Variables: []Variable{}, Warnings: []string{}}
	if r.o.SheetName != "" {
		pv.SheetName = &r.o.SheetName
	}
	if r.weight != nil && t.sumW <= 0 {
		return nil, errNoWeight(r.weight.key)
	}
	chosen := map[int]bool{}
	for _, i := range r.chosen {
		chosen[i] = true
		pv.SegmentationColumns = append(pv.SegmentationColumns, r.columns[i].key)
	}
	axis := r.axes()
	slots := map[int][]int{}
	least := math.Inf(1)
	for _, i := range r.listed(chosen) {
		v, slot := r.variable(t, i, chosen[i], axis[i])
		slots[i] = slot
		if v.Selected {
			for _, d := range v.Distribution {
				if d.SharePct > 0 && d.SharePct < least {
					least = d.SharePct
				}
			}
		}
		pv.Variables = append(pv.Variables, v)
	}
	pv.RecommendedMindCount = recommended(least, t.completed)
	t.relations(pv, axis, func(col, code int) int {
		if s := slots[col]; code < len(s) {
			return s[code]
		}
		return -1
	})
	for _, g := range r.groups {
		out := Group{Question: g.question, Shape: g.shape}
		for _, i := range g.columns {
			out.Keys = append(out.Keys, r.columns[i].key)
			out.Items = append(out.Items, r.columns[i].item)
		}
		pv.Groups = append(pv.Groups, out)
	}
	for i, c := range r.columns {
		if len(c.options) > 0 && t.counted[i] != nil {
			pv.Groups = append(pv.Groups, Group{Question: c.label, Shape: ShapeMulti, Keys: []string{c.key}, Items: c.options})
		}
	}
	pv.Evidence = t.published(axis)
	r.remarks(t, pv)
	pv.Warnings = append(pv.Warnings, r.warning...)
	if err := pv.Check(r.o.Columns); err != nil {
		return nil, err
	}
	return pv, nil
}

// recommended is clamp(⌈200 / smallest share kept⌉, 10, 300), and below the number
// of respondents (M-132).
func recommended(leastPct float64, respondents int) int {
	n := 10
	if !math.IsInf(leastPct, 1) && leastPct > 0 {
		n = int(math.Min(300, math.Max(10, math.Ceil(200/leastPct-1e-9))))
	}
	return max(1, min(n, respondents-1))
}

// axes names each column as an axis of a population, each name once. A chosen
// column that alone speaks of a known dimension keeps its label only where that
// label is a name of the dimension; "Location (Census Region)" and "q0035" become
// Geography, so that everything downstream sees what they are.
func (r *review) axes() map[int]string {
	n := map[string]int{}
	for _, i := range r.chosen {
		n[r.columns[i].dim]++
	}
	out := map[int]string{}
	taken := map[string]bool{}
	for _, i := range r.chosen {
		c := r.columns[i]
		if c.dim == "" || c.dim == dimSegment || n[c.dim] > 1 || c.shape == ShapeMulti {
			continue
		}
		out[i] = c.dim
		if grounding.DimensionOf(c.label) == grounding.DimensionOf(c.dim) && !taken[folded(c.label)] {
			out[i] = c.label
		}
		taken[folded(out[i])] = true
	}
	for i, c := range r.columns {
		if out[i] != "" {
			continue
		}
		name := cut(c.label, 160)
		for k := 2; taken[folded(name)]; k++ {
			name = fmt.Sprintf("%s (%d)", cut(c.label, 160), k)
		}
		taken[folded(name)] = true
		out[i] = name
	}
	return out
}

// listed are the columns of the preview in their order: at most 200, of which the
// chosen and the structural ones are never left out first.
func (r *review) listed(chosen map[int]bool) []int {
	var all []int
	for i := range r.columns {
		all = append(all, i)
	}
	if len(all) <= maxPreview {
		return all
	}
	weight := func(i int) int {
		switch r.columns[i].kind {
		case KindPopulation, KindSegmentation:
			return 1
		case KindOutcome:
			return 2
		case KindDriver:
			return 3
		case KindWeight, KindStatus, KindIdentifier:
			return 4
		case KindOpenText, KindDate, KindMetadata:
			return 5
		}
		return 6
	}
	sort.SliceStable(all, func(a, b int) bool {
		if x, y := chosen[all[a]], chosen[all[b]]; x != y {
			return x
		}
		return weight(all[a]) < weight(all[b])
	})
	r.warn("The sheet has %d variables; %d are listed here, those that describe people first.", len(all), maxPreview)
	all = all[:maxPreview]
	sort.Ints(all)
	return all
}

// variable of one column; slot maps its categories to places in the distribution,
// -1 for those nobody has.
func (r *review) variable(t *tally, i int, selected bool, axis string) (Variable, []int) {
	c, k := r.columns[i], t.counted[i]
	v := Variable{Key: c.key, Label: c.label, Role: c.role(), Selected: selected, Kind: c.kind, Dimension: c.dim, Ordered: c.ranked, Column: i, Distribution: []Value{}, Missing: map[string]int{}}
	if selected {
		v.Label = axis
	}
	slot := make([]int, len(c.values))
	for j := range slot {
		slot[j] = -1
	}
	if k == nil {
		v.Missing["blank"] = t.completed
		return v, slot
	}
	v.ValidRespondentCount, v.OtherRespondentCount = k.valid, k.other
	if k.blank > 0 {
		v.Missing["blank"] = k.blank
	}
	for at, n := range k.missing {
		code := c.kept[at].missing
		if code == "" {
			code = "blank"
		}
		v.Missing[code] += n
	}
	at := make([]int, 0, len(c.values))
	for j := range c.values {
		if k.n[j] > 0 {
			at = append(at, j)
		}
	}
	if !c.ranked && c.shape != ShapeMulti {
		sort.SliceStable(at, func(a, b int) bool { return k.n[at[a]] > k.n[at[b]] })
	}
	if selected && c.shape != ShapeMulti {
		at = r.shown(c, k, &v, at)
	}
	for _, j := range at {
		slot[j] = len(v.Distribution)
		v.Distribution = append(v.Distribution, Value{Value: c.values[j].label, RespondentCount: k.n[j], SharePct: pct(k.w[j], k.validW)})
	}
	return v, slot
}

// shown leaves out the answers of so few respondents that somebody could be known
// by one; they count among the other answers. Where fewer than two would be left,
// the variable tells nothing without them, and all stay.
func (r *review) shown(c *column, k *count, v *Variable, at []int) []int {
	var keep []int
	few, people := 0, 0
	for _, j := range at {
		if k.n[j] < minCell {
			few++
			people += k.n[j]
			continue
		}
		keep = append(keep, j)
	}
	if few == 0 || len(keep) < 2 {
		return at
	}
	v.OtherRespondentCount += people
	r.warn("%s: %s of fewer than %d respondents (%d in all) are among the other answers, so that nobody can be known by one.", v.Label, plural(few, "answer"), minCell, people)
	return keep
}

func (c *column) role() Role {
	switch c.kind {
	case KindPopulation, KindSegmentation:
		return Structural
	case KindOutcome:
		return Outcome
	case KindDriver:
		return Driver
	case KindIdentifier:
		return Identifier
	}
	return Other
}

// remarks are what an analyst would note beside the figures.
func (r *review) remarks(t *tally, pv *Preview) {
	var first []string
	say := func(format string, args ...any) { first = append(first, fmt.Sprintf(format, args...)) }
	if pv.ExcludedRowCount > 0 {
		say("%d of %d rows are not completed and were left out. %s", pv.ExcludedRowCount, pv.RowCount, t.gateRule())
	}
	if r.weight != nil {
		eff := 0.0
		if t.sqW > 0 {
			eff = t.sumW * t.sumW / t.sqW
		}
		pv.Weights = &Weights{Key: r.weight.key, EffectiveN: eff, Unusable: t.noWeight}
		say("Shares are weighted by “%s”; respondent counts are not. The effective base is %d of %d.", r.weight.key, int(eff), t.completed)
		if t.noWeight > 0 {
			say("%d completed rows have no usable weight and count nothing in shares.", t.noWeight)
		}
	}
	if len(r.chosen) == 0 {
		say("No column that describes who the respondents are was recognised. Pass the keys of such columns in segmentationColumns.")
	}
	codes := map[string]int{}
	coded := 0
	for i, c := range r.columns {
		switch {
		case c.kind == KindIdentifier && c.facts.distinct < c.facts.valid && c.facts.exact:
			say("%d rows repeat a value of “%s”: some people may be counted twice.", c.facts.valid-c.facts.distinct, c.key)
		case c.facts.share(c.facts.personal) >= .5:
			say("“%s” holds personal data such as addresses. It is not used; take it out before you pass the file on.", c.key)
		}
		if c.kind == KindPopulation && c.bounds == nil && c.shape != ShapeMulti && c.facts.valid > 0 && c.facts.num == c.facts.valid && c.dim != grounding.AxisAge && c.dim != grounding.AxisHousehold && c.dim != dimChildren {
			coded++
		}
		if k := t.counted[i]; k != nil && c.values != nil {
			for at, n := range k.missing {
				if code := c.kept[at].missing; code != "blank" {
					codes[code] += n
				}
			}
		}
	}
	if coded > 0 {
		say("%s only numbers as values. Without their labels the cohort's segments are called by numbers.", plural(coded, "structural variable")+map[bool]string{true: " has", false: " have"}[coded == 1])
	}
	if len(codes) > 0 {
		var names []string
		for k := range codes {
			names = append(names, k)
		}
		sort.Strings(names)
		var parts []string
		for _, k := range names[:min(len(names), 8)] {
			parts = append(parts, fmt.Sprintf("“%s” (%d cells)", k, codes[k]))
		}
		say("Kept out of every base as no answer: %s and blank cells.", strings.Join(parts, ", "))
	}
	if pv.RespondentCount < 100 {
		say("With %d respondents, shares are rough: a share of 50%% may be off by %d points.", pv.RespondentCount, int(math.Ceil(98/math.Sqrt(float64(pv.RespondentCount)))))
	}
	pv.Warnings = append(first, pv.Warnings...)
}

// distributions turns the chosen variables into axes; their labels are the axes'
// names.
func distributions(p *Preview) []grounding.Distribution {
	out := []grounding.Distribution{}
	for _, v := range p.Variables {
		if !v.Selected {
			continue
		}
		d := grounding.Distribution{Name: v.Label, Status: grounding.Sourced, Tier: grounding.TierTarget, Category: categoryOf(v.Dimension), Ordered: v.Ordered, Dimension: grounding.DimensionOf(v.Label),
			Reason: fmt.Sprintf("Counted from %d completed respondents of %s.", v.ValidRespondentCount, p.FileName), Distribution: []grounding.Share{}}
		total := 0.0
		for _, x := range v.Distribution {
			total += x.SharePct
		}
		for _, x := range v.Distribution {
			if total > 0 {
				d.Distribution = append(d.Distribution, grounding.Share{Label: x.Value, Pct: round(100*x.SharePct/total, 6)})
			}
		}
		out = append(out, d)
	}
	return out
}

func categoryOf(dim string) string {
	switch dim {
	case grounding.AxisGeography, dimUrban:
		return grounding.Geographic
	case dimIndustry, dimCompany, dimSeniority, dimRevenue:
		return grounding.Firmographic
	case dimSegment, "":
		return grounding.Behavioral
	case dimParty, dimReligion:
		return grounding.Psychographic
	}
	return grounding.Demographic
}
