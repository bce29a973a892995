package dynamo

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// digestField holds, in the row of a token, what was done under it.
const digestField = "digest"

// Transact implements records.Store.
func (s *Store) Transact(ctx context.Context, token string, actions ...records.Action) error {
	if err := records.ValidateTransact(token, actions); err != nil {
		return err
	}
	t := transaction{s: s, actions: actions, pins: make([]pin, len(actions))}
	for i, a := range actions {
		t.pins[i] = firstPin(a)
	}
	if token != "" {
		sum := records.Digest(actions)
		t.token, t.digest = token, hex.EncodeToString(sum[:])
	}
	return s.again(ctx, func() (bool, error) {
		for range formTurns {
			changed, repeat, err := t.try(ctx)
			if !changed {
				return repeat, err
			}
		}
		return true, records.ErrConflict
	})
}

type transaction struct {
	s             *Store
	actions       []records.Action
	pins          []pin // by position
	token, digest string
}

// tokenRow is the last action of a transaction with a token.
func (t *transaction) tokenRow(now time.Time) records.Action {
	return records.PutItem(records.Item{
		Key:       records.Key{Table: records.Idempotency, PK: "token#" + t.token, SK: "token"},
		Fields:    map[string]string{digestField: t.digest},
		ExpiresAt: now.Add(records.TokenMemory),
	}, records.NotExists())
}

// try sends the transaction once. changed asks for another try at once, with
// other forms; repeat for one after a pause.
func (t *transaction) try(ctx context.Context) (changed, repeat bool, err error) {
	now := t.s.clock.Now()
	list := t.actions
	if t.token != "" {
		list = append(list[:len(list):len(list)], t.tokenRow(now))
	}
	items := make([]types.TransactWriteItem, len(list))
	for i, a := range list {
		at := unpinned
		if i < len(t.pins) {
			at = t.pins[i]
		}
		w, err := t.s.form(a, at, now)
		if err != nil {
			return false, false, err
		}
		items[i] = w.transactItem(a.Kind)
	}
	_, err = t.s.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: items})
	var off *types.TransactionCanceledException
	switch {
	case err == nil:
		return false, false, nil
	case !errors.As(err, &off):
		return false, passing(err), explain(ctx, err)
	case len(off.CancellationReasons) != len(items):
		return false, false, fmt.Errorf("%w: a cancelled transaction without its reasons: %w", records.ErrUnavailable, err)
	}
	return t.judge(off, now)
}

func (t *transaction) judge(off *types.TransactionCanceledException, now time.Time) (changed, repeat bool, err error) {
	reasons := make([]records.Reason, len(t.actions))
	refused := false
	for i, r := range off.CancellationReasons {
		switch code := aws.ToString(r.Code); code {
		case "", "None":
		case "ConditionalCheckFailed":
			if i == len(t.actions) {
				return false, false, t.replayed(r.Item)
			}
			t.pins[i], reasons[i], err = weigh(t.actions[i], t.pins[i], r.Item, now)
			if err != nil {
				return false, false, err
			}
			changed = true
			refused = refused || reasons[i].Failed
		case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded":
			repeat = true
		case "ValidationError":
			return false, false, fmt.Errorf("%w: action %d: %s", records.ErrInvalid, i, aws.ToString(r.Message))
		default:
			return false, false, fmt.Errorf("%w: action %d: %s: %s", records.ErrUnavailable, i, code, aws.ToString(r.Message))
		}
	}
	switch {
	case repeat: // the refusals may rest on what is in flight
		return false, true, records.ErrConflict
	case refused:
		return false, false, &records.CanceledError{Reasons: reasons}
	}
	return changed, false, nil
}

// replayed compares with what was done under the token.
func (t *transaction) replayed(row attributes) error {
	it, err := read(records.Idempotency, row)
	if err != nil {
		return err
	}
	if it.Fields[digestField] != t.digest {
		return records.ErrTokenReused
	}
	return nil
}
