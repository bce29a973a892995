package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// Put implements records.Store.
func (s *Store) Put(ctx context.Context, it records.Item, conds ...records.Cond) (records.Item, error) {
	if err := records.ValidateItem(it); err != nil {
		return records.Item{}, err
	}
	if err := records.ValidateConds(conds); err != nil {
		return records.Item{}, err
	}
	it = it.Normal()
	after, err := s.single(ctx, records.PutItem(it, conds...))
	if err != nil {
		return records.Item{}, err
	}
	it.Version = after.Version
	return it, nil
}

// Add implements records.Store.
func (s *Store) Add(ctx context.Context, k records.Key, d records.Delta) (int64, error) {
	if err := records.ValidateKey(k); err != nil {
		return 0, err
	}
	after, err := s.single(ctx, records.AddTo(k, d))
	return after.N, err
}

// Delete implements records.Store.
func (s *Store) Delete(ctx context.Context, k records.Key, conds ...records.Cond) error {
	if err := records.ValidateKey(k); err != nil {
		return err
	}
	if err := records.ValidateConds(conds); err != nil {
		return err
	}
	_, err := s.single(ctx, records.DeleteItem(k, conds...))
	return err
}

// Update implements records.Store.
func (s *Store) Update(ctx context.Context, k records.Key, expect int64, fn func(*records.Item) error) (records.Item, error) {
	var out records.Item
	err := s.again(ctx, func() (repeat bool, err error) {
		it, err := s.Get(ctx, k)
		if err != nil {
			return false, err
		}
		if expect != 0 && it.Version != expect {
			return false, &records.ConditionError{Existing: &it}
		}
		read := it.Version
		if err := fn(&it); err != nil {
			return false, err
		}
		it.Key = k
		out, err = s.Put(ctx, it, records.VersionIs(read))
		var lost *records.ConditionError
		if errors.As(err, &lost) {
			return true, nil // ErrConflict if this goes on for too long
		}
		return false, err
	})
	if err != nil {
		return records.Item{}, err
	}
	return out, nil
}

// formTurns is how often an action may change its form before it pauses.
const formTurns = 3

// single does one action and returns the item's version and counter after it.
func (s *Store) single(ctx context.Context, a records.Action) (records.Item, error) {
	var after records.Item
	at := firstPin(a)
	err := s.again(ctx, func() (bool, error) {
		for range formTurns {
			now := s.clock.Now()
			w, err := s.form(a, at, now)
			if err != nil {
				return false, err
			}
			if after, err = s.send(ctx, w); err == nil {
				return false, nil
			}
			there, failed := refusal(err)
			if !failed {
				return passing(err), explain(ctx, err)
			}
			next, reason, err := weigh(a, at, there, now)
			if err != nil {
				return false, err
			}
			if reason.Failed {
				return false, &records.ConditionError{Existing: reason.Existing}
			}
			at = next
		}
		return true, records.ErrConflict
	})
	return after, err
}

// send does a single write.
func (s *Store) send(ctx context.Context, w write) (records.Item, error) {
	const old = types.ReturnValuesOnConditionCheckFailureAllOld
	names := w.e.names
	if len(names) == 0 {
		names = nil
	}
	switch {
	case w.item != nil:
		_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.table, Item: w.item, ConditionExpression: w.cond,
			ExpressionAttributeNames: names, ExpressionAttributeValues: w.e.vals(), ReturnValuesOnConditionCheckFailure: old})
		if err != nil {
			return records.Item{}, err
		}
		return read("", w.item)
	case w.update != nil:
		out, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: w.table, Key: w.key, UpdateExpression: w.update,
			ConditionExpression: w.cond, ExpressionAttributeNames: names, ExpressionAttributeValues: w.e.vals(),
			ReturnValues: types.ReturnValueUpdatedNew, ReturnValuesOnConditionCheckFailure: old})
		if err != nil {
			return records.Item{}, err
		}
		return read("", out.Attributes)
	}
	_, err := s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: w.table, Key: w.key, ConditionExpression: w.cond,
		ExpressionAttributeNames: names, ExpressionAttributeValues: w.e.vals(), ReturnValuesOnConditionCheckFailure: old})
	return records.Item{}, err
}
