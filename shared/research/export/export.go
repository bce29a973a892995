// Package export makes the files of a Study: reports and raw data. An export is
// a job; the same request on unchanged results is the same job, and its file is
// kept for 30 days (M-221, M-222).
package export

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

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

// Service is the domain of exports.
type Service struct{}

var errSoon = fault.New(fault.Internal, "Exports are being built.")

// Start queues an export, joins the one that runs, or gives the finished one.
// UNSUPPORTED_EXPORT_COMBINATION, PLAN_LIMIT (exports), NOT_FOUND.
func (s *Service) Start(ctx context.Context, r Request) (Job, error) { return Job{}, errSoon }

// Status reads one export job. Without a job id it gives the newest file of that
// kind and format, or Idle. An unknown job id is NOT_FOUND (M-221).
func (s *Service) Status(ctx context.Context, studyID, jobID, kind, format string) (Job, error) {
	return Job{}, errSoon
}

// Download gives a link to the finished file that works for 5 minutes.
// VALIDATION while the job is not completed, NOT_FOUND if there is none.
func (s *Service) Download(ctx context.Context, studyID, jobID, kind, format string) (string, error) {
	return "", errSoon
}
