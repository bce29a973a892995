package simulate

import "errors"

// Origins of evidence: whether the Mind itself or its Audience was given it.
const (
	OriginMind     = "mind_knowledge"
	OriginAudience = "audience_grounding"
)

// ErrNotEvidence says that a JSON document is no published distribution at all;
// it is then ordinary text, not a mistake.
var ErrNotEvidence = errors.New("simulate: the document is no published distribution")

// Evidence is one published or imported distribution: a question, the shares of
// its answers, and where they come from.
type Evidence struct {
	ID          string        `json:"id,omitempty"` // knowledge item or source id, set by the owner
	Question    string        `json:"question"`
	Options     []OptionShare `json:"options"`
	Multiselect bool          `json:"multiselect,omitempty"` // shares are each of all asked and need not sum to 1
	N           *int          `json:"n,omitempty"`           // base; nil when the source does not state it
	Source      string        `json:"source,omitempty"`
	Dates       string        `json:"dates,omitempty"`
	Population  string        `json:"population,omitempty"`
	URL         string        `json:"url,omitempty"`
	Breakdowns  []Breakdown   `json:"breakdowns,omitempty"`
	Origin      string        `json:"origin,omitempty"` // OriginMind | OriginAudience
	Digest      string        `json:"digest,omitempty"` // SHA-256 of the figures and wording, set by ParseEvidence
}

// OptionShare is one answer label with its share of the base, 0..1.
type OptionShare struct {
	Label string  `json:"label"`
	Share float64 `json:"share"`
}

// Breakdown is the distribution in one group, shares in the order of Options.
type Breakdown struct {
	Dimension string    `json:"dimension"` // age, gender, region, education, …
	Group     string    `json:"group"`     // "18-29", "Female", …
	N         *int      `json:"n,omitempty"`
	Shares    []float64 `json:"shares"`
}
