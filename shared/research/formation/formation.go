// Package formation keeps Formations: saved splits of an Audience into buckets,
// into exactly one of which every member is sorted by a job.
package formation

import (
	"time"

	"github.com/mindgate-dev/mindgate/shared/jobs"
)

// Machine is the state machine that sorts.
const Machine = "formation"

// States of a Formation (M-159).
const (
	Building = "building"
	Ready    = "ready"
	Failed   = "failed"
)

// Where a Formation comes from: a default of its Audience, or a person.
const (
	Auto   = "auto"
	Manual = "manual"
)

// Who sees a Formation (M-157): everybody who sees its Audience, or only who made it.
const (
	Shared  = "shared"
	Private = "viewer_private"
)

// Phases of a build (M-154), in order.
const (
	Classify  = "classify"
	Reconcile = "reconcile"
	Ask       = "ask"
)

// Hypothesizing is the phase of every preview.
const Hypothesizing = "hypothesizing"

// Bounds of section 23.
const (
	MaxMembers  = 1000
	SoftMembers = 50
	MaxBody     = 64 << 10 // bytes of JSON that preview and create take
	MaxInput    = 2000     // characters of userInput
	PageSize    = 100

	minBuckets    = 2
	maxBuckets    = 15
	maxName       = 200
	maxIntent     = 500
	maxID         = 120
	maxLabel      = 200
	maxDefinition = 2000

	window    = time.Minute      // identical creates are one
	silence   = 10 * time.Minute // a build without a heartbeat may be taken up
	buildTime = 30 * time.Minute // a build that has not settled has failed
	recovered = 100              // builds taken up when a first page is opened

	chunk     = 50  // members looked at in one task
	threshold = .35 // a lower score assigns nobody
)

// Texts of a failed build; nothing of its inside is shown.
const (
	tooFewBuckets = "fewer than two populated subgroups"
	tookTooLong   = "the build took too long"
	notCompleted  = "the build could not be completed"
)

// otherLabel names the auxiliary bucket.
const otherLabel = "Other"

// Bucket is one part of a split, as a person states it.
type Bucket struct {
	ID         string `json:"id"`
	Label      string `json:"label"`
	Definition string `json:"definition"`
}

// Hypothesis is a split: what it is by, and its 2 to 15 buckets.
type Hypothesis struct {
	Intent    string   `json:"intent"`
	Subgroups []Bucket `json:"subgroups"`
}

// Progress of a build. FailureReason is set when it failed.
type Progress struct {
	Phase         string `json:"phase"`
	Done          int    `json:"done"`
	Total         int    `json:"total"`
	FailureReason string `json:"failureReason,omitempty"`
}

// Count is how many members a bucket has.
type Count struct {
	Memberships int `json:"memberships"`
}

// CountedSubgroup is a bucket as lists show it.
type CountedSubgroup struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	IsAuxiliary bool   `json:"isAuxiliary"`
	Position    int    `json:"position"`
	Count       Count  `json:"_count"`
}

// Membership is one member of a bucket. Confidence is nil when nothing measures it.
type Membership struct {
	MindID     string   `json:"mindId"`
	Confidence *float64 `json:"confidence"`
}

// Subgroup is a bucket with its members.
type Subgroup struct {
	ID          string       `json:"id"`
	Label       string       `json:"label"`
	Definition  *string      `json:"definition"` // nil: the auxiliary one
	IsAuxiliary bool         `json:"isAuxiliary"`
	Position    int          `json:"position"`
	Memberships []Membership `json:"memberships"`
}

// Base is what every view of a Formation has.
type Base struct {
	ID              string  `json:"id"`
	Name            string  `json:"name"`
	Status          string  `json:"status"`
	Source          string  `json:"source"`
	DimensionKey    *string `json:"dimensionKey"`
	Visibility      string  `json:"visibility"`
	CanMutate       bool    `json:"canMutate"`
	CreatedByUserID string  `json:"createdByUserId"`
}

// Summary is a Formation in lists. Counts are final only when it is ready.
type Summary struct {
	Base
	Subgroups []CountedSubgroup `json:"subgroups"`
	CreatedAt string            `json:"createdAt"` // RFC 3339, UTC, milliseconds
	UpdatedAt string            `json:"updatedAt"`
}

// Detail is a Formation whole. While it builds, Subgroups are those of the last
// build that was completed (M-155).
type Detail struct {
	Base
	Hypothesis Hypothesis `json:"hypothesis"`
	Progress   *Progress  `json:"progress"`
	Subgroups  []Subgroup `json:"subgroups"`
	CreatedAt  string     `json:"createdAt"`
	UpdatedAt  string     `json:"updatedAt"`
}

// Started is a Formation whose build was begun or joined.
type Started struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Status string `json:"status"`
}

// Preview is a proposed split; nothing of it is stored.
type Preview struct {
	MemberCount     int        `json:"memberCount"`
	SoftWarn        bool       `json:"softWarn"`
	HardCapExceeded bool       `json:"hardCapExceeded"`
	Phase           string     `json:"phase"`
	Hypothesis      Hypothesis `json:"hypothesis"`
}

// Page is one page of a list. Total counts all that the caller may see.
type Page struct {
	AudienceID string
	Rows       []Summary
	Total      int
	Limit      int
	Offset     int
}

// Next is where the next page begins; nil on the last one.
func (p Page) Next() *int {
	if next := p.Offset + len(p.Rows); len(p.Rows) > 0 && next < p.Total {
		return &next
	}
	return nil
}

// record is a stored Formation.
type record struct {
	ID           string     `json:"id"`
	AudienceID   string     `json:"audienceId"`
	Workspace    string     `json:"workspace"` // the Audience's
	Owner        string     `json:"owner"`     // of the Audience; jobs act for it
	CreatedBy    string     `json:"createdBy"`
	Name         string     `json:"name"`
	Source       string     `json:"source"`
	DimensionKey string     `json:"dimensionKey,omitempty"`
	Visibility   string     `json:"visibility"`
	Hypothesis   Hypothesis `json:"hypothesis"`
	// BucketIDs are the ids of the buckets, kept for life; the last is the
	// auxiliary one's.
	BucketIDs []string          `json:"bucketIds"`
	Status    string            `json:"status"`
	Progress  *Progress         `json:"progress,omitempty"`
	Counts    []CountedSubgroup `json:"counts,omitempty"` // of the last completed build
	CreatedAt time.Time         `json:"createdAt"`
	UpdatedAt time.Time         `json:"updatedAt"`
	DeletedAt time.Time         `json:"deletedAt,omitzero"`

	// Of the build that runs. Build names it over all its jobs.
	Build     string    `json:"build,omitempty"`
	Job       *jobs.Job `json:"job,omitempty"`
	StartedAt time.Time `json:"startedAt,omitzero"`
	BeatAt    time.Time `json:"beatAt,omitzero"`

	version int64
}

// row is a Formation's line in its Audience's list.
type row struct {
	ID           string            `json:"id"`
	Name         string            `json:"name"`
	Status       string            `json:"status"`
	Source       string            `json:"source"`
	DimensionKey string            `json:"dimensionKey,omitempty"`
	Visibility   string            `json:"visibility"`
	CreatedBy    string            `json:"createdBy"`
	Counts       []CountedSubgroup `json:"counts,omitempty"`
	CreatedAt    time.Time         `json:"createdAt"`
	UpdatedAt    time.Time         `json:"updatedAt"`
}

func (r record) row() row {
	return row{r.ID, r.Name, r.Status, r.Source, r.DimensionKey, r.Visibility, r.CreatedBy, r.Counts, r.CreatedAt, r.UpdatedAt}
}

// buckets is the result of the last completed build.
type buckets struct {
	Build     string     `json:"build"`
	Subgroups []Subgroup `json:"subgroups"`
}

// work is how far a build has come: positions of Members sorted so far.
type work struct {
	Build   string    `json:"build"`
	Members []string  `json:"members"`
	Places  []place   `json:"places"` // what each bucket stands for
	Phase   string    `json:"phase"`
	Done    int       `json:"done"`             // of Members in Classify, of Open in Ask
	From    int       `json:"from,omitempty"`   // members before it are placed
	Best    []int8    `json:"best"`             // bucket by member, -1: none
	Score   []float64 `json:"score"`            // by member; -1: placed, but not measured; -2: in none of the buckets
	Open    []int     `json:"open,omitempty"`   // members nobody could place, by position
	Settled bool      `json:"settled,omitzero"` // every member is placed

	version int64
}
