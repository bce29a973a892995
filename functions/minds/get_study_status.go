package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// GetStudyStatus reads a Study: what is in progress, what is settled, what
// failed and, on request, one export job. Reading it changes nothing.
var GetStudyStatus = tool.New("get_study_status",
	func(ctx context.Context, in GetStudyStatusInput) (StudyStatus, error) {
		r := research.From(ctx)
		s, err := r.Studies.Resolve(ctx, in.StudyID, in.StudyName)
		if err != nil {
			return StudyStatus{}, err
		}
		st, err := r.Studies.Status(ctx, s.ID, in.QuestionID)
		if err != nil {
			return StudyStatus{}, err
		}
		out := studyStatus(st)
		if in.ExportKind != "" || in.ExportFormat != "" {
			job, err := r.Exports.Status(ctx, s.ID, in.ExportJobID, in.ExportKind, in.ExportFormat)
			if err != nil {
				return StudyStatus{}, err
			}
			out.ExportStatus = &ExportStatus{Kind: job.Kind, Format: job.Format, JobID: job.JobID, Status: job.Status,
				Progress: job.Progress, DownloadURL: job.DownloadURL, Error: job.Error, ErrorCode: job.ErrorCode,
				Filename: job.Filename, MimeType: job.MimeType, GeneratedAt: job.GeneratedAt}
		}
		return out, nil
	})

// GetStudyStatusInput names the Study and, if wanted, one question and one
// export job.
type GetStudyStatusInput struct {
	StudyID      string `json:"studyId"`
	StudyName    string `json:"studyName"`
	QuestionID   string `json:"questionId"`
	ExportKind   string `json:"exportKind"`
	ExportFormat string `json:"exportFormat"`
	ExportJobID  string `json:"exportJobId"`
}

// StudyStatus is a Study with its questions by how far they are.
type StudyStatus struct {
	StudyID              string                 `json:"studyId"`
	Name                 string                 `json:"name"`
	Locale               string                 `json:"locale"`
	MessageCount         int                    `json:"messageCount"`
	Audiences            []study.AudienceRef    `json:"audiences"`
	ActiveQuestions      []study.QuestionResult `json:"activeQuestions"`
	RecentResults        []study.QuestionResult `json:"recentResults"`
	FailedQuestions      []study.QuestionResult `json:"failedQuestions"`
	Runs                 []StudyRun             `json:"runs"`
	ExportStatus         *ExportStatus          `json:"exportStatus,omitempty"`
	IsLinkSharingEnabled bool                   `json:"isLinkSharingEnabled"`
	PublicShareID        *string                `json:"publicShareId"`
	WorkspaceURL         string                 `json:"workspaceUrl"`
	SharedStudyURL       *string                `json:"sharedStudyUrl"`
	CreatedAt            string                 `json:"createdAt"`
	UpdatedAt            string                 `json:"updatedAt"`
}

// StudyRun is one durable run.
type StudyRun struct {
	RunID       string         `json:"runId"`
	Status      string         `json:"status"`
	Progress    study.Progress `json:"progress"`
	QuestionID  *string        `json:"questionId"`
	CreatedAt   string         `json:"createdAt"`
	CompletedAt *string        `json:"completedAt,omitempty"`
}

// ExportStatus is the state of the export job that was asked for; idle means
// that nothing was made yet.
type ExportStatus struct {
	Kind        string   `json:"kind"`
	Format      string   `json:"format"`
	JobID       string   `json:"jobId,omitempty"`
	Status      string   `json:"status"`
	Progress    *float64 `json:"progress"`
	DownloadURL *string  `json:"downloadUrl"`
	Error       *string  `json:"error"`
	ErrorCode   *string  `json:"errorCode"`
	Filename    *string  `json:"filename"`
	MimeType    *string  `json:"mimeType"`
	GeneratedAt *string  `json:"generatedAt,omitempty"`
}

func studyStatus(st study.Status) StudyStatus {
	out := StudyStatus{
		StudyID: st.Study.ID, Name: st.Study.Name, Locale: study.Locale, MessageCount: st.Study.MessageCount, Audiences: st.Audiences,
		ActiveQuestions: st.Active, RecentResults: st.Recent, FailedQuestions: st.FailedQuestions, Runs: make([]StudyRun, len(st.Runs)),
		IsLinkSharingEnabled: st.Study.IsLinkSharingEnabled, PublicShareID: st.Study.PublicShareID,
		WorkspaceURL: st.Study.WorkspaceURL, SharedStudyURL: st.Study.SharedStudyURL,
		CreatedAt: st.Study.CreatedAt, UpdatedAt: st.Study.UpdatedAt,
	}
	for i, r := range st.Runs {
		out.Runs[i] = StudyRun{RunID: r.RunID, Status: r.Status, Progress: r.Progress, QuestionID: r.QuestionID,
			CreatedAt: r.CreatedAt, CompletedAt: r.CompletedAt}
	}
	return out
}
