package account

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package.
//
// Global rows, the only ones outside a tenant's prefix:
//
//	key#<sha256 of the secret>   key     an API key (KeyRow)
//	name#<account name>          account the account of a name
//	share#<share id>             share   (written by research) the Study that a share id shows
//	share#<share id>             mind    (written by research) the Mind that a share id shows
//	share#<share id>             audience  (written by research) the Audience that a share id shows
//	public-audiences             <newest first>  (written by research) the Audiences that everybody sees
//	public-audience#<id>         audience  (written by research) the workspace of one of them
//	issuer#<sha256 of both>      account the account of an OAuth issuer's subject
//
// Tenant rows:
//
//	w#<ws>#account#<account>     account   the account itself
//	w#<ws>#account#<account>     key#<id>  its keys, for listing
//	w#<ws>#account#<account>     usage#<counter>      what it owns now, and what is held
//	w#<ws>#account#<account>     held#<counter>       what of it is held for a creation under way
//	w#<ws>#usage                 responses#<yyyy-mm>  responses of a month, shared by the workspace
//	w#<ws>#account#<account>     window#<name>        a sliding window of recent calls
//	w#<ws>#advances              <id>                 responses taken for work under way (index 1: advances, by time)
const (
	skKey     = "key"
	skAccount = "account"
)

// WorkspacePrefix starts every partition key of a tenant.
func WorkspacePrefix(workspace string) string { return "w#" + workspace + "#" }

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func keyByHash(hash string) records.Key {
	return records.Key{PK: "key#" + hash, SK: skKey}
}

// subjectHash is of both parts in an order that no other two parts give: an
// issuer is a URL and has no line feed.
func subjectHash(issuer, subject string) string {
	return hashOf(strings.TrimSuffix(issuer, "/") + "\n" + subject)
}

func subjectKey(issuer, subject string) records.Key {
	return records.Key{PK: "issuer#" + subjectHash(issuer, subject), SK: skAccount}
}

func nameKey(name string) records.Key {
	return records.Key{PK: "name#" + name, SK: skAccount}
}

func accountPK(workspace, account string) string {
	return WorkspacePrefix(workspace) + "account#" + account
}

func accountKey(workspace, account string) records.Key {
	return records.Key{PK: accountPK(workspace, account), SK: skAccount}
}

func ownKey(workspace, account, id string) records.Key {
	return records.Key{PK: accountPK(workspace, account), SK: "key#" + id}
}

func usageKey(workspace, account string, what Counter) records.Key {
	return records.Key{PK: accountPK(workspace, account), SK: "usage#" + string(what)}
}

func heldKey(workspace, account string, what Counter) records.Key {
	return records.Key{PK: accountPK(workspace, account), SK: "held#" + string(what)}
}

func responsesKey(workspace string, month time.Time) records.Key {
	return records.Key{PK: WorkspacePrefix(workspace) + "usage", SK: "responses#" + month.UTC().Format("2006-01")}
}

// advancesPK is the first index's partition of open advances of all workspaces.
const advancesPK = "advances"

func advanceKey(workspace, id string) records.Key {
	return records.Key{PK: WorkspacePrefix(workspace) + "advances", SK: id}
}

func advanceSK(at time.Time, id string) string { return clock.Stamp(at) + "#" + id }

func windowKey(workspace, account, name string) records.Key {
	return records.Key{PK: accountPK(workspace, account), SK: "window#" + name}
}
