package grounding

// The evidence grades of an axis, from the strongest down (M-46, M-57).
const (
	Sourced = "sourced" // a figure with a citation, for this population
	Proxy   = "proxy"   // a cited figure for a near population or period
	Assumed = "assumed" // stated by nobody: an even or plain split, said to be one
	Missing = "missing" // nothing at all; carries no shares
)

// The tiers of an axis: how near the people counted are to the people meant.
const (
	TierTarget  = "target"  // the population itself
	TierBroader = "broader" // a population that contains it
	TierGeneral = "general" // everybody of the country
	TierGlobal  = "global"  // everybody
)

// The categories of an axis.
const (
	Demographic   = "demographic"
	Geographic    = "geographic"
	Psychographic = "psychographic"
	Behavioral    = "behavioral"
	Firmographic  = "firmographic"
)

// The names of the core pool's axes (M-46). Other axes are named after what
// the brief or the material calls them.
const (
	AxisAge            = "Age"
	AxisGender         = "Gender"
	AxisRepresentation = "Representation"
	AxisGeography      = "Geography"
	AxisEducation      = "Education"
	AxisEmployment     = "Employment"
	AxisIncome         = "Household income"
	AxisHousehold      = "Household size"
)

// Distribution is one axis of the population and the shares of its segments.
type Distribution struct {
	Name             string           `json:"name"` // unique in a population
	Distribution     []Share          `json:"distribution"`
	Status           string           `json:"status"`             // sourced | proxy | assumed | missing
	Tier             string           `json:"tier,omitempty"`     // target | broader | general | global
	Category         string           `json:"category,omitempty"` // demographic | geographic | ...
	SegmentRelations []map[string]any `json:"segmentRelations,omitempty"`

	// Reason says in one sentence what the shares rest on. The contract's shape
	// is closed, so it travels in Coverage and Findings, never here.
	Reason string `json:"-"`
	// Dimension is the key of the dimension the axis belongs to.
	Dimension string `json:"-"`
	// Ordered is true when the segments have an order (bands, levels).
	Ordered bool `json:"-"`
}

// Share is one segment of an axis.
type Share struct {
	Label     string         `json:"label"`
	Pct       float64        `json:"pct"`       // 0 to 100
	SourceIdx int            `json:"sourceIdx"` // index in Sources; -1 when assumed
	Review    map[string]any `json:"review,omitempty"`

	// Canonical is the segment in the words of its dimension (woman, employed, an
	// ISO country); it is no part of the contract's shape: Annotate restores it.
	Canonical string `json:"-"`
}

// Source is where figures come from.
type Source struct {
	URL            string  `json:"url"`
	Title          string  `json:"title"`
	Snippet        string  `json:"snippet"`
	Domain         string  `json:"domain"`
	Confidence     float64 `json:"confidence"` // 0 to 1
	PublishedDate  string  `json:"publishedDate,omitempty"`
	Tier           string  `json:"tier,omitempty"`
	IsUserProvided bool    `json:"isUserProvided,omitempty"`
}

// Finding is what one source says about one axis (SourceFinding).
type Finding struct {
	Distribution string `json:"distribution"`
	SourceIdx    int    `json:"sourceIdx"` // -1 when no source is behind it
	Status       string `json:"status"`
	Summary      string `json:"summary"`
	Quote        string `json:"quote,omitempty"` // verbatim, at most 500 characters
}

// Flag names an axis that measures what the Study is to find out, and is
// therefore kept as context and never allocated (M-53).
type Flag struct {
	Name     string `json:"name"`
	Reason   string `json:"reason"` // study_outcome
	Category string `json:"category,omitempty"`
	Tier     string `json:"tier,omitempty"`
}

// Dimension is the coverage of one dimension (M-46).
type Dimension struct {
	Key    string `json:"key"`
	Name   string `json:"name"`
	Status string `json:"status"`
	Reason string `json:"reason"`
}

// Coverage counts the dimensions by grade.
type Coverage struct {
	Sourced    int         `json:"sourced"`
	Proxy      int         `json:"proxy"`
	Assumed    int         `json:"assumed"`
	Missing    int         `json:"missing"`
	Dimensions []Dimension `json:"-"` // grounding.research.dimensionCoverage.dimensions
}

// Pair is an observed joint distribution of two axes, by their names.
type Pair struct {
	A     string     `json:"a"`
	B     string     `json:"b"`
	Cells []PairCell `json:"cells"`
}

// PairCell is one cell of a Pair; Share is its part of the whole, 0 to 1.
type PairCell struct {
	ASegment string  `json:"aSegment"`
	BSegment string  `json:"bSegment"`
	Share    float64 `json:"share"`
}

// Relation holds between a segment of one axis and segments of another: who is
// in Segment is in one of TargetSegments (subset), or in none (excludes).
type Relation struct {
	Type           string   `json:"type"` // subset | excludes
	Distribution   string   `json:"distribution"`
	Segment        string   `json:"segment"`
	Target         string   `json:"targetDistribution"`
	TargetSegments []string `json:"targetSegments"`
	Kind           string   `json:"kind"` // source | definitional
	SourceIdx      int      `json:"sourceIdx"`
	Quote          string   `json:"quote,omitempty"`
	Justification  string   `json:"justification"`
}

// HardConstraints is who may be in the population at all (M-121).
type HardConstraints struct {
	MinAge      *int       `json:"-"`
	MaxAge      *int       `json:"-"`                // nil: no upper bound
	Genders     []string   `json:"gender,omitempty"` // Woman | Man | Non-binary
	Countries   []string   `json:"country,omitempty"`
	Categorical []Required `json:"categoricalMemberships,omitempty"`
}

// Required is an axis of which every member is in one of the labels.
type Required struct {
	Axis   string   `json:"axis"`
	Labels []string `json:"labels"`
}

// Place is where the population lives.
type Place struct {
	Country string `json:"country,omitempty"` // ISO 3166-1 alpha-2; "" when unknown
	Region  string `json:"region,omitempty"`
	City    string `json:"city,omitempty"`
	Name    string `json:"name,omitempty"` // as the brief writes it
	Stated  bool   `json:"stated,omitempty"`
}
