package grounding

import (
	"context"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/brief"
)

// mostClaims bounds what is taken from one material: past it the text is data,
// not a report.
const mostClaims = 2000

// read takes the figures of the supplied and the found material.
func (c *composer) read(ctx context.Context) error {
	about := c.about()
	materials := slices.Concat(c.in.Material, c.in.Web)
	for i, m := range materials {
		origin := fromMaterial
		if i >= len(c.in.Material) {
			origin = fromWeb
		}
		m.Text = strings.ToValidUTF8(m.Text, "\uFFFD") // what a quote is checked against
		materials[i] = m
		blocks, figures := readText(m.Text, about)
		c.take(m, i, origin, blocks, figures, about)
	}
	return c.askModel(ctx, materials)
}

// about are the stems of who the brief means and of what it is about.
func (c *composer) about() map[string]bool {
	m := map[string]bool{}
	add := func(s string) {
		for _, w := range stems(s) {
			m[w] = true
		}
	}
	add(c.in.Brief.Population)
	for _, t := range c.in.Brief.Roles {
		add(t.Label)
		add(t.Quote)
	}
	return m
}

// readText finds the tables and the plain shares of a text, in one pass.
func readText(text string, about map[string]bool) (blocks []block, figures []figure) {
	t := tables{column: -1}
	for from := 0; from < len(text); {
		end := strings.IndexByte(text[from:], '\n')
		to, next := len(text), len(text)
		if end >= 0 {
			to, next = from+end, from+end+1
		}
		t.line(text, from, to)
		if line := text[from:to]; len(figures) < mostClaims && mayHoldShare(line) {
			for _, s := range sentences(line) {
				if len(figures) < mostClaims && mayHoldShare(s) {
					figures = append(figures, readSentence(s, about)...)
				}
			}
		}
		from = next
	}
	t.close()
	return t.done, figures
}

// mayHoldShare is the cheap test before a line is taken apart.
func mayHoldShare(s string) bool {
	if strings.ContainsAny(s, "%％") {
		return true
	}
	if !strings.ContainsAny(s, "0123456789") {
		return false
	}
	for _, w := range []string{"ercent", "er cent", "rozent", "rocent", "our cent", "or ciento", "or cento"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// sentences divides a line at ends of sentences; a point inside a number is none.
func sentences(line string) []string {
	var out []string
	start := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '.', '!', '?':
			if i+1 == len(line) || line[i+1] == ' ' {
				out = append(out, line[start:i+1])
				start = i + 1
			}
		case ';':
			out = append(out, line[start:i+1])
			start = i + 1
		}
	}
	if start < len(line) {
		out = append(out, line[start:])
	}
	return out
}

// take makes candidates of what one material says.
func (c *composer) take(m Material, i, origin int, blocks []block, figures []figure, about map[string]bool) {
	tabled := map[string]bool{}
	for _, b := range blocks {
		axis := c.axisOf(b)
		if axis == "" {
			continue
		}
		shares, ok := c.blockShares(axis, b)
		if !ok {
			continue
		}
		c.offer(m, i, origin, axis, shares, b.percent, clip(strings.TrimSpace(m.Text[b.from:b.to]), 500), trustMaterial)
		tabled[axis] = true
	}
	var axes []string
	byAxis := map[string][]figure{}
	for _, f := range figures {
		if tabled[f.axis] {
			continue
		}
		if byAxis[f.axis] == nil {
			axes = append(axes, f.axis)
		}
		if slices.ContainsFunc(byAxis[f.axis], func(g figure) bool { return g.label == f.label }) {
			continue // said twice: the first time counts
		}
		byAxis[f.axis] = append(byAxis[f.axis], f)
	}
	for _, axis := range axes {
		quote := ""
		var shares []Share
		for _, f := range byAxis[axis] {
			shares = append(shares, Share{Label: f.label, Pct: f.pct})
			if quote == "" {
				quote = f.quote
			} else if !strings.Contains(quote, f.quote) && len(quote)+len(f.quote) < 480 && strings.Contains(m.Text, quote+" "+f.quote) {
				quote += " " + f.quote
			}
		}
		c.offer(m, i, origin, axis, shares, true, clip(quote, 500), trustMaterial)
	}
}

// axisOf is the axis that a table is plainly about; "" when it is none of the
// population's.
func (c *composer) axisOf(b block) string {
	heading := b.heading
	if i := strings.IndexAny(heading, "(["); i > 0 {
		heading = strings.TrimSpace(heading[:i])
	}
	if axis := axisNamed(heading); axis != "" {
		if axis == AxisAge && !all(b.rows, func(f figure) bool { _, ok := parseBand(f.label); return ok || isTotal(f.label) }) {
			return ""
		}
		return axis
	}
	for _, t := range c.in.Brief.Axes {
		if heading != "" && (fold(heading) == fold(t.Label) || fold(heading) == fold(t.Axis)) {
			return axisName(t)
		}
	}
	for _, topic := range c.in.Topics {
		if heading != "" && fold(heading) == fold(topic) {
			return capital(strings.TrimSpace(heading))
		}
	}
	if words := stems(heading); len(words) > 0 {
		for _, o := range c.in.Brief.Outcomes {
			outcome := stems(o.Label + " " + o.Quote)
			if !slices.ContainsFunc(words, func(w string) bool { return !contains(outcome, w) }) {
				return strings.TrimSpace(heading)
			}
		}
	}
	switch {
	case all(b.rows, func(f figure) bool { return genderOf(f.label) != "" && len(fold(f.label)) > 1 || isTotal(f.label) }):
		return AxisGender
	case all(b.rows, func(f figure) bool { return employmentWords[fold(f.label)] != "" || isTotal(f.label) }):
		return AxisEmployment
	case all(b.rows, func(f figure) bool { return urbanWords[fold(f.label)] != "" || isTotal(f.label) }):
		return brief.AxisUrbanity
	case all(b.rows, func(f figure) bool {
		_, ok := parseBand(f.label)
		return ok && strings.HasPrefix(fold(f.label), "age")
	}):
		return AxisAge
	case len(b.rows) > 1 && all(b.rows, func(f figure) bool { _, ok := countryCode(f.label); return ok || isTotal(f.label) }):
		return AxisGeography
	}
	return ""
}

func axisName(t brief.Term) string {
	if t.Axis != "" {
		return t.Axis
	}
	return t.Label
}

func all(rows []figure, ok func(figure) bool) bool {
	return len(rows) > 0 && !slices.ContainsFunc(rows, func(f figure) bool { return !ok(f) })
}

// isTotal is a row that sums up or counts who did not answer.
func isTotal(label string) bool {
	switch fold(label) {
	case "total", "all", "sum", "base", "n", "gesamt", "summe", "insgesamt", "alle", "ensemble", "totale", "totaal", "suma", "no answer", "not stated", "not specified", "prefer not to say", "don t know", "dont know", "unknown", "keine angabe", "k a", "sans reponse", "refused": //nolint:misspell // a French word
		return true
	}
	return false
}

// blockShares turns rows into shares with the labels that the axis uses.
func (c *composer) blockShares(axis string, b block) ([]Share, bool) {
	var shares []Share
	sum := 0.0
	for _, f := range b.rows {
		if isTotal(f.label) {
			continue
		}
		label := strings.Trim(f.label, "*_` ")
		switch axis {
		case AxisGender:
			if g := genderOf(label); g != "" {
				label = g
			}
		case AxisAge:
			if band, ok := parseBand(label); ok {
				label = band.String()
			}
		case AxisEmployment:
			if e := employmentWords[fold(label)]; e != "" {
				label = e
			}
		case brief.AxisUrbanity:
			if u := urbanWords[fold(label)]; u != "" {
				label = u
			}
		}
		if label == "" || slices.ContainsFunc(shares, func(s Share) bool { return fold(s.Label) == fold(label) }) {
			return nil, false
		}
		shares = append(shares, Share{Label: label, Pct: f.pct})
		sum += f.pct
	}
	if len(shares) == 0 {
		return nil, false
	}
	if b.percent && sum > .97 && sum < 1.03 && len(shares) > 1 {
		for i := range shares {
			shares[i].Pct *= 100 // parts of one
		}
		sum *= 100
	}
	if !b.percent && (sum < 97 || sum > 103) {
		return nil, false // numbers, not shares
	}
	return shares, true
}
