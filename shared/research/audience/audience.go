// Package audience keeps Audiences: ordered lists of Minds that a Study asks
// together.
package audience

import (
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

// States of an Audience (M-49).
const (
	Drafting    = "drafting"
	Creating    = "creating"
	Calibrating = "calibrating"
	Ready       = "ready"
	Failed      = "failed"
)

// Audience is the record of one Audience.
type Audience struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"` // 1..100 characters, trimmed
	Owner       string    `json:"owner"`
	Workspace   string    `json:"workspace"`
	MemberIDs   []string  `json:"memberIds"` // in the order given, no id twice
	LinkSharing bool      `json:"isLinkSharingEnabled,omitempty"`
	CreatedAt   time.Time `json:"createdAt"`
	UpdatedAt   time.Time `json:"updatedAt"`

	// IsPublic and SharedWithTeam, with LinkSharing, say who else sees it.
	// PublicShareID is made when one of the links is switched on for the first
	// time, and kept; it is a link only while one of them is true (M-4).
	IsPublic       bool   `json:"isPublic,omitempty"`
	SharedWithTeam bool   `json:"isSharedWithTeam,omitempty"`
	PublicShareID  string `json:"publicShareId,omitempty"`
	// People are the accounts of the workspace that it is shared with directly, by
	// role: admin or member.
	People map[string]Role `json:"people,omitempty"`

	// State is empty for ready, Creating while members are written, or Failed.
	// MemberIDs is empty until the write that makes it ready: nobody sees half a
	// cohort. Planned is how many there will be.
	State     string   `json:"state,omitempty"`
	Failure   *Failure `json:"failure,omitempty"`
	Planned   int      `json:"planned,omitempty"`
	Operation string   `json:"operation,omitempty"` // jobId of the creation from a brief

	// Of an Audience that was made from a brief; zero for one of existing Minds.
	Mode      string         `json:"audienceCreationMode,omitempty"` // as applied
	Sources   []SourceRecord `json:"sources,omitempty"`
	Grounding *GroundingRef  `json:"grounding,omitempty"`
	Cohort    *blobs.Ref     `json:"cohort,omitempty"`   // a Cohort
	Evidence  *blobs.Ref     `json:"evidence,omitempty"` // []simulate.Evidence that every member answers from

	Research    ResearchState     `json:"research,omitzero"`
	Calibration *CalibrationState `json:"calibration,omitempty"` // nil: none runs

	// Copy is set while a duplicate is made, and when that failed.
	Copy *CopyState `json:"copy,omitempty"`

	version int64
}

// Base is what every view of an Audience starts with. Minds is set only when
// asked for.
type Base struct {
	ID                   string   `json:"id"`
	Name                 string   `json:"name"`
	MindCount            int      `json:"mindCount"`
	Minds                []Member `json:"minds,omitempty"`
	CurrentMemberRole    string   `json:"currentMemberRole"`
	IsPublic             bool     `json:"isPublic"`
	IsSharedWithTeam     bool     `json:"isSharedWithTeam"`
	IsLinkSharingEnabled bool     `json:"isLinkSharingEnabled"`
	WorkspaceURL         string   `json:"workspaceUrl"`
	SharedAudienceURL    *string  `json:"sharedAudienceUrl"`
	CreatedAt            string   `json:"createdAt"` // RFC 3339, UTC, milliseconds
	UpdatedAt            string   `json:"updatedAt"`

	// PublicShareID is set while a link is active, for REST alone.
	PublicShareID *string `json:"-"`
}

// Summary is an Audience as lists show it.
type Summary struct {
	Base
	State    string   `json:"state"`
	Research Research `json:"research"`
}

// Member is a Mind as its Audience shows it.
type Member struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Discipline *string `json:"discipline"`
}

// Detail is an Audience whole.
type Detail struct {
	ID                   string         `json:"id"`
	Name                 string         `json:"name"`
	MindCount            int            `json:"mindCount"`
	Minds                []DetailMember `json:"minds"`
	CurrentMemberRole    string         `json:"currentMemberRole"`
	Grounding            *Grounding     `json:"grounding"`
	Coverage             Coverage       `json:"coverage"`
	Research             Research       `json:"research"`
	Sources              []Source       `json:"sources"`
	Calibration          Calibration    `json:"calibration"`
	IsPublic             bool           `json:"isPublic"`
	IsSharedWithTeam     bool           `json:"isSharedWithTeam"`
	IsLinkSharingEnabled bool           `json:"isLinkSharingEnabled"`
	WorkspaceURL         string         `json:"workspaceUrl"`
	SharedAudienceURL    *string        `json:"sharedAudienceUrl"`
	CreatedAt            string         `json:"createdAt"`
	UpdatedAt            string         `json:"updatedAt"`
	State                string         `json:"state"`
	DerivedDistributions []Distribution `json:"derivedDistributions"`
}

// DetailMember is a member with its segment of every allocated axis; nil when
// it was never allocated.
type DetailMember struct {
	Member
	CohortProfile map[string]string `json:"cohortProfile"`
}

// Research is the state of background research.
type Research struct {
	Phase       string  `json:"phase"` // none | researching | applying | done | failed
	StartedAt   *string `json:"startedAt"`
	CompletedAt *string `json:"completedAt"`
	Error       *string `json:"error"`
}

// Coverage counts dimensions by their level of evidence (M-46).
type Coverage struct {
	Sourced int `json:"sourced"`
	Proxy   int `json:"proxy"`
	Assumed int `json:"assumed"`
	Missing int `json:"missing"`
}

// Calibration marks a running recalibration.
type Calibration struct {
	Active    bool    `json:"active"`
	StartedAt *string `json:"startedAt"`
}

// Distribution is one axis with the shares of its segments in percent.
type Distribution struct {
	Name         string    `json:"name"`
	Distribution []Segment `json:"distribution"`
	Status       string    `json:"status,omitempty"`
	Tier         string    `json:"tier,omitempty"`
	Category     string    `json:"category,omitempty"`
	// SegmentRelations tie a segment to segments of other axes.
	SegmentRelations []map[string]any `json:"segmentRelations,omitempty"`
}

// Segment is one share of an axis. SourceIdx is -1 when it has no source.
type Segment struct {
	Label     string  `json:"label"`
	Pct       float64 `json:"pct"`
	SourceIdx int     `json:"sourceIdx"`
}

// CreateRequest asks for a new Audience. Key (at most 128 characters; blank or
// longer is ignored) replays an earlier equal call within 24 hours.
type CreateRequest struct {
	Name        string
	MindIDs     []string
	Key         string
	LinkSharing bool

	id string // of the Audience to be
}

// Created is a new Audience, or the one that an earlier call with the key made.
type Created struct {
	Audience Audience
	Replayed bool
}
