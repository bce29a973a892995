package dataset

import (
	"encoding/json"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package.
//
//	w#<ws>#<owner>#dataset#<digest of the request>   review   one review, its job and its end; goes after a day
//	w#<ws>#dataset#<digest of content and request>   seen     what was seen in a file (blobs.Ref); stays until a sweep has removed that
//	G1: datasets#seen   <end>#<digest>                        everything that was seen, by when it is to go
//
// What was seen is a blob under w/<ws>/d/<digest>, of that row alone.

func reviewKey(ws, owner, review string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(ws) + owner + "#dataset#" + review, SK: "review"}
}

func seenKey(ws, content string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(ws) + "dataset#" + content, SK: "seen"}
}

const seenPK = "datasets#seen"

func blobPrefix(ws, content string) string { return "w/" + ws + "/d/" + content }

// States of a review.
const (
	queued    = "queued"
	completed = "completed"
	failed    = "failed"
)

// row is the stored review.
type row struct {
	ID        string     `json:"id"`  // the digest of the request
	Job       string     `json:"job"` // the execution that may settle it
	Workspace string     `json:"workspace"`
	Owner     string     `json:"owner"`
	Name      string     `json:"name"`
	URL       string     `json:"url"`
	Sheet     string     `json:"sheet,omitempty"`
	Columns   []string   `json:"columns,omitempty"`
	Stored    bool       `json:"stored,omitempty"` // here, where a file never changes
	Status    string     `json:"status"`
	Seen      *blobs.Ref `json:"seen,omitempty"`
	Refusal   *refusal   `json:"refusal,omitempty"`
	CreatedAt time.Time  `json:"createdAt"`
	EndedAt   time.Time  `json:"endedAt,omitzero"`
}

// refusal is the error of a review that failed.
type refusal struct {
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Data    map[string]any `json:"data,omitempty"`
}

func (r row) settled() bool { return r.Status == completed || r.Status == failed }

func (r row) request() Request {
	return Request{Name: r.Name, URL: r.URL, Sheet: r.Sheet, Columns: r.Columns}
}

func (r row) item() records.Item {
	body, _ := json.Marshal(r) // plain data always encodes
	return records.Item{Key: reviewKey(r.Workspace, r.Owner, r.ID), Body: body, ExpiresAt: r.CreatedAt.Add(kept)}
}

func (r row) job() jobs.Job {
	input, _ := json.Marshal(JobInput{Job: r.Job, Workspace: r.Workspace, Account: r.Owner, Review: r.ID})
	return jobs.Job{ID: r.Job, Machine: Machine, Workspace: r.Workspace, Account: r.Owner, Input: input, QueuedAt: r.CreatedAt, Deadline: r.CreatedAt.Add(deadline)}
}
