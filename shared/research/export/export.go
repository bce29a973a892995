// Package export makes the files of a Study: reports and raw data. An export is
// a job; the same request on unchanged results is the same job, and its file is
// kept for 30 days (M-221, M-222).
package export

// The kinds of a Study's exports.
const (
	ExecutiveBrief = "executive_brief"
	FullReport     = "full_report"
	RawData        = "raw_data"
)

// The states of an export; Idle means that nothing was made yet.
const (
	Idle       = "idle"
	Queued     = "queued"
	Processing = "processing"
	Completed  = "completed"
	Failed     = "failed"
)

// Request asks for one file.
type Request struct {
	StudyID        string
	Kind           string // empty: full_report, or raw_data with a data format
	Format         string // md | markdown | csv; others are refused by name until they are made
	Length         string // brief | short | standard | detailed; ignored for raw data
	Force          bool   // a new job even if the file is there
	ScheduledRunID string // no schedules yet: NOT_FOUND when set
}

// Job is one export as callers see it.
type Job struct {
	StudyID       string   `json:"studyId"`
	JobID         string   `json:"jobId,omitempty"`
	Kind          string   `json:"kind,omitempty"`
	Format        string   `json:"format,omitempty"` // canonical: md, never markdown
	Status        string   `json:"status"`
	Progress      *float64 `json:"progress,omitempty"`
	Filename      *string  `json:"filename,omitempty"`
	MimeType      *string  `json:"mimeType,omitempty"`
	GeneratedAt   *string  `json:"generatedAt,omitempty"`
	DownloadURL   *string  `json:"downloadUrl,omitempty"` // our own download operation
	Error         *string  `json:"error,omitempty"`
	ErrorCode     *string  `json:"errorCode,omitempty"` // EXPORT_FAILED
	SourceVersion *string  `json:"sourceVersion,omitempty"`
	WorkspaceURL  string   `json:"-"`
}
