package knowledge

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Keys of this package.
//
//	w#<ws>#knowledge#<mind>      id#<item>                             where the item's row stands
//	w#<ws>#knowledge#<mind>      list#<inverted createdAt>#<inverted id>   the item, newest first
//	w#<ws>#knowledge#<mind>      search#<job>                          a keyword search that runs
//	w#<ws>#knowledge#<mind>      size                                  how many bytes its sources take (counter)
//	w#<ws>#patterns#<mind>       next                                  the next pattern id, and how many there are
//	w#<ws>#patterns#<mind>       item#<inverted createdAt>#<inverted id>   the patterns of one item, newest first
//	w#<ws>#content#<content>     refs                                  how many items hold the content (counter)
//	w#<ws>#content#<content>     meta                                  the parsed content, whole once it is there
//	w#<ws>#content#<content>#<make>  passages#<n>                      its passages, in blocks
//	w#<ws>#content#<content>#<make>  evidence                          its published distribution
//	w#<ws>#content#<content>#<make>  patterns                          its patterns
//	w#<ws>#content#<content>#<make>  vectors#<space>#<from>            vectors of a run of passages (a blob)
//	w#<ws>#content               gone#<content>#<make>                 a making that is being removed
//	w#<ws>#content               loose#<content>                       a content that an item let go of
//	w#<ws>#content               left#<time>#<job>                     what a job may have left, or may still leave
//	w#<ws>#content               taken#<time>#<job>                    a file that is being taken in
//
// A content is <SHA-256>.<kind>; it stands once in a workspace, whatever number
// of Minds was given it. A making is one parse of it, named by the job and the
// item that did it: rows and blobs of a making belong to it alone, so removing
// one can never hurt another. Its blobs stand under w/<ws>/k/<make>.

func itemsPK(workspace, mindID string) string {
	return account.WorkspacePrefix(workspace) + "knowledge#" + mindID
}

func pointerKey(workspace, mindID, itemID string) records.Key {
	return records.Key{PK: itemsPK(workspace, mindID), SK: "id#" + itemID}
}

const (
	listPrefix    = "list#"
	searchPrefix  = "search#"
	patternPrefix = "item#"
	vectorPrefix  = "vectors#"
	gonePrefix    = "gone#"
	loosePrefix   = "loose#"
	takenPrefix   = "taken#"
	leftPrefix    = "left#"
)

func rowKey(r row) records.Key {
	return records.Key{PK: itemsPK(r.Workspace, r.MindID), SK: listPrefix + mind.NewestFirst(r.CreatedAt, r.ID)}
}

func searchKey(workspace, mindID, jobID string) records.Key {
	return records.Key{PK: itemsPK(workspace, mindID), SK: searchPrefix + jobID}
}

func sizeKey(workspace, mindID string) records.Key {
	return records.Key{PK: itemsPK(workspace, mindID), SK: "size"}
}

func patternsPK(workspace, mindID string) string {
	return account.WorkspacePrefix(workspace) + "patterns#" + mindID
}

func nextKey(workspace, mindID string) records.Key {
	return records.Key{PK: patternsPK(workspace, mindID), SK: "next"}
}

func patternsKey(r row) records.Key {
	return records.Key{PK: patternsPK(r.Workspace, r.MindID), SK: patternPrefix + mind.NewestFirst(r.CreatedAt, r.ID)}
}

func contentPK(workspace, content string) string {
	return account.WorkspacePrefix(workspace) + "content#" + content
}

func refsKey(workspace, content string) records.Key {
	return records.Key{PK: contentPK(workspace, content), SK: "refs"}
}

func metaKey(workspace, content string) records.Key {
	return records.Key{PK: contentPK(workspace, content), SK: "meta"}
}

// making is one parse of a content. Those of earlier releases have no name.
type making struct{ workspace, content, name string }

func (m making) pk() string {
	if m.name == "" {
		return contentPK(m.workspace, m.content)
	}
	return contentPK(m.workspace, m.content) + "#" + m.name
}

func (m making) key(sk string) records.Key { return records.Key{PK: m.pk(), SK: sk} }

func (m making) blockKey(n int) records.Key { return m.key(fmt.Sprintf("passages#%06d", n)) }

func (m making) vectorsKey(space embed.Space, from int) records.Key {
	return m.key(fmt.Sprintf("%s%s#%06d", vectorPrefix, space, from))
}

func (m making) prefix() string { return blobPrefix(m.workspace, m.name) }

func gonePK(workspace string) string { return account.WorkspacePrefix(workspace) + "content" }

func (m making) goneKey() records.Key {
	return records.Key{PK: gonePK(m.workspace), SK: gonePrefix + m.content + "#" + m.name}
}

func looseKey(workspace, content string) records.Key {
	return records.Key{PK: gonePK(workspace), SK: loosePrefix + content}
}

func takenKey(workspace string, at time.Time, jobID string) records.Key {
	return records.Key{PK: gonePK(workspace), SK: takenPrefix + clock.Stamp(at) + "#" + jobID}
}

func leftKey(workspace string, at time.Time, jobID string) records.Key {
	return records.Key{PK: gonePK(workspace), SK: leftPrefix + clock.Stamp(at) + "#" + jobID}
}

// makeName names what one job makes of one item.
func makeName(jobID, itemID string) string {
	return uuid.NewHash(sha256.New(), itemSpace, []byte(jobID+"#"+itemID), 8).String()
}

// blobPrefix is where the blobs of one making stand.
func blobPrefix(workspace, name string) string { return "w/" + workspace + "/k/" + name }

// itemSpace separates the ids made here from all other derived ids.
var itemSpace = uuid.MustParse("5d2c1f0a-6f0e-4c55-9a57-6f1f6a0c8d11")

// itemID is the id of a content, or of an address, in a workspace (a version 8
// UUID of its digest). Minds that were given the same file have an item of the
// same id, so that an answer drawn from it names one source for all of them, and
// the same file given twice to one Mind is one item.
func itemID(workspace, content string) string {
	return uuid.NewHash(sha256.New(), itemSpace, []byte(workspace+"#"+content), 8).String()
}
