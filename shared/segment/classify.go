package segment

import (
	"sort"
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

// group is a question over several columns.
type group struct {
	question string
	shape    Shape
	columns  []int
	anyBase  bool // asked are those who ticked something, as nothing else is written
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
		if byValue != "" && byValue != dim && (dim == dimSegment || dim == dimSeniority || dim == grounding.AxisHousehold || dim == grounding.AxisEmployment || dim == dimRevenue) {
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
	case unnamed || c.index == 0 && !n.sentence:
		return f.valid >= 5
	}
	running := f.max-f.min == float64(f.valid-1) && f.min <= 1
	return f.valid >= 20 && running || f.min >= 1e5 && f.valid >= 20
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

// findGroups settles the shape of columns that share a question.
func (r *review) findGroups() {
	for _, c := range r.columns {
		c.group = -1
	}
	for i := 0; i < len(r.columns); {
		j := i + 1
		if s := r.columns[i].stem; s >= 0 {
			for j < len(r.columns) && r.columns[j].stem == s {
				j++
			}
			r.shapeOf(i, j)
		}
		i = j
	}
}

func (r *review) shapeOf(from, to int) {
	g := group{question: r.columns[from].question}
	var live []*column
	for i := from; i < to; i++ {
		g.columns = append(g.columns, i)
		if r.columns[i].facts.valid+r.columns[i].facts.explicitUnselected > 0 {
			live = append(live, r.columns[i])
		}
	}
	switch {
	case len(live) == 0:
		return
	case isMulti(live):
		g.shape = ShapeMulti
		explicit := 0
		for _, c := range live {
			if c.explicit() {
				explicit++
			}
		}
		g.anyBase = explicit*2 < len(live)
	case isRanking(live):
		g.shape = ShapeRanking
	case isGrid(live):
		g.shape = ShapeGrid
	default:
		return
	}
	for _, i := range g.columns {
		c := r.columns[i]
		c.group, c.shape = len(r.groups), g.shape
		if g.shape == ShapeMulti {
			c.item = c.tickLabel()
			if c.name != "" && c.label == c.name && c.item != c.label {
				c.label += ": " + c.item
			}
		} else if c.item == "" {
			c.item = c.label
		}
	}
	r.groups = append(r.groups, g)
}

// marks counts the different answers that stand for a ticked option; openEnd is
// true for a text field among the options.
func (c *column) marks() (labels int, ticks bool) {
	for i := range c.kept {
		k := &c.kept[i]
		if k.missing != "" || notTicked[k.fold] {
			continue
		}
		labels++
		ticks = ticks || ticked[k.fold]
	}
	if c.over.n > 0 {
		labels += 100
	}
	return labels, ticks
}

func (c *column) explicit() bool {
	for i := range c.kept {
		if notTicked[c.kept[i].fold] {
			return true
		}
	}
	return false
}

// isMulti: every column holds one answer or none, which names the option or is a
// tick. Columns whose one answer is the same word ("Yes") are no options.
func isMulti(cols []*column) bool {
	if len(cols) < 2 {
		return false
	}
	names := map[string]bool{}
	texts, ticks := 0, 0
	for _, c := range cols {
		labels, tick := c.marks()
		if labels > 1 {
			if openName.MatchString(c.key) || openName.MatchString(c.item) || strings.HasPrefix(folded(c.item), "other") {
				texts++
				continue
			}
			return false
		}
		if tick {
			ticks++
		}
		for i := range c.kept {
			if k := &c.kept[i]; k.missing == "" && !notTicked[k.fold] {
				names[k.fold] = true
			}
		}
	}
	if texts > 1 && texts*3 > len(cols) {
		return false
	}
	plain := len(cols) - texts
	if plain < 2 {
		return false
	}
	if len(names) == 1 {
		for f := range names {
			return ticked[f] || saysYes[f]
		}
	}
	return ticks >= plain-1 || len(names) >= plain-1 && len(names) >= 2
}

var saysYes = map[string]bool{"yes": true, "y": true, "ja": true, "oui": true, "sí": true, "si": true}

// tickLabel is the option a column of a multi-select stands for.
func (c *column) tickLabel() string {
	for i := range c.kept {
		if k := &c.kept[i]; k.missing == "" && !notTicked[k.fold] && !ticked[k.fold] && !saysYes[k.fold] {
			if c.item == "" || folded(c.item) == k.fold {
				return k.clean
			}
		}
	}
	if c.item != "" {
		return c.item
	}
	return c.label
}

// isRanking: whole numbers from 1 to at most the number of columns, and each
// place given about equally often, as in permutations.
func isRanking(cols []*column) bool {
	n := len(cols)
	if n < 3 {
		return false
	}
	total := make([]int, n+1)
	for _, c := range cols {
		if !c.facts.exact || c.facts.num != c.facts.valid || c.facts.whole != c.facts.valid || c.facts.valid == 0 || c.facts.min < 1 || int(c.facts.max) > n {
			return false
		}
		for i := range c.kept {
			if k := &c.kept[i]; k.missing == "" && k.isNum {
				total[int(k.num)] += k.n
			}
		}
	}
	for p := 2; p <= n; p++ { // partial rankings thin out, they never thicken
		if total[p] == 0 && p > 3 {
			continue
		}
		if float64(total[p]) > 1.1*float64(total[p-1]) || total[p] == 0 {
			return false
		}
	}
	return float64(total[1]) <= 1.1*float64(maxOf(cols)) || total[1] > 0 && float64(total[2]) >= .5*float64(total[1])
}

func maxOf(cols []*column) int {
	m := 0
	for _, c := range cols {
		m = max(m, c.facts.valid)
	}
	return m
}

// isGrid: the columns share most of one list of answers.
func isGrid(cols []*column) bool {
	if len(cols) < 2 {
		return false
	}
	seen := map[string]int{}
	for _, c := range cols {
		if !c.facts.exact || c.facts.distinct > 101 || c.facts.distinct < 1 {
			return false
		}
		for i := range c.kept {
			if c.kept[i].missing == "" {
				seen[c.kept[i].fold]++
			}
		}
	}
	if len(seen) > 120 {
		return false
	}
	most := 0
	for _, n := range seen {
		most += n
	}
	return float64(most) >= .6*float64(len(seen)*len(cols)) && len(seen) >= 2
}

// groupKinds gives the columns of a question one role.
func (r *review) groupKinds() {
	for gi := range r.groups {
		g := &r.groups[gi]
		kind, dim := KindOutcome, ""
		agree, important := 0, 0
		for _, i := range g.columns {
			c := r.columns[i]
			if c.driverScale() {
				agree++
			}
		}
		if n := nameDim(g.question); g.shape == ShapeMulti && n.dim != "" && n.sure && n.dim != dimDevice {
			kind, dim = KindPopulation, n.dim
			if n.dim == dimSegment {
				kind = KindSegmentation
			}
		} else if g.shape == ShapeMulti && r.groupSpeaksOf(g, dimChildren) {
			kind, dim = KindPopulation, dimChildren
		} else if driverName.MatchString(g.question) || agree*2 > len(g.columns) || important > 0 {
			kind = KindDriver
		}
		for _, i := range g.columns {
			if c := r.columns[i]; c.kind == KindOutcome {
				c.kind, c.dim = kind, dim
			}
		}
	}
}

// groupSpeaksOf reports a question whose options speak of a dimension.
func (r *review) groupSpeaksOf(g *group, dim string) bool {
	for _, v := range valueForms {
		if v.dim != dim {
			continue
		}
		in := 0
		for _, i := range g.columns {
			if v.at.MatchString(folded(r.columns[i].item)) {
				in++
			}
		}
		return in*3 >= len(g.columns)*2
	}
	return false
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

// categorize lists the answers of a column: the most frequent 30, or five bands
// of a number with more than 30 values.
func (c *column) categorize() {
	switch c.kind {
	case KindPopulation, KindSegmentation, KindOutcome, KindDriver:
	default:
		return
	}
	f := &c.facts
	if c.shape == ShapeMulti {
		c.values = []category{{label: c.item, fold: folded(c.item)}, {label: unselected, fold: folded(unselected)}}
		for i := range c.kept {
			k := &c.kept[i]
			switch {
			case notTicked[k.fold]:
				k.value = 1
				k.missing = ""
			case k.missing != "":
				k.value = codeMissing
			default:
				k.value = 0
			}
		}
		return
	}
	if f.share(f.num) >= .95 && f.distinct > maxValues {
		c.band()
		return
	}
	byFold := map[string]int{}
	for i := range c.kept {
		k := &c.kept[i]
		if k.missing != "" {
			continue
		}
		at, ok := byFold[k.fold]
		if !ok {
			at = len(c.values)
			byFold[k.fold] = at
			c.values = append(c.values, category{label: k.clean, fold: k.fold})
		}
		c.values[at].n += k.n
	}
	best := make([]int, len(c.values))
	for i := range c.kept { // the spelling that most people have
		if k := &c.kept[i]; k.missing == "" {
			if at := byFold[k.fold]; k.n > best[at] {
				best[at], c.values[at].label = k.n, k.clean
			}
		}
	}
	sort.SliceStable(c.values, func(a, b int) bool {
		if c.values[a].n != c.values[b].n {
			return c.values[a].n > c.values[b].n
		}
		return c.values[a].label < c.values[b].label
	})
	if c.tail = len(c.values) > maxValues || c.over.n > 0; len(c.values) > maxValues {
		c.values = c.values[:maxValues]
	}
	c.order()
	byFold = map[string]int{}
	for i, v := range c.values {
		byFold[v.fold] = i
	}
	for i := range c.kept {
		k := &c.kept[i]
		switch at, ok := byFold[k.fold]; {
		case k.missing != "":
			k.value = codeMissing
		case ok:
			k.value = int16(at)
		default:
			k.value = codeOther
		}
	}
}

// order puts bands and scales in their order.
func (c *column) order() {
	folds := make([]string, len(c.values))
	for i, v := range c.values {
		folds[i] = v.fold
	}
	at, ok := ordered(folds)
	if !ok {
		return
	}
	c.ranked = true
	out := make([]category, len(at))
	for i, j := range at {
		out[i] = c.values[j]
	}
	c.values = out
}

func (c *column) band() {
	var nums []counted
	for i := range c.kept {
		if k := &c.kept[i]; k.missing == "" && k.isNum {
			nums = append(nums, counted{k.num, k.n})
		}
	}
	nums = append(nums, c.over.numbers.counted()...)
	c.bounds = quintiles(nums)
	c.low, c.high = c.facts.min, c.facts.max
	whole := c.facts.whole == c.facts.num
	for _, l := range bandLabels(c.bounds, c.low, c.high, whole) {
		c.values = append(c.values, category{label: l, fold: folded(l)})
	}
	c.ranked = true
	for i := range c.kept {
		k := &c.kept[i]
		switch {
		case k.missing != "":
			k.value = codeMissing
		case k.isNum:
			k.value = int16(bandOf(c.bounds, k.num))
		default:
			k.value = codeOther
			c.tail = true
		}
	}
}

// code of a cell in the second pass.
func (c *column) code(s string) int16 {
	if at, ok := c.cells[s]; ok {
		return c.kept[at].value
	}
	if c.shape == ShapeMulti {
		return 0 // a text beside an option
	}
	if c.bounds != nil || c.values != nil && c.facts.share(c.facts.num) >= .95 && c.facts.distinct > maxValues {
		if v, ok := parseNumber(s); ok {
			return int16(bandOf(c.bounds, v))
		}
	}
	return codeOther
}
