package knowledge

import (
	"crypto/sha256"
	"fmt"

	"github.com/google/uuid"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Keys of this package.
//
//	w#<ws>#knowledge#<mind>      id#<item>                             where the item's row stands
//	w#<ws>#knowledge#<mind>      list#<inverted createdAt>#<inverted id>   the item, newest first
//	w#<ws>#content#<sha256>.<kind>  meta                               parsed content, whole once it is there
//	w#<ws>#content#<sha256>.<kind>  passages#<n>                          its passages, in blocks
//	w#<ws>#content#<sha256>.<kind>  evidence                              its published distribution
//
// Content stands once in a workspace, whatever number of Minds was given it.
// Files are blobs under w/<ws>.

func itemsPK(workspace, mindID string) string {
	return account.WorkspacePrefix(workspace) + "knowledge#" + mindID
}

func pointerKey(workspace, mindID, itemID string) records.Key {
	return records.Key{PK: itemsPK(workspace, mindID), SK: "id#" + itemID}
}

const listPrefix = "list#"

func rowKey(r row) records.Key {
	return records.Key{PK: itemsPK(r.Workspace, r.MindID), SK: listPrefix + mind.NewestFirst(r.CreatedAt, r.ID)}
}

func contentPK(workspace, content string) string {
	return account.WorkspacePrefix(workspace) + "content#" + content
}

func metaKey(workspace, content string) records.Key {
	return records.Key{PK: contentPK(workspace, content), SK: "meta"}
}

func evidenceKey(workspace, content string) records.Key {
	return records.Key{PK: contentPK(workspace, content), SK: "evidence"}
}

func blockKey(workspace, content string, n int) records.Key {
	return records.Key{PK: contentPK(workspace, content), SK: fmt.Sprintf("passages#%06d", n)}
}

func blobPrefix(workspace string) string { return "w/" + workspace }

// itemSpace separates the ids made here from all other derived ids.
var itemSpace = uuid.MustParse("5d2c1f0a-6f0e-4c55-9a57-6f1f6a0c8d11")

// itemID is the id of a content in a workspace (a version 8 UUID of the digest).
// Minds that were given the same file have an item of the same id, so that an
// answer drawn from it names one source for all of them, and the same file
// given twice to one Mind is one item.
func itemID(workspace, content string) string {
	return uuid.NewHash(sha256.New(), itemSpace, []byte(workspace+"#"+content), 8).String()
}
