// Package segment reads a sheet of completed respondents as a survey analyst
// would: which rows count, what each column is, how its answers are spread, which
// columns hang together, and what the questions that are held out of the cohort
// tell about the population. It is pure: rows in, figures out. It keeps counts by
// column and category only, never a row, so that its memory does not grow with
// the number of respondents or with the length of their texts.
package segment

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Rows is a sheet that can be read again from its first row. Header gives one or
// two rows as they stand in the file; Next gives the cells of the next row as a
// person would read them and io.EOF after the last. A row may be shorter or
// longer than the header.
type Rows interface {
	Header() [][]string
	Next() ([]string, error)
	Rewind() error
}

// Options say where the rows come from and which columns shape the cohort.
type Options struct {
	FileName, SheetName string
	Columns             []string // keys of an earlier preview; empty takes the population and segmentation variables
}

// Role of a variable, as the preview names it.
type Role string

// The roles. Population and segmentation variables are structural; outcomes and
// drivers are held out of the cohort.
const (
	Structural Role = "structural"
	Outcome    Role = "outcome"
	Driver     Role = "driver"
	Identifier Role = "identifier"
	Other      Role = "other"
)

// Preview is the review of a data set (M-130 to M-132). Its JSON is the answer of
// preview_audience_dataset_segmentation; what is marked "-" stays inside.
type Preview struct {
	FileName               string              `json:"fileName"`
	SheetName              *string             `json:"sheetName"`
	RowCount               int                 `json:"rowCount"`
	RespondentCount        int                 `json:"respondentCount"`
	ExcludedRowCount       int                 `json:"excludedRowCount"`
	RecommendedMindCount   int                 `json:"recommendedMindCount"`
	SegmentationColumns    []string            `json:"segmentationColumns"`
	Variables              []Variable          `json:"variables"`
	Combinations           []Combination       `json:"combinations"`
	RelationshipCount      *int                `json:"relationshipCount"`
	DependencyCount        *int                `json:"dependencyCount"`
	FunctionalDependencies []Dependency        `json:"functionalDependencies"`
	DependencyDiscovery    *Discovery          `json:"dependencyDiscovery,omitempty"`
	Warnings               []string            `json:"warnings"`
	Weights                *Weights            `json:"-"` // nil when no weight column is used
	Groups                 []Group             `json:"-"` // questions that stand over several columns
	Pairs                  []grounding.Pair    `json:"-"` // joint shares of selected variables, by axis name; cells of five and more
	Evidence               []simulate.Evidence `json:"-"` // held-out questions: topline and breakdowns
}

// Variable is one column. Sums hold: the values' respondentCount and
// OtherRespondentCount make ValidRespondentCount, which is at most the preview's
// RespondentCount. SharePct is of the valid respondents, weighted where the sheet
// has a weight.
type Variable struct {
	Key                  string         `json:"key"`
	Label                string         `json:"label"` // of a chosen column: what its axis is called
	Role                 Role           `json:"role,omitempty"`
	Selected             bool           `json:"selected"`
	Distribution         []Value        `json:"distribution"`
	ValidRespondentCount int            `json:"validRespondentCount"`
	OtherRespondentCount int            `json:"otherRespondentCount"`
	Kind                 Kind           `json:"-"`
	Dimension            string         `json:"-"` // canonical axis name (Age, Gender, …) where it is known
	Ordered              bool           `json:"-"`
	Column               int            `json:"-"` // position in the sheet, from 0
	Missing              map[string]int `json:"-"` // completed rows without an answer, by code: "blank", "NA", "No answer"
}

// Value is one answer with its respondents and its share of the valid ones.
type Value struct {
	Value           string  `json:"value"`
	RespondentCount int     `json:"respondentCount"`
	SharePct        float64 `json:"sharePct"`
}

// Kind says more than Role: what a column is.
type Kind string

// The kinds of columns.
const (
	KindPopulation   Kind = "population"
	KindSegmentation Kind = "segmentation"
	KindOutcome      Kind = "outcome"
	KindDriver       Kind = "driver"
	KindIdentifier   Kind = "identifier"
	KindWeight       Kind = "weight"
	KindOpenText     Kind = "open text"
	KindDate         Kind = "date"
	KindMetadata     Kind = "metadata"
	KindStatus       Kind = "status"
	KindEmpty        Kind = "empty"
)

// Group is a question over several columns.
type Group struct {
	Question string
	Shape    Shape
	Keys     []string // of its columns, in order
	Items    []string // what each column stands for
}

// Shape of a group.
type Shape string

// The shapes: each option its own column, places given to each item, or one
// scale for several items.
const (
	ShapeMulti   Shape = "multi-select"
	ShapeRanking Shape = "ranking"
	ShapeGrid    Shape = "grid"
)

// Combination is a joint profile over the selected variables, for audit. Only
// profiles of five and more respondents are listed.
type Combination struct {
	ID              string  `json:"id"`
	RespondentCount int     `json:"respondentCount"`
	SharePct        float64 `json:"sharePct"`
}

// Dependency says that one variable fixes another: everybody who gave From gave
// what Values says. Values of fewer than five respondents are not listed.
type Dependency struct {
	From            string            `json:"from"` // keys of variables
	To              string            `json:"to"`
	RespondentCount int               `json:"respondentCount"`
	Values          map[string]string `json:"values"`
}

// Discovery states how far the search for relations went, and carries the pair
// tables, so that a cohort can be built from the reviewed preview alone.
type Discovery struct {
	Method              string      `json:"method"`
	VariablesExamined   int         `json:"variablesExamined"`
	VariablesAvailable  int         `json:"variablesAvailable"`
	MaxVariables        int         `json:"maxVariables"`
	PairsExamined       int         `json:"pairsExamined"`
	MinCellRespondents  int         `json:"minCellRespondents"`
	MinCramersV         float64     `json:"minCramersV"`
	Exhaustive          bool        `json:"exhaustive"`
	PairTables          []PairTable `json:"pairTables"`
	PairTablesTruncated bool        `json:"pairTablesTruncated"`
}

// PairTable is the joint distribution of two selected variables. Each cell is
// [index of A's value, index of B's value, share of the whole table in percent],
// indices into the variables' distributions; cells of fewer than five respondents
// are left out.
type PairTable struct {
	A        string       `json:"a"`
	B        string       `json:"b"`
	CramersV float64      `json:"cramersV"`
	Cells    [][3]float64 `json:"cells"`
}

// Weights says which column weights the shares and what that costs.
type Weights struct {
	Key        string
	EffectiveN float64 // Kish: (Σw)² / Σw² over the completed rows
	Unusable   int     // completed rows without a usable weight; they count 0 in shares
}

// Analyze reads all rows twice and reviews them. It refuses sheets that hold no
// respondents (NOT_RESPONDENT_DATA, M-133), fewer than two completed rows and
// unknown keys (VALIDATION). The answer depends on the rows and options only.
func Analyze(ctx context.Context, rows Rows, o Options) (*Preview, error) {
	return analyze(ctx, rows, o)
}

// Distributions are the selected variables of a preview as axes of a population.
func Distributions(p *Preview) []grounding.Distribution { return distributions(p) }
