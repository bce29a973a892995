package audience

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/persona"
	"github.com/mindgate-dev/mindgate/shared/segment"
)

// AxesOf gives the active axes of a population as the allocation takes them, with
// the segments that its hard constraints or a review bar (M-121). An axis without
// shares is left out.
func AxesOf(c grounding.Composed) []allocate.Axis {
	var out []allocate.Axis
	for _, d := range c.Distributions {
		if len(d.Distribution) == 0 || d.Status == grounding.Missing {
			continue
		}
		a := allocate.Axis{Name: d.Name, Dimension: dimensionOf(d.Dimension), Tier: d.Tier, Status: d.Status, Ordered: d.Ordered}
		for _, s := range d.Distribution {
			a.Segments = append(a.Segments, allocate.Segment{Label: s.Label, Pct: s.Pct, SourceIdx: s.SourceIdx,
				Barred: barred(d, s, c.HardConstraints), Canonical: canonical(d.Dimension, s)})
		}
		out = append(out, a)
	}
	return out
}

// dimensionOf is a dimension in the words of the contract's profiles.
func dimensionOf(key string) string {
	switch key {
	case "age", "gender", "income", "representation", "education", "geography", "life_stage":
		return key
	case "employment":
		return "employment_status"
	}
	return "none"
}

func canonical(dimension string, s grounding.Share) string {
	if s.Canonical != "" {
		return s.Canonical
	}
	if dimension == "gender" {
		return genderOf(s.Label)
	}
	return ""
}

func genderOf(label string) string {
	switch strings.ToLower(label) {
	case "woman", "women", "female":
		return "woman"
	case "man", "men", "male":
		return "man"
	case "non-binary", "nonbinary":
		return "non-binary"
	}
	return ""
}

// barred says why a segment may have no members; empty: it may.
func barred(d grounding.Distribution, s grounding.Share, hc *grounding.HardConstraints) string {
	if status, _ := s.Review["status"].(string); status == "excluded_by_source" {
		if reason, _ := s.Review["reason"].(string); reason != "" {
			return reason
		}
		return "excluded by its source"
	}
	if hc == nil {
		return ""
	}
	switch {
	case d.Dimension == "age" || d.Name == grounding.AxisAge:
		low, high, ok := ageBand(s.Label)
		if ok && (hc.MinAge != nil && high < *hc.MinAge || hc.MaxAge != nil && low > *hc.MaxAge) {
			return "outside the age range of the brief"
		}
	case (d.Dimension == "gender" || d.Name == grounding.AxisGender) && len(hc.Genders) > 0:
		if !slices.ContainsFunc(hc.Genders, func(g string) bool {
			return strings.EqualFold(g, s.Label) || genderOf(g) != "" && genderOf(g) == genderOf(s.Label)
		}) {
			return "another gender than the brief's"
		}
	}
	for _, must := range hc.Categorical {
		if must.Axis == d.Name && len(must.Labels) > 0 && !slices.ContainsFunc(must.Labels, func(l string) bool { return strings.EqualFold(l, s.Label) }) {
			return "not what the brief requires of everybody"
		}
	}
	return ""
}

// ageBand reads "25-34", "65+" or "Under 18" as full years, both inside.
func ageBand(label string) (low, high int, ok bool) {
	var numbers []int
	for _, part := range strings.FieldsFunc(label, func(r rune) bool { return r < '0' || r > '9' }) {
		if n, err := strconv.Atoi(part); err == nil && n < 1000 {
			numbers = append(numbers, n)
		}
	}
	folded := strings.ToLower(label)
	switch {
	case len(numbers) == 2 && numbers[0] <= numbers[1]:
		return numbers[0], numbers[1], true
	case len(numbers) == 1 && (strings.Contains(folded, "under") || strings.HasPrefix(folded, "<")):
		return 0, numbers[0] - 1, true
	case len(numbers) == 1 && (strings.Contains(folded, "+") || strings.Contains(folded, "over") || strings.Contains(folded, "older")):
		return numbers[0], 130, true
	case len(numbers) == 1:
		return numbers[0], numbers[0], true
	}
	return 0, 0, false
}

// RelationsOf gives the rules between segments as the allocation takes them: those
// of the composition, and that members are people, of whom nobody is retired at 20
// or a doctor without schooling. None is the caller's: an impossible one is a note.
func RelationsOf(c grounding.Composed) []allocate.Relation {
	out := make([]allocate.Relation, 0, len(c.Relations))
	for _, r := range c.Relations {
		out = append(out, allocate.Relation{Type: r.Type, Axis: r.Distribution, Segment: r.Segment, Target: r.Target, TargetSegments: r.TargetSegments})
	}
	var axes []persona.Axis
	for _, d := range c.Distributions {
		if len(d.Distribution) == 0 || d.Status == grounding.Missing {
			continue
		}
		a := persona.Axis{Name: d.Name, Dimension: d.Dimension}
		for _, s := range d.Distribution {
			a.Segments = append(a.Segments, persona.Segment{Label: s.Label, Canonical: s.Canonical})
		}
		axes = append(axes, a)
	}
	for _, b := range persona.Bars(axes) {
		out = append(out, allocate.Relation{Type: allocate.Excludes, Axis: b.Axis, Segment: b.Segment, Target: b.Other, TargetSegments: b.Others})
	}
	return out
}

// PairsOf gives observed joint tables as the allocation takes them.
func PairsOf(pairs []grounding.Pair) []allocate.Pair {
	out := make([]allocate.Pair, len(pairs))
	for i, p := range pairs {
		out[i] = allocate.Pair{A: p.A, B: p.B, Cells: make([]allocate.PairCell, len(p.Cells))}
		for k, c := range p.Cells {
			out[i].Cells[k] = allocate.PairCell{A: c.ASegment, B: c.BSegment, Share: c.Share}
		}
	}
	return out
}

// dependenciesOf reads the deterministic dependencies of a reviewed data set. One
// that is not understood is left to the observed pair tables.
func dependenciesOf(d *Dataset) []allocate.Dependency {
	label := map[string]string{}
	for _, v := range d.variables() {
		label[v.Key] = v.name()
	}
	named := func(key string) string {
		if l, ok := label[key]; ok {
			return l
		}
		return key
	}
	var out []allocate.Dependency
	for _, raw := range d.FunctionalDependencies {
		var v struct {
			From   string            `json:"from"`
			To     string            `json:"to"`
			Values map[string]string `json:"values"`
		}
		if json.Unmarshal(raw, &v) != nil || v.From == "" || v.To == "" ||
			!slices.Contains(d.SegmentationColumns, v.From) || !slices.Contains(d.SegmentationColumns, v.To) {
			continue
		}
		out = append(out, allocate.Dependency{From: named(v.From), To: named(v.To), Values: v.Values})
	}
	return out
}

// pairs are the observed joint tables that the review carries, of the columns that
// shape the cohort, by the names of their axes.
func (d *Dataset) pairs() []grounding.Pair {
	raw, err := json.Marshal(d.DependencyDiscovery)
	if err != nil {
		return nil
	}
	var seen segment.Discovery
	if json.Unmarshal(raw, &seen) != nil {
		return nil // of another release: the margins alone are used
	}
	by := map[string]DatasetVariable{}
	for _, v := range d.variables() {
		if slices.Contains(d.SegmentationColumns, v.Key) {
			by[v.Key] = v
		}
	}
	var out []grounding.Pair
	for _, t := range seen.PairTables {
		a, known := by[t.A]
		b, both := by[t.B]
		if !known || !both {
			continue
		}
		p := grounding.Pair{A: a.name(), B: b.name()}
		for _, c := range t.Cells {
			i, k := int(c[0]), int(c[1])
			if i < 0 || i >= len(a.Distribution) || k < 0 || k >= len(b.Distribution) || c[2] < 0 {
				return nil // not the tables of these variables
			}
			p.Cells = append(p.Cells, grounding.PairCell{ASegment: a.Distribution[i].Value, BSegment: b.Distribution[k].Value, Share: c[2] / 100})
		}
		if len(p.Cells) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// discovery are the bounds of the search for relations, for the audit: without
// the tables themselves.
func (d *Dataset) discovery() map[string]any {
	if d.DependencyDiscovery == nil {
		return nil
	}
	out := maps.Clone(d.DependencyDiscovery)
	delete(out, "pairTables")
	return out
}

// name is what the axis of a variable is called.
func (v DatasetVariable) name() string {
	if l := strings.TrimSpace(v.Label); l != "" {
		return l
	}
	return v.Key
}

// distributions are the axes that the data set was reviewed for. Without the file
// nobody can tell whether the figures are those of any respondents: they are as
// near to evidence as what a caller says, and no source.
func (d *Dataset) distributions(checked bool) []grounding.Distribution {
	status := grounding.Sourced
	if !checked {
		status = grounding.Proxy
	}
	var out []grounding.Distribution
	for _, v := range d.variables() {
		if !slices.Contains(d.SegmentationColumns, v.Key) || len(v.Distribution) == 0 {
			continue
		}
		axis := grounding.Distribution{Name: v.name(), Status: status, Tier: grounding.TierTarget}
		for _, s := range v.Distribution {
			axis.Distribution = append(axis.Distribution, grounding.Share{Label: s.Value, Pct: s.SharePct, SourceIdx: 0,
				Review: map[string]any{"status": "included", "evidence": "observed", "sourceFile": d.FileName}})
		}
		out = append(out, axis)
	}
	return out
}

// datasetSource is the data set among the sources.
func (w *composing) datasetSource(checked bool) grounding.Source {
	d := w.in.Request.Dataset
	who := "respondents"
	if d.RespondentCount > 0 {
		who = strconv.Itoa(d.RespondentCount) + " respondents"
	}
	src := grounding.Source{Title: d.FileName, Confidence: 1, Tier: grounding.TierTarget, IsUserProvided: true,
		Snippet: "Answers of " + who + ", counted in the file."}
	if !checked {
		src.Confidence = .5
		src.Snippet = "Figures that the caller handed over as those of " + who + ". The file itself was not among files, so they could not be checked."
	}
	for _, r := range w.o.Readings {
		if r.Kind == SourceFile && r.Name == d.FileName {
			src.URL = fileURL(r)
		}
	}
	return src
}

// datasetChecked tells whether the figures of the data set were held against its
// file.
func (w *composing) datasetChecked() bool {
	d := w.in.Request.Dataset
	return d != nil && w.s.d.Datasets != nil && slices.ContainsFunc(w.in.Request.Files, func(f FileArg) bool { return f.Name == d.FileName })
}

// fileURL is how a file is named among sources: an upload by its path, without the
// ticket that opens it.
func fileURL(r reading) string {
	at, _, _ := strings.Cut(r.URL, "?")
	return at
}

// given are reviewed axes with the sources that their shares point to.
type given struct {
	axes    []grounding.Distribution
	sources []grounding.Source
}

// add takes axes whose shares point into sources.
func (g *given) add(axes []grounding.Distribution, sources []grounding.Source) {
	from := len(g.sources)
	g.sources = append(g.sources, sources...)
	for _, d := range axes {
		d.Distribution = slices.Clone(d.Distribution)
		for i := range d.Distribution {
			if d.Distribution[i].SourceIdx >= 0 {
				d.Distribution[i].SourceIdx += from
			}
		}
		g.axes = append(g.axes, d)
	}
}
