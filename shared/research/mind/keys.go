package mind

import (
	"fmt"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package.
//
//	w#<ws>#mind#<id>             mind                    the Mind
//	w#<ws>#mind#<id>             gone                    what is left to clean up of a deleted Mind
//	share#<share id>             mind                    which Mind a link shows (global, see account)
//	w#<ws>#<owner>#minds         <inverted createdAt>#<inverted id>   its row in the owner's list, newest first
//	w#<ws>#<owner>#slots         next                    the next home slot (counter)
//
// Creations stand in the idempotency table as create_mind of their account: by
// key for 24 hours, by arguments for 10 seconds from the first call.

func recordKey(workspace, id string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(workspace) + "mind#" + id, SK: "mind"}
}

func goneKey(workspace, id string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(workspace) + "mind#" + id, SK: "gone"}
}

func shareKey(share string) records.Key {
	return records.Key{PK: "share#" + share, SK: "mind"}
}

func listPK(workspace, owner string) string {
	return account.WorkspacePrefix(workspace) + owner + "#minds"
}

func listKey(m Mind) records.Key {
	return records.Key{PK: listPK(m.Workspace, m.Owner), SK: NewestFirst(m.CreatedAt, m.ID)}
}

func slotKey(workspace, owner string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(workspace) + owner + "#slots", SK: "next"}
}

// NewestFirst is a sort key that puts later times first, and of equal times the
// larger id. Its width is fixed.
func NewestFirst(t time.Time, id string) string {
	return fmt.Sprintf("%013d#%s", 9_999_999_999_999-t.UnixMilli(), strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return rune("fedcba9876543210"[r-'0'])
		case r >= 'a' && r <= 'f':
			return rune("543210"[r-'a'])
		}
		return r
	}, id))
}
