package grounding

import "context"

// Material is readable text that may hold figures: a file, a page, pasted text.
type Material struct {
	Title, URL, Text string
	Where            string // sheet, page or section, when one is known
	PublishedDate    string // ISO date or year; "" when unknown
	UserProvided     bool
	SourceIdx        int
}

// Composed is a population's grounding.
type Composed struct {
	Distributions   []Distribution // active axes, allocated
	Review          []Distribution // every axis known, the demoted and the weaker among them
	Sources         []Source
	Findings        []Finding
	Flagged         []Flag
	Coverage        Coverage
	HardConstraints *HardConstraints // nil when everybody may be in it
	Relations       []Relation
	Pairs           []Pair
	Summary         string
	Confidence      float64 // 0 to 1
	SuggestedMin    int     // 3 to 50 (M-60)
	Place           Place
	Locale          string // BCP 47

	Who string // whom the summary speaks of
}

// Claim is one figure that a reader says a material states.
type Claim struct {
	Material int // index of the material
	Axis     string
	Label    string
	Pct      float64 // 0 to 100
	Quote    string  // verbatim from the material
}

// Extractor finds more claims than the rules do. Each must quote its material
// verbatim; one that does not is dropped.
type Extractor interface {
	Extract(ctx context.Context, brief string, material []Material) ([]Claim, error)
}
