package restapi

import (
	"context"
	"net/http"

	"github.com/mindgate-dev/mindgate/shared/research/export"
)

// exportRequest is the body of exportStudy.
type exportRequest struct {
	Kind           string `json:"kind"`
	Format         string `json:"format"`
	Length         string `json:"length"`
	Force          bool   `json:"force"`
	ScheduledRunID string `json:"scheduledRunId"`
}

func exportStudy(ctx context.Context, c *call) (reply, error) {
	var in exportRequest
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	job, err := c.Exports.Start(ctx, export.Request{
		StudyID: c.id("studyId"), Kind: in.Kind, Format: in.Format, Length: in.Length, Force: in.Force, ScheduledRunID: in.ScheduledRunID,
	})
	if err != nil {
		return reply{}, err
	}
	return ok(data(job))
}

func getStudyExportStatus(ctx context.Context, c *call) (reply, error) {
	job, err := c.Exports.Status(ctx, c.id("studyId"), c.text("jobId"), c.text("kind"), c.text("format"))
	if err != nil {
		return reply{}, err
	}
	return ok(data(job))
}

// downloadStudyExport sends the caller to the file: a link that works for five
// minutes without a credential.
func downloadStudyExport(ctx context.Context, c *call) (reply, error) {
	link, err := c.Exports.Download(ctx, c.id("studyId"), c.text("jobId"), c.text("kind"), c.text("format"))
	if err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusFound, header: http.Header{"Location": {link}}}, nil
}
