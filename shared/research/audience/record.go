package audience

import (
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

// Failure says why an Audience is failed. Message is safe to show.
type Failure struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
}

// GroundingRef points to the grounding of an Audience, with what lists and
// counts need of it, so that they read no blob.
type GroundingRef struct {
	SnapshotID string    `json:"snapshotId"` // UUID; every change of the grounding has a new one
	Body       blobs.Ref `json:"body"`       // a Ground, see ground.go
	Coverage   Coverage  `json:"coverage"`
	CreatedAt  time.Time `json:"createdAt"`
}

// Phases of background research (M-43).
const (
	ResearchNone = "none"
	Researching  = "researching"
	Applying     = "applying"
	ResearchDone = "done"
	// A research that failed keeps what was assumed.
	ResearchFailed = "failed"
)

// ResearchState is the stored state of background research; the zero value is
// the phase none.
type ResearchState struct {
	Phase       string    `json:"phase,omitempty"`
	JobID       string    `json:"jobId,omitempty"` // execution that may change it
	StartedAt   time.Time `json:"startedAt,omitzero"`
	CompletedAt time.Time `json:"completedAt,omitzero"`
	Error       string    `json:"error,omitempty"` // safe text
}

// CalibrationState marks a recalibration that runs. Who runs it beats; after
// 30 minutes without a beat it may be cleared as failed (M-146).
type CalibrationState struct {
	JobID     string    `json:"jobId"` // execution that may change it
	Kind      string    `json:"kind"`  // recalibrate | deepen
	StartedAt time.Time `json:"startedAt"`
	BeatAt    time.Time `json:"beatAt"`
	Progress  int       `json:"progress,omitempty"` // 0..100
}

// Kinds of SourceRecord.
const (
	SourceBrief      = "brief"
	SourceAdjustment = "adjustment"
	SourceKeyword    = "keyword"
	SourceLink       = "link"
	SourceFile       = "file"
)

// SourceRecord is one thing an Audience was made from, in the order in which it
// was given. A text above 4,000 bytes stands in Body, and Text has its beginning.
type SourceRecord struct {
	ID        string     `json:"id"` // UUID
	Kind      string     `json:"kind"`
	Text      string     `json:"text,omitempty"`
	Body      *blobs.Ref `json:"body,omitempty"`
	URL       string     `json:"url,omitempty"`
	Filename  string     `json:"filename,omitempty"`
	Digest    string     `json:"digest,omitempty"` // SHA-256 of the bytes that were read
	CreatedAt time.Time  `json:"createdAt"`
}

// Cohort is the blob behind Audience.Cohort: which segment of every allocated
// axis each member stands for.
type Cohort struct {
	Axes    []CohortAxis   `json:"axes"`
	Members []CohortMember `json:"members"` // in the order of MemberIDs when it was written
	Groups  []CohortGroup  `json:"groups,omitempty"`
}

// CohortGroup is who those are that an instruction added, where its words say more
// of them than the axes do: they stay so in every later version of theirs.
type CohortGroup struct {
	Population string   `json:"population,omitempty"`
	Roles      []string `json:"roles,omitempty"`
	Required   []string `json:"required,omitempty"`
	Country    string   `json:"country,omitempty"` // ISO 3166-1 alpha-2
	Region     string   `json:"region,omitempty"`
	Locale     string   `json:"locale,omitempty"`
}

// CohortAxis names one allocated axis.
type CohortAxis struct {
	Name      string   `json:"name"`
	Dimension string   `json:"dimension,omitempty"` // as in grounding
	Segments  []string `json:"segments"`
	// Dropped says that the axis is no longer allocated: what its members were is
	// kept for when it comes back.
	Dropped bool `json:"dropped,omitempty"`
}

// CohortMember is one member's cell. Segments has a position in
// CohortAxis.Segments for every axis; -1: this member was not allocated, as a
// real person is not.
type CohortMember struct {
	MindID   string  `json:"mindId"`
	Index    int     `json:"index"` // position in the cohort, from 0, kept for life
	Segments []int16 `json:"segments"`
	Weight   float64 `json:"weight"`          // target share / achieved share; 1 when proportional
	Group    int     `json:"group,omitempty"` // position in Cohort.Groups, from 1; 0 for none
}

// Profile gives a member's segments by axis name; nil when it has none.
func (c Cohort) Profile(m CohortMember) map[string]string {
	out := make(map[string]string, len(c.Axes))
	for i, a := range c.Axes {
		if !a.Dropped && i < len(m.Segments) && m.Segments[i] >= 0 && int(m.Segments[i]) < len(a.Segments) {
			out[a.Name] = a.Segments[m.Segments[i]]
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// ShownState is the one state that every side shows (M-49).
func (a Audience) ShownState() string {
	switch {
	case a.State == Failed, a.State == Creating:
		return a.State
	case a.Calibration != nil:
		return Calibrating
	}
	return Ready
}
