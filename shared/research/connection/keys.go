package connection

import (
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Keys of this package.
//
//	w#<ws>#connections   c#<id>         a connection (row)
//	w#<ws>#connections   r#<id>         one that was revoked: when it was made, and no more (row)
//	w#<ws>#connections   count          counter of connections that are not revoked
//	w#<ws>#connections   d#<secret id>  a secret to be removed from the vault (dropRow); G1 "connections#drop", by time
//	w#<ws>#tokens        <yyyy-mm>#<id>#<what>   counter of calls or tokens of a connection in a month (UTC)
const (
	prefixRow     = "c#"
	prefixRevoked = "r#"
	prefixDrop    = "d#"
	skCount       = "count"
	dropPK        = "connections#drop"
)

func pkOf(ws string) string { return account.WorkspacePrefix(ws) + "connections" }

func rowKey(ws, id string) records.Key {
	return records.Key{PK: pkOf(ws), SK: prefixRow + id}
}

func revokedKey(ws, id string) records.Key {
	return records.Key{PK: pkOf(ws), SK: prefixRevoked + id}
}

func countKey(ws string) records.Key { return records.Key{PK: pkOf(ws), SK: skCount} }

func dropKey(ws, secretID string) records.Key {
	return records.Key{PK: pkOf(ws), SK: prefixDrop + secretID}
}

func dropSK(at time.Time) string { return clock.Stamp(at) }

func tokensPK(ws string) string { return account.WorkspacePrefix(ws) + "tokens" }

func tokensKey(ws, month, id, what string) records.Key {
	return records.Key{PK: tokensPK(ws), SK: month + "#" + id + "#" + what}
}
