package audience

import (
	"time"

	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// Grounding is the evidence that an Audience was composed from. An Audience
// made of existing Minds has none.
type Grounding struct {
	SnapshotID          *string                    `json:"snapshotId"`
	Distributions       []Distribution             `json:"distributions"`
	ReviewDistributions []Distribution             `json:"reviewDistributions,omitempty"`
	Sources             []GroundingSource          `json:"sources"`
	Summary             *string                    `json:"summary"`
	Confidence          float64                    `json:"confidence"`
	CreatedAt           string                     `json:"createdAt,omitempty"`
	Research            map[string]any             `json:"research"`
	AppliedToPersonas   bool                       `json:"appliedToPersonas"`
	AllocationConfig    *allocate.Config           `json:"allocationConfig"`
	AllocationAudit     *allocate.Audit            `json:"allocationAudit"`
	HardConstraints     *grounding.HardConstraints `json:"hardConstraints"`
	SourceFindings      []grounding.Finding        `json:"sourceFindings,omitempty"`
}

// GroundingSource is one piece of evidence.
type GroundingSource struct {
	URL        string  `json:"url"`
	Title      string  `json:"title"`
	Snippet    string  `json:"snippet,omitempty"`
	Domain     string  `json:"domain,omitempty"`
	Confidence float64 `json:"confidence"` // 0..1
}

// distributionsOf are axes in the shape of a read-back Audience, which leaves the
// reviewer's notes out.
func distributionsOf(in []grounding.Distribution) []Distribution {
	out := make([]Distribution, len(in))
	for i, d := range in {
		out[i] = Distribution{Name: d.Name, Distribution: make([]Segment, len(d.Distribution)), Status: d.Status, Tier: d.Tier, Category: d.Category, SegmentRelations: d.SegmentRelations}
		for k, s := range d.Distribution {
			out[i].Distribution[k] = Segment{s.Label, s.Pct, s.SourceIdx}
		}
	}
	return out
}

func groundingSourcesOf(in []grounding.Source) []GroundingSource {
	out := make([]GroundingSource, len(in))
	for i, s := range in {
		out[i] = GroundingSource{s.URL, s.Title, s.Snippet, s.Domain, s.Confidence}
	}
	return out
}

// Source is one record of what the Audience was made from.
type Source struct {
	ID        string  `json:"id"`
	Kind      string  `json:"kind"` // brief | adjustment | keyword | link | file
	Text      *string `json:"text,omitempty"`
	URL       *string `json:"url,omitempty"`
	Filename  *string `json:"filename,omitempty"`
	CreatedAt string  `json:"createdAt,omitempty"`
}

// dimension is the coverage of one dimension (M-46).
type dimension struct {
	Dimension string `json:"dimension"`
	Name      string `json:"name,omitempty"`
	Status    string `json:"status"`
	Reason    string `json:"reason"`
}

func dimensionsOf(in []grounding.Dimension) []dimension {
	out := make([]dimension, len(in))
	for i, d := range in {
		out[i] = dimension{d.Key, d.Name, d.Status, d.Reason}
	}
	return out
}

func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := clock.Stamp(t)
	return &s
}
