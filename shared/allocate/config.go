package allocate

// Config holds the caller's allocation controls, as the tools' cohortAllocation.
type Config struct {
	Enabled                   *bool      `json:"enabled,omitempty"`
	Seed                      string     `json:"seed,omitempty"`
	DistributionNames         []string   `json:"distributionNames,omitempty"`
	MaxDistributions          int        `json:"maxDistributions,omitempty"` // 0: no cap
	MinSegmentCount           int        `json:"minSegmentCount,omitempty"`
	TargetOverrides           []Override `json:"targetOverrides,omitempty"`
	JointStrategy             string     `json:"jointStrategy,omitempty"`
	IncludeProfilesInResponse bool       `json:"includeProfilesInResponse,omitempty"`
}

// Override changes the target shares of named segments of one axis.
type Override struct {
	Distribution string          `json:"distribution"`
	Segments     []OverrideShare `json:"segments"`
}

// OverrideShare is one changed share, in percent.
type OverrideShare struct {
	Label string  `json:"label"`
	Pct   float64 `json:"pct"`
}
