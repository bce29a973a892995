package plandraft

import (
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package.
//
//	w#<ws>#plans#<study>   drafts        which drafts the Study has, oldest first (indexRow)
//	w#<ws>#plans#<study>   d#<draft id>  a draft with references to its revisions (draftRow)
//
// The plans themselves stand in blobs, one a revision. Idempotent operation:
// plan_study_questions, within a Study; it refers to <draft id>/<revision>.
const (
	skIndex     = "drafts"
	prefixDraft = "d#"
)

func pk(ws, study string) string { return account.WorkspacePrefix(ws) + "plans#" + study }

func indexKey(ws, study string) records.Key {
	return records.Key{PK: pk(ws, study), SK: skIndex}
}

func draftKey(ws, study, draft string) records.Key {
	return records.Key{PK: pk(ws, study), SK: prefixDraft + draft}
}

// indexRow lists the drafts that are kept.
type indexRow struct {
	Drafts []string `json:"drafts"`
}

// draftRow is a draft. Revisions are ascending; the last is the current one.
type draftRow struct {
	ID        string        `json:"id"`
	Status    string        `json:"status"`
	RunID     string        `json:"runId,omitempty"`
	Created   time.Time     `json:"created"`
	Revisions []revisionRow `json:"revisions"`

	version int64
}

type revisionRow struct {
	N    int       `json:"n"`
	Plan blobs.Ref `json:"plan"`
	At   time.Time `json:"at"`
}

func (d draftRow) current() revisionRow { return d.Revisions[len(d.Revisions)-1] }

func (d draftRow) revision(n int) (revisionRow, bool) {
	for _, r := range d.Revisions {
		if r.N == n {
			return r, true
		}
	}
	return revisionRow{}, false
}
