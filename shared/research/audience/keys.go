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
//	w#<ws>#team-audiences           <inverted updatedAt>#<inverted id>   its row in the list of the workspace, while it is shared with the team
//	w#<ws>#<account>#shared-audiences  <the same>           its row in the list of who it is shared with directly
//	public-audiences                <the same>              its row in the list of everybody, while it is public (global, see account)
//	public-audience#<id>            audience                in whose workspace a public Audience is (global)
//	share#<share id>                audience                which Audience a link shows (global)
//	w#<ws>#<owner>#drafting         <operation id>          a creation that may have no Audience yet, for 7 days
//	w#<ws>#<account>#follows        <id>                    an Audience that the account saved
//	w#<ws>#audience#<id>            gone                    what is left to do after its deletion
//	w#<ws>#audience#<id>            lease                   who uses the Audience: runs, or a change of it
//	w#<ws>#recalibration#<id>       recalibration           a change of an Audience by recalibration or research, for 7 days
//	w#<ws>#operation#<id>           operation               a preview or a creation from a brief, for 7 days
//	w#<ws>#<owner>#reviewed         <sha256>                the composition behind a snapshot that a preview returned, for 7 days
//
// Creations with a key stand in the idempotency table as create_audience of
// their account, for 24 hours; those from a brief as audience_preview and
// audience_creation, for six.

func recordKey(workspace, id string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(workspace) + "audience#" + id, SK: "audience"}
}

func listPK(workspace, owner string) string {
	return account.WorkspacePrefix(workspace) + owner + "#audiences"
}

func listKey(workspace, owner, id string, updatedAt time.Time) records.Key {
	return records.Key{PK: listPK(workspace, owner), SK: mind.NewestFirst(updatedAt, id)}
}

func operationKey(workspace, id string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(workspace) + "operation#" + id, SK: "operation"}
}

func reviewedKey(workspace, owner, checksum string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(workspace) + owner + "#reviewed", SK: checksum}
}

func leaseKey(workspace, audienceID string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(workspace) + "audience#" + audienceID, SK: "lease"}
}

func recalibrationKey(workspace, id string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(workspace) + "recalibration#" + id, SK: "recalibration"}
}

func teamPK(workspace string) string {
	return account.WorkspacePrefix(workspace) + "team-audiences"
}

func directPK(workspace, accountID string) string {
	return account.WorkspacePrefix(workspace) + accountID + "#shared-audiences"
}

const publicPK = "public-audiences"

func publicKey(id string) records.Key {
	return records.Key{PK: "public-audience#" + id, SK: "audience"}
}

func shareKey(share string) records.Key {
	return records.Key{PK: "share#" + share, SK: "audience"}
}

func followsPK(workspace, accountID string) string {
	return account.WorkspacePrefix(workspace) + accountID + "#follows"
}

func goneKey(workspace, id string) records.Key {
	return records.Key{PK: account.WorkspacePrefix(workspace) + "audience#" + id, SK: "gone"}
}

func draftingPK(workspace, owner string) string {
	return account.WorkspacePrefix(workspace) + owner + "#drafting"
}
