package jobs

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// knowledgeTasks are the tasks of the ingestion machine: KnowledgeIngest, and
// KnowledgeIngestFail when it gave up.
func knowledgeTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"KnowledgeIngest": acting(r, func(ctx context.Context, in ingestJob) (done, error) {
			return done{"settled"}, r.Knowledge.Ingest(ctx, in.Mind, in.Item, in.Job)
		}),
		"KnowledgeIngestFail": acting(r, func(ctx context.Context, in ingestFailure) (done, error) {
			reason := "The file could not be processed because of a mistake on our side. Send it again."
			if in.Error == "States.Timeout" {
				reason = "Processing the file took too long and was ended. Send it again, or split it."
			}
			j := in.Job
			return done{"failed"}, r.Knowledge.Fail(ctx, j.Mind, j.Item, j.Job, reason)
		}),
	}
}

// ingestJob is the input of an ingestion.
type ingestJob struct {
	Job       string `json:"job"`
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
	Mind      string `json:"mind"`
	Item      string `json:"item"`
}

type ingestFailure struct {
	Job   ingestJob `json:"job"`
	Error string    `json:"error"` // name of the task error
}
