package audience

import (
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Keys of this package.
//
//	w#<ws>#audience#<id>            audience                the Audience
//	w#<ws>#<owner>#audiences        <inverted updatedAt>#<inverted id>   its row in the owner's list, most recently updated first
//
// and in the idempotency table, for creations with a key (24 hours):
//
//	w#<ws>#<owner>#create_audience  key#<key>

func recordKey(workspace, id string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(workspace) + "audience#" + id, SK: "audience"}
}

func listPK(workspace, owner string) string {
	return account.WorkspacePrefix(workspace) + owner + "#audiences"
}

func listKey(workspace, owner, id string, updatedAt time.Time) records.Key {
	return records.Key{PK: listPK(workspace, owner), SK: mind.NewestFirst(updatedAt, id)}
}

func replayKey(workspace, owner, key string) records.Key {
	return records.Key{Table: records.Idempotency, PK: account.WorkspacePrefix(workspace) + owner + "#create_audience", SK: "key#" + key}
}
