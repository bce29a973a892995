package export

import (
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package. All rows expire with the file, after Kept.
//
//	w#<ws>#export#<job>           job                      the job (row)
//	w#<ws>#study#<id>#exports     cache#<cache key>        the job of one exact request (field job)
//	w#<ws>#study#<id>#exports     newest#<kind>#<format>   the newest job of a kind and format (field job)
const (
	skJob    = "job"
	fieldJob = "job"
)

func jobKey(ws, job string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(ws) + "export#" + job, SK: skJob}
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
