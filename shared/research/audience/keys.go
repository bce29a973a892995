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
// Creations with a key stand in the idempotency table as create_audience of
// their account, for 24 hours.

func recordKey(workspace, id string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(workspace) + "audience#" + id, SK: "audience"}
}

func listPK(workspace, owner string) string {
	return account.WorkspacePrefix(workspace) + owner + "#audiences"
}

func listKey(workspace, owner, id string, updatedAt time.Time) records.Key {
	return records.Key{PK: listPK(workspace, owner), SK: mind.NewestFirst(updatedAt, id)}
}
