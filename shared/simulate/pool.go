package simulate

import (
	"math"
	"sort"
	"strconv"
	"strings"
)

// referenceYear is the year of this engine version. The age of a source is
// counted to it and never to the wall clock, so that an answer does not change
// overnight.
const referenceYear = 2026

const (
	shrink     = 30   // people; a group's shares are drawn towards the topline by this many
	maxSourceN = 2000 // one source never weighs more than this many people
	unstatedN  = 100  // weight, and only weight, of a source that states no base; never shown
	disagree   = .15  // total variation between sources worth a warning
	floorShare = 1e-6
)

// compiled is evidence read once for a question.
type compiled struct {
	*Evidence
	labels  []label
	ordered bool
	topic   bag
	where   population
	dims    []compiledDim
	year    int // last year of the source, 0 when not stated

	unstated []string // what the source leaves out, as warnings
}

type compiledDim struct {
	dim    dimension
	groups []group
	at     []int // index into Breakdowns
}

func compile(e *Evidence) *compiled {
	texts := make([]string, len(e.Options))
	for i, o := range e.Options {
		texts[i] = o.Label
	}
	c := &compiled{Evidence: e, labels: readLabels(texts), topic: newBag(e.Question, texts), where: readPopulation(e.Population), year: lastYear(e.Dates)}
	c.ordered = direction(c.labels) != 0
	if e.N == nil {
		c.unstated = append(c.unstated, "the source states no number of answers")
	}
	if c.year == 0 {
		c.unstated = append(c.unstated, "the source states no year")
	}
	if late := future(c.year); late != "" {
		c.unstated = append(c.unstated, late)
	}
	if e.Population == "" {
		c.unstated = append(c.unstated, "the source does not say who was asked")
	}
	byDim := map[string]int{}
	for i, b := range e.Breakdowns {
		d, _ := dimensionOf(b.Dimension)
		j, ok := byDim[string(d)]
		if !ok {
			j = len(c.dims)
			byDim[string(d)] = j
			c.dims = append(c.dims, compiledDim{dim: d})
		}
		c.dims[j].at = append(c.dims[j].at, i)
	}
	sort.SliceStable(c.dims, func(a, b int) bool { return c.dims[a].dim < c.dims[b].dim })
	for j := range c.dims {
		last := len(c.dims[j].at) - 1
		top, topAt := -1.0, last
		if c.dims[j].dim == dimAge {
			for i, at := range c.dims[j].at {
				if r, ok := parseAge(e.Breakdowns[at].Group); ok && r.lo > top {
					top, topAt = r.lo, i
				}
			}
		}
		for i, at := range c.dims[j].at {
			c.dims[j].groups = append(c.dims[j].groups, readGroup(c.dims[j].dim, e.Breakdowns[at].Group, i == topAt))
		}
	}
	return c
}

// future warns of a source that is dated after the year that follows this
// engine's; "" where it is not.
func future(year int) string {
	if year <= referenceYear+1 {
		return ""
	}
	return "the source is dated in the future (" + strconv.Itoa(year) + ")"
}

// lastYear finds the last year that a text names (1900-2099).
func lastYear(s string) int {
	year := 0
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }) {
		if len(f) == 4 {
			if y, err := strconv.Atoi(f); err == nil && y >= 1900 && y < 2100 && y > year {
				year = y
			}
		}
	}
	return year
}

// shares gives the distribution for people with this profile, in the order of
// the published options: the topline, moved log-additively by each known
// dimension. used names the groups taken.
func (c *compiled) shares(p Profile) (out []float64, used []string) {
	k := len(c.Options)
	out = make([]float64, k)
	for i, o := range c.Options {
		out[i] = o.Share
	}
	type part struct{ p []float64 }
	var parts []part
	for _, d := range c.dims {
		at := -1
		for _, v := range p.values(d.dim) {
			if at = matchGroup(d.dim, v, d.groups); at >= 0 {
				break
			}
		}
		if at < 0 {
			continue
		}
		b := c.Breakdowns[d.at[at]]
		n := float64(shrink) // a group without a stated base counts as much as the topline it is drawn to
		if b.N != nil {
			n = float64(*b.N)
		}
		s := make([]float64, k)
		for i := range s {
			s[i] = (float64(n*b.Shares[i]) + float64(shrink*c.Options[i].Share)) / (n + shrink)
		}
		parts = append(parts, part{s})
		used = append(used, string(d.dim)+" "+b.Group)
	}
	if len(parts) == 0 {
		return out, nil
	}
	lambda := 1.0
	switch {
	case len(parts) > 6:
		lambda = .6
	case len(parts) > 3:
		lambda = .8
	}
	if c.Multiselect {
		for i, o := range c.Options { // each option is its own yes/no: add on the logit scale
			l := logit(o.Share)
			base := l
			for _, q := range parts {
				l += float64(lambda * (logit(q.p[i]) - base))
			}
			out[i] = 1 / (1 + math.Exp(-l))
		}
		return out, used
	}
	for i, o := range c.Options {
		p0 := math.Max(o.Share, floorShare)
		l := math.Log(p0)
		for _, q := range parts {
			l += float64(lambda * math.Log(math.Max(q.p[i], floorShare)/p0))
		}
		out[i] = math.Exp(l)
		if o.Share == 0 && len(parts) == 1 {
			out[i] = parts[0].p[i]
		}
	}
	normalise(out)
	return out, used
}

func logit(p float64) float64 {
	p = math.Min(math.Max(p, 1e-4), 1-1e-4)
	return math.Log(p / (1 - p))
}

func normalise(p []float64) {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	if sum > 0 {
		for i := range p {
			p[i] /= sum
		}
	}
}

// asAsked carries published shares over to the asked options.
func asAsked(m mapping, published []float64, multi bool) []float64 {
	out := make([]float64, len(m.to))
	for i, j := range m.to {
		if j >= 0 {
			out[i] = published[j]
		}
	}
	if !multi {
		normalise(out)
	}
	return out
}

// weightOf is how much a source counts in a pool of several.
func (c *compiled) weightOf() float64 {
	if c.N == nil {
		return unstatedN
	}
	return math.Min(float64(*c.N), maxSourceN)
}

// pool joins several distributions log-linearly by weight and tells whether any
// two of them are further apart than they should be.
func pool(ps [][]float64, w []float64, multi bool) (out []float64, apart bool) {
	if len(ps) == 1 {
		return append([]float64(nil), ps[0]...), false
	}
	total := 0.0
	for _, v := range w {
		total += v
	}
	out = make([]float64, len(ps[0]))
	for i := range out {
		l := 0.0
		for s := range ps {
			x := math.Log(math.Max(ps[s][i], floorShare))
			if multi {
				x = logit(ps[s][i])
			}
			l += float64(w[s] / total * x)
		}
		if multi {
			out[i] = 1 / (1 + math.Exp(-l))
		} else {
			out[i] = math.Exp(l)
		}
	}
	if !multi {
		normalise(out)
	}
	for s := 1; s < len(ps) && !apart; s++ {
		for t := 0; t < s && !apart; t++ {
			apart = farApart(ps[s], ps[t], multi)
		}
	}
	return out, apart
}

// farApart compares by total variation; of independent options by their mean
// difference.
func farApart(a, b []float64, multi bool) bool {
	d := 0.0
	for i := range a {
		d += math.Abs(a[i] - b[i])
	}
	if multi {
		d *= 2 / float64(len(a))
	}
	return d/2 > disagree+1e-9
}
