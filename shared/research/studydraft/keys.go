package studydraft

import (
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package.
//
//	w#<ws>#<owner>#studydrafts   a#<id>   a draft that can be gone on with, or is being launched (row)
//	w#<ws>#<owner>#studydrafts   c#<id>   the tombstone of a consumed one (row)
//
// Payloads are snapshots. Idempotent operation: save_study_draft (of an account;
// refers to a draft), forgotten with the draft or tombstone.
const (
	prefixActive   = "a#"
	prefixConsumed = "c#"
)

func listPK(ws, owner string) string { return account.WorkspacePrefix(ws) + owner + "#studydrafts" }

func activeKey(ws, owner, id string) records.Key {
	return records.Key{PK: listPK(ws, owner), SK: prefixActive + id}
}

func consumedKey(ws, owner, id string) records.Key {
	return records.Key{PK: listPK(ws, owner), SK: prefixConsumed + id}
}
