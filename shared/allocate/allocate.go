// Package allocate turns shares into people: percentages of a population become
// exact integer quotas, and every member of a cohort gets one segment of every
// axis, so that each margin is hit to the last person, known joint figures are
// kept and hard rules hold. It is pure arithmetic: same input and seed, same
// bytes, on any machine.
//
// Libraries looked at before writing it: gonum (v0.17.0) has no minimum-cost
// flow (its graph/flow is about dominators) and no raking; its simplex is dense
// and knows no integrality beyond that of its tableau. No maintained Go library
// rakes tables, rounds them under control or allocates quotas. The three
// algorithms are therefore written here, each against published figures.
package allocate

// Modes of a cohort (M-60, M-127). An empty mode is plainly proportional.
const (
	Balanced        = "balanced"
	SegmentCoverage = "segment_coverage"
	BenchmarkDepth  = "benchmark_depth"
)

// Strategies of joining axes (M-124).
const (
	Independent = "independent" // a product of the margins
	Aligned     = "aligned"     // ordered axes low with low
	Observed    = "observed"    // reviewed pair tables
)

// Axis is one dimension of a population: its segments with their shares.
type Axis struct {
	Name      string
	Dimension string // age, gender, income, ...; none or empty when it is no standard one
	Tier      string // target, broader, general, global
	Status    string // sourced, proxy, assumed, missing
	Ordered   bool   // segments stand from low to high
	Segments  []Segment
}

// Segment is one value of an axis.
type Segment struct {
	Label     string
	Pct       float64 // share in percent as its source has it; shares of an axis need not sum to 100
	SourceIdx int     // -1 when assumed
	Barred    string  // why a hard constraint or a review bars it; empty when it may be used
	Canonical string  // the segment in the words of its dimension, e.g. feminine
}

// Relation is a hard rule between a segment of one axis and segments of another
// (M-125). subset: who is in Segment is in one of TargetSegments. excludes: in
// none of them.
type Relation struct {
	Type           string   `json:"type"` // subset | excludes
	Axis           string   `json:"distribution"`
	Segment        string   `json:"segment"`
	Target         string   `json:"targetDistribution"`
	TargetSegments []string `json:"targetSegments"`
	Stated         bool     `json:"stated"` // by the caller: impossible is a refusal, not a note
}

// Relation types.
const (
	Subset   = "subset"
	Excludes = "excludes"
)

// Dependency is a functional dependency: the segment of From decides that of To.
// Values maps labels of From to the one label of To; without it the mapping is
// read off the pair table of the two axes.
type Dependency struct {
	From   string            `json:"from"`
	To     string            `json:"to"`
	Values map[string]string `json:"values,omitempty"`
	Stated bool              `json:"stated"`
}

// Pair is an observed joint table of two axes. Shares are parts of the whole
// (fractions or percent: they are normalised). A cell listed with share 0 is
// impossible. Cells that are not listed share what is missing to 1 (or 100),
// as cells left out for being small; when nothing is missing they are impossible.
type Pair struct {
	A, B  string
	Cells []PairCell
}

// PairCell is one cell of a Pair.
type PairCell struct {
	A, B  string // labels
	Share float64
}

// Input is what a cohort is made from.
type Input struct {
	Axes         []Axis
	Members      int
	Config       Config
	Relations    []Relation
	Dependencies []Dependency
	Pairs        []Pair
	RealPersons  []int // member positions that get no invented profile (M-126)
	Mode         string
	Keep         []string       // Again: axes whose quotas are what stands, since nothing about them is new
	Discovery    map[string]any // bounds of relation discovery, echoed in the audit (M-125)
}

// Result is a cohort: who stands for what.
type Result struct {
	// Cells has one row a member and one column a used axis: the index of the
	// segment in Axes, -1 for a real person. Rows stand in an order in which
	// every block of 32 is a small balanced cohort.
	Cells      [][]int16
	Axes       []Axis // the axes used, in order, with all their segments as given
	Audit      Audit
	Weights    []float64 // target share over achieved share; all 1 when proportional
	EffectiveN float64   // Kish: (sum w)^2 / sum w^2
	Coverage   Coverage
}

// Coverage counts who was allocated (M-126).
type Coverage struct {
	MemberCount             int     `json:"memberCount"`
	AllocatedMemberCount    int     `json:"allocatedMemberCount"`
	ExcludedRealPersonCount int     `json:"excludedRealPersonCount"`
	SkipReason              *string `json:"skipReason"` // disabled | no_axes | real_persons | null
}

// Audit is the audit of the contract's CohortAllocation.
type Audit struct {
	MemberCount       int              `json:"memberCount"`
	JointStrategy     string           `json:"jointStrategy"`
	JointAssumption   string           `json:"jointAssumption"` // independent | observed | stated
	Axes              []AxisAudit      `json:"axes"`
	MinSegmentRelaxed bool             `json:"minSegmentRelaxed"`
	SegmentRelations  []RelationAudit  `json:"segmentRelations"`
	JointConsistency  JointConsistency `json:"jointConsistency"`
	EffectiveN        float64          `json:"effectiveN"`
}

// AxisAudit shows one axis: what its source says, what was aimed at, what stands.
type AxisAudit struct {
	Distribution string         `json:"distribution"`
	Segments     []SegmentAudit `json:"segments"`
	MaxDeviation int            `json:"maxDeviation"` // members, the largest |achieved - target|
}

// SegmentAudit is one row of it. A barred segment stands here with target 0.
type SegmentAudit struct {
	Label               string   `json:"label"`
	SourcePct           *float64 `json:"sourcePct"`
	NormalizedTargetPct float64  `json:"normalizedTargetPct"`
	TargetCount         int      `json:"targetCount"`
	AchievedCount       int      `json:"achievedCount"`
	Weight              float64  `json:"weight"`
}

// RelationAudit tells how a relation or dependency came out.
type RelationAudit struct {
	Type           string   `json:"type"` // subset | excludes | functionalDependency
	Distribution   string   `json:"distribution"`
	Segment        string   `json:"segment,omitempty"`
	Target         string   `json:"targetDistribution"`
	TargetSegments []string `json:"targetSegments,omitempty"`
	Stated         bool     `json:"stated"`
	Status         string   `json:"status"`     // satisfied | unsatisfied | not_applied
	Violations     int      `json:"violations"` // members
	Reason         string   `json:"reason,omitempty"`
}

// JointConsistency says how near the joint figures are to what was aimed at.
type JointConsistency struct {
	Discovery      any         `json:"discovery"` // bounds as given, or "unknown"
	Pairs          []PairAudit `json:"pairs"`     // the pairs furthest from their aim first, at most 20
	PairCount      int         `json:"pairCount"`
	UntrackedPairs int         `json:"untrackedPairs"` // pairs beyond the bound of work, left to the margins
	TotalDeviation float64     `json:"totalDeviation"` // members, sum over cells of all pairs
	Raking         []string    `json:"raking,omitempty"`
	WeightTrim     *WeightTrim `json:"weightTrim,omitempty"`
}

// PairAudit is the fit of two axes.
type PairAudit struct {
	A              string  `json:"a"`
	B              string  `json:"b"`
	Assumption     string  `json:"assumption"` // independent | observed | stated
	TotalDeviation float64 `json:"totalDeviation"`
	MaxDeviation   float64 `json:"maxCellDeviation"`
}

// WeightTrim says what trimming of weights cost.
type WeightTrim struct {
	Cap            float64 `json:"cap"` // times the mean
	Trimmed        int     `json:"trimmed"`
	MaxMarginShift float64 `json:"maxMarginShiftPct"` // points between weighted and target share
}

// Profile is the contract's CohortMemberProfile.
type Profile struct {
	MemberIndex int          `json:"memberIndex"`
	Assignments []Assignment `json:"assignments"`
}

// Assignment is one segment that a member stands for.
type Assignment struct {
	Distribution string `json:"distribution"`
	Segment      string `json:"segment"`
	SourceIdx    int    `json:"sourceIdx"`
	Dimension    string `json:"dimension,omitempty"`
	Canonical    string `json:"canonical,omitempty"`
}

// Move is a member whose cell changes under new quotas (M-144).
type Move struct {
	Member  int
	New     bool // a member that did not exist before
	Changes []Change
}

// Change is one axis of a Move; From is empty when the member had no segment of it.
type Change struct {
	Axis, Dimension, From, To string
}
