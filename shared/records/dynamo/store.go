// Package dynamo keeps records in DynamoDB tables.
//
// A put that need not match a version is an update which sets or removes every
// attribute and counts the version up, so it needs no read before it. Only if
// it meets an item that has expired and was not deleted yet, it is repeated as a
// put at version 1; and an item within 1 KB of the limit, for which the text of
// the update would be too much, is put over the version that a first refusal
// shows. Fields are one map attribute, so that an update replaces all of them.
//
// The token of a transaction is a row of that transaction (in the idempotency
// table, partition "token#..."), not DynamoDB's own: conditions hold the present
// time, so a repeated transaction is never byte for byte the same request. The
// SDK still sends a token of its own with each request, which covers its retries.
//
// What DynamoDB cannot promise: when the answer of a single write is lost on the
// way, the SDK sends it again, so an Add may count twice and a Put with NotExists
// may refuse its own item. Where that matters, use Transact with a token.
package dynamo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Client is the part of the SDK's client that the store uses.
type Client interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
}

// Options of New.
type Options struct {
	// Tables gives the name of each table in AWS; it must have records.Records
	// and records.Idempotency.
	Tables map[records.Table]string
	// Clock decides what has expired, and waits between tries. nil is the system's.
	Clock clock.Clock
	// CursorKey signs cursors: at least records.MinCursorKey bytes, the same in
	// every function.
	CursorKey []byte
	// Rand gives the jitter of waits, in [0,1). nil is the system's.
	Rand func() float64
}

// Store implements records.Store.
type Store struct {
	client  Client
	tables  map[records.Table]string
	clock   clock.Clock
	cursors records.Cursors
	rand    func() float64
}

var _ records.Store = (*Store)(nil)

// New makes the store over a client of NewClient; it asks nothing of AWS yet.
func New(client Client, opt Options) (*Store, error) {
	cursors, err := records.NewCursors(opt.CursorKey)
	if err != nil {
		return nil, err
	}
	s := &Store{client: client, tables: map[records.Table]string{}, clock: opt.Clock, cursors: cursors, rand: opt.Rand}
	for t, name := range opt.Tables {
		s.tables[t] = name
	}
	for _, t := range []records.Table{records.Records, records.Idempotency} {
		if s.tables[t] == "" {
			return nil, fmt.Errorf("%w: no AWS name for table %q", records.ErrInvalid, t)
		}
	}
	if s.clock == nil {
		s.clock = clock.System{}
	}
	if s.rand == nil {
		s.rand = rand.Float64
	}
	return s, nil
}

func (s *Store) table(t records.Table) (*string, error) {
	if name, ok := s.tables[t]; ok {
		return &name, nil
	}
	return nil, fmt.Errorf("%w: no table %q in this store", records.ErrInvalid, t)
}

// The waits between tries: from 10 ms, doubled, up to one second, each with full
// jitter, so that a hundred callers on one item spread out; at most giveUp
// together. A caller's own deadline is usually the nearer end.
const (
	firstWait = 10 * time.Millisecond
	mostWait  = time.Second
	giveUp    = time.Minute
)

// again repeats f while it asks for it, and ends with records.ErrConflict (or
// f's last error) when that takes too long.
func (s *Store) again(ctx context.Context, f func() (repeat bool, err error)) error {
	began := s.clock.Now()
	wait := firstWait
	for {
		repeat, err := f()
		if !repeat {
			return err
		}
		if s.clock.Now().Sub(began) > giveUp {
			if err == nil {
				err = records.ErrConflict
			}
			return err
		}
		if err := s.clock.Sleep(ctx, time.Duration(s.rand()*float64(wait))); err != nil {
			return err
		}
		wait = min(2*wait, mostWait)
	}
}

// explain gives errors of the SDK the meaning of the port.
func explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var busy *types.TransactionConflictException
	if errors.As(err, &busy) {
		return fmt.Errorf("%w: %w", records.ErrConflict, err)
	}
	var api smithy.APIError
	if errors.As(err, &api) && api.ErrorCode() == "ValidationException" {
		return fmt.Errorf("%w: %w", records.ErrInvalid, err)
	}
	return fmt.Errorf("%w: %w", records.ErrUnavailable, err)
}

// passing tells errors that go away: conflicts with a transaction, throttling.
func passing(err error) bool {
	var api smithy.APIError
	if !errors.As(err, &api) {
		return false
	}
	switch api.ErrorCode() {
	case "TransactionConflictException", "TransactionInProgressException",
		"ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded":
		return true
	}
	return false
}

// refusal reads a failed condition: the item that stood there, as attributes.
func refusal(err error) (there attributes, ok bool) {
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) {
		return nil, false
	}
	return failed.Item, true
}
