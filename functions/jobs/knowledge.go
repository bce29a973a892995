package jobs

import (
	"context"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// knowledgeTasks are the tasks of the ingestion machine: KnowledgeIngest in a
// loop, and KnowledgeIngestFail when it gave up; and of the search machine:
// KnowledgeSearch, KnowledgeRead in a loop once a page, KnowledgeSearchSettle,
// and KnowledgeSearchFail.
func knowledgeTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"KnowledgeIngest": acting(r, func(ctx context.Context, in ingestJob) (whole, error) {
			return finished(r.Knowledge.Ingest(ctx, in.Mind, in.Item, in.Job))
		}),
		"KnowledgeIngestFail": acting(r, func(ctx context.Context, in ingestFailure) (done, error) {
			reason := "The source could not be processed because of a mistake on our side. Add it again."
			if outOfTime(in.Error) || in.Error == "Transient" {
				reason = "Processing the source took too long or met trouble that did not pass, and was ended. Add it again, or split it."
			}
			j := in.Job
			return done{"failed"}, r.Knowledge.Fail(ctx, j.Mind, j.Item, j.Job, reason)
		}),
		"KnowledgeSearch": acting(r, func(ctx context.Context, in mindJob) (foundItems, error) {
			items, err := r.Knowledge.SearchNow(ctx, in.Mind, in.Job)
			if items == nil {
				items = []string{}
			}
			return foundItems{items}, err
		}),
		"KnowledgeRead": acting(r, func(ctx context.Context, in pageJob) (whole, error) {
			return finished(r.Knowledge.IngestNow(ctx, in.Job.Mind, in.Item, in.Job.Job))
		}),
		"KnowledgeSearchSettle": acting(r, func(ctx context.Context, in mindJob) (done, error) {
			return done{"settled"}, r.Knowledge.EndSearch(ctx, in.Mind, in.Job)
		}),
		"KnowledgeSearchFail": acting(r, func(ctx context.Context, in mindFailure) (done, error) {
			return done{"failed"}, r.Knowledge.EndSearch(ctx, in.Job.Mind, in.Job.Job)
		}),
	}
}

// finished tells the loop of a machine whether to call again.
func finished(err error) (whole, error) {
	if errors.Is(err, knowledge.ErrUnfinished) {
		return whole{false}, nil
	}
	return whole{err == nil}, err
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

// foundItems are the items that a search made.
type foundItems struct {
	Items []string `json:"items"`
}

// pageJob is one page that a search found.
type pageJob struct {
	Job  mindJob `json:"job"`
	Item string  `json:"item"`
}
