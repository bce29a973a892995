package segment

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// review is one data set on its way to a preview.
type review struct {
	o       Options
	columns []*column
	groups  []group
	rows    int

	status  *column
	weight  *column
	done    []bool // by kept cell of status: complete
	chosen  []int  // selected columns, by position
	warning []string
}

// classify names what each column is, from its name, its answers and its
// neighbours. The order matters: what is about the survey comes before what is
// about people.
func (r *review) classify() {
	for _, c := range r.columns {
		c.study(r.rows)
	}
	r.findGroups()
	for _, c := range r.columns {
		c.kind, c.dim = r.kindOf(c)
	}
	r.groupKinds()
	r.oneStatus()
	r.oneWeight()
	for _, c := range r.columns {
		c.categorize()
	}
}

func (r *review) kindOf(c *column) (Kind, string) {
	f := &c.facts
	name := c.question
	if c.name != "" {
		name = c.name
	}
	short := strings.TrimSpace(name)
	code := c.key
	unnamed := strings.HasPrefix(c.key, "column_")
	n := nameDim(name)
	if n.dim == "" && code != name {
		if m := nameDim(code); m.sure {
			n.dim, n.sure = m.dim, true
		}
	}
	if c.group >= 0 {
		if c.shape == ShapeRanking {
			return KindOutcome, ""
		}
		if f.valid == 0 {
			return KindOutcome, ""
		}
		if c.shape == ShapeMulti || c.shape == ShapeGrid {
			if c.openText(code + " " + c.item) {
				return KindOpenText, ""
			}
			return KindOutcome, "" // groupKinds says more
		}
	}
	switch {
	case f.valid == 0:
		return KindEmpty, ""
	case statusName[folded(short)] && c.saysDone():
		return KindStatus, ""
	case f.share(f.personal) >= .5:
		return KindIdentifier, ""
	case f.share(f.dates.n) >= .9:
		return KindDate, ""
	case looksWeight(code, name, f):
		return KindWeight, ""
	case r.identifies(c, short, unnamed, n):
		return KindIdentifier, ""
	case metaName.MatchString(short) && !(n.dim == dimLanguage && f.distinct > 1 && f.distinct <= maxValues):
		return KindMetadata, ""
	}
	if n.dim == dimDevice && n.sure {
		return KindMetadata, dimDevice
	}
	byValue := ""
	if !n.sentence || n.dim != "" {
		byValue = valueDim(c)
	}
	dim := ""
	switch {
	case n.sure && c.fits(n.dim):
		dim = n.dim
		// A name of two meanings yields to answers that leave no doubt.
		if byValue != "" && byValue != dim && (dim == dimSegment || dim == dimSeniority || dim == grounding.AxisHousehold || dim == grounding.AxisEmployment) {
			dim = byValue
		}
	case n.dim != "" && byValue == n.dim:
		dim = n.dim
	case !n.sentence:
		dim = byValue
	}
	switch {
	case dim == dimDevice:
		return KindMetadata, dimDevice
	case dim == "" && c.listed():
		if driverName.MatchString(name) {
			return KindDriver, ""
		}
		return KindOutcome, ""
	case c.openText(code+" "+name) && (dim == "" || f.distinct > 250):
		return KindOpenText, ""
	case dim == dimSegment:
		return KindSegmentation, dim
	case dim != "":
		return KindPopulation, dim
	case f.distinct <= 1 && c.group < 0:
		return KindMetadata, "" // the same for everybody tells nothing
	case driverName.MatchString(name) || c.driverScale():
		return KindDriver, ""
	}
	return KindOutcome, ""
}

// fits keeps out columns whose answers cannot be of the dimension: a text where
// an age should be.
func (c *column) fits(dim string) bool {
	f := &c.facts
	switch dim {
	case "":
		return false
	case grounding.AxisAge:
		if f.share(f.num) < .8 {
			return f.distinct <= 60
		}
		return f.max <= 120 && f.min >= 0 || f.min >= 1900 && f.max <= 2030
	case grounding.AxisGender:
		return f.distinct <= 20
	}
	return f.share(f.num) >= .8 || f.distinct <= 250 && f.share(f.distinct) <= .8 || f.valid < 20
}

// openText knows answers in the respondents' own words.
func (c *column) openText(name string) bool {
	f := &c.facts
	if f.valid == 0 || f.share(f.num) >= .8 || f.share(f.dates.n) >= .5 {
		return false
	}
	unique := f.share(f.distinct)
	switch {
	case f.valid < 5:
		return openName.MatchString(name) && unique > .5 && f.meanWords() >= 2
	case f.meanWords() >= 4 && unique >= .5, f.meanWords() >= 3 && unique >= .2 && f.distinct > 100:
		return true
	case openName.MatchString(name) && unique >= .3 && f.distinct > 2:
		return true
	}
	return f.distinct > 100 && unique >= .5
}

// identifies knows columns that tell respondents apart: nearly all different,
// and named or built like a number of a case.
func (r *review) identifies(c *column, name string, unnamed bool, n naming) bool {
	f := &c.facts
	if f.valid < 2 || n.sure && n.dim != dimSegment && n.dim != "" && !idName.MatchString(name) {
		return false
	}
	unique := f.share(f.distinct)
	named := idName.MatchString(name)
	if named && unique >= .95 && f.meanWords() < 4 {
		return true
	}
	if unique < .95 {
		// The same person more than once is still a person's number.
		return named && unique >= .3 && f.distinct > 30 && (f.share(f.whole) >= .95 || f.share(f.coded) >= .8)
	}
	switch {
	case f.share(f.coded) >= .9 && f.valid >= 5:
		return true
	case f.share(f.whole) < .99:
		return false
	case unnamed:
		return f.valid >= 5
	}
	running := f.max-f.min == float64(f.valid-1) && f.min <= 1
	if c.index == 0 && !n.sentence {
		return f.valid >= 5 && (running || f.min >= 1e4)
	}
	return f.valid >= 20 && (running || f.min >= 1e5)
}

func looksWeight(code, name string, f *facts) bool {
	named, body := false, false
	words := append(tokens(code), tokens(name)...)
	for _, w := range words {
		named = named || weightName[w]
		body = body || w == "body" || w == "kg" || w == "lbs" || w == "pounds" || w == "your" || w == "birth" || w == "current"
	}
	if !named || body || f.share(f.num) < .95 || f.num == 0 || f.min < 0 || len(tokens(name)) > 6 {
		return false
	}
	mean := f.sum / float64(f.num)
	return mean >= .5 && mean <= 2 && f.max > f.min || mean > 500 || mean < .01
}

// saysDone reports answers that part the complete from the others.
func (c *column) saysDone() bool {
	if !c.facts.exact || c.facts.distinct > 20 {
		return false
	}
	for _, k := range c.kept {
		if c.isDone(&k) {
			return true
		}
	}
	return false
}

func (c *column) isDone(k *cell) bool {
	if doneValue.MatchString(k.fold) {
		return true
	}
	if undone.MatchString(k.fold) || k.missing != "" {
		return false
	}
	name := folded(c.question)
	if c.name != "" {
		name = folded(c.name)
	}
	switch k.fold { // "Finished: True", "Completed: 1"
	case "1", "true", "yes", "y":
		return strings.HasPrefix(name, "finish") || strings.HasPrefix(name, "complete") || strings.HasPrefix(name, "is complete")
	}
	return false
}

// driverScale knows scales of importance and agreement.
func (c *column) driverScale() bool {
	in, out := 0, 0
	for _, k := range c.kept {
		switch {
		case k.missing != "" || outside[k.fold]:
		case strings.Contains(k.fold, "important") || strings.Contains(k.fold, "agree") || strings.Contains(k.fold, "stimme") || strings.Contains(k.fold, "wichtig"):
			in += k.n
		default:
			out += k.n
		}
	}
	return in > 0 && c.facts.distinct >= 3 && out <= in
}

func (r *review) oneStatus() {
	for _, c := range r.columns {
		if c.kind != KindStatus {
			continue
		}
		if r.status != nil {
			c.kind = KindMetadata
			continue
		}
		r.status = c
		r.done = make([]bool, len(c.kept))
		for i := range c.kept {
			r.done[i] = c.isDone(&c.kept[i])
		}
	}
}

// oneWeight takes the first column of weights with a mean near 1, else the first.
func (r *review) oneWeight() {
	var all []*column
	for _, c := range r.columns {
		if c.kind == KindWeight {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return
	}
	r.weight = all[0]
	for _, c := range all {
		if mean := c.facts.sum / float64(c.facts.num); mean >= .8 && mean <= 1.25 {
			r.weight = c
			break
		}
	}
	if len(all) > 1 {
		r.warn("%d columns look like weights; “%s” is used.", len(all), r.weight.key)
	}
}
