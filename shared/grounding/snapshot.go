package grounding

// Snapshot is what a reviewer accepts: the content of reviewedGroundingJson
// before its canonical encoding (M-51, M-58).
type Snapshot struct {
	Version             int              `json:"version"` // 1
	Kind                string           `json:"kind"`    // preview | import
	InputsSHA256        *string          `json:"inputsSha256"`
	AllocationSHA256    *string          `json:"allocationSha256"`
	MemberCount         *int             `json:"memberCount"`
	Distributions       []Distribution   `json:"distributions"`
	ReviewDistributions []Distribution   `json:"reviewDistributions"`
	Sources             []Source         `json:"sources"`
	HardConstraints     *HardConstraints `json:"hardConstraints"`
	Files               []SnapshotFile   `json:"files"`
}

// SnapshotFile is a file that the figures were read from.
type SnapshotFile struct {
	Name   string `json:"name"`
	URL    string `json:"url"`
	SHA256 string `json:"sha256"` // lower-case hex of its bytes
}
