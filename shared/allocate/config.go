package allocate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Config holds the caller's allocation controls, as the tools' cohortAllocation.
type Config struct {
	Enabled                   *bool      `json:"enabled,omitempty"` // default true
	Seed                      string     `json:"seed,omitempty"`    // at most 200 characters
	DistributionNames         []string   `json:"distributionNames,omitempty"`
	MaxDistributions          int        `json:"maxDistributions,omitempty"` // 0: no cap
	MinSegmentCount           int        `json:"minSegmentCount,omitempty"`  // 0 to 20
	TargetOverrides           []Override `json:"targetOverrides,omitempty"`
	JointStrategy             string     `json:"jointStrategy,omitempty"` // empty: observed with pair tables, else independent
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

// Limits of the controls (the contract's section 23 and tool schema).
const (
	maxNames    = 500
	maxSegments = 200
	maxFloor    = 20
	maxSeed     = 200
)

// ParseConfig reads the controls from JSON. Nothing (or null) is the default.
// Errors are VALIDATION and name the field.
func ParseConfig(raw []byte) (Config, error) {
	var c Config
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return c, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return Config{}, fault.New(fault.Validation, "cohortAllocation cannot be read as the allocation controls of the tool's schema: send an object such as {\"seed\":\"a\",\"minSegmentCount\":1}.")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Config{}, fault.New(fault.Validation, "cohortAllocation holds more than one JSON value: send one object.")
	}
	return c, c.Check()
}

// Check holds the controls to their limits. Errors are VALIDATION.
func (c Config) Check() error {
	bad := func(field, rule string) error {
		return fault.New(fault.Validation, "cohortAllocation.%s %s.", field, rule).With("path", "/cohortAllocation/"+field)
	}
	switch {
	case utf8.RuneCountInString(c.Seed) > maxSeed:
		return bad("seed", "has at most 200 characters")
	case len(c.DistributionNames) > maxNames:
		return bad("distributionNames", "names at most 500 axes")
	case c.MaxDistributions < 0 || c.MaxDistributions > maxNames:
		return bad("maxDistributions", "is a number from 1 to 500")
	case c.MinSegmentCount < 0 || c.MinSegmentCount > maxFloor:
		return bad("minSegmentCount", "is a number from 0 to 20")
	case len(c.TargetOverrides) > maxNames:
		return bad("targetOverrides", "changes at most 500 axes")
	case !slices.Contains([]string{"", Independent, Aligned, Observed}, c.JointStrategy):
		return bad("jointStrategy", "is independent, aligned or observed")
	}
	axes := make(map[string]bool, len(c.TargetOverrides))
	for _, o := range c.TargetOverrides {
		if axes[o.Distribution] {
			return bad("targetOverrides", "names an axis once; merge the entries of one axis")
		}
		axes[o.Distribution] = true
		if len(o.Segments) > maxSegments {
			return bad("targetOverrides", "changes at most 200 segments of an axis")
		}
		labels := make(map[string]bool, len(o.Segments))
		for _, s := range o.Segments {
			if labels[s.Label] {
				return bad("targetOverrides", "names a segment once in its axis")
			}
			labels[s.Label] = true
			if math.IsNaN(s.Pct) || s.Pct < 0 || s.Pct > 100 {
				return bad("targetOverrides", "has a pct from 0 to 100 in every segment")
			}
		}
	}
	return nil
}

// enabled tells whether members are allocated at all; that is the default.
func (c Config) enabled() bool { return c.Enabled == nil || *c.Enabled }
