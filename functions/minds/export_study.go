package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/export"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ExportStudy starts an export, joins the one that runs, or gives the file that
// is there.
var ExportStudy = tool.New("export_study",
	func(ctx context.Context, in ExportStudyInput) (ExportStudyResult, error) {
		r := research.From(ctx)
		s, err := r.Studies.Resolve(ctx, in.StudyID, in.StudyName)
		if err != nil {
			return ExportStudyResult{}, err
		}
		job, err := r.Exports.Start(ctx, export.Request{StudyID: s.ID, Kind: in.kind(), Format: in.Format,
			Length: in.Length, Force: in.Force, ScheduledRunID: in.ScheduledRunID})
		if err != nil {
			return ExportStudyResult{}, err
		}
		return ExportStudyResult{StudyID: s.ID, Kind: job.Kind, Format: job.Format, JobID: job.JobID, Status: job.Status,
			DownloadURL: job.DownloadURL, WorkspaceURL: s.WorkspaceURL}, nil
	})

// ExportStudyInput says which file is wanted.
type ExportStudyInput struct {
	StudyID        string `json:"studyId"`
	StudyName      string `json:"studyName"`
	Format         string `json:"format"` // default pdf
	Kind           string `json:"kind"`   // default full_report; csv, xls and sav imply raw_data
	Length         string `json:"length"` // default standard
	Force          bool   `json:"force"`
	ScheduledRunID string `json:"scheduledRunId"`
}

// kind leaves out a default that was filled in beside a data format, which
// implies its own.
func (in ExportStudyInput) kind() string {
	switch in.Format {
	case "csv", "xls", "sav":
		if in.Kind == export.FullReport {
			return ""
		}
	}
	return in.Kind
}

// ExportStudyResult is the job; DownloadURL is set when its file is there.
type ExportStudyResult struct {
	StudyID      string  `json:"studyId"`
	Kind         string  `json:"kind"`
	Format       string  `json:"format"`
	JobID        string  `json:"jobId"`
	Status       string  `json:"status"`
	DownloadURL  *string `json:"downloadUrl"`
	WorkspaceURL string  `json:"workspaceUrl"`
}
