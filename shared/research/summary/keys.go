package summary

import (
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package, in the partition of the Study, so that they go with it.
//
//	w#<ws>#study#<id>   summary#latest      which length was written last (field length)
//	w#<ws>#study#<id>   summary#<length>    a summary of that length (row)
const (
	skLatest    = "summary#latest"
	prefixOf    = "summary#"
	fieldLength = "length"
)

func studyPK(ws, study string) string { return account.WorkspacePrefix(ws) + "study#" + study }

func latestKey(ws, study string) records.Key {
	return records.Key{PK: studyPK(ws, study), SK: skLatest}
}

func rowKey(ws, study, length string) records.Key {
	return records.Key{PK: studyPK(ws, study), SK: prefixOf + length}
}
