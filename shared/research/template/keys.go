package template

import (
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package.
//
//	w#<ws>#template#<id>         template   the template (row)
//	w#<ws>#template#<id>         used       counter of its uses
//	w#<ws>#<owner>#templates     <id>       one of the owner's
//	w#<ws>#templates             <id>       one that is shared with the team
//
// Configurations are snapshots, copied files blobs under w/<ws>/templates/<id>.
// Idempotent operation: save_study_template (of an account; refers to a template).
// It outlives the template, so that a late retry brings none back.
const (
	skTemplate = "template"
	skUsed     = "used"
)

func templatePK(ws, id string) string { return account.WorkspacePrefix(ws) + "template#" + id }

func templateKey(ws, id string) records.Key {
	return records.Key{PK: templatePK(ws, id), SK: skTemplate}
}

func usedKey(ws, id string) records.Key { return records.Key{PK: templatePK(ws, id), SK: skUsed} }

func ownPK(ws, owner string) string { return account.WorkspacePrefix(ws) + owner + "#templates" }

func teamPK(ws string) string { return account.WorkspacePrefix(ws) + "templates" }

func filesPrefix(ws, id string) string { return "w/" + ws + "/templates/" + id }
