package export

import (
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package. All rows but file expire with the file, after Kept; file
// stays until a sweep has removed the file that it names.
//
//	w#<ws>#export#<job>           job                      the job (row)
//	w#<ws>#export#<job>           file                     the job's file (blobs.Ref)
//	G1: exports#files             <end>#<job>              every file, by when it is to go
//	w#<ws>#study#<id>#exports     cache#<cache key>        the job of one exact request (field job)
//	w#<ws>#study#<id>#exports     newest#<kind>#<format>   the newest job of a kind and format (field job)
const (
	skJob    = "job"
	skFile   = "file"
	filesPK  = "exports#files"
	fieldJob = "job"
)

func jobKey(ws, job string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(ws) + "export#" + job, SK: skJob}
}

func fileKey(ws, job string) records.Key {
	return records.Key{PK: jobKey(ws, job).PK, SK: skFile}
}

func exportsPK(ws, study string) string {
	return account.WorkspacePrefix(ws) + "study#" + study + "#exports"
}

func cacheKey(ws, study, key string) records.Key {
	return records.Key{PK: exportsPK(ws, study), SK: "cache#" + key}
}

func newestKey(ws, study, kind, format string) records.Key {
	return records.Key{PK: exportsPK(ws, study), SK: "newest#" + kind + "#" + format}
}
