// Package report is the one form of a document before it takes a format: a
// tree of blocks that says what is meant, not how it looks. Renderers
// (report/markdown, report/csvdata, later PDF and Office) decide the looks.
// A Report is plain data: building and rendering it is pure, and equal reports
// give equal bytes.
package report

// Length is how much of a report is shown; each block may ask for a least one.
type Length int

// The lengths of the contract (brief is also called short).
const (
	Brief Length = iota
	Standard
	Detailed
)

// Report is one document.
type Report struct {
	Title  string
	Meta   []MetaItem // shown under the title, in order: engine, version, simulated, dates, ids
	Blocks []Block
}

// MetaItem is one line about the report itself.
type MetaItem struct{ Label, Value string }

// Block is one of the types below.
type Block interface{ block() }

// Heading opens a section. Level 1 is the level under the title.
type Heading struct {
	Level    int
	Text     string
	MinShown Length
}

// Paragraph is plain text; it may hold line breaks. Emphasis marks the whole of it.
type Paragraph struct {
	Text     string
	Emphasis bool
	MinShown Length
}

// Tone is the kind of a callout.
type Tone string

// The tones.
const (
	Insight    Tone = "insight"
	Risk       Tone = "risk"
	Method     Tone = "method"
	Limitation Tone = "limitation"
)

// Callout is a framed remark, such as the evidence headline (M-225).
type Callout struct {
	Tone     Tone
	Title    string
	Text     string
	MinShown Length
}

// List is a flat list.
type List struct {
	Ordered  bool
	Items    []string
	MinShown Length
}

// Quote is what a Mind said, with who said it and what it rests on.
type Quote struct {
	Text     string
	Speaker  string
	Evidence string // evidence state or source, in words
	MinShown Length
}

// Align is the side of a table column.
type Align int

// The sides.
const (
	Left Align = iota
	Right
	Center
)

// Column heads one table column.
type Column struct {
	Label string
	Align Align
}

// Table holds cells as shown text; every row has as many cells as Columns.
type Table struct {
	Caption  string
	Columns  []Column
	Rows     [][]string
	Note     string // under the table: base, weighting, exclusions
	MinShown Length
}

// Figure is one number with the base that it was counted on (M-211).
type Figure struct {
	Label string
	Value string // as shown, with its unit
	Low   string // 95% range as shown; both empty when there is none
	High  string
	Base  int
	Note  string
}

// Figures is a row of key figures.
type Figures struct {
	Items    []Figure
	MinShown Length
}

// ChartKind is what a chart shows.
type ChartKind string

// The kinds known so far.
const (
	Bar       ChartKind = "bar"
	Stacked   ChartKind = "stacked"
	Histogram ChartKind = "histogram"
)

// Series is one row of values, as long as the chart's Categories.
type Series struct {
	Name   string
	Values []float64
}

// Chart is chart data without pixels; renderers that draw nothing show it as a table.
type Chart struct {
	Kind       ChartKind
	Title      string
	Alt        string // what the chart says, in one sentence
	Categories []string
	Series     []Series
	Unit       string // "%" or ""
	Decimals   int
	Base       int
	Foot       string // "Synthetic answers, offline-respondent 1.0.0"
	MinShown   Length
}

func (Heading) block()   {}
func (Paragraph) block() {}
func (Callout) block()   {}
func (List) block()      {}
func (Quote) block()     {}
func (Table) block()     {}
func (Figures) block()   {}
func (Chart) block()     {}
