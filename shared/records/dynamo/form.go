package dynamo

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// write is one write in the form that DynamoDB takes, single or in a
// transaction: exactly one of item (put), update, and neither (delete or check).
type write struct {
	table  *string
	key    attributes
	item   attributes
	update *string
	cond   *string // nil is none
	e      *expr
}

// pin says over which item a put is written: the version that must stand there,
// 0 for none (or an expired one), unpinned for whatever is there.
type pin int64

const unpinned pin = -1

// updateRoom is what the text of an update may add to the size of its request,
// which counts against the limit of an item as the item does.
const updateRoom = 1 << 10

// firstPin is where an action starts. A put that is too near the limit for an
// update starts at the guess that nothing is there; a refusal tells the version.
func firstPin(a records.Action) pin {
	if _, known := versionAfter(a.Conds); a.Kind == records.ActPut && !known &&
		records.Size(a.Item) > records.MaxItemBytes-updateRoom {
		return 0
	}
	return unpinned
}

// form compiles an action.
func (s *Store) form(a records.Action, at pin, now time.Time) (write, error) {
	table, err := s.table(a.Item.Table)
	if err != nil {
		return write{}, err
	}
	e := newExpr(now)
	w := write{table: table, key: keyOf(a.Item.Key), e: e}
	conds := a.Conds
	switch {
	case at == 0:
		conds = []records.Cond{records.NotExists()}
	case at > 0:
		conds = append(conds[:len(conds):len(conds)], records.VersionIs(int64(at)))
	}
	cond := e.conds(conds)
	switch a.Kind {
	case records.ActPut:
		it := a.Item.Normal()
		if version, known := versionAfter(conds); known {
			w.item = whole(it, version)
			break
		}
		w.update = aws.String(e.replace(it))
		if cond == "" {
			cond = e.live()
		}
	case records.ActAdd:
		if at == 0 {
			w.item = whole(records.Item{Key: a.Item.Key, N: a.Delta.By, ExpiresAt: a.Delta.ExpiresAt}, 1)
			break
		}
		w.update = aws.String(e.add(a.Delta))
		cond = e.bounds(a.Delta)
	}
	if cond != "" {
		w.cond = &cond
	}
	return w, nil
}

// weigh judges a failed condition by the item that stood there. Either the
// action is refused, or only its form was wrong and the next try is pinned
// elsewhere.
func weigh(a records.Action, at pin, there attributes, now time.Time) (next pin, reason records.Reason, err error) {
	it, err := existing(a.Item.Table, there, now)
	if err != nil {
		return at, reason, err
	}
	allowed := records.Holds(a.Conds, it)
	if a.Kind == records.ActAdd {
		var n int64
		if it != nil {
			n = it.N
		}
		_, allowed = a.Delta.Apply(n)
	}
	switch {
	case !allowed || a.Kind == records.ActCheck || a.Kind == records.ActDelete:
		return at, records.Reason{Failed: true, Existing: it}, nil
	case it == nil:
		return 0, reason, nil
	case firstPin(a) == unpinned:
		return unpinned, reason, nil
	}
	return pin(it.Version), reason, nil
}

// versionAfter is the version that a put gives, if its conditions tell.
func versionAfter(conds []records.Cond) (version int64, known bool) {
	for _, c := range conds {
		switch c.Kind {
		case records.KindNotExists:
			return 1, true
		case records.KindVersionIs:
			return c.Version + 1, true
		}
	}
	return 0, false
}

// transactItem is the write as a part of a transaction.
func (w write) transactItem(kind records.ActionKind) types.TransactWriteItem {
	const old = types.ReturnValuesOnConditionCheckFailureAllOld
	names := w.e.names
	if len(names) == 0 {
		names = nil
	}
	switch {
	case w.item != nil:
		return types.TransactWriteItem{Put: &types.Put{TableName: w.table, Item: w.item, ConditionExpression: w.cond,
			ExpressionAttributeNames: names, ExpressionAttributeValues: w.e.vals(), ReturnValuesOnConditionCheckFailure: old}}
	case w.update != nil:
		return types.TransactWriteItem{Update: &types.Update{TableName: w.table, Key: w.key, UpdateExpression: w.update, ConditionExpression: w.cond,
			ExpressionAttributeNames: names, ExpressionAttributeValues: w.e.vals(), ReturnValuesOnConditionCheckFailure: old}}
	case kind == records.ActCheck:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: w.table, Key: w.key, ConditionExpression: w.cond,
			ExpressionAttributeNames: names, ExpressionAttributeValues: w.e.vals(), ReturnValuesOnConditionCheckFailure: old}}
	}
	return types.TransactWriteItem{Delete: &types.Delete{TableName: w.table, Key: w.key, ConditionExpression: w.cond,
		ExpressionAttributeNames: names, ExpressionAttributeValues: w.e.vals(), ReturnValuesOnConditionCheckFailure: old}}
}
