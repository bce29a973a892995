package segment

import (
	"encoding/json"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// holdOut settles which questions become evidence and by which columns they are
// broken down.
func (t *tally) holdOut() {
	r := t.r
	chosen := map[int]bool{}
	for _, i := range r.chosen {
		chosen[i] = true
		c := r.columns[i]
		if (c.kind == KindPopulation || c.kind == KindSegmentation) && c.shape != ShapeMulti && len(c.values) >= 2 && len(t.by) < maxBreakdownBy {
			t.by = append(t.by, i)
		}
	}
	for _, i := range t.by {
		t.offsets = append(t.offsets, t.groups)
		t.groups += len(r.columns[i].values)
	}
	budget := maxEvidenceCell
	add := func(h *held) {
		if size := t.groups * h.options; size <= budget {
			budget -= size
			h.n, h.w, h.q, h.share = make([]int, t.groups), make([]float64, t.groups), make([]float64, t.groups), make([]float64, size)
		}
		h.top = make([]float64, h.options)
		t.held = append(t.held, h)
	}
	inGroup := map[int]bool{}
	for i, c := range r.columns {
		if c.kind != KindOutcome && c.kind != KindDriver || chosen[i] {
			continue
		}
		switch {
		case len(c.options) >= 2:
			t.listedAt[i] = -1
			add(&held{columns: []int{i}, multi: true, listed: true, options: len(c.options)})
		case c.shape == ShapeRanking || len(c.values) < 2 || c.bounds != nil:
		case c.shape == ShapeMulti:
			if inGroup[c.group] {
				continue
			}
			inGroup[c.group] = true
			g := r.groups[c.group]
			h := &held{multi: true, anyBase: g.anyBase}
			for _, j := range g.columns {
				if k := r.columns[j]; k.values != nil && !chosen[j] {
					h.columns = append(h.columns, j)
				}
			}
			if h.options = len(h.columns); h.options >= 2 && h.options <= 100 {
				add(h)
			}
		case c.tail && c.tailShare() > .1:
		default:
			h := &held{columns: []int{i}, options: len(c.values)}
			if c.tail {
				h.options++
			}
			add(h)
		}
	}
}

func (t *tally) evidence(w float64) {
	if len(t.held) == 0 {
		return
	}
	t.at = t.at[:0]
	for k, i := range t.by {
		if code := t.codes[i]; code >= 0 {
			t.at = append(t.at, t.offsets[k]+int(code))
		}
	}
	q := w * w
	for _, h := range t.held {
		if h.listed {
			if at := t.listedAt[h.columns[0]]; at >= 0 {
				h.count(t.at, w, q)
				for _, k := range t.r.columns[h.columns[0]].chosen[at] {
					h.give(t.at, int(k), w)
				}
			}
			continue
		}
		if h.multi {
			asked := false
			for _, i := range h.columns {
				asked = asked || t.codes[i] != codeMissing
			}
			if !asked {
				continue
			}
			h.count(t.at, w, q)
			for k, i := range h.columns {
				if t.codes[i] == 0 {
					h.give(t.at, k, w)
				}
			}
			continue
		}
		code := int(t.codes[h.columns[0]])
		if code == codeMissing {
			continue
		}
		if code < 0 {
			code = h.options - 1
		}
		h.count(t.at, w, q)
		h.give(t.at, code, w)
	}
}

func (h *held) count(groups []int, w, q float64) {
	h.allN++
	h.all += w
	h.allQ += q
	if h.n == nil {
		return
	}
	for _, g := range groups {
		h.n[g]++
		h.w[g] += w
		h.q[g] += q
	}
}

func (h *held) give(groups []int, option int, w float64) {
	h.top[option] += w
	if h.n == nil {
		return
	}
	for _, g := range groups {
		h.share[g*h.options+option] += w
	}
}

// base is the number of answers that carry the figures: all of them, or Kish's
// size, rounded down, where they are weighted.
func base(n int, w, q float64, weighted bool) int {
	if !weighted {
		return n
	}
	if q <= 0 {
		return 0
	}
	return min(n, int(math.Floor(w*w/q+1e-9)))
}

type evidenceDoc struct {
	Question   string         `json:"question"`
	Type       string         `json:"type,omitempty"`
	Options    []optionDoc    `json:"options"`
	N          int            `json:"n,omitempty"`
	Source     string         `json:"source"`
	Dates      string         `json:"dates,omitempty"`
	Population string         `json:"population"`
	Breakdowns []breakdownDoc `json:"breakdowns,omitempty"`
}

type optionDoc struct {
	Label string  `json:"label"`
	Share float64 `json:"share"`
}

type breakdownDoc struct {
	Dimension string    `json:"dimension"`
	Group     string    `json:"group"`
	N         int       `json:"n"`
	Shares    []float64 `json:"shares"`
}

// breakdownNames are the dimensions as published breakdowns call them.
var breakdownNames = map[string]string{
	grounding.AxisAge: "age", grounding.AxisGender: "gender", grounding.AxisGeography: "region", grounding.AxisEducation: "education", grounding.AxisIncome: "income",
}

// published are the held-out questions as distributions that answers can rest on.
// Each passes the checks of any published distribution; one that fails them (a
// group too small, fewer than two options) is left out.
func (t *tally) published(axis map[int]string) []simulate.Evidence {
	r := t.r
	source := r.o.FileName
	if r.o.SheetName != "" {
		source += " (" + r.o.SheetName + ")"
	}
	population, dates := r.population(), r.fieldDates()
	weighted := r.weight != nil
	var out []simulate.Evidence
	for _, h := range t.held {
		n := base(h.allN, h.all, h.allQ, weighted)
		if h.allN < minGroup || n < minGroup || h.all <= 0 {
			continue
		}
		doc := evidenceDoc{N: n, Source: cut(source, 900), Dates: dates, Population: population}
		c := r.columns[h.columns[0]]
		var order []int
		if h.listed {
			doc.Type, doc.Question = "multiselect", c.label
			for k, label := range c.options {
				doc.Options = append(doc.Options, optionDoc{label, h.top[k] / h.all})
				order = append(order, k)
			}
		} else if h.multi {
			doc.Type = "multiselect"
			doc.Question = r.groups[c.group].question
			for k, i := range h.columns {
				doc.Options = append(doc.Options, optionDoc{r.columns[i].item, h.top[k] / h.all})
				order = append(order, k)
			}
		} else {
			doc.Question = c.label
			for k := range h.options {
				if h.top[k] <= 0 {
					continue
				}
				label := "Other answers"
				if k < len(c.values) {
					label = c.values[k].label
				}
				doc.Options = append(doc.Options, optionDoc{label, h.top[k] / h.all})
				order = append(order, k)
			}
		}
		doc.Question = cut(doc.Question, 1990)
		if h.n != nil {
			for x, i := range t.by {
				name := breakdownNames[r.columns[i].dim]
				if name == "" || axis[i] != r.columns[i].dim {
					name = axis[i]
				}
				for v, val := range r.columns[i].values {
					g := t.offsets[x] + v
					gn := base(h.n[g], h.w[g], h.q[g], weighted)
					if h.n[g] < minGroup || gn < minGroup || h.w[g] <= 0 {
						continue
					}
					b := breakdownDoc{Dimension: name, Group: val.label, N: gn}
					for _, k := range order {
						b.Shares = append(b.Shares, h.share[g*h.options+k]/h.w[g])
					}
					doc.Breakdowns = append(doc.Breakdowns, b)
				}
			}
		}
		raw, err := json.Marshal(doc)
		if err != nil {
			continue
		}
		e, err := simulate.ParseEvidence(raw)
		if err != nil {
			continue
		}
		e.ID, e.Origin = c.key, simulate.OriginAudience
		if h.multi && !h.listed {
			e.ID = r.groups[c.group].question
		}
		if wordCount(doc.Question) < 2 {
			e.Warnings = append(e.Warnings, "the file names this question by a code only, so its wording is not known")
		}
		if weighted {
			e.Warnings = append(e.Warnings, "shares are weighted by “"+r.weight.key+"”; n is the effective number of "+strconv.Itoa(h.allN)+" answers")
		}
		out = append(out, e)
	}
	return out
}

// population says whom the file asked, as far as its columns show.
func (r *review) population() string {
	who := "respondents"
	country := ""
	for _, c := range r.columns {
		switch {
		case c.dim == grounding.AxisGender && c.kind == KindPopulation && len(c.values) == 1:
			who = strings.ToLower(c.values[0].label) + " respondents"
		case c.dim == grounding.AxisGeography && country == "":
			us, all, n := 0, 0, 0
			for _, v := range c.values {
				all += v.n
				if usPlaces.MatchString(v.fold) {
					us += v.n
					n++
				}
			}
			if n >= 4 && us*3 >= all {
				country = "US"
			} else if len(c.values) == 1 && places[c.values[0].fold] {
				country = c.values[0].label
			}
		}
	}
	if lo, ok := r.youngest(); ok && lo >= 12 && lo <= 30 {
		who += " aged " + strconv.Itoa(lo) + "+"
	}
	if country != "" {
		who = country + " " + who
	}
	return who + " of " + cut(r.o.FileName, 200)
}

// youngest is the lower end of the ages in the file.
func (r *review) youngest() (int, bool) {
	for _, c := range r.columns {
		if c.dim != grounding.AxisAge || c.kind != KindPopulation {
			continue
		}
		if c.bounds != nil || c.facts.share(c.facts.num) > .95 {
			return int(c.facts.min), c.facts.min >= 0 && c.facts.min < 120
		}
		least := math.Inf(1)
		for _, v := range c.values {
			if lo, _, ok := band(v.fold); ok {
				least = math.Min(least, lo)
			}
		}
		if !math.IsInf(least, 0) {
			return int(least), true
		}
	}
	return 0, false
}

// fieldDates are the first and last day of the column that names the day of the
// answer.
func (r *review) fieldDates() string {
	var all []*column
	for _, c := range r.columns {
		if c.kind == KindDate && metaName.MatchString(c.question) {
			all = append(all, c)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].facts.dates.n > all[j].facts.dates.n })
	for _, c := range all {
		if from, to, ok := c.facts.dates.span(); ok {
			if from.Equal(to) {
				return from.Format("2006-01-02")
			}
			return from.Format("2006-01-02") + " to " + to.Format("2006-01-02")
		}
	}
	return ""
}
