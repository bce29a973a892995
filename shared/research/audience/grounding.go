package audience

// Grounding is the evidence that an Audience was composed from. An Audience
// made of existing Minds has none.
type Grounding struct {
	SnapshotID          *string           `json:"snapshotId"`
	Distributions       []Distribution    `json:"distributions"`
	ReviewDistributions []Distribution    `json:"reviewDistributions,omitempty"`
	Sources             []GroundingSource `json:"sources"`
	Summary             *string           `json:"summary"`
	Confidence          float64           `json:"confidence"`
	CreatedAt           string            `json:"createdAt,omitempty"`
	Research            map[string]any    `json:"research"`
	AppliedToPersonas   bool              `json:"appliedToPersonas"`
	AllocationConfig    map[string]any    `json:"allocationConfig"`
	AllocationAudit     map[string]any    `json:"allocationAudit"`
	HardConstraints     map[string]any    `json:"hardConstraints"`
	SourceFindings      []map[string]any  `json:"sourceFindings,omitempty"`
}

// GroundingSource is one piece of evidence.
type GroundingSource struct {
	URL        string  `json:"url"`
	Title      string  `json:"title"`
	Snippet    string  `json:"snippet,omitempty"`
	Domain     string  `json:"domain,omitempty"`
	Confidence float64 `json:"confidence"` // 0..1
}

// Source is one record of what the Audience was made from.
type Source struct {
	ID        string  `json:"id"`
	Kind      string  `json:"kind"` // brief | adjustment | keyword | link | file
	Text      *string `json:"text"`
	URL       *string `json:"url"`
	Filename  *string `json:"filename"`
	CreatedAt string  `json:"createdAt,omitempty"`
}
