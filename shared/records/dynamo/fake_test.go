package dynamo_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/dynamo"
)

// script answers calls with prepared results, for what a double does not do by
// itself: conflicts, throttling, leftovers.
type script struct {
	dynamo.Client // nil: what is not scripted must not be called
	transact      []error
	update        []error
	batch         []*dynamodb.BatchGetItemOutput
	sent          []*dynamodb.TransactWriteItemsInput
	calls         int
}

func take[T any](list *[]T) (v T) {
	if len(*list) > 0 {
		v, *list = (*list)[0], (*list)[1:]
	}
	return v
}

func (s *script) TransactWriteItems(_ context.Context, in *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	s.calls++
	s.sent = append(s.sent, in)
	return &dynamodb.TransactWriteItemsOutput{}, take(&s.transact)
}

func (s *script) UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	s.calls++
	return &dynamodb.UpdateItemOutput{Attributes: map[string]types.AttributeValue{"n": &types.AttributeValueMemberN{Value: "7"}}}, take(&s.update)
}

func (s *script) BatchGetItem(_ context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	s.calls++
	return take(&s.batch), nil
}

// quick is a clock whose waits take no time but count.
type quick struct{ *clock.Held }

func (q quick) Sleep(ctx context.Context, d time.Duration) error {
	q.Advance(d)
	return ctx.Err()
}

func scripted(t *testing.T, s *script) (*dynamo.Store, quick) {
	t.Helper()
	q := quick{clock.Hold(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))}
	store, err := dynamo.New(s, dynamo.Options{
		Tables: map[records.Table]string{records.Records: "r", records.Idempotency: "i"},
		Clock:  q, CursorKey: []byte("sixteen bytes at least"), Rand: func() float64 { return 1 },
	})
	if err != nil {
		t.Fatal(err)
	}
	return store, q
}

func canceledBy(codes ...string) error {
	e := &types.TransactionCanceledException{}
	for _, c := range codes {
		e.CancellationReasons = append(e.CancellationReasons, types.CancellationReason{Code: aws.String(c)})
	}
	return e
}

var key = records.Key{PK: "p", SK: "s"}

func TestConflictsAreRetried(t *testing.T) {
	throttled := &smithy.GenericAPIError{Code: "ThrottlingException"}
	for name, first := range map[string]error{
		"conflict":              canceledBy("None", "TransactionConflict"),
		"throttled inside":      canceledBy("ThrottlingError", "None"),
		"throughput inside":     canceledBy("None", "ProvisionedThroughputExceeded"),
		"in progress":           &types.TransactionInProgressException{},
		"throttled":             throttled,
		"refused in a conflict": canceledBy("ConditionalCheckFailed", "TransactionConflict"),
	} {
		s := &script{transact: []error{first, first}}
		store, _ := scripted(t, s)
		err := store.Transact(t.Context(), "", records.PutItem(records.Item{Key: key}, records.NotExists()),
			records.AddTo(records.Key{PK: "p", SK: "n"}, records.Delta{By: 1}))
		if err != nil || s.calls != 3 {
			t.Errorf("%s: %d calls, %v", name, s.calls, err)
		}
	}
	s := &script{update: []error{&types.TransactionConflictException{}, throttled}}
	store, _ := scripted(t, s)
	if n, err := store.Add(t.Context(), key, records.Delta{By: 1}); err != nil || n != 7 || s.calls != 3 {
		t.Errorf("add: %d, %v after %d calls", n, err, s.calls)
	}
}

func TestRetriesEnd(t *testing.T) {
	s := &script{}
	for range 10_000 {
		s.transact = append(s.transact, canceledBy("TransactionConflict"))
	}
	store, q := scripted(t, s)
	began := q.Now()
	err := store.Transact(t.Context(), "", records.PutItem(records.Item{Key: key}))
	if !errors.Is(err, records.ErrConflict) {
		t.Fatalf("error %v", err)
	}
	if waited := q.Now().Sub(began); waited < time.Minute || waited > 65*time.Second {
		t.Fatalf("gave up after %v", waited)
	}
	// The end of the caller's context ends it too.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := store.Transact(ctx, "", records.PutItem(records.Item{Key: key})); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
}

func TestErrorsHaveTheirMeaning(t *testing.T) {
	for name, c := range map[string]struct{ err, want error }{
		"validation":         {&smithy.GenericAPIError{Code: "ValidationException"}, records.ErrInvalid},
		"validation inside":  {canceledBy("ValidationError"), records.ErrInvalid},
		"no table":           {&types.ResourceNotFoundException{}, records.ErrUnavailable},
		"network":            {errors.New("connection refused"), records.ErrUnavailable},
		"too few reasons":    {canceledBy(), records.ErrUnavailable},
		"unheard-of reasons": {canceledBy("Whatever"), records.ErrUnavailable},
	} {
		store, _ := scripted(t, &script{transact: []error{c.err}})
		if err := store.Transact(t.Context(), "", records.PutItem(records.Item{Key: key})); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestLeftOverKeysAreReadAgain(t *testing.T) {
	row := func(sk string) map[string]types.AttributeValue {
		return map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "p"},
			"sk": &types.AttributeValueMemberS{Value: sk}, "v": &types.AttributeValueMemberN{Value: "1"}}
	}
	s := &script{batch: []*dynamodb.BatchGetItemOutput{
		{Responses: map[string][]map[string]types.AttributeValue{"r": {row("b")}},
			UnprocessedKeys: map[string]types.KeysAndAttributes{"r": {Keys: []map[string]types.AttributeValue{row("a")}}}},
		{Responses: map[string][]map[string]types.AttributeValue{"r": {row("a")}}},
	}}
	store, _ := scripted(t, s)
	items, err := store.BatchGet(t.Context(), []records.Key{{PK: "p", SK: "a"}, {PK: "p", SK: "b"}})
	if err != nil || len(items) != 2 || items[0].SK != "a" || s.calls != 2 {
		t.Fatalf("%v, %v after %d calls", items, err, s.calls)
	}
}

func TestForeignAttributesAreAnError(t *testing.T) {
	s := &script{batch: []*dynamodb.BatchGetItemOutput{{Responses: map[string][]map[string]types.AttributeValue{"r": {{
		"pk": &types.AttributeValueMemberS{Value: "p"}, "sk": &types.AttributeValueMemberS{Value: "s"},
		"v": &types.AttributeValueMemberS{Value: "one"},
	}}}}}}
	store, _ := scripted(t, s)
	if _, err := store.BatchGet(t.Context(), []records.Key{key}); !errors.Is(err, records.ErrUnavailable) {
		t.Fatalf("error %v", err)
	}
}

func TestOptions(t *testing.T) {
	good := dynamo.Options{Tables: map[records.Table]string{records.Records: "r", records.Idempotency: "i"}, CursorKey: []byte("sixteen bytes at least")}
	if _, err := dynamo.New(&script{}, good); err != nil {
		t.Fatal(err)
	}
	short, missing := good, good
	short.CursorKey = nil
	missing.Tables = map[records.Table]string{records.Records: "r"}
	for _, o := range []dynamo.Options{short, missing} {
		if _, err := dynamo.New(&script{}, o); !errors.Is(err, records.ErrInvalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
