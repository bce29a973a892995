package jobs

import "github.com/mindgate-dev/mindgate/shared/records"

// Keys of this package.
//
//	w#<ws>#jobs   <job id>    a queued or running job; gone once it is settled
//	                           field started: when a sweep started it
//	G1: jobs#open   <queued at>#<job id>   every open job, oldest first
const (
	openPK       = "jobs#open"
	fieldStarted = "started"
)

func key(j Job) records.Key {
	return records.Key{PK: "w#" + j.Workspace + "#jobs", SK: j.ID}
}
