package formation

import (
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Keys of this package. <ws> is the workspace of the Audience, also for what a
// viewer of another one made.
//
//	w#<ws>#formation#<id>             formation   the Formation
//	w#<ws>#formation#<id>             buckets     the members of the last completed build
//	w#<ws>#formation#<id>             work        how far a running build has come
//	w#<ws>#audience#<aid>#formations  <inverted createdAt>#<inverted id>   its row in the Audience's list, newest first
//	w#<ws>#audience#<aid>#dimensions  <dimension key>   the default that was seeded for it, once and for ever
//	w#<ws>#audience#<aid>#building    <startedAt>#<id>  while it builds
//
// Equal creates stand in the idempotency table as create_formation of their
// account, for 60 seconds.

func formationPK(workspace, id string) string {
	return account.WorkspacePrefix(workspace) + "formation#" + id
}

func recordKey(workspace, id string) records.Key {
	return records.Key{PK: formationPK(workspace, id), SK: "formation"}
}

func bucketsKey(workspace, id string) records.Key {
	return records.Key{PK: formationPK(workspace, id), SK: "buckets"}
}

func workKey(workspace, id string) records.Key {
	return records.Key{PK: formationPK(workspace, id), SK: "work"}
}

func audiencePK(workspace, audienceID, of string) string {
	return account.WorkspacePrefix(workspace) + "audience#" + audienceID + "#" + of
}

func listKey(r record) records.Key {
	return records.Key{PK: audiencePK(r.Workspace, r.AudienceID, "formations"), SK: mind.NewestFirst(r.CreatedAt, r.ID)}
}

func dimensionKey(workspace, audienceID, key string) records.Key {
	return records.Key{PK: audiencePK(workspace, audienceID, "dimensions"), SK: key}
}

func buildingKey(r record) records.Key {
	return records.Key{PK: audiencePK(r.Workspace, r.AudienceID, "building"), SK: stamp(r.StartedAt) + "#" + r.ID}
}

func stamp(t time.Time) string { return clock.Stamp(t) }
